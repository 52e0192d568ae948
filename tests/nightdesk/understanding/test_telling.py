"""What a guest tells beside the request stores nothing; what is asked for in the same message is read."""

from datetime import date

import pytest

from nightdesk.understanding import Reading, StayReading, read

TODAY = date(2026, 1, 15)  # a Thursday


def said(text: str, context: str | None = None, asked: str | None = None) -> Reading:
    return read(text, today=TODAY, context=context, asked=asked)


def stored(reading: Reading) -> tuple[object, ...]:
    values = (reading.dates, reading.budget, reading.room_type, reading.distance, reading.selection)
    return tuple(value for value in (*values, *reading.amenities, *reading.no_preference_for) if value)


@pytest.mark.parametrize(
    ("context", "text"),
    [
        # past stays and what they cost
        (None, "we spent 4 nights at the Sheraton two years ago"),
        ("budget", "last summer we paid 180 a night"),
        ("budget", "the Westin was 260 a night"),
        ("search_results", "my parents stayed at the Radisson and loved it"),
        ("search_results", "I've been to the Sheraton before"),
        ("amenities", "I already had breakfast"),
        ("room_type", "last month we had a suite and it was wonderful"),
        # flights, meetings, birthdays, alarms
        (None, "my plane lands on april 9"),
        ("dates", "my plane lands on april 9"),
        (None, "the conference is from april 9 to april 12"),
        (None, "my birthday is on april 9th"),
        (None, "set an alarm for 6 am on april 9"),
        ("dates", "I get paid on the 20th"),
        ("budget", "our flights cost 700 dollars"),
        # other people, their stays and their words
        (None, "my friend booked the Sheraton for the 20th"),
        ("anything_else", "I also have a reservation at the Sheraton from the 20th to the 22nd"),
        ("budget", "my sister pays 90 a night"),
        ("search_results", "my ex works at the Sheraton"),
        (None, "she told me april 9 is best"),
        (None, "my name is Perry Hilton"),
        # where the guest is or lives
        (None, "we just landed at the airport"),
        ("distance", "my house is 12 miles from the airport"),
        ("distance", "it took us 2 hours to the airport"),
        ("room_type", "I sleep in a king bed at home"),
        ("budget", "my daughter is 14"),
        ("budget", "I make 4000 a month"),
        # promises and patience
        ("confirm", "let me think until monday"),
        ("confirm", "can you hold it until monday?"),
        (None, "see you on april 9"),
        ("dates", "I'll let you know on monday"),
    ],
)
def test_what_is_only_told_stores_nothing(context: str | None, text: str) -> None:
    assert stored(said(text, context)) == ()


@pytest.mark.parametrize(
    ("text", "stay"),
    [
        ("my birthday is april 9, I need a room from april 8 to april 10", ("2026-04-08", "2026-04-10")),
        ("the trip was great last year, so we want april 8 to april 10", ("2026-04-08", "2026-04-10")),
        ("I need a hotel for the fair, april 8 to april 10", ("2026-04-08", "2026-04-10")),
        ("my wife and I were hoping to come from april 8 to april 10", ("2026-04-08", "2026-04-10")),
        ("train at 6 am on monday, I need a room from april 8 to april 10", ("2026-04-08", "2026-04-10")),
    ],
)
def test_the_request_beside_it_is_read(text: str, stay: tuple[str, str]) -> None:
    dates = said(text).dates
    assert dates is not None
    assert (str(dates.check_in), str(dates.check_out)) == stay


def test_an_event_given_for_a_date_is_asked_about() -> None:
    reading = said("my train arrives on april 9", "dates")
    assert (reading.intent, reading.dates, reading.clarify) == ("dates", None, ("which_days",))


@pytest.mark.parametrize(
    "text",
    [
        "yes if parking is included",
        "only if there is a gym",
        "sure, unless it is over 300",
        "so that's 2 nights for 500?",
    ],
)
def test_a_condition_or_a_question_at_confirm_changes_nothing_and_agrees_to_nothing(text: str) -> None:
    reading = said(text, "confirm")
    assert stored(reading) == ()
    assert reading.intent not in {"affirm", "book"}


@pytest.mark.parametrize(
    ("context", "asked", "text", "why"),
    [
        ("dates", None, "after april 9", "which_days"),
        ("dates", None, "no earlier than the 20th", "which_days"),
        ("dates", None, "april 9 at the latest", "which_days"),
        ("dates", None, "any day but monday", "which_days"),
        ("dates", None, "the 20th doesn't work for us", "which_days"),
        ("dates", None, "the 20th if it is free, otherwise the 21st", "ambiguous_date"),
        ("dates", None, "at least 3 nights", "how_many_nights"),
        ("dates", None, "5 nights is too long", "how_many_nights"),
        ("budget", None, "400 is too much", "which_amount"),
        ("budget", None, "not 400", "which_amount"),
        ("budget", None, "is 90 enough?", "which_amount"),
        ("distance", "airport", "3 or 4 miles", "which_distance"),
        ("room_type", None, "one bed or two", "ambiguous_room"),
        ("search_results", None, "the Sheraton or the Radisson", "which_hotel"),
        ("search_results", None, "my boss suggested the Sheraton but I'm not sure", "which_hotel"),
    ],
)
def test_a_bound_a_refusal_or_one_of_two_is_asked_about(context: str, asked: str | None, text: str, why: str) -> None:
    reading = said(text, context, asked)
    assert stored(reading) == ()
    assert why in reading.clarify


