"""A greeting, and other small talk, ends with the way in: the open question, whatever the decision provider answers."""

from pathlib import Path
from typing import Any

import pytest
from temporalio.client import Client
from temporalio.exceptions import ApplicationError

from activities.providers.local import LocalDecisions
from nightdesk import wording
from nightdesk.boundaries import DecideRequest, RouterFacts
from nightdesk.decisions import Answer, ChoiceAnswer, Decision, NoulAnswer
from nightdesk.views import Reply
from tests.house import ALL_AT_ONCE, GuestTalk, House, Providers, house
from tests.workflows.bookings import booking_desk, without_waits
from tests.workflows.test_economy import Counted

Wrong = tuple[str, ...] | None
"""Where the provider sends a message, and what it says is mentioned; None: it is out."""

ANSWERS: dict[str, Wrong] = {
    "unclear": ("unclear",),
    "a wrong owner": ("budget",),
    "a wrong owner that is mentioned": ("budget", "budget", "amenities"),
    "select while nothing is shown": ("select",),
    "question while nothing is shown": ("question",),
    "review": ("review",),
    "search": ("search",),
    "out": None,
}
any_answer = pytest.mark.parametrize("wrong", ANSWERS.values(), ids=ANSWERS.keys())
GREETINGS = ("Hi", "good morning", "hello there!", "hi, I need a hotel", "Hey!! can you find me a room?")
DATES = "Which dates would you like to stay?"


class Scripted(LocalDecisions):
    """Routes as it is told to, and as the local rules do while `says` is empty."""

    def __init__(self) -> None:
        self.says: Wrong = ()

    async def decide(self, request: DecideRequest) -> Decision:
        decision = await super().decide(request)
        if self.says == () or not isinstance(request.facts, RouterFacts) or request.provider == "local":
            return decision
        if self.says is None:
            raise ApplicationError("out", type="DecisionRejected", non_retryable=True)
        where, *mentioned = self.says
        answers: dict[str, Answer] = {
            name: NoulAnswer(noul=float(name.removeprefix("mentions_") in mentioned)) for name in request.questions
        }
        answers["destination"] = ChoiceAnswer(choice=where, probabilities={where: 1.0}, confidence=1.0)
        return decision.model_copy(update={"answers": answers})


def asks(reply: Reply, step: str, *words: str) -> None:
    """It rests at that step, says these words, ends with the last of them, and reproaches nothing."""
    said = reply.replies[0]
    assert reply.state.active_step == step, said
    for word in words:
        assert word in said
    assert words[-1] in said.splitlines()[-1]
    assert "did not catch" not in said


@any_answer
@pytest.mark.parametrize("text", GREETINGS)
async def test_a_first_greeting_gets_a_greeting_and_the_first_question(
    temporal: Client, database: Path, wrong: Wrong, text: str
) -> None:
    decisions = Scripted()
    async with house(temporal, database, Providers(decisions=decisions)) as desk:
        guest, late = await desk.open(), await desk.open()
        await late.says("What is the weather in Seattle?")
        decisions.says = wrong
        for one in (guest, late):
            reply = await one.says(text, "greeting")
            assert reply.replies[0].startswith("Hello")
            asks(reply, "dates", DATES)
        decisions.says = ()
        reply = await guest.says("August 3 to August 9, 2027")
        assert reply.state.active_step == "budget"


async def test_a_first_greeting_says_what_this_is_and_a_later_one_does_not(desk: House) -> None:
    guest = await desk.open()
    asks(await guest.says("Hi"), "dates", wording.WELCOME, DATES)
    second = await guest.says("Hi")
    assert wording.WELCOME not in second.replies[0]
    asks(second, "dates", wording.HELLO, DATES)


