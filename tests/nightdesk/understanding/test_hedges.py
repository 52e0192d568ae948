"""A hedge about the value itself holds it back; a plan, politeness or a firm value beside it does not."""

from datetime import date

import pytest

from nightdesk.understanding import Reading, read

TODAY = date(2026, 1, 15)


def said(text: str, context: str | None = None, asked: str | None = None) -> Reading:
    return read(text, today=TODAY, context=context, asked=asked)


def values(reading: Reading) -> list[str]:
    named = {
        "dates": reading.dates,
        "budget": reading.budget,
        "room_type": reading.room_type,
        "amenities": reading.amenities,
        "distance": reading.distance,
    }
    return [name for name, value in named.items() if value]


@pytest.mark.parametrize(
    ("context", "text", "criterion"),
    [
        ("dates", "maybe the 20th", "dates"),
        ("dates", "the 20th, perhaps", "dates"),
        ("dates", "possibly May 6 to May 8, 2026", "dates"),
        ("dates", "we might come on May 6", "dates"),
        ("dates", "I think the 20th would suit us", "dates"),
        ("dates", "I'm thinking of May 6 to 8", "dates"),
        ("dates", "something like May 6", "dates"),
        ("dates", "it could be the 20th", "dates"),
        ("dates", "4 nights or so", "dates"),
        ("dates", "hmm, not sure yet, the 20th", "dates"),
        ("dates", "I don't know, May 6?", "dates"),
        ("dates", "tentatively Friday to Sunday", "dates"),
        ("budget", "perhaps 180", "budget"),
        ("budget", "180 I suppose", "budget"),
        ("budget", "I might go up to 180", "budget"),
        ("budget", "no more than 180, probably", "budget"),
        ("room_type", "two beds, I guess", "room_type"),
        ("room_type", "we are considering a suite", "room_type"),
        ("amenities", "maybe a gym", "amenities"),
        ("distance", "perhaps 4 miles from the airport", "distance"),
    ],
)
def test_a_hedged_value_is_held_back_and_proposed(context: str, text: str, criterion: str) -> None:
    reading = said(text, context)
    assert values(reading) == []
    assert [(remark.criterion, remark.code) for remark in reading.remarks] == [(criterion, "unsure")]
    assert "unsure" in reading.clarify
    assert reading.proposed is not None
    assert values(reading.proposed) == [criterion]
    assert "proposed" not in reading.model_dump()


@pytest.mark.parametrize(
    ("text", "firm", "unsure"),
    [
        ("a suite from May 6 to 8, maybe with parking", ["dates", "room_type"], ["amenities"]),
        ("May 6 to 8. Probably two beds. At most 180 a night.", ["dates", "budget"], ["room_type"]),
        ("I'm not sure about the price, but two beds from May 6 to 8", ["dates", "room_type"], []),
        ("wifi and perhaps parking", ["amenities"], ["amenities"]),
        ("arriving on May 6, maybe until May 8", ["dates"], ["dates"]),
        ("a suite I think, from May 6 to 8", ["dates"], ["room_type"]),
    ],
)
def test_what_is_said_firmly_in_the_same_message_stays(text: str, firm: list[str], unsure: list[str]) -> None:
    reading = said(text)
    assert values(reading) == firm
    assert [remark.criterion for remark in reading.remarks if remark.code == "unsure"] == unsure


@pytest.mark.parametrize(
    "text",
    [
        "I think we will stay from May 6 to 8",
        "I guess I need a room from May 6 to 8",
        "could you possibly find something from May 6 to 8",
        "perhaps you could look for May 6 to 8",
        "we might as well stay from May 6 to 8",
        "is there perhaps a room from May 6 to 8",
    ],
)
def test_a_plan_and_politeness_are_no_hedges(text: str) -> None:
    reading = said(text, "dates")
    assert reading.dates is not None
    assert (reading.dates.check_in, reading.dates.check_out) == (date(2026, 5, 6), date(2026, 5, 8))


def test_one_of_two_is_asked_about_as_two_and_a_choice_among_hotels_stays_one() -> None:
    assert said("the 20th or maybe the 21st", "dates").clarify == ("ambiguous_date",)
    chosen = said("maybe the second one", "search_results").selection
    assert chosen is not None
    assert chosen.number == 2
    assert said("I guess any price is fine", "budget").no_preference_for == ("budget",)
