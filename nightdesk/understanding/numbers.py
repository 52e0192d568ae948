"""Number words become digits: "three hundred" 300, "two fifty" 250, "three point five" 3.5, "twenty-first" 21st."""

import re
from dataclasses import dataclass

_SMALL = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
_ORDINALS = {
    word: value
    for value, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
        "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(),
        start=1,
    )
} | {"thirtieth": 30}
_WORDS = {**_SMALL, **_TENS, **_ORDINALS, "hundred": 100, "thousand": 1000, "grand": 1000, "fourty": 40}
_TENS["fourty"] = 40

_WORD = "|".join(sorted(_WORDS, key=len, reverse=True))
_RUN = re.compile(
    rf"\b(?:(?:a|(?<![\d.])\d{{1,3}}) (?=hundred\b|thousand\b|grand\b))?(?:{_WORD})\b(?:(?:[ -]| and "
    rf"| point )(?:{_WORD})\b)*"
)
_TOKEN = re.compile(rf"\d+|{_WORD}|and|point|\ba\b")
# "one" is mostly a pronoun ("that one"); it is a number before something that is counted, or after a label.
_COUNTED = re.compile(
    r"[ -](?:more |single |double |queen |king |twin )*(?:night|day|week|bed|king|queen|mile|mi\b|km|kilomet|room"
    r"|suite|adult|person|buck|dollar|million)"
)
_LABEL = re.compile(r"(?:number|option|hotel|no\.|#|than|under|within|only|just|for|choice) ?$")
# "second thoughts", "first of all", "just a second" count nothing.
_NO_ORDINAL_AFTER = re.compile(r" (?:thoughts?|of all|class|things?|time)\b")
_NO_ORDINAL_BEFORE = re.compile(r"\b(?:an?|at) $")
# "check with my wife first": a lone ordinal counts only where a day or a place in a list can stand.
_ORDINAL_BEFORE = re.compile(
    r"(?:\b(?:the|from|to|until|till|through|on|and|or|day|\w+ary|march|april|may|june|july|august|\w+ber|jan|feb"
    r"|mar|apr|aug|sept?"
    r"|oct|nov|dec) |-)$|^\W*$"
)
_ORDINAL_AFTER = re.compile(
    r" (?:of |one\b|hotel|option|choice|place|result|january|febr|march|april|may|june"
    r"|july|aug|sept|oct|nov|dec)"
)
_AND_A_HALF = re.compile(rf"(?<![\d.])\b(\d{{1,3}}|{_WORD}) and a half\b")
_PHRASES = re.compile(
    r"(?<!and )\b(?:(?:a )?half (?:an? )?(?=miles?\b|km\b|kilomet)|an? (?=miles?\b|kilomet|km\b)"
    r"|a couple(?: of)? (?=\w)|a dozen\b)"
)
# "two to three hundred", "between one and two thousand", "2-3k": the scale holds for both
_DIGIT = f"(?:[1-9]|{'|'.join(word for word, value in _SMALL.items() if 0 < value < 10)})"
_SHARED_SCALE = re.compile(
    rf"(?<![\w.,])\$?(?P<low>{_DIGIT})"
    r"(?: ?(?:-|to|or) ?|(?<=between ...) and |(?<=between ....) and |(?<=between .....) and )"
    rf"\$?{_DIGIT} (?P<scale>hundred|thousand|grand)\b"
)


@dataclass(frozen=True)
class Swap:
    """A stretch of a text and what stands there instead."""

    start: int
    stop: int
    text: str


def number_words(text: str) -> list[Swap]:
    """The stretches of number words, with their digits, in order."""
    swaps: list[Swap] = []
    for match in _SHARED_SCALE.finditer(text):
        low = int(match["low"]) if match["low"].isdigit() else _SMALL[match["low"]]
        scale = 100 if match["scale"] == "hundred" else 1000
        swaps.append(Swap(match.start("low"), match.end("low"), f"{low * scale}"))
    for match in _RUN.finditer(text):
        swaps.extend(_run(text, match))
    for match in _PHRASES.finditer(text):
        digits = (
            "0.5 " if "half" in match[0] else "2 " if "couple" in match[0] else "12" if "dozen" in match[0] else "1 "
        )
        swaps.append(Swap(match.start(), match.end(), digits))
    for match in _AND_A_HALF.finditer(text):
        whole = match[1] if match[1].isdigit() else str(_WORDS[match[1]])
        swaps.append(Swap(match.start(), match.end(), f"{whole}.5"))
    swaps.sort(key=lambda swap: (swap.start, -swap.stop))
    apart: list[Swap] = []
    for swap in swaps:
        if not apart or swap.start >= apart[-1].stop:
            apart.append(swap)
    return apart


