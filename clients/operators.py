"""The operators' commands: connect, look, print."""

from datetime import UTC, datetime

from clients import conversations as listing
from clients import doctor as surgery
from clients import show as showing
from clients.connection import connect
from clients.stack import need_polling_worker, worker_polls
from clients.state import embedded_address
from settings import Settings


async def show(settings: Settings, conversation_id: str, *, decisions: bool, raw: bool) -> None:
    """`nightdesk show`. Raises CannotGoOn."""
    client = await connect(settings, embedded_address(settings))
    await showing.show(client, conversation_id, decisions=decisions, raw=raw)


async def conversations(settings: Settings, *, closed: bool, limit: int) -> None:
    """`nightdesk conversations`. Raises CannotGoOn."""
    client = await connect(settings, embedded_address(settings))
    rows = await listing.survey(client, closed=closed, limit=limit)
    for line in listing.table(rows, datetime.now(UTC)):
        print(line)
    if len(rows) == limit:
        print(f"(the first {limit}; --limit shows more)")
    if not await worker_polls(client, settings.task_queue):
        print(f"No worker asks for work on queue {settings.task_queue}: start one with `nightdesk worker`.")


async def doctor(settings: Settings, *, of_stack: bool = False) -> bool:
    """`nightdesk doctor`: whether everything that is configured works. `of_stack`: a stack is to be there already.

    Raises CannotGoOn when it is not.
    """
    if of_stack:
        embedded_address(settings)
    findings = await surgery.examine(settings)
    for finding in findings:
        print(finding)
    return all(finding.verdict != "fails" for finding in findings)


async def check_worker(settings: Settings) -> None:
    """`nightdesk worker --check`, for a container's health: silent when all is well. Raises CannotGoOn."""
    await need_polling_worker(await connect(settings), settings.task_queue)
