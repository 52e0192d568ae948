"""Work per turn: calls counted at the providers, events and bytes counted in the history."""

from pathlib import Path

from temporalio.client import Client

from activities.providers.local import LocalDecisions, LocalLanguage
from nightdesk.boundaries import ConverseRequest, DecideRequest, ModelTurn
from nightdesk.decisions import Decision
from tests.house import ALL_AT_ONCE, GuestTalk, Providers, house


class Counted(LocalDecisions, LocalLanguage):
    """The local providers, with a ledger of what they were asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def decide(self, request: DecideRequest) -> Decision:
        self.asked.append(f"decide {request.facts.boundary}")
        return await super().decide(request)

    async def converse(self, request: ConverseRequest) -> ModelTurn:
        self.asked.append(f"converse {request.facts.purpose}")
        return await super().converse(request)

    def taken(self) -> list[str]:
        """What was asked since the last look."""
        asked, self.asked = self.asked, []
        return asked


async def test_one_decision_and_at_most_one_model_call_per_message(temporal: Client, database: Path) -> None:
    counted = Counted()
    async with house(temporal, database, Providers(decisions=counted, language=counted)) as desk:
        guest = await desk.open()
        searched = ["decide router", "decide readiness", "converse draft", "decide presentation"]
        for text, calls in (
            ("blorp", ["decide router"]),
            ("show my criteria", ["decide router"]),
            (ALL_AT_ONCE, ["decide router", "converse read"]),
            ("search", searched),
            ("book hotel 99", ["decide router"]),
            ("book hotel 1", ["decide router"]),
            ("is there parking?", ["decide router"]),
            ("no", []),
            ("the second one", ["decide router"]),
        ):
            await guest.says(text)
            assert counted.taken() == calls, text
        await guest.send("yes")
        await guest.result()
        assert counted.taken() == []


async def test_a_message_that_is_not_understood_costs_no_second_call(temporal: Client, database: Path) -> None:
    counted = Counted()
    async with house(temporal, database, Providers(decisions=counted, language=counted)) as desk:
        guest = await desk.open()
        await guest.says("hello")
        counted.taken()
        await guest.says("something around the end of the summer maybe")
        assert len(counted.taken()) <= 2


async def history(guest: GuestTalk) -> tuple[int, int]:
    """(events, bytes) so far."""
    fetched = await guest.handle.fetch_history()
    return len(fetched.events), sum(event.ByteSize() for event in fetched.events)


async def test_history_per_message_is_small_and_does_not_grow_with_the_conversation(
    temporal: Client, database: Path
) -> None:
    async with house(temporal, database) as desk:
        guest = await desk.open()
        await guest.says(ALL_AT_ONCE)
        per_message: list[tuple[int, int]] = []
        for turn in range(40):
            events, size = await history(guest)
            id_ = await guest.send(f"at most {600 + turn} a night")
            await guest.until(lambda state, turn=turn: state.messages.answered == turn + 2)
            assert (await guest.reply_to(id_)).state.criteria["budget"]["max"] == str(600 + turn)
            after, larger = await history(guest)
            per_message.append((after - events, larger - size))
        # 16 for the message with its two activities, 5 for the update that asked for the reply, and now and then
        # one more workflow task (3), because a query looked in between.
        assert sorted(events for events, _ in per_message)[20] <= 24
        early = sorted(size for _, size in per_message[10:20])[5]
        late = sorted(size for _, size in per_message[30:])[5]
        assert late <= early * 1.05
