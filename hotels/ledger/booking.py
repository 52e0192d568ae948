"""The booking transaction: everything between an attempt under a key and that key's final verdict.

Each function works inside a write transaction that the caller opened. Locks are taken in one order: the
key, the nights by date, the reservation; so that no two attempts can wait for each other.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from sqlalchemy import Connection, delete, exc, insert, select, update

from hotels.calendar import today
from hotels.ledger.database import upsert
from hotels.ledger.tables import (
    AttemptRow,
    HotelRow,
    InventoryRow,
    KeyRow,
    ReservationNightRow,
    ReservationRow,
    RoomTypeRow,
)
from hotels.prices import stay_cents
from nightdesk.booking import BookRoom, Offer, RefusalReason
from nightdesk.model import Guest
from nightdesk.money import CURRENCY, from_cents, to_cents
from nightdesk.stay import Stay

MAX_NIGHTS = 366
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no letter that is taken for a digit."""


@dataclass(frozen=True)
class House:
    """What an attempt is held to: the most a reservation may cost, the clock, the hotel's pinned date."""

    booking_limit: Decimal
    business_date: date | None
    now: Callable[[], datetime]


class Refusal(Exception):
    """Nothing is taken. `final`: the reason is kept under the key, and is the answer from now on."""

    def __init__(self, reason: RefusalReason, *, final: bool = True) -> None:
        super().__init__(reason)
        self.reason: RefusalReason = reason
        self.final = final


def attempt(connection: Connection, house: House, booking: BookRoom, act: str) -> RefusalReason | None:
    """Give `booking.key` its verdict, or find the one it has. None: the key has one that can be read back.

    A reason that is returned is not kept under the key: the attempt had no right to it.
    """
    now = house.now()
    if not claim(connection, booking, now, "open"):
        stored = connection.execute(select(KeyRow.fingerprint, KeyRow.reason).where(KeyRow.key == booking.key)).one()
        if stored.fingerprint != booking.digest:
            audit(connection, booking, act, now, "refused", reason="key_reused")
            return "key_reused"
        audit(connection, booking, act, now, "replayed", reason=stored.reason)
        return None
    try:
        number = _reserve(connection, house, booking)
    except Refusal as refusal:
        audit(connection, booking, act, now, "refused", reason=refusal.reason)
        if not refusal.final:
            connection.execute(delete(KeyRow).where(KeyRow.key == booking.key))
            return refusal.reason
        _decide(connection, booking.key, "refused", refusal.reason)
        return None
    _decide(connection, booking.key, "booked", None)
    audit(connection, booking, act, now, "booked", number=number)
    return None


def void(connection: Connection, house: House, booking: BookRoom) -> RefusalReason | None:
    """Close `booking.key` for good: nothing can be booked under it any more, what was booked is cancelled.

    The reason that is returned: the key is not this booking's to close.
    """
    now = house.now()
    reason: RefusalReason | None = None
    number: str | None = None
    if not _owns_its_key(booking):
        reason = "offer_altered"
    elif not claim(connection, booking, now, "void"):
        stored = connection.execute(select(KeyRow.fingerprint).where(KeyRow.key == booking.key)).one()
        if stored.fingerprint != booking.digest:
            reason = "key_reused"
        else:
            reservation = select(ReservationRow.confirmation_number).where(ReservationRow.key == booking.key)
            number = connection.execute(reservation).scalar()
            if number is not None:
                give_back(connection, number, now)
    audit(connection, booking, "give_up", now, "refused" if reason else "void", reason=reason, number=number)
    return reason


def claim(connection: Connection, booking: BookRoom, now: datetime, verdict: str) -> bool:
    """Whether the key was free and is now this attempt's. Waits for another attempt that holds it."""
    row = upsert(connection, KeyRow).values(
        key=booking.key,
        fingerprint=booking.digest,
        conversation_id=booking.offer.conversation_id,
        verdict=verdict,
        reason=None,
        claimed_at=now,
    )
    claimed = row.on_conflict_do_nothing().returning(KeyRow.key)
    return connection.execute(claimed).first() is not None


def give_back(connection: Connection, number: str, now: datetime) -> bool:
    """Cancel an active reservation and give each of its nights back once; False if there was none active."""
    cancelled = connection.execute(
        update(ReservationRow)
        .where(ReservationRow.confirmation_number == number, ReservationRow.status == "active")
        .values(status="cancelled", cancelled_at=now)
        .returning(ReservationRow.hotel_id, ReservationRow.room_type, ReservationRow.check_in, ReservationRow.check_out)
    ).one_or_none()
    if cancelled is None:
        return False
    for night in Stay(check_in=cancelled.check_in, check_out=cancelled.check_out).nights:
        given = connection.execute(
            update(InventoryRow)
            .where(
                InventoryRow.hotel_id == cancelled.hotel_id,
                InventoryRow.room_type == cancelled.room_type,
                InventoryRow.night == night,
            )
            .values(free=InventoryRow.free + 1)
        )
        if given.rowcount != 1:
            raise RuntimeError(f"{number}: no inventory for the night of {night}")
    return True


