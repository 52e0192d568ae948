"""Dates and nights as guests write them. Today is Thursday, 15 January 2026."""

from datetime import date

import pytest

from nightdesk.understanding import Reading, StayReading, read

TODAY = date(2026, 1, 15)


def said(text: str, asked: str | None = None, context: str | None = "dates") -> Reading:
    return read(text, today=TODAY, context=context, asked=asked)


@pytest.mark.parametrize(
    ("text", "check_in", "check_out"),
    [
        ("August 1 through August 8, 2027", "2027-08-01", "2027-08-08"),
        ("arrival 5 May, departure 9 May", "2026-05-05", "2026-05-09"),
        ("check-in: 2026-05-04 check-out: 2026-05-09", "2026-05-04", "2026-05-09"),
        ("2027/08/03 to 2027/08/09", "2027-08-03", "2027-08-09"),
        ("5/4/2026 - 5/9/2026", "2026-05-04", "2026-05-09"),
        ("3.3.2026 - 6.3.2026", "2026-03-03", "2026-03-06"),
        ("Aug 3-9 2027", "2027-08-03", "2027-08-09"),
        ("20-25 june 2027", "2027-06-20", "2027-06-25"),
        ("3rd aug 27 to 9th aug 27", "2027-08-03", "2027-08-09"),
        ("3/3 to 3/6 no make that 3/7", "2026-03-03", "2026-03-07"),
        ("Fri-Sun", "2026-01-16", "2026-01-18"),
        ("next monday until thursday", "2026-01-19", "2026-01-22"),
        ("mon 2 mar to fri 6 mar", "2026-03-02", "2026-03-06"),
        ("we land on the 3rd and fly home on the 9th", "2026-02-03", "2026-02-09"),
        ("Dec 30 until Jan 2", "2026-12-30", "2027-01-02"),
        ("2 adults and 1 child from march 3 to 6", "2026-03-03", "2026-03-06"),
        ("a week from friday for 3 nights", "2026-01-23", "2026-01-26"),
        ("day after tomorrow for 2 nights", "2026-01-17", "2026-01-19"),
        ("tonight only", "2026-01-15", "2026-01-16"),
        ("the night of march 3", "2026-03-03", "2026-03-04"),
        ("Septmber 4th to 9th", "2026-09-04", "2026-09-09"),
    ],
)
def test_a_stay_with_both_ends_is_read(text: str, check_in: str, check_out: str) -> None:
    stay = said(text).dates
    assert stay is not None
    assert (str(stay.check_in), str(stay.check_out)) == (check_in, check_out)


@pytest.mark.parametrize(
    ("text", "asked", "stay"),
    [
        ("from the 12th", None, StayReading(check_in=date(2026, 2, 12))),
        ("three nights", "nights", StayReading(nights=3)),
        ("3", "nights", StayReading(nights=3)),
        ("a couple of nights", "nights", StayReading(nights=2)),
        ("one week", "nights", StayReading(nights=7)),
        ("9", "check_out", StayReading(check_out=date(2026, 2, 9))),
        ("checking out sunday", None, StayReading(check_out=date(2026, 1, 18))),
        ("jan 10", "check_in", StayReading(check_in=date(2027, 1, 10))),
        ("jan 20", "check_in", StayReading(check_in=date(2026, 1, 20))),
    ],
)
def test_half_a_stay_is_kept_as_a_half(text: str, asked: str | None, stay: StayReading) -> None:
    assert said(text, asked).dates == stay


@pytest.mark.parametrize(
    ("text", "code", "quote"),
    [
        ("February 30, 2027 through March 5, 2027", "impossible_date", "February 30, 2027"),
        ("the 31st of june", "impossible_date", "31st of june"),
        ("may 5 2025 to may 9 2025", "past_date", "may 5 2025 to may 9 2025"),
        ("from August 9 to August 3", "reversed_dates", "August 9 to August 3"),
        ("Monday the 7th of August 2027", "weekday_mismatch", "Monday the 7th of August 2027"),
        ("6 March to 9 March for 5 nights", "nights_mismatch", "6 March to 9 March"),
        ("the 5th or the 6th", "ambiguous", "5th or 6th"),
        ("sometime in august", "unclear", "sometime in august"),
        ("the last week of july", "unclear", "last week of july"),
        ("two extra nights", "unclear", "two extra nights"),
        ("any time", "unclear", "any time"),
        ("the 5th, 6th and 7th", "ambiguous", "5th or 6th or 7th"),
        ("the nights of march 3 and 4", "ambiguous", "march 3 or 4"),
        ("over the weekend", "ambiguous", "the weekend"),
        ("vom 3. bis 9. August", "unclear", "vom 3"),
    ],
)
def test_what_cannot_be_a_stay_is_named_in_the_guests_words(text: str, code: str, quote: str) -> None:
    reading = said(text)
    assert reading.dates is None
    assert [(remark.criterion, remark.code, remark.quote) for remark in reading.remarks] == [("dates", code, quote)]
    assert reading.clarify


