"""A guest's words about the price per night: bounds, ranges, amounts that need a question, and levels ("cheap")."""

import re
from dataclasses import dataclass
from decimal import Decimal

from nightdesk.understanding.levels import read_level
from nightdesk.understanding.reading import BudgetReading
from nightdesk.understanding.view import Notes, View, has_digit

_SIGN = {"$": None, "us$": None, "usd": None, "€": "EUR", "eur": "EUR", "£": "GBP", "gbp": "GBP", "¥": "JPY"}
_CURRENCY = {
    "euro": "EUR",
    "eur": "EUR",
    "€": "EUR",
    "pound": "GBP",
    "quid": "GBP",
    "gbp": "GBP",
    "£": "GBP",
    "yen": "JPY",
}
_OTHERS = {"rupee": "INR", "franc": "CHF", "chf": "CHF", "cad": "CAD", "aud": "AUD", "peso": "MXN"}

_AMOUNT = re.compile(
    r"(?P<minus>(?<![\w)])-|\bminus |\bnegative )?(?P<sign>us\$|usd|[$€£¥]|eur|gbp)? ?(?P<minus2>-)?"
    # "12 000" is one number; "1e3" and "0.001" are none.
    r"(?<![\d.,])(?<!\de)(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d\d?)?|[1-9]\d{0,2}(?:\.\d{3})+(?:,\d\d?)?|\d{1,3}(?: 000)+"
    r"|\d{1,9}(?:[.,]\d\d?)?)(?![\d]|[.,]\d|e\d)(?P<k>k\b| grand\b| thousand\b| ?million\b| mil\b)?"
    r" ?-?(?P<word>dollars?|bucks?|usd|us\$|credits?|euros?|eur\b|€|pounds?|quid|gbp|£|yen|rupees?|francs?|chf"
    r"|cad|aud|pesos?|\$(?!\d))?"
)
# Numbers that count or measure something else.
_OTHER_UNIT = re.compile(
    r"[ -]?(?:miles?|mi\b|km|kilomet|blocks?|minutes?|hours?|nights?\b|days?\b|weeks?\b|people|persons?|adults?"
    r"|guests?|kids?|child|rooms?"
    r"|beds?|queens?|kings?|stars?|%|percent|years?|[ap]\.?m\b|st\b|nd\b|rd\b|th\b|/\d|:\d)"
)
_MOST = 24
"""Amounts of one message that are weighed."""
_NUMBER_OF = re.compile(r"(?:number|option|hotel|choice|no\.|#|room|booking|reference) ?$")

