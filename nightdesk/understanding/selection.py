"""A choice among the hotels shown: by number, by name, "that one", the last, the cheapest."""

import re
from dataclasses import dataclass

from nightdesk.understanding.reading import SelectionReading
from nightdesk.understanding.view import Notes, Span, View

CHOOSING = frozenset({"search_results", "select", "confirm"})
"""What was asked while hotels are shown."""

_NOUN = r"(?:one|hotel|option|choice|result|place|suggestion|pick|listing|property|offer)"
_NUMBER = re.compile(
    r"(?:\b(?:hotel|option|opt|choice|result|number|pick|selection|suggestion|listing|no\.|nr\.?)|#) ?(?:number "
    r"|no\.? ?|#)?(?P<number>\d{1,3})\b(?!\d|[./-]\d|[,]\d| ?(?:nights?|miles?|km|beds?|people|stars?|dollars|%))"
)
_ORDINAL = re.compile(
    rf"\bthe (?P<number>\d{{1,2}})(?:st|nd|rd|th)(?: (?:\d{{1,2}} )?{_NOUN}s?\b| on the list| in the list"
    rf"|,? please|(?=\W*$))|\b(?P<bare>\d{{1,2}})(?:st|nd|rd|th) {_NOUN}\b"
    r"|^\W*(?P<alone>\d{1,2})(?:st|nd|rd|th)(?: please)?\W*$"
)
# "until the 8th", "leave on the 6th" are days.
_DATED = re.compile(
    r"(?:\b(?:on|until|till?|from|to|by|for|through|thru|between|and|check[ -]?(?:in|out)|leave|arrive)|-) $"
)
_LAST = re.compile(rf"\b(?:the )?last {_NOUN}\b|\bthe (?:very )?last(?: on the list)?(?=\W*$)|\bbottom {_NOUN}\b")
_BARE = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|yes|yeah|i'll|i will|we'll|let's|i'd like|i want|i choose|please|go with|take|book"
    r"|choose|pick|reserve|i pick|number|try)\b[ ,]*){0,4}#?(?P<number>\d{1,2})(?: please| pls| thanks)?\W*$"
)
_SUPERLATIVE = re.compile(
    r"\b(?:the |your )?(?P<word>cheapest|closest|nearest|best|most expensive|least expensive|nicest|priciest"
    r"|lowest[ -]priced?|highest[ -]rated|lowest price)\b(?: \w+)?"
)
_ANY = re.compile(
    r"\b(?:any(?: one)? of (?:them|those|these)|either(?: one)?(?: of them)?(?! ?\w* ?\d)|whichever|you (?:choose"
    r"|pick|decide)"
    r"|surprise me|any one|any is fine)\b"
)
_CURRENT = re.compile(
    r"\b(?:(?:book|take|reserve|want|love|have|get|like|choose|pick|go (?:for|with)|(?:booking|reservation|stay"
    r"|room) (?:for|at|in)) (?:it|this|that)(?: (?:one|hotel|place|house|room|for me|then|please"
    r"|now))?\b(?! is\b)"
    r"|(?:that|this)(?:'s| is) (?:the 1|the one|the hotel|it|perfect|the place)\b|i (?:really )?(?:love|like"
    r"|want) (?:this|that|the) (?:house|place|hotel|one)\b"
    r"|(?:this|that) (?:one|hotel|place|house) (?:works|will do|would do"
    r"|(?:is|sounds|looks|will be|would be|seems) (?:really |very |just |pretty )?(?:ok|okay|fine|good|great"
    r"|perfect|lovely|nice|best))\b|^(?:this"
    r"|that) one(?: please)?\W*$|\bthe (?:hotel|one|place|house) (?:that )?you(?:'ve| have)? (?:recommended"
    r"|suggested|mentioned|found|showed|listed|said)\b)"
)
_NOT_CHOSEN = re.compile(
    r"\b(?:not|don't|do not|didn't|n't|instead of|rather than|other than|except|no)\b[^.,;]{0,25}$"
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
    r"|(?:reservation|rooms?|nights?|booking|book|stay) (?:at|in)|suggest(?:ed|s)?|recommend(?:ed|s)?|switch to"
    r"|change (?:it |that )?to|i(?:'d like|'ll have| want| would like)|how about|what about|let's do"
    r"|i (?:really )?(?:like|love)"
)
_STOP = (
    r"(?=\s*(?:[.,;!?]|$|\b(?:please|from|for|on|instead|again|then|checking|check|starting|with|until|till|is"
    r"|sounds|looks|seems|would|will|and (?:i|we|check|book)|but|if|because|this|next|tomorrow"
    r"|today|tonight|in [a-z]+|thanks|thank|at \d|to stay|it|that|which|who|so|as|arriving|leaving)\b|·))"
)
# In the guest's own letters: a capitalised name after a word of choosing, or one that says it is a hotel.
_PROPER = r"(?:[A-Z][\w'&+.-]*)(?:\s(?:(?:of|the|and|at|by|de|la|le|du|on|del)\s)?(?:[A-Z&+][\w'&+-]*|\d+(?=\s[A-Z])))*"
_CUED_NAME = re.compile(
    rf"(?i:\b(?:{_CUE}))\s(?i:(?:the|at|to|in|with)\s)?(?P<name>{_PROPER}){_STOP.replace('(?=', '(?=(?i:', 1)[:-1]}))"
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


@dataclass(frozen=True)
class SelectionFound:
    """The choice and the spans it was read from (a hotel's name hides words like "suites" and "boutique")."""

    selection: SelectionReading | None = None
    spans: tuple[Span, ...] = ()


def read_selection(seen: View, context: str | None, notes: Notes) -> SelectionFound:
    """Reads which hotel was chosen; a number or an ordinal before a name, since a list is shown with numbers."""
    text = seen.text
    shown = context in CHOOSING
    if (match := _NUMBER.search(text)) and not _turned_down(text, match.start()):
        return _number(int(match["number"]), match.span(), seen, notes)
    if (match := _ORDINAL.search(text)) and not _turned_down(text, match.start()) and (shown or "·" not in match[0]):
        noun = re.search(rf"\b{_NOUN}", match[0]) is not None
        if noun or (context in {"search_results", "select"} and not _DATED.search(text, 0, match.start())):
            return _number(int(match["number"] or match["bare"] or match["alone"]), match.span(), seen, notes)
    if (match := _LAST.search(text)) and not _turned_down(text, match.start()) and context != "dates":
        return _number(-1, match.span(), seen, notes)
    if shown and (match := _BARE.match(text)) and int(match["number"]) > 0:
        return _number(int(match["number"]), match.span(), seen, notes)
    name = _name(seen, shown=shown)
    if name is not None:
        notes.fired("selection.name")
        return SelectionFound(SelectionReading(name=seen.quote(*name)), (name,))
    if context in {"search_results", "select"}:
        return _pointed(text, notes)
    return SelectionFound()


def _number(number: int, span: Span, seen: View, notes: Notes) -> SelectionFound:
    if number == 0:
        return SelectionFound()
    notes.fired("selection.number")
    spans = [span]
    rest = seen.without(spans)
    beside = _name(rest, shown=True)
    if beside is not None:
        spans.append(beside)
    return SelectionFound(SelectionReading(number=number), tuple(spans))


def _pointed(text: str, notes: Notes) -> SelectionFound:
    for rule, pattern in (("superlative", _SUPERLATIVE), ("any", _ANY), ("current", _CURRENT)):
        match = pattern.search(text)
        if match is None or _turned_down(text, match.start()):
            continue
        notes.fired(f"selection.{rule}")
        if rule == "superlative":
            return SelectionFound(SelectionReading(superlative=match["word"]), (match.span(),))
        choice = SelectionReading(any=True) if rule == "any" else SelectionReading(ref="current")
        return SelectionFound(choice, (match.span(),))
    return SelectionFound()


def _turned_down(text: str, at: int) -> bool:
    return bool(_NOT_CHOSEN.search(text, max(0, at - 40), at))


def _name(seen: View, *, shown: bool) -> Span | None:
    """The span of a hotel's name in the even text; not one that is turned down ("not the Hilton")."""
    span = _named(seen, shown=shown)
    return None if span is None or _turned_down(seen.text, span[0]) else span


def _named(seen: View, *, shown: bool) -> Span | None:
    words = _own_letters(seen)
    if words != seen.text and not _shouted(words):
        for match in _CUED_NAME.finditer(words):
            if _is_name(match["name"], hotel_word_needed=not shown and not _names_a_stay(words, match)):
                return match.span("name")
        if shown and (match := _NAME_FIRST.match(words)) and _is_name(match["name"], hotel_word_needed=False):
            return match.span("name")
    if any(brand in seen.text for brand in _BRANDS) and (match := _BRAND.search(words)):
        return match.span("name")
    if (match := _LOWER_NAME.search(seen.text)) and (shown or match.start() != match.start("name")):
        return match.span("name")
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
    first = name.split()[0].lower()
    if (
        (_NO_NAME.match(first) and (first != "hotel" or " " not in name))
        or _NO_NAME.match(name.lower())
        or not any(char.isalpha() for char in name)
    ):
        return False
    return not hotel_word_needed or bool(re.search(rf"(?i)\b(?:{_PLACE_WORD})\b", name))
