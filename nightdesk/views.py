"""What the outside sees of a conversation: the contract's names, money as decimal strings."""

from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from nightdesk import money
from nightdesk.booking import Confirmed, Offer, RefusalReason
from nightdesk.boundaries import Shown
from nightdesk.conversation import Conversation, Counters, Outcome, Readiness, Reservation
from nightdesk.criteria.base import JsonObject
from nightdesk.model import Frozen
from nightdesk.snapshot import Issue


class HotelView(Frozen):
    """One hotel of the list, as the state query shows it."""

    number: int
    hotel_id: str
    name: str
    address: str
    room_type: str
    nightly: tuple[str, ...]
    total: str
    currency: str

    @classmethod
    def of(cls, shown: Shown) -> "HotelView":
        """Money as decimal strings."""
        hotel = shown.hotel
        return cls(
            number=shown.number,
            hotel_id=hotel.hotel_id,
            name=hotel.name,
            address=hotel.address,
            room_type=hotel.room_type,
            nightly=tuple(_decimal(night.price) for night in hotel.nightly),
            total=_decimal(hotel.total),
            currency=hotel.currency,
        )


class OfferView(Frozen):
    """The pending offer, or the one that was booked."""

    hotel_id: str
    name: str
    room_type: str
    check_in: date
    check_out: date
    nights: int
    total: str
    currency: str
    expires_at: datetime
    digest: str

    @classmethod
    def of(cls, offer: Offer) -> "OfferView":
        """Money as decimal strings."""
        return cls(
            hotel_id=offer.hotel_id,
            name=offer.name,
            room_type=offer.room_type,
            check_in=offer.check_in,
            check_out=offer.check_out,
            nights=len(offer.stay.nights),
            total=_decimal(offer.total),
            currency=offer.currency,
            expires_at=offer.expires_at,
            digest=offer.digest,
        )


class BookedView(Frozen):
    """A reservation as the ledger had committed it."""

    confirmation_number: str
    hotel_id: str
    name: str
    room_type: str
    check_in: date
    check_out: date
    total: str
    currency: str

    @classmethod
    def of(cls, row: Confirmed) -> "BookedView":
        """Money as decimal strings."""
        return cls(
            confirmation_number=row.confirmation_number,
            hotel_id=row.hotel_id,
            name=row.hotel_name,
            room_type=row.room_type,
            check_in=row.check_in,
            check_out=row.check_out,
            total=_decimal(row.total),
            currency=row.currency,
        )


class ReservationView(Frozen):
    """What became of a yes. `existing`: the reservation that another yes had made, when the ledger told of it."""

    status: Literal["confirmed", "refused", "unknown", "cancelled"]
    confirmation_number: str | None
    reason: RefusalReason | None
    offer: OfferView
    existing: BookedView | None = None

    @classmethod
    def of(cls, reservation: Reservation) -> "ReservationView":
        """With the terms that were agreed to."""
        return cls(
            status=reservation.status,
            confirmation_number=reservation.confirmation_number,
            reason=reservation.reason,
            offer=OfferView.of(reservation.offer),
            existing=BookedView.of(reservation.existing) if reservation.existing else None,
        )


class Providers(Frozen):
    """Which implementations this conversation is configured for."""

    decisions: str | None
    language: str | None


class StateView(Frozen):
    """The state query's answer: the contract's names."""

    conversation_id: str
    status: Literal["open", "closed"]
    outcome: Outcome | None
    active_step: str
    criteria: dict[str, JsonObject]
    issues: tuple[Issue, ...]
    readiness: Readiness | None
    hotels: tuple[HotelView, ...]
    offer: OfferView | None
    reservation: ReservationView | None
    messages: Counters
    providers: Providers


class Reply(Frozen):
    """What `await_reply` returns."""

    message_id: str
    replies: tuple[str, ...]
    state: StateView


class Result(Frozen):
    """What the workflow returns when it closes."""

    outcome: Outcome
    reservation: ReservationView | None


def state_view(conversation: Conversation, today: date) -> StateView:
    """The answer to the state query."""
    settings = conversation.settings
    snapshot = conversation.snapshot(today)
    return StateView(
        conversation_id=conversation.id,
        status="closed" if conversation.outcome else "open",
        outcome=conversation.outcome,
        active_step=conversation.active_step,
        criteria=snapshot.state(),
        issues=snapshot.issues,
        readiness=conversation.readiness,
        hotels=tuple(HotelView.of(shown) for shown in conversation.hotels),
        offer=OfferView.of(conversation.offer) if conversation.offer else None,
        reservation=ReservationView.of(conversation.reservation) if conversation.reservation else None,
        messages=conversation.messages.model_copy(),
        providers=Providers(
            decisions=settings.decisions if settings else None, language=settings.language if settings else None
        ),
    )


def _decimal(amount: Decimal) -> str:
    return str(amount.quantize(money.CENT))
