"""Is a draft of the results made of the results? Every name, number, price and amenity is looked up.

Strict on purpose: a draft that fails costs nothing, since code's own list is shown instead.
"""

import re
from collections.abc import Sequence
from decimal import Decimal

from nightdesk.boundaries import DecideRequest, PresentationFacts, Shown
from nightdesk.criteria.amenities import AMENITY_WORDS
from nightdesk.decisions import Answer, Decision, Noul, NoulAnswer, Score, ScoreAnswer
from nightdesk.understanding import read

MODEL = "code-grounding-1"
"""Who answered the presentation review, when this check alone did."""

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_CAPITALISED = re.compile(r"[A-Z][\w'’&-]*(?:\s+(?:of|the|at|on|and|&)?\s*[A-Z][\w'’&-]*)*")
_PLAIN_WORDS = frozenset(
    """
    i a an the for from to at on in is are it its all any each both here there this that these those
    which what if let please would your you we our one two three four five six seven eight nine ten
    night nights total per average hotel hotels option options room rooms suite suites bed beds portland
    oregon pdx usd tv wi-fi wifi ev january february march april may june july august september october
    november december monday tuesday wednesday thursday friday saturday sunday prices price each every
    with and or but no not free also great hello hi sure below above tell say choose pick reply just
    found matching matches match rates rate address airport city center downtown amenities distance
    miles mile cheapest first last next
    """.split()
)


def veto(request: DecideRequest) -> Decision | None:
    """The answer to the presentation review when the draft fails here; None: it is for the provider to judge."""
    facts = request.facts
    if not isinstance(facts, PresentationFacts) or not problems(facts.draft, facts.hotels):
        return None
    answers: dict[str, Answer] = {}
    for name, question in request.questions.items():
        if isinstance(question, Noul):
            answers[name] = NoulAnswer(noul=0.0)
        elif isinstance(question, Score):
            none_of_it = (1.0, *(0.0 for _ in question.levels[1:]))
            answers[name] = ScoreAnswer(score=0.0, probabilities=none_of_it, confidence=1.0)
    return Decision(model=MODEL, answers=answers)


def problems(draft: str, hotels: Sequence[Shown]) -> tuple[str, ...]:
    """What in the draft did not come from the results; empty when all of it did."""
    found = [f"missing {shown.number}" for shown in hotels if shown.hotel.name.casefold() not in draft.casefold()]
    found += [f"number {number}" for number in _strange_numbers(draft, hotels)]
    found += [f"name {name}" for name in _strange_names(draft, hotels)]
    for line in draft.splitlines():
        here = [shown for shown in hotels if shown.hotel.name.casefold() in line.casefold()] or list(hotels)
        reading = read(line[:400], today=hotels[0].hotel.nightly[0].date) if hotels else None
        offered = {key for shown in here for key in shown.hotel.amenities}
        if reading:
            found += [f"amenity {key}" for key in reading.amenities if key not in offered]
            found += [f"amenity {word}" for word in reading.unsupported]
        label = re.match(r"\s*(\d+)[.):]\s", line)
        if label and not any(shown.number == int(label[1]) for shown in here):
            found.append(f"label {label[1]}")
    return tuple(found)


def _strange_numbers(draft: str, hotels: Sequence[Shown]) -> list[str]:
    """Numbers that no row holds: prices, totals, dates, nights, miles, places in the list, street numbers."""
    known: set[Decimal] = {Decimal(len(hotels))}
    for shown in hotels:
        hotel = shown.hotel
        prices = [night.price for night in hotel.nightly]
        known |= {Decimal(shown.number), hotel.total, Decimal(len(prices)), *prices}
        known |= {Decimal(str(round(miles, 2))) for miles in (hotel.miles.airport, hotel.miles.city_center)}
        for night in hotel.nightly:
            known |= {Decimal(night.date.year), Decimal(night.date.month), Decimal(night.date.day)}
        known |= {Decimal(number.replace(",", "")) for number in _NUMBER.findall(f"{hotel.address} {hotel.name}")}
        if hotel.nightly:
            last = hotel.nightly[-1].date.toordinal() + 1
            known.add(Decimal(type(hotel.nightly[-1].date).fromordinal(last).day))
    # A price may be rounded to whole dollars only where it is whole: 612.90 is not 613.
    return [number for number in _NUMBER.findall(draft) if Decimal(number.replace(",", "").rstrip(".")) not in known]


def _strange_names(draft: str, hotels: Sequence[Shown]) -> list[str]:
    """Capitalised phrases that are no name or address of a row, and not made of everyday words."""
    phrases = [f"{shown.hotel.name} {shown.hotel.address}".casefold() for shown in hotels]
    amenity_words = {word for words in AMENITY_WORDS.values() for word in words.casefold().split()}
    strange: list[str] = []
    for match in _CAPITALISED.finditer(draft):
        phrase = " ".join(match[0].casefold().split())
        if any(phrase in known for known in phrases):
            continue
        words = re.split(r"[\s-]+", phrase)
        starts_sentence = (
            not draft[: match.start()].rstrip(" *_\t\"'(") or draft[: match.start()].rstrip(" *_\t\"'(")[-1] in ".!?:\n"
        )
        if starts_sentence and len(words) == 1:
            continue
        if not all(word in _PLAIN_WORDS or word in amenity_words for word in words):
            strange.append(match[0])
    return strange