@any_answer
@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("thanks!", "You are welcome."),
        ("how are you?", "I am well, thank you."),
        ("who are you?", wording.WHO),
        ("help", wording.CAN_DO),
        ("what?", wording.CAN_DO),
        ("why?", wording.CAN_DO),
        ("nice", "Thank you."),
    ],
)
async def test_other_small_talk_as_a_first_message_ends_with_the_first_question(
    temporal: Client, database: Path, wrong: Wrong, text: str, answer: str
) -> None:
    decisions = Scripted()
    async with house(temporal, database, Providers(decisions=decisions)) as desk:
        guest = await desk.open()
        decisions.says = wrong
        reply = await guest.says(text)
        asks(reply, "dates", answer, DATES)


@pytest.mark.parametrize("text", ["Hi", "thanks", "how are you?"])
async def test_small_talk_never_closes_the_conversation(temporal: Client, database: Path, text: str) -> None:
    decisions = Scripted()
    async with house(temporal, database, Providers(decisions=decisions)) as desk:
        guest = await desk.open()
        decisions.says = ("exit",)
        reply = await guest.says(text)
        assert reply.state.status == "open"
        asks(reply, "dates", DATES)
        assert [entry.accepted for entry in await guest.decisions()] == [False]


@any_answer
async def test_a_greeting_in_between_asks_the_open_question_again_and_drops_nothing(
    temporal: Client, database: Path, wrong: Wrong
) -> None:
    decisions = Scripted()
    async with house(temporal, database, Providers(decisions=decisions)) as desk:
        guest = await desk.open()

        async def hello(step: str, *words: str) -> Reply:
            decisions.says = wrong
            reply = await guest.says("good morning")
            decisions.says = ()
            assert reply.replies[0].startswith(wording.HELLO)
            asks(reply, step, *words)
            return reply

        await guest.says("August 3 to August 9, 2027, with a pool")
        await hello("amenities", 'By "pool", do you mean')
        await guest.says("never mind")
        await guest.says(ALL_AT_ONCE)
        await hello("router", "Budget: at most $700 per night", wording.SEARCH_OR_CHANGE)
        shown = (await guest.says("search")).state.hotels
        assert (await hello("present", wording.WHICH_HOTEL)).state.hotels == shown
        offer = (await guest.says("book hotel 2")).state.offer
        assert offer is not None
        reply = await hello("confirm", f"My offer is still {offer.name}", 'To book exactly this, say "yes"')
        assert (reply.state.offer, reply.state.hotels) == (offer, shown)
        await guest.send("yes")
        result = await guest.result()
        assert result.reservation is not None
        assert result.reservation.offer == offer


async def test_a_greeting_while_a_booking_is_unsettled_says_that_it_is_being_checked(
    temporal: Client, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_waits(monkeypatch)
    async with booking_desk(temporal, f"sqlite:///{database}") as desk:
        guest: GuestTalk = await desk.unsettled("after")
        asks(await guest.says("Hello?", "hello"), "booking", wording.HELLO, wording.STILL_CHECKING)
        desk.reachable()
        assert (await guest.result()).outcome == "booked"


async def test_what_a_greeting_brings_along_is_read(desk: House) -> None:
    guest = await desk.open()
    reply = await guest.says("hi, a suite at most 500 a night please")
    assert reply.state.criteria["room_type"]["room_type"] == "suite"
    assert reply.state.criteria["budget"]["max"] == "500"
    asks(reply, "dates", "Room type: suite.", DATES)


async def test_a_greeting_that_asks_for_something_else_is_told_what_can_be_done(desk: House) -> None:
    guest = await desk.open()
    asks(await guest.says("hello, what is the weather in Seattle?"), "dates", wording.HELLO, wording.CAN_DO, DATES)


async def test_a_greeting_costs_one_decision_and_no_model(temporal: Client, database: Path) -> None:
    counted: Any = Counted()
    async with house(temporal, database, Providers(decisions=counted, language=counted)) as desk:
        guest = await desk.open()
        await guest.says("Hi")
        assert counted.taken() == ["decide router"]
