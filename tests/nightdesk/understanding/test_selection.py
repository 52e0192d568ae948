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


@pytest.mark.parametrize(
    "text",
    [
        "the second one from the end",
        "the last but one",
        "2 or 4",
        "hotel 1 or hotel 3",
        "the first and the third look nice",
        "the cheaper of them, the cheaper one",
        "I want the one with a sauna",
        "book the hotel near the harbour",
    ],
)
def test_a_choice_that_names_no_one_hotel_is_asked_about(text: str) -> None:
    reading = said(text)
    assert (reading.intent, reading.clarify) == ("book", ("which_hotel",))
    assert (reading.selection, reading.amenities, reading.distance, reading.dates) == (None, (), None, None)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("lets book the wexford", "wexford"),
        ("i'll take the old customs house", None),
        ("the wexford sounds good", "wexford"),
        ("go with ember & oak please", "ember & oak"),
        ("book something nicer", None),
        ("go for it", None),
        ("pick whatever you like", None),
        ("the price looks good", None),
        ("choose for me", None),
    ],
)
def test_a_name_in_small_letters_needs_a_word_of_choosing_and_no_common_word(text: str, name: str | None) -> None:
    selection = said(text).selection
    assert (selection.name if selection else None) == name


def test_a_name_that_is_turned_down_hides_no_other() -> None:
    reading = said("not the Hilton, book the Brook Inn instead")
    assert reading.selection == SelectionReading(name="Brook Inn")


def test_best_is_a_choice_only_with_an_article() -> None:
    assert said("the best one").selection == SelectionReading(superlative="best")
    assert said("mornings work best for us").selection is None


def test_a_hotel_that_is_blamed_is_not_chosen() -> None:
    assert said("the third one is too noisy").selection is None
    assert said("the third one has awful photos").selection is None
    assert said("the third one is lovely").selection == SelectionReading(number=3)


def test_a_yes_before_please_is_no_name() -> None:
    assert said("Yes. Please do it.", "confirm").selection is None
