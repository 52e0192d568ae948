"""What the Temporal UI shows of a conversation: its stage, what it waits for, and the criteria."""

from nightdesk.conversation import Conversation
from nightdesk.snapshot import Snapshot


def awaiting(conversation: Conversation) -> str:
    """Whom the conversation waits for."""
    if conversation.outcome:
        return "nobody"
    return "the hotel database" if conversation.unsettled else "the guest"


def name(text: str) -> str:
    """A name from outside where markdown is rendered: as code, in which no link, image or HTML means anything."""
    return "`" + " ".join(text.replace("`", "'").split()) + "`"


def markdown(conversation: Conversation, snapshot: Snapshot) -> str:
    """For the current details. Criteria are validated values in code's own words; a hotel's name is not."""
    counters = conversation.messages
    lines = [
        f"**Step:** {conversation.active_step}",
        f"**Waiting for:** {awaiting(conversation)}",
        *(f"- {line}" for line in snapshot.lines()),
        f"**Messages:** {counters.answered} of {counters.received} answered, {counters.rejected} rejected",
    ]
    if conversation.offer:
        lines.append(f"**Offer:** {name(conversation.offer.name)}, until {conversation.offer.expires_at:%H:%M} UTC")
    if conversation.reservation:
        reservation = conversation.reservation
        lines.append(f"**Reservation:** {reservation.status} {reservation.confirmation_number or ''}".rstrip())
        if reservation.existing:
            lines.append(f"**Had been booked:** {reservation.existing.confirmation_number}")
    if conversation.unsettled:
        lines.append(f"**Unsettled since:** {conversation.unsettled.since.isoformat()}")
    return "\n\n".join(lines)
