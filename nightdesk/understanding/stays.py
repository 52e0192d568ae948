"""From the days and the nights a guest names to one stay: which day is which end, and what must be asked."""

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta

from nightdesk.understanding.calendar import ImpossibleDateError, WeekdayMismatchError, exists, resolve
from nightdesk.understanding.days import MONTH, WEEKDAY, Day, days, lone_day, month_number
from nightdesk.understanding.ends import End, ends_of, is_one_night
from nightdesk.understanding.nights import nights_in, unsettled, until_the_next_day
from nightdesk.understanding.reading import StayReading
from nightdesk.understanding.view import BLANK, Notes, Span, View
from nightdesk.understanding.years import A_YEAR, with_a_far_year

LONGEST_ROLL = 120
"""Nights: a check-out that needs the next year to be after check-in, and is farther off, was the wrong way round."""

# Numbers that are no dates: "4 people", "5 years old", "3 stars", "at 8 to 9", "3 pm", "24/7".
_NOT_DATES = re.compile(
    r"\b\d+ ?(?:adults?|people|persons?|guests?|kids?|child(?:ren)?|rooms?|of us|pax|ppl|years?|yrs?|stars?|star)\b"
    r"|\b24/7\b|\b\d{1,2}(?::\d\d)? ?[ap]\.?m\b|\bat \d{1,2}(?::\d\d)?(?: (?:to|-) \d{1,2}(?::\d\d)?)?\b(?!/)"
)
# "the Monday after that", with no other day: after which?
_AFTER_THAT = re.compile(rf"\b{WEEKDAY} after(?: that)?(?=\W*$)")
# "after march 3", "no earlier than the 5th", "the 9th at the latest": a bound, not a day
_BOUND_BEFORE = re.compile(
    r"(?:\b(?:before|after|since|(?:no|not) (?:earlier|later|sooner) than|not until|around|roughly)"
    r"|^\W*about) (?:on )?(?:the )?$"
)
_BOUND_AFTER = re.compile(r" (?:at the (?:latest|earliest)|or (?:later|earlier|after|before|so|thereabouts)|-?ish)\b")
# What the days are for, when a lone "tomorrow" or "Friday" could be about anything.
_STAY = re.compile(
    r"\b(?:stay\w*|book\w*|rooms?|suites?|hotels?|reserv\w*|arriv\w*|leav\w*|depart\w*|check\w*|nights?|come"
    r"|coming|from"
    r"|until|till?|start\w*|availab\w*|beds?|queens?|kings?|travel\w*|trip|visit\w*|dates|somewhere"
    r"|accommodation|need|want|try|instead|(?:how|what) about)\b"
)
# "will it snow there on Sunday", "we stayed with you last week": not about this stay.
_ELSEWHERE = re.compile(
    r"\b(?:weather|forecast|raining|temperature|jokes?|birthday|(?:book|find|cancel|miss\w*) (?:an? |the |my "
    r"|our )?flights?|(?:flight|taxi|cab|table) (?:to|for|from)|flight (?:status|number|delay\w*)|restaurants?"
    r"|movies?|meeting is|remind"
    r"|alarm|calendar"
    r"|checked (?:out|in)|(?:i|we) (?:stayed|left|arrived|was|were)(?! (?:hoping|thinking|planning|looking))|lost my"
    r"|last (?:night|week|time)(?! (?:of|in)))\b"
)
# "book a flight for March 3", "a table tonight": no stay at all
_OTHER_BOOKING = re.compile(
    r"\b(?:book|find|get|reserve|need|order|call) (?:me |us )?(?:an? |the )?(?:\w+ )?(?:flights?|table|taxi|cab"
    r"|tickets?|appointment|train|rental car)\b"
    r"|\b(?:booking|reservation)\b.{0,60}\bcancel (?:it|that|this|the)\b|\b(?:late|early) check[ -]?(?:in|out)\b"
    r"|\bcancel\w* (?:my|our|the|an?|that) (?:\w+ ){0,2}(?:booking"
    r"|reservation|stay|trip)\b(?!.{0,80}\b(?:instead|make it"
    r"|change|re-?book|book)\b)"
)
_WEEKEND = re.compile(r"\b(?:this |next |the |coming |long |a )?week-?ends?\b")
# Named, but no day: "in August", "next week", "early June", "around Christmas"
_VAGUE = re.compile(
    rf"\b(?:(?:whole|entire|all)(?: month)? of|month of|in|during|sometime in|early|mid|late|(?:end|beginning"
    rf"|(?:\d|la)[a-z]{{2}} (?:week|half)) (?:of"
    rf"|in)) (?:next )?{MONTH}(?! ?\d)"
    r"|\bnext (?:week|month|year)\b|\b(?:the )?(?:end|beginning|middle) of (?:the|this|next) month\b"
    r"|\bthis (?:month|summer|winter|fall|autumn|spring)\b"
    r"|\b(?:christmas|easter|thanksgiving|new year'?s?|labor day|memorial day|spring break)\b|\bin the (?:summer"
    r"|winter|fall|spring)\b"
)
# "one more night", "two nights longer", "a day later": a change of what is saved, which is not known here
_LONGER = re.compile(
    r"\b(?:\d{1,2}|an?|another|extra|additional) (?:(?:more|extra|additional|less|fewer) )?(?:nights?|days?"
    r"|weeks?) (?:more|less|fewer|longer|shorter|later|earlier|extra)\b"
    r"|\b(?:\d{1,2} (?:more|extra|additional|fewer|less)|another|an extra|an additional) (?:nights?|days?"
    r"|weeks?)\b|\b(?:extend|shorten)\w* (?:\w+ ){0,3}by \d{1,2} (?:nights?|days?|weeks?)\b"
)
# "any time", "I'm flexible", "August" where dates were asked for
_OPEN = re.compile(
    rf"\b(?:any ?time|any (?:dates?|days?)|whenever|flexible|some ?time|\d+ (?:days?|weeks?) ago)\b"
    rf"|^\W*(?:the )?{MONTH}(?:,? \d{{4,6}})?\W*$"
)
# "any three nights between the 3rd and the 9th" is no stay.
_SOME_TIME = re.compile(r"\b(?:some ?time|any ?time|any \d+ nights?) (?:between |from |in |around )?(?:the )?$")
# "del 4 al 6 de mayo", "vom 4. bis 6. Mai", "du 4 au 6 mai"
_FOREIGN = re.compile(
    r"\b(?:del \d{1,2} al|vom \d{1,2}|du \d{1,2} au|dal \d{1,2} al|noches?|nuits?|n[aä]chte|notti"
    r"|(?:de )?(?:enero|mayo|febrero|agosto"
    r"|septiembre|octubre|noviembre|diciembre|janvier|f[eé]vrier|ao[uû]t|septembre|d[eé]cembre|januar|oktober"
    r"|dezember))\b"
)


