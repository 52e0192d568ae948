"""Days as said become dates: the first that fits on or after today, and for a check-out the first after check-in."""

from datetime import date, timedelta

from nightdesk.understanding.days import Day, exists

FAR = 92
"""Days ahead within which a weekday and a day of the month ("Friday the 29th") must meet."""


class ImpossibleDateError(Exception):
    """The calendar has no such day."""


class WeekdayMismatchError(Exception):
    """The day named does not fall on the weekday named."""


def resolve(day: Day, today: date, *, after: date | None = None) -> date:
    """The date meant; with `after`, the first such day after it (a check-out). Without a year never before today."""
    try:
        found = _resolve(day, today, after)
    except OverflowError:
        found = None
    if found is None:
        raise ImpossibleDateError
    if day.weekday is not None and day.day is not None and found.weekday() != day.weekday:
        raise WeekdayMismatchError
    return found


def _resolve(day: Day, today: date, after: date | None) -> date | None:
    if day.offset is not None:
        return today + timedelta(days=day.offset)
    if day.day is not None:
        if day.month is not None:
            return _month_day(day, day.month, day.day, after or today, strict=after is not None)
        if day.this_month is not None:
            year, month = add_months(today.year, today.month, day.this_month)
            return exists(year, month, day.day)
        return _day_of_month(day, day.day, after or today)
    return _weekday(day, today, after)


def _month_day(day: Day, month: int, number: int, start: date, *, strict: bool) -> date | None:
    if day.year is not None:
        return exists(day.year, month, number)
    first = exists(start.year, month, number)
    passed = (month, number) <= (start.month, start.day) if strict else (month, number) < (start.month, start.day)
    return exists(start.year + 1, month, number) if passed else first


def _day_of_month(day: Day, number: int, start: date) -> date | None:
    if not 1 <= number <= 31:
        return None
    if day.weekday is not None:
        for ahead in range(1, FAR):
            found = start + timedelta(days=ahead)
            if found.day == number and found.weekday() == day.weekday:
                return found
    year, month = start.year, start.month
    for _ in range(4):
        found = exists(year, month, number)
        if found is not None and found > start:
            return found
        year, month = add_months(year, month, 1)
    return None


def _weekday(day: Day, today: date, after: date | None) -> date | None:
    if day.weekday is None:
        return None
    if day.week is not None:
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=day.week)
        found = monday + timedelta(days=day.weekday)
        if after is None or found > after:
            return found
    if day.ahead:  # "Sunday in a week", said on a Sunday, is in seven days
        first = (day.weekday - today.weekday()) % 7
        return today + timedelta(days=(first or 7 * day.after_next) + day.ahead)
    start = after or today
    return start + timedelta(days=(day.weekday - start.weekday() - 1) % 7 + 1)


def add_months(year: int, month: int, count: int) -> tuple[int, int]:
    """The year and month so many months later (or earlier)."""
    place = year * 12 + month - 1 + count
    return place // 12, place % 12 + 1
