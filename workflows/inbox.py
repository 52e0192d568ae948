"""The inbox: what a signal brings is decoded by hand, counted, and queued; handlers do nothing else."""

import hashlib
from collections.abc import Sequence

from temporalio import workflow
from temporalio.common import RawValue

from nightdesk.conversation import IDS_KEPT, Conversation, Incoming
from nightdesk.intake import Quarantined, decode

QUEUE_CARRIED = 1_000_000
"""Bytes of queued text that a snapshot may carry, well below the server's 2 MB for a payload."""


def accept(conversation: Conversation, name: str, arguments: Sequence[RawValue]) -> None:
    """Queue a message, or count why not. Nothing that arrives can raise here."""
    counters = conversation.messages
    arrived = decode(name, [(raw.payload.metadata.get("encoding", b""), raw.payload.data) for raw in arguments])
    if isinstance(arrived, Quarantined):
        counters.rejected += 1
        counters.quarantined += 1
        workflow.metric_meter().create_counter("nightdesk_quarantined", "Signals that are no message of a guest").add(
            1, {"reason": arrived.reason}
        )
        return
    id_ = arrived.id or f"#{counters.received + 1}"
    digest = hashlib.sha256(arrived.raw.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    if id_ in conversation.seen:
        if conversation.seen[id_] == digest:
            counters.duplicates += 1
        else:
            counters.rejected += 1
        return
    conversation.seen[id_] = digest
    while len(conversation.seen) > IDS_KEPT:
        del conversation.seen[next(iter(conversation.seen))]
    counters.received += 1
    counters.rejected += arrived.problem is not None
    conversation.last_heard = workflow.now()
    conversation.queue.append(Incoming(id=id_, text=arrived.text, problem=arrived.problem, at=workflow.now()))


def can_be_carried(conversation: Conversation) -> bool:
    """Whether the queue fits a snapshot; a larger one is worked off first."""
    return sum(len(message.text) * 4 + 300 for message in conversation.queue) <= QUEUE_CARRIED
