"""How many nights a guest names: a count, "a week", until the next day; two counts or a bound are asked about."""

import re

from nightdesk.understanding.view import Span

# "three nights", "a week", "4 day reservation", "for the next 5 days", "after 3 days"
_NIGHTS = re.compile(
    r"(?<![\d.$€£/-])\b(?P<count>\d{1,3})[ -]?(?:full |whole )?(?P<unit>nights?|nites?|days?|weeks?|wks?)\b"
    r"(?! (?:ago|from (?:now|today|tomorrow)|before|notice|more|less|fewer|longer|shorter|extra|earlier))"
    r"|\b(?:for|just|only|stay(?:ing)?|spend(?:ing)?) (?:(?:just|only) )?(?P<a>an?|the"
    r"|1) (?:single )?(?P<one>night|day)\b"
    r"|\b(?:a|1) (?P<long>weeks?|wk|fortnight)\b(?! (?:ago|before|and a half))"
)
# "1 or 2 nights", "three to four days"
_EITHER = re.compile(r"(?<![\d./])\b(\d{1,2}) ?(?:or|to|-) ?(?:maybe )?(\d{1,2}) (?:nights|days|weeks)\b")
# "at least 3 nights", "up to 5 days"; "not 3 nights", "3 nights is too long"
_BOUNDED = re.compile(
    r"\b(?:at least|at most|(?:no |not )?(?:more|less|fewer|longer) than|up to|min(?:imum)?(?: of)?"
    r"|max(?:imum)?(?: of)?|(?<!how )(?<!what )about"
    r"|around|roughly|approximately|not) (?:\d{1,3}|an?) (?:nights?|days?|weeks?)\b"
    r"|\b(?:\d{1,3} |a (?=week))(?:nights?|days?|weeks?) (?:(?:is|are|would be) (?:way |far |a bit )?(?:too|so) \w+"
    r"|or (?:more|less|so|longer)"
    r"|minimum|maximum|max|min|at (?:least|most))\b"
)
# "tomorrow till the day after", "Friday, leaving the next day"
_NEXT_DAY = re.compile(
    r"\b(?:until|till?|to|through|thru|leav\w+|check(?:ing)?[ -]?out|depart\w*|return\w*)(?: on)?"
    r" (?:the )?(?:next day|day after|following day)\b(?! tomorrow)"
)


def nights_in(text: str) -> tuple[int | None, list[Span]]:
    """The length of the stay in nights; "4 nights 5 days" means 13."""
    by_days: int | None = None
    by_nights: int | None = None
    spans: list[Span] = []
    for match in _NIGHTS.finditer(text):
        if match["count"] and re.search(r"\b(?:in|every|per) $", text[max(0, match.start() - 6) : match.start()]):
            continue
        spans.append(match.span())
        if match["one"]:
            by_nights = by_nights or 1
        elif match["long"]:
            by_nights = by_nights or (14 if match["long"][0] == "f" else 7)
        elif match["unit"][0] == "w":
            by_nights = by_nights or 7 * int(match["count"])
        elif match["unit"][0] == "n":
            by_nights = int(match["count"])
        else:
            by_days = int(match["count"])
    return by_nights or by_days, spans


def unsettled(text: str) -> tuple[Span, tuple[str, ...]] | None:
    """Where the length is left open, and the counts to choose from: "2 or 3 nights", "at least 4 nights"."""
    if either := _EITHER.search(text):
        return either.span(), (either[1], either[2])
    bounded = _BOUNDED.search(text)
    return None if bounded is None else (bounded.span(), ())


def until_the_next_day(text: str, start: int) -> bool:
    """Whether the day before `start` is followed by "till the day after"."""
    return _NEXT_DAY.search(text, start) is not None
