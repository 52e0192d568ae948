"""Search over the tables that booking writes, with the prices that booking charges."""

import math
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from sqlalchemy import Connection, select

from hotels.ledger.errors import BadSearch
from hotels.ledger.rules import MAX_NIGHTS
from hotels.ledger.tables import HotelRow, InventoryRow, RoomTypeRow
from hotels.prices import stay_cents
from nightdesk.hotels import Hotel, Miles, NightPrice, SearchRequest, SearchResult
from nightdesk.money import CURRENCY, from_cents
from nightdesk.refusals import Refusal
from nightdesk.vocabulary import AMENITY_WORDS, ROOM_TYPES


def check_request(request: SearchRequest, today: date) -> None:
    """BadSearch, saying everything that is wrong with the request, for whoever sent it."""
    if mistakes := list(_mistakes(request, today)):
        raise BadSearch("; ".join(text for _, text in mistakes), tuple(refusal for refusal, _ in mistakes))


def _mistakes(request: SearchRequest, today: date) -> Iterator[tuple[Refusal, str]]:
    nights = (request.check_out - request.check_in).days
    if request.check_in <= today:
        told = f"check_in {request.check_in} must be after the hotel's today, {today}"
        yield Refusal(reason="check_in_passed", today=today), told
    if nights < 1:
        yield Refusal(reason="check_out_not_after"), "check_out must be after check_in"
    if nights > MAX_NIGHTS:
        told = f"a stay has at most {MAX_NIGHTS} nights"
        yield Refusal(reason="too_many_nights", most_nights=MAX_NIGHTS), told
    if request.room_type is not None and request.room_type not in ROOM_TYPES:
        yield Refusal(reason="room_type_unknown"), f"room_type must be null or one of: {', '.join(ROOM_TYPES)}"
    if any(amenity not in AMENITY_WORDS for amenity in request.amenities):
        yield Refusal(reason="amenity_unknown"), f"amenities must be among: {', '.join(AMENITY_WORDS)}"
    budget, miles = request.budget, request.max_distance_miles
    if any(bound is not None and not (bound.is_finite() and bound >= 0) for bound in (budget.min, budget.max)):
        yield Refusal(reason="budget_negative"), "budget.min and budget.max must not be negative"
    elif budget.min is not None and budget.max is not None and budget.min > budget.max:
        yield Refusal(reason="budget_reversed"), "budget.min must not be over budget.max"
    limits = (miles.airport, miles.city_center)
    if any(limit is not None and not (math.isfinite(limit) and limit >= 0) for limit in limits):
        yield Refusal(reason="distance_negative"), "max_distance_miles must not be negative"


def search(connection: Connection, request: SearchRequest) -> SearchResult:
    """Every hotel that fits, the cheapest stay first; a checked request.

    The budget bounds each night's price. Without a room type, each hotel's cheapest that fits.
    """
    nights = [date.fromordinal(day) for day in range(request.check_in.toordinal(), request.check_out.toordinal())]
    sold_out = {
        (row.hotel_id, row.room_type)
        for row in connection.execute(
            select(InventoryRow.hotel_id, InventoryRow.room_type)
            .where(
                InventoryRow.free == 0,
                InventoryRow.night >= request.check_in,
                InventoryRow.night < request.check_out,
            )
            .distinct()
        )
    }
    rooms = select(
        HotelRow.id,
        HotelRow.name,
        HotelRow.address,
        HotelRow.airport_miles,
        HotelRow.city_center_miles,
        HotelRow.amenities,
        RoomTypeRow.room_type,
        RoomTypeRow.base_cents,
    ).join(RoomTypeRow, RoomTypeRow.hotel_id == HotelRow.id)
    if request.room_type is not None:
        rooms = rooms.where(RoomTypeRow.room_type == request.room_type)
    if request.max_distance_miles.airport is not None:
        rooms = rooms.where(HotelRow.airport_miles <= request.max_distance_miles.airport)
    if request.max_distance_miles.city_center is not None:
        rooms = rooms.where(HotelRow.city_center_miles <= request.max_distance_miles.city_center)

    wanted = set(request.amenities)
    lowest, highest = _cents(request.budget.min), _cents(request.budget.max)
    best: dict[str, tuple[int, Hotel]] = {}
    for row in connection.execute(rooms):
        if (row.id, row.room_type) in sold_out or not wanted <= set(row.amenities):
            continue
        cents = stay_cents(row.base_cents, tuple(nights), row.room_type)
        total = sum(cents)
        if (lowest is not None and min(cents) < lowest) or (highest is not None and max(cents) > highest):
            continue
        if row.id in best and best[row.id][0] <= total:
            continue
        best[row.id] = (
            total,
            Hotel(
                hotel_id=row.id,
                name=row.name,
                address=row.address,
                room_type=row.room_type,
                nightly=tuple(
                    NightPrice(date=night, price=from_cents(price)) for night, price in zip(nights, cents, strict=True)
                ),
                total=from_cents(total),
                currency=CURRENCY,
                amenities=tuple(row.amenities),
                miles=Miles(airport=row.airport_miles, city_center=row.city_center_miles),
            ),
        )
    ordered = sorted(best.values(), key=lambda found: (found[0], found[1].name))
    return SearchResult(hotels=tuple(hotel for _, hotel in ordered))


def _cents(bound: Decimal | None) -> Decimal | None:
    """A bound in cents, not rounded: 699.999 does not admit 700."""
    return None if bound is None else bound * 100
