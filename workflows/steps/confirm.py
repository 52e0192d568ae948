"""The offer: exact terms, stated by code, and the guest's own explicit yes to them or not."""

from datetime import timedelta

from temporalio import workflow

from nightdesk import wording
from nightdesk.booking import Offer
from nightdesk.boundaries import Shown
from nightdesk.consent import consent
from nightdesk.conversation import Conversation, Namespace
from nightdesk.hotels import FindHotels
from nightdesk.refusals import Refusal
from workflows import calls, details
from workflows.policies import OFFER_VALID
from workflows.steps.search import refused as search_refused
from workflows.turn import Go, Rest, Transition, Turn


class Confirm:
    """Only a yes from a closed list of phrases, to the offer that is pending, authorises a booking."""

    name = "confirm"
    memory: Namespace | None = None

    async def run(self, turn: Turn) -> Transition:
        """State the terms of a choice, or take the yes or no to those that were stated."""
        conversation = turn.conversation
        if conversation.unsettled:
            return turn.stay(wording.STILL_CHECKING)
        if turn.choice:
            return _outdated(turn) or make_offer(turn, turn.choice)
        if conversation.offer is None:
            return turn.stay(wording.NO_OFFER)
        if consent(turn.text) == "no":
            conversation.offer = None
            return turn.direct_to("present", wording.NOT_BOOKED, wording.WHICH_HOTEL)
        if conversation.offered_at and turn.message.at <= conversation.offered_at:
            # Two tabs: the other one's yes was answered with new terms while this one was on its way.
            return turn.stay(wording.UNSEEN_TERMS, wording.terms(conversation.offer), _say_yes(turn))
        if workflow.now() >= conversation.offer.expires_at:
            return await price_afresh(turn, conversation.offer, wording.OFFER_EXPIRED)
        return Go("booking")


def awaits_consent(turn: Turn) -> bool:
    """An explicit yes or no to the pending offer, or to one that is being checked: it costs no call at all."""
    conversation = turn.conversation
    pending = conversation.active_step == "confirm" and conversation.offer is not None
    checking = conversation.active_step == "booking" and conversation.unsettled is not None
    return (pending or checking) and consent(turn.text) is not None


def make_offer(turn: Turn, shown: Shown) -> Rest:
    """The terms of this hotel, to be agreed to within the time that an offer is valid."""
    conversation, hotel = turn.conversation, shown.hotel
    conversation.offered_at = workflow.now()
    conversation.offer = Offer(
        conversation_id=conversation.id,
        hotel_id=hotel.hotel_id,
        name=hotel.name,
        room_type=hotel.room_type,
        # The nights that the prices are for; the record may have been changed by a later release.
        check_in=hotel.nightly[0].date,
        check_out=hotel.nightly[-1].date + timedelta(days=1),
        nightly=tuple(night.price for night in hotel.nightly),
        total=hotel.total,
        currency=hotel.currency,
        expires_at=conversation.offered_at + OFFER_VALID,
    )
    nobody = "" if conversation.guest else wording.NO_NAME_YET
    return turn.direct_to("confirm", wording.terms(conversation.offer), nobody, _say_yes(turn))


def _say_yes(turn: Turn) -> str:
    return wording.say_yes(reset=turn.conversation.reset)


async def price_afresh(turn: Turn, old: Offer, because: str, *, refused: bool = False) -> Transition:
    """The same room at today's price, for a new yes; the other hotels shown, when it is gone.

    `refused` says that the ledger did not take the old price: should the search name it again, there is none to offer.
    """
    conversation = turn.conversation
    conversation.offer = None
    turn.say(because)
    if outdated := _outdated(turn):
        return outdated
    # This very room: with no preference, the search would name whichever is the hotel's cheapest by now.
    request = turn.snapshot.search_request().model_copy(update={"room_type": old.room_type})
    found = await calls.find_hotels(
        turn, FindHotels(request=request, including=old.hotel_id), f"Price afresh: {details.name(old.name)}"
    )
    if found is None:
        return turn.direct_to("present", wording.SEARCH_IS_OUT)
    if isinstance(found, Refusal):
        return search_refused(turn, found)
    fresh = next((hotel for hotel in found.hotels if hotel.hotel_id == old.hotel_id), None)
    if fresh is None:
        turn.say(wording.gone(old.name))
        return drop_hotel(turn, old.hotel_id)
    if refused and tuple(night.price for night in fresh.nightly) == old.nightly:
        turn.say(wording.PRICE_NOT_CONFIRMED)
        return drop_hotel(turn, old.hotel_id)
    kept = {item.number: item for item in conversation.hotels}
    number = next((n for n, item in kept.items() if item.hotel.hotel_id == old.hotel_id), max(kept, default=0) + 1)
    kept[number] = Shown(number=number, hotel=fresh)
    conversation.hotels = tuple(kept.values())
    return make_offer(turn, kept[number])


def drop_hotel(turn: Turn, hotel_id: str) -> Rest:
    """That room is gone: the others that were shown are still there, under their numbers."""
    conversation = turn.conversation
    conversation.offer = None
    turn.say(*without(conversation, hotel_id))
    return Rest("present" if conversation.hotels else "router")


def without(conversation: Conversation, hotel_id: str) -> list[str]:
    """Take a hotel off the list; what is left of it, in words, and the next question."""
    conversation.hotels = tuple(item for item in conversation.hotels if item.hotel.hotel_id != hotel_id)
    if not conversation.hotels:
        return [wording.ONLY_ONE, wording.SEARCH_OR_CHANGE]
    return [wording.STILL_THERE, *(wording.hotel_line(item) for item in conversation.hotels), wording.WHICH_HOTEL]


def _outdated(turn: Turn) -> Transition | None:
    """The record no longer fits a search (its date has come): its owner asks, and what was found is void."""
    criterion = turn.snapshot.open
    if criterion is None:
        return None
    turn.conversation.forget_results()
    return Go(criterion.name)
