"""Amenities: wanted, not needed, ambiguous, or not on the list."""

from datetime import date

import pytest

from nightdesk.understanding import Reading, read


def said(text: str, context: str | None = "amenities") -> Reading:
    return read(text, today=date(2026, 1, 15), context=context)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("free wifi and free parking", {"freeWiFi", "freeParking"}),
        ("no smoking please", {"nonSmoking"}),
        ("we don't smoke", {"nonSmoking"}),
        ("a shuttle to the airport", {"airportShuttle"}),
        ("can someone pick us up from the airport", {"airportShuttle"}),
        ("keyless entry", {"digitalKey"}),
        ("I want to open the door with my phone", {"digitalKey"}),
        ("something boutique", {"boutique"}),
        ("a restaurant in the hotel", {"onSiteRestaurant"}),
        ("I need to charge my tesla", {"evCharging"}),
        ("an EV charger", {"evCharging"}),
        ("can we get adjoining rooms", {"connectingRooms"}),
        ("rooms that connect", {"connectingRooms"}),
        ("happy hour", {"eveningReception"}),
        ("drinks reception", {"eveningReception"}),
        ("a concierge desk", {"concierge"}),
        ("netflix", {"streaming"}),
        ("a TV we can cast to the tv", {"streaming"}),
        ("I'd love to play tennis", {"tennis"}),
        ("a brand new hotel", {"newHotel"}),
        ("a recently opened place", {"newHotel"}),
        ("room service and a kitchenette", {"roomService", "kitchen"}),
        ("conference room and business center", {"meetingRoom", "businessCenter"}),
        ("brekfast and a fittness room", {"freeBreakfast", "fitnessCenter"}),
        ("indoor and outdoor pool", {"indoorPool", "outdoorPool"}),
        ("we're bringing our puppy", {"petFriendly"}),
    ],
)
def test_amenities_are_read_in_many_words(text: str, keys: set[str]) -> None:
    assert set(said(text).amenities) == keys


@pytest.mark.parametrize(
    ("text", "wanted", "not_needed"),
    [
        ("I don't need wifi, parking or breakfast", set[str](), {"freeWiFi", "freeParking", "freeBreakfast"}),
        ("wifi is a must, parking optional", {"freeWiFi"}, {"freeParking"}),
        ("we need a kitchen but no pool", {"kitchen"}, {"indoorPool", "outdoorPool"}),
        ("nothing too expensive and it has a gym", {"fitnessCenter"}, set[str]()),
        ("forget the gym", set[str](), {"fitnessCenter"}),
        ("I'm allergic to cats", set[str](), {"petFriendly"}),
    ],
)
def test_a_refusal_reaches_only_its_own_clause(text: str, wanted: set[str], not_needed: set[str]) -> None:
    reading = said(text)
    assert (set(reading.amenities), set(reading.amenities_not_needed)) == (wanted, not_needed)


def test_a_pool_is_asked_about_and_the_rest_is_kept() -> None:
    reading = said("I want a pool, a balcony and wifi")
    assert reading.amenities == ("freeWiFi",)
    assert set(reading.amenities_any_of) == {"indoorPool", "outdoorPool"}
    assert {(remark.code, remark.quote) for remark in reading.remarks} == {
        ("ambiguous", "pool"),
        ("unsupported", "balcony"),
    }


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("hot tub", "hot tub"),
        ("late checkout", "late checkout"),
        ("a trampoline", "trampoline"),
        ("smoking room", "smoking room"),
    ],
)
def test_what_is_not_on_the_list_is_named_back(text: str, quote: str) -> None:
    reading = said(text)
    assert reading.intent == "amenities"
    assert not reading.amenities
    assert reading.unsupported == (quote,)


@pytest.mark.parametrize("text", ["a hot dog", "I read it on the internet", "a good restaurant in town?"])
def test_other_dogs_and_nets_are_no_amenities(text: str) -> None:
    assert not said(text, context=None).amenities
