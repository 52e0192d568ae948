"""A hotel's name in a guest's message: after a word of choosing, at its front, or a name known everywhere."""

import re
from collections.abc import Iterator

from nightdesk.understanding.view import Span, View

_NOT_CHOSEN = re.compile(
    r"\b(?:not|don't|do not|didn't|n't|instead of|rather than|other than|except|no)\b[^.,;]{0,25}$"
    r"|\b(?:than|(?:anything|any|all|everything) but) (?:the |that |number )?$"
)

_PLACE_WORD = (
    r"hotels?|inns?|resorts?|lodge|motel|hostel|palace|plaza|suites|guest ?house|bed and breakfast|b&b|villas?"
    r"|manor|marriott|hilton|hyatt|sheraton|westin|ritz|radisson"
    r"|novotel|ibis|ramada|wyndham|doubletree|courtyard|hampton|intercontinental|fairmont|four seasons"
    r"|best western|holiday inn|embassy|kimpton|omni"
)
_CUE = (
    r"book(?: me| us)?(?: in| into| at)?|reserve|take|try|stay(?:ing)? (?:at|in)|go(?:ing)? (?:with|for)|make it"
    r"|choose|pick|prefer|select|get me in(?:to)?(?: at)?"
    r"|(?:reservation|rooms?|nights?|booking|book|stay) (?:at|in)|(?:days?|weeks?|beds?|suites?) at|suggest(?:ed|s)?"
    r"|recommend(?:ed|s)?"
    r"|(?:change|switch) (?:it |that |the (?:hotel|booking|reservation) )?to|i(?:'d like|'ll have| want| would like)"
    r"|(?:hotel|place|inn)(?:'s name)? is(?: called)?|"
    r"(?:hotel|place|one) (?:called|named)|how about|what about|let's do"
    r"|i (?:really )?(?:like|love)"
)
_STOP = (
    r"(?=\s*(?:[.,;!?]|$|\b(?:please|from|for|on|instead|again|then|checking|check|starting|with|until|till|is"
    r"|sounds|looks|seems|would|will|and (?:i|we|check|book)|but|if|because|this|next|tomorrow"
    r"|today|tonight|in [a-z]+|thanks|thank|at \d|to stay|it|that|which|who|so|as|arriving|leaving)\b|·))"
)
# "the Ritz August 3": the day is not of the name
_NO_DAY = (
    r"(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? (?:the )?\d"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b)"
)
# In the guest's own letters: a capitalised name after a word of choosing, or one that says it is a hotel.
_PROPER = (
    r"(?:\d{1,3}\s(?=[A-Z]))?"  # "54 Elm Gate"
    rf"(?:[A-Z][\w'&+.-]*)(?:\s{_NO_DAY}(?:(?:of|the|and|at|by|de|la|le|du|on|del)\s)?(?:[A-Z&+][\w'&+-]*|\d+(?=\s[A-Z])))*"
)
_CUED_NAME = re.compile(
    rf"(?i:\b(?:{_CUE}))\s(?i:(?:for|at|to|in|with)\s)?(?i:the\s)?(?P<name>{_PROPER})"
    rf"(?:{_STOP.replace('(?=', '(?=(?i:', 1)[:-1]}))|(?P<unstopped>\b))"
)
_NAME_FIRST = re.compile(
    rf"^(?i:(?:ok(?:ay)?|yes|great|perfect|hmm"
    rf"|actually)[, ]+)?(?i:the\s)?(?P<name>{_PROPER})(?=(?i:,? (?:is (?:what|the one|perfect|fine|good|great)"
    rf"|sounds|please|works|it is|then)\b|\W*$))"
)
# In any letters: up to five words that end in, or start with, a word for a hotel.
_LOWER_NAME = re.compile(
    rf"(?:^|\b(?:{_CUE}) )(?:(?:at|to|in|with|the|for) )*(?P<name>(?:(?!(?:an?|any|another|this|that|the|same|my"
    rf"|your|other|different|cheap\w*|good|nice|new|find|hotel|hotels|me|for|in|at|i|we|it|pet-friendly|luxury"
    rf"|expensive|boutique|search|some|more|which|what|does|is|their|room|rooms|book|stay|1|one|can|you|please"
    rf"|need|want|yes|no|ok|okay)\b)[\w'&+-]+ ){{1,5}}(?:{_PLACE_WORD})\b(?:(?! (?:please|from|for|on|instead"
    rf"|again|then|checking|check|starting|with|until|till|is|sounds|looks|and|but|if|in|to|near|that|which|at|of"
    rf"|there|where|close)\b) [\w'&+-]+){{0,3}})"
)
# "lets book the langham", "the langham sounds good": small letters and no word for a hotel, where hotels are listed.
_PLAIN = r"(?:the )?(?P<name>[a-z\d][\w'&+.-]*(?: [a-z\d&+][\w'&+.-]*){0,3}?)"
_PLAIN_CUE = (
    r"(?:book|reserve|choose|pick|select|go(?:ing)? (?:with|for)|stay(?:ing)? at|get me in(?:to| at)?"
    r"|(?:i'll|we'll|will|let's|lets) take|prefer(?= the)|want(?= the))(?: (?:me|us))?(?: (?:in|into|at))?"
)
_PLAIN_NAMES = (
    re.compile(rf"\b{_PLAIN_CUE} {_PLAIN}{_STOP}"),
    # "i want 12 elm street": a hotel named after its address
    re.compile(
        r"\b(?:book|want|like|love|prefer|take|try|choose|go with|at) (?:the )?(?P<name>\d{1,3} (?:[a-z][\w'-]* ){1,3}"
        r"(?:lane|street|avenue|gate|square|road|court|row|terrace|gardens|hall|house|bridge)\b(?: hotel)?)"
    ),
    re.compile(
        rf"^(?:(?:ok|okay|yes|great|hmm)[, ]+)?{_PLAIN}(?= (?:sounds|looks|seems) (?:good|great|perfect|nice|fine)\b)"
    ),
)
# Words that such a name does not hold: what is said there otherwise ("book another room", "the price looks good").
_COMMON = frozenset(
    """a an any another other others else something anything everything nothing this that these those it them they
    he she we i you me us my your our their one ones two same all both each every some more most less no not none
    yes ok okay the for with without from to at in on of and or but if by about near around new now later then when
    hotel hotels room rooms place places option options choice number list house home stay stays night nights day
    days week date dates table flight taxi cab ticket tickets car trip appointment meeting booking reservation
    price prices rate rating budget money cost deal location area city town downtown airport center centre view
    room's bed beds single double twin queen king suite first second third last cheap cheaper cheapest best better
    nicer good nice great expensive closest nearest pool gym spa wifi parking breakfast restaurant kitchen bar pet
    food service staff reviews amenities help how what which where who why so very too really just only please
    thanks thank flow can could do does did is are was be been have has had get go going see sounds look looks
    today tomorrow tonight monday tuesday wednesday thursday friday saturday sunday january february march april
    may june july august september october november december people person adults guests kids miles dollars bucks
    like want need would will should there here ahead immediately asap again instead too also back out up down
    whatever whichever either anywhere recommendation recommendations suggestion suggestions recommended suggested
    alternative alternatives criteria search results information details reference sure""".split()
)
# Names known everywhere, wherever they stand: "do you also have a Sheraton?"
_BRANDS = (
    *("hyatt", "hilton", "marriott", "sheraton", "westin", "ritz", "radisson", "novotel", "ibis", "ramada", "wyndham"),
    *("doubletree", "hampton inn", "intercontinental", "fairmont", "4 seasons", "best western", "holiday inn"),
    *("comfort inn", "days inn", "embassy suites", "crowne plaza", "la quinta", "motel 6", "super 8"),
)
_BRAND = re.compile(rf"\b(?P<name>(?i:{'|'.join(_BRANDS)})(?:\s{_PROPER})?)\b")
_NO_NAME = re.compile(
    r"^(?:hi|hello|hey|yes|no|ok|okay|i|we|it|the|a|an|that|this|please|thanks?|thank you|great|perfect|sure"
    r"|actually|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|jan(?:uary)?|feb(?:ruary)?"
    r"|mar(?:ch)?|apr(?:il)?|may|june?|july?|mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs|rsday)?"
    r"|fri(?:day)?|sat(?:urday)?|sun(?:day)?|today|tomorrow|wifi|wi-fi|tv|us|usd|suite|king|queen|what|how|why"
    r"|who|where|when|is|does|can|could|do|any\w*|my|search|show|hotels?|sounds?|two|one|three|none|nothing"
    r"|something|book|nope|good|nice|cool|system|well|so"
    r"|room|rooms|bed|beds|free|parking|breakfast|pool|gym|airport|downtown|max|min|budget|change|cancel|ev|hmm+"
    r"|not|never|maybe|let's|let)$"
)