_BARE_RULES = frozenset({"dates.day", "dates.bare_range", "dates.range_head", "dates.range_tail"})
# "blorp 3rd" may be any month, as may "the 3rd of blorp"
_WORD_BEFORE = re.compile(r"(?<![\w'])([a-z]\w{2,})\.?,? $")
# "3-9 blorp", "the 9th blorp 2027"
_WORD_AFTER = re.compile(
    r" (?!(?:please|pls|plz|thanks?|thx|cheers|only|now|then|instead|sorry|okay|yes|works?|preferably|ideally|maybe"
    r"|perhaps|inclusive|nights?|days?|too|also|again|and|for|next|this|year|month|is|in|if|or"
    r"|asap|sharp|though|tho|man|sir|madam|exactly|onwards?|there|folks|guys|mate|check\w*|arriv\w*|depart\w*|leav\w*"
    r"|start\w*|end\w*|morning|evening|afternoon|noon|correct|right|sounds|would|will|should|can|stay|perfect|great"
    r"|fine|good|it|that|then|hotel|rooms?|each|both|latest|earliest|around|approx\w*|total|alone|together)\b)"
    r"(?:[a-z]{3,} 20[2-4]\d\b|[a-z]{3,}\W*$)"
)
_BEFORE_A_DAY = frozenset(
    """the from form frm for and until untill till til too thru through thrugh between either not but only just also
    day days date dates night nights week arrive arriving arrival arrives leave leaving leaves depart departing
    departure check checkin checkout checking out stay staying start starting starts begin beginning end ending ends
    come coming get going return returning hotel hotels room rooms suite bed beds book booking reserve reservation
    about around before after since this next say please hotel's make change move want need like then maybe perhaps
    again yes yeah yep okay sure well actually sorry instead see visit now there here evening morning afternoon bis
    hasta early late tonight today tomorrow what how with somewhere trip visiting travel traveling travelling place
    city town out back land landing lands fly flying home works would them it us need are our my your""".split()
)
_OF_BEFORE = re.compile(r" of (?!(?:this|next|the|that|each|every|any|march|may)\b)[a-z]{3,}")
# "in august, from the 3rd to the 9th": the only month that is named, away from its days
_LOOSE_MONTH = re.compile(rf"\b(?:(?P<cue>in|of|for|during|this|next) )?(?P<month>{MONTH})(?:,? (?P<year>20\d\d)\b)?")


