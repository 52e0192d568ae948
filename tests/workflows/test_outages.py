"""One outage policy per boundary, each with its own fallback: bounded time, as many requests as the policy says.

Faults that fail fast are tried here; those that make a client wait are drills.
"""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from temporalio.client import Client

from tests.activities import flaky
from tests.activities.flaky import GOOD, Behaviour, FlakyPeer
from tests.house import ALL_AT_ONCE
from tests.workflows.peers import JEV, activities, connected, seconds
from workflows.policies import (
    COLLECTOR,
    PRESENTATION_DECISION,
    READINESS_DECISION,
    ROUTER_DECISION,
    SEARCH,
)

ROUTER_TRIES, READINESS_TRIES, PRESENTATION_TRIES, MODEL_TRIES, SEARCH_TRIES = 2, 3, 2, 2, 3
"""As they were decided for each boundary, not as the code under test has them."""

PASSING: Mapping[str, Callable[[], Behaviour]] = {
    "500": lambda: flaky.status(500),
    "429, again at once": lambda: flaky.status(429, {"Retry-After": "0"}),
    "reset": flaky.reset,
    "reset in the middle": lambda: flaky.reset(200),
    "truncated": flaky.truncated,
    "HTML from a gateway": lambda: flaky.html(502),
}
"""Worth a retry: as many requests as the policy has tries."""

FOR_GOOD: Mapping[str, Callable[[], Behaviour]] = {
    "wrong key": lambda: flaky.status(401),
    "unknown model": lambda: flaky.status(404),
    "HTML as an answer": flaky.html,
    "another body": lambda: flaky.body(b'{"answers":{}}'),
    "try again in 2099": lambda: flaky.status(429, {"Retry-After": "Fri, 31 Dec 2099 23:59:59 GMT"}),
}
"""One request, whatever the policy."""

FAULTS = [
    *(pytest.param(fault, True, id=name) for name, fault in PASSING.items()),
    *(pytest.param(fault, False, id=name) for name, fault in FOR_GOOD.items()),
]


@pytest.mark.parametrize(("fault", "passing"), FAULTS)
async def test_a_router_outage_is_routed_by_rules_and_nobody_notices(
    temporal: Client, database: Path, jev: FlakyPeer, fault: Callable[[], Behaviour], passing: bool
) -> None:
    async with connected(temporal, database, decisions=jev.url) as desk:
        guest = await desk.open()
        jev.always(fault())
        assert await seconds(guest.says("a suite, please")) < ROUTER_DECISION.in_all
        assert len(jev.requests) == (ROUTER_TRIES if passing else 1)
        jev.always(GOOD)
        reply = await guest.says("at most 700 a night")
        assert reply.state.criteria["room_type"]["room_type"] == "suite"
        assert reply.state.criteria["budget"]["max"] == "700"
        assert [(entry.model, entry.fallback) for entry in await guest.decisions()] == [
            ("local-rules-1", "ROUTER_DECISION"),
            (JEV, None),
        ]
        calm = await desk.open()
        await calm.says("a suite, please")
        assert [line.text for line in (await guest.transcript())[:2]] == [
            line.text for line in (await calm.transcript())[:2]
        ], "not a word about it"


async def test_a_pause_that_a_provider_asks_for_is_kept_and_no_fallback_is_needed(
    temporal: Client, database: Path, jev: FlakyPeer
) -> None:
    async with connected(temporal, database, decisions=jev.url) as desk:
        guest = await desk.open()
        jev.then(flaky.status(429, {"Retry-After": "1"}))
        assert 1 <= await seconds(guest.says("a suite, please")) < ROUTER_DECISION.in_all
        assert len(jev.requests) == 2
        assert [(entry.model, entry.fallback) for entry in await guest.decisions()] == [(JEV, None)]


REVIEWS = [
    pytest.param(PASSING["500"], True, id="500"),
    pytest.param(PASSING["reset"], True, id="reset"),
    pytest.param(FOR_GOOD["wrong key"], False, id="wrong key"),
    pytest.param(FOR_GOOD["HTML as an answer"], False, id="HTML"),
]


@pytest.mark.parametrize(("fault", "passing"), REVIEWS)
async def test_a_readiness_outage_lets_validation_decide_and_is_recorded_as_such(
    temporal: Client, database: Path, jev: FlakyPeer, fault: Callable[[], Behaviour], passing: bool
) -> None:
    tries = READINESS_TRIES if passing else 1
    async with connected(temporal, database, decisions=jev.url) as desk:
        guest = await desk.open()
        await guest.says(ALL_AT_ONCE)
        asked = len(jev.requests)
        jev.then(GOOD, *(fault() for _ in range(tries)))
        assert await seconds(guest.says("search")) < READINESS_DECISION.in_all
        assert len(jev.requests) == asked + 1 + tries + 1, "the router, the review, the draft's review"
        state = await guest.state()
        assert state.readiness is not None
        assert (state.readiness.accepted, state.readiness.by, state.active_step) == (True, "validation", "present")
        entry = (await guest.decisions())[-2]
        assert (entry.boundary, entry.model, entry.accepted, entry.fallback) == (
            "readiness",
            None,
            True,
            "READINESS_DECISION",
        )


