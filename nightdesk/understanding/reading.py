"""What one message of a guest was understood to say: values, and what is left to ask about.

Nothing here is validated against the hotel's rules: the owner of each criterion does that before it saves.
"""

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer

from nightdesk.vocabulary import AmenityKey, RoomType

Intent = Literal[
    "dates",
    "budget",
    "room_type",
    "amenities",
    "distance",
    "review",
    "search",
    "book",
    "exit",
    "affirm",
    "negate",
    "multi",
    "other",
]


def _plain_number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


Number = Annotated[Decimal, PlainSerializer(_plain_number, return_type=int | float, when_used="json")]
"""An exact number in code, a plain JSON number on the wire."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class StayReading(_Frozen):
    """Either end of a stay, or only its length in nights. Calendar dates in the hotel's zone."""

    check_in: date | None = None
    check_out: date | None = None
    nights: int | None = None


class BudgetReading(_Frozen):
    """Bounds per night. `about`, `currency` (not US dollars) and `level` ("cheap") need a question first."""

    min: Number | None = None
    max: Number | None = None
    about: Number | None = None
    currency: str | None = None
    level: str | None = None


class DistanceReading(_Frozen):
    """At most so many miles; "near" when the guest gave no number."""

    airport_miles: Number | Literal["near"] | None = None
    city_center_miles: Number | Literal["near"] | None = None


class SelectionReading(_Frozen):
    """A choice among the hotels shown: `number` from 1, -1 is the last; `name` as the guest wrote it."""

    number: int | None = None
    name: str | None = None
    ref: Literal["current"] | None = None
    superlative: str | None = None
    any: bool = False


class Remark(_Frozen):
    """Something said about a criterion that could not be stored, in the guest's own words, to ask about.

    `criterion` is dates, budget, room_type, amenities, distance or selection. `code` is one of impossible_date,
    past_date, reversed_dates, weekday_mismatch, nights_mismatch, ambiguous, unsupported, currency, about, total,
    level, near, minimum, negative, reversed, unclear, unsure. `options` are the readings a guest may choose between.
    """

    criterion: str
    code: str
    quote: str
    options: tuple[str, ...] = ()


class Reading(_Frozen):
    """One message, read. `clarify` names why nothing may be stored; `because` the rules that fired."""

    intent: Intent = "other"
    dates: StayReading | None = None
    budget: BudgetReading | None = None
    room_type: RoomType | None = None
    amenities: tuple[AmenityKey, ...] = ()
    amenities_not_needed: tuple[AmenityKey, ...] = ()
    amenities_any_of: tuple[AmenityKey, ...] = ()
    distance: DistanceReading | None = None
    no_preference: bool = False
    no_preference_for: tuple[str, ...] = ()
    selection: SelectionReading | None = None
    correction: bool = False
    polarity: Literal["affirm", "negate"] | None = None
    unsupported: tuple[str, ...] = ()
    clarify: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    because: tuple[str, ...] = ()
    proposed: "Reading | None" = Field(default=None, exclude=True)
    """With what the guest is not sure of (remarks `unsure`): not to be stored before they say yes to it."""
