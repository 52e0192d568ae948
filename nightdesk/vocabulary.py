"""The closed lists of the hotel trade here: what can be asked for, by key, and what guests are told instead of keys."""

from typing import Literal, get_args

RoomType = Literal["one bed", "two beds", "suite"]
ROOM_TYPES: tuple[RoomType, ...] = get_args(RoomType)

AmenityKey = Literal[
    "freeWiFi",
    "nonSmoking",
    "freeBreakfast",
    "freeParking",
    "airportShuttle",
    "roomService",
    "fitnessCenter",
    "petFriendly",
    "digitalKey",
    "boutique",
    "onSiteRestaurant",
    "indoorPool",
    "businessCenter",
    "meetingRoom",
    "evCharging",
    "connectingRooms",
    "eveningReception",
    "concierge",
    "streaming",
    "kitchen",
    "tennis",
    "outdoorPool",
    "newHotel",
]

AMENITY_WORDS: dict[str, str] = {
    "freeWiFi": "free Wi-Fi",
    "nonSmoking": "non-smoking rooms",
    "freeBreakfast": "free breakfast",
    "freeParking": "free parking",
    "airportShuttle": "airport shuttle",
    "roomService": "room service",
    "fitnessCenter": "fitness center",
    "petFriendly": "pet-friendly rooms",
    "digitalKey": "digital key",
    "boutique": "boutique style",
    "onSiteRestaurant": "on-site restaurant",
    "indoorPool": "indoor pool",
    "businessCenter": "business center",
    "meetingRoom": "meeting room",
    "evCharging": "EV charging",
    "connectingRooms": "connecting rooms",
    "eveningReception": "evening reception",
    "concierge": "concierge",
    "streaming": "streaming on the TV",
    "kitchen": "kitchen",
    "tennis": "tennis court",
    "outdoorPool": "outdoor pool",
    "newHotel": "newly opened hotel",
}
"""Key -> words (seed: allow-listed amenities)."""
