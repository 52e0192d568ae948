"""The conversations for an operator: stage, age, what each waits for, and what is stuck. Needs no worker.

Everything here comes from the Temporal server alone: the memo that each conversation keeps, and the end of its history.
"""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from temporalio.api.common.v1 import WorkflowExecution as Execution
from temporalio.api.enums.v1 import EventType
from temporalio.api.workflowservice.v1 import GetWorkflowExecutionHistoryReverseRequest
from temporalio.client import Client, WorkflowExecution, WorkflowExecutionDescription
from temporalio.service import RPCError

from clients.conversation import WORKFLOW
from clients.failures import CannotGoOn
from clients.words import one_line
from nightdesk.model import Frozen

FAILING_FROM = 3
"""Attempts at a workflow task from which it counts as failing; a killed worker causes one or two."""

_AT_ONCE = 8
_PAGES = 5
_CALL = timedelta(seconds=5)


class Row(Frozen):
    """One conversation. Moments in UTC."""

    id: str
    status: str
    stage: str | None
    awaiting: str | None
    started: datetime
    unanswered_since: datetime | None = None
    unsettled_since: datetime | None = None
    """Since when nobody but the hotel database knows what became of its booking."""
    failed_attempts: int = 0


async def survey(client: Client, *, closed: bool = False, limit: int = 100) -> list[Row]:
    """Conversations, the longest unanswered first. Raises CannotGoOn when the server cannot list them."""
    query = f'WorkflowType = "{WORKFLOW}"' + ("" if closed else ' AND ExecutionStatus = "Running"')
    try:
        found = [execution async for execution in client.list_workflows(query, limit=limit)]
    except RPCError as error:
        raise CannotGoOn(f"the Temporal server cannot list conversations: {one_line(error)}") from None
    gate = asyncio.Semaphore(_AT_ONCE)

    async def one(execution: WorkflowExecution) -> Row:
        async with gate:
            return await _row(client, execution)

    rows = await asyncio.gather(*(one(execution) for execution in found))
    never = datetime.max.replace(tzinfo=UTC)
    return sorted(rows, key=lambda row: (row.unanswered_since or never, row.started))


def table(rows: Sequence[Row], now: datetime) -> list[str]:
    """The rows as lines of text with a heading."""
    cells = [("conversation", "status", "stage", "age", "awaits", "unanswered for", "")]
    for row in rows:
        troubles: list[str] = []
        if row.unsettled_since:
            troubles.append(f"! booking unsettled for {age(now - row.unsettled_since)}")
        if row.failed_attempts:
            troubles.append(f"! workflow task failing ({row.failed_attempts} attempts)")
        waiting = age(now - row.unanswered_since) if row.unanswered_since else "-"
        cells.append(
            (
                one_line(row.id, 60),
                row.status,
                one_line(row.stage or "?", 30),
                age(now - row.started),
                one_line(row.awaiting or "-", 30),
                waiting,
                "  ".join(troubles),
            )
        )
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells]


def age(span: timedelta) -> str:
    """`12 s`, `5 min`, `3 h`, `2 d`."""
    seconds = max(0, int(span.total_seconds()))
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


async def _row(client: Client, execution: WorkflowExecution) -> Row:
    memo = await _memo(execution)
    row = Row(
        id=execution.id,
        status=execution.status.name.lower() if execution.status is not None else "?",
        stage=memo.get("stage"),
        awaiting=memo.get("awaiting"),
        started=execution.start_time,
    )
    if row.status != "running":
        return row
    row = row.model_copy(update={"unsettled_since": _moment(memo.get("unsettled_since"))})
    try:
        description = await client.get_workflow_handle(execution.id).describe(rpc_timeout=_CALL)
        started = await _first_start(client, description)
        attempt = description.raw_description.pending_workflow_task.attempt
        unread = await _oldest_unread(client, execution)
    except RPCError:
        return row
    # A turn that is in hand has an activity out; settling a booking is nobody's unanswered message.
    in_hand = [
        activity.scheduled_time.ToDatetime(tzinfo=UTC)
        for activity in description.raw_description.pending_activities
        if activity.activity_type.name != "settle_reservation"
    ]
    waits = [moment for moment in (unread, *in_hand) if moment is not None]
    return row.model_copy(
        update={
            "started": started,
            "unanswered_since": min(waits, default=None),
            "failed_attempts": attempt if attempt >= FAILING_FROM else 0,
        }
    )


async def _memo(execution: WorkflowExecution) -> dict[str, str]:
    """Read with suspicion: another release may have written it, or a key that we lack have sealed it."""
    try:
        memo = dict(await execution.memo())
    except Exception:  # noqa: BLE001 (whatever a payload converter raises; the row is shown all the same)
        return {}
    return {name: value for name, value in memo.items() if isinstance(value, str)}


def _moment(text: str | None) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
    return moment if moment and moment.tzinfo else None


async def _first_start(client: Client, description: WorkflowExecutionDescription) -> datetime:
    """When the conversation began: the start of its first run, not of the one that it has continued in."""
    first = description.raw_description.workflow_execution_info.first_run_id
    if first in ("", description.run_id):
        return description.start_time
    try:
        handle = client.get_workflow_handle(description.id, run_id=first)
        return (await handle.describe(rpc_timeout=_CALL)).start_time
    except RPCError:
        # The first run is past the namespace's retention.
        return description.start_time


async def _oldest_unread(client: Client, execution: WorkflowExecution) -> datetime | None:
    """When the oldest message came in that no worker has taken yet: the signals after the last finished task."""
    request = GetWorkflowExecutionHistoryReverseRequest(
        namespace=client.namespace,
        execution=Execution(workflow_id=execution.id, run_id=execution.run_id),
        maximum_page_size=50,
    )
    oldest: datetime | None = None
    for _ in range(_PAGES):
        page = await client.workflow_service.get_workflow_execution_history_reverse(request, timeout=_CALL)
        for event in page.history.events:
            if event.event_type == EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED:
                return oldest
            if event.event_type == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED:
                oldest = event.event_time.ToDatetime(tzinfo=UTC)
        if not page.next_page_token:
            break
        request.next_page_token = page.next_page_token
    return oldest
