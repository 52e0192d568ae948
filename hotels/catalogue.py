"""The hotels that ship with Nightdesk, read from `catalogue.toml` and checked on the way in."""

import tomllib
from functools import cache
from importlib.resources import files

from pydantic import Field

from nightdesk.model import Frozen
from nightdesk.vocabulary import AMENITY_WORDS, ROOM_TYPES


class Room(Frozen):
    """How many rooms of one type a hotel has, and the base rate of a night in cents."""

    room_type: str
    capacity: int = Field(gt=0)
    base_cents: int = Field(gt=0)


class CatalogueHotel(Frozen):
    """One hotel; distances in miles by road."""

    id: str = Field(pattern="^[a-z0-9-]+$")
    name: str
    address: str
    airport: float = Field(ge=0)
    city_center: float = Field(ge=0)
    amenities: tuple[str, ...]
    rooms: tuple[Room, ...]


class _File(Frozen):
    hotels: tuple[CatalogueHotel, ...]


@cache
def catalogue() -> tuple[CatalogueHotel, ...]:
    """Every hotel of the file. A mistake in the file is a ValueError at the first call."""
    text = (files("hotels") / "catalogue.toml").read_text(encoding="utf-8")
    hotels = _File.model_validate(tomllib.loads(text)).hotels
    for hotel in hotels:
        if unknown := set(hotel.amenities) - set(AMENITY_WORDS):
            raise ValueError(f"{hotel.id}: unknown amenities {sorted(unknown)}")
        if tuple(room.room_type for room in hotel.rooms) != ROOM_TYPES:
            raise ValueError(f"{hotel.id}: each room type once, in the order of ROOM_TYPES")
    if len({hotel.id for hotel in hotels}) != len(hotels):
        raise ValueError("a hotel id occurs twice")
    return hotels
