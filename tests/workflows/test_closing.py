"""How a conversation ends: idle, left, or called off; and nothing that arrives at that moment is lost."""

import asyncio
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from time import time

import pytest
from temporalio.client import Client, WorkflowUpdateFailedError
from temporalio.service import RPCError, RPCStatusCode
from temporalio.testing import WorkflowEnvironment

from hotels.ledger import Ledger
from nightdesk import wording
from tests import house as houses
from tests.house import ALL_AT_ONCE, BOUND, SETTINGS, GuestTalk, Providers
from tests.runs import Gate, HeldBooks, count, failed_tasks, runs, update
from tests.workflows.test_intake import Held

CLOSED = "already completed"


def idle_after(seconds: float, **providers: object) -> Providers:
    """Providers whose conversations close after so long."""
    return Providers(settings=SETTINGS.model_copy(update={"idle_seconds": seconds}), **providers)  # type: ignore[arg-type]


async def last_line(guest: GuestTalk) -> str:
    return (await guest.transcript())[-1].text


async def test_an_idle_conversation_says_goodbye_and_expires(temporal: Client, database: Path) -> None:
    async with houses.house(temporal, database, idle_after(1.5)) as house:
        guest = await house.open()
        await guest.says("Hi")
        assert (await guest.result()).outcome == "expired"
        assert "have not heard from you" in await last_line(guest)
        assert await failed_tasks(guest.handle, temporal) == []


async def test_a_day_of_silence_closes_it_and_a_word_in_between_starts_the_day_anew(
    clockwork: WorkflowEnvironment, database: Path
) -> None:
    async with houses.house(clockwork.client, database, idle_after(24 * 3600)) as house:
        guest = await house.open()
        await guest.says("Hi")
        for _ in range(3):
            await clockwork.fast_forward(guest.handle, timedelta(hours=20))
            assert (await guest.says("a suite")).state.status == "open"
        # One timer that is armed again when it fires, not one a message.
        assert count(await runs(guest.handle, clockwork.client), "TIMER_STARTED") <= 4
        await clockwork.fast_forward(guest.handle, timedelta(hours=25))
        assert (await guest.result()).outcome == "expired"


async def test_whoever_speaks_at_the_very_moment_of_closing_is_answered_or_told(
    temporal: Client, database: Path
) -> None:
    async with houses.house(temporal, database, idle_after(1.0)) as house:
        guests = [await house.open() for _ in range(24)]
        started = [(await guest.handle.describe()).start_time.timestamp() for guest in guests]

        async def speak(number: int) -> bool:
            guest = guests[number]
            now = asyncio.get_running_loop().time
            due = now() + started[number] + 1.0 + (number - 12) * 0.004 - time()
            await asyncio.sleep(max(0.0, due - now()))
            try:
                await guest.send("show my criteria", "late")
            except RPCError as refused:
                if CLOSED not in str(refused):
                    raise
                return False
            return True

        accepted = await asyncio.gather(*(speak(number) for number in range(len(guests))))
        for guest, taken in zip(guests, accepted, strict=True):
            assert (await guest.result()).outcome == "expired"
            said = [line for line in await guest.transcript() if line.message_id == "late"]
            assert [line.role for line in said] == (["guest", "assistant"] if taken else [])
            assert (await guest.state()).messages.received == taken
            assert await failed_tasks(guest.handle, temporal) == []


async def test_a_message_that_arrives_while_it_closes_is_answered(temporal: Client, database: Path) -> None:
    gate = Gate()
    async with houses.house(temporal, database, Providers(decisions=Held(gate))) as house:
        guest = await house.open()
        gate.close()
        await guest.send("bye")
        late = await guest.send("wait, a suite please")
        await asyncio.wait_for(gate.reached.wait(), BOUND)
        reply = asyncio.create_task(guest.reply_to(late))
        await guest.until(lambda state: state.messages.received == 2)
        gate.open()
        assert (await reply).replies == (wording.closed("ended", None),)
        assert (await guest.result()).outcome == "ended"
        assert await failed_tasks(guest.handle, temporal) == []


async def test_called_off_the_turn_in_hand_is_finished_first(temporal: Client, database: Path) -> None:
    gate = Gate()
    async with houses.house(temporal, database, Providers(decisions=Held(gate))) as house:
        guest = await house.open()
        gate.close()
        first = await guest.send("a suite")
        await asyncio.wait_for(gate.reached.wait(), BOUND)
        await guest.handle.cancel()
        async with asyncio.timeout(BOUND):
            while not count(await runs(guest.handle, temporal), "WORKFLOW_EXECUTION_CANCEL_REQUESTED"):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        late = await guest.send("two beds")
        await guest.until(lambda state: state.messages.received == 2)
        gate.open()
        assert (await guest.result()).outcome == "ended"
        said = {line.message_id: line.text for line in await guest.transcript() if line.role == "assistant"}
        assert "suite" in said[first]
        assert said[None].startswith("Goodbye")
        assert said[late] == wording.closed("ended", None)
        assert (await guest.state()).criteria["room_type"]["room_type"] == "suite"


