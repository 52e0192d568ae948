"""Is a draft of the results made of the results? Every name, number, price, amenity and word is looked up.

A closed vocabulary: apart from what stands in the rows, a draft may use plain words only, so that an invented hotel, a
promise or a confirmation number has nothing to be said with. Strict on purpose: a draft that fails costs nothing, since
code's own list is shown instead.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from nightdesk.boundaries import DecideRequest, PresentationFacts, Shown
from nightdesk.decisions import Answer, Decision, Noul, NoulAnswer, Score, ScoreAnswer
from nightdesk.vocabulary import AMENITY_WORDS

MODEL = "code-grounding-1"
"""Who answered the presentation review, when this check alone did."""

_WORDS: frozenset[str] = frozenset(
    """
    a all also altogether amenities amenity an and any are at away be below between both budget by center centre check
    check-in check-out choice choices choose city cost costs criteria date dates depending distance dollar dollars
    downtown each entire every fit fits fitting following for found from get has have hello here here's hi hotel hotels
    i i've in include included includes including is it its just know let like list listed located location match
    matches matching me mile miles name night nightly nights number of offer offering offers on one option options or
    order oregon overall per pick please portland price priced prices range ranges ranging rate rates reply request
    requests requirements result results room rooms say search show shown stay stays tell that that's the them these
    they they're this those to total totals us usd varies vary we we've what which whole with within would you you've
    your airport available
    """.split()
)
_OPENING_WORDS: frozenset[str] = frozenset("cheapest first lowest".split())
"""For the list as a whole, which is in this order; of a single hotel they might be untrue."""
_COUNTS = {word: n for n, word in enumerate("two three four five six seven eight nine ten eleven twelve".split(), 2)}

_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_NUMBER = re.compile(r"\d(?:[\d,]*\d)?(?:\.\d+)?")
_LABEL = re.compile(r"[\s*•-]*(?:(?:option|hotel|number|no\.?|choice)\s+)?#?(\d+)(?:\s*[.):;](?!\d)|\s+-\s)")
_STRANGE_SIGN = re.compile(r"[^\w\s.,:;!?'\"()/&$#•*-]|_|\*\*")
_NAMED_HOTEL = re.compile(r"[A-Z][\w']* +(?:Hotel|Suites|Rooms)\b|\bHotel +[A-Z]\w+")
_A_NIGHT = re.compile(r"\s*(?:usd|dollars)?\s*(?:(?:a|per|each|every)\s+night\b|/\s*night\b|nightly\b)")
_IN_TOTAL = re.compile(
    r"\s*(?:usd|dollars)?\s*[(,]?\s*(?:(?:in\s+)?total\b|altogether\b|overall\b|for\s+(?:\d+\s+nights?|the\s+(?:\w+\s+)?stay)\b)"
)
_DOLLARS = re.compile(r"\s*(?:usd|dollars?)\b")
_FAR_FROM = re.compile(r"\s*-?miles?\s+(?:away\s+)?(?:from|to)\s+(?:the\s+)?(airport|city|center|centre|downtown)\b")


def veto(request: DecideRequest) -> Decision | None:
    """The answer to the presentation review when the draft fails here; None: it is for the provider to judge."""
    facts = request.facts
    if not isinstance(facts, PresentationFacts) or not problems(facts.draft, facts.hotels, facts.matched):
        return None
    answers: dict[str, Answer] = {}
    for name, question in request.questions.items():
        if isinstance(question, Noul):
            answers[name] = NoulAnswer(noul=0.0)
        elif isinstance(question, Score):
            none_of_it = (1.0, *(0.0 for _ in question.levels[1:]))
            answers[name] = ScoreAnswer(score=0.0, probabilities=none_of_it, confidence=1.0)
    return Decision(model=MODEL, answers=answers)


def problems(draft: str, hotels: Sequence[Shown], matched: int = 0) -> tuple[str, ...]:
    """What in the draft did not come from the results, or is missing from it; empty when all is well.

    `matched` is how many hotels fit in all, when more than are shown.
    """
    if not hotels:
        return ("no hotels",)
    lines = _lines(draft, hotels)
    counts = {len(hotels), matched or len(hotels)}
    found = [problem for line in lines for problem in (*_strange(line, hotels), *_numbers(line, hotels, counts))]
    for shown in hotels:
        found += _missing(shown, [line for line in lines if shown in line.about and not line.opens])
    return tuple(found)


@dataclass(frozen=True)
class _Line:
    """One line, without the names and addresses that stand in the rows, and the hotels that it is about.

    A line that names none goes on about the one before; `opens` until the first is named.
    """

    text: str
    about: tuple[Shown, ...]
    names: int
    opens: bool


def _lines(draft: str, hotels: Sequence[Shown]) -> list[_Line]:
    addresses = {part for shown in hotels for part in _address_parts(shown.hotel.address)}
    names = {_plain(shown.hotel.name).casefold() for shown in hotels}
    about, opens = tuple(hotels), True
    lines: list[_Line] = []
    for line in _plain(draft).splitlines():
        text, named = _without(line, names)
        if named:
            about, opens = tuple(s for s in hotels if _plain(s.hotel.name).casefold() in named), False
        text, _ = _without(text, addresses)
        lines.append(_Line(text, about, len(named), opens))
    return lines


def _strange(line: _Line, hotels: Sequence[Shown]) -> list[str]:
    """Signs, words and names that are neither plain nor from the rows."""
    found = [f"sign {sign}" for sign in _STRANGE_SIGN.findall(line.text)]
    found += [f"name {name}" for name in _NAMED_HOTEL.findall(line.text)]
    text, _ = _without(line.text, {words for shown in line.about for words in _row_words(shown)})
    known = _WORDS | _COUNTS.keys() | _calendar_words(hotels) | (_OPENING_WORDS if line.opens else set[str]())
    words = (word for word in _WORD.findall(text.casefold()) if word not in known)
    return found + [f"word {word}" for word in words]


def _numbers(line: _Line, hotels: Sequence[Shown], counts: set[int]) -> list[str]:
    """Labels, amounts, distances and other numbers that are not those of the hotels that the line is about."""
    found: list[str] = []
    text = re.sub(r"[^\W\d_]+", lambda word: str(_COUNTS.get(word[0], word[0])), line.text.casefold())
    text, _ = _without(text, {words for shown in line.about for words in _room_words(shown)})
    label = _LABEL.match(text)
    numbers = {shown.number for shown in line.about}
    if label and int(label[1]) not in numbers:
        found.append(f"label {label[1]}")
    if line.names and not label:
        found.append("no label")
    for match in _NUMBER.finditer(text):
        amount = Decimal(match[0].replace(",", ""))
        before, after = text[: match.start()].rstrip(), text[match.end() :]
        if before.endswith(("$", "usd")) or _DOLLARS.match(after) or re.search(r"\.\d\d$", match[0]):
            if line.names > 1 or not any(_is_price(amount, after, shown) for shown in line.about):
                found.append(f"amount {match[0]}")
        elif re.match(r"\s*-?miles?\b", after):
            if not any(_is_distance(amount, after, shown) for shown in line.about):
                found.append(f"distance {match[0]}")
        elif re.match(r"\s*-?nights?\b", after):
            if amount != len(hotels[0].hotel.nightly):
                found.append(f"nights {match[0]}")
        elif amount not in counts | numbers | _calendar_numbers(hotels):
            found.append(f"number {match[0]}")
    return found


def _is_price(amount: Decimal, after: str, shown: Shown) -> bool:
    nightly = {night.price for night in shown.hotel.nightly}
    if _A_NIGHT.match(after):
        return amount in nightly
    # Rounded amounts fail: what is shown must be what is offered later.
    return amount == shown.hotel.total if _IN_TOTAL.match(after) else amount in nightly | {shown.hotel.total}


def _is_distance(miles: Decimal, after: str, shown: Shown) -> bool:
    far = {"airport": shown.hotel.miles.airport, "center": shown.hotel.miles.city_center}
    to = _FAR_FROM.match(after)
    wanted = far.values() if to is None else [far["airport" if to[1] == "airport" else "center"]]
    return any(miles == Decimal(f"{value:g}") for value in wanted)


def _missing(shown: Shown, lines: Sequence[_Line]) -> list[str]:
    """Its name, its total, or the lowest and the highest price of a night."""
    if not lines:
        return [f"missing {shown.number}"]
    amounts = {Decimal(number.replace(",", "")) for line in lines for number in _NUMBER.findall(line.text)}
    prices = [night.price for night in shown.hotel.nightly]
    wanted = {"total": shown.hotel.total, "lowest price": min(prices), "highest price": max(prices)}
    return [f"missing {what} of {shown.number}" for what, amount in wanted.items() if amount not in amounts]


def _plain(text: str) -> str:
    """One form of apostrophes, dashes and spaces within a line."""
    text = re.sub("[‘’]", "'", re.sub("[“”]", '"', text))
    return re.sub(r"[^\S\n]", " ", re.sub(r"[‐‑–—−]", "-", text))


def _without(text: str, phrases: Iterable[str]) -> tuple[str, set[str]]:
    """The text without these phrases (lower case; the longest first), and those that were found in it."""
    found: set[str] = set()
    for phrase in sorted(phrases, key=len, reverse=True):
        spaced = r"\s+".join(map(re.escape, phrase.split()))
        text, times = re.subn(rf"(?<!\w){spaced}(?!\w)", ";", text, flags=re.IGNORECASE)
        if times:
            found.add(phrase)
    return text, found


def _address_parts(address: str) -> set[str]:
    """The whole address, and its parts between commas as far as they are no plain number."""
    plain = _plain(address).casefold()
    parts = {part.strip() for part in plain.split(",")}
    return {plain, *(part for part in parts if re.search(r"[^\W\d]", part))} - {""}


def _row_words(shown: Shown) -> set[str]:
    """Its room type, and its amenities in the ways in which they are commonly said."""
    found = _room_words(shown)
    for key in shown.hotel.amenities:
        words = AMENITY_WORDS.get(key, "").casefold()
        shorter = re.sub(r"^(?:free|on-site|indoor|outdoor|airport) | rooms$| court$| on the tv$", "", words)
        for said in {words, shorter} - {""}:
            found |= {said, said.replace("-", " "), said.replace("-", "")}
    return found


def _room_words(shown: Shown) -> set[str]:
    room = shown.hotel.room_type.casefold()
    digits = " ".join(str(_COUNTS.get(word, word)) for word in room.split())
    return {room, digits, f"{room}s"}


def _days(hotels: Sequence[Shown]) -> list[date]:
    nights = [night.date for night in hotels[0].hotel.nightly]
    return [*nights, nights[-1] + timedelta(days=1)] if nights else []


def _calendar_words(hotels: Sequence[Shown]) -> set[str]:
    return {f"{day:{form}}".casefold() for day in _days(hotels) for form in ("%A", "%a", "%B", "%b")}


def _calendar_numbers(hotels: Sequence[Shown]) -> set[int]:
    return {number for day in _days(hotels) for number in (day.year, day.month, day.day)}
