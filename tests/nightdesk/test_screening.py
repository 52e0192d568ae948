"""An invalid offer is never shown, and costs nothing but itself."""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from nightdesk.hotels import DistanceLimits, Hotel, Miles, NightPrice, PriceLimits, SearchRequest
from nightdesk.money import words
from nightdesk.screening import MAX_HOTELS, BadResult, RawResult, Screened, cheapest, read_result, screen

FIRST = date(2027, 8, 3)
REQUEST = SearchRequest(check_in=FIRST, check_out=FIRST + timedelta(days=2))


def nights(*prices: str, start: date = FIRST) -> tuple[NightPrice, ...]:
    return tuple(NightPrice(date=start + timedelta(days=n), price=Decimal(price)) for n, price in enumerate(prices))


GOOD = Hotel(
    hotel_id="h1",
    name="Harbour House",
    address="1 Quay Street",
    room_type="suite",
    nightly=nights("612.90", "650"),
    total=Decimal("1262.90"),
    currency="USD",
    amenities=("freeWiFi", "freeParking"),
    miles=Miles(airport=6.5, city_center=0.8),
)


def but(**changes: object) -> Hotel:
    """The good one, with other fields; unchecked."""
    return GOOD.model_copy(update=changes)


def screened(*hotels: Hotel, request: SearchRequest = REQUEST) -> Screened:
    return screen(request, RawResult(hotels=hotels))


def asking(**fields: object) -> SearchRequest:
    return SearchRequest.model_validate(REQUEST.model_dump() | fields)


def test_a_valid_offer_is_kept_in_whole_cents():
    (hotel,) = screened(GOOD).hotels
    assert [str(night.price) for night in hotel.nightly] == ["612.90", "650.00"]
    assert hotel == GOOD


BAD_OFFERS = {
    "a negative price": ("bad_price", but(nightly=nights("-1", "650"), total=Decimal(649))),
    "a price of zero": ("bad_price", but(nightly=nights("0", "650"), total=Decimal(650))),
    "a part of a cent": ("bad_price", but(nightly=nights("612.905", "650"), total=Decimal("1262.905"))),
    "a price beyond all": ("bad_price", but(nightly=nights("1E+999999", "650"), total=Decimal("1E+999999"))),
    "a total that is not the sum": ("wrong_total", but(total=Decimal("1262.91"))),
    "a total with a float's rest": ("wrong_total", but(total=Decimal("1262.9000000000001"))),
    "a night too few": ("other_nights", but(nightly=nights("1262.90"))),
    "a night too many": ("other_nights", but(nightly=nights("612.90", "325", "325"))),
    "nights of other dates": ("other_nights", but(nightly=nights("612.90", "650", start=FIRST + timedelta(days=1)))),
    "nights out of order": ("other_nights", but(nightly=nights("612.90", "650")[::-1])),
    "the same night twice": ("other_nights", but(nightly=nights("612.90")[:1] * 2)),
    "no nights": ("other_nights", but(nightly=(), total=Decimal(0))),
    "another currency": ("other_currency", but(currency="EUR")),
    "a room of no known type": ("bad_room_type", but(room_type="penthouse")),
    "no name": ("bad_name", but(name="")),
    "a name of control characters": ("bad_name", but(name="\u202e\x1b\u200b ")),
    "a name without end": ("bad_name", but(name="x" * 121)),
    "an address without end": ("bad_address", but(address="x" * 201)),
    "no id": ("bad_id", but(hotel_id="")),
    "an id with a control character": ("bad_id", but(hotel_id="h1\x00")),
    "an id without end": ("bad_id", but(hotel_id="h" * 129)),
    "a distance that is no number": ("bad_distance", but(miles=Miles(airport=float("nan"), city_center=1))),
    "a negative distance": ("bad_distance", but(miles=Miles(airport=1, city_center=-1))),
}


@pytest.mark.parametrize("name", BAD_OFFERS)
def test_an_invalid_offer_is_dropped_and_the_others_stay(name: str):
    reason, bad = BAD_OFFERS[name]
    result = screened(but(hotel_id="h0"), bad, but(hotel_id="h9"))
    assert [hotel.hotel_id for hotel in result.hotels] == ["h0", "h9"]
    assert result.dropped == {reason: 1}


NOT_AS_ASKED = {
    "another room type": ("other_room_type", asking(room_type="one bed")),
    "one night over the budget": ("above_budget", asking(budget=PriceLimits(max=Decimal("649.99")))),
    "one night under the budget": ("below_budget", asking(budget=PriceLimits(min=Decimal("612.91")))),
    "too far from the airport": ("too_far", asking(max_distance_miles=DistanceLimits(airport=6.4))),
    "too far from the center": ("too_far", asking(max_distance_miles=DistanceLimits(city_center=0.7))),
    "an amenity missing": ("amenity_missing", asking(amenities=("freeWiFi", "kitchen"))),
    "dates the wrong way round": ("other_nights", asking(check_out=FIRST)),
}


@pytest.mark.parametrize("name", NOT_AS_ASKED)
def test_an_offer_that_was_not_asked_for_is_dropped(name: str):
    reason, request = NOT_AS_ASKED[name]
    assert screened(GOOD, request=request) == Screened((), screened(GOOD, request=request).dropped)
    assert screened(GOOD, request=request).dropped == {reason: 1}