def turned_down(text: str, at: int) -> bool:
    """Whether what stands at this place is refused: "not the Hilton"."""
    return bool(_NOT_CHOSEN.search(text, max(0, at - 40), at))


def name_in(seen: View, *, shown: bool, listed: bool = False) -> Span | None:
    """The span of a hotel's name in the even text; not one that is turned down ("not the Hilton")."""
    for span in _named(seen, shown=shown):
        if not turned_down(seen.text, span[0]):
            return span
    return _plain_name(seen.text) if listed else None


def _named(seen: View, *, shown: bool) -> Iterator[Span]:
    words = _own_letters(seen)
    if words != seen.text and not _shouted(words):
        for match in _CUED_NAME.finditer(words):
            unsure = match["unstopped"] is not None or (not shown and not _names_a_stay(words, match))
            if _is_name(match["name"], hotel_word_needed=unsure):
                yield match.span("name")
        if (match := _NAME_FIRST.match(words)) and _is_name(match["name"], hotel_word_needed=not shown):
            yield match.span("name")
    if any(brand in seen.text for brand in _BRANDS) and (match := _BRAND.search(words)):
        yield match.span("name")
    if (match := _LOWER_NAME.search(seen.text)) and (shown or match.start() != match.start("name")):
        yield match.span("name")


