"""A run that has done its share continues as new, and nobody notices: in a flood, at an offer, unsettled, awaited."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
import pytest_asyncio
from temporalio.client import Client, WorkflowQueryFailedError, WorkflowUpdateFailedError
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError
from temporalio.testing import WorkflowEnvironment

from hotels.ledger import Ledger
from nightdesk import conversation as conversations
from nightdesk.boundaries import Message, Said
from nightdesk.conversation import AuditEntry, Conversation, Incoming
from nightdesk.decisions import Answer, NoulAnswer
from tests import house as houses
from tests.conftest import NO_ARTIFICIAL_WAITS, TEMPORAL
from tests.house import ALL_AT_ONCE, BOUND, SETTINGS, GuestTalk, Providers, raw
from tests.runs import Gate, HeldBooks, count, failed_tasks, runs, update
from tests.workflows.test_intake import Held
from workflows.booking_conversation import BookingConversation
from workflows.converter import data_converter

SERVER_TAKES = 2 * 1024 * 1024


def after(messages: int, **providers: object) -> Providers:
    """Providers whose conversations continue as new after so many messages."""
    return Providers(settings=SETTINGS.model_copy(update={"continue_after": messages}), **providers)  # type: ignore[arg-type]


async def transcribed(guest: GuestTalk, lines: int) -> list[conversations.Line]:
    """All of a transcript of so many lines; the query shows the newest, so it is read along the way."""
    read: list[conversations.Line] = []
    async with asyncio.timeout(90):
        while not read or read[-1].seq < lines:
            seq = read[-1].seq if read else 0
            read += await guest.handle.query("transcript", {"after": seq}, result_type=list[conversations.Line])
            await asyncio.sleep(0.3)
    return read


async def flooded(guest: GuestTalk, messages: int) -> list[conversations.Line]:
    """So many messages, as fast as they can be sent; what was said in the end."""

    async def send() -> None:
        for number in range(messages):
            await guest.send(f"hello number {number}", f"flood-{number}")

    sending = asyncio.create_task(send())
    said = await transcribed(guest, 2 * messages)
    await sending
    return said


def answered_once_in_order(said: list[conversations.Line], messages: int) -> bool:
    """Each one followed by its reply, and none twice."""
    wanted = [f"flood-{number}" for number in range(messages) for _ in "qa"]
    return [line.message_id for line in said] == wanted and [line.seq for line in said] == [*range(1, 2 * messages + 1)]


async def test_three_hundred_messages_are_answered_once_in_order_across_runs_of_twenty(
    temporal: Client, database: Path
) -> None:
    async with houses.house(temporal, database, after(20)) as house:
        guest = await house.open()
        assert answered_once_in_order(await flooded(guest, 300), 300)
        counters = (await guest.state()).messages
        assert (counters.received, counters.answered, counters.duplicates, counters.rejected) == (300, 300, 0, 0)
        histories = await runs(guest.handle, temporal)
        assert len(histories) == 16
        assert await failed_tasks(guest.handle, temporal) == []


async def test_no_message_is_lost_as_runs_are_left_while_somebody_looks_on(temporal: Client, database: Path) -> None:
    async with houses.house(temporal, database, after(1)) as house:
        guest = await house.open()
        done = asyncio.Event()

        async def look_on() -> None:
            while not done.is_set():
                try:
                    await guest.state()
                except (RPCError, WorkflowQueryFailedError):
                    continue

        lookers = [asyncio.create_task(look_on()) for _ in range(3)]
        for number in range(60):
            await guest.send("", f"empty-{number}")
        last = await guest.send("a suite")
        try:
            state = (await guest.reply_to(last)).state
        finally:
            done.set()
            await asyncio.gather(*lookers)
        assert (state.messages.received, state.messages.answered) == (61, 61)
        said = [line.message_id for line in await guest.transcript() if line.role == "assistant"]
        assert said == [*(f"empty-{number}" for number in range(60)), last]
        assert await failed_tasks(guest.handle, temporal) == []


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def suggesting() -> AsyncGenerator[Client]:
    """A server that suggests to continue as new after 80 events, instead of some thousands."""
    suggestion = ["--dynamic-config-value", "limit.historyCount.suggestContinueAsNew=80"]
    environment = await WorkflowEnvironment.start_local(  # pyright: ignore[reportUnknownMemberType]
        dev_server_existing_path=str(TEMPORAL),
        data_converter=data_converter,
        dev_server_log_level="never",
        dev_server_extra_args=[*NO_ARTIFICIAL_WAITS, *suggestion],
    )
    async with environment:
        yield environment.client


async def test_a_flood_is_answered_once_in_order_when_the_server_suggests_new_runs(
    suggesting: Client, database: Path
) -> None:
    async with houses.house(suggesting, database) as house:
        guest = await house.open()
        assert answered_once_in_order(await flooded(guest, 60), 60)
        assert len(await runs(guest.handle, suggesting)) >= 4
        assert await failed_tasks(guest.handle, suggesting) == []


async def test_a_flood_of_nothing_but_refused_messages_continues_as_new_too(suggesting: Client, database: Path) -> None:
    async with houses.house(suggesting, database) as house:
        guest = await house.open()
        await guest.says("Hi", "m1")
        for _ in range(120):
            await guest.send("Hi", "m1")
        state = await guest.until(lambda state: state.messages.duplicates == 120)
        assert state.messages.answered == 1
        assert len(await runs(guest.handle, suggesting)) >= 2
        assert (await guest.says("a suite")).state.criteria["room_type"]["room_type"] == "suite"


async def test_with_every_message_in_a_run_of_its_own_a_yes_books_what_was_offered(
    temporal: Client, database: Path
) -> None:
    async with houses.house(temporal, database, after(1)) as house:
        guest = await house.open()
        for text in (ALL_AT_ONCE, "search", "1"):
            offered = await guest.says(text)
        assert offered.state.offer is not None
        await guest.send("yes")
        result = await guest.result()
        rows = house.ledger.reservations()
        assert len(rows) == 1
        assert result.reservation is not None
        assert result.reservation.confirmation_number == rows[0].confirmation_number
        assert result.reservation.offer.digest == offered.state.offer.digest
        assert len(await runs(guest.handle, temporal)) == 4
        said = await guest.transcript()
        assert [line.seq for line in said] == list(range(1, 9))


async def test_an_unsettled_booking_is_settled_in_a_later_run(temporal: Client, database: Path) -> None:
    ledger = Ledger(f"sqlite:///{database}", business_date=houses.TODAY, booking_limit=Decimal(10000))
    books = HeldBooks(ledger)
    async with houses.house(temporal, database, after(1, ledger=books)) as house:
        guest = await house.open()
        for text in (ALL_AT_ONCE, "search", "1", "yes", "what did I ask for?", "and now?"):
            reply = await guest.says(text)
        assert reply.state.reservation is not None
        assert reply.state.reservation.status == "unknown"
        books.settle_now.set()
        result = await guest.result()
        assert (result.outcome, len(ledger.reservations())) == ("booked", 1)
        unasked = (await guest.transcript())[-1]
        assert unasked.message_id is None
        assert ledger.reservations()[0].confirmation_number in unasked.text
        assert await failed_tasks(guest.handle, temporal) == []
    ledger.close()


async def test_who_waits_for_a_reply_is_told_to_ask_again_and_gets_it(temporal: Client, database: Path) -> None:
    gate = Gate()
    async with houses.house(temporal, database, after(1, decisions=Held(gate))) as house:
        guest = await house.open()
        gate.close()
        first, second = await guest.send("Hi"), await guest.send("a suite")
        await asyncio.wait_for(gate.reached.wait(), BOUND)
        waiting = [asyncio.create_task(update(guest.handle, "await_reply", id_)) for id_ in (first, second, second)]
        # Accepted: the workflow knows of all three.
        await guest.until(lambda state: state.messages.received == 2)
        async with asyncio.timeout(BOUND):
            while count(await runs(guest.handle, temporal), "WORKFLOW_EXECUTION_UPDATE_ACCEPTED") < 3:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        gate.open()
        answers = await asyncio.gather(*waiting, return_exceptions=True)
        assert isinstance(answers[0], dict)
        for refused in answers[1:]:
            assert isinstance(refused, WorkflowUpdateFailedError)
            assert isinstance(refused.cause, ApplicationError)
            assert refused.cause.type == "AskAgain"
        assert (await guest.reply_to(second)).state.criteria["room_type"]["room_type"] == "suite"


async def test_the_memo_is_given_again_even_what_cannot_be_read_here(temporal: Client, database: Path) -> None:
    async with houses.house(temporal, database, after(1)) as house:
        strange = raw(b"sealed by nobody", b"binary/encrypted")
        handle = await temporal.start_workflow(
            BookingConversation.run,
            id="a-strange-memo",
            task_queue=house.task_queue,
            memo={"origin": "web", "strange": strange},
        )
        guest = GuestTalk(handle)
        await guest.says("Hi")
        await guest.says("a suite")
        async with asyncio.timeout(BOUND):
            while len(await runs(handle, temporal)) < 3:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        await guest.state()
        memo = (await handle.describe()).raw_description.workflow_execution_info.memo.fields
        assert memo["strange"].data == strange.payload.data
        assert (memo["origin"].data, memo["stage"].data, memo["awaiting"].data) == (
            b'"web"',
            b'"dates"',
            b'"the guest"',
        )


async def test_an_id_gets_its_first_answer_in_a_later_run(temporal: Client, database: Path) -> None:
    async with houses.house(temporal, database, after(1)) as house:
        guest = await house.open()
        first = await guest.says("a suite", "m1")
        await guest.says("Hi", "m2")
        again = await guest.says("a suite", "m1")
        assert again.replies == first.replies
        state = await guest.until(lambda state: state.messages.duplicates == 1)
        assert (state.messages.received, state.messages.answered) == (2, 2)
        await guest.send("two beds", "m1")
        await guest.until(lambda state: state.messages.rejected == 1)


async def test_conversations_that_do_not_fit_the_cache_are_replayed_and_lose_nothing(
    temporal: Client, database: Path
) -> None:
    async with houses.house(temporal, database) as house:
        pass
    async with houses.worker(temporal, house.task_queue, house.ledger, house.providers, cached=1):
        guests = [await house.open() for _ in range(3)]
        for text in ("Hi", ALL_AT_ONCE, "search", "1"):
            for guest in guests:
                await guest.says(text)
        for guest in guests:
            await guest.send("yes")
            assert (await guest.result()).outcome == "booked"
            assert await failed_tasks(guest.handle, temporal) == []


@pytest.mark.parametrize("waiting", ["😀" * 4000, '"\\' * 2000, "hi"])
def test_the_largest_snapshot_fits_what_the_server_takes(waiting: str) -> None:
    at, huge = datetime(2027, 8, 3, tzinfo=UTC), "😀" * 4000
    conversation = Conversation(id="😀" * 200)
    answers: dict[str, Answer] = {f"mentions_{name}": NoulAnswer(noul=0.1234567890123456) for name in "abcdefgh"}
    for number in range(1200):
        id_ = f"{number}" + "😀" * 124
        conversation.recognise(id_, "0" * 16)
        conversation.say("guest", huge, id_, at)
        conversation.say("assistant", huge, id_, at)
        conversation.answered(id_, (huge,))
        conversation.heard(Said(text=huge, awaiting="amenities", asked="check_out", on=at.date()))
        for namespace in ("intake", "present"):
            conversation.remember(namespace, Message(role="guest", text=huge))
        conversation.audit(
            AuditEntry(
                boundary="router",
                model="m" * 100,
                answers=answers,
                accepted=True,
                fallback=None,
                at=at,
            )
        )
    place = 0
    while conversation.queue_up(Incoming(id=f"q{place}", text=waiting, at=at)):
        place += 1
    snapshot = data_converter.payload_converter.to_payloads([conversation])[0]
    assert snapshot.ByteSize() < SERVER_TAKES - 100_000
    again = Conversation.model_validate_json(snapshot.data)
    assert again == conversation
    assert not again.queue_up(Incoming(id="one more", text=huge, at=at))


def test_ten_thousand_short_messages_fit_a_snapshot() -> None:
    conversation = Conversation(id="c")
    at = datetime(2027, 8, 3, 12, 0, 0, 123456, tzinfo=UTC)
    assert all(conversation.queue_up(Incoming(id=f"m{n}", text="a suite", at=at)) for n in range(10_000))
