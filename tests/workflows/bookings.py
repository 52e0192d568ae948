"""A house whose ledger a test can break, and the question after each booking: is what was said what is stored?"""

import asyncio
import threading
import uuid
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Literal, TypeVar

import pytest
from temporalio.api.common.v1 import WorkflowExecution
from temporalio.api.enums.v1 import EventType, ResetReapplyExcludeType
from temporalio.api.workflowservice.v1 import ResetWorkflowExecutionRequest
from temporalio.client import Client
from temporalio.worker import Worker

from hotels.calendar import ZONE
from hotels.ledger import Ledger, LedgerUnavailable
from nightdesk import wording
from nightdesk.booking import BookRoom, Cancelled, Confirmed, Refused, SettleReservation
from nightdesk.conversation import Line
from nightdesk.conversation_settings import ConversationSettings
from nightdesk.views import BookedView, Result, StateView
from tests import house as houses
from tests.hotels.yeses import broken_nights
from tests.house import ALL_AT_ONCE, ANN, BOUND, SETTINGS, TODAY, GuestTalk, House, LedgerSearch, Providers
from workflows import policies
from workflows.policies import Policy

Fault = Literal["before", "after"]
"""The answer is lost, and the connection with it, before or after the transaction was committed."""

A = TypeVar("A")
R = TypeVar("R")


