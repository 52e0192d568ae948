"""The search: plain code that validates once more, asks the hotel server, and tells three outcomes apart."""

from nightdesk import wording
from nightdesk.boundaries import Message, Shown
from nightdesk.conversation import Namespace
from nightdesk.hotels import FindHotels
from nightdesk.refusals import OWNERS, Refusal
from workflows import calls
from workflows.turn import Go, Rest, Transition, Turn


class Search:
    """No model chooses the query or interprets the results (seed: the search is a logic step)."""

    name = "search"
    memory: Namespace | None = None

    async def run(self, turn: Turn) -> Transition:
        """Hotels: on to the draft. None, no server, or refused: said, and every criterion is kept."""
        conversation, snapshot = turn.conversation, turn.snapshot
        if snapshot.open:
            return Go(snapshot.open.name)
        request = snapshot.search_request()
        found = await calls.find_hotels(
            turn, FindHotels(request=request), f"Search: {request.check_in} to {request.check_out}"
        )
        conversation.offer, conversation.hotels = None, ()
        conversation.doubts.clear()
        if found is None:
            return turn.direct_to("router", wording.SEARCH_IS_OUT)
        if isinstance(found, Refusal):
            return refused(turn, found)
        if not found.hotels:
            return turn.direct_to("router", wording.NO_MATCH)
        conversation.hotels = tuple(Shown(number=number, hotel=hotel) for number, hotel in enumerate(found.hotels, 1))
        turn.found = found
        conversation.remember("present", Message(role="guest", text=turn.text))
        return Go("present")


def refused(turn: Turn, refusal: Refusal) -> Rest:
    """Trying again would not help: the guest hears which answer to change, and the conversation waits for it."""
    turn.conversation.forget_results()
    owner = OWNERS.get(refusal.reason, "router")
    return turn.direct_to(owner, wording.search_refused(refusal, turn.snapshot.search_request()))
