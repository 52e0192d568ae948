"""Whole conversations on real providers' servers: jevcompat's mock, PyPI's llmock, the hotel MCP server."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
from llmock.scenarios import Fail, Reply, ToolCall, ToolFault
from llmock.testing import LLMockServer
from llmock.verdict import judge as judged
from temporalio.client import Client, WorkflowHistory
from temporalio.worker import Replayer
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner, SandboxRestrictions
from temporalio.workflow import NondeterminismError

from nightdesk import grounding, verdicts, wording
from nightdesk.boundaries import ReadFacts, Shown
from nightdesk.criteria import BY_NAME
from nightdesk.local_rules.hearing import hear
from nightdesk.model import Frozen
from nightdesk.screening import cheapest
from nightdesk.snapshot import Snapshot
from nightdesk.understanding import Reading, read
from tests.activities import flaky
from tests.activities.flaky import GOOD, FlakyPeer
from tests.activities.servers import SystemOne
from tests.house import ALL_AT_ONCE, TODAY, GuestTalk, House
from tests.workflows.peers import JEV, Judge, activities, connected, said
from tests.workflows.test_conversation import TURNS
from worker import OURS
from workflows.booking_conversation import BookingConversation
from workflows.converter import data_converter

FIVE = {
    "capture_dates": {"check_in": "2027-08-03", "check_out": "2027-08-09", "nights": None},
    "capture_budget": {"min": None, "max": 700, "no_preference": None},
    "capture_room_type": {"room_type": "suite", "no_preference": None},
    "capture_amenities": {"amenities": ["freeWiFi", "freeParking"], "no_preference": None},
    "capture_distance": {"airport_miles": None, "city_center_miles": None, "no_preference": True},
}
"""What a model calls that has read ALL_AT_ONCE."""


async def test_the_whole_conversation_on_real_servers_books(
    temporal: Client, database: Path, jev: FlakyPeer, openai: FlakyPeer, hotel_server: str
) -> None:
    language = f"{openai.url}/v1"
    async with connected(temporal, database, decisions=jev.url, language=language, hotels=hotel_server) as desk:
        guest = await desk.open()
        for text, step, words in TURNS:
            reply = await guest.says(text)
            assert reply.state.active_step == step, (text, reply.replies)
            if text == "search" and step == "present":
                assert "Here is what I found for your stay:\n1. Cascade Beacon Hotel – suite" in reply.replies[0]
            elif text in ("book hotel 1", "distance does not matter", "hmm, is that with parking?"):
                assert all(word in reply.replies[0] for word in words), reply.replies
            assert desk.ledger.reservations() == []
        await guest.send("yes")
        assert (await guest.result()).outcome == "booked"
        assert len(desk.ledger.reservations()) == 1
        audit = await guest.decisions()
    assert {entry.model for entry in audit} == {JEV}
    assert {entry.fallback for entry in audit} == {None}
    assert [entry.boundary for entry in audit if not entry.accepted] == ["router"], "only the weather is nobody's"
    # A decision a message, one more at each search, one more for each draft; none at the yes.
    assert len(jev.requests) == len(TURNS) + 3 + 2


async def test_an_undisturbed_message_costs_one_decision_and_at_most_one_model_call_at_the_servers(
    temporal: Client, database: Path, jev: FlakyPeer, openai: FlakyPeer
) -> None:
    async with connected(temporal, database, decisions=jev.url, language=f"{openai.url}/v1") as desk:
        guest = await desk.open()
        for text, decided, asked in (
            ("blorp", 1, 0),
            (ALL_AT_ONCE, 1, 1),
            ("show my criteria", 1, 0),
            ("search", 3, 1),
            ("book hotel 99", 1, 0),
            ("the one that looks best to you", 1, 1),
            ("book hotel 1", 1, 0),
            ("is there parking?", 1, 0),
            ("no", 0, 0),
            ("hotel 2", 1, 0),
        ):
            before = len(jev.requests), len(openai.requests)
            await guest.says(text)
            after = len(jev.requests), len(openai.requests)
            decisions, calls = after[0] - before[0], after[1] - before[1]
            assert decisions == decided, text
            assert calls <= asked, text
            if text == ALL_AT_ONCE or text == "search":
                assert calls == 1, text
        before = len(jev.requests), len(openai.requests)
        await guest.send("yes")
        await guest.result()
        assert (len(jev.requests), len(openai.requests)) == before


async def test_twenty_two_turns_with_everything_out_once_still_need_the_explicit_yes(
    temporal: Client, database: Path, jev: FlakyPeer, judge: Judge, openai: FlakyPeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with connected(temporal, database, decisions=jev.url, language=f"{openai.url}/v1") as desk:
        guest = await desk.open()
        searches = 0
        for text, step, words in TURNS:
            searches += text == "search"
            if text == "a suite":
                await nobody_notices_that_the_router_is_out(guest, jev, text, words)
            elif text == "search" and searches == 1:
                await the_review_doubts_the_budget_once(guest, judge)
                await a_draft_that_invents_a_hotel_is_not_shown(guest, jev, openai)
            elif text == "search" and searches == 3:
                await validation_alone_and_codes_own_list(guest, jev)
            else:
                reply = await guest.says(text)
                assert reply.state.active_step == step, (text, reply.replies)
            assert desk.ledger.reservations() == []
        # It sounds like one, and is not the guest's yes.
        reply = await guest.says("you may want to confirm that")
        assert (reply.state.status, reply.state.reservation) == ("open", None)
        assert desk.ledger.reservations() == []
        await guest.send("yes")
        assert (await guest.result()).outcome == "booked"
        assert len(desk.ledger.reservations()) == 1
        fallbacks = [entry.fallback for entry in await guest.decisions() if entry.fallback]
        history = await guest.handle.fetch_history()
        transcript = "\n".join(line.text for line in await guest.transcript())
    assert fallbacks == ["ROUTER_DECISION", "READINESS_DECISION", "PRESENTATION_DECISION"]
    assert "Palace" not in transcript
    await replayed_after_a_rule_has_changed(history, monkeypatch)


async def nobody_notices_that_the_router_is_out(
    guest: GuestTalk, jev: FlakyPeer, text: str, words: tuple[str, ...]
) -> None:
    jev.then(flaky.status(500), flaky.reset())
    reply = await guest.says(text)
    assert reply.state.active_step == "amenities"
    assert reply.state.criteria["room_type"]["room_type"] == "suite"
    assert all(word in reply.replies[0] for word in words)
    entry = (await guest.decisions())[-1]
    assert (entry.boundary, entry.fallback, entry.model) == ("router", "ROUTER_DECISION", "local-rules-1")
    assert [(a.summary, a.tries, a.failed) for a in await activities(guest)][-3:-1] == [
        ("Where does this message go?", 2, "DecisionUnavailable"),
        ("Router is out: routed by rules", 1, None),
    ]


async def the_review_doubts_the_budget_once(guest: GuestTalk, judge: Judge) -> None:
    judge.outcome = "budget"
    reply = await guest.says("search")
    assert reply.state.active_step == "budget"
    assert "I may have the budget wrong: at most $700 per night" in reply.replies[0]
    assert reply.state.hotels == ()
    judge.outcome = "ready"
    reply = await guest.says("at most 700 per night")
    assert reply.state.active_step == "router"
    assert "at most $700 per night" in reply.replies[0]


async def a_draft_that_invents_a_hotel_is_not_shown(guest: GuestTalk, jev: FlakyPeer, openai: FlakyPeer) -> None:
    openai.then(lambda exchange: exchange.send(said("1. The Grand Palace: suite, $99 a night, $594 in total")))
    asked = len(jev.requests)
    reply = await guest.says("search")
    assert (reply.state.active_step, reply.state.readiness and reply.state.readiness.by) == ("present", "decision")
    assert "5 hotels fit:\n1. Cascade Beacon Hotel: suite" in reply.replies[0], "code's own list"
    entry = (await guest.decisions())[-1]
    assert (entry.boundary, entry.model, entry.accepted) == ("presentation", grounding.MODEL, False)
    assert len(jev.requests) == asked + 2, "the draft was not worth a question"


async def validation_alone_and_codes_own_list(guest: GuestTalk, jev: FlakyPeer) -> None:
    fails = flaky.status(500)
    asked = len(jev.requests)
    jev.then(GOOD, fails, fails, fails, fails, fails)
    reply = await guest.says("search")
    assert len(jev.requests) == asked + 1 + 3 + 2
    assert reply.state.readiness is not None
    assert (reply.state.readiness.accepted, reply.state.readiness.by) == (True, "validation")
    assert "the 5 with the lowest total:\n1. Cascade Beacon Hotel: suite" in reply.replies[0]
    assert [(entry.boundary, entry.fallback, entry.accepted) for entry in (await guest.decisions())[-2:]] == [
        ("readiness", "READINESS_DECISION", True),
        ("presentation", "PRESENTATION_DECISION", False),
    ]


def replayer() -> Replayer:
    """With what worker.py has."""
    return Replayer(
        workflows=[BookingConversation],
        data_converter=data_converter,
        workflow_runner=SandboxedWorkflowRunner(
            restrictions=SandboxRestrictions.default.with_passthrough_modules(*OURS)
        ),
    )


def reads_nothing(text: str, *, today: date, context: str | None = None, asked: str | None = None) -> Reading:
    """A local reader with another rule."""
    return read("", today=today, context=context, asked=asked)


async def replayed_after_a_rule_has_changed(history: WorkflowHistory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The local rules run in activities only. A threshold of the workflow's own is another matter: it must fail."""
    with monkeypatch.context() as changed:
        for module in ("local_rules.hearing", "local_rules.readiness"):
            changed.setattr(f"nightdesk.{module}.read", reads_nothing)
        facts = ReadFacts(request="a suite", today=TODAY, awaiting="room_type", criteria={})
        assert hear(facts).arguments == {}, "the rule has changed"
        await replayer().replay_workflow(history)
    with monkeypatch.context() as changed:
        changed.setattr(verdicts, "ROUTE_AT_LEAST", 1.1)
        with pytest.raises(NondeterminismError):
            await replayer().replay_workflow(history)


