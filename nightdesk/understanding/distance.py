"""How far from the airport and the city center: a limit in miles, or "near" when no number was given."""

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from nightdesk.understanding.clauses import clauses, negates
from nightdesk.understanding.reading import DistanceReading
from nightdesk.understanding.view import Notes, Span, View, has_digit

_MILES_A_KM = Decimal("0.621371")
# The shuttle is an amenity, and so are a business or a fitness center.
_NOT_A_PLACE = re.compile(
    r"\b(?:cars?|parking|bags?|luggage|friends?|wife|husband) at (?:the )?airport\b"
    r"|\b(?:airport|downtown|(?:city |town )?(?:center|centre)) (?:is|was|'s) (?:too|so|very|noisy|dangerous|ugly"
    r"|loud|dirty"
    r"|expensive|crowded|closed)\b|"
    r"\b(?:free )?airport (?:shuttle|transfer|transport\w*|pick-?up|bus)s?\b|\b(?:shuttle|transfer|transport\w*"
    r"|ride)s? (?:service )?(?:to|from) (?:and from )?(?:the )?airport\b"
    r"|\b(?:business|fitness|wellness|health|conference|convention|shopping|sports?) (?:center|centre)\b"
)
_ANCHOR = re.compile(
    r"\b(?P<airport>airport|airfield)\b"
    r"|\b(?P<city>(?:city|town) (?:center|centre|core)|(?:center|centre|middle|heart) of (?:the )?(?:city|town)"
    r"|downtown|(?:center|centre)|central(?:ly)?(?= locat)|central location)\b"
    r"|\b(?P<town>city|town)\b"
)
_AMOUNT = re.compile(
    r"(?P<minus>(?<![\w.])-|\bminus |\bnegative )?(?<![\w.$€£/])(?P<number>\d{1,4}(?:\.\d{1,2})?)"
    r"(?![\d]|\.\d) ?-?(?P<unit>miles?\b|mi\b|kms?\b|kilomet(?:er|re)s?\b|k\b|meters?\b|metres?\b|m\b"
    r"|min(?:ute)?s?\b|blocks?\b|hours?\b)?"
)
_MEASURED = re.compile(r"\d ?-?(?:k|m|block|hour)")
_FROM = re.compile(
    r"^ ?(?:away |or less |or so |max |maximum |at most |drive |walk )*(?:from|of|to|off) (?:the |my |our )?$"
)
_NEAR = re.compile(
    r"\b(?:near(?:by|er|est)?|close(?:r|st)?|next to|by|beside|walk(?:able|ing)?|within walking|around"
    r"|not (?:too )?far|convenient|right (?:at|in)|in|at|steps)\b"
)
_NEAR_TOWN = re.compile(r"\b(?:in|near|close|around|at|walk\w*|by|right|central\w*|heart|middle)\b")
_NEAR_ONLY = re.compile(
    r"\b(?:near(?:by)?|close(?: by)?|as close as possible|walk(?:able|ing)(?: distance)?|not (?:too )?far|central)\b"
    r"(?=\W*$| (?:to )?both|[,.;!]| (?:please|would|is|enough|if))"
)
_AT_LEAST = re.compile(
    r"\b(?:at least|minimum|min|more than|over|farther than|further than|beyond|no closer than"
    r"|not closer than)\b[^\d]{0,12}$"
)
_NO_MORE = re.compile(
    r"\b(?:no|not|never|n't) (?:any )?(?:more|over|farther|further|beyond|be more)\b|n't [^\d]{0,20}(?:more|over"
    r"|farther|further)\b"
)
_MINIMUM_AFTER = re.compile(r"^ ?(?:or more|minimum|min\b|at least|and up|\+|or farther|or further)")
_MONEY = re.compile(r"\b(?:budget|price|dollars|bucks|per night|a night|nights?|beds?)\b|[$€£]")
_AWAY = re.compile(r"\b(?:far|away) from (?:the )?$")
# "4 or 5 miles"
_EITHER = re.compile(
    r"(?<![\d./])\b\d{1,3}(?: ?miles?| ?km)? (?:or|to|-) (?:maybe )?\d{1,3} ?(?:miles?|mi|km|kilomet\w+)\b"
)
# "how far is downtown from the airport?"
_HOW_FAR = re.compile(
    r"^\W*(?:and |so |ok(?:ay)? )?(?:how (?:far|close|long)|is it (?:far|close|near)|is the (?:airport|center))\b"
)
# "anywhere in town"
_ANYWHERE = re.compile(r"\b(?:any\w*|all over|everywhere) (?:\w+ ){0,2}(?:in |around )?(?:the )?$")
# "500 metres from the stadium": from neither of the two places that a limit can be for
_ELSEWHERE = re.compile(
    r" ?(?:away |or less |max |at most |drive |walk |walking distance ){0,2}(?:from|of|to(?= (?:the|my|our|work)\b)) "
    r"(?P<place>(?!\d|(?:it|there|here|them|both|each|either|any\w*|that|those|these|this|course|distance|travel"
    r"|driving|walking|range|you|me|us)\b)"
    r"(?:(?!(?:and|but|or|with|for|under|from|on|in|please|is|would|max|budget)\b)[\w'&-]+ ?){1,5})"
)
_BOTH = re.compile(r"\b(?:both|each|either)\b")


