"""The one normalised view of the five owners' facts: routing, validation, search and summaries use it."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from nightdesk.criteria import BY_NAME, CRITERIA, AnyCriterion
from nightdesk.criteria.amenities import Amenities
from nightdesk.criteria.base import JsonObject
from nightdesk.criteria.budget import Budget
from nightdesk.criteria.dates import Dates
from nightdesk.criteria.distance import Distance
from nightdesk.criteria.room_type import RoomType
from nightdesk.hotels import DistanceLimits, PriceLimits, SearchRequest
from nightdesk.model import Frozen

Facts = Mapping[str, Frozen]
"""Each owner's value by criterion name; a criterion that is not in it is unset."""


class Issue(Frozen):
    """Why the record is not fit for a search. `field` is a criterion's name."""

    field: str
    message: str


@dataclass(frozen=True)
class Snapshot:
    """The facts, validated for `today` (the hotel's date)."""

    facts: Facts
    today: date

    @property
    def issues(self) -> tuple[Issue, ...]:
        """What stands between the record and a search, in the order of the criteria (seed: validateCriteria)."""
        found: list[Issue] = []
        for criterion in CRITERIA:
            value = self.facts.get(criterion.name)
            if value is None or not criterion.answered(value):
                found.append(Issue(field=criterion.name, message=f"Not answered yet: {criterion.title}."))
            else:
                found += [Issue(field=criterion.name, message=text) for text in criterion.issues(value, self.today)]
        return tuple(found)

    @property
    def open(self) -> AnyCriterion | None:
        """The first criterion with an issue: what to ask next."""
        issues = self.issues
        return BY_NAME[issues[0].field] if issues else None

    def state(self) -> dict[str, JsonObject]:
        """As the state query, the decisions and the model see it."""
        return {
            criterion.name: {
                "answered": criterion.answered(self.facts.get(criterion.name)),
                **criterion.state(self.facts.get(criterion.name)),
            }
            for criterion in CRITERIA
        }

    def lines(self) -> tuple[str, ...]:
        """The record in words, one line a criterion; unset and "no preference" never look alike."""
        return tuple(f"{criterion.title.capitalize()}: {self.words(criterion)}" for criterion in CRITERIA)

    def words(self, criterion: AnyCriterion) -> str:
        """One answer in words, or that there is none yet."""
        value = self.facts.get(criterion.name)
        if value is None:
            return "not answered yet"
        return criterion.words(value) if criterion.answered(value) else f"{criterion.words(value)} so far"

    @property
    def digest(self) -> str:
        """Tells whether two snapshots hold the same answers."""
        return hashlib.sha256("\n".join(self.lines()).encode()).hexdigest()[:16]

    def search_request(self) -> SearchRequest:
        """The facts as a search; a ValueError when there is an issue, since nothing may be guessed."""
        dates, budget = self.facts.get("dates"), self.facts.get("budget")
        room, amenities, distance = (self.facts.get(name) for name in ("room_type", "amenities", "distance"))
        if not (
            isinstance(dates, Dates)
            and dates.stay
            and isinstance(budget, Budget)
            and isinstance(room, RoomType)
            and isinstance(amenities, Amenities)
            and isinstance(distance, Distance)
        ):
            raise ValueError("the record is not complete")
        return SearchRequest(
            check_in=dates.stay.check_in,
            check_out=dates.stay.check_out,
            room_type=room.room_type,
            amenities=amenities.amenities,
            budget=PriceLimits(min=budget.min, max=budget.max),
            max_distance_miles=DistanceLimits(airport=distance.airport, city_center=distance.city_center),
        )