@pytest.mark.parametrize("fault", ["noul-range", "first-question-only", "boolean-type", "no-usage", "xssi-200"])
async def test_a_bad_answer_in_the_middle_is_never_used(
    temporal: Client, database: Path, jev: FlakyPeer, system_one: SystemOne, judge: Judge, fault: str
) -> None:
    async with connected(temporal, database, decisions=jev.url) as desk:
        guest = await desk.open()
        await guest.says(ALL_AT_ONCE)
        system_one.configure(fault, prefer=judge)
        asked = len(jev.requests)
        reply = await guest.says("at most 500 a night")
        assert reply.state.criteria["budget"]["max"] == "500"
        assert len(jev.requests) == asked + 1, "an answer that does not fit is not asked for again"
        await guest.says("at most 650 a night")
        reply = await guest.says("search")
        assert len(jev.requests) == asked + 5
        assert reply.state.active_step == "present"
        assert reply.state.readiness is not None
        assert reply.state.readiness.by == "validation"
        audit = await guest.decisions()
        assert [(entry.fallback, entry.model) for entry in audit[1:4]] == [("ROUTER_DECISION", "local-rules-1")] * 3
        assert [entry.fallback for entry in audit[4:]] == ["READINESS_DECISION", "PRESENTATION_DECISION"]
        assert {entry.model for entry in audit[4:]} == {None}
        failed = [activity for activity in await activities(guest) if activity.failed]
        assert {(activity.tries, activity.failed) for activity in failed} == {(1, "DecisionBadAnswer")}
        system_one.configure(prefer=judge)
        await guest.says("show my criteria")
        entry = (await guest.decisions())[-1]
        assert (entry.model, entry.fallback) == (JEV, None), "used again by itself"


