"""The hotel's own clock: the only place of the hotel system that reads the time.

A stay is two calendar dates in the hotel's zone, so "today" is a date there, wherever the program runs.
"""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("America/Los_Angeles")


def utc_now() -> datetime:
    """The moment, in UTC."""
    return datetime.now(UTC)


def today(now: datetime, business_date: date | None = None) -> date:
    """The hotel's date at the moment `now` (aware), or the business date when one is pinned."""
    if now.tzinfo is None:
        raise ValueError("a moment without a zone has no date at the hotel")
    return business_date or now.astimezone(ZONE).date()