@dataclass(frozen=True)
class _Amount:
    start: int
    stop: int
    miles: Decimal | None  # None for minutes and blocks
    unit: bool


@dataclass(frozen=True)
class DistanceFound:
    """The limits, what was read, and whether anything was said about distance at all."""

    distance: DistanceReading | None = None
    spans: tuple[Span, ...] = ()
    mentioned: bool = False


def read_distance(seen: View, context: str | None, asked: str | None, notes: Notes) -> DistanceFound:
    """Reads limits in miles. A distance without a place belongs to the one that was asked about, else it is asked."""
    asking = context == "distance"
    text = seen.without([match.span() for match in _NOT_A_PLACE.finditer(seen.text)]).text
    anchors = [
        match for match in _ANCHOR.finditer(text) if match["town"] is None or _counts_as_center(text, match, asking)
    ][:12]
    if _HOW_FAR.match(text):
        return DistanceFound()
    amounts = _amounts(text, anchors, asking=asking)
    elsewhere = [
        (amount, place) for amount in amounts if (place := _from_elsewhere(seen.text, amount, anchors)) is not None
    ]
    for _, place in elsewhere:
        notes.ask("distance", "unsupported", seen.quote(*place))
    amounts = [amount for amount in amounts if amount not in [amount for amount, _ in elsewhere]]
    unusable = [(amount.start, place[1]) for amount, place in elsewhere]
    if elsewhere and not (amounts or anchors):
        return DistanceFound(spans=tuple(unusable), mentioned=True)
    if either := _EITHER.search(text):
        notes.ask("distance", "unclear", seen.quote(*either.span()), why="which_distance")
        return DistanceFound(spans=(either.span(),), mentioned=True)
    if not anchors and not amounts and not (asking and _near_only(text)):
        return DistanceFound()
    pairs = _paired(text, anchors, amounts)
    spans = [*unusable, *((amount.start, amount.stop) for amount in amounts)]
    values: dict[str, Decimal | str] = {}
    for anchor, amount in pairs:
        said = len(notes.remarks)
        key = "airport" if anchor["airport"] else "city_center"
        if amount is not None:
            _limit(seen, text, key, amount, values, notes)
        elif away := _AWAY.search(text, max(0, anchor.start() - 20), anchor.start()):
            if not re.search(r"\bnot (?:too )?$", text[max(0, away.start() - 8) : away.start()]):
                quote = seen.quote(away.start(), anchor.end())
                notes.ask("distance", "minimum", quote, options=(key,), why="minimum_distance_unsupported")
                spans.append(anchor.span())
                continue
            values[key] = "near"
            notes.ask("distance", "near", seen.quote(*anchor.span()), options=(key,))
        elif _is_near(text, anchor, asking=asking):
            values[key] = "near"
            notes.ask("distance", "near", seen.quote(*anchor.span()), options=(key,))
        if key in values or len(notes.remarks) > said:
            spans.append(anchor.span())
    if not anchors:
        _without_a_place(seen, text, asked, amounts, values, notes)
    if not values:
        asked_about = any(remark.criterion == "distance" for remark in notes.remarks)
        return DistanceFound(spans=tuple(spans), mentioned=asked_about)
    notes.fired("distance.limit")
    found = DistanceReading.model_validate({f"{key}_miles": value for key, value in values.items()})
    return DistanceFound(found, tuple(spans), mentioned=True)


def _from_elsewhere(text: str, amount: _Amount, anchors: list[re.Match[str]]) -> Span | None:
    """The place of "within 500 metres of the stadium", when it is neither the airport nor the center."""
    match = _ELSEWHERE.match(text, amount.stop)
    if match is None or any(match.start() < anchor.end() and anchor.start() < match.end() for anchor in anchors):
        return None
    return match.span("place")


def _counts_as_center(text: str, match: re.Match[str], asking: bool) -> bool:
    """ "2 miles from town": a town alone is its center only next to a distance."""
    return asking or bool(
        re.search(
            r"(?:miles?|km|kilomet\w+) (?:from|of|to) (?:the )?$", text[max(0, match.start() - 20) : match.start()]
        )
    )


