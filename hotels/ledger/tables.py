"""The tables, the same on SQLite and PostgreSQL. Money in cents, stays as dates, moments in UTC.

The constraints are the last line of defence: they hold whatever the code above them does.
"""

from datetime import UTC, date, datetime

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Date,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    Text,
    TypeDecorator,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Moment(TypeDecorator[datetime]):
    """An aware UTC moment; SQLite keeps no zone, so it is put back on the way out."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    type_annotation_map = {str: Text, int: BigInteger, date: Date, datetime: Moment, float: Float}


class HotelRow(Base):
    __tablename__ = "hotels"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    address: Mapped[str]
    airport_miles: Mapped[float]
    city_center_miles: Mapped[float]
    amenities: Mapped[list[str]] = mapped_column(JSON)


class RoomTypeRow(Base):
    __tablename__ = "room_types"
    __table_args__ = (
        CheckConstraint("capacity > 0", name="capacity_positive"),
        CheckConstraint("base_cents > 0", name="base_positive"),
    )

    hotel_id: Mapped[str] = mapped_column(ForeignKey("hotels.id"), primary_key=True)
    room_type: Mapped[str] = mapped_column(primary_key=True)
    capacity: Mapped[int]
    base_cents: Mapped[int]


class InventoryRow(Base):
    """One night of one room type. Made when the first room of it is taken; no row means all are free."""

    __tablename__ = "inventory"
    __table_args__ = (
        ForeignKeyConstraint(["hotel_id", "room_type"], ["room_types.hotel_id", "room_types.room_type"]),
        CheckConstraint("free >= 0 AND free <= capacity", name="never_oversold"),
    )

    hotel_id: Mapped[str] = mapped_column(primary_key=True)
    room_type: Mapped[str] = mapped_column(primary_key=True)
    night: Mapped[date] = mapped_column(primary_key=True)
    capacity: Mapped[int]
    free: Mapped[int]


Index(
    "inventory_sold_out",
    InventoryRow.night,
    sqlite_where=InventoryRow.free == 0,
    postgresql_where=InventoryRow.free == 0,
)


class KeyRow(Base):
    """The idempotency key of one yes, and its verdict, which is final: what was said stays true."""

    __tablename__ = "booking_keys"
    __table_args__ = (
        CheckConstraint("verdict IN ('open', 'booked', 'refused', 'void')", name="verdict_known"),
        CheckConstraint("(verdict = 'refused') = (reason IS NOT NULL)", name="reason_iff_refused"),
    )

    key: Mapped[str] = mapped_column(primary_key=True)
    fingerprint: Mapped[str]
    conversation_id: Mapped[str] = mapped_column(index=True)
    verdict: Mapped[str]
    reason: Mapped[str | None]
    claimed_at: Mapped[datetime]


class ReservationRow(Base):
    __tablename__ = "reservations"
    __table_args__ = (
        ForeignKeyConstraint(["hotel_id", "room_type"], ["room_types.hotel_id", "room_types.room_type"]),
        CheckConstraint("status IN ('active', 'cancelled')", name="status_known"),
        CheckConstraint("check_out > check_in", name="at_least_one_night"),
        CheckConstraint("total_cents >= 0", name="total_not_negative"),
    )

    confirmation_number: Mapped[str] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(ForeignKey("booking_keys.key"), unique=True)
    fingerprint: Mapped[str]
    conversation_id: Mapped[str]
    guest_id: Mapped[str] = mapped_column(index=True)
    guest_name: Mapped[str]
    guest_email: Mapped[str]
    hotel_id: Mapped[str]
    hotel_name: Mapped[str]
    room_type: Mapped[str]
    check_in: Mapped[date]
    check_out: Mapped[date]
    total_cents: Mapped[int]
    currency: Mapped[str]
    status: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(index=True)
    cancelled_at: Mapped[datetime | None]


Index(
    "one_active_reservation_per_conversation",
    ReservationRow.conversation_id,
    unique=True,
    sqlite_where=ReservationRow.status == "active",
    postgresql_where=ReservationRow.status == "active",
)


class ReservationNightRow(Base):
    """What each night of a reservation costs, as agreed to."""

    __tablename__ = "reservation_nights"

    confirmation_number: Mapped[str] = mapped_column(ForeignKey("reservations.confirmation_number"), primary_key=True)
    night: Mapped[date] = mapped_column(primary_key=True)
    price_cents: Mapped[int]


class AttemptRow(Base):
    """The audit: one row per attempt that reached the database, refused and repeated ones included."""

    __tablename__ = "attempts"

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    key: Mapped[str] = mapped_column(index=True)
    conversation_id: Mapped[str]
    act: Mapped[str]
    outcome: Mapped[str]
    reason: Mapped[str | None]
    confirmation_number: Mapped[str | None]
    at: Mapped[datetime]


class SentinelRow(Base):
    """Something sealed with each encryption key in use, so that a worker lacking one can refuse to start."""

    __tablename__ = "encryption_sentinels"

    key_id: Mapped[str] = mapped_column(primary_key=True)
    sealed: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime]
