"""Choosing among the hotels shown."""

from datetime import date

import pytest

from nightdesk.understanding import Reading, SelectionReading, read


def said(text: str, context: str | None = "search_results") -> Reading:
    return read(text, today=date(2026, 1, 15), context=context)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("option 3", 3),
        ("book hotel 99", 99),
        ("book hotel 1", 1),
        ("number two please", 2),
        ("#2", 2),
        ("2", 2),
        ("3rd", 3),
        ("the first one", 1),
        ("I'd like the second option", 2),
        ("let's go with number 4", 4),
        ("the last one", -1),
    ],
)
def test_a_hotel_is_chosen_by_its_number(text: str, number: int) -> None:
    reading = said(text)
    assert reading.intent == "book"
    assert reading.selection == SelectionReading(number=number)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("I'll go with Seaside Inn", "Seaside Inn"),
        ("Book the Riverside Lodge please", "Riverside Lodge"),
        ("the Grand Plaza sounds good", "Grand Plaza"),
        ("riverside lodge", "riverside lodge"),
        ("please reserve the Queens Boutique Suites for me", "Queens Boutique Suites"),
    ],
)
def test_a_hotel_is_chosen_by_its_name_and_the_name_is_nothing_else(text: str, name: str) -> None:
    reading = said(text)
    assert reading.selection == SelectionReading(name=name)
    assert reading.room_type is None
    assert not reading.amenities


@pytest.mark.parametrize(
    ("text", "selection"),
    [
        ("book that one", SelectionReading(ref="current")),
        ("I'll take it", SelectionReading(ref="current")),
        ("the cheapest one please", SelectionReading(superlative="cheapest")),
        ("any of them", SelectionReading(any=True)),
    ],
)
def test_a_hotel_is_pointed_at(text: str, selection: SelectionReading) -> None:
    assert said(text).selection == selection


@pytest.mark.parametrize(
    "text",
    [
        "not that one",
        "none of these",
        "I don't want to book the Hilton",
        "that hotel is too far",
        "anything else?",
        "5 stars",
        "either 1 or 2",
        "room 2",
        "what about it?",
    ],
)
def test_no_hotel_is_chosen_by_a_refusal_or_a_doubt(text: str) -> None:
    assert said(text).selection is None


@pytest.mark.parametrize(
    "text",
    [
        "is that with parking?",
        "does it have a gym?",
        "how far is it from the airport?",
        "can I bring 2 dogs?",
        "what time is check in",
    ],
)
@pytest.mark.parametrize("context", ["search_results", "select", "confirm"])
def test_a_question_about_a_shown_hotel_changes_nothing(text: str, context: str) -> None:
    assert said(text, context) == Reading(because=("question_about_hotel",))
