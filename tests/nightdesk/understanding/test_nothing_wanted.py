"""What a guest does not want, wants no more of, or wants where this desk has nothing."""

from datetime import date

import pytest

from nightdesk.understanding import Reading, StayReading, read

TODAY = date(2026, 11, 30)


def said(text: str, context: str | None = None) -> Reading:
    return read(text, today=TODAY, context=context)


@pytest.mark.parametrize(
    "text",
    [
        "no amenities",
        "No amenities please",
        "without any amenities",
        "zero extras, thanks",
        "no amenity",
        "none of the amenities",
        "no extra amenities",
    ],
)
@pytest.mark.parametrize("context", [None, "amenities", "anything_else"])
def test_no_amenities_leaves_them_open(text: str, context: str | None) -> None:
    reading = said(text, context)
    assert (reading.no_preference_for, reading.amenities_not_needed) == (("amenities",), ())


def test_no_amenities_is_read_within_a_longer_message() -> None:
    reading = said("May 4-8 2027, a suite, at most $250, no amenities, any location")
    assert reading.no_preference_for == ("amenities", "distance")
    assert reading.room_type == "suite"
    assert reading.dates == StayReading(check_in=date(2027, 5, 4), check_out=date(2027, 5, 8))


def test_a_complaint_about_a_hotel_leaves_nothing_open() -> None:
    assert said("that place has no amenities", "search_results").no_preference_for == ()


@pytest.mark.parametrize("text", ["no preference for anything", "We don't have any preference about any of it"])
def test_no_preference_for_anything_is_for_all_that_may_be_open(text: str) -> None:
    assert said(text).no_preference_for == ("budget", "room_type", "amenities", "distance")


def test_no_preference_for_anything_is_about_what_was_asked() -> None:
    assert said("no preference for anything", "room_type").no_preference_for == ("room_type",)
    assert said("no preference for anything", "anything_else").no_preference_for == ()


@pytest.mark.parametrize("text", ["nothing", "nothing special", "that is all we need", "that's everything", "leave it"])
@pytest.mark.parametrize("context", [None, "dates", "budget", "room_type", "amenities", "distance"])
def test_wanting_no_more_is_no_goodbye_before_the_end(text: str, context: str | None) -> None:
    assert said(text, context).intent != "exit"


@pytest.mark.parametrize(
    "text", ["nothing", "nothing in particular", "leave it as it is", "no preference for anything"]
)
def test_wanting_nothing_special_is_no_goodbye_at_the_summary(text: str) -> None:
    assert said(text, "anything_else").intent != "exit"


@pytest.mark.parametrize(
    ("text", "context"),
    [
        ("that's all, thank you", None),
        ("thanks, nothing else", "budget"),
        ("that is everything we needed", None),
        ("that's all", "anything_else"),
        ("nothing more", "anything_else"),
        ("no", "anything_else"),
        ("leave", "budget"),
        ("that will be all for today", None),
        ("we're done", "amenities"),
    ],
)
def test_a_goodbye_is_one(text: str, context: str | None) -> None:
    assert said(text, context).intent == "exit"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("within 300 metres of Fisher's Wharf", "Fisher's Wharf"),
        ("at most 2 miles from the old stadium, please", "the old stadium"),
        ("10 minutes to my office", "my office"),
    ],
)
@pytest.mark.parametrize("asked", [None, "airport", "city_center"])
def test_a_distance_from_elsewhere_is_named_and_not_stored(text: str, place: str, asked: str | None) -> None:
    reading = read(text, today=TODAY, context="distance", asked=asked)
    assert (reading.distance, reading.unsupported) == (None, (place,))


def test_a_distance_from_elsewhere_keeps_the_others() -> None:
    reading = said("4 miles from the airport and 2 miles from the stadium, under $200")
    assert reading.distance is not None
    assert (reading.distance.airport_miles, reading.distance.city_center_miles) == (4, None)
    assert reading.budget is not None
    assert reading.budget.max == 200


@pytest.mark.parametrize(
    ("text", "airport", "center"),
    [("8 airport", 8, None), ("airport 8", 8, None), ("8 miles airport", 8, None), ("8 miles city centre", None, 8)],
)
def test_the_place_may_stand_right_beside_its_number(text: str, airport: int | None, center: int | None) -> None:
    found = said(text, "distance").distance
    assert found is not None
    assert (found.airport_miles, found.city_center_miles) == (airport, center)


@pytest.mark.parametrize(
    ("text", "city"),
    [
        ("a hotel in Denver May 4-8 2027", ("Denver",)),
        ("rooms in San Diego from May 4 to 8 2027", ("San Diego",)),
        ("Denver calling: a hotel May 4-8 2027", ()),
        ("a hotel in town May 4-8 2027", ()),
    ],
)
def test_another_city_is_named_and_the_rest_is_kept(text: str, city: tuple[str, ...]) -> None:
    reading = said(text)
    assert reading.unsupported == city
    assert reading.dates == StayReading(check_in=date(2027, 5, 4), check_out=date(2027, 5, 8))


def test_several_rooms_are_named_and_the_rest_is_kept() -> None:
    reading = said("4 rooms please, for 8 people, from May 4 to May 8 2027, under $300")
    assert reading.unsupported == ("4 rooms",)
    assert reading.dates == StayReading(check_in=date(2027, 5, 4), check_out=date(2027, 5, 8))


@pytest.mark.parametrize("text", ["do you have dogs allowed places?", "which has a sauna?", "which one has a kitchen?"])
def test_a_question_about_hotels_that_are_shown_stores_nothing(text: str) -> None:
    reading = said(text, "search_results")
    assert (reading.intent, reading.amenities, reading.amenities_any_of) == ("other", (), ())


@pytest.mark.parametrize("text", ["what about breakfast at the third?", "and the parking of the last one?"])
@pytest.mark.parametrize("context", [None, "search_results", "select"])
def test_a_question_about_one_of_a_list_stores_nothing(text: str, context: str | None) -> None:
    reading = said(text, context)
    assert (reading.amenities, reading.dates, reading.selection) == ((), None, None)


def test_an_unknown_amenity_beside_known_ones_is_named() -> None:
    reading = said("parking, wibble and wifi", "amenities")
    assert (reading.amenities, reading.unsupported) == (("freeParking", "freeWiFi"), ("wibble",))


def test_the_first_one_may_lack_a_letter() -> None:
    selection = said("teh first on", "search_results").selection
    assert selection is not None
    assert selection.number == 1
