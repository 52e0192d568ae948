"""One bed, two beds or a suite; two different ones at once are asked about."""

import re
from dataclasses import dataclass

from nightdesk.understanding.reading import RoomType
from nightdesk.understanding.selection import CHOOSING
from nightdesk.understanding.view import Notes, Span, View

_SIZE = r"(?:(?:queen|king|double|twin|single|full|separate|big|small|large)[ -]?(?:sized?[ -]?)?)"
_RULES: tuple[tuple[RoomType, re.Pattern[str]], ...] = (
    # "a suite", "king suite", "honeymoon suite"; not "suite my needs" (suits), "en suite"
    (
        "suite",
        re.compile(
            r"(?<!en )(?<!en-)\b(?:(?:junior|king|queen|family|honeymoon|executive|penthouse|1[ -]bedroom"
            r"|2[ -]bedroom) )?suites?\b"
            r"(?! (?:my|me|us|our|you|him|her|them)\b)"
        ),
    ),
    # "two queens", "2 double beds", "twin room", "a bed each", "separate beds"
    (
        "two beds",
        re.compile(
            rf"\b2[ -]?{_SIZE}?[ -]?bed(?:s|ded)?\b"
            r"|\b2[ -](?:queens?|kings?|doubles?|twins?|fulls?)\b(?! (?:bed)?rooms?\b)"
            rf"|\btwin (?:bed)?rooms?\b"
            r"|\btwin beds\b|\btwins\b|\bseparate beds\b|\bdouble queens?\b|\bqueens\b|\bbeds? each\b"
            r"|\bdouble beds\b|\bpair of beds\b"
        ),
    ),
    # "one bed", "a king", "queen bed", "single room"
    (
        "one bed",
        re.compile(
            rf"\b(?:1|an?|just 1|only 1)[ -]{_SIZE}?[ -]?bed(?:ded)?\b|\b(?:king|queen|single|double|full"
            rf"|twin)[ -]?(?:sized?)?[ -]bed(?:ded)?\b"
            r"|\b(?:king|queen)(?:[ -]sized?)?\b(?:[ -]rooms?)?|\bkings\b|\bsingle(?:[ -](?:bed)?rooms?)?\b"
            r"|\bsingles\b|\b1 big bed\b"
        ),
    ),
)
_BED = r"(?:queen|king|double|twin|single|full)(?:[ -]?size)?(?:[ -]bed)?"
# "two singles", "a queen and a twin": two rooms or two beds
_SINGLES = re.compile(
    rf"\b(?:1|one|an?) {_BED} (?:and|plus|\+|&) (?:1|one|an?) {_BED}\b(?! suite)"
    r"|\b(?:[2-9]|1\d) singles\b(?! (?:rooms|beds))"
)
# "double room" may be one double bed or two.
_DOUBLE = re.compile(r"\b(?:doubles?(?: rooms?)?|standard double)\b(?! (?:check|check\w*|sure))")
_MORE_BEDS = re.compile(r"\b(?:[3-9]|1\d)[ -](?:\w+ )?beds?\b|\btriple(?: rooms?)?\b|\bquad(?:ruple)?(?: rooms?)?\b")
_OTHER_ROOMS = re.compile(r"\b(?:family rooms?|studio|apartment|dorm(?:itory)?|bunk beds?|[1-9][ -]bedrooms?)\b")
_SEVERAL = re.compile(r"\b(?:[2-9]|1\d) (?:(?:single|double|twin|separate|more|different|hotel|king|queen) )?rooms\b")
_NOT = re.compile(
    r"\b(?:not|no|(?:anything|everything) but|instead of|rather than|don't (?:want|need)|do not (?:want|need)"
    r"|without|n't need"
    r"|n't want) (?:an? |the |any |1 )?$"
)
# "suites are too expensive for me"
_TOO = re.compile(r"[^.?!]{0,20}\b(?:too|so|way too) (?:expensive|much|big|small|pricey|fancy|large)\b")
# "is a suite bigger?", "how much more is a king"
_QUESTION = re.compile(r"^\W*(?:is|are|how|what|what's|why|which)\b(?!.{0,60}\b(?:available|possible|free|about)\b)")
# "1 or 2 beds"
_EITHER = re.compile(r"\b(?:1|one|a) (?:bed )?or (?:2|two)(?: beds?)?\b")
# "we want to see the queen"
_ROYAL = re.compile(
    r"\bthe (?:queen|king)\b(?![- ]?(?:beds?|size\w*|room|suite|1|one|please|is|sounds|would|for)\b)(?!\W*$)"
    r"|\b(?:see|meet|visit) (?:a|the) (?:queen|king)\b"
)
_REPLACES = re.compile(r"\b(?:no wait|wait|actually|i mean|rather|make (?:that|it)|scratch that|instead)\b")
# A bare size counts only where a room is spoken of: "King Street" is no bed.
_ALONE = re.compile(
    r"^\W*(?:(?:an?|the|just|ok|yes|make it) )*(?:king|queen|suite|single)(?:,? (?:please|pls|plese|then))?\W*$"
)
_ROOMY = re.compile(r"\b(?:beds?|rooms?|suites?|size|bedroom)\b")


