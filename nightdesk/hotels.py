"""The wire of hotel search: what is asked of the MCP tool `search_hotels`, and what it answers.

The contract's names. Money in `currency` units, distances in miles, dates in the hotel's zone.
"""

from datetime import date
from decimal import Decimal

from nightdesk.model import Frozen

RoomType = str
"""One of ROOM_TYPES on our side; a plugged-in server's wording is checked, not trusted."""


class PriceLimits(Frozen):
    """Bounds on every single night's price; None is no bound."""

    min: Decimal | None = None
    max: Decimal | None = None


class DistanceLimits(Frozen):
    """At most so many miles; None is no bound."""

    airport: float | None = None
    city_center: float | None = None


class SearchRequest(Frozen):
    """One search. `room_type` None lists each hotel's cheapest room type that fits."""

    check_in: date
    check_out: date
    room_type: RoomType | None = None
    amenities: tuple[str, ...] = ()
    budget: PriceLimits = PriceLimits()
    max_distance_miles: DistanceLimits = DistanceLimits()


class NightPrice(Frozen):
    """One night and what it costs."""

    date: date
    price: Decimal


class Miles(Frozen):
    """How far a hotel is."""

    airport: float
    city_center: float


class Hotel(Frozen):
    """One room type of one hotel, free on every night of the stay. `total` is the sum of `nightly`."""

    hotel_id: str
    name: str
    address: str
    room_type: RoomType
    nightly: tuple[NightPrice, ...]
    total: Decimal
    currency: str
    amenities: tuple[str, ...]
    miles: Miles


class SearchResult(Frozen):
    """Every hotel that fits; an empty list is a normal answer."""

    hotels: tuple[Hotel, ...]


class FindHotels(Frozen):
    """One search for the conversation. `including` keeps that hotel in the answer, whatever its place."""

    request: SearchRequest
    including: str | None = None


class FoundHotels(Frozen):
    """The cheapest few of what fits, screened. `matched` counts the valid ones, `dropped` the invalid."""

    hotels: tuple[Hotel, ...]
    matched: int
    dropped: int = 0
