"""A stay: two calendar dates in the hotel's zone. The night of the check-out is not slept."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from nightdesk.model import Frozen


class Stay(Frozen):
    """Check-in up to, not including, check-out. Not validated here: the dates' owner does that."""

    check_in: date
    check_out: date

    @property
    def nights(self) -> tuple[date, ...]:
        """Each date whose night is slept, in order; empty when the dates are the wrong way round."""
        count = max(0, (self.check_out - self.check_in).days)
        return tuple(self.check_in + timedelta(days=day) for day in range(count))


def date_there(moment: datetime, zone: str) -> date:
    """The calendar date at `moment` (aware) in a zone of the IANA list: "America/Los_Angeles"."""
    return moment.astimezone(ZoneInfo(zone)).date()


def long_date(day: date) -> str:
    """For guests, absolute and unmistakable: "Tuesday, August 3, 2027"."""
    return f"{day:%A, %B} {day.day}, {day.year}"


def nights_words(count: int) -> str:
    """ "1 night", "6 nights"."""
    return f"{count} night" if count == 1 else f"{count} nights"
