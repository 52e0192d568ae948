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
MESSAGES = 100
"""Whose lines all fit the transcript."""


async def stream(guest: GuestTalk) -> None:
    """One after the other, each sent again under its id until the server says that it has it."""
    for number in range(MESSAGES):
        while True:
            try:
                await guest.send(f"hello number {number}", f"flood-{number}")
            except RPCError:
                await asyncio.sleep(0.1)
            else:
                break
        await asyncio.sleep(0.05)


async def test_five_kills_of_the_server_lose_nothing_and_double_nothing(tmp_path: Path, database: Path) -> None:
    async with stack(tmp_path, database, continue_after=25) as (server, worker):
        guest = await opened(worker)
        sending = asyncio.create_task(stream(guest))
        for kill in range(1, KILLS + 1):
            # In the middle of it: so many have been answered, and more are on their way.
            async with asyncio.timeout(60):
                while True:
                    try:
                        if (await guest.state()).messages.answered >= kill * MESSAGES // (KILLS + 2):
                            break
                    except RPCError:
                        pass
                    await asyncio.sleep(0.02)
            assert not sending.done()
            server.kill()
            worker.client = await server.start()
        await sending
        said = await transcribed(guest, 2 * MESSAGES)
        assert answered_once_in_order(said, MESSAGES)
        counters = (await guest.state()).messages
        assert (counters.received, counters.answered, counters.rejected) == (MESSAGES, MESSAGES, 0)
        assert counters.said == 2 * MESSAGES
