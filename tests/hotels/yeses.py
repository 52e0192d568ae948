"""What the tests book: offers at the catalogue's prices, and yeses to them."""

from datetime import date, datetime, timedelta
from decimal import Decimal

from sqlalchemy import Connection, event, text

from hotels.catalogue import catalogue
from hotels.ledger import Ledger
from hotels.prices import stay_cents
from nightdesk.booking import BookRoom, Offer
from nightdesk.model import Guest
from nightdesk.money import CURRENCY, from_cents
from nightdesk.stay import Stay

HOTEL = "pdx-harbor-lantern"
CHECK_IN = date(2027, 8, 3)
GUEST = Guest(id="ada@example.com", name="Ada", email="ada@example.com")


def offer_of(
    conversation: str = "c1",
    *,
    hotel_id: str = HOTEL,
    room_type: str = "suite",
    check_in: date = CHECK_IN,
    nights: int = 2,
    expires_at: datetime | None = None,
) -> Offer:
    """An offer at today's prices; it expires in the far future unless a moment is given."""
    hotel = next(hotel for hotel in catalogue() if hotel.id == hotel_id)
    base = next(room.base_cents for room in hotel.rooms if room.room_type == room_type)
    stay = Stay(check_in=check_in, check_out=check_in + timedelta(days=nights))
    cents = stay_cents(base, stay.nights, room_type)
    return Offer(
        conversation_id=conversation,
        hotel_id=hotel_id,
        name=hotel.name,
        room_type=room_type,
        check_in=stay.check_in,
        check_out=stay.check_out,
        nightly=tuple(map(from_cents, cents)),
        total=from_cents(sum(cents)),
        currency=CURRENCY,
        expires_at=expires_at or datetime.fromisoformat("2099-01-01T00:00:00+00:00"),
    )


def yes_to(offer: Offer, message: str = "m1", guest: Guest | None = GUEST) -> BookRoom:
    """The guest's yes, said in this message."""
    return BookRoom(key=f"{offer.conversation_id}:{message}", digest=offer.digest, offer=offer, guest=guest)


def edited(booking: BookRoom, **changes: object) -> BookRoom:
    """The same yes, with terms changed behind the guest's back: the digest is the old one."""
    return booking.model_copy(update={"offer": booking.offer.model_copy(update=changes)})


def set_capacity(ledger: Ledger, rooms: int, hotel_id: str = HOTEL, room_type: str = "suite") -> None:
    """So many rooms of this type, before any is booked."""
    change(
        ledger,
        "UPDATE room_types SET capacity = :n WHERE hotel_id = :h AND room_type = :r",
        n=rooms,
        h=hotel_id,
        r=room_type,
    )


def reprice(ledger: Ledger, percent: int, hotel_id: str = HOTEL) -> None:
    """The hotel changes its base rates."""
    change(
        ledger,
        "UPDATE room_types SET base_cents = base_cents * :p / 100 WHERE hotel_id = :h",
        p=percent,
        h=hotel_id,
    )


def change(ledger: Ledger, statement: str, **values: object) -> None:
    """Another program changes the database."""
    with ledger.engine.begin() as connection:
        connection.execute(text(statement), values)


def count(ledger: Ledger, table: str, where: str = "1 = 1") -> int:
    """How many rows."""
    with ledger.engine.connect() as connection:
        return connection.execute(text(f"SELECT count(*) FROM {table} WHERE {where}")).scalar_one()


_BROKEN = text(
    """
    SELECT i.hotel_id, i.room_type, i.night, i.free, i.capacity
    FROM inventory i
    WHERE i.free < 0 OR i.free + (
        SELECT count(*) FROM reservations r
        JOIN reservation_nights n ON n.confirmation_number = r.confirmation_number
        WHERE r.status = 'active' AND r.hotel_id = i.hotel_id AND r.room_type = i.room_type
        AND n.night = i.night
    ) <> i.capacity
    """
)
_UNCOUNTED = text(
    """
    SELECT r.confirmation_number, n.night
    FROM reservations r
    JOIN reservation_nights n ON n.confirmation_number = r.confirmation_number
    LEFT JOIN inventory i ON i.hotel_id = r.hotel_id AND i.room_type = r.room_type AND i.night = n.night
    WHERE r.status = 'active' AND i.night IS NULL
    """
)


def broken_nights(connection: Connection) -> list[str]:
    """The nights where free + active is not the capacity; one statement each, so one consistent view."""
    rows = [*connection.execute(_BROKEN), *connection.execute(_UNCOUNTED)]
    return [str(tuple(row)) for row in rows]


def watch_every_commit(ledger: Ledger) -> list[str]:
    """From now on, each transaction is looked at right before its COMMIT; the list gets what is broken."""
    seen: list[str] = []

    def look(connection: Connection) -> None:
        seen.extend(broken_nights(connection))

    event.listen(ledger.engine, "commit", look)
    return seen


def money(text_: str) -> Decimal:
    """An amount."""
    return Decimal(text_)