def _amounts(text: str, anchors: list[re.Match[str]], *, asking: bool) -> list[_Amount]:
    """Numbers with a unit of length; a bare one only before "from the airport", or when distance was asked for."""
    found: list[_Amount] = []
    if not has_digit(text) or not (asking or anchors or _MEASURED.search(text)):
        return found
    priced = asking and bool(_MONEY.search(text))
    for match in _AMOUNT.finditer(text):
        value = Decimal(match["number"]) * (-1 if match["minus"] else 1)
        unit = match["unit"] or ""
        if not unit:
            beside = any(_FROM.match(text[match.end("number") : anchor.start()]) for anchor in anchors)
            if not beside and (not asking or priced):
                continue
            if not beside and re.match(
                r" ?(?:nights?|people|dollars|bucks|%|stars?|/)", text[match.end("number") : match.end("number") + 12]
            ):
                continue
        if unit == "k" and not asking:
            continue
        stop = match.end("unit") if unit else match.end("number")
        miles: Decimal | None = value
        if unit in {"k", "km", "kms"} or unit.startswith("kilo"):
            miles = (value * _MILES_A_KM).quantize(Decimal("0.01"), ROUND_HALF_UP)
        elif unit == "m" or unit.startswith(("meter", "metre")):
            miles = (value * _MILES_A_KM / 1000).quantize(Decimal("0.01"), ROUND_HALF_UP)
        elif unit.startswith(("min", "block", "hour")):
            if not asking and not anchors:
                continue
            miles = None
        found.append(_Amount(match.start(), stop, miles, bool(unit)))
        if len(found) == 12:
            break
    return found


def _paired(
    text: str, anchors: list[re.Match[str]], amounts: list[_Amount]
) -> list[tuple[re.Match[str], _Amount | None]]:
    """Every place with its number: the one just before it ("5 miles from"), else the one after ("airport: 5 miles")."""
    chosen: dict[int, _Amount] = {}
    for anchor in anchors:
        linked = [amount for amount in amounts if _FROM.match(text[amount.stop : anchor.start()])]
        if linked:
            chosen[anchor.start()] = linked[-1]
    free = [amount for amount in amounts if amount not in chosen.values()]
    number_first = bool(anchors and free and free[0].start < anchors[0].start())
    for place, anchor in enumerate(anchors):
        before = anchors[place - 1].end() if place else 0
        after = anchors[place + 1].start() if place + 1 < len(anchors) else len(text)
        start, stop = (before, anchor.start()) if number_first else (anchor.end(), after)
        near = [amount for amount in free if start <= amount.start < stop]
        if anchor.start() not in chosen and near:
            chosen[anchor.start()] = near[-1] if number_first else near[0]
    if len(anchors) == 2 and len(chosen) == 1 and _BOTH.search(text):
        only = next(iter(chosen.values()))
        chosen = {anchor.start(): only for anchor in anchors}
    parts = clauses(text)
    return [
        (anchor, chosen.get(anchor.start()))
        for anchor in anchors
        if anchor.start() in chosen
        or not any(part.negated and part.start <= anchor.start() < part.stop for part in parts)
    ]


def _limit(seen: View, text: str, key: str, amount: _Amount, values: dict[str, Decimal | str], notes: Notes) -> None:
    quote = seen.quote(amount.start, amount.stop)
    before = text[max(0, amount.start - 40) : amount.start]
    if amount.miles is None:
        values[key] = "near"
        notes.ask("distance", "near", quote, options=(key,))
    elif (_AT_LEAST.search(before) and not _NO_MORE.search(before)) or _MINIMUM_AFTER.match(
        text[amount.stop : amount.stop + 20]
    ):
        notes.ask("distance", "minimum", quote, options=(key,), why="minimum_distance_unsupported")
    else:
        values[key] = amount.miles
        if amount.miles < 0:
            notes.ask("distance", "negative", quote, options=(key,))


def _is_near(text: str, anchor: re.Match[str], *, asking: bool) -> bool:
    before = text[max(0, anchor.start() - 30) : anchor.start()]
    if anchor["town"] and _ANYWHERE.search(before):
        return False
    if anchor["airport"]:
        close = list(_NEAR.finditer(before))
        return (bool(close) and close[-1][0] not in {"in"}) or (
            asking and not re.search(r"\b(?:far from|away from)\b", before)
        )
    if anchor[0] == "downtown" and re.search(r"\b(?:hotel|place|rooms?|stay\w*|some\w+|located|be) $", before):
        return True
    return bool(_NEAR_TOWN.search(before)) or asking or anchor[0].startswith("central")


def _near_only(text: str) -> re.Match[str] | None:
    """ "close", "walking distance"; not "near the beach", "needn't be close"."""
    return None if negates(text) else _NEAR_ONLY.search(text)


def _without_a_place(
    seen: View, text: str, asked: str | None, amounts: list[_Amount], values: dict[str, Decimal | str], notes: Notes
) -> None:
    keys = [asked] if asked in {"airport", "city_center"} else []
    if not keys and _BOTH.search(text):
        keys = ["airport", "city_center"]
    if amounts:
        if not keys:
            quote = seen.quote(amounts[0].start, amounts[0].stop)
            notes.ask("distance", "ambiguous", quote, options=("airport", "city_center"), why="which_distance")
        for key in keys:
            _limit(seen, text, key, amounts[-1], values, notes)
    elif near := _near_only(text):
        for key in keys:
            values[key] = "near"
        notes.ask("distance", "near", seen.quote(*near.span()), options=tuple(keys))
