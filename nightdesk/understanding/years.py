"""A year that stands away from its days: it is the year of all of them."""

import re
from dataclasses import replace
from datetime import date

from nightdesk.understanding.days import Day

A_YEAR = re.compile(
    r"(?=20)(?<![\w.,$€£/-])(?<!\$ )(?<!under )(?<!below )(?<!over )(?<!than )(?<!to pay )(?<!most )(?<!max )"
    r"(?<!budget )(?<!up to )(?<!hotel )(?P<year>20[2-4]\d)\b(?![-/.:,]\d"
    r"| ?(?:dollars|bucks|usd|total|per|a night|max|miles|or less|€|£))"
    # "the 9th, 2250", "in 2250"; further years are more often amounts
    r"|(?=[2-9]\d{3})(?:(?<=\bin )|(?<=st, )|(?<=nd, )|(?<=rd, )|(?<=th, )|(?<=st )|(?<=nd )|(?<=rd )|(?<=th ))"
    r"(?P<far>2[1-9]\d\d|[3-9]\d{3})\b(?![-/.:,]\d| ?(?:\$|dollars|bucks|usd|total|budget|max|per|a night|€|£))"
    r"|\bnext year\b(?!'?s)|\byear (?P<told>\d{4,6})\b"
)


def with_a_far_year(text: str, named: list[Day], today: date) -> list[Day]:
    """ "august 3rd to the 9th, 2027", "next year, august 3 to 9": the only year that is said is the year of all."""
    years = list(A_YEAR.finditer(text))
    if len(years) != 1 or len(named) > 2 or any(day.month is None and not day.bare for day in named):
        return named
    if not named or named[0].month is None or any(day.year is not None for day in named):
        return named
    said = years[0]["year"] or years[0]["far"] or years[0]["told"]
    year = int(said) if said else today.year + 1
    dated = [replace(day, month=day.month or named[0].month, year=year) for day in named]
    first, last = dated[0], dated[-1]
    if (first.month or 0, first.day or 0) <= (last.month or 0, last.day or 0):
        return dated
    if years[0].start() >= last.stop and said:  # "dec 30 to jan 2, 2028"
        return [replace(first, year=year - 1), last]
    return [first, replace(last, year=year + 1)]
