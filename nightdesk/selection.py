"""Which of the hotels shown a guest means: closed lists only, resolved against the list that was shown.

Workflow code consults these, so a change goes under a patch (workflows/release.py).
"""

import re
from collections.abc import Sequence

from nightdesk.boundaries import Shown

_ORDINALS = {
    word: place
    for place, words in enumerate(
        (("first", "1st"), ("second", "2nd"), ("third", "3rd"), ("fourth", "4th"), ("fifth", "5th")), 1
    )
    for word in words
}
_PLACE = r"(?:one|hotel|option|choice|place|result|suggestion|offer)\b"
# Not "hotel 2 nights", "no 3 miles", "option 1.5", "number 2%".
_OF_SOMETHING = (
    r"(?![\d%]|[.,:/-]\d|\s*(?:nights?|days?|weeks?|rooms?|beds?|miles?|people|guests?|dollars|usd|stars?)\b)"
)
_NUMBER = re.compile(
    rf"(?:\b(?:hotel|number|no\.?|option|choice)\s*|#\s*)(\d{{1,3}}){_OF_SOMETHING}"
    # The number alone: "2", "2.", "(2)" and "2 please", but not "$2", "-2" or "2%".
    r"|^[\s\"'(]*(\d{1,3})[\s\"').!?,]*(?:please)?[\s.!]*$",
    re.ASCII,
)
# "the second one", "first hotel", or no more than that; not "the second night", "1st of August", "wait a second".
_ORDINAL = re.compile(
    rf"\b({'|'.join(_ORDINALS)})\s+{_PLACE}|\bthe\s+({'|'.join(_ORDINALS)})(?=[\s.!,]*(?:please)?[\s.!]*$|\s+(?:or|and)\b)"
    rf"|^\W*({'|'.join(_ORDINALS)})[\s.!,]*(?:please)?[\s.!]*$"
)
_NOT_THAT = re.compile(r"\b(?:not|no longer|except|but|instead of|rather than|other than|neither|nor)\b|n['’]t\b")


def named_number(text: str) -> int | None:
    """The number that a message names: "2", "book hotel 2", "option 3", "the first one"; None: none, or several.

    A message that says what it does not want is not for a closed list.
    """
    plain = text.casefold()
    if _NOT_THAT.search(plain):
        return None
    numbers = {int(match[1] or match[2]) for match in _NUMBER.finditer(plain)}
    numbers |= {_ORDINALS[match[1] or match[2] or match[3]] for match in _ORDINAL.finditer(plain)}
    return numbers.pop() if len(numbers) == 1 else None


def by_number(shown: Sequence[Shown], number: int | None) -> Shown | None:
    """The hotel under that number."""
    return next((item for item in shown if item.number == number), None)


def by_name(shown: Sequence[Shown], text: str) -> Shown | None:
    """The one hotel whose whole name is in the text; None when there is none, or more than one."""
    return None if _NOT_THAT.search(_without_names(shown, text)) else _named(shown, text)


def resolve(shown: Sequence[Shown], text: str) -> Shown | None:
    """By name and by number; None when they do not agree. A number alone is the number, whatever a hotel is called."""
    if text.strip().isdigit():
        return by_number(shown, named_number(text))
    named = by_name(shown, text)
    # A name may hold a number: "Hotel 21".
    numbered = by_number(shown, named_number(_without_names(shown, text) if named else text))
    return None if named and numbered and named != numbered else named or numbered


def answer(shown: Sequence[Shown], chosen: str) -> Shown | None:
    """What `choose_hotel` answered: a number of the list, or a name, whole or a part that fits only one hotel."""
    found = resolve(shown, chosen)
    part = " ".join(chosen.casefold().split())
    if found or len(part) < 3 or named_number(chosen) is not None:
        return found
    hits = [item for item in shown if part in item.hotel.name.casefold()]
    return hits[0] if len(hits) == 1 else None


def _named(shown: Sequence[Shown], text: str) -> Shown | None:
    """The longest name first, so that "Harbor Inn" does not name "Harbor" as well."""
    left, hits = " ".join(text.casefold().split()), list[Shown]()
    for item in sorted(shown, key=lambda item: len(item.hotel.name), reverse=True):
        without = _pattern(item).sub(";", left)
        if without != left or any(hit.hotel.name.casefold() == item.hotel.name.casefold() for hit in hits):
            hits.append(item)
        left = without
    return hits[0] if len(hits) == 1 else None


def _without_names(shown: Sequence[Shown], text: str) -> str:
    left = " ".join(text.casefold().split())
    for item in sorted(shown, key=lambda item: len(item.hotel.name), reverse=True):
        left = _pattern(item).sub(";", left)
    return left


def _pattern(item: Shown) -> re.Pattern[str]:
    name = " ".join(item.hotel.name.casefold().split())
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
