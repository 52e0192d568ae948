"""Settling an unknown booking in the background, round after round, while the conversation goes on."""

from datetime import timedelta

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError

from nightdesk import wording
from nightdesk.booking import BookingOutcome, Confirmed, Offer, Refused, SettleReservation
from nightdesk.conversation import Conversation, Reservation, Unsettled
from nightdesk.criteria.dates import Dates
from workflows.policies import SETTLE_FIRST_WAIT, SETTLE_LONGEST_WAIT, SETTLEMENT
from workflows.steps.booking import confirm, refused
from workflows.steps.confirm import without

with workflow.unsafe.imports_passed_through():
    from activities.settle_reservation import Settlement


async def settle(conversation: Conversation) -> BookingOutcome:
    """The outcome, by key; ends only when the ledger has told it. The guest may give up meanwhile."""
    while True:
        unsettled = conversation.unsettled
        if unsettled is None:
            raise RuntimeError("nothing to settle")
        outcome = await _round(conversation, unsettled)
        if outcome is not None and not (isinstance(outcome, Confirmed) and _changed_mind(conversation, unsettled)):
            return outcome
        if _changed_mind(conversation, unsettled):
            continue
        current = conversation.unsettled or unsettled
        conversation.unsettled = current.model_copy(update={"rounds": current.rounds + 1})
        try:
            await workflow.wait_condition(
                lambda before=unsettled: _changed_mind(conversation, before),
                timeout=_pause(unsettled.rounds),
                timeout_summary="until the next round of settlement",
            )
        except TimeoutError:
            continue


async def _round(conversation: Conversation, unsettled: Unsettled) -> BookingOutcome | None:
    """What the ledger told. None: it could not be reached, or the guest gave up first, so that another question is due.

    Waits beside the activity and never on it: an activity cancelled by a run that leaves would look like a failed
    round, and the timer for the next one would come after the run's last command and wedge it.
    """
    settling = workflow.start_activity_method(
        Settlement.settle_reservation,
        SettleReservation(booking=unsettled.booking, give_up=unsettled.give_up),
        summary=f"Settle: round {unsettled.rounds + 1}",
        **SETTLEMENT.options,
    )
    await workflow.wait_condition(lambda: settling.done() or _changed_mind(conversation, unsettled))
    if not settling.done():
        # It might book after all, only to be cancelled; what it has committed by then, the next round finds.
        settling.cancel()
        await workflow.wait_condition(settling.done)
    if settling.cancelled():  # before it was sent at all
        return None
    try:
        return settling.result()
    except (ActivityError, ApplicationError):
        return None


def _changed_mind(conversation: Conversation, before: Unsettled) -> bool:
    """Whether the guest has given up since: they were promised that it will be cancelled."""
    return conversation.unsettled is not None and conversation.unsettled.give_up != before.give_up


def _pause(rounds: int) -> timedelta:
    """5 s, backing off to 5 min."""
    return min(SETTLE_FIRST_WAIT * 2 ** min(rounds, 10), SETTLE_LONGEST_WAIT)


def settled(conversation: Conversation, outcome: BookingOutcome) -> str:
    """Take the outcome over; what the guest is told, unasked, with the next step.

    A question that was asked meanwhile stays the one that is awaited.
    """
    unsettled = conversation.unsettled
    if unsettled is None:
        raise RuntimeError("nothing was unsettled")
    conversation.unsettled = None
    offer = unsettled.booking.offer
    if isinstance(outcome, Confirmed):
        return confirm(conversation, offer, outcome)
    if isinstance(outcome, Refused):
        conversation.reservation = refused(offer, outcome)
        said = [wording.refused(outcome), *_after_refusal(conversation, offer, outcome)]
    else:
        number = outcome.confirmation_number
        conversation.reservation = Reservation(
            status="cancelled", offer=offer, confirmation_number=number, existing=outcome.existing
        )
        said = [wording.cancelled(number, outcome.existing)]
        said += [] if outcome.existing else _next_choice(conversation)
    if conversation.active_step == "booking":
        conversation.active_step = "present" if conversation.hotels else "router"
    # A conversation that is about to close has no next step.
    return said[0] if conversation.closing else wording.joined(said)


def _after_refusal(conversation: Conversation, offer: Offer, outcome: Refused) -> list[str]:
    """What fits the reason. The list may be another one by now: only what came with the old offer is void."""
    shown = next((item.hotel for item in conversation.hotels if item.hotel.hotel_id == offer.hotel_id), None)
    same = shown is not None and (
        (shown.room_type, tuple(night.date for night in shown.nightly)) == (offer.room_type, offer.stay.nights)
    )
    dates = conversation.facts.get("dates")
    match outcome.reason:
        case _ if outcome.existing:
            return []
        case "sold_out" | "hotel_unknown" if same:
            return without(conversation, offer.hotel_id)
        case "price_changed" | "offer_expired" if same:
            conversation.forget_results()
            return _next_choice(conversation)
        case "date_passed" if isinstance(dates, Dates) and dates.stay == offer.stay:
            conversation.forget_results()
            conversation.active_step = "dates"
            return []
        case "not_signed_in" | "already_booked":
            return []
        case _:
            return _next_choice(conversation)


def _next_choice(conversation: Conversation) -> list[str]:
    return [wording.WHICH_HOTEL if conversation.hotels else wording.SEARCH_OR_CHANGE]
