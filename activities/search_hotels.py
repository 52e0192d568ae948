"""`search_hotels`: the hotel server's answer, screened, the cheapest few of it."""

from temporalio import activity

from activities.attempt import attempt
from activities.providers import HotelSearch
from nightdesk.failures import SEARCH_REJECTED
from nightdesk.hotels import FindHotels, FoundHotels
from nightdesk.screening import cheapest, screen


class SearchHotels:
    """`shown` is how many hotels a conversation gets to see of one search."""

    def __init__(self, search: HotelSearch, shown: int = 5) -> None:
        self._search = search
        self._shown = shown

    @activity.defn(name="search_hotels")
    async def search_hotels(self, find: FindHotels) -> FoundHotels:
        """An empty list is an answer. Fails as SearchUnavailable, SearchRejected, SearchBadResult or SearchRefused."""
        async with attempt(SEARCH_REJECTED):
            raw = await self._search.search(find.request)
            screened = screen(find.request, raw)
            if screened.dropped:
                activity.logger.warning("offers dropped: %s", dict(screened.dropped))
            return FoundHotels(
                hotels=cheapest(screened.hotels, self._shown, find.including),
                matched=len(screened.hotels),
                dropped=sum(screened.dropped.values()),
            )
