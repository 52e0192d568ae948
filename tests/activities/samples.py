"""Small valid things to start a test from."""

from collections.abc import Awaitable, Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TypeVar

from pydantic import JsonValue
from temporalio.exceptions import ApplicationError

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


ODD: tuple[JsonValue, ...] = (None, True, "", "odd", -1, 1e300, 10**30, [], [[]], {}, {"a": 1})


def spoiled(value: JsonValue) -> Iterator[JsonValue]:
    """The value with each of its parts, and itself, replaced by each odd one, and with each part left out."""
    yield from ODD
    if isinstance(value, dict):
        for key, part in value.items():
            yield {name: other for name, other in value.items() if name != key}
            for worse in spoiled(part):
                yield value | {key: worse}
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield value[:place] + value[place + 1 :]
            for worse in spoiled(part):
                yield [*value[:place], worse, *value[place + 1 :]]


T = TypeVar("T")


async def outcome(running: Awaitable[T]) -> T | ApplicationError:
    """What it gives, or the failure it raises; any other exception goes on its way."""
    try:
        return await running
    except ApplicationError as error:
        return error
