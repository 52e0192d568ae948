"""One bed, two beds or a suite."""

from datetime import date

import pytest

from nightdesk.understanding import Reading, read


def said(text: str, context: str | None = "room_type") -> Reading:
    return read(text, today=date(2026, 1, 15), context=context)


@pytest.mark.parametrize(
    ("text", "room"),
    [
        ("one king", "one bed"),
        ("king size bed please", "one bed"),
        ("a room with one bed", "one bed"),
        ("just a single room", "one bed"),
        ("queen please", "one bed"),
        ("a big bed for two", "one bed"),
        ("twin beds", "two beds"),
        ("two doubles", "two beds"),
        ("two beds, not one", "two beds"),
        ("a suite", "suite"),
        ("junior suite", "suite"),
        ("a suite, no wait, two beds", "two beds"),
        ("two beds instead of a suite", "two beds"),
    ],
)
def test_a_room_type_is_read(text: str, room: str) -> None:
    assert said(text).room_type == room


@pytest.mark.parametrize(
    ("text", "code", "options"),
    [
        ("either one bed or two beds", "ambiguous", ("one bed", "two beds")),
        ("a double please", "ambiguous", ("one bed", "two beds")),
        ("three beds", "unsupported", ()),
        ("two bedroom apartment", "unsupported", ()),
    ],
)
def test_an_unclear_room_is_asked_about(text: str, code: str, options: tuple[str, ...]) -> None:
    reading = said(text)
    assert reading.room_type is None
    assert [(remark.code, remark.options) for remark in reading.remarks] == [(code, options)]


@pytest.mark.parametrize("text", ["I work for King County", "does it suit you?", "an en suite bathroom"])
def test_other_kings_and_suites_are_no_room(text: str) -> None:
    assert said(text, context=None).room_type is None


def test_counted_singles_and_counted_double_rooms_are_asked_about() -> None:
    for text in ("three singles", "2 double rooms"):
        reading = read(text, today=date(2026, 1, 15), context="room_type")
        assert (reading.room_type, reading.clarify) == (None, ("ambiguous_room",))


def test_two_beds_of_two_sizes_are_asked_about() -> None:
    reading = read("a queen bed and one single", today=date(2026, 1, 15), context="room_type")
    assert (reading.room_type, reading.clarify) == (None, ("ambiguous_room",))
