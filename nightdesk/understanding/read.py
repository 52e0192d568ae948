"""One message in, one Reading out."""

import re
import unicodedata
from dataclasses import replace
from datetime import date
from typing import Literal, cast

from nightdesk.understanding.amenities import AmenitiesFound, read_amenities
from nightdesk.understanding.asides import INJECTION, about_prices, about_the_shown_hotel, another_errand, elsewhere
from nightdesk.understanding.cities import other_city
from nightdesk.understanding.distance import DistanceFound, read_distance
from nightdesk.understanding.hedges import hedges_in, hold_back
from nightdesk.understanding.intent import changes, intent_without_values, polarity_of
from nightdesk.understanding.money import BudgetFound, read_budget
from nightdesk.understanding.normalise import LIMIT
from nightdesk.understanding.preference import left_open
from nightdesk.understanding.reading import Intent, Reading
from nightdesk.understanding.rooms import RoomFound, read_room
from nightdesk.understanding.selection import SelectionFound, read_selection
from nightdesk.understanding.stays import StayFound, read_stay
from nightdesk.understanding.telling import told
from nightdesk.understanding.view import Notes, View, view

_WORD = re.compile(r"\w+")
_CONDITION = re.compile(
    r"\b(?:only if|if|unless|provided|as long as)\b[^.,!?;]*"
    r"|\b(?:that's|that is|it says|you have|you put) (?:only )?\d+ (?:nights?|days?|beds?|rooms?)\b"
)
_MOST_WORDS = 900
"""A message of 4,000 characters has some 700 words; more are rubbish, and cost more time than they are worth."""
_NUMBER = re.compile(r"\d+")
_MOST_NUMBERS = 120
"""As many numbers as no message to a hotel has."""
_ASKABLE: dict[str, Intent] = {
    "dates": "dates",
    "budget": "budget",
    "room_type": "room_type",
    "amenities": "amenities",
    "distance": "distance",
}


def read(text: str, *, today: date, context: str | None = None, asked: str | None = None) -> Reading:
    """Reads one message of a guest, the same way for the same arguments, and raises for no text.

    `today` is the hotel's date, for relative days. `context` is what the guest was asked: dates, budget, room_type,
    amenities, distance, confirm, search_results, select, anything_else or None; `asked` is finer: check_in,
    check_out, nights, airport, city_center. Longer texts than 4,000 characters are not read.
    """
    seen = view(text)
    if (unread := _unreadable(text, seen, context)) is not None:
        return unread
    reading = _read(seen, today, context, asked)
    found = hedges_in(seen.text)
    if not found:
        return reading
    firm = _read(seen.without([hedge.reach for hedge in found], " "), today, context, asked)
    full = _read(seen.without([hedge.words for hedge in found], " "), today, context, asked)
    return hold_back(seen, found, reading, firm, full)


def _read(seen: View, today: date, context: str | None, asked: str | None) -> Reading:
    if INJECTION.search(seen.text):
        return Reading(because=("injection",))
    if about_the_shown_hotel(seen.text, context):
        return Reading(because=("question_about_hotel",))
    if about_prices(seen.text, context):
        return Reading(because=("question_about_prices",))
    if another_errand(seen.text, context):
        return Reading(because=("another_errand",))
    notes = Notes()
    beside, dated = told(seen.text)
    if context == "confirm":  # "yes if breakfast is included" sets nothing and agrees to nothing
        beside = [*beside, *(match.span() for match in _CONDITION.finditer(seen.text))]
    asking = seen.without(beside, " ")  # as if it had not been said
    chosen = read_selection(asking, context, notes)
    rest = asking.without(list(chosen.spans))
    stay = read_stay(rest, today, context, asked, notes)
    rest = rest.without(list(stay.spans))
    if dated and context == "dates" and not stay.mentioned:
        notes.ask("dates", "unclear", seen.words.strip()[:80], why="which_days")
        stay = replace(stay, mentioned=True)
    distance = read_distance(rest, context, asked, notes)
    rest = rest.without(list(distance.spans))
    others = chosen.selection is not None or stay.mentioned or distance.mentioned
    room = read_room(rest, context, notes, others=others)
    amenities = read_amenities(rest.without(list(room.spans)), context, notes)
    others = others or room.mentioned or amenities.mentioned
    budget = read_budget(rest.without(list(room.spans)), asking.text, context, notes, others=others)
    return _together(seen, rest, context, notes, chosen, stay, distance, room, amenities, budget)