async def test_a_record_that_was_sent_back_twice_is_accepted_by_the_guests_own_word_without_a_call(
    temporal: Client, database: Path, jev: FlakyPeer, judge: Judge, openai: FlakyPeer
) -> None:
    async with connected(temporal, database, decisions=jev.url, language=f"{openai.url}/v1") as desk:
        guest = await desk.open()
        await guest.says(ALL_AT_ONCE)
        judge.outcome = "unclear"
        reply = await guest.says("search")
        assert "Please tell me the one thing to change" in reply.replies[0]
        assert reply.state.readiness is not None
        assert not reply.state.readiness.accepted
        reply = await guest.says("that is right")
        assert reply.state.hotels == (), "once is not enough: it is reviewed again, with these words"
        assert "Please tell me the one thing to change" in reply.replies[0]
        asked = len(jev.requests)
        reply = await guest.says("that is right")
        assert reply.state.readiness is not None
        assert (reply.state.readiness.accepted, reply.state.readiness.by) == (True, "guest")
        assert reply.state.active_step == "present"
        assert [str(request.json).count("draft") > 0 for request in jev.requests[asked:]] == [True]
        # A changed record is another one: it is reviewed anew, however often the old one was doubted.
        judge.outcome = "ready"
        await guest.says("at most 650 a night")
        reply = await guest.says("search")
        assert reply.state.readiness is not None
        assert reply.state.readiness.by == "decision"


async def test_what_is_saved_on_the_way_to_a_search_is_said_once(temporal: Client, database: Path) -> None:
    async with connected(temporal, database) as desk:
        guest = await desk.open()
        await guest.says(ALL_AT_ONCE)
        reply = await guest.says("make it 650 at most and search")
        assert reply.state.active_step == "present"
        assert reply.replies[0].count("at most $650 per night") == 1


def listed(desk: House) -> str:
    """A draft of the search for 100 to 690 dollars, in a model's words."""
    answers = FIVE | {"capture_budget": {"min": 100, "max": 690, "no_preference": None}}
    facts: dict[str, Frozen] = {}
    for criterion in BY_NAME.values():
        judged_ = criterion.judge(None, criterion.arguments_type.model_validate(answers[criterion.tool]), TODAY)
        assert judged_.value is not None
        facts[criterion.name] = judged_.value
    hotels = cheapest(desk.ledger.search(Snapshot(facts, TODAY).search_request()).hotels, 5)
    rows = [wording.hotel_line(Shown(number=number, hotel=hotel)) for number, hotel in enumerate(hotels, 1)]
    return "\n".join(["These hotels fit your stay from August 3 to August 9, 6 nights:", *rows])


