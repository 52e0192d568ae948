"""The dates of the stay. The only criterion without "no preference", and the only one with half answers."""

import re
from collections.abc import Mapping
from datetime import date, timedelta

from pydantic import Field, JsonValue

from nightdesk.criteria.base import Arguments, Criterion, JsonObject, Judgement, refused
from nightdesk.model import Frozen
from nightdesk.stay import Stay, long_date, nights_words
from nightdesk.understanding.reading import Reading

MAX_NIGHTS = 365
"""No hotel sells further than a year at once; bounds the work of one search."""

LAST_DAY = date(2199, 12, 31)
"""The last day that a stay may reach. Beyond it a year is a slip of the keyboard, not a plan."""


class Dates(Frozen):
    """The stay, in full or in part. `nights` waits for a first date and is dropped when both are known."""

    check_in: date | None = None
    check_out: date | None = None
    nights: int | None = None

    @property
    def stay(self) -> Stay | None:
        """The stay, when both dates are known."""
        if self.check_in is None or self.check_out is None:
            return None
        return Stay(check_in=self.check_in, check_out=self.check_out)


class CaptureDates(Arguments):
    """What the guest said about the stay."""

    check_in: str | None = Field(default=None, description="First night, YYYY-MM-DD; null when not said")
    check_out: str | None = Field(default=None, description="Day of departure, YYYY-MM-DD; null when not said")
    nights: int | None = Field(default=None, description="Number of nights; null when not said")


class DatesCriterion(Criterion[Dates, CaptureDates]):
    """Real calendar dates; check-in after today, check-out after check-in (seed: validateCriteria)."""

    name = "dates"
    title = "dates"
    about = "the dates of the stay: arrival, departure, or number of nights"
    contradicted = "Dates are missing, ambiguous, or contradicted"
    tool_description = (
        "Record the dates of the stay that the guest gave in the newest message. Resolve relative dates against "
        "today; without a year take the first such date after today. Pass on a date that does not exist as it "
        "was said."
    )
    reason = "a room has to be free on each night of your stay, and prices differ from night to night"
    example = "August 3 to August 9, 2027"
    value_type = Dates
    arguments_type = CaptureDates

    def question(self, value: Dates | None, today: date) -> str:
        """Both dates, or the half that is missing."""
        if value and value.check_in:
            return f"You arrive on {long_date(value.check_in)}. Until when, or for how many nights?"
        if value and value.check_out:
            return f"You leave on {long_date(value.check_out)}. On which day do you arrive?"
        if value and value.nights:
            return f"{nights_words(value.nights).capitalize()}: from which date?"
        return 'Which dates would you like to stay? Please give check-in and check-out, such as "August 3 to August 9".'

    def judge(self, saved: Dates | None, arguments: CaptureDates, today: date) -> Judgement[Dates]:
        """Each given part is checked, then joined with the saved part it does not replace."""
        days: list[date | None] = []
        for given in (arguments.check_in, arguments.check_out):
            day = _calendar_date(given)
            if given and day is None:
                return refused(f'"{_shown(given)}" is not a date in the calendar. Which date do you mean?')
            days.append(day)
        check_in, check_out = days
        nights = arguments.nights
        if check_in is None and check_out is None and nights is None:
            return Judgement()
        if nights is not None and not 1 <= nights <= MAX_NIGHTS:
            return refused(f"A stay can be from 1 to {MAX_NIGHTS} nights. How many nights do you need?")
        value = _joined(saved or Dates(), check_in, check_out, nights)
        if value is None:
            return refused("That is further ahead than the calendar goes. Which dates do you mean?")
        problems = _problems(value, today)
        return refused(problems[0]) if problems else Judgement(value=value)

    def issues(self, value: Dates, today: date) -> tuple[str, ...]:
        """Also judged anew when the stay was saved on an earlier day."""
        return _problems(value, today)

    def out_of_reach(self, value: Dates, today: date) -> str:
        """Beyond the last day; not where a conversation's own date is beyond it."""
        day = value.check_in if value.check_in and value.check_in > LAST_DAY else value.check_out
        if day is None or day <= LAST_DAY or today >= LAST_DAY:
            return ""
        far, last = (f"{d:%B} {d.day}, {d.year}" for d in (day, LAST_DAY))
        return f"{far} is too far ahead: I take bookings for stays up to {last}. Which dates would you like?"

    def words(self, value: Dates) -> str:
        """ "Tuesday, August 3, 2027 to Monday, August 9, 2027 (6 nights)"."""
        if value.stay:
            stay = value.stay
            return f"{long_date(stay.check_in)} to {long_date(stay.check_out)} ({nights_words(len(stay.nights))})"
        if value.check_in:
            return f"from {long_date(value.check_in)}"
        if value.check_out:
            return f"until {long_date(value.check_out)}"
        return nights_words(value.nights or 0)

    def proposal(self, value: Dates) -> str:
        """A half answer says which half it is."""
        if value.stay:
            return f"Shall I take {self.words(value)}?"
        if value.check_in:
            return f"Shall I take {long_date(value.check_in)} as the day you arrive?"
        if value.check_out:
            return f"Shall I take {long_date(value.check_out)} as the day you leave?"
        return f"Shall I take {self.words(value)}?"

    def state(self, value: Dates | None) -> JsonObject:
        """Both dates, null where not known."""
        value = value or Dates()
        return {
            "check_in": value.check_in.isoformat() if value.check_in else None,
            "check_out": value.check_out.isoformat() if value.check_out else None,
        }

    def understood(
        self, reading: Reading, text: str, saved: Mapping[str, JsonValue], asked: str | None
    ) -> CaptureDates | None:
        """The reader's dates, as they are."""
        dates = reading.dates
        if dates is None or not (dates.check_in or dates.check_out or dates.nights):
            return None
        return CaptureDates(
            check_in=dates.check_in.isoformat() if dates.check_in else None,
            check_out=dates.check_out.isoformat() if dates.check_out else None,
            nights=dates.nights,
        )

    def answered(self, value: Dates | None) -> bool:
        """Only when both ends are known."""
        return value is not None and value.stay is not None

    def asked(self, value: Dates | None) -> str | None:
        """The missing end."""
        if value is None or value.stay:
            return None
        return "check_out" if value.check_in else "check_in"