_MIN = r"at least|min(?:imum|imun)?\b(?: of| is)?|starting (?:at|from)|from|upwards of|north of"
_MAX = (
    r"at most|under|below|max(?:imum)?\b(?: of| is)?|up to|within|not exceed\w*|don't exceed|<=?|≤|limit\w*(?: of"
    r"| is)?|cap(?: of| at)?"
    r"|until|maximal|top"
)
_MORE = r"more than|over|above|higher than|greater than|beyond|exceed\w*|>=?|≥"
_LESS = r"less than|lower than|fewer than|cheaper than|beneath"
_BOUND = re.compile(
    rf"(?P<min>\b(?:{_MIN}))|(?P<max>(?:\b|(?=[<≤]))(?:{_MAX}))|(?P<more>(?:\b|(?=[>≥]))(?:{_MORE}))"
    rf"|(?P<less>\b(?:{_LESS}))"
)
_NEGATED = re.compile(r"\b(?:no|not|never|nothing|cannot|cant|dont|wont|without|any)\b|n't\b")
_MAX_AFTER = re.compile(
    r"^ ?(?:(?:per|a|each|every) night|/ ?night|nightly)?,? ?(?:or (?:less|under|below|lower|cheaper)"
    r"|(?:is )?(?:my |the |our )?"
    r"(?:absolute )?(?:max(?:imum)?\b(?!,? (?:of )?\$?\d)|tops\b|at most\b(?! \$?\d)|ceiling|limit)|and (?:below"
    r"|under|less)|max\b(?! \$?\d))"
)
_MIN_AFTER = re.compile(
    r"^ ?(?:(?:per|a|each|every) night|/ ?night|nightly)?,? ?(?:or (?:more|above|over|higher|up)|(?:is )?(?:my "
    r"|the |our )?"
    r"min(?:imum)?\b(?!,? (?:of )?\$?\d)|and (?:up|above|over|more)|\+|at least\b(?! \$?\d))"
)
_ABOUT = re.compile(
    r"(?:\babout|\baround|\bapprox\w*|\broughly|\bcirca|\bca\.?|~|\bsomewhere near|\bin the region of"
    r"|\bclose to) ?(?:the )?$"
)
_RIGHT_BEFORE = re.compile(
    r"(?:\b(?:under|below|over|above|up to|at (?:most|least)|(?:less|more|lower|cheaper|higher) than|make it"
    r"|it to|max(?:imum)?|min(?:imum)?|limit)|[<>]=?) ?(?:of )?$"
)
_ISH = re.compile(r"^(?: (?:per|a) night)?,?(?: ?ish\b| or so\b| give or take)")
# "to", "and", also with the unit before it: "80 bucks to 90 bucks"
_BETWEEN = re.compile(r"^ ?(?:(?:per|a) night )?(?:-|to|and|till|until|up to) ?$")
# "150 or 200", "maybe 100, maybe 200": which of them is asked
_EITHER = re.compile(r"^ ?(?:(?:per|a) night)?,? ?(?:(?:or|and)(?: maybe| perhaps| even)?|maybe|perhaps) ?$")
_CUE = re.compile(
    r"\b(?:budget|price[sd]?|pay|cost\w*|spend\w*|rate|money|cheap\w*|expensive|max(?:imum)?|min(?:imum)?"
    r"|afford\w*|tops)\b"
    r"|\b(?:per|a|each|every) night\b|/ ?night|\bnightly\b"
)
_PER_NIGHT = re.compile(r"^ ?(?:(?:per|a|each|every) night|/ ?night|nightly|pn\b|p/n)")
# "$900 for the entire stay", "1,200 in total": not a price per night.
_TOTAL_AFTER = re.compile(
    r"^[^.;]{0,20}?\b(?:in total|total|altogether|all in|overall|for (?:the )?(?:entire|whole|full|complete) \w+"
    r"|for (?:all )?(?:the )?"
    r"\d* ?(?:nights|days|week|trip|stay)\b|(?:a|per) week|for the (?:week|trip|stay|lot))"
)
_TOTAL_BEFORE = re.compile(r"\b(?:total(?: budget| cost| price)?(?: of| is)?|altogether|in all)[^.;\d]{0,20}$")
_CHANGED_TO = re.compile(
    r"\b(?:change|raise|lower|increase|set|make|bump|drop|reduce|move|update|go up|up|cut)\b[^.;\d]{0,45}$"
)


@dataclass(frozen=True)
class _Money:
    start: int
    stop: int
    value: Decimal
    currency: str | None
    marked: bool
    negative: bool


@dataclass(frozen=True)
class BudgetFound:
    """The budget and whether anything was said about it at all."""

    budget: BudgetReading | None = None
    mentioned: bool = False


def read_budget(seen: View, whole: str, context: str | None, notes: Notes, *, others: bool) -> BudgetFound:
    """Reads amounts per night; `others` says that the message names other criteria, so that "$300" is a price.

    `whole` is the text with the spans that are blanked in `seen`, for "$600 for 3 nights".
    """
    text = seen.text
    asked = context == "budget"
    amounts = _amounts(text, asked=asked)
    said = bool(_CUE.search(text)) if amounts else False
    cued = asked or others or said
    prices = [money for money in amounts if _is_price(text, money, amounts, cued=cued, said=said, asked=asked)]
    amounts = [money for money in amounts if money in prices or _begins_a_range(text, money, prices)]
    if not amounts:
        level = read_level(seen, context, notes)
        return BudgetFound(level, mentioned=level is not None)
    refused = [money for money in amounts if _refused(text, money)]
    if len(refused) == len(amounts):
        notes.ask("budget", "unclear", seen.quote(amounts[0].start, amounts[-1].stop), why="which_amount")
        return BudgetFound(mentioned=True)
    amounts = [money for money in amounts if money not in refused]
    quote = seen.quote(amounts[0].start, amounts[-1].stop)
    if any(money.negative for money in amounts):
        notes.ask("budget", "negative", quote, why="invalid_budget")
        return BudgetFound(mentioned=True)
    if not any(_PER_NIGHT.match(text[money.stop : money.stop + 20]) for money in amounts) and any(
        _TOTAL_AFTER.match(whole[money.stop : money.stop + 60])
        or _TOTAL_BEFORE.search(text[max(0, money.start - 50) : money.start])
        for money in amounts
    ):
        notes.ask("budget", "total", quote, why="budget_total_not_nightly")
        return BudgetFound(mentioned=True)
    if asked and (odd := _like_days(seen, amounts)) is not None:
        notes.ask("budget", "unclear", odd, why="which_amount")
        return BudgetFound(mentioned=True)
    currency = next((money.currency for money in amounts if money.currency), None)
    budget = _bounds(text, amounts, quote, currency, notes)
    if currency:
        notes.ask("budget", "currency", quote)
    return BudgetFound(budget, mentioned=True)


