"""A hotel's name that is none of ours: "do you have the Ritz?", "book me the Grosvenor Inn". A miss is better than a
false alarm, so that only brands count, and names that say themselves that they are a hotel's."""

import re
from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz

from nightdesk.understanding.cities import is_told
from nightdesk.understanding.names import turned_down
from nightdesk.understanding.places import BRANDS
from nightdesk.understanding.view import View

_PROPER = r"[A-Z][\w'’&-]*(?: (?:(?:of|the|and|&|at|by) )?[A-Z][\w'’&-]*){0,4}"
_BRAND = re.compile(rf"(?<![\w'’-])(?P<name>(?i:{'|'.join(BRANDS)})(?:(?: | at | by ){_PROPER})?)(?![\w-])")
_HOTEL = r"(?i:hotel|inn|lodge|motel|resort|hostel|palace|guest ?house|bed and breakfast|b&b)"
_NAMED = re.compile(
    r"(?i:\b(?:book|reserve|want|take|like|stay(?:ing)? (?:at|in)|rooms? (?:at|in)|nights? (?:at|in)|suite at|prefer"
    r"|(?:do|did) you (?:have|know|list)|is there|have you(?: got)?|how about|what about|go (?:for|with)|try|choose"
    rf"|looking for|available at|something at)\b)(?: (?i:me|us|in|into|at|for|also))* (?i:the |an? )?"
    rf"(?P<name>(?i:hotel) {_PROPER}|{_PROPER} {_HOTEL})(?![\w-])"
)
# "near the Hilton", "like the Ritz": a landmark or a comparison; "Hilton points": no stay
_ASIDE_BEFORE = re.compile(
    r"\b(?:near|close to|next to|beside|by|across from|opposite|behind|past|(?<!'d )(?<!would )(?<!i )like|than|as"
    r"|from|of|works? (?:at|for)|(?:far|walk|close|miles?|minutes?|distance|way|drive|ride|taxi) to"
    r"|working (?:at|for)|(?:meeting|conference|wedding|event|dinner|lunch|party|drinks|bar|fair) (?:at|in))"
    r" (?:the |an? )?$",
    re.IGNORECASE,
)
_ASIDE_AFTER = re.compile(
    r"(?:'s|’s)? (?:points?|honou?rs|members?\w*|rewards?|card|vouchers?|coupons?|gift|status|account|bonvoy|app)\b",
    re.IGNORECASE,
)
_COMMON = frozenset(
    """the a an and of at by in on hotel hotels inn lodge motel resort hostel palace guesthouse guest house suite suites
    rooms lodgings bed breakfast b&b motor portland oregon downtown airport pdx city center centre central street avenue
    park any some good nice cheap best pet free other another same first second third last this that which what my your
    our one two three please yes no hi hello book find need show north south east west northeast northwest southeast
    southwest ne nw se sw pearl district old town riverside river waterfront january february march april may june july
    august september october november december monday tuesday wednesday thursday friday saturday sunday""".split()
)
_WORD = re.compile(r"[\w&'’-]+")
_ALIKE = 72
"""How alike two words have to be, of 100, to be taken for the same one misspelled: low, since a miss is better."""
_NO_PART = re.compile(
    r" (?:i|in|on|from|for|please|today|tomorrow|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
    r"|(?:mon|tues?|wednes|thurs?|fri|satur|sun)day)\b.*",
    re.IGNORECASE,
)
"""What follows a name with a capital of its own."""


def strange_hotel(seen: View, ours: Sequence[str]) -> str | None:
    """A hotel that the guest asks for by a name that shares no word with `ours`, in their own letters.

    With no names of ours to hold it against, only a brand known everywhere is surely none of them.
    """
    known = {word for name in ours for word in _telling_words(name)}
    brand = next((name for name in _named(seen, _BRAND) if not _telling_words(name) & known), None)
    if brand or not ours:
        return brand
    return next((name for name in _named(seen, _NAMED) if _is_strange(name, known)), None)


def strange_choice(name: str, shown: Sequence[str]) -> bool:
    """Whether a name that was read as a choice among the hotels shown shares no word with any of them."""
    return _is_strange(name, {word for hotel in shown for word in _telling_words(hotel)})


def _is_strange(name: str, known: set[str]) -> bool:
    telling = _telling_words(name)
    return bool(telling) and not any(fuzz.ratio(word, other) >= _ALIKE for word in telling for other in known)


def missing(seen: View, shown: Sequence[str], ours: Sequence[str]) -> str | None:
    """A hotel of `ours` that the guest names whole, but that is none of those shown to them."""
    text = " ".join(seen.text.split())
    listed = {name.casefold() for name in shown}
    for name in ours:
        short = name.casefold().removeprefix("the ")
        at = re.search(rf"(?<![\w']){re.escape(short)}(?![\w'])", text) if name.casefold() not in listed else None
        if at and len(_telling_words(name)) > 1 and not turned_down(text, at.start()):
            return name
    return None


def _named(seen: View, pattern: re.Pattern[str]) -> Iterator[str]:
    words = seen.words
    for match in pattern.finditer(words):
        at, stop = match.span("name")
        if _ASIDE_BEFORE.search(words, max(0, at - 40), at) or _ASIDE_AFTER.match(words, stop):
            continue
        if not turned_down(words.lower(), at) and not is_told(seen, at):
            yield _NO_PART.sub("", match["name"])


def _telling_words(name: str) -> set[str]:
    """The words that tell one hotel from another."""
    return {word for word in _WORD.findall(name.casefold()) if word not in _COMMON and len(word) > 1}
