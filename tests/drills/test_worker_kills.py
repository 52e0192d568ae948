"""`kill -9` of the worker at every point of a turn: the turn completes once, with one reply and at most one booking."""

import asyncio
import time
from decimal import Decimal
from pathlib import Path

import pytest

from clients.conversation import begin
from hotels.ledger import Ledger
from nightdesk.model import Guest
from tests.drills.processes import WorkerProcess, stack
from tests.house import ALL_AT_ONCE, ANN, TODAY, GuestTalk
from tests.runs import failed_tasks
from workflows.booking_conversation import BookingConversation

pytestmark = [pytest.mark.drill, pytest.mark.timeout(180)]

AGAIN_WITHIN = 6.0
"""Seconds, once another worker is up."""

TURNS = (ALL_AT_ONCE, "search", "1", "yes")

# The point, and the turn in which it is passed.
POINTS = (
    ("conversation_settings:before", 0),
    ("conversation_settings:after", 0),
    ("decide:before", 0),
    ("decide:after", 0),
    ("converse:before", 0),
    ("converse:after", 0),
    ("search_hotels:before", 1),
    ("search_hotels:after", 1),
    ("continue_as_new", 2),
    ("book_room:before", 3),
    ("commit:before", 3),
    ("commit:after", 3),
    ("book_room:after", 3),
    ("settle_reservation:before", 3),
    ("settle_reservation:after", 3),
)


async def opened(worker: WorkerProcess, id_: str = "killed") -> GuestTalk:
    await begin(worker.client, worker.config.task_queue, id_, Guest.model_validate(ANN), None)
    first = await worker.client.get_workflow_handle(id_).describe()
    return GuestTalk(
        worker.client.get_workflow_handle_for(BookingConversation.run, id_, first_execution_run_id=first.run_id)
    )


@pytest.mark.parametrize(("point", "turn"), POINTS)
async def test_a_worker_killed_there_costs_seconds_and_nothing_else(
    tmp_path: Path, database: Path, point: str, turn: int
) -> None:
    continue_after = 3 if point == "continue_as_new" else 200
    cut_off = point.startswith("settle")
    async with stack(tmp_path, database, continue_after=continue_after, cut_off=cut_off) as (_, worker):
        armed = Path(worker.config.armed)
        guest: GuestTalk | None = None
        up = 0.0
        for number, text in enumerate(TURNS):
            if number == turn:
                armed.write_text(point)  # noqa: ASYNC240
            guest = guest or await opened(worker)
            id_ = await guest.send(text)
            if number == turn:
                await worker.killed()
                up = await worker.start()
            if text == "yes":
                assert (await guest.result()).outcome == "booked"
            else:
                await guest.reply_to(id_)
            if number == turn:
                assert time.monotonic() - up < AGAIN_WITHIN
        assert guest is not None
        ledger = Ledger(f"sqlite:///{database}", business_date=TODAY, booking_limit=Decimal(10000))
        rows = ledger.reservations()
        ledger.close()
        assert len(rows) == 1
        said = await guest.transcript()
        replied = [line.message_id for line in said if line.role == "assistant" and line.message_id]
        assert replied == ["m1", "m2", "m3", "m4"]
        assert rows[0].confirmation_number in said[-1].text
        assert (await guest.state()).messages.answered == 4
        assert await failed_tasks(guest.handle, worker.client) == []


async def test_another_worker_takes_over_within_six_seconds_of_the_kill(tmp_path: Path, database: Path) -> None:
    async with stack(tmp_path, database) as (_, worker):
        second = WorkerProcess(worker.client, worker.config, tmp_path / "second.log")
        try:
            guests = [await opened(worker, f"talk-{number}") for number in range(10)]
            for guest in guests:
                await guest.says("a suite")
            await second.start()
            worker.kill()
            at = time.monotonic()
            replies = await asyncio.gather(*(guest.says("at most 700 a night", "next") for guest in guests))
            assert time.monotonic() - at < AGAIN_WITHIN
            assert all(reply.state.criteria["budget"]["max"] == "700" for reply in replies)
        finally:
            second.stop()


async def test_the_same_id_is_answered_once_across_a_killed_worker(tmp_path: Path, database: Path) -> None:
    async with stack(tmp_path, database) as (_, worker):
        guest = await opened(worker)
        first = await guest.says("a suite", "m1")
        worker.kill()
        await guest.send("a suite", "m1")
        await worker.start()
        again = await guest.reply_to("m1")
        assert again.replies == first.replies
        state = await guest.until(lambda state: state.messages.duplicates == 1)
        assert (state.messages.received, state.messages.answered) == (1, 1)
