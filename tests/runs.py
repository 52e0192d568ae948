"""What the server recorded of a conversation, run by run, and signals in a form that no client of ours would send."""

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

from temporalio.api.common.v1 import Payload, Payloads, WorkflowExecution
from temporalio.api.enums.v1 import EventType, WorkflowTaskFailedCause
from temporalio.api.history.v1 import HistoryEvent
from temporalio.api.workflowservice.v1 import SignalWorkflowExecutionRequest
from temporalio.client import Client, WorkflowHandle, WorkflowHistory

from hotels.ledger import Ledger
from nightdesk.booking import BookingOutcome, BookRoom, Confirmed, Refused, SettleReservation

REDONE = {
    WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND,
    WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND,
}
"""No failures: a message came at the very moment of leaving, or more came during a task than the server can hold
back; it has the task done again."""


def payload(data: bytes, encoding: bytes | None = b"json/plain", **metadata: bytes) -> Payload:
    """As it is on the wire."""
    return Payload(metadata=({"encoding": encoding} if encoding is not None else {}) | metadata, data=data)


async def signal_raw(client: Client, id_: str, name: str, payloads: Sequence[Payload] | None) -> None:
    """A signal as it is on the wire; None: no input at all."""
    await client.workflow_service.signal_workflow_execution(
        SignalWorkflowExecutionRequest(
            namespace=client.namespace,
            workflow_execution=WorkflowExecution(workflow_id=id_),
            signal_name=name,
            input=None if payloads is None else Payloads(payloads=payloads),
            identity="a stranger",
        ),
        # As every client does: while a run is being left, the server asks to try again.
        retry=True,
    )


async def update(handle: WorkflowHandle[Any, Any], name: str, *given: object) -> Any:
    """An update by its name alone, with whatever arguments."""
    return await handle.execute_update(name, args=given)  # pyright: ignore[reportUnknownMemberType]


async def runs(handle: WorkflowHandle[Any, Any], client: Client) -> list[WorkflowHistory]:
    """The history of each run, oldest first."""
    run_id = handle.first_execution_run_id
    found: list[WorkflowHistory] = []
    while run_id:
        history = await client.get_workflow_handle(handle.id, run_id=run_id).fetch_history()
        found.append(history)
        last = history.events[-1]
        run_id = last.workflow_execution_continued_as_new_event_attributes.new_execution_run_id
    return found


async def failed_tasks(handle: WorkflowHandle[Any, Any], client: Client) -> list[HistoryEvent]:
    """Every workflow task that failed: none, in a conversation that nothing wedged."""
    return [
        event
        for history in await runs(handle, client)
        for event in history.events
        if event.event_type == EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED
        and event.workflow_task_failed_event_attributes.cause not in REDONE
    ]


def count(histories: Sequence[WorkflowHistory], kind: str) -> int:
    """How many events of a type, by its name without the prefix."""
    wanted = EventType.Value(f"EVENT_TYPE_{kind}")
    return sum(event.event_type == wanted for history in histories for event in history.events)


class HeldBooks:
    """A ledger whose bookings break off, and whose settlements wait to be let through. A real one behind it."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.settle_now = threading.Event()
        self.asked = 0

    def book(self, booking: BookRoom) -> Confirmed | Refused:
        """Nothing is committed, and nobody can tell."""
        raise RuntimeError("cut off")

    def settle(self, settling: SettleReservation) -> BookingOutcome:
        """As the ledger does, once it may."""
        self.asked += 1
        if not self.settle_now.wait(12):
            raise RuntimeError("still cut off")
        return self._ledger.settle(settling)


class Gate:
    """Holds a provider's calls until it is opened; tells that one has come."""

    def __init__(self, *, open_: bool = True) -> None:
        self._open = asyncio.Event()
        self.reached = asyncio.Event()
        if open_:
            self._open.set()

    def close(self) -> None:
        """From now on calls wait."""
        self.reached.clear()
        self._open.clear()

    def open(self) -> None:
        """All go on."""
        self._open.set()

    async def passed(self) -> None:
        """For the provider."""
        self.reached.set()
        await self._open.wait()