class Books:
    """The real ledger, with answers that get lost and transactions that take as long as the test wants."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.lose_book: list[Fault] = []
        """What befalls the next attempts to book, one each."""
        self.lose_settle: list[Fault] = []
        self.out = False
        """Whether nothing reaches the database."""
        self.hold: Fault | None = None
        """Where an attempt waits for `go_on`."""
        self.go_on = threading.Event()
        self.entered = threading.Semaphore(0)
        """Counts the attempts, to book or to settle, that are waiting."""
        self.done = threading.Semaphore(0)
        """Counts the transactions that have ended, whatever became of the answer."""
        self.settled: list[SettleReservation] = []
        self.booked: list[BookRoom] = []

    def book(self, booking: BookRoom) -> Confirmed | Refused:
        self.booked.append(booking)
        return self._through(self._ledger.book, booking, self.lose_book)

    def settle(self, settling: SettleReservation) -> Confirmed | Refused | Cancelled:
        self.settled.append(settling)
        return self._through(self._ledger.settle, settling, self.lose_settle)

    def _through(self, act: Callable[[A], R], argument: A, losses: list[Fault]) -> R:
        try:
            loss = losses.pop(0) if losses else None
            if self.out or loss == "before":
                raise LedgerUnavailable("lost on the way there")
            if self.hold == "before":
                self._wait()
            told = act(argument)
            if self.hold == "after":
                self._wait()
            if loss == "after":
                raise LedgerUnavailable("lost on the way back")
            return told
        finally:
            self.done.release()

    def _wait(self) -> None:
        self.entered.release()
        if not self.go_on.wait(BOUND):
            raise AssertionError("nobody let the transaction go on")

    async def until_entered(self, times: int = 1) -> None:
        """Until so many attempts wait inside."""
        await _acquired(self.entered, times)

    async def until_done(self, times: int = 1) -> None:
        """Until so many further transactions have ended."""
        await _acquired(self.done, times)


async def _acquired(semaphore: threading.Semaphore, times: int) -> None:
    for _ in range(times):
        assert await asyncio.to_thread(semaphore.acquire, timeout=BOUND), "it never came to that"


class Desk:
    """A house, its ledger, and the books through which the worker sees that ledger."""

    def __init__(self, client: Client, ledger: Ledger, settings: ConversationSettings) -> None:
        self.ledger = ledger
        self.books = Books(ledger)
        providers = Providers(ledger=self.books, search=LedgerSearch(ledger), settings=settings)
        self.house = House(client, f"desk-{uuid.uuid4().hex[:8]}", ledger, providers)

    def worker(self) -> Worker:
        return self.house.worker()

    async def open(self, *given: Any, id_: str | None = None) -> GuestTalk:
        return await self.house.open(*given, id_=id_)

    async def offered(self, *given: Any, wishes: str = ALL_AT_ONCE, choice: str = "book hotel 1") -> GuestTalk:
        """A conversation that waits for a yes to the terms of a hotel; messages m1 to m3."""
        guest = await self.open(*given)
        await guest.says(wishes)
        assert (await guest.says("search")).state.hotels
        reply = await guest.says(choice)
        assert reply.state.offer is not None, reply.replies
        return guest

    async def unsettled(self, loss: Fault, *given: Any, wishes: str = ALL_AT_ONCE) -> GuestTalk:
        """A conversation whose yes (m4) has an outcome that only the database knows, while it cannot be reached."""
        guest = await self.offered(*given, wishes=wishes)
        self.books.lose_book = [loss] * policies.BOOKING.tries
        self.books.lose_settle = ["before"] * 1000
        reply = await guest.says("yes", "m4")
        assert reply.state.reservation is not None
        assert reply.state.reservation.status == "unknown"
        assert reply.replies == (wording.STILL_CHECKING,)
        return guest

    async def until_giving_up(self) -> None:
        """Until the settlement knows that the guest has given up."""
        async with asyncio.timeout(BOUND):
            while not (self.books.settled and self.books.settled[-1].give_up):  # noqa: ASYNC110
                await asyncio.sleep(0.02)

    def reachable(self) -> None:
        """The database answers again."""
        self.books.lose_settle = []

    def rows(self, guest: GuestTalk, *, active: bool = False) -> list[Any]:
        """The conversation's reservations, as stored."""
        return self.ledger.reservations(conversation_id=guest.handle.id, active_only=active)

    def free_as_booked(self) -> None:
        """Each night's free rooms and active reservations make up its capacity."""
        with self.ledger.engine.connect() as connection:
            assert broken_nights(connection) == []

    async def truth(self, guest: GuestTalk) -> StateView:
        """The conversation's state, once its words and its status are held against the ledger's rows."""
        state, lines = await guest.state(), await guest.transcript()
        said = [line.text for line in lines if line.role == "assistant"]
        all_rows, active = self.rows(guest), self.rows(guest, active=True)
        assert len(active) <= 1
        self.free_as_booked()
        for row in all_rows:
            if row.status == "active" and state.reservation and state.reservation.status == "confirmed":
                assert row.confirmation_number == state.reservation.confirmation_number
                assert wording.confirmed(row.confirmed()) in said
        told_booked = [text for text in said if text.startswith("Booked.")]
        assert len(told_booked) == len(set(told_booked)) <= len(all_rows)
        match state.reservation.status if state.reservation else None:
            case "confirmed":
                assert len(active) == 1
            case "refused":
                assert state.reservation
                assert state.reservation.reason
                assert told_booked == []
                existing = state.reservation.existing
                if existing is None:
                    assert any(text.startswith(wording.refusal(state.reservation.reason)) for text in said)
                    assert active == []
                else:
                    assert any(existing.confirmation_number in text for text in said)
                    assert [BookedView.of(row.confirmed()) for row in active] == [existing]
            case "cancelled":
                assert state.reservation
                number = state.reservation.confirmation_number
                assert active == []
                assert told_booked == []
                assert any(text.startswith(wording.cancelled(number)) for text in said)
                assert [row.confirmation_number for row in all_rows] == ([number] if number else [])
            case "unknown":
                assert wording.STILL_CHECKING in said
                assert told_booked == []
            case _:
                assert all_rows == []
                assert told_booked == []
        return state


def unasked(lines: list[Line]) -> list[str]:
    """What was said without a message that it answers."""
    return [line.text for line in lines if line.message_id is None]