def test_limits_are_inclusive():
    request = asking(
        room_type="suite",
        amenities=("freeParking",),
        budget=PriceLimits(min=Decimal("612.90"), max=Decimal(650)),
        max_distance_miles=DistanceLimits(airport=6.5, city_center=0.8),
    )
    assert len(screened(GOOD, request=request).hotels) == 1


def test_of_a_hotel_listed_twice_the_cheapest_valid_offer_stays_wherever_it_stands():
    dear = but(nightly=nights("700", "700"), total=Decimal(1400))
    wrong = but(nightly=nights("1", "1"), total=Decimal(1))
    for order in ((GOOD, dear, wrong), (wrong, dear, GOOD)):
        result = screened(*order)
        assert [hotel.total for hotel in result.hotels] == [GOOD.total]
        assert result.dropped == {"listed_twice": 1, "wrong_total": 1}


def test_texts_are_only_text_and_unknown_amenities_are_not_shown():
    (hotel,) = screened(
        but(
            name="\u202eHarbour\x1b[2J\n House ",
            address="1 Quay\r\nStreet",
            amenities=("helipad", "freeWiFi", "freeWiFi"),
        )
    ).hotels
    assert (hotel.name, hotel.address) == ("Harbour[2J House", "1 Quay Street")
    assert hotel.amenities == ("freeWiFi",)


def test_what_could_not_be_read_is_counted():
    assert screen(REQUEST, RawResult(hotels=(GOOD,), unreadable=3)).dropped == {"unreadable": 3}


def test_the_cheapest_come_first_then_by_name_and_the_chosen_one_stays():
    hotels = [
        but(hotel_id=f"h{n}", name=name, total=Decimal(total))
        for n, (name, total) in enumerate([("B", 200), ("A", 200), ("C", 100), ("D", 300), ("E", 400)])
    ]
    assert [hotel.name for hotel in cheapest(hotels, 3)] == ["C", "A", "B"]
    assert [hotel.name for hotel in cheapest(hotels, 3, "h4")] == ["C", "A", "B", "E"]
    assert [hotel.name for hotel in cheapest(hotels, 3, "h2")] == ["C", "A", "B"]
    assert [hotel.name for hotel in cheapest(hotels, 3, "gone")] == ["C", "A", "B"]


WIRE: dict[str, JsonValue] = GOOD.model_dump(mode="json")


def test_an_answer_is_read_hotel_by_hotel():
    in_numbers = WIRE | {"nightly": [{"date": "2027-08-03", "price": 612.9}, {"date": "2027-08-04", "price": 650}]}
    more = WIRE | {"stars": 5}
    raw = read_result({"hotels": [WIRE, in_numbers | {"total": 1262.9}, more, None, "h", {}, WIRE | {"miles": None}]})
    assert (raw.hotels, raw.unreadable) == ((GOOD, GOOD, GOOD), 4)


@pytest.mark.parametrize("answer", [None, "hotels", [], [WIRE], {}, {"hotels": None}, {"hotels": {"h1": WIRE}}])
def test_what_is_no_list_of_hotels_is_a_bad_result(answer: JsonValue):
    with pytest.raises(BadResult):
        read_result(answer)


def test_a_list_too_long_is_a_bad_result():
    assert len(read_result({"hotels": [WIRE] * MAX_HOTELS}).hotels) == MAX_HOTELS
    with pytest.raises(BadResult):
        read_result({"hotels": [WIRE] * (MAX_HOTELS + 1)})


amounts = (
    st.decimals(allow_nan=False, allow_infinity=False) | st.decimals(0, 2000, places=2) | st.just(Decimal("600.00"))
)
offers = st.builds(
    Hotel,
    hotel_id=st.sampled_from(["h1", "h2", "", "\x00"]) | st.text(max_size=3),
    name=st.text(max_size=5),
    address=st.text(max_size=5),
    room_type=st.sampled_from(["suite", "one bed", "igloo"]),
    nightly=st.lists(
        st.builds(NightPrice, date=st.sampled_from([FIRST, FIRST + timedelta(days=1)]), price=amounts), max_size=3
    ).map(tuple)
    | amounts.map(
        lambda price: (NightPrice(date=FIRST, price=price), NightPrice(date=FIRST + timedelta(days=1), price=price))
    ),
    total=amounts | st.just(Decimal("1200.00")),
    currency=st.sampled_from(["USD", "EUR"]),
    amenities=st.lists(st.sampled_from(["freeWiFi", "helipad"])).map(tuple),
    miles=st.builds(Miles, airport=st.floats() | st.just(1.0), city_center=st.floats() | st.just(1.0)),
)


@given(st.lists(offers, max_size=6), st.none() | st.just("suite"), st.none() | amounts)
def test_whatever_a_server_lists_only_sound_offers_are_kept(
    hotels: Sequence[Hotel], room_type: str | None, most: Decimal | None
):
    request = REQUEST.model_copy(update={"room_type": room_type, "budget": PriceLimits(max=most)})
    result = screen(request, RawResult(hotels=tuple(hotels)))
    assert len(result.hotels) + sum(result.dropped.values()) == len(hotels)
    assert len({hotel.hotel_id for hotel in result.hotels}) == len(result.hotels)
    for hotel in result.hotels:
        assert hotel.total == sum(night.price for night in hotel.nightly) > 0
        assert words(hotel.total).startswith("$")
        assert hotel.name.isprintable()
        assert room_type in (None, hotel.room_type)
        assert most is None or all(night.price <= most for night in hotel.nightly)
        assert screen(request, RawResult(hotels=(hotel,))).hotels == (hotel,)
