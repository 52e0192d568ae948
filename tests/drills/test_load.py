"""Long and many: ten thousand messages in one conversation, a thousand conversations on one worker."""

import asyncio
import statistics
import time
from pathlib import Path

import pytest
from temporalio.service import RPCError

from tests.drills.processes import WorkerProcess, stack
from tests.drills.test_worker_kills import opened
from tests.house import GuestTalk

pytestmark = [pytest.mark.drill, pytest.mark.timeout(1100)]

MESSAGES = 10_000
WINDOW = 20
"""Sent without waiting; then the reply to the last of them is awaited."""
AT_MOST = 1.5
"""Times what it was at the start."""

TEXTS = ("hello", "how are you", "what can you do?", "a suite", "two beds", "at most 700 a night", "show my criteria")


async def runs_bytes(worker: WorkerProcess, id_: str) -> list[int]:
    """The size of each run's history, oldest first."""
    found = [run async for run in worker.client.list_workflows(f'WorkflowId = "{id_}"')]
    found.sort(key=lambda run: run.start_time)
    sizes: list[int] = []
    for run in found:
        described = await worker.client.get_workflow_handle(id_, run_id=run.run_id).describe()
        sizes.append(described.raw_description.workflow_execution_info.history_size_bytes)
    return sizes


async def test_ten_thousand_messages_cost_no_more_at_the_end_than_at_the_start(
    tmp_path: Path, database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with stack(tmp_path, database, on_disk=False) as (_, worker):
        guest = await opened(worker)
        latency: list[float] = []
        memory: list[float] = []
        for start in range(0, MESSAGES, WINDOW):
            began = time.monotonic()
            ids = await asyncio.gather(
                *(guest.send(TEXTS[n % len(TEXTS)], f"n{n}") for n in range(start, start + WINDOW))
            )
            await guest.reply_to(ids[-1])
            latency.append((time.monotonic() - began) / WINDOW)
            if start % 500 == 0:
                memory.append(worker.megabytes)
        # Those that were sent together may have arrived in any order.
        counters = (await guest.until(lambda state: state.messages.answered == MESSAGES)).messages
        assert (counters.received, counters.duplicates, counters.rejected) == (MESSAGES, 0, 0)
        tenth = len(latency) // 10
        first, last = statistics.median(latency[:tenth]), statistics.median(latency[-tenth:])
        sizes = await runs_bytes(worker, guest.handle.id)
        whole = sizes[1:-1]
        with capsys.disabled():
            print(  # noqa: T201
                f"\n{MESSAGES} messages: {1000 * first:.0f} ms each at the start, {1000 * last:.0f} at the end; "
                f"{len(sizes)} runs of {min(whole) / 1e3:.0f} to {max(whole) / 1e3:.0f} kB; "
                f"worker {memory[1]:.0f} MB at the start, {worker.megabytes:.0f} MB at the end"
            )
        assert last <= first * AT_MOST
        assert max(whole[-5:]) <= min(whole[:5]) * AT_MOST
        assert worker.megabytes <= memory[1] * AT_MOST


async def test_a_thousand_idle_conversations_survive_a_killed_worker_and_fifty_wake_at_once(
    tmp_path: Path, database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with stack(tmp_path, database, on_disk=False) as (_, worker):
        empty = worker.megabytes
        places = asyncio.Semaphore(20)

        async def begin_one(number: int) -> GuestTalk:
            async with places:
                guest = await opened(worker, f"idle-{number}")
                await guest.says("a suite")
                return guest

        guests = await asyncio.gather(*(begin_one(number) for number in range(1000)))
        full = worker.megabytes
        worker.kill()
        await worker.start()

        async def wake(guest: GuestTalk) -> float:
            began = time.monotonic()
            reply = await guest.says("at most 700 a night", "awake")
            assert reply.state.criteria["budget"]["max"] == "700"
            assert reply.state.criteria["room_type"]["room_type"] == "suite"
            return time.monotonic() - began

        waits = sorted(await asyncio.gather(*(wake(guest) for guest in guests[::20])))
        with capsys.disabled():
            print(  # noqa: T201
                f"\n1,000 conversations: worker {empty:.0f} MB empty, {full:.0f} MB with all of them; after the kill "
                f"50 answers within {waits[0]:.1f} to {waits[-1]:.1f} s (half within {waits[25]:.1f}), "
                f"worker {worker.megabytes:.0f} MB"
            )
        assert waits[-1] < 10.0
        assert full < 350


async def fill(guest: GuestTalk) -> int:
    """Messages until the server takes no more in this run; how many it took, at least."""
    for start in range(0, 11_000, 50):
        try:
            await asyncio.gather(*(guest.send("hello", f"n{n}") for n in range(start, start + 50)))
        except RPCError as full:
            if "signal" not in str(full):
                raise
            return start
    raise AssertionError("no end to it")


async def test_ten_thousand_messages_that_came_with_no_worker_up_are_all_answered(
    tmp_path: Path, database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What one run may receive; a share of it in this drill is answered, the rest is seen to be carried."""
    async with stack(tmp_path, database, on_disk=False, continue_after=100) as (_, worker):
        guest = await opened(worker)
        await guest.says("Hi", "before")
        worker.kill()
        sent = await fill(guest)
        await worker.start()
        began = time.monotonic()
        state = await guest.until(lambda state: state.messages.answered >= 300)
        with capsys.disabled():
            print(f"\n{sent} messages waited; 300 answered after {time.monotonic() - began:.0f} s")  # noqa: T201
        assert state.messages.received >= sent
        assert state.messages.rejected == 0
        await guest.handle.terminate("seen enough")
