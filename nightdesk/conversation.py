"""All that a conversation is: one object, carried whole when the workflow continues as new.

Everything in it is bounded, so that neither the snapshot nor an activity's input grows with the conversation.
"""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PrivateAttr, SerializeAsAny, field_validator

from nightdesk.booking import BookRoom, Confirmed, Offer, RefusalReason
from nightdesk.boundaries import JsonObject, Message, Said, Shown
from nightdesk.conversation_settings import ConversationSettings
from nightdesk.criteria import BY_NAME
from nightdesk.decisions import Answer, Boundary
from nightdesk.model import Frozen, Guest
from nightdesk.snapshot import Snapshot

TRANSCRIPT_LINES = 200
TRANSCRIPT_BYTES = 250_000
"""Fewer lines are kept when they are long: a snapshot has to stay below the 2 MB that the server takes."""
REPLIES_KEPT = 50
"""For so many messages `await_reply` and a repeated id still get the first answer."""
REPLIES_BYTES = 200_000
"""Fewer, when they are so long that no snapshot could carry them."""
QUEUE_BYTES = 950_000
"""Of messages that wait, as a snapshot carries them: ten thousand short ones, which is all that a run may receive."""
IDS_KEPT = 1000
"""So many message ids are recognised when they come again."""
DECISIONS_KEPT = 50
MEMORY_LINES = 10
"""Of each namespace; a decision sees the newest request and up to four earlier ones (seed)."""
PRIOR_REQUESTS = 4

Namespace = Literal["intake", "present"]


def _says_something(text: str) -> str:
    if not text.isprintable() or not text.strip():
        raise ValueError("printable text is needed")
    return text


Short = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_says_something)]


class GuestInput(Guest):
    """A guest as given from outside: nothing more, nothing less."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Short
    name: Short
    email: Short


class ConversationInput(Frozen):
    """What a conversation is started with; both may be missing. Anything else is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    guest: GuestInput | None = None
    business_date: Annotated[date, Field(lt=date.max)] | None = None
    """The last date of the calendar has no day after it, and so no night that could be booked."""


class Line(Frozen):
    """One line of the transcript. `message_id` is null for what is said unasked."""

    seq: int
    role: Literal["guest", "assistant"]
    text: str
    message_id: str | None
    at: datetime


class Incoming(Frozen):
    """A message that waits for its turn."""

    id: str
    text: str
    problem: Literal["empty", "too_long", "no_text"] | None = Field(
        default=None, exclude_if=lambda problem: problem is None
    )
    at: datetime

    @property
    def size(self) -> int:
        """Bytes that it takes in a snapshot, at most a few too many."""
        return _size((self.id, self.text)) + 80


class AuditEntry(Frozen):
    """One decision: what was answered, whether code accepted it, and the policy that stood in, if one did.

    A model's turn that could not be had is an entry without model and answers, whose `fallback` is DRAFT or COLLECTOR.
    """

    boundary: Boundary
    model: str | None
    answers: dict[str, Answer]
    accepted: bool
    fallback: str | None
    at: datetime


class Readiness(Frozen):
    """Why a search may run: the review, validation alone (the provider was out), or the guest's word."""

    accepted: bool
    by: Literal["decision", "validation", "guest"]


class Reservation(Frozen):
    """What became of a yes. `unknown` until the ledger has told."""

    status: Literal["confirmed", "refused", "unknown", "cancelled"]
    offer: Offer
    confirmation_number: str | None = None
    reason: RefusalReason | None = None
    row: Confirmed | None = None
    existing: Confirmed | None = None
    """Refused or cancelled: the reservation that the conversation had all the same, from another yes."""


class Unsettled(Frozen):
    """A booking whose outcome only the ledger knows."""

    booking: BookRoom
    since: datetime
    rounds: int = 0
    give_up: bool = False


class Doubt(Frozen):
    """An owner's question about the guest's own words: `quote`, and the one part that they name, if they do.

    `proposal` is what a yes to the question would capture: the guest said it, but was not sure.
    """

    question: str
    quote: str = ""
    part: str | None = None
    proposal: JsonObject | None = Field(default=None, exclude_if=lambda proposal: proposal is None)
    asked: int = 1

    def once_more(self) -> "Doubt":
        """As it is, asked once more."""
        return self.model_copy(update={"asked": self.asked + 1})


ASKED_AT_MOST = 2


class Counters(BaseModel):
    """`rejected` counts every message refused; `quarantined` those of them that could not be answered."""

    received: int = 0
    answered: int = 0
    duplicates: int = 0
    rejected: int = 0
    quarantined: int = 0
    said: int = 0


Outcome = Literal["booked", "ended", "expired"]


