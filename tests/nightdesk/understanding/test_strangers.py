"""Cities and hotels that are not ours are recognised by kinds of wording; anything of Portland never is."""

import pytest

from hotels.catalogue import catalogue
from nightdesk.understanding.cities import other_city
from nightdesk.understanding.strangers import missing, strange_hotel
from nightdesk.understanding.view import view

OURS = [hotel.name for hotel in catalogue()]


@pytest.mark.parametrize(
    ("text", "city"),
    [
        ("I need a room in Chicago from May 4 to 8", "Chicago"),
        ("hotels in minneapolis please", "minneapolis"),
        ("something near downtown Boston", "Boston"),
        ("a Nashville hotel for two nights", "Nashville"),
        ("What about Atlanta instead?", "Atlanta"),
        ("do you also cover Detroit", "Detroit"),
        ("two nights in Las Vegas", "Las Vegas"),
        ("a suite in Burlington, Vermont", "Burlington, Vermont"),
        ("a hotel in Portland, Maine", "Portland, Maine"),
        ("a room in Ohio", "Ohio"),
    ],
)
def test_a_city_that_is_not_ours_is_named(text: str, city: str) -> None:
    assert other_city(view(text)) == city


@pytest.mark.parametrize(
    "text",
    [
        "a room in August",
        "a suite in Downtown",
        "hotels in Portland, I come from Chicago",
        "a hotel near PDX",
        "somewhere in the Pearl District",
        "a room in Hawthorne",
        "two nights in May",
        "a room on Boston Avenue",
        "hotels near Washington Park",
        "I live in Chicago and need a suite",
        "flying in from Denver on May 4",
        "we had a room in Boston last year. Now I need one bed",
        "a room for Austin Miller",
        "stay at the Nines",
        "a hotel in town",
        "Great, OK",
        "Good, ME too",
        "Sure, HI",
    ],
)
def test_what_may_be_of_portland_is_no_other_city(text: str) -> None:
    assert other_city(view(text)) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("do you have the Ritz?", "Ritz"),
        ("book me the sheraton", "sheraton"),
        ("we'd like the Holiday Inn Express", "Holiday Inn Express"),
        ("a room at the Marriott Waterfront from May 4", "Marriott Waterfront"),
        ("I want to stay at the Winterbourne Hotel", "Winterbourne Hotel"),
        ("is there a Hotel Belvedere", "Hotel Belvedere"),
        ("a suite at the Westin August 3 to 9", "Westin"),
    ],
)
def test_a_hotel_that_is_not_ours_is_named(text: str, name: str) -> None:
    assert strange_hotel(view(text), OURS) == name


@pytest.mark.parametrize(
    "text",
    [
        "not the Hilton",
        "a hotel near the Hilton",
        "nicer than the Ritz",
        "I have Hilton points",
        "we stayed at the Hyatt last year",
        "my wedding is at the Hyatt on the 5th",
        "I want a Nice Hotel",
        "book the Airport Hotel",
        "the Downtown Inn",
        "a room at a Portland Hotel",
        "book the first Hotel",
        "stay at the Nines",
    ],
)
def test_what_is_no_wish_for_such_a_hotel_is_left_alone(text: str) -> None:
    assert strange_hotel(view(text), OURS) is None


@pytest.mark.parametrize("name", OURS)
def test_no_hotel_of_ours_is_a_stranger_whole_in_part_or_misspelled(name: str) -> None:
    words = [word for word in name.removeprefix("The ").split() if len(word) > 3]
    parts = [name, f"{words[0]} Hotel", f"{words[-1]} Inn", f"{words[0][:-2]}{words[0][-1]}{words[0][-2]} Hotel"]
    for part in parts:
        for wish in ("book {}", "I want to stay at the {} please", "do you have the {}?"):
            assert strange_hotel(view(wish.format(part)), OURS) is None, part


def test_with_no_names_of_ours_only_a_brand_is_a_stranger() -> None:
    assert strange_hotel(view("book the Winterbourne Hotel"), ()) is None
    assert strange_hotel(view("book the Hilton"), ()) == "Hilton"
    assert strange_hotel(view("book the Hilton"), ("Hilton Riverside",)) is None, "another team's list may have one"


def test_one_of_ours_that_is_not_shown_is_told_from_a_stranger() -> None:
    assert missing(view("rather the copper heron"), ["Pinwheel Hotel"], OURS) == "The Copper Heron"
    assert missing(view("the pinwheel hotel"), ["Pinwheel Hotel"], OURS) is None
