"""Cities that a guest may name, where this desk has no hotels: named, and the rest of the message is read."""

import re

_CITIES = (
    *("New York(?: City)?", "NYC", "Los Angeles", "Chicago", "Houston", "Phoenix", "Philadelphia", "San Antonio"),
    *("San Diego", "Dallas", "San Jose", "Austin", "Seattle", "Denver", "Boston", "Las Vegas", "Miami", "Atlanta"),
    *("San Francisco", "Nashville", "New Orleans", "Orlando", "Detroit", "Minneapolis", "Washington,? D\\.?C\\.?"),
)
_IN_A_CITY = re.compile(
    r"\b(?i:hotels?|rooms?|suites?|place|stay(?:ing)?|accommodations?|somewhere|something|lodging|booking|reservation"
    r"|one|beds?|nights?|book|me|us) "
    rf"in (?:downtown |central |Downtown )?(?P<city>{'|'.join(_CITIES)})(?![\w'-]|,? [Hh]otel\b)"
)


def other_city(words: str) -> str | None:
    """The city in "a hotel in Seattle", in the guest's own letters; only a name with its capital counts."""
    match = _IN_A_CITY.search(words) if " in " in words else None
    return None if match is None else match["city"]