def _joined(saved: Dates, check_in: date | None, check_out: date | None, nights: int | None) -> Dates | None:
    """The saved stay with the given parts; None when the sum leaves the calendar.

    A new check-in alone keeps a saved check-out that still follows it, otherwise asks for the other end anew.
    """
    try:
        if check_in and check_out:
            return Dates(check_in=check_in, check_out=check_out)
        if nights:
            if check_out and not check_in:
                return Dates(check_in=check_out - timedelta(days=nights), check_out=check_out)
            first = check_in or saved.check_in
            if first:
                return Dates(check_in=first, check_out=first + timedelta(days=nights))
            if saved.check_out:
                return Dates(check_in=saved.check_out - timedelta(days=nights), check_out=saved.check_out)
            return Dates(nights=nights)
        if check_in:
            if saved.check_out and saved.check_out > check_in:
                return Dates(check_in=check_in, check_out=saved.check_out)
            if saved.nights:
                return Dates(check_in=check_in, check_out=check_in + timedelta(days=saved.nights))
            return Dates(check_in=check_in)
        if saved.nights and check_out:
            return Dates(check_in=check_out - timedelta(days=saved.nights), check_out=check_out)
        return Dates(check_in=saved.check_in, check_out=check_out)
    except OverflowError:
        return None


def _problems(value: Dates, today: date) -> tuple[str, ...]:
    """What is wrong with the known parts, worst first."""
    for word, day in (("Check-in", value.check_in), ("Check-out", value.check_out)):
        if day and day <= today:
            when = "today" if day == today else "in the past"
            return (
                f"{word} on {long_date(day)} is {when}; the first night I can book is "
                f"{long_date(today + timedelta(days=1))}. Which dates would you like?",
            )
    if value.check_in and value.check_out:
        if value.check_out <= value.check_in:
            return (
                f"Check-out on {long_date(value.check_out)} is not after check-in on "
                f"{long_date(value.check_in)}. Which dates do you mean?",
            )
        if (value.check_out - value.check_in).days > MAX_NIGHTS:
            return (f"That is more than {MAX_NIGHTS} nights. Which dates do you mean?",)
    return ()


def _calendar_date(given: str | None) -> date | None:
    try:
        return date.fromisoformat(given.strip()) if given else None
    except ValueError:
        return None


def _shown(given: str) -> str:
    """An impossible ISO date in words, since guests did not write it so: "February 30, 2027"."""
    match = re.fullmatch(r"\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*", given, re.ASCII)
    if match and 1 <= int(match[2]) <= 12:
        return f"{date(2000, int(match[2]), 1):%B} {int(match[3])}, {match[1]}"
    return given.strip()[:40]


DATES = DatesCriterion()
