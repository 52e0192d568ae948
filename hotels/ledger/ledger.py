"""The ledger as its users see it: book, settle, search, and the operators' view."""

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal

from sqlalchemy import ColumnElement, Engine, insert, or_, select, text

from hotels import calendar
from hotels.ledger import booking as transaction
from hotels.ledger import reading, schema, searching
from hotels.ledger.database import Database
from hotels.ledger.records import Attempt, Reservation, Sentinel
from hotels.ledger.rooms import give_back
from hotels.ledger.rules import House, storable
from hotels.ledger.tables import AttemptRow, ReservationRow
from nightdesk.booking import BookRoom, Cancelled, Confirmed, Refused, SettleReservation
from nightdesk.hotels import SearchRequest, SearchResult


class Ledger:
    """Rooms and reservations in one database. Blocking and thread-safe; call it from threads, close it once.

    `url` is `sqlite:///path` or `postgresql://…`. `booking_limit` is the most that one reservation may
    cost, in currency units. `business_date` pins the hotel's today; `now` is the clock for everything else.

    Every method raises LedgerUnavailable when the database does not answer within about ten seconds.
    """

    def __init__(
        self,
        url: str,
        *,
        booking_limit: Decimal = Decimal(10000),
        business_date: date | None = None,
        now: Callable[[], datetime] = calendar.utc_now,
    ) -> None:
        self._database = Database(url)
        self._house = House(booking_limit, business_date, now)

    @property
    def engine(self) -> Engine:
        """For tests and tools that look at the tables."""
        return self._database.engine

    @property
    def today(self) -> date:
        """The hotel's date: pinned, or in its zone."""
        return calendar.today(self._house.now(), self._house.business_date)

    def book(self, booking: BookRoom) -> Confirmed | Refused:
        """Book the room that the guest said yes to, or say why not; the same answer for each retry of the key.

        One transaction. What is confirmed is read back from what was committed. A key's first verdict is final,
        refusals included: an attempt that arrives late cannot book what its guest was told is not booked.
        Expiry and date are judged at the first attempt that reaches the database. LedgerUnavailable means
        that nobody knows: try again under the same key, or settle.
        """
        told = self._attempt(booking, "book")
        if isinstance(told, Cancelled):
            number = told.confirmation_number
            earlier = Cancelled(confirmation_number=number) if number else None
            return Refused(reason="voided", existing=told.existing, earlier=earlier)
        return told

    def settle(self, settling: SettleReservation) -> Confirmed | Refused | Cancelled:
        """Find out what became of a key; if it has no verdict yet, book under it now.

        With `give_up` the key is closed instead: no late attempt can book under it, and a reservation
        found is cancelled, each of its nights given back once. The answer is then Cancelled.
        """
        if not settling.give_up:
            return self._attempt(settling.booking, "settle")
        if not storable(settling.booking):
            return Refused(reason="offer_altered")
        with self._database.writing() as connection:
            return transaction.void(connection, self._house, settling.booking)

    def _attempt(self, booking: BookRoom, act: str) -> Confirmed | Refused | Cancelled:
        if not storable(booking):
            return Refused(reason="offer_altered")
        with self._database.writing() as connection:
            refused = transaction.attempt(connection, self._house, booking, act)
        if refused is not None:
            return refused
        with self._database.reading() as connection:
            told = reading.outcome(connection, booking.key)
            if isinstance(told, Confirmed):
                return told
            return told.model_copy(update={"existing": reading.standing(connection, booking.offer.conversation_id)})

    def search(self, request: SearchRequest) -> SearchResult:
        """Hotels with a room free on every night, at the prices that `book` checks. Raises BadSearch."""
        searching.check_request(request, self.today)
        with self._database.reading() as connection:
            return searching.search(connection, request)

    def reservations(
        self,
        *,
        guest_id: str | None = None,
        conversation_id: str | None = None,
        active_only: bool = False,
        limit: int = 100,
    ) -> list[Reservation]:
        """Reservations, newest first."""
        wanted: list[ColumnElement[bool]] = []
        if guest_id is not None:
            wanted.append(ReservationRow.guest_id == guest_id)
        if conversation_id is not None:
            wanted.append(ReservationRow.conversation_id == conversation_id)
        if active_only:
            wanted.append(ReservationRow.status == "active")
        with self._database.reading() as connection:
            return reading.reservations(connection, wanted, limit)

    def reservation(self, number_or_key: str) -> Reservation | None:
        """The reservation with this confirmation number (in either case) or idempotency key."""
        named = or_(
            ReservationRow.confirmation_number == number_or_key.strip().upper(),
            ReservationRow.key == number_or_key,
        )
        with self._database.reading() as connection:
            found = reading.reservations(connection, [named], 1)
        return found[0] if found else None

    def cancel(self, confirmation_number: str) -> Reservation | None:
        """Cancel for an operator, as often as one likes; each night is given back once. None: no such number."""
        number = confirmation_number.strip().upper()
        now = self._house.now()
        with self._database.writing() as connection:
            row = connection.execute(
                select(ReservationRow.key, ReservationRow.conversation_id).where(
                    ReservationRow.confirmation_number == number
                )
            ).one_or_none()
            if row is None:
                return None
            done = give_back(connection, number, now)
            connection.execute(
                insert(AttemptRow).values(
                    key=row.key,
                    conversation_id=row.conversation_id,
                    act="cancel",
                    outcome="cancelled" if done else "replayed",
                    confirmation_number=number,
                    at=now,
                )
            )
        return self.reservation(number)

    def attempts(self, *, key: str | None = None, limit: int = 100) -> list[Attempt]:
        """The audit of attempts that reached the database, newest first."""
        with self._database.reading() as connection:
            return reading.attempts(connection, key, limit)

    def sentinels(self) -> list[Sentinel]:
        """Every encryption sentinel, oldest first."""
        with self._database.reading() as connection:
            return reading.sentinels(connection)

    def add_sentinel(self, key_id: str, sealed: bytes) -> bool:
        """Keep a value sealed with the encryption key `key_id`; False when there is one already, which stays."""
        with self._database.writing() as connection:
            sentinel = Sentinel(key_id=key_id, sealed=sealed, created_at=self._house.now())
            return reading.add_sentinel(connection, sentinel)

    def check_schema(self) -> None:
        """Raises SchemaMismatch or NotADatabase, whose one line says what to do."""
        self._database.need_file()
        with self._database.reading() as connection:
            schema.check(connection)

    def ping(self) -> None:
        """Returns if the database answers."""
        with self._database.reading() as connection:
            connection.execute(text("SELECT 1"))

    def close(self) -> None:
        """Close the pooled connections."""
        self._database.close()
