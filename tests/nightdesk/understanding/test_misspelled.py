"""Misspelled messages: what is unmistakable is read, what is not is asked about. Today is Monday, 30 November 2026."""

from datetime import date

import pytest

from nightdesk.understanding import BudgetReading, Reading, StayReading, read

TODAY = date(2026, 11, 30)
STAY = StayReading(check_in=date(2027, 8, 4), check_out=date(2027, 8, 11))


def said(text: str, context: str | None = None) -> Reading:
    return read(text, today=TODAY, context=context)


@pytest.mark.parametrize(
    "text",
    [
        "somwhere nice frm agust 4th too augst 11th 2027",
        "agst 4 - 11",
        "uagust 4 thru 11",
        "4th agust to 11th of augsut",
        "agu 4 until agu 11",
        "in agust from the 4th to the 11th",
    ],
)
@pytest.mark.parametrize("context", [None, "dates", "budget"])
def test_a_month_with_letters_missing_or_swapped_is_that_month(text: str, context: str | None) -> None:
    assert said(text, context).dates == STAY
    assert said(text, context).budget is None


@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("jnauary 9", 1),
        ("febuary 9", 2),
        ("marhc 9", 3),
        ("aprl 9", 4),
        ("juli 9", 7),
        ("setpember 9", 9),
        ("otc 9", 10),
    ],
)
def test_every_month_may_be_misspelled(text: str, month: int) -> None:
    stay = said(text, "dates").dates
    assert stay is not None
    assert stay.check_in is not None
    assert (stay.check_in.month, stay.check_in.day) == (month, 9)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("grmph 4th to 11th", "grmph 4th"),
        ("from juny 4th", "juny 4th"),
        ("4th of wibble until 11th of wibble", "4th of wibble"),
        ("the 4th to the 11th 2028", "2028"),
        ("the 4th to the 11th next year", "next year"),
        ("4 - 11 grmph", "11 grmph"),
        ("sept7mber 4 to 11", "sept7mber 4"),
    ],
)
def test_an_unreadable_month_or_a_year_left_over_is_asked_about(text: str, quote: str) -> None:
    reading = said(text, "dates")
    assert reading.dates is None
    assert [(remark.code, remark.quote) for remark in reading.remarks] == [("unclear", quote)]


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("august 4th to the 11th, 2028", 2028),
        ("august 4th till 11th in 2029", 2029),
        ("august 2028, 4th to 11th", 2028),
        ("agust fourth to eleventh next year", 2027),
        ("in 2028 from august 4 to 11", 2028),
    ],
)
def test_a_year_said_last_or_with_a_month_of_its_own_is_kept(text: str, year: int) -> None:
    stay = StayReading(check_in=date(year, 8, 4), check_out=date(year, 8, 11))
    assert said(text, "dates").dates == stay


def test_a_stay_over_new_year_keeps_the_year_said() -> None:
    after = StayReading(check_in=date(2027, 12, 30), check_out=date(2028, 1, 2))
    assert said("dec 30 to jan 2, 2028", "dates").dates == after
    assert said("next year dec 30 to jan 2", "dates").dates == after


def test_an_amount_beside_dates_is_no_year() -> None:
    assert said("aug 4 to 11, at most 2040 dollars").dates == STAY
    assert said("aug 4 to 11, $2040").dates == STAY


@pytest.mark.parametrize("text", ["adjust 2 things please", "match 3 of these", "just 4", "guest 5"])
def test_a_right_word_beside_a_number_is_no_month(text: str) -> None:
    assert said(text).dates is None


@pytest.mark.parametrize(
    "text", ["is there a gym at the first?", "what about breakfast at the second?", "the parking of the third"]
)
def test_a_place_in_a_list_is_no_day(text: str) -> None:
    assert said(text).dates is None


def test_an_unknown_word_before_two_small_numbers_is_no_budget() -> None:
    reading = said("grmph 4 - 11", "budget")
    assert (reading.budget, reading.clarify) == (None, ("which_amount",))


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("about three to four hundred bucks a night", 300, 400),
        ("between one and three hundred", 100, 300),
        ("2-4 hundred", 200, 400),
        ("$2 to $4 hundred", 200, 400),
        ("one to two thousand", 1000, 2000),
    ],
)
def test_the_scale_at_the_end_of_a_range_holds_for_both(text: str, low: int, high: int) -> None:
    budget = said(text, "budget").budget
    assert budget is not None
    assert (budget.min, budget.max) == (low, high)


@pytest.mark.parametrize("text", ["$3-400", "4-500", "2-3k"])
def test_a_range_from_almost_nothing_is_asked_about(text: str) -> None:
    assert said(text, "budget").budget is None
    assert said(text, "budget").clarify == ("which_amount",)


@pytest.mark.parametrize("text", ["budget -80", "my budget is -80", "a max of -$80", "-80 per night"])
@pytest.mark.parametrize("context", [None, "budget"])
def test_a_negative_budget_is_not_stored(text: str, context: str | None) -> None:
    reading = said(text, context)
    assert reading.budget is None
    assert [remark.code for remark in reading.remarks] == ["negative"]


@pytest.mark.parametrize("text", ["2 million", "two million dollars", "max 2 mil"])
def test_millions_are_not_ones(text: str) -> None:
    assert said(text, "budget").budget == BudgetReading.model_validate({"max": 2_000_000})


def test_short_words_of_the_desk_are_mended() -> None:
    assert said("wfi, pakring and a gim", "amenities").amenities == ("freeWiFi", "freeParking", "fitnessCenter")
    assert said("one siute plese").room_type == "suite"
    assert said("serch", "confirm").intent == "search"


@pytest.mark.parametrize("text", ["king", "a queen please", "King."])
@pytest.mark.parametrize("context", [None, "budget", "room_type"])
def test_a_bed_alone_is_a_room_type(text: str, context: str | None) -> None:
    assert said(text, context).room_type == "one bed"


@pytest.mark.parametrize("text", ["\x1b[33mblue\x1b[0m", "[33mblue[0m", "\x1b]0;99\x07blue", "\x9b33mblue"])
@pytest.mark.parametrize("context", [None, "budget", "dates", "distance", "search_results"])
def test_numbers_of_escape_codes_are_not_read(text: str, context: str | None) -> None:
    reading = said(text, context)
    assert (reading.budget, reading.dates, reading.distance, reading.selection) == (None, None, None, None)
    assert reading.remarks == ()
