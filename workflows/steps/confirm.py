"""The offer: exact terms, stated by code, and the guest's own explicit yes to them or not."""

from temporalio import workflow

from nightdesk import wording
from nightdesk.booking import Offer
from nightdesk.boundaries import Shown
from nightdesk.consent import consent
from nightdesk.conversation import Namespace
from nightdesk.hotels import FindHotels
from workflows import calls
from workflows.policies import OFFER_VALID
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
            return make_offer(turn, turn.choice)
        if conversation.offer is None:
            return turn.stay(wording.NO_OFFER)
        if consent(turn.text) == "no":
            conversation.offer = None
            return turn.direct_to("present", wording.NOT_BOOKED, wording.WHICH_HOTEL)
        if workflow.now() >= conversation.offer.expires_at:
            return await price_afresh(turn, conversation.offer, "That offer has expired, so I looked again.")
        return Go("booking")


def awaits_consent(turn: Turn) -> bool:
    """An explicit yes or no to the pending offer: it costs no call at all."""
    conversation = turn.conversation
    return conversation.active_step == "confirm" and conversation.offer is not None and consent(turn.text) is not None


def make_offer(turn: Turn, shown: Shown) -> Rest:
    """The terms of this hotel, to be agreed to within the time that an offer is valid."""
    conversation, hotel = turn.conversation, shown.hotel
    request = turn.snapshot.search_request()
    conversation.offer = Offer(
        conversation_id=conversation.id,
        hotel_id=hotel.hotel_id,
        name=hotel.name,
        room_type=hotel.room_type,
        check_in=request.check_in,
        check_out=request.check_out,
        nightly=tuple(night.price for night in hotel.nightly),
        total=hotel.total,
        currency=hotel.currency,
        expires_at=workflow.now() + OFFER_VALID,
    )
    return turn.direct_to("confirm", wording.terms(conversation.offer), wording.SAY_YES)


async def price_afresh(turn: Turn, old: Offer, because: str) -> Rest:
    """The same hotel at today's price, for a new yes; the hotels shown, when it is gone."""
    conversation = turn.conversation
    conversation.offer = None
    request = turn.snapshot.search_request()
    found = await calls.find_hotels(FindHotels(request=request, including=old.hotel_id), f"Price afresh: {old.name}")
    turn.say(because)
    if found is None:
        return turn.direct_to("present", wording.SEARCH_IS_OUT)
    fresh = next((h for h in found.hotels if h.hotel_id == old.hotel_id and h.room_type == old.room_type), None)
    if fresh is None:
        return drop_hotel(turn, old.hotel_id)
    shown = next((item for item in conversation.hotels if item.hotel.hotel_id == old.hotel_id), None)
    renewed = Shown(number=shown.number if shown else len(conversation.hotels) + 1, hotel=fresh)
    conversation.hotels = tuple(renewed if item is shown else item for item in conversation.hotels)
    if shown is None:
        conversation.hotels += (renewed,)
    return make_offer(turn, renewed)


def drop_hotel(turn: Turn, hotel_id: str) -> Rest:
    """That room is gone: the others that were shown are still there, under their numbers."""
    conversation = turn.conversation
    conversation.offer = None
    conversation.hotels = tuple(item for item in conversation.hotels if item.hotel.hotel_id != hotel_id)
    if not conversation.hotels:
        return turn.direct_to("router", "That was the only one shown.", wording.SEARCH_OR_CHANGE)
    lines = [wording.hotel_line(item) for item in conversation.hotels]
    return turn.direct_to("present", "These are still there:", *lines, wording.WHICH_HOTEL)
