"""The rules a yes is held to inside the booking transaction. Each breach is a Refusal, with nothing taken."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from sqlalchemy import Connection, select

from hotels.calendar import today
from hotels.ledger.tables import HotelRow, RoomTypeRow
from hotels.prices import stay_cents
from nightdesk.booking import BookRoom, Offer, RefusalReason
from nightdesk.model import Guest
from nightdesk.money import CURRENCY, from_cents

MAX_NIGHTS = 366


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


def storable(booking: BookRoom) -> bool:
    """Whether a database can hold its text: no NUL, no lone surrogates."""
    offer, guest = booking.offer, booking.guest
    texts = [booking.key, booking.digest, offer.conversation_id, offer.hotel_id, offer.name]
    texts += [offer.room_type, offer.currency]
    texts += [guest.id, guest.name, guest.email] if guest else []
    return not any("\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text) for text in texts)


def authority(booking: BookRoom) -> Guest:
    """The guest's own yes to exactly these terms, by this conversation."""
    offer = booking.offer
    if booking.digest != offer.digest or not owns_its_key(booking):
        raise Refusal("offer_altered", final=False)
    if not 1 <= (offer.check_out - offer.check_in).days <= MAX_NIGHTS or offer.expires_at.tzinfo is None:
        raise Refusal("offer_altered")
    if booking.guest is None:
        raise Refusal("not_signed_in")
    return booking.guest


def owns_its_key(booking: BookRoom) -> bool:
    """A key names the conversation whose guest said yes; no other may use or close it."""
    return booking.key.startswith(f"{booking.offer.conversation_id}:")


def in_time(house: House, offer: Offer) -> None:
    """Neither expired nor past: judged at each fresh attempt, by the ledger's clock, in the hotel's zone."""
    now = house.now()
    if now >= offer.expires_at:
        raise Refusal("offer_expired")
    if offer.check_in <= today(now, house.business_date):
        raise Refusal("date_passed")


def still_the_price(connection: Connection, offer: Offer) -> int:
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