def test_past_days_written_in_figures_are_given_on_for_their_owner_to_refuse() -> None:
    reading = said("2025-08-01 to 2025-08-08")
    assert reading.dates == StayReading(check_in=date(2025, 8, 1), check_out=date(2025, 8, 8))
    assert reading.remarks[0].code == "past_date"
    assert not reading.clarify


def test_one_end_and_then_the_nights_make_two_halves_of_a_stay() -> None:
    first, second = said("from the 12th").dates, said("three nights", "nights").dates
    assert first is not None
    assert second is not None
    assert (first.check_in, second.nights) == (date(2026, 2, 12), 3)


@pytest.mark.parametrize(
    "text",
    [
        "What is the weather in Seattle?",
        "will it rain there on friday?",
        "let me check with my wife first",
        "I may be late",
        "I checked in yesterday and lost my keys",
        "on second thought",
        "3 people",
        "book a flight for march 3",
        "a table for two tonight",
        "it costs $12 a night",
    ],
)
def test_words_that_only_look_like_dates_are_no_stay(text: str) -> None:
    assert said(text, context=None).dates is None


@pytest.mark.parametrize(
    ("text", "check_in", "check_out"),
    [
        ("20260304", date(2026, 3, 4), None),
        ("20260304-20260309", date(2026, 3, 4), date(2026, 3, 9)),
        ("wed to sat", date(2026, 1, 21), date(2026, 1, 24)),
        ("thursday after next", date(2026, 1, 29), None),  # said on a Thursday
    ],
)
def test_short_forms_of_days(text: str, check_in: date, check_out: date | None) -> None:
    stay = read(text, today=date(2026, 1, 15), context="dates").dates
    assert stay is not None
    assert (stay.check_in, stay.check_out) == (check_in, check_out)


def test_one_of_two_lengths_is_asked_about() -> None:
    reading = read("2 or 3 nights", today=date(2026, 1, 15), context="dates")
    assert (reading.dates, reading.clarify) == (None, ("how_many_nights",))
    reading = read("from March 4th for 2 or 3 nights", today=date(2026, 1, 15), context="dates")
    assert reading.dates is not None
    assert (reading.dates.check_in, reading.dates.check_out, reading.dates.nights) == (date(2026, 3, 4), None, None)


@pytest.mark.parametrize("text", ["this autumn", "5 days ago", "the first week of May"])
def test_a_stretch_of_time_is_no_day(text: str) -> None:
    reading = read(text, today=date(2026, 1, 15), context="dates")
    assert (reading.intent, reading.dates, reading.clarify) == ("dates", None, ("which_days",))


def test_a_lone_day_after_another_try_is_a_date() -> None:
    assert read("ok how about monday instead", today=date(2026, 1, 15)).intent == "dates"


def test_the_day_after_a_day_that_is_not_named_is_asked_about() -> None:
    assert said("the friday after that", asked="check_out").clarify == ("which_days",)
    assert said("friday until the tuesday after").dates == StayReading(
        check_in=date(2026, 1, 16), check_out=date(2026, 1, 20)
    )


def test_a_year_that_both_ends_name_is_nobodys_misreading() -> None:
    reading = read("January 1, 2027 to February 5, 2028", today=date(2026, 1, 15), context="dates")
    assert reading.dates is not None
    assert (reading.dates.check_in, reading.dates.check_out) == (date(2027, 1, 1), date(2028, 2, 5))
    far = read("August 3, 2127 to August 9, 2127", today=date(2026, 1, 15)).dates
    assert far is not None
    assert far.check_in == date(2127, 8, 3)


@pytest.mark.parametrize(
    ("text", "check_in", "check_out"),
    [
        ("August 3 2250", date(2250, 8, 3), None),
        ("3 Aug 9999", date(9999, 8, 3), None),
        ("May 6th to 8th, 2301", date(2301, 5, 6), date(2301, 5, 8)),
        ("in 2250, May 6 to 8", date(2250, 5, 6), date(2250, 5, 8)),
        ("from May 6 until May 8 in the year 2250", date(2250, 5, 6), date(2250, 5, 8)),
        ("9999-12-31 for 3 nights", date(9999, 12, 31), None),
        # an amount beside the days
        ("May 6 to May 8, 2500 dollars in all", date(2026, 5, 6), date(2026, 5, 8)),
        ("May 6-8, 2500 in total", date(2026, 5, 6), date(2026, 5, 8)),
    ],
)
def test_a_year_is_read_however_far_it_is(text: str, check_in: date, check_out: date | None) -> None:
    stay = said(text).dates
    assert stay is not None
    assert (stay.check_in, stay.check_out) == (check_in, check_out)


@pytest.mark.parametrize("text", ["May 6 20277", "May 6, 12027", "12027-05-06", "5/6/20277"])
def test_a_year_of_five_digits_is_no_date(text: str) -> None:
    assert [remark.code for remark in said(text).remarks] == ["impossible_date"]


def test_a_month_of_a_year_is_no_day() -> None:
    assert said("May 2250").clarify == ("which_days",)
