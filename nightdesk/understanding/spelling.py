"""Misspelled words of the desk's own vocabulary ("novemeber", "brekfast") are mended before anything is read."""

import re
from functools import lru_cache

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
_WORD = re.compile(r"[a-z]{3,14}")
# Short words have too many right neighbours to be compared: these are no words of their own.
_SHORT = {
    typed: meant
    for meant, typos in {
        "the": "teh hte",
        "wifi": "wfi wiif wify wiffi wifie wiffy wfii wiifi wi-fy wivi whifi",
        "king": "kign knig kingg",
        "gym": "gim gimm gymn gymm jym gyim",
        "pool": "pol poool poll pooll polo",
        "suite": "siute suiet sutie suitte suitee siuite sweet suiite",
        "search": "serch seach saerch sarch searh searhc seearch seacrh serach",
        "first": "frist fisrt firts firt",
        "second": "secnd secodn scond secon",
        "queen": "quene qeen queeen quen",
        "airport": "airprt airpot aiport",
    }.items()
    for typed in typos.split()
    if typed not in {"polo", "poll", "sweet"}
}
_MONTHS = tuple("january february march april may june july august september october november december".split())
_MONTHS_CUT = (*(month[:3] for month in _MONTHS), "sept")
_NO_MONTH = frozenset("augusta adjust angst adult adults march match marsh jane junk jute jury juno step just".split())
_ORDINAL = (
    "(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\\w+teenth|twent|thirt)"
)
_COUNT = "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\w+teen)"
_BEFORE_A_DAY = re.compile(
    rf"(?<![\w'])([a-z]{{3,10}}+)(?=\.?,? ?(?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)?\b|{_ORDINAL}|{_COUNT}\b))"
)
_IN_A_MONTH = re.compile(r"\b(?:in|of|during|early|mid|late) ([a-z]{4,10})(?![\w'])")
_AFTER_A_DAY = re.compile(
    rf"(?<![\w.,])(?:\d{{1,2}}(?:st|nd|rd|th)?|{_ORDINAL}[\w-]*)(?: of)? ([a-z]{{3,10}})(?![\w'])"
)


def misspellings(text: str) -> list[Swap]:
    """Words one letter (two, in long words) away from the vocabulary, with the same first letter."""
    swaps: list[Swap] = []
    seen: dict[str, str | None] = {}
    for match in _WORD.finditer(text):
        word = match[0]
        if word in _SHORT and not _inside_a_word(text, match.start(), match.end()):
            swaps.append(Swap(match.start(), match.end(), _SHORT[word]))
            continue
        if len(word) < 6 or word in _KNOWN or _inside_a_word(text, match.start(), match.end()):
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


def months(text: str) -> list[Swap]:
    """Words beside the number of a day that can only be a month with letters missing, wrong or swapped."""
    swaps: list[Swap] = []
    seen: set[str] = set()
    for pattern in (_BEFORE_A_DAY, _AFTER_A_DAY, _IN_A_MONTH):
        for match in pattern.finditer(text):
            word = match[1]
            seen.add(word)
            if len(seen) > _MOST:
                break
            if (month := _month(word)) is not None:
                swaps.append(Swap(match.start(1), match.end(1), month))
    swaps.sort(key=lambda swap: swap.start)
    return [swap for place, swap in enumerate(swaps) if not place or swap.start >= swaps[place - 1].stop]


@lru_cache(maxsize=4096)
def _month(word: str) -> str | None:
    """The only month that the word is close to; none for a month that is written rightly."""
    if word in _MONTHS or word in _MONTHS_CUT or word in _NO_MONTH:
        return None
    near = {month for month in _MONTHS if _close(word, month)}
    near |= {
        month
        for month in _MONTHS
        for cut in (month[:3], month[:4])
        if len(word) == len(cut) and word[0] == cut[0] and sorted(word) == sorted(cut)
    }
    return near.pop() if len(near) == 1 else None


def _close(word: str, month: str) -> bool:
    if len(word) < 4 or {word[0], word[1]}.isdisjoint(month[0]):
        return False
    if word[0] != month[0] and word[1] + word[0] != month[:2]:
        return False
    letters = iter(month)
    missing = len(month) > 5 and all(letter in letters for letter in word) and word != month[: len(word)]
    return missing or OSA.distance(word, month) <= (2 if len(month) > 5 else 1)
