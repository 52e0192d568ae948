"""The small interfaces that the boundaries stand on, and one module for each implementation."""

from typing import Protocol

from nightdesk.booking import BookingOutcome, BookRoom, Confirmed, Refused, SettleReservation
from nightdesk.boundaries import ConverseRequest, DecideRequest, ModelTurn
from nightdesk.decisions import Decision
from nightdesk.hotels import SearchRequest
from nightdesk.screening import RawResult


class DecisionProvider(Protocol):
    """Answers typed questions. Raises ApplicationError with a type of `nightdesk.failures`."""

    async def decide(self, request: DecideRequest) -> Decision:
        """One request, every question answered; the answers are checked by the implementation."""
        ...


class LanguageProvider(Protocol):
    """Reads a message with function tools, or drafts the results. Raises as above."""

    async def converse(self, request: ConverseRequest) -> ModelTurn:
        """One model turn; what a model can get wrong is a value, not an exception."""
        ...


class HotelSearch(Protocol):
    """Finds hotels. Raises as above."""

    async def search(self, request: SearchRequest) -> RawResult:
        """Every hotel that the server gave and that can be read; not screened."""
        ...


class ReservationLedger(Protocol):
    """The hotel database. It blocks, so it is called in a thread; `LedgerUnavailable` is worth another try."""

    def book(self, booking: BookRoom) -> Confirmed | Refused:
        """One transaction under the booking's key."""
        ...

    def settle(self, settling: SettleReservation) -> BookingOutcome:
        """What became of a key, made certain."""
        ...