def storable(booking: BookRoom) -> bool:
    """Whether a database can hold its text: no NUL, no lone surrogates."""
    offer, guest = booking.offer, booking.guest
    texts = [booking.key, booking.digest, offer.conversation_id, offer.hotel_id, offer.name]
    texts += [offer.room_type, offer.currency]
    texts += [guest.id, guest.name, guest.email] if guest else []
    return not any("\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text) for text in texts)


def audit(
    connection: Connection,
    booking: BookRoom,
    act: str,
    now: datetime,
    outcome: str,
    *,
    reason: str | None = None,
    number: str | None = None,
) -> None:
    """Write the attempt down."""
    connection.execute(
        insert(AttemptRow).values(
            key=booking.key,
            conversation_id=booking.offer.conversation_id,
            act=act,
            outcome=outcome,
            reason=reason,
            confirmation_number=number,
            at=now,
        )
    )


def new_number() -> str:
    """A confirmation number: 40 random bits, so that nobody finds another guest's by trying."""
    return "ND-" + "".join(secrets.choice(_ALPHABET) for _ in range(8))


def _reserve(connection: Connection, house: House, booking: BookRoom) -> str:
    """The confirmation number of the reservation written, or a Refusal with nothing taken."""
    offer = booking.offer
    guest = _authority(booking)
    _time(house, offer)
    if offer.total > house.booking_limit:
        raise Refusal("over_limit")
    capacity = _price(connection, offer)
    if _is_booked(connection, offer.conversation_id):
        raise Refusal("already_booked")
    for tries_left in (2, 1, 0):
        number = new_number()
        try:
            with connection.begin_nested():
                take_nights(connection, offer, capacity)
                _time(house, offer)  # again: waiting for the nights may have taken us past midnight
                _write(connection, booking, guest, number, house.now())
        except exc.IntegrityError:
            # Another attempt of this conversation has committed in between; else the number was taken.
            if _is_booked(connection, offer.conversation_id):
                raise Refusal("already_booked") from None
            if not tries_left:
                raise
        else:
            return number
    raise AssertionError("unreachable")


def _authority(booking: BookRoom) -> Guest:
    """The guest's own yes to exactly these terms, by this conversation."""
    offer = booking.offer
    if booking.digest != offer.digest or not _owns_its_key(booking):
        raise Refusal("offer_altered", final=False)
    if not 1 <= (offer.check_out - offer.check_in).days <= MAX_NIGHTS or offer.expires_at.tzinfo is None:
        raise Refusal("offer_altered")
    if booking.guest is None:
        raise Refusal("not_signed_in")
    return booking.guest


def _owns_its_key(booking: BookRoom) -> bool:
    """A key names the conversation whose guest said yes; no other may use or close it."""
    return booking.key.startswith(f"{booking.offer.conversation_id}:")


def _time(house: House, offer: Offer) -> None:
    """Judged at each fresh attempt, by the ledger's clock, in the hotel's zone."""
    now = house.now()
    if now >= offer.expires_at:
        raise Refusal("offer_expired")
    if offer.check_in <= today(now, house.business_date):
        raise Refusal("date_passed")


def _price(connection: Connection, offer: Offer) -> int:
    """The room type's capacity, if the hotel's price of every night is still the one agreed to."""
    room = connection.execute(
        select(RoomTypeRow.capacity, RoomTypeRow.base_cents, HotelRow.name)
        .join(HotelRow, HotelRow.id == RoomTypeRow.hotel_id)
        .where(RoomTypeRow.hotel_id == offer.hotel_id, RoomTypeRow.room_type == offer.room_type)
    ).one_or_none()
    if room is None:
        raise Refusal("hotel_unknown")
    if room.name != offer.name:
        raise Refusal("offer_altered")
    cents = stay_cents(room.base_cents, offer.stay.nights, offer.room_type)
    agreed = (offer.nightly, offer.total, offer.currency)
    if agreed != (tuple(map(from_cents, cents)), from_cents(sum(cents)), CURRENCY):
        raise Refusal("price_changed")
    return room.capacity


def _is_booked(connection: Connection, conversation_id: str) -> bool:
    active = select(ReservationRow.key).where(
        ReservationRow.conversation_id == conversation_id, ReservationRow.status == "active"
    )
    return connection.execute(active).first() is not None


def take_nights(connection: Connection, offer: Offer, capacity: int) -> None:
    """One room off each night, in date order: in any other, two overlapping stays can wait for each other."""
    for night in offer.stay.nights:
        row = upsert(connection, InventoryRow).values(
            hotel_id=offer.hotel_id,
            room_type=offer.room_type,
            night=night,
            capacity=capacity,
            free=capacity - 1,
        )
        taken = row.on_conflict_do_update(
            index_elements=[InventoryRow.hotel_id, InventoryRow.room_type, InventoryRow.night],
            set_={"free": InventoryRow.free - 1},
            where=InventoryRow.free > 0,
        ).returning(InventoryRow.free)
        if connection.execute(taken).first() is None:
            raise Refusal("sold_out")


def _write(connection: Connection, booking: BookRoom, guest: Guest, number: str, now: datetime) -> None:
    offer = booking.offer
    connection.execute(
        insert(ReservationRow).values(
            confirmation_number=number,
            key=booking.key,
            fingerprint=booking.digest,
            conversation_id=offer.conversation_id,
            guest_id=guest.id,
            guest_name=guest.name,
            guest_email=guest.email,
            hotel_id=offer.hotel_id,
            hotel_name=offer.name,
            room_type=offer.room_type,
            check_in=offer.check_in,
            check_out=offer.check_out,
            total_cents=to_cents(offer.total),
            currency=offer.currency,
            status="active",
            created_at=now,
        )
    )
    priced = zip(offer.stay.nights, offer.nightly, strict=True)
    connection.execute(
        insert(ReservationNightRow),
        [{"confirmation_number": number, "night": night, "price_cents": to_cents(price)} for night, price in priced],
    )


def _decide(connection: Connection, key: str, verdict: str, reason: str | None) -> None:
    connection.execute(update(KeyRow).where(KeyRow.key == key).values(verdict=verdict, reason=reason))
