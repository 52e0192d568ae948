"""Hotels as a search server gave them, checked against what was asked: an invalid offer is never shown.

A plugged-in server is checked, not trusted. One bad offer costs that offer, not the whole answer; each is counted
under the reason it was dropped for. Money in USD, distances in miles.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from pydantic import ValidationError

from nightdesk.hotels import Hotel, SearchRequest
from nightdesk.model import Frozen
from nightdesk.money import CENT, CURRENCY
from nightdesk.stay import Stay
from nightdesk.understanding.normalise import strip_control
from nightdesk.vocabulary import AMENITY_WORDS, ROOM_TYPES

MAX_HOTELS = 500
"""A longer list is refused whole: the work of a turn is bounded."""

MAX_PRICE = Decimal(1_000_000)
"""A night above it is no price; it also keeps the sums within exact arithmetic."""

MAX_NAME = 120
MAX_ADDRESS = 200
MAX_ID = 128


class BadResult(ValueError):
    """The answer as a whole is no search result. Its text holds nothing of the server's."""


class RawResult(Frozen):
    """What a server listed, readable but not yet screened; `unreadable` counts what was no hotel at all."""

    hotels: tuple[Hotel, ...]
    unreadable: int = 0


class Screened(NamedTuple):
    """The valid hotels, made safe to show, and how many were dropped by reason."""

    hotels: tuple[Hotel, ...]
    dropped: Counter[str]


def read_result(answer: object) -> RawResult:
    """A tool's structured answer, read hotel by hotel. Raises BadResult when it is no list, or too long a one."""
    listed = answer.get("hotels") if isinstance(answer, dict) else None  # pyright: ignore[reportUnknownMemberType,reportUnknownVariableType]
    if not isinstance(listed, list):
        raise BadResult("no list of hotels")
    if len(listed) > MAX_HOTELS:  # pyright: ignore[reportUnknownArgumentType]
        raise BadResult(f"more than {MAX_HOTELS} hotels")
    hotels: list[Hotel] = []
    for item in listed:  # pyright: ignore[reportUnknownVariableType]
        try:
            hotels.append(Hotel.model_validate(item))
        except ValidationError:
            continue
    return RawResult(hotels=tuple(hotels), unreadable=len(listed) - len(hotels))  # pyright: ignore[reportUnknownArgumentType]


def screen(request: SearchRequest, raw: RawResult) -> Screened:
    """The offers that keep to the request. Of one hotel listed twice the cheapest valid offer stays."""
    dropped: Counter[str] = Counter()
    if raw.unreadable:
        dropped["unreadable"] = raw.unreadable
    kept: dict[str, Hotel] = {}
    for listed in raw.hotels:
        reason = why_dropped(request, listed)
        if reason:
            dropped[reason] += 1
            continue
        hotel = _shown(listed)
        twin = kept.get(hotel.hotel_id)
        if twin is not None:
            dropped["listed_twice"] += 1
        if twin is None or hotel.total < twin.total:
            kept[hotel.hotel_id] = hotel
    return Screened(tuple(kept.values()), dropped)


def why_dropped(request: SearchRequest, hotel: Hotel) -> str | None:
    """The reason by which this offer alone is invalid for the request; None: it is valid."""
    return _unfit_to_show(hotel) or _unlike_the_stay(request, hotel) or _unlike_the_wishes(request, hotel)


def _unfit_to_show(hotel: Hotel) -> str | None:
    if not _is_id(hotel.hotel_id):
        return "bad_id"
    if not 0 < len(_text(hotel.name)) <= MAX_NAME:
        return "bad_name"
    if len(_text(hotel.address)) > MAX_ADDRESS:
        return "bad_address"
    if hotel.room_type not in ROOM_TYPES:
        return "bad_room_type"
    if not all(math.isfinite(far) and far >= 0 for far in (hotel.miles.airport, hotel.miles.city_center)):
        return "bad_distance"
    return None


def _unlike_the_stay(request: SearchRequest, hotel: Hotel) -> str | None:
    nights = Stay(check_in=request.check_in, check_out=request.check_out).nights
    if not nights or tuple(night.date for night in hotel.nightly) != nights:
        return "other_nights"
    if hotel.currency != CURRENCY:
        return "other_currency"
    if not all(_is_price(night.price) for night in hotel.nightly):
        return "bad_price"
    if hotel.total != sum(night.price for night in hotel.nightly):
        return "wrong_total"
    return None


def _unlike_the_wishes(request: SearchRequest, hotel: Hotel) -> str | None:
    prices = [night.price for night in hotel.nightly]
    least, most = request.budget.min, request.budget.max
    airport, center = request.max_distance_miles.airport, request.max_distance_miles.city_center
    if request.room_type not in (None, hotel.room_type):
        return "other_room_type"
    if least is not None and min(prices) < least:
        return "below_budget"
    if most is not None and max(prices) > most:
        return "above_budget"
    if airport is not None and hotel.miles.airport > airport:
        return "too_far"
    if center is not None and hotel.miles.city_center > center:
        return "too_far"
    return None if set(request.amenities) <= set(hotel.amenities) else "amenity_missing"


def cheapest(hotels: Iterable[Hotel], shown: int, including: str | None = None) -> tuple[Hotel, ...]:
    """The `shown` cheapest by total, then name, and the hotel `including` wherever it stands."""
    ranked: Sequence[Hotel] = sorted(hotels, key=lambda hotel: (hotel.total, hotel.name, hotel.hotel_id))
    return tuple(hotel for place, hotel in enumerate(ranked) if place < shown or hotel.hotel_id == including)


def _shown(hotel: Hotel) -> Hotel:
    """The same offer: texts that are only text, amounts in cents, amenities that guests have words for."""
    return hotel.model_copy(
        update={
            "name": _text(hotel.name),
            "address": _text(hotel.address),
            "nightly": tuple(night.model_copy(update={"price": night.price.quantize(CENT)}) for night in hotel.nightly),
            "total": hotel.total.quantize(CENT),
            "amenities": tuple(key for key in AMENITY_WORDS if key in hotel.amenities),
        }
    )


def _text(text: str) -> str:
    return " ".join(strip_control(text).split())


def _is_id(text: str) -> bool:
    return 0 < len(text) <= MAX_ID and _text(text) == text


def _is_price(price: Decimal) -> bool:
    return 0 < price <= MAX_PRICE and price == price.quantize(CENT)
