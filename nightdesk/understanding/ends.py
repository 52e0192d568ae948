"""Which of the days a guest names is the check-in and which the check-out."""

import re
from dataclasses import dataclass
from itertools import pairwise

from nightdesk.understanding.days import Day
from nightdesk.understanding.view import BLANK

_OUT = re.compile(
    r"\b(?:until|untill|till?|'til|through|thru|leav\w*|depart\w*|check(?:ing|s)?[ -]?out|return\w*|ends?|ending"
    r"|out on|up to)\b"
)
_IN = re.compile(
    r"\b(?:from|form|start\w*|begin\w*|arriv\w*|check(?:ing|s)?[ -]?in|com(?:es?|ing)|get(?:ting)? (?:in|there)"
    r"|in on)\b"
)
# "Sunday is our arrival day", "the 5th as check-out", "Friday check-in,"
_AFTER = re.compile(
    r"^(?:,? ?(?:is|will be|would be|as|for|to be) (?:my |our |the )?(?:preferred |planned )?(?P<noun>arriv"
    r"|check[ -]?in|start|depart"
    r"|check[ -]?out|leav)| (?P<bare>arrival|check[ -]?in|departure|check[ -]?out) ?(?:$|[,.;]|and\b))"
)
_CHECK_IN = ("check-in", "check in", "checkin")
_REPLACES = re.compile(r"\b(?:no|wait|actually|sorry|i mean|make (?:that|it)|rather|scratch that|oops|correction)\b")
# "not the 5th", "I can't do the 5th", "busy on friday", "any day but monday"
_NOT_THIS = re.compile(
    r"\b(?:not|(?:can't|cannot|can not|couldn't|won't) (?:do|make|come|arrive|be there|make it)|busy|away"
    r"|unavailable|except"
    r"|any (?:day|date|time) but) (?:on |from )?(?:the )?$"
)
_NOT_POSSIBLE = re.compile(
    r" (?:doesn't|does not|won't|isn't|is not|is no|wouldn't) (?:work|good|possible|available|suit|ok|an)\b"
)
_INSTEAD_OF = re.compile(r"\b(?:instead of|rather than) (?:on |from )?(?:the )?$")
_EITHER = re.compile(r"\b(?:or|otherwise|alternatively|if not|or else),? (?:maybe |perhaps )?(?:(?:on )?the |on )?$")
# "move my check-in from the 5th to the 6th": only the second one counts.
_MOVED = re.compile(
    r"\b(?:change|move|push|switch|shift|update)\b[^.]{0,30}?(?P<end>check[ -]?in|arrival|check[ -]?out"
    r"|departure)\b[^.]{0,12}\bfrom (?:the )?$"
)
# "the night of the 3rd" is one night; "the nights of the 3rd and 4th" is asked about, as is "the 5th, 6th and 7th".
_NIGHTS_OF = re.compile(r"\bnights? of (?:the )?$")
_LISTED = re.compile(r"[ ,]*(?:and |& )?(?:on )?(?:the )?")


@dataclass(frozen=True)
class End:
    """A day as said, and its role: "in", "out", "?" (unsaid), or "either" when it is one of several to choose from."""

    day: Day
    role: str


def ends_of(text: str, named: list[Day], asked: str | None) -> tuple[list[End], bool]:
    """Gives every day its role; true when the guest corrected a day, which then replaces the one it corrects."""
    ends: list[End] = []
    corrected = False
    before = 0
    for place, day in enumerate(named):
        gap = text[max(before, day.start - 80) : day.start]
        following = named[place + 1].start if place + 1 < len(named) else len(text)
        after = text[day.stop : min(following, day.stop + 40)] + (BLANK if following < len(text) else "")
        before = day.stop
        if (
            _NOT_THIS.search(gap)
            or _NOT_POSSIBLE.match(after)
            or _INSTEAD_OF.search(gap)
            or (_MOVED.search(gap) and place + 1 < len(named))
        ):
            corrected = True
            continue
        role = _role(gap, after, first=not ends)
        moved = _MOVED.search(text[max(0, named[place - 1].start - 80) : named[place - 1].start]) if place else None
        if moved:
            role = "in" if moved["end"].startswith(("arr", *_CHECK_IN)) else "out"
        if ends and _REPLACES.search(gap) and (role == "?" or role == ends[-1].role):
            ends[-1] = End(day, ends[-1].role)
            corrected = True
        elif ends and role in {"?", ends[-1].role} and _same(ends[-1].day, day):
            continue
        elif ends and _EITHER.search(gap):
            ends.append(End(day, "either"))
        else:
            ends.append(End(day, role))
    if len(ends) > 1 and (_listed(text, ends) or _NIGHTS_OF.search(text, 0, ends[0].day.start)):
        ends = [End(end.day, "either") for end in ends]
    if not corrected and len({(end.day.day, end.day.weekday, end.day.offset) for end in ends if end.role == "in"}) > 1:
        ends = [End(end.day, "either") for end in ends]
    into = next((place for place, end in enumerate(ends) if end.role == "in"), 0)
    ends = [end for place, end in enumerate(ends) if place >= into or end.role != "?"]
    return _defaults(ends, asked), corrected


def _listed(text: str, ends: list[End]) -> bool:
    """Three days or more in a row, with nothing between them that says from when to when."""
    gaps = [text[one.day.stop : two.day.start] for one, two in pairwise(ends)]
    return len(gaps) > 1 and all(_LISTED.fullmatch(gap) for gap in gaps)


def _role(gap: str, after: str, *, first: bool) -> str:
    ins = [match.start() for match in _IN.finditer(gap)]
    outs = [match.start() for match in _OUT.finditer(gap)]
    if named := _AFTER.match(after):
        return "in" if (named["noun"] or named["bare"]).startswith(("arr", "start", *_CHECK_IN)) else "out"
    if first and ins and outs and re.search(r"check[ -]?in and (?:check[ -]?)?out", gap):
        return "?"
    if ins or outs:
        return "in" if (ins or [-1])[-1] > (outs or [-1])[-1] else "out"
    return "?"


def _same(one: Day, two: Day) -> bool:
    return (one.month, one.day, one.weekday, one.offset) == (two.month, two.day, two.weekday, two.offset) and (
        one.month is not None
    )


def _defaults(ends: list[End], asked: str | None) -> list[End]:
    """Days without a role: the first is the check-in, the next the check-out, unless one end was asked for."""
    roles = [end.role for end in ends]
    done: list[End] = []
    for place, end in enumerate(ends):
        role = end.role
        if role == "?":
            if (len(ends) == 1 and asked in {"check_out", "nights"}) or "in" in roles or "in" in [e.role for e in done]:
                role = "out"
            else:
                role = "in"
            roles[place] = role
        done.append(End(end.day, role))
    return done


def is_one_night(text: str, day: Day) -> bool:
    """ "tomorrow night", "the night of the 3rd"; "starting Tuesday night" says nothing of one night."""
    if _NIGHTS_OF.search(text, max(0, day.start - 20), day.start):
        return True
    return day.night and not _IN.search(text, max(0, day.start - 30), day.start)
