"""What happens in a conversation's first moments stands in its history in the order in which it is replayed."""

import asyncio
from decimal import Decimal
from pathlib import Path

import pytest
from temporalio.client import Client

from hotels.ledger import Ledger
from tests.house import ALL_AT_ONCE, TODAY, House, Providers, worker
from tests.runs import failed_tasks
from tests.workflows.test_replay import replayer
from worker import LOADED_ONCE


@pytest.mark.parametrize("after_ms", [5, 10, 15, 20])
async def test_a_conversation_that_is_looked_at_and_awaited_from_its_first_moment_replays(
    temporal: Client, database: Path, after_ms: int
) -> None:
    """A query that waits for the first worker splits its first task, and an update is accepted in the second half."""
    ledger = Ledger(f"sqlite:///{database}", business_date=TODAY, booking_limit=Decimal(10000))
    providers = Providers(loaded_once=(*LOADED_ONCE, "tests"))
    desk = House(temporal, f"first-{database.parent.name}", ledger, providers)
    guest = await desk.open()
    sent = await guest.send("Hi")
    looking = asyncio.create_task(guest.state())
    async with worker(temporal, desk.task_queue, ledger, providers):
        await asyncio.sleep(after_ms / 1000)  # the moment itself is what is tried
        await guest.reply_to(sent)
        await looking
    async with worker(temporal, desk.task_queue, ledger, providers):
        assert (await guest.says(ALL_AT_ONCE)).state.criteria["budget"]["max"] == "700"
        assert await failed_tasks(guest.handle, temporal) == []
    await replayer().replay_workflow(await guest.handle.fetch_history())
    ledger.close()
