"""A whole house for tests: a real Temporal server, a worker, a ledger, and a guest who talks by signals.

Providers default to the local rules and the search asks the ledger directly; a test replaces what it is about.
"""

import asyncio
import shutil
import uuid
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from temporalio.client import Client, WorkflowHandle, WorkflowUpdateFailedError
from temporalio.common import RawValue, WorkflowIDReusePolicy
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError, RPCStatusCode
from temporalio.worker import Worker
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner, SandboxRestrictions

from activities.book_room import Booking
from activities.conversation_settings import HeldSettings
from activities.converse import Converse
from activities.decide import Decide
from activities.providers import DecisionProvider, HotelSearch, LanguageProvider
from activities.providers.local import LocalDecisions, LocalLanguage
from activities.search_hotels import SearchHotels
from activities.settle_reservation import Settlement
from hotels.catalogue import catalogue
from hotels.ledger import Ledger
from nightdesk.conversation import AuditEntry, Line
from nightdesk.conversation_settings import ConversationSettings
from nightdesk.hotels import SearchRequest
from nightdesk.screening import RawResult
from nightdesk.views import Reply, Result, StateView
from worker import OURS, SERVER_JUDGES_SIZE, STICKY
from workflows.booking_conversation import BookingConversation

ANN = {"id": "ann@example.com", "name": "Ann Lee", "email": "Ann@example.com"}
TODAY = date(2026, 1, 15)
ALL_AT_ONCE = "Aug 3-9 2027, a suite, at most $700 a night, wifi and parking, distance doesn't matter"
BOUND = 30.0
"""Seconds that any one wait of a test may take."""

SETTINGS = ConversationSettings(
    idle_seconds=3600,
    continue_after=200,
    business_date=TODAY,
    time_zone="America/Los_Angeles",
    decisions="local",
    language="local",
)


class LedgerSearch:
    """The ledger's own search, without the MCP server between."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def search(self, request: SearchRequest) -> RawResult:
        """In a thread, as the ledger blocks."""
        result = await asyncio.to_thread(self._ledger.search, request)
        return RawResult(hotels=result.hotels)


@dataclass
class Providers:
    """What a worker is built with; whatever a test leaves out is the real local thing."""

    decisions: DecisionProvider = field(default_factory=LocalDecisions)
    language: LanguageProvider = field(default_factory=LocalLanguage)
    search: HotelSearch | None = None
    ledger: Any = None
    settings: ConversationSettings = SETTINGS
    loaded_once: Sequence[str] = ()
    """Empty: unlike in a real worker, the steps are loaded for each conversation, and the sandbox polices them."""


class GuestTalk:
    """One conversation, as its guest has it."""

    def __init__(self, handle: WorkflowHandle[Any, Result]) -> None:
        self.handle = handle
        self._sent = 0

    async def send(self, text: str, id_: str | None = None) -> str:
        """Signal a message; its id."""
        self._sent += 1
        id_ = id_ or f"m{self._sent}"
        await self.handle.signal("user_message", {"id": id_, "text": text})
        return id_

    async def reply_to(self, id_: str) -> Reply:
        """What was answered, whatever run it was answered in."""
        async with asyncio.timeout(BOUND):
            while True:
                try:
                    return await self.handle.execute_update("await_reply", id_, result_type=Reply)  # pyright: ignore[reportUnknownMemberType] (the SDK's own signature)
                except WorkflowUpdateFailedError as error:
                    if not (isinstance(error.cause, ApplicationError) and error.cause.type == "AskAgain"):
                        raise
                except RPCError as error:
                    # It met the task that leaves the run, which the server has done over for a further message.
                    if error.status is not RPCStatusCode.FAILED_PRECONDITION:
                        raise

    async def says(self, text: str, id_: str | None = None) -> Reply:
        """Signal a message and wait for its reply."""
        return await self.reply_to(await self.send(text, id_))

    async def state(self) -> StateView:
        """The state query."""
        return await self.handle.query(BookingConversation.state)

    async def transcript(self) -> list[Line]:
        """All of it."""
        return await self.handle.query("transcript", result_type=list[Line])

    async def decisions(self) -> list[AuditEntry]:
        """The audit."""
        return await self.handle.query(BookingConversation.decisions)

    async def result(self) -> Result:
        """How it closed."""
        return await asyncio.wait_for(self.handle.result(), BOUND)

    async def until(self, holds: Callable[[StateView], bool]) -> StateView:
        """Wait until the state is so; by asking again, since a query is all that there is to ask with."""
        async with asyncio.timeout(BOUND):
            while not holds(state := await self.state()):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        return state


@dataclass
class House:
    """A running house."""

    client: Client
    task_queue: str
    ledger: Ledger
    providers: Providers

    async def open(self, *given: Any, id_: str | None = None) -> GuestTalk:
        """Start a conversation; without arguments it is Ann's."""
        id_ = id_ or f"talk-{uuid.uuid4().hex[:8]}"
        args = given or ({"guest": ANN, "business_date": None},)
        handle = await self.client.start_workflow(
            "BookingConversation",
            args=[] if args == (NO_INPUT,) else args,
            id=id_,
            task_queue=self.task_queue,
            id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
            result_type=Result,
        )
        return GuestTalk(handle)

    def worker(self) -> Worker:
        """A further worker on the same queue and the same providers."""
        return worker(self.client, self.task_queue, self.ledger, self.providers)


NO_INPUT = object()


def raw(data: bytes, encoding: bytes = b"json/plain") -> RawValue:
    """A payload as no client of ours would send it."""
    from temporalio.api.common.v1 import Payload

    return RawValue(Payload(metadata={"encoding": encoding}, data=data))


def activities(ledger: Ledger, providers: Providers) -> Sequence[Callable[..., Any]]:
    """Every activity with its provider."""
    books = providers.ledger or ledger
    return (
        Decide(providers.decisions, LocalDecisions(), [hotel.name for hotel in catalogue()]).decide,
        Converse(providers.language, LocalLanguage()).converse,
        SearchHotels(providers.search or LedgerSearch(ledger)).search_hotels,
        Booking(books).book_room,
        Settlement(books).settle_reservation,
        HeldSettings(providers.settings).conversation_settings,
    )


def worker(client: Client, task_queue: str, ledger: Ledger, providers: Providers, *, cached: int = 1000) -> Worker:
    """As worker.py builds it, with these providers; `cached`: so many conversations stay in memory."""
    return Worker(
        client,
        task_queue=task_queue,
        workflows=[BookingConversation],
        activities=activities(ledger, providers),
        workflow_runner=SandboxedWorkflowRunner(
            restrictions=SandboxRestrictions.default.with_passthrough_modules(*(providers.loaded_once or OURS))
        ),
        sticky_queue_schedule_to_start_timeout=STICKY,
        disable_payload_error_limit=SERVER_JUDGES_SIZE,
        max_cached_workflows=cached,
    )


@asynccontextmanager
async def house(client: Client, database: Path, providers: Providers | None = None) -> AsyncGenerator[House]:
    """A worker on a queue of its own, over a ledger of its own."""
    providers = providers or Providers()
    ledger = Ledger(f"sqlite:///{database}", business_date=TODAY, booking_limit=Decimal(10000))
    task_queue = f"desk-{uuid.uuid4().hex[:8]}"
    try:
        async with worker(client, task_queue, ledger, providers):
            yield House(client, task_queue, ledger, providers)
    finally:
        ledger.close()


def copied(template: Path, to: Path) -> Path:
    """A seeded database of one's own."""
    return Path(shutil.copy(template, to / "hotels.db"))