def _amounts(text: str, *, asked: bool) -> list[_Money]:
    found: list[_Money] = []
    if not has_digit(text):
        return found
    for match in _AMOUNT.finditer(text):
        stop = match.end("word") if match["word"] else match.end("k") if match["k"] else match.end("digits")
        start = next(match.start(part) for part in ("minus", "sign", "minus2", "digits") if match[part])
        if not match["word"] and not match["sign"] and _OTHER_UNIT.match(text, stop):
            continue
        if _NUMBER_OF.search(text, max(0, start - 12), start):
            continue
        value = _value(match["digits"]) * _scale(match["k"])
        sign = match["sign"] or ""
        word = (match["word"] or "").rstrip("s") if match["word"] != "us$" else ""
        currency = _SIGN.get(sign) or _CURRENCY.get(word) or _OTHERS.get(word)
        minus = bool(match["minus"] or match["minus2"])
        negative = (
            minus
            and (asked or bool(sign or word) or text[match.start("digits") - 1] == "-")
            and not re.search(r"\d ?$", text[max(0, match.start() - 2) : match.start()])
        )
        found.append(_Money(start, stop, value, currency, bool(sign or word), negative))
        if len(found) == _MOST:
            break
    return found


def _scale(word: str | None) -> int:
    return 1 if word is None else 1_000_000 if "mil" in word else 1000


def _value(digits: str) -> Decimal:
    """1,200.50 and 1.200,50 are both twelve hundred and a half; 12,5 is twelve and a half."""
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:,\d\d?)?", digits):
        return Decimal(digits.replace(".", "").replace(",", "."))
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d\d?)?", digits):
        return Decimal(digits.replace(",", ""))
    return Decimal(digits.replace(",", ".").replace(" ", ""))


def _is_price(text: str, money: _Money, every: list[_Money], *, cued: bool, said: bool, asked: bool) -> bool:
    if asked or _PER_NIGHT.match(text[money.stop : money.stop + 20]):
        return True
    near = text[max(0, money.start - 30) : money.start]
    bound = (
        _BOUND.search(near)
        or _MAX_AFTER.match(text[money.stop : money.stop + 40])
        or _MIN_AFTER.match(text[money.stop : money.stop + 40])
    )
    if money.marked:
        return bool(cued or bound or _ABOUT.search(near) or re.search(r"\bfor $", near))
    beside_marked = any(other.marked and abs(other.start - money.start) < 15 for other in every)
    return (
        bool(said and (bound or beside_marked or _CHANGED_TO.search(near)))
        or bool(_CUE.search(near) and money.value >= 20)  # not "the cheaper of those 2"
        or (beside_marked and bool(bound))
        or bool(_MAX_AFTER.match(text[money.stop : money.stop + 40]) and money.value >= 20)
        or bool(_bounded(near) and money.value >= 20)
    )


# "500 is too much", "250 a night is way too expensive"; "not 300", "I don't have 500"
_TOO_MUCH = re.compile(
    r" ?(?:(?:per|a|each) night )?(?:is|are|'s|was|seems|sounds|would be)? ?(?:way |far |a bit |a little |just "
    r"|much )?(?:too|so)"
    r" (?:much|expensive|high|pricey|steep|dear|costly)\b"
    r"| ?(?:dollars |bucks |euros )?(?:be )?(?:enough|realistic|sufficient)\b[^.!]*\?"
)
_NOT_THIS = re.compile(r"\b(?:not|(?:don't|do not|haven't|didn't) (?:have|got)) (?:even )?$")


