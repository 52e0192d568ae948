"""`settle_reservation`: makes an unknown booking outcome certain, by its key."""

from temporalio import activity

from activities.attempt import attempt
from activities.ledger_calls import LedgerCalls
from activities.providers import ReservationLedger
from nightdesk.booking import Cancelled, Confirmed, Refused, SettleReservation
from nightdesk.failures import LEDGER_REJECTED


class Settlement:
    """Settles. Close it after the worker, so that a running transaction ends."""

    def __init__(self, ledger: ReservationLedger) -> None:
        self._ledger = ledger
        self._calls = LedgerCalls("settle")

    @activity.defn(name="settle_reservation")
    async def settle_reservation(self, settling: SettleReservation) -> Confirmed | Refused | Cancelled:
        """Found: that outcome. Absent: booked now, or voided when the guest gave up. Fails as LedgerUnavailable."""
        async with attempt(LEDGER_REJECTED):
            return await self._calls.run(self._ledger.settle, settling)

    def close(self) -> None:
        """Waits for the transactions that run."""
        self._calls.close()
