"""Messages of nearly two megabytes: refused one by one, while runs go on in new ones long before the server's limit.

On a server that does not suggest it: the conversation itself counts the bytes.
"""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest_asyncio
from temporalio.client import Client
from temporalio.testing import WorkflowEnvironment

from nightdesk import wording
from tests import house as houses
from tests.conftest import NO_ARTIFICIAL_WAITS, TEMPORAL
from tests.house import BOUND, GuestTalk, Providers
from tests.runs import Gate, failed_tasks, runs
from tests.workflows.test_intake import MEGABYTES, Held
from workflows.converter import data_converter

AT_ONCE = 24
"""Together 45.6 MB; the server ends a workflow at 50 MiB, and 27 are the most that were seen to be survived."""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def silent() -> AsyncGenerator[Client]:
    """A server with the usual limits, that suggests a new run only when it would be too late."""
    late = ["--dynamic-config-value", "limit.historySize.suggestContinueAsNew=60000000"]
    environment = await WorkflowEnvironment.start_local(  # pyright: ignore[reportUnknownMemberType]
        dev_server_existing_path=str(TEMPORAL),
        data_converter=data_converter,
        dev_server_log_level="never",
        dev_server_extra_args=[*NO_ARTIFICIAL_WAITS, *late],
    )
    async with environment:
        yield environment.client


async def send_large(guest: GuestTalk, *ids: str) -> None:
    """One after the other, as fast as the server takes them; it asks to try again while a run is being left."""
    for id_ in ids:
        await guest.handle.signal("user_message", {"id": id_, "text": "a" * MEGABYTES})


def named(prefix: str, number: int) -> list[str]:
    return [f"{prefix}-{place}" for place in range(number)]


async def each_refused_once(guest: GuestTalk, client: Client, ids: list[str]) -> None:
    """In the order in which they came; and the conversation has kept what it knew, and goes on."""
    await guest.until(lambda state: state.messages.answered == state.messages.received)
    said = await guest.transcript()
    assert [line.message_id for line in said if line.text == wording.TOO_LONG] == ids
    reply = await guest.says("at most 700 a night", "afterwards")
    assert reply.state.criteria["room_type"]["room_type"] == "suite"
    assert reply.state.criteria["budget"]["max"] == "700"
    assert reply.state.messages.rejected == len(ids)
    assert await failed_tasks(guest.handle, client) == []


async def test_sixty_messages_of_nearly_two_megabytes_are_each_refused_once(silent: Client, database: Path) -> None:
    async with houses.house(silent, database) as house:
        guest = await house.open()
        await guest.says("a suite")
        ids = named("big", 60)
        for place, id_ in enumerate(ids):
            await send_large(guest, id_)
            await guest.until(lambda state, place=place: state.messages.answered == place + 2)
        await each_refused_once(guest, silent, ids)
        assert len(await runs(guest.handle, silent)) > 30


async def test_what_came_in_one_burst_while_no_worker_was_up_is_worked_off(silent: Client, database: Path) -> None:
    async with houses.house(silent, database) as house:
        guest = await house.open()
        await guest.says("a suite")
    ids: list[str] = []
    for burst in ("first", "second"):
        await send_large(guest, *named(burst, AT_ONCE))
        ids += named(burst, AT_ONCE)
        async with houses.worker(silent, house.task_queue, house.ledger, house.providers):
            await guest.reply_to(ids[-1])
    async with houses.worker(silent, house.task_queue, house.ledger, house.providers):
        await each_refused_once(guest, silent, ids)


async def test_what_came_in_the_middle_of_a_turn_waits_for_it_and_is_worked_off(silent: Client, database: Path) -> None:
    gate = Gate()
    async with houses.house(silent, database, Providers(decisions=Held(gate))) as house:
        guest = await house.open()
        ids: list[str] = []
        for text in ("a suite", "wifi and parking"):
            gate.close()
            last = await guest.send(text)
            await asyncio.wait_for(gate.reached.wait(), BOUND)
            during = named(f"during-{last}", AT_ONCE)
            await send_large(guest, *during)
            gate.open()
            assert (await guest.reply_to(last)).replies
            assert (await guest.reply_to(during[-1])).replies == (wording.TOO_LONG,)
            ids += during
        await each_refused_once(guest, silent, ids)


async def test_large_messages_that_nobody_can_answer_are_counted_and_forgotten(silent: Client, database: Path) -> None:
    async with houses.house(silent, database) as house:
        guest = await house.open()
        await guest.says("a suite")
        for place in range(40):
            await guest.handle.signal("no_such_signal", "x" * MEGABYTES)
            await guest.until(lambda state, place=place: state.messages.quarantined == place + 1)
        reply = await guest.says("at most 700 a night")
        assert reply.state.criteria["room_type"]["room_type"] == "suite"
        assert (reply.state.messages.rejected, reply.state.messages.answered) == (40, 2)
        assert await failed_tasks(guest.handle, silent) == []