@pytest.mark.parametrize(
    ("context", "text"),
    [
        ("search_results", "the Sheraton? no way"),
        ("search_results", "anything but the third"),
        ("search_results", "is the third one closer than the first?"),
        ("search_results", "number 3 is out of town"),
        (None, "how old is the Sheraton"),
        (None, "reservation number 4"),
        ("room_type", "is a suite bigger?"),
        ("room_type", "suites are too expensive for us"),
        ("distance", "how far is the airport?"),
        ("distance", "downtown is too loud"),
        ("dates", "which days are cheapest?"),
        (None, "we can't wait to see the Queen, from april 8 we are free"),
    ],
)
def test_a_remark_or_a_comparison_chooses_nothing(context: str | None, text: str) -> None:
    reading = said(text, context)
    assert (reading.selection, reading.room_type, reading.distance, reading.budget) == (None, None, None, None)


def test_other_wording_of_days() -> None:
    assert said("tomorrow till the day after", "dates").dates == StayReading(
        check_in=date(2026, 1, 16), check_out=date(2026, 1, 17), nights=1
    )
    assert said("I had friday but I need to arrive on sunday instead", "dates").dates == StayReading(
        check_in=date(2026, 1, 18)
    )
    assert said("cancel my booking for the 20th").dates is None
    assert said("how about 4 nights?", "confirm").dates == StayReading(nights=4)


@pytest.mark.parametrize(
    ("context", "text", "name"),
    [
        ("select", "3 days at the Elm Hotel Bristol commencing tomorrow", "Elm Hotel Bristol"),
        ("confirm", "please change the hotel to Elm House", "Elm House"),
        ("select", "the name of the hotel is Elm House", "Elm House"),
        ("select", "I would love to stay at 7 Hotel Garden Row", "7 Hotel Garden Row"),
        ("select", "i want 12 elm street", "12 elm street"),
        ("dates", "I'm looking at Hotel 77 from the 20th", "Hotel 77"),
    ],
)
def test_a_name_is_read_before_any_word_and_with_figures(context: str, text: str, name: str) -> None:
    selection = said(text, context).selection
    assert selection is not None
    assert selection.name == name


def test_what_ends_a_conversation_is_no_preference_for_nothing() -> None:
    reading = said("No, I don't need anything else.", "anything_else")
    assert (reading.intent, reading.no_preference_for) == ("exit", ())


def test_a_room_there_is_in_the_hotel_on_the_table() -> None:
    selection = said("we'd like to reserve a room there", "search_results").selection
    assert selection is not None
    assert selection.ref == "current"


@pytest.mark.parametrize(
    ("context", "text"),
    [
        ("search_results", "my kids love water. does it have a pool?"),
        (None, "thanks for finding me a place"),
        ("budget", "my total budget is 900"),
        ("distance", "5 miles or more"),
        ("dates", "any 3 nights between the 20th and the 28th"),
        ("dates", "2 to 3 people"),
    ],
)
def test_more_wording_that_stores_nothing(context: str | None, text: str) -> None:
    reading = said(text, context, "airport" if context == "distance" else None)
    assert stored(reading) == ()
    assert reading.intent != "search"


@pytest.mark.parametrize(
    ("text", "wanted", "not_needed"),
    [
        ("I don't need a gym and a kitchen would be nice", {"kitchen"}, {"fitnessCenter"}),
        ("no gym, need parking or breakfast", {"freeParking", "freeBreakfast"}, {"fitnessCenter"}),
        ("I can't live without wifi", {"freeWiFi"}, set[str]()),
        ("don't forget the parking", {"freeParking"}, set[str]()),
        ("somewhere that does not allow smoking", {"nonSmoking"}, set[str]()),
        ("my dog is staying with my mom", set[str](), set[str]()),
        ("find a hotel with a nice restaurant", {"onSiteRestaurant"}, set[str]()),
    ],
)
def test_a_no_reaches_only_what_it_is_about(text: str, wanted: set[str], not_needed: set[str]) -> None:
    reading = said(text)
    assert set(reading.amenities) == wanted
    assert set(reading.amenities_not_needed) == not_needed


@pytest.mark.parametrize(
    ("text", "stay"),
    [
        ("friday is my check-out day", StayReading(check_out=date(2026, 1, 16))),
        ("we arrive on friday, is the desk open 24/7", StayReading(check_in=date(2026, 1, 16))),
    ],
)
def test_a_day_takes_its_end_from_what_follows_and_figures_of_time_are_no_days(text: str, stay: StayReading) -> None:
    assert said(text, "dates").dates == stay


def test_who_travels_along_may_wish() -> None:
    assert said("my husband says two beds", "room_type").room_type == "two beds"


def test_asking_to_get_a_hotel_for_days_is_no_question_about_it() -> None:
    reading = said("can we get the Sheraton from the 20th to the 22nd", "search_results")
    assert reading.dates == StayReading(check_in=date(2026, 1, 20), check_out=date(2026, 1, 22))
    assert reading.selection is not None


def test_a_no_beside_a_story_and_any_price_leave_open() -> None:
    assert said("no, nothing. we once slept in a hotel with 2 gyms", "amenities").no_preference_for == ("amenities",)
    assert said("it can be any price", "budget").no_preference_for == ("budget",)


def test_a_booking_to_be_cancelled_gives_no_dates() -> None:
    assert said("we have a booking from the 20th to the 22nd and would cancel it").dates is None


def test_what_about_a_hotel_is_a_choice() -> None:
    selection = said("what about the Elm Inn, we were there as kids", "search_results").selection
    assert selection is not None
    assert selection.name == "Elm Inn"