def _unreadable(text: str, seen: View, context: str | None) -> Reading | None:
    """Nothing to read, too much to read, or letters that are not read."""
    if (
        len(text) > LIMIT
        or len(_WORD.findall(seen.words)) > _MOST_WORDS
        or len(_NUMBER.findall(seen.words)) > _MOST_NUMBERS
    ):
        return Reading(intent=_asked_about(context), clarify=("too_long",), because=("too_long",))
    if seen.words.isascii() and any(char.isalnum() for char in seen.words):
        return None
    letters = [char for char in seen.words if char.isalpha()]
    if not letters and not any(char.isdigit() for char in seen.text):
        why = "not_understood" if seen.words.strip() else "empty"
        return Reading(clarify=(why,), because=(why,))
    foreign = sum(not unicodedata.name(char, "").startswith(("LATIN", "MICRO", "DIGIT")) for char in letters)
    if foreign * 2 > len(letters):
        return Reading(intent=_asked_about(context), clarify=("language",), because=("language",))
    return None


def _asked_about(context: str | None) -> Intent:
    return _ASKABLE.get(context or "", "other")


def _together(
    seen: View,
    rest: View,
    context: str | None,
    notes: Notes,
    chosen: SelectionFound,
    stay: StayFound,
    distance: DistanceFound,
    room: RoomFound,
    amenities: AmenitiesFound,
    budget: BudgetFound,
) -> Reading:
    named = {
        "dates": stay.mentioned,
        "budget": budget.mentioned,
        "room_type": room.mentioned,
        "amenities": amenities.mentioned,
        "distance": distance.mentioned,
    }
    given = frozenset(criterion for criterion, is_named in named.items() if is_named and criterion != "amenities")
    if amenities.wanted or amenities.any_of:
        given |= {"amenities"}
    unmasked = rest.without(list(amenities.spans))
    open_ones = left_open(unmasked, context, notes, given=given, amenities_named=bool(amenities.spans))
    mentioned = [criterion for criterion, is_named in named.items() if is_named or criterion in open_ones]
    clarify = list(notes.clarify)
    intent = _intent(seen, context, mentioned, amenities, notes, chosen=chosen.selection is not None)
    if not mentioned and intent == "affirm" and context in _ASKABLE:
        clarify.append("which_value")
    return Reading(
        intent=intent,
        dates=stay.stay,
        budget=budget.budget,
        room_type=room.room_type,
        amenities=amenities.wanted,
        amenities_not_needed=amenities.not_needed,
        amenities_any_of=amenities.any_of,
        distance=distance.distance,
        no_preference=bool(open_ones),
        no_preference_for=open_ones,
        selection=chosen.selection,
        correction=stay.corrected or changes(seen.text),
        polarity=cast(Literal["affirm", "negate"] | None, polarity_of(seen.text)),
        unsupported=_unsupported(seen, notes, chosen=chosen.selection is not None),
        clarify=tuple(clarify),
        remarks=tuple(notes.remarks),
        because=tuple(notes.because),
    )


def _unsupported(seen: View, notes: Notes, *, chosen: bool) -> tuple[str, ...]:
    named = [remark.quote for remark in notes.remarks if remark.code == "unsupported"]
    if not chosen and (city := other_city(seen)) is not None:
        named.append(city)
        notes.fired("place.other_city")
    return tuple(named)


def _intent(
    seen: View, context: str | None, mentioned: list[str], amenities: AmenitiesFound, notes: Notes, *, chosen: bool
) -> Intent:
    if chosen:
        return "multi" if mentioned else "book"
    if len(mentioned) > 1:
        return "multi"
    if mentioned:
        return cast(Intent, mentioned[0])
    if any(remark.criterion == "selection" for remark in notes.remarks):
        return "book"
    if re.search(r"\?|\bdon't know\b", seen.text) and elsewhere(seen.text):
        return "other"
    intent = intent_without_values(seen.text, seen.words, context)
    unsupported = [remark.criterion for remark in notes.remarks if remark.code == "unsupported"]
    if unsupported and intent in {"other", "search"}:
        return cast(Intent, unsupported[0])
    return intent
