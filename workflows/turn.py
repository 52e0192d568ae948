"""One turn: a message, what is said to it, and the transitions between the steps that it goes through."""

from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

from temporalio import workflow

from nightdesk.boundaries import Message, Said, Shown
from nightdesk.conversation import Conversation, Doubt, Incoming, Namespace, Outcome
from nightdesk.criteria import BY_NAME
from nightdesk.hotels import FoundHotels
from nightdesk.snapshot import Snapshot
from nightdesk.stay import date_there
from nightdesk.understanding.reading import Remark
from nightdesk.verdicts import Route


@dataclass(frozen=True)
class Go:
    """On to another step, in the same turn."""

    to: str


@dataclass(frozen=True)
class Rest:
    """The turn ends; the next message is expected to answer step `at`."""

    at: str


@dataclass(frozen=True)
class Finish:
    """The turn ends, and the conversation with it."""

    outcome: Outcome


Transition = Go | Rest | Finish


@dataclass
class Turn:
    """What one turn works with. The rest of it lives in the conversation."""

    conversation: Conversation
    message: Incoming
    newer: bool
    """Whether the run was begun by this release (workflows/release.py)."""
    parts: list[str] = field(default_factory=list[str])
    """What will be said, in order; one reply in the end."""
    route: Route | None = None
    changed: list[str] = field(default_factory=list[str])
    """Criteria whose saved value this turn changed."""
    way_in: bool = False
    """Small talk, or it begins with a greeting: it ends with an open question, and no owner reproaches it."""
    doubts: dict[str, Doubt] = field(default_factory=dict[str, Doubt])
    """Of criteria whose owner refused or could not read something and asks again, in order."""
    model_asked: bool = False
    chosen: str | None = None
    """What `choose_hotel` answered."""
    choice: Shown | None = None
    """The hotel to state the terms of."""
    found: FoundHotels | None = None
    """What a search of this turn found; None: it has not searched, and the hotels shown are from an earlier one."""
    draft: str | None = None
    noticed: tuple[Remark, ...] = ()
    """Of the message: a city or a hotel that is not this desk's."""

    @property
    def text(self) -> str:
        """The guest's words, without control characters."""
        return self.message.text

    @property
    def today(self) -> date:
        """The hotel's date, for this conversation."""
        return today(self.conversation)

    @property
    def snapshot(self) -> Snapshot:
        """The record as it is now."""
        return self.conversation.snapshot(self.today)

    def say(self, *parts: str) -> None:
        """A further part of the reply."""
        self.parts += [part for part in parts if part]

    def stay(self, *parts: str) -> Rest:
        """Say it, and wait where the conversation stood."""
        self.say(*parts)
        return Rest(self.conversation.active_step)

    def direct_to(self, step: str, *parts: str) -> Rest:
        """Say it, and wait at that step."""
        self.say(*parts)
        return Rest(step)

    def remember(self, namespace: Namespace) -> None:
        """The message joins a memory; what the router sent to the intake may be read again by the review."""
        conversation = self.conversation
        conversation.remember(namespace, Message(role="guest", text=self.text))
        if namespace == "intake":
            conversation.heard(Said(text=self.text, awaiting=conversation.active_step, asked=self.asked, on=self.today))

    @property
    def asked(self) -> str | None:
        """The part of the awaited criterion that was asked for."""
        criterion = BY_NAME.get(self.conversation.active_step)
        if criterion is None:
            return None
        doubt = self.conversation.doubt
        return (doubt.part if doubt else None) or criterion.asked(self.conversation.facts.get(criterion.name))


class Step(Protocol):
    """Owner of one stage of the conversation. Registration is no sequence: transitions decide what runs next."""

    @property
    def name(self) -> str:
        """The contract's name of the stage."""
        ...

    @property
    def memory(self) -> Namespace | None:
        """The namespace that the words of this step join; None: they are for no model."""
        ...

    async def run(self, turn: Turn) -> Transition:
        """Do this step's work in the turn."""
        ...


def today(conversation: Conversation) -> date:
    """Pinned by the conversation's input or by the settings, else the date in the hotel's zone."""
    settings = conversation.settings
    pinned = conversation.business_date or (settings.business_date if settings else None)
    # Not here: the sandbox hands out a stand-in for a zone that a datetime does not take, and the task would wedge.
    return pinned or date_there(workflow.now(), settings.time_zone if settings else "UTC")
