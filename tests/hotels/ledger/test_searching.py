"""Search: what is listed, at which prices, and that the ledger agrees."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from hotels.ledger import BadSearch, Ledger
from nightdesk.booking import Confirmed, Offer, Refused
from nightdesk.hotels import DistanceLimits, Hotel, PriceLimits, SearchRequest
from tests.hotels.conftest import OpenLedger
from tests.hotels.yeses import CHECK_IN, offer_of, set_capacity, yes_to

CONTRACT = SearchRequest(
    check_in=CHECK_IN,
    check_out=date(2027, 8, 9),
    room_type="suite",
    amenities=("freeWiFi", "freeParking"),
)


def search(ledger: Ledger, **changes: object) -> tuple[Hotel, ...]:
    return ledger.search(CONTRACT.model_copy(update=changes)).hotels


def up_to(amount: str) -> PriceLimits:
    return PriceLimits(max=Decimal(amount))


def as_offer(hotel: Hotel, conversation: str) -> Offer:
    return Offer(
        conversation_id=conversation,
        hotel_id=hotel.hotel_id,
        name=hotel.name,
        room_type=hotel.room_type,
        check_in=hotel.nightly[0].date,
        check_out=hotel.nightly[-1].date + timedelta(days=1),
        nightly=tuple(night.price for night in hotel.nightly),
        total=hotel.total,
        currency=hotel.currency,
        expires_at=offer_of().expires_at,
    )


def test_the_contracts_search_finds_what_it_promises(ledger: Ledger) -> None:
    assert search(ledger, budget=up_to("500")) == ()
    at_700 = search(ledger, budget=up_to("700"))
    assert 3 <= len(at_700) <= 6
    assert len(search(ledger, budget=up_to("750"))) > len(at_700)
    for hotel in at_700:
        assert [night.date.day for night in hotel.nightly] == [3, 4, 5, 6, 7, 8]
        assert hotel.total == sum(night.price for night in hotel.nightly)
        assert {"freeWiFi", "freeParking"} <= set(hotel.amenities)


def test_the_budget_bounds_every_single_night(ledger: Ledger) -> None:
    (dearest, *_) = sorted(max(n.price for n in hotel.nightly) for hotel in search(ledger))
    assert len(search(ledger, budget=up_to(str(dearest)))) == 1
    assert search(ledger, budget=up_to(str(dearest - Decimal("0.001")))) == ()
    least = Decimal("540")
    for hotel in search(ledger, budget=PriceLimits(min=least)):
        assert all(night.price >= least for night in hotel.nightly)


def test_distances_are_at_most(ledger: Ledger) -> None:
    near = search(ledger, amenities=(), max_distance_miles=DistanceLimits(airport=1.6))
    assert {hotel.hotel_id for hotel in near} == {"pdx-cascade-beacon", "pdx-runway-thistle"}
    central = search(ledger, amenities=(), max_distance_miles=DistanceLimits(city_center=0.5))
    assert central
    assert all(hotel.miles.city_center <= 0.5 for hotel in central)
    nowhere = DistanceLimits(airport=2, city_center=2)
    assert search(ledger, amenities=(), max_distance_miles=nowhere) == ()


def test_no_preference_lists_each_hotels_cheapest_room_that_fits(ledger: Ledger) -> None:
    everything = search(ledger, amenities=(), room_type=None)
    assert len(everything) == len({hotel.hotel_id for hotel in everything}) == 32
    assert {hotel.room_type for hotel in everything} == {"one bed"}
    roomy = search(ledger, amenities=(), room_type=None, budget=PriceLimits(min=Decimal(400)))
    assert "suite" in {hotel.room_type for hotel in roomy}
    assert [hotel.total for hotel in everything] == sorted(hotel.total for hotel in everything)


def test_what_is_listed_can_be_booked_at_the_price_listed(ledger: Ledger) -> None:
    for number, hotel in enumerate(search(ledger, amenities=(), room_type=None)):
        told = ledger.book(yes_to(as_offer(hotel, f"c{number}")))
        assert isinstance(told, Confirmed)
        assert told.total == hotel.total


def test_a_room_that_is_gone_on_one_night_is_not_listed_and_cannot_be_booked(ledger: Ledger) -> None:
    (cheapest, *others) = search(ledger)
    set_capacity(ledger, 1, cheapest.hotel_id)
    taken = offer_of("c1", hotel_id=cheapest.hotel_id, check_in=date(2027, 8, 5), nights=1)
    told = ledger.book(yes_to(taken))
    assert isinstance(told, Confirmed)
    assert search(ledger) == tuple(others)
    assert ledger.book(yes_to(as_offer(cheapest, "c2"))) == Refused(reason="sold_out")
    assert search(ledger, check_out=date(2027, 8, 5))[0].hotel_id == cheapest.hotel_id
    assert search(ledger, check_in=date(2027, 8, 6))[0].hotel_id == cheapest.hotel_id
    ledger.cancel(told.confirmation_number)
    assert search(ledger) == (cheapest, *others)


def test_a_room_that_goes_between_search_and_yes_is_refused_not_oversold(ledger: Ledger) -> None:
    set_capacity(ledger, 1, search(ledger)[0].hotel_id)
    shown = search(ledger)[0]
    assert isinstance(ledger.book(yes_to(as_offer(shown, "c1"))), Confirmed)
    assert ledger.book(yes_to(as_offer(shown, "c2"))) == Refused(reason="sold_out")


@pytest.mark.parametrize(
    ("changes", "told", "reason"),
    [
        ({"check_in": date(2026, 1, 15)}, "after the hotel's today, 2026-01-15", "check_in_passed"),
        ({"check_out": CHECK_IN}, "check_out must be after check_in", "check_out_not_after"),
        ({"check_out": date(2028, 8, 5)}, "at most 366 nights", "too_many_nights"),
        ({"room_type": "penthouse"}, "one bed, two beds, suite", "room_type_unknown"),
        ({"amenities": ("freeWiFi", "helipad")}, "amenities must be among", "amenity_unknown"),
        ({"budget": PriceLimits(max=Decimal(-1))}, "must not be negative", "budget_negative"),
        ({"budget": PriceLimits(min=Decimal(800), max=Decimal(500))}, "must not be over", "budget_reversed"),
        ({"max_distance_miles": DistanceLimits(airport=-5)}, "must not be negative", "distance_negative"),
        ({"max_distance_miles": DistanceLimits(airport=float("nan"))}, "must not be negative", "distance_negative"),
    ],
)
def test_a_search_for_what_cannot_be_says_why(
    ledger: Ledger, changes: dict[str, object], told: str, reason: str
) -> None:
    with pytest.raises(BadSearch, match=told) as caught:
        search(ledger, **changes)
    assert caught.value.refusals[0].reason == reason


def test_the_longest_stay_and_the_last_date_can_be_searched(ledger_url: str, open_ledger: OpenLedger) -> None:
    ledger = open_ledger(ledger_url)
    assert len(search(ledger, check_out=CHECK_IN + timedelta(days=366), amenities=())) == 32
    assert search(ledger, check_in=date(9999, 12, 29), check_out=date(9999, 12, 31), amenities=())


def test_any_future_night_can_be_sold(ledger: Ledger) -> None:
    for conversation, check_in in enumerate([date(2026, 1, 16), date(2040, 2, 29), date(9999, 12, 30)]):
        offer = offer_of(f"c{conversation}", check_in=check_in, nights=1)
        assert isinstance(ledger.book(yes_to(offer)), Confirmed)