def _run(text: str, match: re.Match[str]) -> list[Swap]:
    """One run of number words: one number mostly, several when they do not add up ("two two")."""
    tokens = [
        (token[0], match.start() + token.start(), match.start() + token.end()) for token in _TOKEN.finditer(match[0])
    ]
    swaps: list[Swap] = []
    at = 0
    while at < len(tokens):
        value, used = _number([word for word, _, _ in tokens[at : at + 12]])
        if not used:
            at += 1
            continue
        start, stop = tokens[at][1], tokens[at + used - 1][2]
        if _counts(text, start, stop, tokens[at][0], used):
            swaps.append(Swap(start, stop, value))
        at += used
    return swaps


def _counts(text: str, start: int, stop: int, word: str, used: int) -> bool:
    if used > 1:
        return True
    if word == "one":
        return bool(_COUNTED.match(text, stop) or _LABEL.search(text, max(0, start - 12), start))
    if word in _ORDINALS:
        before = text[max(0, start - 12) : start]
        if _NO_ORDINAL_AFTER.match(text, stop) or _NO_ORDINAL_BEFORE.search(before):
            return False
        return bool(_ORDINAL_BEFORE.search(before) or _ORDINAL_AFTER.match(text, stop))
    return word not in {"a", "and", "point", "hundred", "thousand", "grand"}


def _number(words: list[str]) -> tuple[str, int]:
    """The digits of the longest number at the front, and how many words it takes; ordinals keep their ending."""
    value, used = _below_hundred(words)
    if not used and words[:1] == ["a"] and words[1:2] and words[1] in {"hundred", "thousand", "grand"}:
        value, used = 1, 1
    if not used:
        return "", 0
    if words[used - 1] in _ORDINALS:
        return f"{value}th", used
    if words[used : used + 1] == ["point"]:
        digits = ""
        while used + 1 + len(digits) < len(words) and _SMALL.get(words[used + 1 + len(digits)], 10) < 10:
            digits += str(_SMALL[words[used + 1 + len(digits)]])
        return (f"{value}.{digits}", used + 1 + len(digits)) if digits else (str(value), used)
    if words[used : used + 1] == ["hundred"]:
        ahead = _skip_and(words[used + 1 :])
        more, taken = _below_hundred(ahead)
        value, used = value * 100, used + 1
        # "1 hundred and 1 hundred fifty", "2 hundred and 2 fifty" are two numbers
        if words[used : used + 1] == ["and"] and {"hundred", *_TENS}.intersection(ahead[taken : taken + 1]):
            return str(value), used
        if taken and words[used + taken - 1] not in _ORDINALS:
            used += taken + (words[used : used + 1] == ["and"])
            value += more
    elif value < 10 and words[used : used + 1] and words[used] in _TENS:  # "two fifty"
        more, taken = _below_hundred(words[used:])
        value, used = value * 100 + more, used + taken
    if words[used : used + 1] and words[used] in {"thousand", "grand"}:
        value, used = value * 1000, used + 1
        rest, taken = _number(_skip_and(words[used:]))
        if taken and rest.isdigit() and int(rest) < 1000:
            used += taken + (words[used : used + 1] == ["and"])
            value += int(rest)
    return str(value), used


def _skip_and(words: list[str]) -> list[str]:
    return words[1:] if words[:1] == ["and"] else words


def _below_hundred(words: list[str]) -> tuple[int, int]:
    """0 to 99 (or an ordinal, or up to three digits) at the front, and how many words it takes."""
    if not words:
        return 0, 0
    first, second = words[0], words[1] if len(words) > 1 else ""
    if first.isdigit():
        return int(first), 1
    if first in _TENS:
        unit = _SMALL.get(second, _ORDINALS.get(second, 0))
        return (_TENS[first] + unit, 2) if 0 < unit < 10 else (_TENS[first], 1)
    if first in _SMALL:
        return _SMALL[first], 1
    return (_ORDINALS[first], 1) if first in _ORDINALS else (0, 0)
