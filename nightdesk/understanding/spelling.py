"""Misspelled words of the desk's own vocabulary ("novemeber", "brekfast") are mended before anything is read."""

import re

from rapidfuzz import process
from rapidfuzz.distance import OSA

from nightdesk.understanding.numbers import Swap

_MOST = 150
"""Different words of one message that are compared; the rest are taken as written, so that time stays bounded."""

_VOCABULARY = tuple(
    """january february april august september october november december monday tuesday wednesday thursday friday
    saturday tomorrow tonight weekend breakfast parking wireless internet fitness kitchen kitchenette restaurant
    concierge boutique tennis charger charging streaming netflix shuttle airport downtown distance kilometers
    reception connecting adjoining conference outdoor indoor smoking friendly amenities preference expensive
    maximum minimum dollars budget reservation checkout accessible cheapest moderate moderately""".split()
)
# Right words that differ from one of these by a letter.
_RIGHT = frozenset(
    """changing changer charged charger charges marking parting barking packing monday's fridays mondays parkings
    saturdays sundays tuesdays thursdays airports dollar distances distant reservations checkouts restaurants
    indoors outdoors tonights deception perception preferences amenity budgets budgeting concierges smoking
    smoking's stocking soaking unfriendly fitness's wireless kitchens shuttles shuttled minimums maximums charge
    connection connections directing cheapest weekends weekend's weekday weekdays expense expansive inexpensive
    kilometer internal interest kilometres kilometre conferences accessibly""".split()
)
_KNOWN = frozenset(_VOCABULARY) | _RIGHT
_WORD = re.compile(r"[a-z]{6,14}")


def misspellings(text: str) -> list[Swap]:
    """Words one letter (two, in long words) away from the vocabulary, with the same first letter."""
    swaps: list[Swap] = []
    seen: dict[str, str | None] = {}
    for match in _WORD.finditer(text):
        word = match[0]
        if word in _KNOWN or _inside_a_word(text, match.start(), match.end()):
            continue
        if word not in seen:
            if len(seen) >= _MOST:
                continue
            seen[word] = _nearest(word)
        if (meant := seen[word]) is not None:
            swaps.append(Swap(match.start(), match.end(), meant))
    return swaps


def _inside_a_word(text: str, start: int, stop: int) -> bool:
    return (start > 0 and text[start - 1].isalnum()) or (stop < len(text) and text[stop].isalnum())


def _nearest(word: str) -> str | None:
    found = process.extractOne(word, _VOCABULARY, scorer=OSA.distance, score_cutoff=2)
    if found is None or found[0][0] != word[0]:
        return None
    return found[0] if found[1] <= (2 if min(len(word), len(found[0])) >= 9 else 1) else None
