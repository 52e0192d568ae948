"""Nothing that arrives can wedge, fail or silence a conversation: poison in every stage, duplicates, bad input."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from temporalio.api.common.v1 import Payload
from temporalio.client import Client, WorkflowFailureError, WorkflowQueryFailedError, WorkflowUpdateFailedError
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError

from activities.providers.local import LocalDecisions
from hotels.ledger import Ledger
from nightdesk import wording
from nightdesk.boundaries import DecideRequest
from nightdesk.decisions import Decision
from tests import house as houses
from tests.house import ALL_AT_ONCE, BOUND, NO_INPUT, GuestTalk, House, Providers, raw
from tests.runs import Gate, HeldBooks, failed_tasks, payload, signal_raw, update

MEGABYTES = 1_900_000


@dataclass
class Poison:
    """`answered`: it has a readable id, and gets a clear sentence; anything else is quarantined."""

    payloads: list[Payload] | None
    name: str = "user_message"
    answered: str | None = None


def poisons(mark: str) -> list[Poison]:
    """Each once, with ids of its own."""
    good = f'"id":"{mark}-%s"'

    def message(number: int, text: bytes) -> list[Payload]:
        return [payload(b"{" + (good % number).encode() + b',"text":' + text + b"}")]

    quarantined: list[list[Payload] | None] = [
        None,
        [],
        [payload(b'{"id":"x","text":"one"}'), payload(b'"two"')],
        [payload(b"null")],
        [payload(b"42")],
        [payload(b"true")],
        [payload(b'["user_message"]')],
        [payload(b'{"text":"no id"}')],
        [payload(b'{"id":null,"text":"null id"}')],
        [payload(b'{"id":7,"text":"a number"}')],
        [payload(b'{"id":"","text":"empty id"}')],
        [payload(b'{"id":"#1","text":"not for clients"}')],
        [payload(b'{"id":"a\\u0000b","text":"NUL"}')],
        [payload(b'{"id":"\\ud800","text":"surrogate"}')],
        [payload(b'{"id":"' + b"i" * 129 + b'","text":"long id"}')],
        [payload(b"")],
        [payload(b"{")],
        [payload(b'"\xff\xfe"')],
        [payload(b"[" * 20_000)],
        [payload(b'{"id":' * 5_000)],
        [payload(b"1" * 10_000)],
        [payload(b'{"id":"n","text":NaN}')],
        [payload(b"x" * MEGABYTES)],
        [payload(b'{"id":"e","text":"hi"}', None)],
        [payload(b'{"id":"e","text":"hi"}', b"binary/plain")],
        [payload(b"", b"binary/null")],
        [payload(b"\x00\x01", b"binary/protobuf", messageType=b"no.such.Type")],
        [payload(b'{"id":"e","text":"hi"}', b"json/protobuf", messageType=b"\xff")],
        [payload(b"sealed by a key of nobody", b"binary/encrypted", **{"encryption-key-id": b"gone"})],
        [payload(b"?", b"\xff\xfe\x00")],
    ]
    strange = ["", "no_such_signal", "state", "await_reply", "__temporal_query", "user_message\x00", "é" * 100]
    return [
        *(Poison(payloads) for payloads in quarantined),
        *(Poison([payload(b'{"id":"u","text":"hi"}')], name) for name in strange if name),
        Poison(message(1, b"null"), answered=f"{mark}-1"),
        Poison(message(2, b'""'), answered=f"{mark}-2"),
        Poison(message(3, b'"\\u0000\\ud800"'), answered=f"{mark}-3"),
        Poison(message(4, b'"' + b"a" * MEGABYTES + b'"'), answered=f"{mark}-4"),
        Poison(message(5, b"1e999999"), answered=f"{mark}-5"),
        Poison(message(6, b'{"deep":[[[]]]}'), answered=f"{mark}-6"),
    ]


@dataclass
class Held(LocalDecisions):
    """The local rules, when the gate is open."""

    gate: Gate = field(default_factory=Gate)

    async def decide(self, request: DecideRequest) -> Decision:
        """Waits at the gate."""
        await self.gate.passed()
        return await super().decide(request)


@dataclass
class Scene:
    """A house whose providers can be held up."""

    house: House
    gate: Gate
    books: HeldBooks | None = None


@asynccontextmanager
async def scene(client: Client, database: Path, *, cut_off: bool = False) -> AsyncGenerator[Scene]:
    gate = Gate()
    ledger = Ledger(f"sqlite:///{database}", business_date=houses.TODAY)
    books = HeldBooks(ledger) if cut_off else None
    try:
        async with houses.house(client, database, Providers(decisions=Held(gate), ledger=books)) as house:
            yield Scene(house, gate, books)
    finally:
        gate.open()
        ledger.close()


async def say(guest: GuestTalk, *texts: str) -> None:
    for text in texts:
        await guest.says(text)


async def in_a_turn(guest: GuestTalk, scene: Scene) -> None:
    scene.gate.close()
    await guest.send("Hi")
    await asyncio.wait_for(scene.gate.reached.wait(), BOUND)


async def closing(guest: GuestTalk, scene: Scene) -> None:
    scene.gate.close()
    await guest.send("bye")
    await asyncio.wait_for(scene.gate.reached.wait(), BOUND)


async def unsettled(guest: GuestTalk, scene: Scene) -> None:
    await say(guest, ALL_AT_ONCE, "search", "1", "yes")


ASKED_FOR = ("Hi", "August 3 to August 9, 2027", "at most 700 a night", "a suite", "wifi and parking", "no matter")


def talked(*texts: str) -> Callable[[GuestTalk, Scene], Awaitable[None]]:
    async def enter(guest: GuestTalk, scene: Scene) -> None:
        await say(guest, *texts)

    return enter


STAGES: dict[str, tuple[Callable[[GuestTalk, Scene], Awaitable[None]], str]] = {
    "fresh": (talked(), "router"),
    "dates": (talked(*ASKED_FOR[:1]), "dates"),
    "budget": (talked(*ASKED_FOR[:2]), "budget"),
    "room_type": (talked(*ASKED_FOR[:3]), "room_type"),
    "amenities": (talked(*ASKED_FOR[:4]), "amenities"),
    "distance": (talked(*ASKED_FOR[:5]), "distance"),
    "summary": (talked(ALL_AT_ONCE), "router"),
    "present": (talked(ALL_AT_ONCE, "search"), "present"),
    "confirm": (talked(ALL_AT_ONCE, "search", "1"), "confirm"),
    "in a turn": (in_a_turn, "router"),
    "unsettled": (unsettled, "booking"),
    "closing": (closing, "router"),
}


@pytest.mark.parametrize("stage", STAGES)
async def test_no_poison_wedges_or_silences_a_conversation(temporal: Client, database: Path, stage: str) -> None:
    enter, step = STAGES[stage]
    async with scene(temporal, database, cut_off=stage == "unsettled") as at:
        guest = await at.house.open()
        await enter(guest, at)
        before = await guest.state()
        assert before.active_step == step
        sent = poisons("p")
        for poison in sent:
            await signal_raw(temporal, guest.handle.id, poison.name, poison.payloads)
        last = await guest.send("Hi", "after-all-that")
        at.gate.open()
        if stage == "closing":
            assert (await guest.result()).outcome == "ended"
        else:
            assert (await guest.reply_to(last)).replies
        if at.books:
            at.books.settle_now.set()

        after = await guest.state()
        unreadable = sum(poison.answered is None for poison in sent)
        assert after.messages.quarantined == unreadable
        assert after.messages.rejected == len(sent)
        received = before.messages.received + len(sent) - unreadable + 1
        assert (after.messages.received, after.messages.answered) == (received, received)
        said = {line.message_id: line.text for line in await guest.transcript() if line.role == "assistant"}
        unusable = {wording.UNUSABLE, wording.EMPTY, wording.TOO_LONG}
        assert all(said[poison.answered] in unusable for poison in sent if poison.answered)
        assert said[last]
        assert await failed_tasks(guest.handle, temporal) == []


async def test_a_pile_of_nearly_two_megabytes_each_is_worked_off(temporal: Client, database: Path) -> None:
    async with scene(temporal, database) as at:
        guest = await at.house.open()
        await in_a_turn(guest, at)
        for _ in range(8):
            await signal_raw(temporal, guest.handle.id, "user_message", [payload(b"x" * MEGABYTES)])
        last = await guest.send("a suite")
        at.gate.open()
        reply = await guest.reply_to(last)
        assert (reply.state.messages.answered, reply.state.messages.quarantined) == (2, 8)
        assert await failed_tasks(guest.handle, temporal) == []


async def test_what_is_too_large_for_the_server_is_refused_to_its_sender(desk: House) -> None:
    guest = await desk.open()
    await guest.says("Hi")
    for size in (2_200_000, 10_000_000):
        with pytest.raises(RPCError):
            await signal_raw(desk.client, guest.handle.id, "user_message", [payload(b'"' + b"x" * size + b'"')])
    reply = await guest.says("a suite")
    assert (reply.state.messages.received, reply.state.messages.rejected) == (2, 0)


async def test_half_an_emoji_is_left_out_and_the_rest_is_read(desk: House) -> None:
    guest = await desk.open()
    cut_short = payload(b'{"id":"cut","text":"a suite \\ud83d"}')
    await signal_raw(desk.client, guest.handle.id, "user_message", [cut_short])
    reply = await guest.reply_to("cut")
    assert reply.state.criteria["room_type"]["room_type"] == "suite"


async def test_bare_text_is_a_message_whose_id_is_its_place(desk: House) -> None:
    guest = await desk.open()
    await guest.says("Hi", "first")
    await guest.handle.signal("user_message", "a suite")
    assert (await guest.reply_to("#2")).state.criteria["room_type"]["room_type"] == "suite"


BAD_INPUTS: dict[str, tuple[object, ...]] = {
    "a string": ("hello",),
    "a list": ([],),
    "a number": (7,),
    "an extra key": ({"guest": None, "vip": True},),
    "a guest without an address": ({"guest": {"id": "a", "name": "A"}},),
    "a guest with an extra key": ({"guest": {"id": "a", "name": "A", "email": "a", "role": "admin"}},),
    "no date": ({"business_date": "tomorrow"},),
    "an impossible date": ({"business_date": "2027-02-30"},),
    "a number for a date": ({"business_date": 20270803},),
    "two arguments": ({"guest": None}, {"guest": None}),
    "two nulls": (None, None),
    "a snapshot": ({"id": "mine", "guest": None, "outcome": "booked"},),
    "bytes": (b"\xff\xfe",),
    "no JSON": (raw(b"{"),),
    "half a surrogate": (raw(b'{"guest":{"id":"\\ud800","name":"n","email":"e"}}'),),
    "deep nesting": (raw(b"[" * 100_000),),
    "not a number": (raw(b'{"business_date":NaN}'),),
    "an unknown encoding": (raw(b"?", b"who/knows"),),
    "a payload sealed by nobody": (raw(b"?", b"binary/encrypted"),),
    "a protobuf message": (Payload(data=b"inside"),),
    "an unknown protobuf message": (raw(b"\x01", b"binary/protobuf"),),
}


@pytest.mark.parametrize("what", BAD_INPUTS)
async def test_an_input_that_does_not_fit_fails_at_once_and_says_so(desk: House, what: str) -> None:
    guest = await desk.open(*BAD_INPUTS[what])
    await guest.handle.signal("user_message", {"id": "m1", "text": "Hi"})
    with pytest.raises(WorkflowFailureError) as failed:
        await guest.result()
    assert isinstance(failed.value.cause, ApplicationError)
    assert (failed.value.cause.type, failed.value.cause.non_retryable) == ("BadInput", True)
    assert await failed_tasks(guest.handle, desk.client) == []


@pytest.mark.parametrize("given", [NO_INPUT, None, {}, {"guest": None}, {"guest": None, "business_date": None}])
async def test_no_input_is_a_conversation_without_a_guest(desk: House, given: object) -> None:
    guest = await desk.open(given)
    assert (await guest.says("Hi")).state.active_step == "dates"


async def test_bad_arguments_of_updates_are_rejected_and_nothing_is_wedged(desk: House) -> None:
    guest = await desk.open()
    await guest.says("Hi")
    arguments: list[list[object]] = [
        [],
        [None],
        [42],
        ["m1", "m1"],
        [{"id": "m1"}],
        ["never sent"],
        ["x" * 1_500_000],
        [raw(b'"\\ud800"')],
        [raw(b"[" * 100_000)],
        [raw(b"?", b"who/knows")],
        [raw(b"?", b"binary/encrypted")],
        [raw(b"", b"binary/null")],
    ]
    for given in arguments:
        with pytest.raises((WorkflowUpdateFailedError, RPCError)):
            await asyncio.wait_for(update(guest.handle, "await_reply", *given), BOUND)
    with pytest.raises(WorkflowUpdateFailedError):
        await update(guest.handle, "no_such_update", "m1")
    assert (await guest.says("a suite")).state.active_step == "dates"
    assert await failed_tasks(guest.handle, desk.client) == []


@pytest.mark.parametrize("size", [2_200_000, 3_900_000])
async def test_an_update_too_large_for_its_rejection_does_not_wedge_the_conversation(desk: House, size: int) -> None:
    guest = await desk.open()
    await guest.says("Hi")
    with pytest.raises((WorkflowUpdateFailedError, RPCError)):
        await asyncio.wait_for(update(guest.handle, "await_reply", "x" * size), BOUND)
    reply = await guest.says("a suite")
    assert reply.state.criteria["room_type"]["room_type"] == "suite"


async def test_bad_arguments_of_queries_are_refused_and_nothing_is_wedged(desk: House) -> None:
    guest = await desk.open()
    await guest.says("Hi")
    bad: list[tuple[str, list[object]]] = [
        ("transcript", ["all"]),
        ("transcript", [{"after": "x"}]),
        ("transcript", [{"after": 1}, 2]),
        ("transcript", [raw(b"[" * 100_000)]),
        ("transcript", [raw(b"?", b"binary/encrypted")]),
        ("no_such_query", []),
    ]
    for name, given in bad:
        with pytest.raises((WorkflowQueryFailedError, RPCError)):
            await asyncio.wait_for(guest.handle.query(name, args=given), BOUND)
    assert len(await guest.transcript()) == 2
    assert (await guest.says("a suite")).state.active_step == "dates"
    assert await failed_tasks(guest.handle, desk.client) == []


async def test_the_same_id_is_answered_once_however_often_it_is_sent(desk: House) -> None:
    guest = await desk.open()
    first = await guest.says("a suite", "m1")
    again = await guest.says("a suite", "m1")
    assert again.replies == first.replies
    await asyncio.gather(*(guest.send("Hi", "m2") for _ in range(20)))
    reply = await guest.reply_to("m2")
    assert (reply.state.messages.received, reply.state.messages.answered) == (2, 2)
    state = await guest.until(lambda state: state.messages.duplicates == 20)
    assert state.messages.rejected == 0
    assert [line.message_id for line in await guest.transcript()] == ["m1", "m1", "m2", "m2"]


async def test_the_same_id_with_another_text_is_refused_and_counted(desk: House) -> None:
    guest = await desk.open()
    first = await guest.says("a suite", "m1")
    await guest.send("two beds", "m1")
    await guest.handle.signal("user_message", {"id": "m1"})
    reply = await guest.reply_to("m1")
    assert reply.replies == first.replies
    assert (reply.state.messages.received, reply.state.messages.rejected) == (1, 2)
    assert reply.state.criteria["room_type"]["room_type"] == "suite"


async def test_an_id_is_recognised_after_the_worker_was_replaced(temporal: Client, database: Path) -> None:
    async with houses.house(temporal, database) as first:
        guest = await first.open()
        reply = await guest.says("a suite", "m1")
    async with houses.worker(temporal, first.task_queue, first.ledger, first.providers):
        again = await guest.says("a suite", "m1")
        assert again.replies == reply.replies
        assert (again.state.messages.received, again.state.messages.duplicates) == (1, 1)


async def test_more_than_a_snapshot_can_carry_is_answered_unread_and_the_rest_is_read(
    temporal: Client, database: Path
) -> None:
    async with scene(temporal, database) as at:
        guest = await at.house.open()
        await in_a_turn(guest, at)
        flood = [payload(f'{{"id":"f{n}","text":"{"😀" * 3900}"}}'.encode()) for n in range(75)]
        for message in flood:
            await signal_raw(temporal, guest.handle.id, "user_message", [message])
        unread = await guest.reply_to("f74")
        assert unread.replies == (wording.TOO_MANY,)
        at.gate.open()
        state = await guest.until(lambda state: state.messages.answered == 76)
        assert 1 <= state.messages.rejected < 25
        assert (await guest.says("a suite")).state.criteria["room_type"]["room_type"] == "suite"
        assert await failed_tasks(guest.handle, temporal) == []