async def test_called_off_before_it_began_it_still_answers_what_was_said(temporal: Client, database: Path) -> None:
    async with houses.house(temporal, database) as house:
        pass
    guest = await house.open()
    await guest.send("a suite")
    await guest.handle.cancel()
    async with houses.worker(temporal, house.task_queue, house.ledger, house.providers):
        assert (await guest.result()).outcome == "ended"
        assert (await guest.state()).criteria["room_type"]["room_type"] == "suite"


async def test_called_off_while_a_booking_is_unsettled_it_closes_with_what_the_ledger_says(
    temporal: Client, database: Path
) -> None:
    ledger = Ledger(f"sqlite:///{database}", business_date=houses.TODAY, booking_limit=Decimal(10000))
    books = HeldBooks(ledger)
    # Every message in a run of its own: the request is not forgotten in the next one.
    once = SETTINGS.model_copy(update={"continue_after": 1})
    async with houses.house(temporal, database, Providers(ledger=books, settings=once)) as house:
        guest = await house.open()
        for text in (ALL_AT_ONCE, "search", "1", "yes"):
            await guest.says(text)
        await guest.handle.cancel()
        reply = await guest.says("are you still there?")
        assert reply.state.status == "open"
        books.settle_now.set()
        assert (await guest.result()).outcome == "booked"
        assert len(ledger.reservations()) == 1
    ledger.close()


async def test_called_off_and_given_up_it_closes_in_a_later_run(temporal: Client, database: Path) -> None:
    ledger = Ledger(f"sqlite:///{database}", business_date=houses.TODAY, booking_limit=Decimal(10000))
    books = HeldBooks(ledger)
    once = SETTINGS.model_copy(update={"continue_after": 1})
    async with houses.house(temporal, database, Providers(ledger=books, settings=once)) as house:
        guest = await house.open()
        for text in (ALL_AT_ONCE, "search", "1", "yes"):
            await guest.says(text)
        await guest.handle.cancel()
        await guest.says("cancel it")
        books.settle_now.set()
        result = await guest.result()
        assert result.outcome == "ended"
        assert result.reservation is not None
        assert result.reservation.status == "cancelled"
        assert [row.status for row in ledger.reservations()] in ([], ["cancelled"])
    ledger.close()


async def test_called_off_together_with_the_last_message_of_a_run_it_closes_in_the_next(
    temporal: Client, database: Path
) -> None:
    """The SDK applies a request to cancel after its task's messages; eight tries, as both must meet in one task."""
    once = SETTINGS.model_copy(update={"continue_after": 1})
    async with houses.house(temporal, database, Providers(settings=once)) as house:
        guests = [await house.open() for _ in range(8)]
        for guest in guests:
            await guest.says("hi")
        sent = [await _called_off_and_sent(guest) for guest in guests]
        assert any(sent)
        assert {(await guest.result()).outcome for guest in guests} == {"ended"}


async def _called_off_and_sent(guest: GuestTalk) -> bool:
    """Both at once; whether the message was accepted, since the conversation may be quicker to close."""
    _, sent = await asyncio.gather(guest.handle.cancel(), guest.send("", "empty"), return_exceptions=True)
    if isinstance(sent, RPCError):
        assert sent.status is RPCStatusCode.NOT_FOUND
    return isinstance(sent, str)


async def test_idle_waits_for_an_unsettled_booking(temporal: Client, database: Path) -> None:
    ledger = Ledger(f"sqlite:///{database}", business_date=houses.TODAY, booking_limit=Decimal(10000))
    books = HeldBooks(ledger)
    async with houses.house(temporal, database, idle_after(2.0, ledger=books)) as house:
        guest = await house.open()
        for text in (ALL_AT_ONCE, "search", "1", "yes"):
            await guest.says(text)
        last = (await guest.transcript())[-2]
        # The moment itself is what is waited for.
        await asyncio.sleep(max(0.0, last.at.timestamp() + 2.3 - time()))
        assert (await guest.state()).status == "open"
        books.settle_now.set()
        assert (await guest.result()).outcome == "booked"
        assert len(ledger.reservations()) == 1
    ledger.close()


async def test_a_closed_conversation_refuses_to_its_sender_and_still_shows_all(
    temporal: Client, database: Path
) -> None:
    async with houses.house(temporal, database) as house:
        guest = await house.open()
        await guest.send("bye")
        await guest.result()
        with pytest.raises(RPCError, match=CLOSED):
            await guest.send("Hi")
        with pytest.raises((RPCError, WorkflowUpdateFailedError)):
            await update(guest.handle, "await_reply", "m1")
        assert (await guest.state()).status == "closed"
        assert len(await guest.transcript()) == 2