@dataclass(frozen=True)
class StayFound:
    """The stay, the spans it was read from, and whether anything was said about dates at all."""

    stay: StayReading | None = None
    spans: tuple[Span, ...] = ()
    mentioned: bool = False
    corrected: bool = False


def read_stay(seen: View, today: date, context: str | None, asked: str | None, notes: Notes) -> StayFound:
    """Reads dates and nights; what cannot be stored is left in the notes, quoted."""
    others = [match.span() for match in _NOT_DATES.finditer(seen.text)]
    text = seen.without(others).text
    for_dates = context == "dates"
    foreign = _FOREIGN.search(text)
    if foreign:
        notes.ask("dates", "unclear", seen.quote(*foreign.span()), why="language")
        return StayFound(spans=((0, len(text)),), mentioned=True)
    named = days(text, asked_for_dates=for_dates)
    named, loose = _with_a_loose_month(text, named)
    named = with_a_far_year(text, named, today)
    plain = seen.without([(day.start, day.stop) for day in named])
    counted = plain.without(others).text
    nights, night_spans = nights_in(counted)
    if (left_open := unsettled(counted)) is not None:
        span, counts = left_open
        code = "ambiguous" if counts else "unclear"
        notes.ask("dates", code, seen.quote(*span), options=counts, why=None if named else "how_many_nights")
        if not named:
            return StayFound(mentioned=True, spans=(span, *night_spans))
        nights = None
    vague = _SOME_TIME.search(text, 0, named[0].start) if named else _LONGER.search(text)
    if len(named) == 1:
        vague = vague or _AFTER_THAT.search(text)
    vague = vague or next(
        (
            match
            for day in named
            if (
                match := _BOUND_BEFORE.search(text, max(0, day.start - 25), day.start)
                or _BOUND_AFTER.match(text, day.stop)
            )
        ),
        None,
    )
    if vague is not None:
        notes.ask("dates", "unclear", seen.quote(*vague.span()), why="which_days")
        spans = tuple((day.start, day.stop) for day in named)
        return StayFound(mentioned=True, spans=(vague.span(), *spans))
    if (unread := _unreadable(text, named)) is not None:
        notes.ask("dates", "unclear", seen.quote(*unread), why="which_days")
        return StayFound(mentioned=True, spans=(unread, *((day.start, day.stop) for day in named), *night_spans))
    if len(named) == 1 and nights is None and until_the_next_day(text, named[0].stop):
        nights = 1
    if not named and nights is None and for_dates and (lone := _lone_answer(text, asked)) is not None:
        if isinstance(lone, int):
            notes.fired("dates.lone_nights")
            return StayFound(StayReading(nights=lone), ((0, len(text)),), mentioned=True)
        named = [lone]
    if not named and nights is None:
        return _vague(seen, text, for_dates, notes)
    if not for_dates and _elsewhere(text, named, nights):
        return StayFound()
    ends, corrected = ends_of(text, named, asked)
    spans = tuple([(day.start, day.stop) for day in named] + night_spans + loose)
    if named and not ends:
        notes.ask("dates", "unclear", seen.quote(named[0].start, named[-1].stop), why="which_days")
    found = _stay(seen, ends, nights, today, notes)
    if any(end.role == "either" for end in ends):
        quotes = tuple(seen.quote(end.day.start, end.day.stop) for end in ends)
        notes.ask("dates", "ambiguous", " or ".join(quotes), options=quotes, why="ambiguous_date")
        found = None
    for end in ends:
        notes.fired(end.day.rule)
    return StayFound(found, spans, mentioned=True, corrected=corrected)


