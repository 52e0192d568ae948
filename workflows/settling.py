"""Settling an unknown booking in the background, round after round, while the conversation goes on."""

from datetime import timedelta

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError

from nightdesk import wording
from nightdesk.booking import BookingOutcome, Confirmed, Refused, SettleReservation
from nightdesk.conversation import Conversation, Reservation
from workflows.policies import SETTLE_FIRST_WAIT, SETTLE_LONGEST_WAIT, SETTLEMENT
from workflows.steps.booking import confirm

with workflow.unsafe.imports_passed_through():
    from activities.settle_reservation import Settlement


async def settle(conversation: Conversation) -> BookingOutcome:
    """The outcome, by key; ends only when the ledger has told it. The guest may give up meanwhile."""
    while True:
        unsettled = conversation.unsettled
        if unsettled is None:
            raise RuntimeError("nothing to settle")
        settling = SettleReservation(booking=unsettled.booking, give_up=unsettled.give_up)
        try:
            return await workflow.execute_activity_method(
                Settlement.settle_reservation,
                settling,
                summary=f"Settle: round {unsettled.rounds + 1}",
                **SETTLEMENT.options,
            )
        except (ActivityError, ApplicationError):
            # A give-up that came during the round must not be lost with the old copy.
            current = conversation.unsettled or unsettled
            conversation.unsettled = current.model_copy(update={"rounds": current.rounds + 1})
        asked_to_stop = settling.give_up
        try:
            await workflow.wait_condition(
                lambda stop=asked_to_stop: (
                    conversation.unsettled is not None and conversation.unsettled.give_up != stop
                ),
                timeout=_pause(unsettled.rounds),
                timeout_summary="until the next round of settlement",
            )
        except TimeoutError:
            continue


def _pause(rounds: int) -> timedelta:
    """5 s, backing off to 5 min."""
    return min(SETTLE_FIRST_WAIT * 2 ** min(rounds, 10), SETTLE_LONGEST_WAIT)


def settled(conversation: Conversation, outcome: BookingOutcome) -> str:
    """Take the outcome over; what the guest is told, unasked."""
    unsettled = conversation.unsettled
    if unsettled is None:
        raise RuntimeError("nothing was unsettled")
    conversation.unsettled = None
    offer = unsettled.booking.offer
    if isinstance(outcome, Confirmed):
        return confirm(conversation, offer, outcome)
    if isinstance(outcome, Refused):
        conversation.reservation = Reservation(status="refused", offer=offer, reason=outcome.reason)
        return wording.refusal(outcome.reason)
    conversation.reservation = Reservation(
        status="cancelled", offer=offer, confirmation_number=outcome.confirmation_number
    )
    return wording.cancelled(outcome.confirmation_number)
