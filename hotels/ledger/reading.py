"""What the ledger holds, read back: a key's outcome, reservations, attempts, sentinels."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, select

from hotels.ledger.database import upsert
from hotels.ledger.records import Attempt, Reservation, Sentinel
from hotels.ledger.tables import AttemptRow, KeyRow, ReservationNightRow, ReservationRow, SentinelRow
from nightdesk.booking import Cancelled, Confirmed, Refused
from nightdesk.hotels import NightPrice
from nightdesk.model import Guest
from nightdesk.money import from_cents


def outcome(connection: Connection, key: str) -> Confirmed | Refused | Cancelled:
    """What became of the key: its reservation as committed, why it was refused, or that it is closed."""
    verdict = connection.execute(select(KeyRow.verdict, KeyRow.reason).where(KeyRow.key == key)).one()
    if verdict.verdict == "refused":
        return Refused.model_validate({"reason": verdict.reason})
    if verdict.verdict == "void":
        return Cancelled()
    (reservation,) = reservations(connection, [ReservationRow.key == key], 1)
    if reservation.status == "cancelled":
        return Cancelled(confirmation_number=reservation.confirmation_number)
    return reservation.confirmed()


def standing(connection: Connection, conversation_id: str) -> Confirmed | None:
    """The conversation's own active reservation; it has at most one."""
    wanted = [ReservationRow.conversation_id == conversation_id, ReservationRow.status == "active"]
    found = reservations(connection, wanted, 1)
    return found[0].confirmed() if found else None


def reservations(connection: Connection, wanted: Sequence[ColumnElement[bool]], limit: int) -> list[Reservation]:
    """Newest first, each with its nightly prices."""
    rows = connection.execute(
        select(ReservationRow.__table__)
        .where(*wanted)
        .order_by(ReservationRow.created_at.desc(), ReservationRow.confirmation_number)
        .limit(limit)
    ).all()
    numbers = [row.confirmation_number for row in rows]
    nightly: dict[str, list[NightPrice]] = {number: [] for number in numbers}
    nights = (
        select(
            ReservationNightRow.confirmation_number,
            ReservationNightRow.night,
            ReservationNightRow.price_cents,
        )
        .where(ReservationNightRow.confirmation_number.in_(numbers))
        .order_by(ReservationNightRow.night)
    )
    for number, night, cents in connection.execute(nights):
        nightly[number].append(NightPrice(date=night, price=from_cents(cents)))
    return [_reservation(row, nightly[row.confirmation_number]) for row in rows]


def _reservation(row: Any, nightly: list[NightPrice]) -> Reservation:
    return Reservation(
        confirmation_number=row.confirmation_number,
        status=row.status,
        key=row.key,
        fingerprint=row.fingerprint,
        conversation_id=row.conversation_id,
        guest=Guest(id=row.guest_id, name=row.guest_name, email=row.guest_email),
        hotel_id=row.hotel_id,
        hotel_name=row.hotel_name,
        room_type=row.room_type,
        check_in=row.check_in,
        check_out=row.check_out,
        nightly=tuple(nightly),
        total=from_cents(row.total_cents),
        currency=row.currency,
        created_at=row.created_at,
        cancelled_at=row.cancelled_at,
    )


def attempts(connection: Connection, key: str | None, limit: int) -> list[Attempt]:
    """The audit, newest first."""
    rows = select(AttemptRow.__table__).order_by(AttemptRow.id.desc()).limit(limit)
    if key is not None:
        rows = rows.where(AttemptRow.key == key)
    return [Attempt.model_validate(row) for row in connection.execute(rows).mappings()]


def sentinels(connection: Connection) -> list[Sentinel]:
    """Every sentinel, oldest first."""
    rows = select(SentinelRow.__table__).order_by(SentinelRow.created_at, SentinelRow.key_id)
    return [Sentinel.model_validate(row) for row in connection.execute(rows).mappings()]


def add_sentinel(connection: Connection, sentinel: Sentinel) -> bool:
    """Insert one; False when the key id has one already, which stays."""
    row = upsert(connection, SentinelRow).values(**sentinel.model_dump())
    added = row.on_conflict_do_nothing().returning(SentinelRow.key_id)
    return connection.execute(added).first() is not None
