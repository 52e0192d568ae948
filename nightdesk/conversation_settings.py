"""What a conversation needs of the settings: recorded once at its start, and carried with it."""

from datetime import date
from typing import Literal

from nightdesk.model import Frozen


class ConversationSettings(Frozen):
    """`business_date` pins today; otherwise it is the date in `time_zone`, the hotel's."""

    idle_seconds: float
    continue_after: int
    business_date: date | None = None
    time_zone: str
    decisions: Literal["typesafe", "local"]
    language: Literal["openai", "local"]
