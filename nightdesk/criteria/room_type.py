"""The type of room, from a closed list."""

from collections.abc import Mapping
from datetime import date

from pydantic import Field, JsonValue

from nightdesk.criteria.base import Arguments, Criterion, JsonObject, Judgement, refused
from nightdesk.model import Frozen
from nightdesk.understanding.reading import Reading
from nightdesk.vocabulary import ROOM_TYPES


class RoomType(Frozen):
    """One of ROOM_TYPES; None is an explicit no preference."""

    room_type: str | None = None


class CaptureRoomType(Arguments):
    """What the guest said about the room."""

    room_type: str | None = Field(default=None, description=f"One of: {', '.join(ROOM_TYPES)}; null when not said")
    no_preference: bool | None = Field(default=None, description="Any type of room will do. Null when not said")


class RoomTypeCriterion(Criterion[RoomType, CaptureRoomType]):
    """An allow-listed type (seed: validateCriteria)."""

    name = "room_type"
    title = "room type"
    about = "the type of room: one bed, two beds, a suite, or any"
    contradicted = "Room type is missing, ambiguous, or contradicted"
    tool_description = (
        "Record the type of room that the guest asked for in the newest message. A single, queen or king bed is "
        '"one bed"; a family, king or honeymoon suite is "suite". Pass on any other type as it was said.'
    )
    reason = "hotels have only so many rooms of each type, at different prices"
    example = "a suite"
    value_type = RoomType
    arguments_type = CaptureRoomType

    def question(self, value: RoomType | None, today: date) -> str:
        """The list is short enough to be said."""
        return "What type of room: one bed, two beds, or a suite? Or no preference?"

    def judge(self, saved: RoomType | None, arguments: CaptureRoomType, today: date) -> Judgement[RoomType]:
        """A named type wins over "no preference" in the same answer."""
        if arguments.room_type is not None:
            wanted = " ".join(arguments.room_type.casefold().replace("_", " ").split())
            if wanted not in ROOM_TYPES:
                return refused(
                    f'The hotels here have no "{arguments.room_type.strip()[:40]}"; there is one bed, two beds, or a '
                    "suite. Which would you like?"
                )
            return Judgement(value=RoomType(room_type=wanted))
        return Judgement(value=RoomType()) if arguments.no_preference else Judgement()

    def issues(self, value: RoomType, today: date) -> tuple[str, ...]:
        """The allow-list again."""
        known = value.room_type is None or value.room_type in ROOM_TYPES
        return () if known else ("That type of room is not among one bed, two beds and a suite.",)

    def words(self, value: RoomType) -> str:
        """ "suite"."""
        return value.room_type or "no preference"

    def proposal(self, value: RoomType) -> str:
        """With its article."""
        return f"Shall I look for {'a suite' if value.room_type == 'suite' else f'a room with {self.words(value)}'}?"

    def state(self, value: RoomType | None) -> JsonObject:
        """The type."""
        return {"room_type": value.room_type if value else None}

    def understood(
        self, reading: Reading, text: str, saved: Mapping[str, JsonValue], asked: str | None
    ) -> CaptureRoomType | None:
        """The reader's type."""
        free = self.name in reading.no_preference_for
        if reading.room_type is None and not free:
            return None
        return CaptureRoomType(room_type=reading.room_type, no_preference=free)


ROOM_TYPE = RoomTypeCriterion()
