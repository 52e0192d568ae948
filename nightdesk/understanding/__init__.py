"""The deterministic reader of guests' messages: pure, no network, prefers asking to guessing."""

from nightdesk.understanding.normalise import strip_control
from nightdesk.understanding.read import read
from nightdesk.understanding.reading import (
    AmenityKey,
    BudgetReading,
    DistanceReading,
    Intent,
    Reading,
    Remark,
    RoomType,
    SelectionReading,
    StayReading,
)

__all__ = [
    "AmenityKey",
    "BudgetReading",
    "DistanceReading",
    "Intent",
    "Reading",
    "Remark",
    "RoomType",
    "SelectionReading",
    "StayReading",
    "read",
    "strip_control",
]
