"""What the Temporal UI shows of a conversation: its stage, what it waits for, and the criteria."""

from nightdesk.conversation import Conversation
from nightdesk.snapshot import Snapshot


def awaiting(conversation: Conversation) -> str:
    """Whom the conversation waits for."""
    if conversation.outcome:
        return "nobody"
    return "the hotel database" if conversation.unsettled else "the guest"


def markdown(conversation: Conversation, snapshot: Snapshot) -> str:
    """For the current details; everything that a guest wrote is already a validated value here."""
    counters = conversation.messages
    lines = [
        f"**Step:** {conversation.active_step}",
        f"**Waiting for:** {awaiting(conversation)}",
        *(f"- {line}" for line in snapshot.lines()),
        f"**Messages:** {counters.answered} of {counters.received} answered, {counters.rejected} rejected",
    ]
    if conversation.offer:
        lines.append(f"**Offer:** {conversation.offer.name}, until {conversation.offer.expires_at:%H:%M} UTC")
    if conversation.reservation:
        reservation = conversation.reservation
        lines.append(f"**Reservation:** {reservation.status} {reservation.confirmation_number or ''}".rstrip())
    if conversation.unsettled:
        lines.append(f"**Unsettled since:** {conversation.unsettled.since.isoformat()}")
    return "\n\n".join(lines)
