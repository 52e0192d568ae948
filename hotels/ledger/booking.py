"""The booking transaction: everything between an attempt under a key and that key's final verdict.

Each function works inside a write transaction that the caller opened. Locks are taken in one order: the
key, the nights by date, the reservation; so that no two attempts can wait for each other.
"""

import secrets
from datetime import datetime

from sqlalchemy import Connection, delete, exc, insert, select, update

from hotels.ledger import reading
from hotels.ledger.database import upsert
from hotels.ledger.rooms import give_back, take_nights
from hotels.ledger.rules import House, Refusal, authority, in_time, owns_its_key, still_the_price
from hotels.ledger.tables import AttemptRow, KeyRow, ReservationNightRow, ReservationRow
from nightdesk.booking import BookRoom, Cancelled, Confirmed, Refused
from nightdesk.model import Guest
from nightdesk.money import to_cents

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no letter that is taken for a digit."""


def attempt(connection: Connection, house: House, booking: BookRoom, act: str) -> Refused | None:
    """Give `booking.key` its verdict, or find the one it has. None: the key has one that can be read back.

    A refusal says what stands for the conversation, read before anybody else can change it. It is kept under the
    key unless the attempt had no right to it.
    """
    now = house.now()
    if not claim(connection, booking, now, "open"):
        stored = connection.execute(select(KeyRow.fingerprint, KeyRow.reason).where(KeyRow.key == booking.key)).one()
        if stored.fingerprint != booking.digest:
            audit(connection, booking, act, now, "refused", reason="key_reused")
            return _reused(connection, booking)
        audit(connection, booking, act, now, "replayed", reason=stored.reason)
        return None
    try:
        number = _reserve(connection, house, booking)
    except Refusal as refusal:
        audit(connection, booking, act, now, "refused", reason=refusal.reason)
        if refusal.final:
            _decide(connection, booking.key, "refused", refusal.reason)
        else:
            connection.execute(delete(KeyRow).where(KeyRow.key == booking.key))
        return Refused(reason=refusal.reason, existing=_existing(connection, booking))
    _decide(connection, booking.key, "booked", None)
    audit(connection, booking, act, now, "booked", number=number)
    return None


def void(connection: Connection, house: House, booking: BookRoom) -> Cancelled | Refused:
    """Close `booking.key` for good: nothing can be booked under it any more, what was booked is cancelled.

    Refused: the key is not this booking's to close.
    """
    now = house.now()
    refused: Refused | None = None
    number: str | None = None
    if not owns_its_key(booking):
        refused = Refused(reason="offer_altered")
    elif not claim(connection, booking, now, "void"):
        stored = connection.execute(select(KeyRow.fingerprint).where(KeyRow.key == booking.key)).one()
        if stored.fingerprint != booking.digest:
            refused = _reused(connection, booking)
        else:
            reservation = select(ReservationRow.confirmation_number).where(ReservationRow.key == booking.key)
            number = connection.execute(reservation).scalar()
            if number is not None:
                give_back(connection, number, now)
    reason = refused.reason if refused else None
    audit(connection, booking, "give_up", now, "refused" if refused else "void", reason=reason, number=number)
    return refused or Cancelled(confirmation_number=number, existing=_existing(connection, booking))


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
    guest = authority(booking)
    if _is_booked(connection, offer.conversation_id):
        # Before what else might be wrong: a guest who is told of a new price would say yes to it in vain.
        raise Refusal("already_booked")
    in_time(house, offer)
    if offer.total > house.booking_limit:
        raise Refusal("over_limit")
    capacity = still_the_price(connection, offer)
    for tries_left in (2, 1, 0):
        number = new_number()
        try:
            with connection.begin_nested():
                take_nights(connection, offer, capacity)
                in_time(house, offer)  # again: waiting for the nights may have taken us past midnight
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


def _is_booked(connection: Connection, conversation_id: str) -> bool:
    active = select(ReservationRow.key).where(
        ReservationRow.conversation_id == conversation_id, ReservationRow.status == "active"
    )
    return connection.execute(active).first() is not None


def _existing(connection: Connection, booking: BookRoom) -> Confirmed | None:
    """What stands for the conversation that asks: key and offer have to agree on which one that is."""
    return reading.standing(connection, booking.offer.conversation_id) if owns_its_key(booking) else None


def _reused(connection: Connection, booking: BookRoom) -> Refused:
    """The key has had its verdict, for other terms or another moment. Only its own conversation hears which.

    "a" with the message "b:1" and "a:b" with the message "1" make the same key, hence the look at its owner.
    """
    owner = connection.execute(select(KeyRow.conversation_id).where(KeyRow.key == booking.key)).scalar_one()
    own = owns_its_key(booking) and owner == booking.offer.conversation_id
    return Refused(
        reason="key_reused",
        existing=_existing(connection, booking),
        earlier=reading.outcome(connection, booking.key) if own else None,
    )


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
