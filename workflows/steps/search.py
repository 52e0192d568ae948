"""The search: plain code that validates once more, asks the hotel server, and tells three outcomes apart."""

from nightdesk import wording
from nightdesk.boundaries import Message, Shown
from nightdesk.conversation import Namespace
from nightdesk.hotels import FindHotels
from workflows import calls
from workflows.turn import Go, Transition, Turn


class Search:
    """No model chooses the query or interprets the results (seed: the search is a logic step)."""

    name = "search"
    memory: Namespace | None = None

    async def run(self, turn: Turn) -> Transition:
        """Hotels: on to the draft. None, or no server: said, and every criterion is kept."""
        conversation, snapshot = turn.conversation, turn.snapshot
        if snapshot.open:
            return Go(snapshot.open.name)
        request = snapshot.search_request()
        found = await calls.find_hotels(
            FindHotels(request=request), f"Search: {request.check_in} to {request.check_out}"
        )
        conversation.offer, conversation.hotels = None, ()
        conversation.doubts.clear()
        if found is None:
            return turn.direct_to("router", wording.SEARCH_IS_OUT)
        if not found.hotels:
            return turn.direct_to("router", wording.NO_MATCH)
        conversation.hotels = tuple(Shown(number=number, hotel=hotel) for number, hotel in enumerate(found.hotels, 1))
        turn.found = found
        conversation.remember("present", Message(role="guest", text=turn.text))
        return Go("present")
