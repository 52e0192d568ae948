"""Prices are exact: whole cents, the sum of the nights, the same wherever they are computed."""

from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from math import floor

import holidays
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hotels import prices
from hotels.catalogue import catalogue
from hotels.prices import night_cents, stay_cents
from nightdesk.money import from_cents, to_cents
from nightdesk.stay import Stay
from nightdesk.vocabulary import ROOM_TYPES

dates = st.dates(min_value=date(2026, 1, 1), max_value=date(2090, 1, 1))
room_types = st.sampled_from(ROOM_TYPES)
bases = st.integers(min_value=1, max_value=10_000_000)


def exact(base_cents: int, night: date, room_type: str) -> Fraction:
    """The price by the book, in cents, before rounding: season, weekday, holiday."""
    seasons = [(date(night.year, *start), percent) for start, percent in prices.SEASONS]
    season = next(percent for start, percent in reversed(seasons) if start <= night)
    weekday = prices.WEEKDAYS[room_type][night.weekday()]
    eve = night + timedelta(days=1)
    public = holidays.country_holidays("US", years=[night.year, eve.year])
    holiday = prices.HOLIDAY if night in public or eve in public else 100
    return Fraction(base_cents * season * weekday * holiday, 1_000_000)


def test_prices_are_exact_for_all_the_catalogue_and_a_year_of_dates() -> None:
    """Each is the exact product, half a cent rounded up; none was ever a float."""
    checked = 0
    for day in range(366):
        night = date(2027, 6, 1) + timedelta(days=day)
        factors = {room_type: exact(1, night, room_type) for room_type in ROOM_TYPES}
        for hotel in catalogue():
            for room in hotel.rooms:
                price = night_cents(room.base_cents, night, room.room_type)
                off = room.base_cents * factors[room.room_type] - price
                assert Fraction(-1, 2) <= off < Fraction(1, 2)
                assert to_cents(from_cents(price)) == price
                checked += 1
    assert checked == 366 * 32 * 3


@given(bases, dates, room_types)
@example(3750, date(2027, 4, 10), "suite")  # exactly 4336.5: neither floats nor bankers' rounding
@settings(max_examples=60, deadline=None)
def test_every_price_is_exact_with_half_a_cent_rounded_up(base: int, night: date, room_type: str) -> None:
    assert night_cents(base, night, room_type) == floor(exact(base, night, room_type) + Fraction(1, 2))


@given(bases, dates, room_types, st.integers(min_value=1, max_value=366))
@settings(max_examples=60, deadline=None)
def test_the_total_is_the_sum_of_the_nights_and_the_nights_are_the_difference_of_the_dates(
    base: int, check_in: date, room_type: str, count: int
) -> None:
    stay = Stay(check_in=check_in, check_out=check_in + timedelta(days=count))
    cents = stay_cents(base, stay.nights, room_type)
    assert len(cents) == (stay.check_out - stay.check_in).days == count
    assert stay.nights[0] == stay.check_in
    assert stay.nights[-1] == stay.check_out - timedelta(days=1)
    total = sum((from_cents(price) for price in cents), start=Decimal(0))
    assert to_cents(total) == sum(cents)
    assert total == from_cents(sum(cents))


@given(bases, dates, room_types)
@settings(max_examples=60, deadline=None)
def test_a_price_does_not_depend_on_the_stay_it_is_part_of(base: int, night: date, room_type: str) -> None:
    around = tuple(night + timedelta(days=day) for day in (-1, 0, 1))
    assert stay_cents(base, around, room_type)[1] == night_cents(base, night, room_type)


@given(st.integers(min_value=0, max_value=10**12))
def test_cents_survive_the_way_through_decimals_and_json(cents: int) -> None:
    assert to_cents(Decimal(str(from_cents(cents)))) == cents


def test_season_weekday_holiday_and_room_type_all_count() -> None:
    def price(day: date, room_type: str = "suite") -> int:
        return night_cents(100_00, day, room_type)

    wednesday, saturday = date(2027, 8, 11), date(2027, 8, 14)
    assert price(saturday) > price(wednesday)
    assert price(wednesday) > price(date(2027, 2, 10))
    thanksgiving = date(2027, 11, 25)
    assert price(thanksgiving) > price(thanksgiving - timedelta(days=7))
    assert price(thanksgiving - timedelta(days=1)) > price(thanksgiving - timedelta(days=8))
    assert len({price(saturday, room_type) for room_type in ROOM_TYPES}) == 3
    new_years_eve, monday_before = date(2025, 12, 31), date(2025, 12, 29)
    assert price(new_years_eve) > price(monday_before)


def test_a_room_type_that_an_operator_added_has_a_price() -> None:
    assert night_cents(100_00, date(2027, 8, 11), "penthouse") == 124_00


def test_the_last_date_that_there_is_has_a_price() -> None:
    assert night_cents(100_00, date.max, "suite") > 0