class Conversation(BaseModel):
    """The state of one conversation. Changed by workflow code only, between and within its turns."""

    id: str
    guest: Guest | None = None
    business_date: date | None = None
    settings: ConversationSettings | None = None
    reset: bool = False
    """Whether this run goes on from a reset: what an earlier one did after that point is not known here."""
    outcome: Outcome | None = None
    active_step: str = "router"
    doubts: dict[str, Doubt] = {}
    """By criterion: what its owner asked back about, until it is answered or was asked about twice."""
    facts: dict[str, SerializeAsAny[Frozen]] = {}
    """Each owner's value, by criterion; written by its owner only."""
    readiness: Readiness | None = None
    hotels: tuple[Shown, ...] = ()
    offer: Offer | None = None
    offered_at: datetime | None = None
    """When the offer was stated: a yes that was sent before cannot have meant it."""
    reservation: Reservation | None = None
    unsettled: Unsettled | None = None
    sent_back: dict[str, int] = {}
    """How often the readiness review sent back a snapshot, by digest; emptied when one is accepted."""
    misunderstood: int = 0
    """Messages in a row that nothing could be made of."""
    closing: Outcome | None = None
    """How it will close, once an unsettled booking is settled."""
    called_off: datetime | None = None
    """When the workflow was asked to cancel: what came before that still gets its turn."""
    last_heard: datetime | None = None
    queue: list[Incoming] = []
    seen: dict[str, str] = {}
    """Digest of a message's id -> digest of its text, oldest first."""
    replies: dict[str, tuple[str, ...]] = {}
    """Message id -> what was answered, oldest first."""
    memory: dict[Namespace, list[Message]] = {"intake": [], "present": []}
    said: list[Said] = []
    """The guest's newest messages with what they answered."""
    transcript: list[Line] = []
    decisions: list[AuditEntry] = []
    messages: Counters = Counters()
    _waiting: int = PrivateAttr(0)

    def model_post_init(self, context: object, /) -> None:
        """What waits is measured once, and kept count of from then on."""
        self._waiting = sum(message.size for message in self.queue)

    @field_validator("facts", mode="before")
    @classmethod
    def _read_facts(cls, facts: Mapping[str, Any]) -> dict[str, Frozen]:
        """Each value by its own criterion's model; one that this release no longer knows is left out."""
        return {
            name: BY_NAME[name].value_type.model_validate(value) for name, value in facts.items() if name in BY_NAME
        }

    def snapshot(self, today: date) -> Snapshot:
        """The normalised view of the facts."""
        return Snapshot(self.facts, today)

    def say(self, role: Literal["guest", "assistant"], text: str, message_id: str | None, at: datetime) -> None:
        """A further line of the transcript; the oldest leaves when it is full."""
        self.messages.said += 1
        self.transcript.append(Line(seq=self.messages.said, role=role, text=text, message_id=message_id, at=at))
        del self.transcript[:-TRANSCRIPT_LINES]
        while len(self.transcript) > 1 and _exceeds(TRANSCRIPT_BYTES, (_texts(line) for line in self.transcript)):
            del self.transcript[0]

    def recognises(self, message_id: str) -> str | None:
        """The digest of the text that came under this id, if the id was received and is still known."""
        return self.seen.get(digest(message_id))

    def recognise(self, message_id: str, text_digest: str) -> None:
        """From now on, and until so many others have come."""
        self.seen[digest(message_id)] = text_digest
        while len(self.seen) > IDS_KEPT:
            del self.seen[next(iter(self.seen))]

    def queue_up(self, message: Incoming) -> bool:
        """Behind those that wait; False when there are so many that no snapshot could carry them."""
        if self._waiting + message.size > QUEUE_BYTES:
            return False
        self._waiting += message.size
        self.queue.append(message)
        return True

    def leave_queue(self) -> None:
        """The first one that waited has been handled."""
        self._waiting -= self.queue.pop(0).size

    def remember(self, namespace: Namespace, message: Message) -> None:
        """A further line for the models that share this memory."""
        lines = self.memory[namespace]
        lines.append(message)
        del lines[:-MEMORY_LINES]

    def heard(self, said: Said) -> None:
        """The newest message of the guest."""
        self.said.append(said)
        del self.said[: -(PRIOR_REQUESTS + 1)]

    def requests(self, namespace: Namespace) -> tuple[str, tuple[str, ...]]:
        """The newest request of a memory, and up to four earlier ones, oldest first."""
        texts = [line.text for line in self.memory[namespace] if line.role == "guest"]
        return (texts[-1] if texts else "", tuple(texts[:-1][-PRIOR_REQUESTS:]))

    @property
    def doubt(self) -> Doubt | None:
        """What the awaited owner asked back about."""
        return self.doubts.get(self.active_step)

    @property
    def proposal(self) -> JsonObject | None:
        """What the awaited owner proposed, if nothing else is proposed beside it: a yes with more words is to that."""
        proposed = [doubt.proposal for doubt in self.doubts.values() if doubt.proposal]
        return self.doubt.proposal if self.doubt and len(proposed) == 1 else None

    def open_doubt(self) -> str | None:
        """The first criterion whose owner may ask about the guest's words once more."""
        again = (
            name
            for name, doubt in self.doubts.items()
            if (doubt.quote or doubt.proposal) and doubt.asked < ASKED_AT_MOST
        )
        return next(again, None)

    def forget_results(self) -> None:
        """A saved change: what was found and decided for the old record no longer holds."""
        self.hotels, self.offer, self.readiness = (), None, None

    def audit(self, entry: AuditEntry) -> None:
        """A further decision for the record."""
        self.decisions.append(entry)
        del self.decisions[:-DECISIONS_KEPT]

    def answered(self, message_id: str, replies: tuple[str, ...]) -> None:
        """The message has had its turn."""
        self.messages.answered += 1
        self.replies[message_id] = replies
        while len(self.replies) > REPLIES_KEPT or (
            len(self.replies) > 1 and _exceeds(REPLIES_BYTES, ((id_, *texts) for id_, texts in self.replies.items()))
        ):
            del self.replies[next(iter(self.replies))]


def digest(text: str) -> str:
    """Tells texts apart, in 16 characters; whatever JSON can hold is a text, lone surrogates too."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _size(texts: Iterable[str]) -> int:
    """Bytes in JSON without what separates them: four at most for a character, of ASCII two if it is escaped."""
    size = 0
    for text in texts:
        size += len(text.encode()) + text.count('"') + text.count("\\") + text.count("\n")
    return size


def _texts(line: Line) -> tuple[str, ...]:
    return (line.text, line.message_id or "")


def _exceeds(limit: int, items: Iterable[tuple[str, ...]]) -> bool:
    """Measured only when there is so much text that it might."""
    kept = list(items)
    return sum(len(text) for item in kept for text in item) * 4 > limit and sum(map(_size, kept)) > limit
