"""What operators read: reservations and attempts, and the encryption sentinels."""

from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from nightdesk.booking import Confirmed
from nightdesk.hotels import NightPrice
from nightdesk.model import Frozen, Guest


class Reservation(Frozen):
    """One committed reservation. Money in `currency` units; moments in UTC."""

    confirmation_number: str
    status: Literal["active", "cancelled"]
    key: str
    fingerprint: str
    conversation_id: str
    guest: Guest
    hotel_id: str
    hotel_name: str
    room_type: str
    check_in: date
    check_out: date
    nightly: tuple[NightPrice, ...]
    total: Decimal
    currency: str
    created_at: datetime
    cancelled_at: datetime | None

    def confirmed(self) -> Confirmed:
        """The outcome that the guest is told, from the row."""
        return Confirmed(
            confirmation_number=self.confirmation_number,
            hotel_id=self.hotel_id,
            hotel_name=self.hotel_name,
            room_type=self.room_type,
            check_in=self.check_in,
            check_out=self.check_out,
            total=self.total,
            currency=self.currency,
        )


class Attempt(Frozen):
    """One attempt that reached the database: what was tried (`act`), and what came of it."""

    id: int
    key: str
    conversation_id: str
    act: str
    outcome: str
    reason: str | None
    confirmation_number: str | None
    at: datetime


class Sentinel(Frozen):
    """A value sealed with the encryption key of this id."""

    key_id: str
    sealed: bytes
    created_at: datetime
