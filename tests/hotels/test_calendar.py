"""The hotel's date, wherever the program runs."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotels.calendar import ZONE, today, utc_now


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("2027-08-03T06:59:59+00:00", date(2027, 8, 2)),
        ("2027-08-03T07:00:00+00:00", date(2027, 8, 3)),
        ("2027-08-03T08:59:59+02:00", date(2027, 8, 2)),
        ("2027-08-03T15:59:59+09:00", date(2027, 8, 2)),
        ("2027-01-03T07:59:59+00:00", date(2027, 1, 2)),
        ("2027-01-03T08:00:00+00:00", date(2027, 1, 3)),
        ("2027-03-14T07:59:59+00:00", date(2027, 3, 13)),  # the day the clock goes forward: 23 hours
        ("2027-03-15T06:59:59+00:00", date(2027, 3, 14)),
        ("2027-11-07T07:00:00+00:00", date(2027, 11, 7)),  # the day it goes back: 25 hours
        ("2027-11-08T07:59:59+00:00", date(2027, 11, 7)),
        ("2028-02-29T08:00:00+00:00", date(2028, 2, 29)),
    ],
)
def test_the_date_changes_at_midnight_at_the_hotel(moment: str, expected: date) -> None:
    assert today(datetime.fromisoformat(moment)) == expected


@given(st.integers(0, 4_000_000_000).map(lambda second: datetime.fromtimestamp(second, UTC)))
def test_the_date_is_the_one_on_the_hotels_wall_and_never_goes_back(moment: datetime) -> None:
    assert today(moment) == moment.astimezone(ZONE).date()
    assert today(moment) <= today(moment + timedelta(seconds=1)) <= today(moment) + timedelta(days=1)


def test_a_pinned_business_date_is_today() -> None:
    assert today(utc_now(), date(2026, 1, 15)) == date(2026, 1, 15)


def test_a_moment_without_a_zone_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="zone"):
        today(datetime.fromisoformat("2027-08-03T00:00:00"))
