"""What a night costs: base rate, season, weekday, US public holidays and room type, in whole cents.

Exact integer arithmetic throughout. The search and the booking transaction call the same function, so
that a price shown is the price booked unless a base rate was changed in between.
"""

from datetime import date, timedelta
from functools import lru_cache

import holidays

SEASONS = (
    # first month and day, percent of the base rate
    ((1, 1), 82),  # quiet winter
    ((3, 16), 98),  # blossom
    ((6, 1), 124),  # rose festival and summer
    ((9, 16), 106),  # autumn
    ((11, 16), 88),
    ((12, 20), 104),  # the holidays
)
WEEKDAYS = {
    # percent by weekday, Monday first: one bed is filled by business travel, the others by weekends
    "one bed": (103, 106, 106, 104, 108, 112, 96),
    "two beds": (96, 97, 98, 100, 112, 116, 99),
    "suite": (97, 98, 98, 101, 114, 118, 100),
}
_FLAT = (100,) * 7
"""For a room type that an operator has added."""
HOLIDAY = 112
"""Percent, for the night of a public holiday and the night before one."""


@lru_cache(maxsize=64)
def _public_holidays(year: int) -> frozenset[date]:
    return frozenset(holidays.country_holidays("US", years=year).keys())


@lru_cache(maxsize=8192)
def _factor(night: date, room_type: str) -> int:
    """Millionths of the base rate."""
    season = [percent for start, percent in SEASONS if start <= (night.month, night.day)][-1]
    weekday = WEEKDAYS.get(room_type, _FLAT)[night.weekday()]
    eve = night + timedelta(days=1) if night < date.max else night
    festive = night in _public_holidays(night.year) or eve in _public_holidays(eve.year)
    return season * weekday * (HOLIDAY if festive else 100)


def night_cents(base_cents: int, night: date, room_type: str) -> int:
    """The price in cents of the night that begins on `night`; half a cent is rounded up."""
    return (base_cents * _factor(night, room_type) + 500_000) // 1_000_000


def stay_cents(base_cents: int, nights: tuple[date, ...], room_type: str) -> tuple[int, ...]:
    """The price of each night, in order. The total of a stay is their sum, nothing else."""
    return tuple(night_cents(base_cents, night, room_type) for night in nights)