@dataclass(frozen=True)
class RoomFound:
    """The room type, and whether anything was said about it at all."""

    room_type: RoomType | None = None
    mentioned: bool = False
    spans: tuple[Span, ...] = ()


def read_room(seen: View, context: str | None, notes: Notes, *, others: bool) -> RoomFound:
    """Reads the room type. `others`: the message names other criteria, so that "2 queens" alone is a room."""
    if context == "room_type" and _QUESTION.match(seen.text):
        return RoomFound()
    if context != "room_type":
        seen = seen.without([match.span() for match in _ROYAL.finditer(seen.text)])
    text = seen.text
    kinds: list[tuple[int, RoomType, str]] = []
    spans: list[Span] = []
    negated = False
    if singles := _SINGLES.search(text) or (_EITHER.search(text) if "bed" in text else None):
        notes.ask(
            "room_type", "ambiguous", seen.quote(*singles.span()), options=("one bed", "two beds"), why="ambiguous_room"
        )
        return RoomFound(mentioned=True, spans=(singles.span(),))
    for kind, pattern in _RULES:
        for match in pattern.finditer(text):
            spans.append(match.span())
            if _NOT.search(text, max(0, match.start() - 25), match.start()) or _TOO.match(text, match.end()):
                negated = True
            else:
                kinds.append((match.start(), kind, seen.quote(*match.span())))
        text = seen.without(spans).text
    if _SEVERAL.search(seen.text) and (several := _SEVERAL.search(seen.text)):
        notes.ask("room_type", "unsupported", seen.quote(*several.span()))
    loose = context == "room_type" or others or bool(_ROOMY.search(seen.text))
    loose = loose or (context not in CHOOSING and bool(_ALONE.match(seen.text)))
    if not kinds and loose:
        return _asked(seen, text, context, notes, negated=negated)
    if not loose:
        return RoomFound(spans=tuple(spans)) if not kinds else RoomFound()
    kinds.sort()
    distinct = {kind for _, kind, _ in kinds}
    if len(distinct) > 1 and _REPLACES.search(seen.text, kinds[0][0], kinds[-1][0]):
        distinct = {kinds[-1][1]}
        kinds = kinds[-1:]
    if len(distinct) > 1:
        options = tuple(dict.fromkeys(kind for _, kind, _ in kinds))
        notes.ask(
            "room_type", "ambiguous", " or ".join(quote for _, _, quote in kinds), options=options, why="ambiguous_room"
        )
        return RoomFound(mentioned=True, spans=tuple(spans))
    notes.fired(f"room_type.{kinds[-1][1].replace(' ', '_')}")
    return RoomFound(kinds[-1][1], mentioned=True, spans=tuple(spans))


def _asked(seen: View, text: str, context: str | None, notes: Notes, *, negated: bool) -> RoomFound:
    """No room type can be stored, but something was said about the room."""
    if double := _DOUBLE.search(text):
        notes.ask(
            "room_type", "ambiguous", seen.quote(*double.span()), options=("one bed", "two beds"), why="ambiguous_room"
        )
        return RoomFound(mentioned=True, spans=(double.span(),))
    if (other := _MORE_BEDS.search(text)) or (other := _OTHER_ROOMS.search(text) if context == "room_type" else None):
        notes.ask("room_type", "unsupported", seen.quote(*other.span()))
        return RoomFound(mentioned=True, spans=(other.span(),))
    return RoomFound(mentioned=negated)
