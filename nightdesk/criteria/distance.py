"""The distance limits, to the airport and to the city center."""

import math
from collections.abc import Mapping
from datetime import date

from pydantic import Field, JsonValue

from nightdesk.criteria.base import Arguments, Criterion, JsonObject, Judgement, refused
from nightdesk.model import Frozen
from nightdesk.understanding.reading import Reading

FARTHEST = 1000.0
"""Miles; beyond this it is no limit but a misreading."""


class Distance(Frozen):
    """At most so many miles; both None is an explicit no preference."""

    airport: float | None = None
    city_center: float | None = None


class CaptureDistance(Arguments):
    """What the guest said about distance."""

    airport_miles: float | None = Field(
        default=None, description="At most so many miles from the airport; null when not said"
    )
    city_center_miles: float | None = Field(
        default=None, description="At most so many miles from the city center; null when not said"
    )
    no_preference: bool | None = Field(
        default=None, description="Distance does not matter: clears every limit not given here. Null when not said"
    )


class DistanceCriterion(Criterion[Distance, CaptureDistance]):
    """Nonnegative limits in miles (seed: validateCriteria)."""

    name = "distance"
    title = "distance"
    about = "how far the hotel may be from the airport or the city center, or that it does not matter"
    contradicted = "Distance limits are missing, ambiguous, or contradicted"
    tool_description = (
        "Record the distance limits that the guest gave in the newest message, in miles (1 km is 0.621 miles). "
        '"Near" without a number is not a limit: leave it null.'
    )
    reason = "it leaves out hotels that are too far from where you need to be"
    example = "within 5 miles of the airport"
    parts = ("airport", "city_center")
    value_type = Distance
    arguments_type = CaptureDistance

    def question(self, value: Distance | None, today: date) -> str:
        """One question for both limits."""
        return (
            "How far may the hotel be from the airport or from the city center, in miles? Or does distance not matter?"
        )

    def judge(self, saved: Distance | None, arguments: CaptureDistance, today: date) -> Judgement[Distance]:
        """A limit not given stays as it is, or is cleared with `no_preference`."""
        given = (arguments.airport_miles, arguments.city_center_miles)
        if given == (None, None) and not arguments.no_preference:
            return Judgement()
        for miles in given:
            if miles is not None and miles < 0:
                return refused("A distance cannot be negative. How many miles may it be?")
            if miles is not None and not (math.isfinite(miles) and miles <= FARTHEST):
                return refused("I cannot read that distance. How many miles may it be?")
        kept = Distance() if arguments.no_preference or saved is None else saved
        return Judgement(
            value=Distance(
                airport=kept.airport if given[0] is None else round(given[0], 2),
                city_center=kept.city_center if given[1] is None else round(given[1], 2),
            )
        )

    def issues(self, value: Distance, today: date) -> tuple[str, ...]:
        """The seed's invariant, looked at again before a search."""
        negative = any(miles is not None and miles < 0 for miles in (value.airport, value.city_center))
        return ("A distance cannot be negative.",) if negative else ()

    def words(self, value: Distance) -> str:
        """ "at most 5 miles from the airport"."""
        parts = [
            f"at most {miles:g} {'mile' if miles == 1 else 'miles'} from the {place}"
            for miles, place in ((value.airport, "airport"), (value.city_center, "city center"))
            if miles is not None
        ]
        return ", ".join(parts) or "no preference"

    def state(self, value: Distance | None) -> JsonObject:
        """Miles."""
        value = value or Distance()
        return {"airport": value.airport, "city_center": value.city_center}

    def understood(
        self, reading: Reading, text: str, saved: Mapping[str, JsonValue], asked: str | None
    ) -> CaptureDistance | None:
        """The reader's numbers; "near" is asked about, not saved."""
        found = reading.distance
        airport = found.airport_miles if found else None
        center = found.city_center_miles if found else None
        numbers = [None if miles is None or isinstance(miles, str) else float(miles) for miles in (airport, center)]
        free = self.name in reading.no_preference_for
        if numbers == [None, None] and not free:
            return None
        return CaptureDistance(airport_miles=numbers[0], city_center_miles=numbers[1], no_preference=free)


DISTANCE = DistanceCriterion()
