"""Calls of different conversations overlap on one worker: a slow provider holds up its own guest only."""

import asyncio
import os
from pathlib import Path

import pytest
from temporalio.client import Client

from activities.providers.local import LocalDecisions, LocalLanguage
from nightdesk.boundaries import ConverseRequest, DecideRequest, ModelTurn
from nightdesk.decisions import Decision
from tests.house import ALL_AT_ONCE, House, Providers, house
from tests.workflows.peers import seconds
from worker import LOADED_ONCE

LATENCY = 0.5
GUESTS = 50
MESSAGES = (ALL_AT_ONCE, "make it two beds", "at most 650 a night")


class Slow(LocalDecisions, LocalLanguage):
    """The local rules, as far away as a real provider; how many calls it had at once is counted."""

    def __init__(self) -> None:
        self.now = 0
        self.most = 0

    async def decide(self, request: DecideRequest) -> Decision:
        await self._far_away()
        return await super().decide(request)

    async def converse(self, request: ConverseRequest) -> ModelTurn:
        await self._far_away()
        return await super().converse(request)

    async def _far_away(self) -> None:
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(LATENCY)
        self.now -= 1


async def talk(desk: House) -> None:
    """Three messages, one after the other."""
    guest = await desk.open()
    for text in MESSAGES:
        await guest.says(text)
    state = await guest.state()
    assert state.messages.answered == len(MESSAGES)
    assert state.criteria["budget"]["max"] == "650"


async def together(desk: House, guests: int) -> None:
    async with asyncio.TaskGroup() as running:
        for _ in range(guests):
            running.create_task(talk(desk))


async def test_ten_conversations_wait_for_the_provider_together(temporal: Client, database: Path) -> None:
    slow = Slow()
    async with house(temporal, database, Providers(decisions=slow, language=slow)) as desk:
        alone = await seconds(talk(desk))
        assert alone >= 6 * LATENCY, "three decisions and three readings"
        # One after the other they would take ten times as long.
        assert await seconds(together(desk, 10)) < 4 * alone
        assert slow.most >= 8


@pytest.mark.drill
async def test_fifty_conversations_take_less_than_twice_the_time_of_one(temporal: Client, database: Path) -> None:
    slow = Slow()
    # As a real worker is: what time it takes is its own.
    providers = Providers(decisions=slow, language=slow, loaded_once=LOADED_ONCE)
    async with house(temporal, database, providers) as desk:
        await talk(desk)  # the first one of a worker pays for what is loaded once
        alone = await seconds(talk(desk))
        took: list[float] = []
        busy = os.getloadavg()[0] > (os.cpu_count() or 1)
        while len(took) < 3 and not (took and min(took) < 2 * alone):
            took.append(await seconds(together(desk, GUESTS)))
        each = ", ".join(f"{time:.2f}" for time in took)
        print(f"one: {alone:.2f} s, {GUESTS} together: {each} s, {slow.most} calls at once")  # noqa: T201
        assert slow.most > 0.8 * GUESTS
        if busy and min(took) >= 2 * alone:
            pytest.skip("others use this machine: the calls overlap, but what time they take says nothing here")
        assert min(took) < 2 * alone
