"""`kill -9` of the Temporal server, five times under a stream of messages, on one file: nothing accepted is lost."""

import asyncio
from pathlib import Path

import pytest
from temporalio.service import RPCError

from tests.drills.processes import stack
from tests.drills.test_worker_kills import opened
from tests.house import GuestTalk
from tests.workflows.test_continue_as_new import answered_once_in_order, transcribed

pytestmark = [pytest.mark.drill, pytest.mark.timeout(300)]

KILLS = 5
BETWEEN = 8
"""Answers between two kills; all lines together fit the transcript."""


async def stream(guest: GuestTalk, enough: asyncio.Event) -> int:
    """One after the other, each sent again under its id until the server says that it has it. How many there were."""
    number = 0
    while not enough.is_set():
        try:
            await guest.send(f"hello number {number}", f"flood-{number}")
        except RPCError:
            await asyncio.sleep(0.1)
            continue
        number += 1
        await asyncio.sleep(0.2)
    return number


async def test_five_kills_of_the_server_lose_nothing_and_double_nothing(tmp_path: Path, database: Path) -> None:
    async with stack(tmp_path, database, continue_after=12) as (server, worker):
        guest, enough = await opened(worker), asyncio.Event()
        sending = asyncio.create_task(stream(guest, enough))
        for kill in range(1, KILLS + 1):
            # In the middle of it: so many have been answered, and more are on their way.
            await answered(guest, kill * BETWEEN)
            server.kill()
            worker.client = await server.start()
        await answered(guest, (KILLS + 1) * BETWEEN)
        enough.set()
        sent = await sending
        assert answered_once_in_order(await transcribed(guest, 2 * sent), sent)
        counters = (await guest.state()).messages
        assert (counters.received, counters.answered, counters.rejected) == (sent, sent, 0)
        assert counters.said == 2 * sent


async def answered(guest: GuestTalk, messages: int) -> None:
    """Wait until so many have been, whatever happens to the server."""
    async with asyncio.timeout(60):
        while True:
            try:
                if (await guest.state()).messages.answered >= messages:
                    return
            except RPCError:
                pass
            await asyncio.sleep(0.02)
