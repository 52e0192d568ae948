"""A city that a guest wants to stay in, where this desk has no hotels: named, and the rest of the message is read."""

import re

from nightdesk.understanding.names import turned_down
from nightdesk.understanding.places import CAPITAL_NEEDED, CITIES, STATE_LETTERS, STATES
from nightdesk.understanding.telling import told
from nightdesk.understanding.view import View

_ANY_LETTERS = "|".join(city for city in CITIES if city not in CAPITAL_NEEDED)
_CITY = rf"(?:(?i:{_ANY_LETTERS})|{'|'.join(sorted(CAPITAL_NEEDED))})"
# "Boise, Idaho", "Salem, MA", "Portland, Maine"; never "…, Oregon".
_TOWN_IN_STATE = rf"(?:[A-Z][\w'.-]+ ?){{1,3}}, ?(?:{'|'.join(STATES)}|Washington|Georgia|(?:{STATE_LETTERS})\b)"
_PLACE = rf"(?P<city>{_TOWN_IN_STATE}|{_CITY}|{'|'.join(STATES)})"
# "in Denver Street", "near the Boston Room", "Seattle's", "in New York Hotel"
_NO_PLACE = (
    r"(?![\w'’-]|,? (?i:hotel\b|inn\b|streets?|st\b|ave(?:nue)?|boulevard|blvd|roads?|rd\b|drive|way\b|parkway|parks?\b"
    r"|square|rooms?\b|suites?\b|style|time\b|(?:on|or) (?:the )?(?:phone|line)))"
)
_THING = (
    r"(?i:hotels?|motels?|inns?|rooms?|suites?|places?|stay(?:ing)?|accommodations?|somewhere|something|anything|lodging"
    r"|booking|reservation|one|beds?|nights?|days?|weeks?|weekend|trip|vacation|book|me|us|search|look|looking|available"
    r"|availability|options)"
)
_WANTED = (
    # "hotels in Denver", "a room near downtown Seattle", "a trip to Boston"
    re.compile(
        rf"\b{_THING} (?:(?:please|there|available|for \w+|to stay) )?(?i:in|near|around|outside(?: of)?|close to|to"
        rf"|at)(?i: the)?(?i: city of| center of| downtown| central)? {_PLACE}{_NO_PLACE}"
    ),
    # "a Seattle hotel", "Denver hotels"
    re.compile(
        rf"(?:\b(?i:an?|any|some|find|show me|list) |^\W*){_PLACE} (?i:hotels?|motels?|accommodations?|lodging)\b"
    ),
    # "what about Seattle?", "do you cover Denver", "Boston please", and no more than that
    re.compile(
        r"^\W*(?i:(?:and|ok(?:ay)?|no|yes|actually|sorry|hi|hello|hey|so|then|well)\b[ ,!.]*){0,3}"
        r"(?i:(?:what|how) about|do you (?:also |even )?(?:do|cover|serve|have|book|know|offer|work)"
        r"|(?:i|we) (?:mean|meant|said)|in|make (?:it|that)|change (?:it|that|the city) to)?(?i: in| for)? ?"
        rf"{_PLACE}{_NO_PLACE}"
        r"(?i:,? (?:instead|please|then|too|as well|though))?\W*$"
    ),
)
# Most messages name no place at all, and are not searched for one.
_WORD = re.compile(r"[a-z]+")
_STATE = re.compile(r", ?[A-Z]{2}\b")
_FIRST_WORDS = frozenset(
    first[0] for name in (*CITIES, *STATES, "Washington", "Georgia") if (first := _WORD.findall(name.lower()))
)
_OURS = re.compile(r"\bportland\b(?!, ?(?:maine|me)\b)|\bpdx\b|\boregon\b", re.IGNORECASE)


def other_city(seen: View) -> str | None:
    """The place in "a hotel in Seattle", in the guest's own letters; None where Portland is named as well."""
    words = seen.words
    if _FIRST_WORDS.isdisjoint(_WORD.findall(words.lower())) and not _STATE.search(words):
        return None
    if _OURS.search(words):
        return None
    for pattern in _WANTED:
        for match in pattern.finditer(words):
            if not turned_down(words.lower(), match.start("city")) and not is_told(seen, match.start("city")):
                return match["city"].strip(" ,")
    return None


def is_told(seen: View, at: int) -> bool:
    """Whether this place in the guest's words only tells of something: "we had a room in Boston last year"."""
    return any(start < stop and seen.starts[start] <= at < seen.stops[stop - 1] for start, stop in told(seen.text)[0])