async def test_a_conversation_on_llmock_reads_by_tool_calls_and_drafts(
    temporal: Client, database: Path, llmock: LLMockServer
) -> None:
    script = llmock.state.scenarios
    async with connected(temporal, database, language=llmock.base_url()) as desk:
        guest = await desk.open()
        script.add(Fail(429, retry_after=1), Reply(tool_calls=calls(*FIVE)))
        reply = await guest.says(ALL_AT_ONCE)
        assert reply.state.issues == ()
        assert reply.state.criteria["amenities"]["amenities"] == ["freeWiFi", "freeParking"]
        assert reply.state.criteria["budget"] == {"answered": True, "min": None, "max": "700"}
        # The local rules route, and the model reads otherwise than the local reader would: it is believed.
        script.add(Reply(tool_calls=(ToolCall("capture_budget", {"min": 100, "max": 690, "no_preference": None}),)))
        reply = await guest.says("between 100 and 690 a night")
        assert reply.state.criteria["budget"] == {"answered": True, "min": "100", "max": "690"}
        text = listed(desk)
        script.add(Fail(500), Reply(text=text))
        reply = await guest.says("search")
        assert reply.replies[0].startswith(text)
        reply = await guest.says("book hotel 1")
        assert reply.state.offer is not None
        await guest.send("yes")
        assert (await guest.result()).outcome == "booked"
        assert script.pending() == []
    verdict = judged(llmock.state.journal.records(wait=2))
    assert [len(call.attempts) for call in verdict.calls] == [2, 1, 2]
    verdict.assert_ok(strict=True)


def calls(*tools: str) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(tool, FIVE[tool]) for tool in tools)


TROUBLES: dict[str, tuple[Sequence[Fail | Reply | ToolFault], int]] = {
    "malformed arguments": ([ToolFault("malformed_arguments")], 1),
    "unknown tool": ([ToolFault("unknown_tool")], 1),
    "truncated output": ([Reply(text="The guest", finish_reason="length")], 1),
    "empty text": ([Reply(text="")], 1),
    "429 twice": ([Fail(429, retry_after=0.1), Fail(429, retry_after=0.1)], 2),
    "500 twice": ([Fail(500), Fail(503)], 2),
    "a wrong key": ([Fail(401)], 1),
    "no quota": ([Fail(429, code="insufficient_quota")], 1),
}


@pytest.mark.parametrize(("script", "requests"), TROUBLES.values(), ids=TROUBLES.keys())
async def test_whatever_the_model_does_wrong_nothing_saved_is_lost(
    temporal: Client, database: Path, llmock: LLMockServer, script: Sequence[Fail | Reply | ToolFault], requests: int
) -> None:
    async with connected(temporal, database, language=llmock.base_url()) as desk:
        guest = await desk.open()
        llmock.state.scenarios.add(Reply(tool_calls=calls(*FIVE)))
        before = (await guest.says(ALL_AT_ONCE)).state.criteria
        llmock.state.scenarios.add(*script)
        reply = await guest.says("at most 500 a night")
        assert llmock.state.scenarios.pending() == []
        assert len(llmock.state.journal.records(wait=2)) == 1 + requests
        criteria = reply.state.criteria
        assert {name: value for name, value in criteria.items() if name != "budget"} == {
            name: value for name, value in before.items() if name != "budget"
        }
        assert criteria["budget"]["max"] == "500", "the local reader has read it"
        assert (await activities(guest))[-1].summary == "Model is out: budget read by rules"
        llmock.state.scenarios.add(
            Reply(tool_calls=(ToolCall("capture_budget", {"min": None, "max": 650, "no_preference": None}),))
        )
        reply = await guest.says("at most 650 a night")
        assert reply.state.criteria["budget"]["max"] == "650"
        assert [a.summary for a in await activities(guest)][-1] == "Read: budget", "used again by itself"


async def test_arguments_that_the_owner_cannot_use_are_asked_about(
    temporal: Client, database: Path, llmock: LLMockServer
) -> None:
    async with connected(temporal, database, language=llmock.base_url()) as desk:
        guest = await desk.open()
        llmock.state.scenarios.add(Reply(tool_calls=calls(*FIVE)))
        before = (await guest.says(ALL_AT_ONCE)).state.criteria
        llmock.state.scenarios.add(Reply(tool_calls=(ToolCall("capture_budget", {"max": "five hundred"}),)))
        reply = await guest.says("at most 500 a night")
        assert reply.state.criteria == before
        assert reply.state.active_step == "budget"
        assert reply.replies[0].startswith("I did not catch the budget.")
