"""Why a hotel server refuses a search, as it says so for machines, and whose answer has to change."""

from datetime import date
from typing import Literal, get_args

from pydantic import Field, field_validator

from nightdesk.model import Frozen

Reason = Literal[
    "check_in_passed",
    "check_out_not_after",
    "too_many_nights",
    "room_type_unknown",
    "amenity_unknown",
    "budget_negative",
    "budget_reversed",
    "distance_negative",
    "other",
]

OWNERS: dict[Reason, str] = {
    "check_in_passed": "dates",
    "check_out_not_after": "dates",
    "too_many_nights": "dates",
    "room_type_unknown": "room_type",
    "amenity_unknown": "amenities",
    "budget_negative": "budget",
    "budget_reversed": "budget",
    "distance_negative": "distance",
}
"""The criterion to change; `other` is nobody's."""


class Refusal(Frozen):
    """One reason. `today` is the hotel's date, with `check_in_passed`; `most_nights` goes with `too_many_nights`."""

    reason: Reason
    today: date | None = None
    most_nights: int | None = Field(default=None, ge=1)

    @field_validator("reason", mode="before")
    @classmethod
    def _known(cls, reason: object) -> object:
        """A server of a later release, or another team's, may have more reasons."""
        return "other" if isinstance(reason, str) and reason not in get_args(Reason) else reason


class RefusedSearch(Frozen):
    """What a server's error result holds as structured content when it refuses a search, and tries would not help."""

    refused: tuple[Refusal, ...] = Field(min_length=1, max_length=20)