async def test_fail_open_is_for_a_valid_record_only(temporal: Client, database: Path, jev: FlakyPeer) -> None:
    async with connected(temporal, database, decisions=jev.url) as desk:
        guest = await desk.open()
        await guest.says("Aug 3-9 2027, a suite")
        asked = len(jev.requests)
        jev.always(flaky.status(500))
        jev.then(GOOD)
        reply = await guest.says("search")
        assert reply.state.active_step == "budget"
        assert (reply.state.hotels, reply.state.readiness) == ((), None)
        assert len(jev.requests) == asked + 1, "an issue skips the review"


@pytest.mark.parametrize(("fault", "passing"), REVIEWS)
async def test_a_presentation_outage_shows_codes_own_list(
    temporal: Client, database: Path, jev: FlakyPeer, openai: FlakyPeer, fault: Callable[[], Behaviour], passing: bool
) -> None:
    tries = PRESENTATION_TRIES if passing else 1
    async with connected(temporal, database, decisions=jev.url, language=f"{openai.url}/v1") as desk:
        guest = await desk.open()
        await guest.says(ALL_AT_ONCE)
        asked = len(jev.requests)
        jev.then(GOOD, GOOD, *(fault() for _ in range(tries)))
        reply = await guest.says("search")
        assert len(jev.requests) == asked + 2 + tries
        assert ":\n1. Cascade Beacon Hotel: suite, $" in reply.replies[0]
        entry = (await guest.decisions())[-1]
        assert (entry.boundary, entry.accepted, entry.fallback) == ("presentation", False, "PRESENTATION_DECISION")
        reply = await guest.says("search")
        assert ":\n1. Cascade Beacon Hotel – suite, $" in reply.replies[0], "the draft is back"


@pytest.mark.parametrize(
    ("fault", "tries"),
    [
        pytest.param(PASSING["500"], MODEL_TRIES, id="500"),
        pytest.param(PASSING["reset in the middle"], MODEL_TRIES, id="reset"),
        pytest.param(FOR_GOOD["wrong key"], 1, id="wrong key"),
        pytest.param(lambda: flaky.body(b'{"output":[],"status":"completed"}'), 1, id="empty"),
        pytest.param(lambda: flaky.body(b'{"output":[],"status":"incomplete"}'), 1, id="cut off"),
    ],
)
async def test_a_model_that_is_out_is_replaced_by_the_local_reader_and_by_codes_own_list(
    temporal: Client, database: Path, openai: FlakyPeer, fault: Callable[[], Behaviour], tries: int
) -> None:
    async with connected(temporal, database, language=f"{openai.url}/v1") as desk:
        guest = await desk.open()
        openai.then(*(fault() for _ in range(tries)))
        reply = await guest.says(ALL_AT_ONCE)
        assert reply.state.issues == (), "the local reader has read it all"
        assert len(openai.requests) == tries
        openai.then(*(fault() for _ in range(tries)))
        reply = await guest.says("search")
        assert len(openai.requests) == 2 * tries
        assert ":\n1. Cascade Beacon Hotel: suite, $" in reply.replies[0]
        assert reply.state.active_step == "present"
        out = [entry for entry in await guest.decisions() if entry.fallback]
        assert [(e.boundary, e.fallback, e.model, e.answers, e.accepted) for e in out] == [
            ("router", "COLLECTOR", None, {}, False),
            ("presentation", "DRAFT", None, {}, False),
        ]
        reply = await guest.says("at most 650 a night")
        assert reply.state.criteria["budget"]["max"] == "650"
        assert (await activities(guest))[-1].summary == "Read: budget"
        for line in await guest.transcript():
            assert "model" not in line.text.casefold()


async def test_a_choice_that_no_model_could_read_is_in_the_audit(
    temporal: Client, database: Path, openai: FlakyPeer
) -> None:
    async with connected(temporal, database, language=f"{openai.url}/v1") as desk:
        guest = await desk.open()
        await guest.says(ALL_AT_ONCE)
        await guest.says("search")
        openai.always(flaky.status(401))
        await guest.says("the cheapest one")
        entry = (await guest.decisions())[-1]
        assert (entry.boundary, entry.fallback, entry.model, entry.accepted) == ("router", "COLLECTOR", None, False)


async def test_what_the_local_reader_cannot_read_with_certainty_is_asked_again_and_nothing_is_lost(
    temporal: Client, database: Path, openai: FlakyPeer
) -> None:
    async with connected(temporal, database, language=f"{openai.url}/v1") as desk:
        guest = await desk.open()
        before = (await guest.says(ALL_AT_ONCE)).state.criteria
        openai.always(flaky.status(401))
        reply = await guest.says("around 500 a night")
        assert reply.state.criteria == before
        assert reply.state.active_step == "budget"
        assert "What is the most you would pay" in reply.replies[0]


