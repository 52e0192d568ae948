"""The hotels that ship with Nightdesk."""

import re

from hotels.catalogue import catalogue
from nightdesk.vocabulary import AMENITY_WORDS, ROOM_TYPES


def test_there_are_32_hotels_of_our_own_each_with_every_room_type() -> None:
    hotels = catalogue()
    assert len(hotels) == len({hotel.id for hotel in hotels}) == len({hotel.name for hotel in hotels}) == 32
    for hotel in hotels:
        assert tuple(room.room_type for room in hotel.rooms) == ROOM_TYPES
        one, two, suite = (room.base_cents for room in hotel.rooms)
        assert one < two < suite


def test_every_amenity_occurs_and_none_is_everywhere() -> None:
    for amenity in AMENITY_WORDS:
        having = sum(amenity in hotel.amenities for hotel in catalogue())
        assert 0 < having < len(catalogue()), amenity
    for hotel in catalogue():
        assert len(set(hotel.amenities)) == len(hotel.amenities)


def test_addresses_are_portlands_and_distances_plausible() -> None:
    for hotel in catalogue():
        assert re.fullmatch(r"\d+ .+, Portland, OR 972\d\d", hotel.address)
        assert 1 <= hotel.airport <= 20
        assert 0.2 <= hotel.city_center <= 10
        # The airport is about 12 miles by road from the centre; no place is near to both.
        assert hotel.airport + hotel.city_center >= 9
