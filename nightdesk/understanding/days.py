"""Expressions for one day, as a guest writes them: "Aug 3rd", "8/3", "Friday the 14th", "tomorrow", "the 12th"."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from nightdesk.understanding.view import BLANK, has_digit

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
WEEKDAY = (
    r"(?:mon(?:days?)?|tue(?:s|sdays?)?|wed(?:s|nesdays?)?|thu(?:rs?|rsdays?)?|fri(?:days?)?|sat(?:urdays?)?"
    r"|sun(?:days?)?)\b\.?"
)
ORDINAL = r"(?:st|nd|rd|th)\b"
_FAR_YEAR = (  # or an amount: "aug 3 to 9, 2500 in total"
    r"(?:2[2-9]\d\d|[3-9]\d{3}|[1-9]\d{4,5})\b"
    r"(?! ?(?:€|£|euros?|pounds?|/|(?:in )?total|budget|or less|altogether|each|at most))"
)
_YEAR = (
    rf"(?:,? (?:of )?(?:in )?(?P<year>(?:19|20|21)\d\d|{_FAR_YEAR})\b"
    r"(?![-/.,]\d)(?! ?(?:\$|dollars|bucks|usd|max|tops|a night|per)))?"
)
# "march 2 rooms", "may 2 people": the number counts something else.
_NO_COUNT = (
    r"(?![\d:]|\.\d| ?(?:[ap]\.?m\b|nights?\b|days?\b|weeks?\b|people|persons?\b|adults?\b|guests?\b|rooms?\b|beds?\b"
    r"|queens?\b|kings?\b|kids\b|child|miles?\b|km\b|stars?\b|%|dollars|bucks))"
)
# "3rd aug 27", "Aug 3 '27"
_SHORT_YEAR = rf"(?: '?(?P<short>[2-4]\d){_NO_COUNT}(?! ?(?:to|-|{ORDINAL})))?"
_NAMED = rf"(?:\b(?:this |next |on )?(?P<weekday>{WEEKDAY}),? (?:on )?(?:the )?)?"


@dataclass(frozen=True)
class Day:
    """One day as said, not yet resolved; only what the guest named is set."""

    start: int
    stop: int
    rule: str
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    offset: int | None = None  # days from today
    week: int | None = None  # with a weekday: in how many weeks ("Wednesday next week" is 1)
    after_next: bool = False  # with a weekday: "Wednesday after next"
    ahead: int = 0  # with a weekday: days to add ("a week from Friday")
    this_month: int | None = None  # "of this month" 0, "of next month" 1
    night: bool = False  # "tomorrow night"
    other: tuple[int, int] | None = None  # (month, day) when read day first

    @property
    def bare(self) -> bool:
        """Only a day of some month."""
        return self.day is not None and self.month is None and self.this_month is None


def month_number(name: str) -> int:
    """1 to 12."""
    return MONTHS.index(name[:3]) + 1


def weekday_number(name: str | None) -> int | None:
    """0 for Monday to 6 for Sunday."""
    return WEEKDAYS.index(name[:3]) if name else None


def _full_year(digits: str | None) -> int | None:
    return None if digits is None else int(digits) + (2000 if len(digits) == 2 else 0)


def _iso(m: re.Match[str]) -> Iterator[Day]:
    first = Day(m.start(), m.end(3), "dates.iso", int(m[1]), int(m[2]), int(m[3]))
    yield first
    if m[4]:  # 2027-08-03/09
        yield replace(first, start=m.start(4), stop=m.end(4), day=int(m[4]))


def _dotted(m: re.Match[str]) -> Iterator[Day]:
    yield Day(m.start(), m.end(), "dates.dotted", _full_year(m[3]), int(m[2]), int(m[1]))


def _slashed(m: re.Match[str]) -> Iterator[Day]:
    first, second, year = int(m[1]), int(m[2]), _full_year(m[3])
    if first > 12 >= second:  # 15/8 has only one reading
        first, second = second, first
    other = (second, first) if second <= 12 and first != second else None
    yield Day(m.start(), m.end(), "dates.slashed", year, first, second, other=other)


def _named(m: re.Match[str]) -> Iterator[Day]:
    year = _full_year(m["year"] or m["short"])
    weekday = weekday_number(m["weekday"])
    yield Day(m.start(), m.end(), "dates.month_day", year, month_number(m["month"]), int(m["day"]), weekday)


def _weekday_day(m: re.Match[str]) -> Iterator[Day]:
    if m["the"] or m["th"]:
        yield Day(m.start(), m.end(), "dates.weekday_day", day=int(m["day"]), weekday=weekday_number(m["weekday"]))


def _day_of_month(m: re.Match[str]) -> Iterator[Day]:
    if m["which"] is None and _IN_A_LIST.search(m.string, max(0, m.start() - 60), m.start()):
        return
    which = m["which"]
    this_month = None if not which else 1 if which == "next" else 0
    yield Day(m.start(), m.end(), "dates.day", day=int(m["day"]), this_month=this_month)


def _weekday(m: re.Match[str]) -> Iterator[Day]:
    if m["said"] in {"last", "past", "previous"}:
        return
    pre, post = m["pre"], m["post"] or ""
    day = Day(m.start(), m.end(), "dates.weekday", weekday=weekday_number(m["weekday"]), night=bool(m["night"]))
    if pre:
        yield replace(day, ahead=7 * int(m["weeks"] if m["weeks"].isdigit() else 1))
    elif "next week" in (m["week"] or "") or "next week" in post:
        yield replace(day, week=1)
    elif "in" in post.split() or "after next" in post:
        yield replace(day, ahead=14 if "2 weeks" in post else 7, after_next="after next" in post)
    else:
        yield day


def _relative(m: re.Match[str]) -> Iterator[Day]:
    word = m["word"]
    offset = 2 if "after" in word else -1 if word == "yesterday" else 1 if word[:2] in {"to", "tm", "2m"} else 0
    if word in {"today", "tonight", "2nite", "2night"}:
        offset = 0
    night = m["night"] is not None or word in {"tonight", "2nite", "2night"}
    yield Day(m.start(), m.end(), "dates.relative", offset=offset, night=night)


def _in_days(m: re.Match[str]) -> Iterator[Day]:
    count = int(m["count"]) if m["count"].isdigit() else 1
    unit = 14 if m["unit"].startswith("fort") else 7 if m["unit"].startswith("w") else 1
    extra = 1 if m["base"] == "tomorrow" else 0
    if count * unit <= 999:
        yield Day(m.start(), m.end(), "dates.in_days", offset=count * unit + extra)


def _bare_pair(m: re.Match[str]) -> Iterator[Day]:
    yield Day(m.start(1), m.end(1), "dates.bare_range", day=int(m[1]))
    yield Day(m.start(2), m.end(2), "dates.bare_range", day=int(m[2]))


# "breakfast at the first", "the gym of the second": a place in a list, unless something there is of a stay
_IN_A_LIST = re.compile(
    r"^(?!.*\b(?:arriv|check|leav|depart|land|stay|start|begin|end|until|till?\b|from\b|com(?:e|ing)\b|by\b|nights?|book"
    r"|reserv|morning|evening|afternoon|week|as of|instead)).*\b(?:at|of) the $",
    re.DOTALL,
)


_Build = Callable[[re.Match[str]], Iterator[Day]]
_FIGURED_RULES: tuple[tuple[re.Pattern[str], _Build], ...] = (
    # 2027-08-03, 2027/8/3, and the short interval 2027-08-03/09
    (re.compile(r"(?<![\d.-])(\d{4,6})[-/.](\d{1,2})[-/.](\d{1,2})(?:/(\d\d))?(?!\d)"), _iso),
    # 20270803
    (re.compile(r"(?<![\d.,$#])(?<![a-z]-)(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)()"), _iso),
    # 3.8.2027 and "3.8." are day first
    (re.compile(r"(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4,6}|\d\d)?(?!\d)"), _dotted),
    # 8/3, 8/3/27, 8-3-2027 are month first
    (re.compile(r"(?<![\d/.$])(\d{1,2})/(\d{1,2})(?:/(\d{4,6}|\d\d))?(?![\d/]|\.\d)"), _slashed),
    (re.compile(r"(?<![\d/.$-])(\d{1,2})-(\d{1,2})-(\d{4,6})(?![\d/-])"), _slashed),
    # "Tuesday, August 3rd, 2027", "sep the 14th"
    (
        re.compile(
            rf"{_NAMED}(?<!\dst )(?<!\dnd )(?<!\drd )(?<!\dth )(?<!\dth of )\b(?P<month>{MONTH})"
            rf",? ?(?:the )?(?P<day>\d{{1,2}}){_NO_COUNT}(?:{ORDINAL})?{_YEAR}(?:,? '(?P<short>\d\d)\b)?"
        ),
        _named,
    ),
    # "3 august", "the 3rd of August 2027", "sat 3 dec"
    (
        re.compile(
            rf"{_NAMED}(?<![\d.,/$])(?P<day>\d{{1,2}})(?:{ORDINAL})?(?: day)?(?: of)?[ -]?"
            rf"(?P<month>{MONTH}){_YEAR}{_SHORT_YEAR}"
        ),
        _named,
    ),
    # "Friday the 29th", "next Friday 29th"
    (
        re.compile(
            rf"\b(?:this |next |coming )?(?P<weekday>{WEEKDAY}),? (?P<the>the )?(?P<day>\d{{1,2}}){_NO_COUNT}"
            rf"(?P<th>{ORDINAL})?"
        ),
        _weekday_day,
    ),
    # "the 12th", "the 6th of this month"; not "the 1st one", "5th avenue"
    (
        re.compile(
            rf"(?<![\d.,/$])\b(?P<day>\d{{1,2}}){ORDINAL}(?:,? of (?P<which>this|the|next) month)?"
            r"(?! (?:1\b|one|hotel|option|choice|floor|night|time|place|thing|result|of all|street|avenue|ave\b"
            r"|birthday"
            r"|class|item|trip|visit|child|anniversary|week|half|party|room|suggestion|pick|listing|offer))"
        ),
        _day_of_month,
    ),
)
_WORDED_RULES: tuple[tuple[re.Pattern[str], _Build], ...] = (
    # "Friday", "next Monday", "Wednesday next week", "Sunday in a week", "a week from Friday", "Tuesday night"
    (
        re.compile(
            r"\b(?P<pre>(?P<weeks>\d|an?) weeks? (?:from|on|after) )?(?P<week>next week,? (?:on )?)?"
            r"(?:(?P<said>this coming|this|next|coming|upcoming|following|that|last|past|previous) )?"
            rf"(?<!in the )(?P<weekday>{WEEKDAY})(?P<night> (?:night|evening))?"
            r"(?P<post>,? (?:of )?(?:next week|this week|in (?:a|1|2) weeks?|after next)\b)?"
        ),
        _weekday,
    ),
    # "in 9 days", "in a week's time", "2 weeks from today"
    (
        re.compile(
            r"\bin (?P<count>\d{1,3}|an?) (?P<unit>days?|weeks?|fortnight)\b(?:'s)?(?: time)?(?P<base>)(?! of\b)"
        ),
        _in_days,
    ),
    (
        re.compile(
            r"\b(?P<count>\d{1,3}|an?) (?P<unit>days?|weeks?|fortnight) (?:from|after) (?P<base>now|today|tomorrow)\b"
        ),
        _in_days,
    ),
    # "the day after tomorrow", "tmrw", "tonight"
    (
        re.compile(
            r"\b(?P<word>(?:the )?day after tomorrow|tomorrow"
            r"|tmrw|tmr|tmrow|2moro|tonight|2nite|2night|today|this evening"
            r"|yesterday)\b"
            r"(?P<night> (?:night|evening))?"
        ),
        _relative,
    ),
)

# "14-22", "from 7 to 9": only where dates were asked for, since two bare numbers may be anything.
_BARE_RANGE = re.compile(
    r"(?<![\d/.,:$-])(?<!\bat )(\d{1,2})(?:st|nd|rd|th)?\s?(?:-|to|until|till|til|through|thru)\s?(?:the )?(\d{1,2})"
    + _NO_COUNT
    + r"(?:st|nd|rd|th)?(?![\d/:,-])(?! (?:evening|morning|o'?clock))"
)
_BARE_DAY = re.compile(r"(?:(?:on|from|the|until|til|till|by) ){0,2}(\d{1,2})\W*$")
# A bare number at either end of a range whose other end names the month: "11 to 14 May", "June 11-27".
_HEAD = re.compile(r"(?<![\d/.,:$-])(?<!\bat )(\d{1,2})\s?(?:-|to|until|till|til|through|thru|and)\s?(?:the )?$")
_TAIL = re.compile(
    r"\s?(?:-|to|until|till|til|through|thru|and)\s?(?:the )?(\d{1,2})"
    + _NO_COUNT
    + rf"(?:{ORDINAL})?(?![\d/:-]|,\d)(?! (?:evening|morning|o'?clock)){_YEAR}"
)
_SHORT_WORD = re.compile(r"(?:sat|sun|mon|wed|may|mar|march)\b")
# "sun to wed": the "to" of a range
_RANGE_BEFORE = re.compile(rf"(?:{WEEKDAY}|\d|{ORDINAL}|{BLANK}) to $")
_VERB_BEFORE = re.compile(r"\b(?:i|we|he|she|they|it|you|the|to|just|in the) $")


_MOST = 12
"""Days of one message that are weighed; a stay has two."""


def days(text: str, *, asked_for_dates: bool) -> list[Day]:
    """The days named in a text, from left to right."""
    found: list[Day] = []
    rest = text
    for pattern, build in (*_FIGURED_RULES, *_WORDED_RULES) if has_digit(text) else _WORDED_RULES:
        taken: list[tuple[int, int]] = []
        for match in pattern.finditer(rest):
            if len(found) >= _MOST:
                break
            if _is_a_verb(rest, match):
                continue
            built = list(build(match))
            if built:
                found.extend(built)
                taken.append(match.span())
        for start, stop in taken:
            rest = rest[:start] + BLANK * (stop - start) + rest[stop:]
    found.sort(key=lambda day: day.start)
    if asked_for_dates and not found:
        match = _BARE_RANGE.search(rest)
        return list(_bare_pair(match)) if match else []
    return _with_bare_ends(rest, found)


def lone_day(text: str) -> Day | None:
    """A whole message that is one number, where a day was asked for: "12", "the 12"."""
    match = _BARE_DAY.match(text.strip())
    return Day(0, len(text), "dates.lone_day", day=int(match[1])) if match else None


def _is_a_verb(text: str, match: re.Match[str]) -> bool:
    """ "I sat", "in the sun" name no weekday."""
    short = _SHORT_WORD.fullmatch(match[0].strip())
    before = text[max(0, match.start() - 16) : match.start()]
    return bool(short and _VERB_BEFORE.search(before) and not _RANGE_BEFORE.search(before))


def _with_bare_ends(text: str, found: list[Day]) -> list[Day]:
    """Adds the ends that are only a number, next to a day that names more."""
    every: list[Day] = []
    for place, day in enumerate(found):
        before = found[place - 1].stop if place else 0
        head = _HEAD.search(text, max(before, day.start - 12), day.start)
        if head and not day.bare and day.weekday is None and day.offset is None:
            every.append(Day(head.start(1), head.end(1), "dates.range_head", day=int(head[1])))
        every.append(day)
        tail = _TAIL.match(text, day.stop)
        if tail and (day.month or day.this_month is not None or day.bare):
            year = int(tail["year"]) if tail["year"] else None
            if year is not None and day.year is None:
                every[-1] = replace(day, year=year)
            month = day.month if year is not None else None
            every.append(Day(tail.start(1), tail.end(), "dates.range_tail", year, month, int(tail[1])))
    return every


def exists(year: int, month: int, day: int) -> date | None:
    """The date, if the calendar has it."""
    try:
        return date(year, month, day)
    except ValueError:
        return None
