"""Which of the hotels shown a guest means: closed lists only, resolved against the list that was shown."""

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
_NUMBER = re.compile(r"(?:\b(?:hotel|number|no\.?|option|choice|room)\s*|#\s*)(\d{1,3})\b|^\W*(\d{1,3})\W*$", re.ASCII)


def named_number(text: str) -> int | None:
    """The number that a message names: "2", "book hotel 2", "option 3", "the first one"; None: none, or several."""
    plain = text.casefold()
    numbers = {int(match[1] or match[2]) for match in _NUMBER.finditer(plain)}
    numbers |= {_ORDINALS[word] for word in re.findall(r"[a-z0-9]+", plain) if word in _ORDINALS}
    return numbers.pop() if len(numbers) == 1 else None


def by_number(shown: Sequence[Shown], number: int | None) -> Shown | None:
    """The hotel under that number."""
    return next((item for item in shown if item.number == number), None)


def by_name(shown: Sequence[Shown], text: str) -> Shown | None:
    """The one hotel whose whole name is in the text; None when there is none, or more than one."""
    plain = " ".join(text.casefold().split())
    hits = [item for item in shown if item.hotel.name.casefold() in plain]
    return hits[0] if len(hits) == 1 else None


def resolve(shown: Sequence[Shown], text: str) -> Shown | None:
    """By name, else by number."""
    return by_name(shown, text) or by_number(shown, named_number(text))


def answer(shown: Sequence[Shown], chosen: str) -> Shown | None:
    """What `choose_hotel` answered: a number of the list, or a name, whole or a part that fits only one hotel."""
    found = resolve(shown, chosen)
    part = " ".join(chosen.casefold().split())
    if found or len(part) < 3:
        return found
    hits = [item for item in shown if part in item.hotel.name.casefold()]
    return hits[0] if len(hits) == 1 else None
