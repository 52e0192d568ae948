"""The criteria, in the order in which they are asked. A further one is its file and a line here."""

from typing import Any

from nightdesk.criteria.amenities import AMENITIES
from nightdesk.criteria.base import Criterion
from nightdesk.criteria.budget import BUDGET
from nightdesk.criteria.dates import DATES
from nightdesk.criteria.distance import DISTANCE
from nightdesk.criteria.room_type import ROOM_TYPE

AnyCriterion = Criterion[Any, Any]
"""One of CRITERIA, where which one does not matter; values stay with their own criterion."""

CRITERIA: tuple[AnyCriterion, ...] = (
    DATES,
    BUDGET,
    ROOM_TYPE,
    AMENITIES,
    DISTANCE,
)

BY_NAME: dict[str, AnyCriterion] = {criterion.name: criterion for criterion in CRITERIA}
BY_TOOL: dict[str, AnyCriterion] = {criterion.tool: criterion for criterion in CRITERIA}
