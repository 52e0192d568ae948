"""The booking boundary's vocabulary: the offer a guest says yes to, and the outcomes of booking it.

An outcome is a value, never an exception. "Unknown" is not among them: it is what the conversation
holds while nobody but the database knows.
"""

import hashlib
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from nightdesk.model import Frozen, Guest
from nightdesk.stay import Stay


class Offer(Frozen):
    """Exact terms, as stated to the guest of one conversation. Its digest is what a yes agrees to."""

    conversation_id: str
    hotel_id: str
    name: str
    room_type: str
    check_in: date
    check_out: date
    nightly: tuple[Decimal, ...]
    total: Decimal
    currency: str
    expires_at: datetime

    @property
    def stay(self) -> Stay:
        """The two dates as a stay."""
        return Stay(check_in=self.check_in, check_out=self.check_out)

    @property
    def digest(self) -> str:
        """SHA-256 over every term, the conversation and the expiry, in hexadecimal."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


class BookRoom(Frozen):
    """One yes. `key` is "conversation id:id of the message that said yes"; `digest` what it said yes to."""

    key: str
    digest: str
    offer: Offer
    guest: Guest | None


class SettleReservation(Frozen):
    """Find out what became of `booking.key`. Absent: book it now, or with `give_up` void the key.

    With `give_up` a reservation that is found is cancelled, and each of its nights given back once.
    """

    booking: BookRoom
    give_up: bool = False


RefusalReason = Literal[
    "not_signed_in",
    "offer_altered",
    "offer_expired",
    "price_changed",
    "sold_out",
    "date_passed",
    "over_limit",
    "already_booked",
    "key_reused",
    "hotel_unknown",
    "voided",
]


class Confirmed(Frozen):
    """A committed row, read back. What the guest is told is rendered from this."""

    status: Literal["confirmed"] = "confirmed"
    confirmation_number: str
    hotel_id: str
    hotel_name: str
    room_type: str
    check_in: date
    check_out: date
    total: Decimal
    currency: str


class Cancelled(Frozen):
    """The key can book nothing any more; `confirmation_number` names the reservation given back, if any.

    `existing` as for Refused.
    """

    status: Literal["cancelled"] = "cancelled"
    confirmation_number: str | None = None
    existing: Confirmed | None = None


class Refused(Frozen):
    """Nothing was taken, and why.

    `existing` is the reservation that stood for this conversation at that moment, under whatever key; None when
    there was none, or when an older worker answered. `earlier` is what the key had come to before, when it was this
    conversation's own and is `key_reused` or `voided`.
    """

    status: Literal["refused"] = "refused"
    reason: RefusalReason
    existing: Confirmed | None = None
    earlier: "Confirmed | Refused | Cancelled | None" = None


BookingOutcome = Annotated[Confirmed | Refused | Cancelled, Field(discriminator="status")]
"""`book_room` answers Confirmed or Refused; `settle_reservation` may also answer Cancelled."""