async def test_a_search_that_is_out_is_said_and_kept_and_works_again_when_asked(
    temporal: Client, database: Path, hotel_server: str
) -> None:
    with FlakyPeer(upstream=hotel_server.removesuffix("/mcp")) as peer:
        peer.always(flaky.status(503))
        async with connected(temporal, database, hotels=f"{peer.url}/mcp") as desk:
            guest = await desk.open()
            before = (await guest.says(ALL_AT_ONCE)).state.criteria
            took = await seconds(guest.says("search"))
            assert took < SEARCH.in_all
            state = await guest.state()
            assert (state.criteria, state.hotels, state.active_step) == (before, (), "router")
            said = (await guest.transcript())[-1].text
            assert said == (
                'I cannot reach the hotel search right now. Your answers are kept: say "search" to try again.'
            )
            searched = (await activities(guest))[-1]
            assert (searched.name, searched.tries, searched.failed) == (
                "search_hotels",
                SEARCH_TRIES,
                "SearchUnavailable",
            )
            assert searched.summary == "Search: 2027-08-03 to 2027-08-09"
            peer.always(GOOD)
            reply = await guest.says("search")
            assert reply.state.active_step == "present"
            assert len(reply.state.hotels) == 5


async def test_every_fallback_can_be_seen_in_the_history(
    temporal: Client, database: Path, jev: FlakyPeer, openai: FlakyPeer
) -> None:
    refused = flaky.status(401)
    async with connected(temporal, database, decisions=jev.url, language=f"{openai.url}/v1") as desk:
        guest = await desk.open()
        jev.always(refused)
        openai.always(refused)
        for text in (ALL_AT_ONCE, "search", "book hotel 1"):
            await guest.says(text)
        assert desk.ledger.reservations() == [], "with everything out, the yes is still the guest's"
        seen = [(activity.summary, activity.failed) for activity in await activities(guest)]
        everything = "dates, budget, room type, amenities, distance"
        out = "DecisionRejected"
        assert seen == [
            ("The settings, for all of this conversation", None),
            ("Where does this message go?", out),
            ("Router is out: routed by rules", None),
            (f"Read: {everything}", "LanguageRejected"),
            (f"Model is out: {everything} read by rules", None),
            ("Where does this message go?", out),
            ("Router is out: routed by rules", None),
            ("Do the criteria reflect the latest requests?", out),
            ("Search: 2027-08-03 to 2027-08-09", None),
            ("Draft: 5 hotels", "LanguageRejected"),
            ("Where does this message go?", out),
            ("Router is out: routed by rules", None),
        ]
        await guest.send("yes")
        assert (await guest.result()).outcome == "booked"
        assert (await activities(guest))[-1].name == "book_room"


SLOW: Mapping[str, Callable[[], Behaviour]] = {"hangs": flaky.hang, "a byte at a time": flaky.drip}


@pytest.mark.drill
@pytest.mark.parametrize("fault", SLOW.values(), ids=SLOW.keys())
async def test_a_provider_that_makes_us_wait_costs_each_boundary_its_own_patience_and_no_more(
    temporal: Client,
    database: Path,
    jev: FlakyPeer,
    openai: FlakyPeer,
    monkeypatch: pytest.MonkeyPatch,
    fault: Callable[[], Behaviour],
) -> None:
    monkeypatch.setattr("tests.house.BOUND", COLLECTOR.in_all + 10)
    async with connected(temporal, database, decisions=jev.url, language=f"{openai.url}/v1") as desk:
        guest = await desk.open()
        jev.always(fault())
        took = await seconds(guest.says("a suite, please"))
        assert ROUTER_DECISION.try_for < took < ROUTER_DECISION.in_all + 2
        assert len(jev.requests) == ROUTER_TRIES
        jev.always(GOOD)
        await guest.says(ALL_AT_ONCE)
        asked = len(jev.requests)
        jev.always(fault())
        jev.then(GOOD)
        took = await seconds(guest.says("search"))
        assert took < READINESS_DECISION.in_all + PRESENTATION_DECISION.in_all + 3
        # The third try of the readiness review is cut short by the bound on all of them, or does not begin.
        assert 1 + 2 + 2 <= len(jev.requests) - asked <= 1 + READINESS_TRIES + PRESENTATION_TRIES
        state = await guest.state()
        assert state.readiness is not None
        assert (state.readiness.by, state.active_step) == ("validation", "present")
        jev.always(GOOD)
        openai.always(fault())
        took = await seconds(guest.says("at most 650 a night"))
        assert took < COLLECTOR.in_all + 3
        assert (await guest.state()).criteria["budget"]["max"] == "650"


@pytest.mark.drill
async def test_a_search_that_hangs_is_given_up_within_its_policy(temporal: Client, database: Path) -> None:
    with FlakyPeer() as peer:
        peer.always(flaky.hang())
        async with connected(temporal, database, hotels=f"{peer.url}/mcp") as desk:
            guest = await desk.open()
            await guest.says(ALL_AT_ONCE)
            id_ = await guest.send("search")
            async with asyncio.timeout(SEARCH.in_all + 4):
                reply = await guest.reply_to(id_)
            assert "cannot reach the hotel search" in reply.replies[0]