def _refused(text: str, money: _Money) -> bool:
    return bool(_TOO_MUCH.match(text, money.stop) or _NOT_THIS.search(text, max(0, money.start - 20), money.start))


_DAYS_AFTER_A_WORD = re.compile(
    r"\b(?!(?:between|from|budget|price|say|maybe|about|around|is|of|range)\b)[a-z]{3,}\.? $"
)


def _like_days(seen: View, amounts: list[_Money]) -> str | None:
    """ "blorp 3 - 9": two small numbers without a sign after some unknown word, which could be days of a month."""
    if len(amounts) != 2 or any(money.marked or money.value > 31 for money in amounts):
        return None
    before = _DAYS_AFTER_A_WORD.search(seen.text, 0, amounts[0].start)
    if before is None or not _BETWEEN.match(seen.text[amounts[0].stop : amounts[1].start]):
        return None
    return seen.quote(before.start(), amounts[1].stop)


def _begins_a_range(text: str, money: _Money, prices: list[_Money]) -> bool:
    """The 100 in "100-150 per night"."""
    return any(money.stop < other.start and _BETWEEN.match(text[money.stop : other.start]) for other in prices)


def _bounded(near: str) -> bool:
    """ "under 300", "up to 250": nothing else here is counted in such numbers without a unit."""
    return bool(_RIGHT_BEFORE.search(near))


def _bounds(text: str, amounts: list[_Money], quote: str, currency: str | None, notes: Notes) -> BudgetReading | None:
    low: Decimal | None = None
    high: Decimal | None = None
    about: Decimal | None = None
    place = 0
    while place < len(amounts):
        money = amounts[place]
        following = amounts[place + 1] if place + 1 < len(amounts) else None
        before = text[max(amounts[place - 1].stop if place else 0, money.start - 60) : money.start]
        after = text[money.stop : following.start if following else money.stop + 40]
        if following and _BETWEEN.match(after) and not (_BOUND.search(after) and "up to" not in after):
            place += 1
            if _CHANGED_TO.search(before.removesuffix("from ")) and before.endswith("from "):
                high = following.value  # "raise it from 500 to 700"
                notes.fired("budget.changed_to")
            elif _lopsided(money, following):
                notes.ask("budget", "unclear", quote, why="which_amount")
                return None
            elif following.value < money.value:
                notes.ask(
                    "budget", "reversed", quote, options=(f"{following.value}", f"{money.value}"), why="budget_inverted"
                )
                return None
            else:
                low, high = money.value, following.value
                notes.fired("budget.range")
            place += 1
            continue
        side = _side(before, text[money.stop : money.stop + 40])
        if following and side is None and _EITHER.match(after):
            options = (f"{money.value}", f"{following.value}")
            notes.ask("budget", "ambiguous", quote, options=options, why="which_amount")
            return None
        if _ABOUT.search(before) or _ISH.match(after):
            about = money.value
            notes.ask("budget", "about", quote)
        elif side == "min":
            low = money.value
            notes.fired("budget.min")
        else:
            high = money.value
            notes.fired("budget.max" if side else "budget.bare")
        place += 1
    return BudgetReading(min=low, max=high, about=about, currency=currency)


def _lopsided(low: _Money, high: _Money) -> bool:
    """ "$2-300", "2-3k": two hundred, or two?"""
    return 2 <= low.value < 10 and high.value >= 100 and not (low.marked and high.marked)


def _side(before: str, after: str) -> str | None:
    """Whether the words around an amount make it the least or the most."""
    if _MAX_AFTER.match(after):
        return "max"
    if _MIN_AFTER.match(after):
        return "min"
    bounds = list(_BOUND.finditer(before))
    if not bounds:
        return None
    last = bounds[-1]
    negated = bool(_NEGATED.search(before[: last.start()]))
    if last["more"]:
        return "max" if negated else "min"
    if last["less"]:
        return "min" if negated else "max"
    if last["min"]:
        return "min"
    return "min" if negated and last[0] in {"under", "below"} else "max"