def _with_a_loose_month(text: str, named: list[Day]) -> tuple[list[Day], list[Span]]:
    """Gives days that are only numbers the one month that is named elsewhere in the message."""
    if not named or any(not day.bare or day.weekday is not None for day in named):
        return named, []
    rest = list(text)
    for day in named:
        rest[day.start : day.stop] = BLANK * (day.stop - day.start)
    found = [
        match
        for match in _LOOSE_MONTH.finditer("".join(rest))
        if match["cue"] or match["month"].rstrip(".") not in {"may", "march", "mar", "sat", "sun"}
    ]
    if len(found) != 1:
        return named, []
    year = int(found[0]["year"]) if found[0]["year"] else None
    month = month_number(found[0]["month"])
    return [replace(day, month=month, year=year) for day in named], [found[0].span()]


def _unreadable(text: str, named: list[Day]) -> Span | None:
    """A word beside a day that is no word of a stay, or a year that no day would take: never another month or year."""
    for day in named:
        if day.month is None and day.rule in _BARE_RULES and day.this_month is None and day.weekday is None:
            before = _WORD_BEFORE.search(text, max(0, day.start - 20), day.start)
            if before and before[1] not in _BEFORE_A_DAY and not re.fullmatch(rf"{MONTH}|{WEEKDAY}", before[1]):
                return before.start(), day.stop
            if after := _OF_BEFORE.match(text, day.stop) or _WORD_AFTER.match(text, day.stop):
                return day.start, after.end()
    if any(day.year is not None or day.week is not None or day.offset is not None for day in named):
        return None
    year = A_YEAR.search(text) if named else None
    return None if year is None else year.span()


def _lone_answer(text: str, asked: str | None) -> Day | int | None:
    day = lone_day(text)
    if day is None or day.day is None:
        return None
    if asked == "nights":
        return day.day or None
    return day if asked in {"check_in", "check_out"} and 1 <= day.day <= 31 else None


def _vague(seen: View, text: str, for_dates: bool, notes: Notes) -> StayFound:
    if (weekend := _WEEKEND.search(text)) and (for_dates or _STAY.search(text)) and not _ELSEWHERE.search(text):
        notes.ask("dates", "ambiguous", seen.quote(*weekend.span()), why="ambiguous_weekend")
        return StayFound(mentioned=True, spans=(weekend.span(),))
    if (vague := _VAGUE.search(text)) and (for_dates or _STAY.search(text)) and not _ELSEWHERE.search(text):
        notes.ask("dates", "unclear", seen.quote(*vague.span()), why="which_days")
        return StayFound(mentioned=True, spans=(vague.span(),))
    if for_dates and (loose := _OPEN.search(text)):
        notes.ask("dates", "unclear", seen.quote(*loose.span()), why="which_days")
        return StayFound(mentioned=True)
    return StayFound()


def _elsewhere(text: str, named: list[Day], nights: int | None) -> bool:
    if _OTHER_BOOKING.search(text):
        return True
    if _ELSEWHERE.search(text) and nights is None and all(day.month is None for day in named):
        return True
    if nights is not None or len(named) > 1 or any(day.month is not None for day in named):
        return False
    return not _STAY.search(text)


def _stay(seen: View, ends: list[End], nights: int | None, today: date, notes: Notes) -> StayReading | None:
    into = next((end.day for end in ends if end.role == "in"), None)
    out = next((end.day for end in reversed(ends) if end.role == "out"), None)
    if into is None and out is None:
        return StayReading(nights=nights) if nights else None
    if into is not None and out is None and nights is None and is_one_night(seen.text, into):
        nights = 1
    quote = _quote(seen, [day for day in (into, out) if day is not None])
    into, out = _shared(into, out)
    options = _day_first(into, out, today)
    if options:
        notes.ask("dates", "ambiguous", quote, options=options, why="ambiguous_date")
        return None
    check_in = check_out = None
    for day in (into, out):
        if day is None:
            continue
        said = seen.quote(day.start, day.stop)
        try:
            if day is into:
                check_in = resolve(day, today)
            else:
                check_out = resolve(day, today, after=check_in)
        except ImpossibleDateError:
            notes.ask("dates", "impossible_date", said, why="invalid_date")
        except WeekdayMismatchError:
            notes.ask("dates", "weekday_mismatch", said, why="weekday_mismatch")
    if {"invalid_date", "weekday_mismatch"} & set(notes.clarify):
        return None
    return _judged(check_in, check_out, nights, today, _written_out(into, out), _dated(into, out), quote, notes)


