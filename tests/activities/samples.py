"""Small valid things to start a test from."""

from datetime import UTC, date, datetime
from decimal import Decimal

from nightdesk.booking import BookRoom, Offer
from nightdesk.hotels import Hotel, Miles, NightPrice
from nightdesk.model import Guest

NIGHTS = (date(2027, 8, 3), date(2027, 8, 4))


def hotel(hotel_id: str = "h1", price: Decimal | int | str = 600, *, name: str = "Harbour House") -> Hotel:
    """A suite from 2027-08-03 to 2027-08-05 at one price a night."""
    amount = Decimal(price)
    return Hotel(
        hotel_id=hotel_id,
        name=name,
        address="1 Quay Street",
        room_type="suite",
        nightly=tuple(NightPrice(date=night, price=amount) for night in NIGHTS),
        total=amount * len(NIGHTS),
        currency="USD",
        amenities=("freeWiFi", "freeParking"),
        miles=Miles(airport=6.5, city_center=0.8),
    )


def booking() -> BookRoom:
    """A yes to the hotel above."""
    offer = Offer(
        conversation_id="c1",
        hotel_id="h1",
        name="Harbour House",
        room_type="suite",
        check_in=date(2027, 8, 3),
        check_out=date(2027, 8, 5),
        nightly=(Decimal("600.00"), Decimal("600.00")),
        total=Decimal("1200.00"),
        currency="USD",
        expires_at=datetime(2027, 1, 10, 12, 15, tzinfo=UTC),
    )
    guest = Guest(id="ada@example.com", name="Ada", email="ada@example.com")
    return BookRoom(key="c1:m7", digest=offer.digest, offer=offer, guest=guest)
