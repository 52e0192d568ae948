"""The inbox: what a signal brings is decoded by hand, counted, and queued; handlers do nothing else."""

from collections.abc import Sequence

from temporalio import workflow
from temporalio.common import RawValue

from nightdesk import wording
from nightdesk.conversation import Conversation, Incoming, digest
from nightdesk.intake import Arrived, Quarantined, decode


def accept(conversation: Conversation, name: str, arguments: Sequence[RawValue]) -> None:
    """Queue a message, or count why not. Nothing that arrives can raise here."""
    arrived = decode(name, [(raw.payload.metadata.get("encoding", b""), raw.payload.data) for raw in arguments])
    if isinstance(arrived, Quarantined):
        _quarantine(conversation, arrived.reason)
    else:
        _take(conversation, arrived)


def _quarantine(conversation: Conversation, reason: str) -> None:
    conversation.messages.rejected += 1
    conversation.messages.quarantined += 1
    meter = workflow.metric_meter()
    meter.create_counter("nightdesk_quarantined", "Signals that are no message of a guest").add(1, {"reason": reason})


def _take(conversation: Conversation, arrived: Arrived) -> None:
    """An id that was received before is answered once, and never with another text."""
    counters, now = conversation.messages, workflow.now()
    id_ = arrived.id or f"#{counters.received + 1}"
    text_digest = digest(arrived.raw)
    known = conversation.recognises(id_)
    if known is not None:
        counters.duplicates += known == text_digest
        counters.rejected += known != text_digest
        return
    conversation.recognise(id_, text_digest)
    conversation.last_heard = now
    counters.received += 1
    counters.rejected += arrived.problem is not None
    if conversation.queue_up(Incoming(id=id_, text=arrived.text, problem=arrived.problem, at=now)):
        return
    # Answered here and now, unread: a queue that no snapshot can carry would end the conversation instead.
    counters.rejected += arrived.problem is None
    conversation.say("assistant", wording.TOO_MANY, id_, now)
    conversation.answered(id_, (wording.TOO_MANY,))