def _plain_name(text: str) -> Span | None:
    for pattern in _PLAIN_NAMES:
        match = pattern.search(text)
        if match is None:
            continue
        words = match["name"].split()
        if not _COMMON.intersection(words) and any(word.isalpha() and len(word) > 2 for word in words):
            return None if turned_down(text, match.start("name")) else match.span("name")
    return None


def _shouted(words: str) -> bool:
    """In a message all in capitals they say nothing."""
    letters = [char for char in words if char.isalpha()]
    return sum(char.isupper() for char in letters) > 0.6 * len(letters)


def _own_letters(seen: View) -> str:
    """The even text with the guest's capitals where both have the same letters."""
    if seen.words == seen.text:
        return seen.text
    return "".join(
        seen.words[start].upper() if seen.words[start].isupper() and char.isalpha() else char
        for char, start in zip(seen.text, seen.starts, strict=True)
    )


def _names_a_stay(words: str, match: re.Match[str]) -> bool:
    """ "book Hyatt", "stay at the Bristol" need no word for a hotel; "in Boston" is a city."""
    cue = words[match.start() : match.start("name")].lower()
    return not cue.endswith(" in ") and not cue.startswith(
        ("i want", "i'd", "i would", "go", "take", "try", "rooms in", "stay in")
    )


def _is_name(name: str, *, hotel_word_needed: bool) -> bool:
    name = name.rstrip(".").lstrip("0123456789 ")  # "Yes. Please ...", "54 Queen's Gate"
    first = name.split()[0].lower().rstrip(".")
    if (
        (_NO_NAME.match(first) and (first != "hotel" or " " not in name) and not re.match(r"A (?:and|&) [A-Z]", name))
        or _NO_NAME.match(name.lower())
        or not any(char.isalpha() for char in name)
    ):
        return False
    return not hotel_word_needed or bool(re.search(rf"(?i)\b(?:{_PLACE_WORD})\b", name))
