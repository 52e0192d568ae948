"""Distances from the airport and the city center, in miles."""

from datetime import date
from decimal import Decimal

import pytest

from nightdesk.understanding import Reading, read


def said(text: str, asked: str | None = None, context: str | None = "distance") -> Reading:
    return read(text, today=date(2026, 1, 15), context=context, asked=asked)


@pytest.mark.parametrize(
    ("text", "asked", "airport", "center"),
    [
        ("within 3 miles of downtown", None, None, "3"),
        ("5 miles from the airport and 2 miles from the city center", None, "5", "2"),
        ("airport: 10 miles, downtown: 3 miles", None, "10", "3"),
        ("within 5 miles of the airport and 2 of downtown", None, "5", "2"),
        ("the airport doesn't matter but within 3 miles of the center", None, None, "3"),
        ("less than ten miles from both", None, "10", "10"),
        ("half a mile from downtown", None, None, "0.5"),
        ("one and a half miles", "airport", "1.5", None),
        ("10 km", "city_center", None, "6.21"),
        ("8 kilometers from the airport", None, "4.97", None),
        ("3", "airport", "3", None),
        ("airport within -5 miles", None, "-5", None),
    ],
)
def test_limits_are_read_in_miles(text: str, asked: str | None, airport: str | None, center: str | None) -> None:
    distance = said(text, asked).distance
    assert distance is not None
    assert distance.airport_miles == (airport and Decimal(airport))
    assert distance.city_center_miles == (center and Decimal(center))


@pytest.mark.parametrize(
    ("text", "code", "quote"),
    [
        ("close to the airport", "near", "airport"),
        ("a 10 minute walk from the center", "near", "10 minute"),
        ("at most 5 miles", "ambiguous", "5 miles"),
        ("over 10 miles from the airport", "minimum", "10 miles"),
        ("far from the airport", "minimum", "far from the airport"),
        ("airport within -5 miles", "negative", "-5 miles"),
    ],
)
def test_a_distance_that_needs_a_question_is_quoted(text: str, code: str, quote: str) -> None:
    assert [(remark.code, remark.quote) for remark in said(text).remarks] == [(code, quote)]


def test_the_airport_shuttle_is_no_distance() -> None:
    reading = said("an airport shuttle and a fitness center", context="amenities")
    assert reading.distance is None
    assert set(reading.amenities) == {"airportShuttle", "fitnessCenter"}
