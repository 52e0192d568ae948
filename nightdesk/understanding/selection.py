"""A choice among the hotels shown: by number, by name, "that one", the last, the cheapest."""

import re
from dataclasses import dataclass

from nightdesk.understanding.names import name_in, turned_down
from nightdesk.understanding.reading import SelectionReading
from nightdesk.understanding.view import Notes, Span, View

CHOOSING = frozenset({"search_results", "select", "confirm"})
"""What was asked while hotels are shown."""

_NOUN = r"(?:one|hotel|option|choice|result|place|suggestion|pick|listing|property|offer)"
_OTHER_NUMBERS = tuple(
    f"{word} " for word in "reservation booking phone confirmation reference card flight room".split()
)
_NUMBER = re.compile(
    r"(?:\b(?:hotel|option|opt|choice|result|number|pick|selection|suggestion|listing|no\.|nr\.?)|#)"
    r" ?(?:number |no\.? ?|#)?(?P<number>\d{1,3})\b(?!\d|[./-]\d|[,]\d| ?(?:nights?|miles?|km|beds?|people|stars?"
    r"|dollars|%))"
)
# "staying at Hotel 77": no list is as long, and a capital makes it a name
_HIGH = re.compile(r"Hotel [2-9]\d\b|Hotel \d{3}\b")
_ORDINAL = re.compile(
    rf"\bthe (?P<number>\d{{1,2}})(?:st|nd|rd|th)(?: (?:\d{{1,2}} )?{_NOUN}s?\b| on the list| in the list"
    rf"|,? please| on(?=\W*$)|(?=\W*$))|\b(?P<bare>\d{{1,2}})(?:st|nd|rd|th) {_NOUN}\b"
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
# "the nearest", "give me cheapest"; "best" and the like only with an article: not "that works best for me"
_SUPERLATIVE = re.compile(
    r"\b(?:(?:the|your) (?P<word>best|nicest|most expensive|least expensive|priciest|lowest[ -]priced?|lowest price"
    r"|highest[ -]rated)|(?:the |your )?(?P<plain>cheapest|closest|nearest))\b(?: \w+)?"
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
    r"|suggested|mentioned|found|showed|listed|said)\b"
    # "a room there", "that sounds good, can I get one room for 2 nights"
    r"|\b(?:book|reserve|stay|get|rooms?|nights?|reservation) (?:(?:me|us|an?|rooms?|the) ){0,2}there\b"
    r"|^\W*(?:(?:um|uh|ok(?:ay)?|yes|yeah|great|oh)\b[ ,!.]*){0,3}(?:that|this|it) (?:sounds|looks|works|seems|is)"
    r"(?: good| great| fine| perfect| nice| ok(?:ay)?| wonderful)?\b(?!.*\b(?:but|though|however|other|another|find)\b)"
    r"(?=.*\b(?:book|reserve|get|have) (?:me |us |an? |the |\d+ |um |uh ){0,3}rooms?\b))"
)


# Choices that name no one hotel: asked about, and nothing in them is a wish of its own.
_UNCLEAR = (
    # "second from the last", "the last but one"
    re.compile(
        r"\b(?:the )?\d{1,2}(?:st|nd|rd|th) (?:one )?(?:from|to) (?:the )?(?:last|end|bottom)\b"
        r"|\b(?:the )?(?:penultimate|next to last|last but (?:1|one|2|two)|(?:2th|2nd|second)[ -]last)\b(?: one)?"
    ),
    # "1 or 2", "option 2 or 3", "the third or the fourth one"
    re.compile(
        r"(?:(?<![\w.,$€£/-])#?|\b(?:option|hotel|number|choice) |\bthe )\d{1,2}(?:st|nd|rd|th)?(?: one)?"
        r" ?(?:or|and|&|vs\.?) ?(?:maybe |perhaps )?(?:the |#|number |option |hotel )?\d{1,2}(?:st|nd|rd|th)?"
        r"(?= (?:one|would|looks?|sounds?|are|is|seems?|please|hotel|option)\b|[,.;!?]|$)"
    ),
    # "the cheaper one", "the other hotel"
    re.compile(rf"\bthe (?:other|cheaper|closer|nearer|nicer|bigger|smaller|newer|better) {_NOUN}\b"),
    # "the one with a balcony", "the hotel near the lake"
    re.compile(
        r"\bthe (?:one|1|hotel|place|option|house) (?:with|near|by|close to|next to|(?:that|which) (?:has|had))"
        r" [^.,;!?]*"
    ),
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
    listed = context in {"search_results", "select"}
    if listed and (unclear := _unclear(seen, notes)) is not None:
        return unclear
    found = _chosen(seen, context, notes, shown=shown, listed=listed)
    if shown and found.selection is not None and _UNDECIDED.search(text):
        notes.ask("selection", "unclear", seen.quote(*found.spans[0]), why="which_hotel")
        return SelectionFound(spans=found.spans)
    return found


def _first(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The first match that is not turned down: "not the first, the second"; nor a "reservation number 5"."""
    for match in pattern.finditer(text):
        if not turned_down(text, match.start()) and not text[max(0, match.start() - 13) : match.start()].endswith(
            _OTHER_NUMBERS
        ):
            return match
    return None


def _chosen(seen: View, context: str | None, notes: Notes, *, shown: bool, listed: bool) -> SelectionFound:
    text = seen.text
    if (match := _first(_NUMBER, text)) and _BLAMED.match(text, match.end()):
        return SelectionFound(spans=(match.span(),))
    if match is not None:
        if _HIGH.match(seen.quote(*match.span())):
            notes.fired("selection.name")
            return SelectionFound(SelectionReading(name=seen.quote(*match.span())), (match.span(),))
        return _number(int(match["number"]), match.span(), seen, notes)
    if (match := _first(_ORDINAL, text)) and (shown or "·" not in match[0]):
        if _BLAMED.match(text, match.end()):
            return SelectionFound()
        noun = re.search(rf"\b{_NOUN}", match[0]) is not None
        if noun or (listed and not _DATED.search(text, 0, match.start())):
            return _number(int(match["number"] or match["bare"] or match["alone"]), match.span(), seen, notes)
    if (match := _first(_LAST, text)) and context != "dates":
        return _number(-1, match.span(), seen, notes)
    if shown and (match := _BARE.match(text)) and int(match["number"]) > 0:
        return _number(int(match["number"]), match.span(), seen, notes)
    name = name_in(seen, shown=shown, listed=listed)
    if name is not None and not shown and _TRIVIA.match(text):
        return SelectionFound(spans=(name,))
    if name is not None and (_REFUSED.match(text, name[1]) or _BLAMED.match(text, name[1])):
        return SelectionFound(spans=(name,))
    if name is not None and (other := _or_another(seen, name)) is not None:
        options = (seen.quote(*name), seen.quote(*other))
        notes.ask("selection", "unclear", " or ".join(options), options=options, why="which_hotel")
        return SelectionFound(spans=(name, other))
    if name is not None:
        notes.fired("selection.name")
        return SelectionFound(SelectionReading(name=seen.quote(*name)), (name,))
    if listed:
        return _pointed(text, notes)
    return SelectionFound()


def _or_another(seen: View, name: Span) -> Span | None:
    """The second name of "the Hilton or the Hyatt"."""
    match = _OR.match(seen.text, name[1])
    if match is None:
        return None
    rest = seen.without([(0, match.end())])
    other = name_in(rest, shown=True)
    return other if other is not None and other[0] <= match.end() + 4 else None


def _unclear(seen: View, notes: Notes) -> SelectionFound | None:
    for pattern in _UNCLEAR:
        match = pattern.search(seen.text)
        if match is None or _DATED.search(seen.text, 0, match.start()):
            continue
        notes.ask("selection", "unclear", seen.quote(*match.span()), why="which_hotel")
        return SelectionFound(spans=(match.span(),))
    return None


def _number(number: int, span: Span, seen: View, notes: Notes) -> SelectionFound:
    if number == 0:
        return SelectionFound()
    notes.fired("selection.number")
    spans = [span]
    rest = seen.without(spans)
    beside = name_in(rest, shown=True)
    if beside is not None:
        spans.append(beside)
    return SelectionFound(SelectionReading(number=number), tuple(spans))


_OR = re.compile(r" (?:or|vs\.?) (?:maybe |perhaps )?(?:at )?(?:the )?")
# "how old is the Hilton", with no list shown
_TRIVIA = re.compile(r"^\W*(?:who|why|how (?:old|big|many|is|are)|is|was|did|when)\b(?! there\b)")
# "the Hilton? no way"
_REFUSED = re.compile(r"\W*(?:no way|no thanks?|no thank you|never|nope|ugh|yuck|god no|hell no|i don't think so)\b")
# "my boss likes the Hyatt but I am not sure"
_UNDECIDED = re.compile(
    r"\b(?:not sure|unsure|can't decide|cannot decide|undecided|don't know|no idea|what do you think|torn between"
    r"|(?:which|what) (?:one |hotel )?(?:would|do) you)\b(?![^\n]{0,80}\b(?:let's|go with|i'll take|book)\b)"
)
# "the first one has bad reviews" blames, it does not choose
_BLAMED = re.compile(
    r"[ ,]*(?:has|had|have|(?:is|was|looks|seems|sounds)(?:n't| not| too| so| bad| awful| terrible| far| expensive"
    r"| overrated| out of| closed| dirty| old| ugly| noisy| full| gone| \w+er but)"
    r"|isn't|wasn't|doesn't|won't|costs|but (?:it's|it is|that's|it was) (?:too|so|far|not|over))\b"
)


def _pointed(text: str, notes: Notes) -> SelectionFound:
    for rule, pattern in (("superlative", _SUPERLATIVE), ("any", _ANY), ("current", _CURRENT)):
        match = pattern.search(text)
        if match is None or turned_down(text, match.start()):
            continue
        notes.fired(f"selection.{rule}")
        if rule == "superlative":
            return SelectionFound(SelectionReading(superlative=match["word"] or match["plain"]), (match.span(),))
        choice = SelectionReading(any=True) if rule == "any" else SelectionReading(ref="current")
        return SelectionFound(choice, (match.span(),))
    return SelectionFound()
