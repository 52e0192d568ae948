"""`book_room`: the one irreversible effect, one transaction under its idempotency key."""

from temporalio import activity

from activities.attempt import attempt
from activities.ledger_calls import LedgerCalls
from activities.providers import ReservationLedger
from nightdesk.booking import BookRoom, Confirmed, Refused
from nightdesk.failures import LEDGER_REJECTED


class Booking:
    """Books. Close it after the worker, so that a running transaction ends."""

    def __init__(self, ledger: ReservationLedger) -> None:
        self._ledger = ledger
        self._calls = LedgerCalls("book")

    @activity.defn(name="book_room")
    async def book_room(self, booking: BookRoom) -> Confirmed | Refused:
        """The committed row, or why nothing was taken. Any failure leaves the outcome unknown: only the key tells."""
        async with attempt(LEDGER_REJECTED):
            return await self._calls.run(self._ledger.book, booking)

    def close(self) -> None:
        """Waits for the transactions that run."""
        self._calls.close()
