"""The hotel's reservations for an operator. No Temporal: the ledger is the truth."""

from clients.failures import CannotGoOn
from clients.ledgers import named_failures, open_ledger
from clients.words import one_line
from hotels.ledger import Reservation
from settings import Settings


def list_reservations(settings: Settings, *, guest: str | None, active_only: bool, limit: int) -> list[str]:
    """One line each, newest first."""
    with open_ledger(settings) as ledger, named_failures():
        found = ledger.reservations(guest_id=guest.lower() if guest else None, active_only=active_only, limit=limit)
    return [_line(reservation) for reservation in found]


def show_reservation(settings: Settings, number: str) -> list[str]:
    """Everything about one. Raises CannotGoOn."""
    with open_ledger(settings) as ledger, named_failures():
        found = ledger.reservation(number)
    return _details(_existing(found, number))


def cancel_reservation(settings: Settings, number: str) -> list[str]:
    """Cancel it and give its nights back; doing it again changes nothing. Raises CannotGoOn."""
    with open_ledger(settings) as ledger, named_failures():
        before = ledger.reservation(number)
        found = _existing(ledger.cancel(number), number)
    already = before is not None and before.cancelled_at is not None
    return [_line(found), *(["It was cancelled already; nothing has changed."] if already else [])]


def _existing(found: Reservation | None, number: str) -> Reservation:
    if found is None:
        raise CannotGoOn(f"there is no reservation {one_line(number)}")
    return found


def _line(found: Reservation) -> str:
    stay = f"{found.check_in} to {found.check_out}"
    price = f"{found.total} {one_line(found.currency)}"
    what = f"{one_line(found.hotel_name)}, {one_line(found.room_type)}"
    return f"{found.confirmation_number}  {found.status:<9}  {stay}  {what}  {price}  {one_line(found.guest.name)}"


def _details(found: Reservation) -> list[str]:
    facts = [
        ("confirmation number", found.confirmation_number),
        ("status", found.status),
        ("guest", f"{found.guest.name} <{found.guest.email}>"),
        ("hotel", f"{found.hotel_name} ({found.hotel_id})"),
        ("room type", found.room_type),
        ("check-in", found.check_in),
        ("check-out", found.check_out),
        *((f"night of {night.date}", f"{night.price} {found.currency}") for night in found.nightly),
        ("total", f"{found.total} {found.currency}"),
        ("conversation", found.conversation_id),
        ("booked at", found.created_at.isoformat(timespec="seconds")),
        ("cancelled at", found.cancelled_at.isoformat(timespec="seconds") if found.cancelled_at else "-"),
    ]
    return [f"{name + ':':<24}{one_line(value, 500)}" for name, value in facts]
