"""The booking: the one irreversible effect, under an idempotency key, with three outcomes."""

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError

from nightdesk import wording
from nightdesk.booking import BookRoom, Confirmed, Offer, Refused
from nightdesk.conversation import Conversation, Namespace, Reservation, Unsettled
from workflows import details
from workflows.policies import BOOKING
from workflows.steps.confirm import drop_hotel, price_afresh
from workflows.turn import Finish, Transition, Turn

with workflow.unsafe.imports_passed_through():
    from activities.book_room import Booking as BookingActivity


class Booking:
    """Never open, never guessed: what is said is what the ledger says, or that nobody knows yet."""

    name = "booking"
    memory: Namespace | None = None

    async def run(self, turn: Turn) -> Transition:
        """Book the pending offer for the message that said yes."""
        conversation, offer = turn.conversation, turn.conversation.offer
        if offer is None:
            return turn.stay(wording.NO_OFFER)
        booking = BookRoom(
            # Run ids and ids made by the workflow change on a reset, and are no keys.
            key=f"{conversation.id}:{turn.message.id}",
            digest=offer.digest,
            offer=offer,
            guest=conversation.guest,
        )
        try:
            outcome = await workflow.execute_activity_method(
                BookingActivity.book_room, booking, summary=f"Book: {details.name(offer.name)}", **BOOKING.options
            )
        except (ActivityError, ApplicationError):
            # Exhausted or cut off: whether it was committed, only the database knows.
            conversation.offer = None
            conversation.reservation = Reservation(status="unknown", offer=offer)
            conversation.unsettled = Unsettled(booking=booking, since=workflow.now())
            return turn.direct_to("booking", wording.STILL_CHECKING)
        conversation.offer = None
        if isinstance(outcome, Refused):
            conversation.reservation = refused(offer, outcome)
            return await _refused(turn, offer, outcome)
        turn.say(confirm(conversation, offer, outcome))
        return Finish("booked")


def confirm(conversation: Conversation, offer: Offer, row: Confirmed) -> str:
    """The committed row becomes the conversation's, and what is said of it."""
    conversation.reservation = Reservation(
        status="confirmed", offer=offer, confirmation_number=row.confirmation_number, row=row
    )
    return wording.confirmed(row)


def refused(offer: Offer, outcome: Refused) -> Reservation:
    """What the conversation keeps of a refusal: the yes to this offer took nothing, whatever stands besides."""
    return Reservation(status="refused", offer=offer, reason=outcome.reason, existing=outcome.existing)


async def _refused(turn: Turn, offer: Offer, outcome: Refused) -> Transition:
    """Why, and the next step that fits."""
    conversation = turn.conversation
    why = wording.refused(outcome)
    match outcome.reason:
        case _ if outcome.existing:
            return turn.direct_to("present", why)
        case "price_changed" | "offer_expired":
            return await price_afresh(turn, offer, why, refused=outcome.reason == "price_changed")
        case "sold_out" | "hotel_unknown":
            turn.say(why)
            return drop_hotel(turn, offer.hotel_id)
        case "date_passed":
            conversation.forget_results()
            return turn.direct_to("dates", why)
        case "not_signed_in" | "already_booked":
            # Not for this conversation, whichever hotel it is.
            return turn.direct_to("present", why)
        case _:
            return turn.direct_to("present", why, wording.WHICH_HOTEL)