@asynccontextmanager
async def booking_desk(
    client: Client,
    url: str,
    *,
    booking_limit: Decimal = Decimal(10000),
    business_date: date | None = TODAY,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    pinned: date | None = TODAY,
    **settings: Any,
) -> AsyncGenerator[Desk]:
    """A worker over a ledger of its own, whose books a test may break. `pinned`: the conversations' own date."""
    ledger = Ledger(url, booking_limit=booking_limit, business_date=business_date, now=now)
    desk = Desk(client, ledger, SETTINGS.model_copy(update=settings | {"business_date": pinned}))
    try:
        async with desk.worker():
            yield desk
    finally:
        desk.books.go_on.set()
        ledger.close()


class Midnight:
    """The last second of a day in the hotel's zone, and the first of the next: for a stay that begins then.

    It is the midnight that has passed last, so that offers made meanwhile have not expired. In UTC the day of
    arrival has come hours before, and the conversation itself is pinned to the day before all along.
    """

    def __init__(self) -> None:
        self.check_in = datetime.now(ZONE).date()
        self._moment = datetime.combine(self.check_in, time(), ZONE) - timedelta(seconds=1)
        leaving = self.check_in + timedelta(days=2)
        self.wishes = (
            f"{self.check_in} to {leaving}, a suite, at most $2000 a night, wifi and parking, distance doesn't matter"
        )
        self.guest = {"guest": ANN, "business_date": (self.check_in - timedelta(days=1)).isoformat()}

    def clock(self) -> datetime:
        return self._moment.astimezone(UTC)

    def strike(self) -> None:
        self._moment += timedelta(seconds=2)


def shorten(patch: pytest.MonkeyPatch, **changed: Any) -> None:
    """Other policies, for the conversations that start from now on.

    Each conversation's sandbox takes them from the module that this process has loaded.
    """
    patch.setattr(houses, "OURS", (*houses.OURS, "workflows.policies"))
    for name, value in changed.items():
        patch.setattr(policies, name, value)


def without_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Policies without long waits, so that unknown outcomes come soon and are settled soon."""
    shorten(
        monkeypatch,
        BOOKING=prompt(policies.BOOKING, tries=2),
        SETTLEMENT=prompt(policies.SETTLEMENT),
        SETTLE_FIRST_WAIT=timedelta(seconds=0.05),
        SETTLE_LONGEST_WAIT=timedelta(seconds=0.2),
    )


def prompt(policy: Policy, **changed: Any) -> Policy:
    """The same policy without its waits."""
    return replace(policy, **({"first_wait": 0.02, "longest_wait": 0.05} | changed))


async def reset_before(client: Client, guest: GuestTalk, message_id: str, *, replayed: bool) -> GuestTalk:
    """Reset the conversation to the last task that ended before this message came.

    With `replayed` the messages that came later are given to the new run again, as Temporal does by default.
    """
    history = await guest.handle.fetch_history()
    came = next(
        event.event_id
        for event in history.events
        if event.event_type == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED
        and f'"{message_id}"'.encode()
        in event.workflow_execution_signaled_event_attributes.input.payloads[0].data.replace(b" ", b"")
    )
    finished = max(
        event.event_id
        for event in history.events
        if event.event_type == EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED and event.event_id < came
    )
    described = await guest.handle.describe()
    excluded = () if replayed else (ResetReapplyExcludeType.RESET_REAPPLY_EXCLUDE_TYPE_SIGNAL,)
    await client.workflow_service.reset_workflow_execution(
        ResetWorkflowExecutionRequest(
            namespace=client.namespace,
            workflow_execution=WorkflowExecution(workflow_id=guest.handle.id, run_id=described.run_id),
            reason="a test",
            request_id=uuid.uuid4().hex,
            workflow_task_finish_event_id=finished,
            reset_reapply_exclude_types=[
                *excluded,
                ResetReapplyExcludeType.RESET_REAPPLY_EXCLUDE_TYPE_UPDATE,
            ],
        )
    )
    return GuestTalk(client.get_workflow_handle(guest.handle.id, result_type=Result))
