"""What guests say about the price of a night."""

from datetime import date
from decimal import Decimal

import pytest

from nightdesk.understanding import Reading, read


def said(text: str, context: str | None = "budget") -> Reading:
    return read(text, today=date(2026, 1, 15), context=context)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("maximum 700 per night, with no minimum", None, "700"),
        ("minimum 800 and maximum 500 per night", "800", "500"),
        ("at least 100 but no more than 200", "100", "200"),
        ("max 150 min 100", "100", "150"),
        ("500 max and 200 min", "200", "500"),
        ("not less than 100 and not more than 200", "100", "200"),
        ("I'd rather not pay more than 180", None, "180"),
        ("over 150", "150", None),
        ("120 or more", "120", None),
        ("one fifty", None, "150"),
        ("a hundred and fifty", None, "150"),
        ("$1.5k", None, "1500"),
        ("1,200", None, "1200"),
        ("90 to 140 dollars", "90", "140"),
        ("300 tops", None, "300"),
    ],
)
def test_bounds_per_night_are_read(text: str, low: str | None, high: str | None) -> None:
    budget = said(text).budget
    assert budget is not None
    assert (budget.min, budget.max) == (low and Decimal(low), high and Decimal(high))
    assert not said(text).clarify


@pytest.mark.parametrize(
    ("text", "high"),
    [
        ("change maximum budget to 500 per night", "500"),
        ("make it 750 max", "750"),
        ("raise my budget from 500 to 700", "700"),
        ("nothing over 300", "300"),
        ("keep it under 200", "200"),
        ("I can pay up to 300", "300"),
    ],
)
def test_a_budget_is_read_where_something_else_was_asked(text: str, high: str) -> None:
    reading = said(text, context="search_results")
    assert reading.intent == "budget"
    assert reading.budget is not None
    assert reading.budget.max == Decimal(high)


@pytest.mark.parametrize(
    ("text", "code", "quote"),
    [
        ("about 300", "about", "300"),
        ("200 or so", "about", "200"),
        ("€200 max", "currency", "€200"),
        ("150 pounds per night", "currency", "150 pounds"),
        ("something cheap", "level", "cheap"),
        ("$600 total", "total", "$600"),
        ("600 for 3 nights", "total", "600"),
        ("-100", "negative", "-100"),
        ("400 to 250 dollars", "reversed", "400 to 250 dollars"),
    ],
)
def test_an_amount_that_needs_a_question_is_quoted_and_no_bound_in_dollars(text: str, code: str, quote: str) -> None:
    reading = said(text)
    assert [(remark.code, remark.quote) for remark in reading.remarks] == [(code, quote)]
    budget = reading.budget
    assert budget is None or budget.currency or (budget.min is None and budget.max is None)


@pytest.mark.parametrize("text", ["I bet 50 dollars on it", "option 300", "for 12 people", "3 stars at least"])
def test_other_numbers_are_no_budget(text: str) -> None:
    assert said(text, context=None).budget is None


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("min 700 max 500", 700, 500),
        ("at least $90, max $140", 90, 140),
        ("between one hundred and one hundred eighty", 100, 180),
        ("two hundred and two fifty", 200, 250),
    ],
)
def test_both_limits_are_read_even_when_they_cross(text: str, low: int | None, high: int | None) -> None:
    budget = read(text, today=date(2026, 1, 15), context="budget").budget
    assert (budget.min if budget else None, budget.max if budget else None) == (low, high)


@pytest.mark.parametrize("text", ["120 or 160", "maybe 90, maybe 130", "80 dollars or 95 dollars"])
def test_one_of_two_amounts_is_asked_about(text: str) -> None:
    reading = read(text, today=date(2026, 1, 15), context="budget")
    assert reading.budget is None or reading.clarify
    assert reading.clarify == ("which_amount",)


def test_a_count_beside_cheaper_is_no_price() -> None:
    assert read("the cheaper of these 3", today=date(2026, 1, 15), context="search_results").budget is None


def test_nothing_fancy_is_cheap_and_give_or_take_is_about() -> None:
    cheap, about = said("nothing fancy please").budget, said("140 a night give or take").budget
    assert cheap is not None
    assert cheap.level == "cheap"
    assert about is not None
    assert (about.max, about.about) == (None, 140)


@pytest.mark.parametrize(
    ("text", "most"), [("max 12 000", 12000), ("max 1e3", None), ("max 0.001", None), ("maximum 1e308 per night", None)]
)
def test_a_number_that_is_glued_to_something_is_not_cut_up(text: str, most: int | None) -> None:
    budget = read(text, today=date(2026, 1, 15), context="budget").budget
    assert (budget.max if budget else None) == most