def _quote(seen: View, named: list[Day]) -> str:
    start, stop = min(day.start for day in named), max(day.stop for day in named)
    return seen.quote(start, stop).replace(BLANK, "")


def _shared(into: Day | None, out: Day | None) -> tuple[Day | None, Day | None]:
    """What only one end names holds for the other: a month ("the 23rd until 29 May"), a year, "of this month"."""
    if into is None or out is None or into.day is None or out.day is None:
        return into, out
    if into.bare and out.month is not None:
        year, month = out.year, out.month
        if into.day >= out.day:
            month = month - 1 or 12
            year = year - 1 if year is not None and month == 12 else year
        into = replace(into, month=month, year=year)
    elif into.bare and out.this_month is not None:
        into = replace(into, this_month=out.this_month - (into.day >= out.day))
    elif into.month is not None and out.month is not None and into.year is None and out.year is not None:
        later = (into.month, into.day) > (out.month, out.day)
        into = replace(into, year=out.year - later)
    return into, out


def _day_first(into: Day | None, out: Day | None, today: date) -> tuple[str, ...]:
    """Both readings of "3/8/27 to 9/8/27", when month first makes a stay of months and day first one of days."""
    if into is None or out is None or into.other is None or out.other is None:
        return ()
    stays: list[tuple[date, date]] = []
    for one, two in (((into.month, into.day), (out.month, out.day)), (into.other, out.other)):
        year = into.year or out.year or today.year
        start = exists(year, one[0] or 0, one[1] or 0)
        end = exists(out.year or year, two[0] or 0, two[1] or 0)
        if start is None or end is None or end <= start:
            return ()
        stays.append((start, end))
    if (stays[0][1] - stays[0][0]).days > 60 >= (stays[1][1] - stays[1][0]).days * 2:
        return tuple(f"{start} to {end}" for start, end in stays)
    return ()


def _written_out(into: Day | None, out: Day | None) -> bool:
    """Every day is given in figures with its year, so that there is nothing to mistake."""
    return all(
        day is None or (day.rule in {"dates.iso", "dates.slashed"} and day.year is not None) for day in (into, out)
    )


def _dated(into: Day | None, out: Day | None) -> bool:
    """Both ends name a year, so that neither was rolled into the next one."""
    return all(day is not None and day.year is not None for day in (into, out))


def _judged(
    check_in: date | None,
    check_out: date | None,
    nights: int | None,
    today: date,
    written_out: bool,
    dated: bool,
    quote: str,
    notes: Notes,
) -> StayReading | None:
    """Refuses what cannot be meant. Past days written out in figures are given on: their owner refuses them."""
    if check_in is not None and check_out is not None:
        length = (check_out - check_in).days
        if length <= 0 or (length > LONGEST_ROLL and check_out.year > check_in.year and not (written_out or dated)):
            notes.ask("dates", "reversed_dates", quote, why="checkout_not_after_checkin")
            return None
        if nights is not None and nights not in {length, length + 1}:
            notes.ask("dates", "nights_mismatch", quote, options=(f"{length}", f"{nights}"), why="nights_mismatch")
            return None
        nights = length if nights is not None else None
    first = check_in or check_out
    if first is not None and first < today:
        notes.ask("dates", "past_date", quote, why=None if written_out else "past_date")
        if not written_out:
            return None
    try:
        if check_in is not None and check_out is None and nights:
            check_out = check_in + timedelta(days=nights)
        elif check_out is not None and check_in is None and nights:
            check_in = check_out - timedelta(days=nights)
            if check_in < today:  # the end of a stay that began before today, or not a check-out at all
                check_in = None
    except OverflowError:
        nights = None  # the end is beyond the calendar: the owner refuses what is left
    return StayReading(check_in=check_in, check_out=check_out, nights=nights or None)
