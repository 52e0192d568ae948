"""Decisions over real HTTP: jevcompat's mock with each of its faults, and a peer that misbehaves."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date, timedelta

import pytest
from jevcompat import mock  # pyright: ignore[reportMissingTypeStubs]
from pydantic_core import from_json
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.decide import Decide
from activities.providers.typesafe import TypesafeDecisions
from nightdesk.boundaries import DecideRequest, RouterFacts
from nightdesk.decisions import Choice, Decision, Noul, Question, Score
from nightdesk.failures import DECISION_BAD_ANSWER, DECISION_REJECTED, DECISION_UNAVAILABLE
from tests.activities import flaky
from tests.activities.flaky import FlakyPeer
from tests.activities.samples import outcome, spoiled
from tests.activities.servers import SystemOne

QUESTIONS: dict[str, Question] = {
    "destination": Choice(
        instructions="Where does `request` belong?", options={"dates": "the stay", "Budget": "money", "unclear": "else"}
    ),
    "faithful": Noul(instructions="Is it so?", true="it is", false="it is not"),
    "clarity": Score(instructions="How clear?", levels=("muddled", "passable", "clear")),
}
REQUEST = DecideRequest(
    facts=RouterFacts(
        request="a suite, please",
        prior_requests=("hello",),
        today=date(2027, 1, 10),
        awaiting="room_type",
        criteria={"dates": {"answered": False}},
    ),
    questions=QUESTIONS,
)


async def ask(url: str, *, key: str | None = "k", model: str = "jev-1.13.0", start_to_close: float = 4) -> Decision:
    """One attempt of the activity, on a client of its own."""
    provider = TypesafeDecisions(key, url, model)
    env = ActivityEnvironment()
    env.info = replace(env.info, start_to_close_timeout=timedelta(seconds=start_to_close))
    try:
        return await asyncio.wait_for(env.run(Decide(provider, provider).decide, REQUEST), start_to_close)
    finally:
        await provider.aclose()


async def failing(url: str, *, key: str | None = "k", start_to_close: float = 4) -> ApplicationError:
    """The failure of one attempt."""
    with pytest.raises(ApplicationError) as caught:
        await ask(url, key=key, start_to_close=start_to_close)
    return caught.value


async def test_a_decision_is_checked_and_says_who_answered(system_one: SystemOne):
    system_one.configure(prefer=lambda _, __, option: 6.0 if option in ("dates", "true", "2") else 0.0)
    decision = await ask(system_one.url)
    assert decision.model == "jevcompat-mock-0.1"
    assert decision.choice("destination").choice == "dates"
    assert decision.noul("faithful") > 0.99
    assert decision.score("clarity").score > 1.9
    assert decision.usage.input_tokens > 0
    assert decision.request_id == "req_mock"
    assert system_one.requests == 1


async def test_the_facts_go_as_state_without_our_tag_and_the_questions_as_plain_text(system_one: SystemOne):
    with FlakyPeer(upstream=system_one.url) as peer:
        await ask(f"{peer.url}/", key="secret")
    (request,) = peer.requests
    assert request.path == "/v1/systemone"
    assert request.headers["authorization"] == "Bearer secret"
    assert "content-encoding" not in request.headers
    facts = REQUEST.facts.model_dump(mode="json")
    assert facts.pop("boundary") == "router"
    assert facts["today"] == "2027-01-10"
    assert request.json == {
        "model": "jev-1.13.0",
        "state": facts,
        "questions": {
            "destination": {
                "type": "choice",
                "instructions": "Where does `request` belong?",
                "criteria": {"dates": "the stay", "Budget": "money", "unclear": "else"},
            },
            "faithful": {
                "type": "noul",
                "instructions": "Is it so?",
                "criteria": {"true": "it is", "false": "it is not"},
            },
            "clarity": {
                "type": "score",
                "instructions": "How clear?",
                "criteria": ["muddled", "passable", "clear"],
            },
        },
    }


async def test_a_server_without_keys_is_asked_without_one(system_one: SystemOne):
    assert (await ask(system_one.url, key=None)).model == "jevcompat-mock-0.1"


async def test_an_answer_without_a_request_id_is_used(system_one: SystemOne):
    with FlakyPeer() as peer:
        peer.answer = without_request_id(system_one)
        assert (await ask(peer.url)).request_id is None


def without_request_id(system_one: SystemOne):
    def answer(request: flaky.Request) -> bytes:
        return flaky.response(FlakyPeer(upstream=system_one.url).ask_upstream(request))

    return answer


# Each contract fault of jevcompat: how it ends, or why it cannot touch our requests.
CAUGHT = {
    "wrong-route": DECISION_REJECTED,
    "auth-rejects-header": DECISION_REJECTED,
    "xssi-200": DECISION_BAD_ANSWER,
    "first-question-only": DECISION_BAD_ANSWER,
    "no-usage": DECISION_BAD_ANSWER,
    "float-usage": DECISION_BAD_ANSWER,
    "boolean-type": DECISION_BAD_ANSWER,
    "noul-range": DECISION_BAD_ANSWER,
    "choice-no-confidence": DECISION_BAD_ANSWER,
    "choice-key-case": DECISION_BAD_ANSWER,
    "choice-sum": DECISION_BAD_ANSWER,
    "choice-second": DECISION_BAD_ANSWER,
    "score-no-legend": DECISION_BAD_ANSWER,
    "score-keys-1-based": DECISION_BAD_ANSWER,
    "score-sum": DECISION_BAD_ANSWER,
    "score-argmax": DECISION_BAD_ANSWER,
}
CAUGHT_WITH_A_KEY_ASKED_FOR = {
    "auth-x-api-key": DECISION_REJECTED,
    "auth-invalid-403-text": DECISION_REJECTED,
}
HARMLESS = {
    "plain-content-type": "the SDK reads the body, whatever it is called",
    "text-errors": "errors are told by status alone",
    "error-flat": "errors are told by status alone",
    "validation-400": "errors are told by status alone",
    "models-404": "the list of models is not asked for",
    "auth-plain": "a key is always sent",
    "reject-array-state": "our state is an object",
    "reject-jev-latest": "only with the model jev-latest; its own test below",
    "strict-ids": "our ids are plain words",
    "nfd-keys": "our option names are ASCII",
    "forbid-extra": "nothing extra is sent",
    "string-only-text": "instructions and options are plain strings",
    "noul-two-sided": "both sides of a noul are sent",
    "noul-needs-instructions": "every noul has instructions",
    "no-null-description": "every option is described",
    "cap-64": "far fewer options",
    "cap-5-levels": "three levels",
    "accept-map-score": "levels go as a list",
    "extra-answer": "what nobody asked for is ignored",
    "nan": "in a field that is not read",
    "unprefixed-extra": "in a field that is not read",
    "legend-1-based": "the legend is not read; levels go by the keys of their probabilities",
    "confidence-over": "confidence is computed from the probabilities",
    "confidence-margin": "confidence is computed from the probabilities",
    "500-on-unknown-type": "no unknown type is sent",
    "accept-boolean": "no such type is sent",
    "id-leaks": "cannot be seen in one answer",
    "batch-leaks": "cannot be seen in one answer",
    "order-leaks": "cannot be seen in one answer",
}


def test_every_contract_fault_is_accounted_for():
    tables = (CAUGHT, CAUGHT_WITH_A_KEY_ASKED_FOR, HARMLESS)
    assert sum(len(table) for table in tables) == len(mock.FAULTS)
    assert {fault for table in tables for fault in table} == set(mock.FAULTS)


def leaning(_: object, __: str, option: str) -> float:
    """Answers with a clear order, so that the wrong one is wrong."""
    return {"dates": 2.0, "Budget": 1.0, "true": 1.0, "2": 1.5, "1": 1.0}.get(option, 0.0)


@pytest.mark.parametrize(("fault", "kind"), [*CAUGHT.items(), *CAUGHT_WITH_A_KEY_ASKED_FOR.items()])
async def test_a_contract_fault_is_caught_and_never_used(system_one: SystemOne, fault: str, kind: str):
    key = "other" if fault in CAUGHT_WITH_A_KEY_ASKED_FOR else None
    system_one.configure(fault, key=key, prefer=leaning)
    error = await failing(system_one.url)
    assert (error.type, error.non_retryable) == (kind, True)


@pytest.fixture(scope="module")
async def right(system_one_server: SystemOne) -> Decision:
    """What the mock answers without a fault."""
    system_one_server.configure(prefer=leaning)
    return await ask(system_one_server.url)


@pytest.mark.parametrize("fault", HARMLESS)
async def test_a_fault_that_does_not_touch_us_leaves_the_decision_right(
    right: Decision, system_one: SystemOne, fault: str
):
    system_one.configure(fault, prefer=leaning)
    decision = await ask(system_one.url)
    assert decision.answers == right.answers
    assert decision.choice("destination").choice == "dates"


async def test_a_model_that_the_server_does_not_know_is_permanent(system_one: SystemOne):
    for fault, model in (("reject-jev-latest", "jev-latest"), ("error-flat", "jev-9")):
        system_one.configure(fault)
        with pytest.raises(ApplicationError) as caught:
            await ask(system_one.url, model=model)
        assert (caught.value.type, caught.value.non_retryable) == (DECISION_REJECTED, True)


@pytest.fixture
async def peer(system_one: SystemOne) -> AsyncIterator[FlakyPeer]:
    """In front of jevcompat's mock."""
    with FlakyPeer(upstream=system_one.url) as flaky_peer:
        yield flaky_peer


async def test_no_part_of_an_answer_gone_wrong_is_used(system_one: SystemOne):
    with FlakyPeer(upstream=system_one.url) as peer:
        provider = TypesafeDecisions("k", peer.url, "jev-1.13.0")
        try:
            right = await provider.decide(REQUEST)
            (request,) = peer.requests
            body = from_json(peer.ask_upstream(request))
            for spoilt in spoiled(body):
                peer.always(flaky.body(json.dumps(spoilt).encode()))
                told = await outcome(provider.decide(REQUEST))
                if isinstance(told, ApplicationError):
                    assert (told.type, told.non_retryable) == (DECISION_BAD_ANSWER, True), spoilt
                    continue
                # What may differ is what is not read, or is within the tolerance.
                assert set(told.answers) == set(QUESTIONS), spoilt
                assert told.choice("destination") == right.choice("destination"), spoilt
                assert abs(told.score("clarity").score - right.score("clarity").score) < 0.05, spoilt
                assert 0 <= told.noul("faithful") <= 1, spoilt
        finally:
            await provider.aclose()


TEMPORARY = {
    "hang": flaky.hang(),
    "byte by byte": flaky.drip(),
    "reset at once": flaky.reset(),
    "reset in the body": flaky.reset(after=300),
    "truncated": flaky.truncated(),
    "huge": flaky.huge(),
    "compressed": flaky.zipped(),
    **{f"status {code}": flaky.status(code) for code in (408, 425, 429, 500, 502, 503, 504, 529)},
    "HTML 502": flaky.html(502),
}
PERMANENT = {
    **{f"status {code}": (flaky.status(code), DECISION_REJECTED) for code in (400, 401, 402, 403, 404, 413, 422)},
    "redirect": (flaky.status(307, {"Location": "http://127.0.0.1:9/"}), DECISION_REJECTED),
    "HTML 200": (flaky.html(), DECISION_BAD_ANSWER),
    "an empty object": (flaky.body(b"{}"), DECISION_BAD_ANSWER),
    "no answers": (flaky.body(b'{"model":"m","answers":{},"usage":{}}'), DECISION_BAD_ANSWER),
    "a list": (flaky.body(b"[]"), DECISION_BAD_ANSWER),
    "nothing": (flaky.body(b""), DECISION_BAD_ANSWER),
    "deeply nested": (flaky.body(b"[" * 100_000), DECISION_BAD_ANSWER),
}


@pytest.mark.parametrize("fault", TEMPORARY)
async def test_a_passing_fault_fails_in_time_and_is_worth_a_retry(peer: FlakyPeer, fault: str):
    peer.then(TEMPORARY[fault])
    error = await failing(peer.url, start_to_close=2)
    assert (error.type, error.non_retryable) == (DECISION_UNAVAILABLE, False)
    assert len(peer.requests) == 1
    assert (await ask(peer.url)).model == "jevcompat-mock-0.1"


@pytest.mark.parametrize("fault", PERMANENT)
async def test_a_lasting_fault_is_not_tried_again(peer: FlakyPeer, fault: str):
    behaviour, kind = PERMANENT[fault]
    peer.then(behaviour)
    error = await failing(peer.url)
    assert (error.type, error.non_retryable) == (kind, True)
    assert len(peer.requests) == 1


async def test_nobody_listening_is_worth_a_retry():
    with FlakyPeer() as gone:
        url = gone.url
    error = await failing(url)
    assert (error.type, error.non_retryable) == (DECISION_UNAVAILABLE, False)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "2"}, 2),
        ({"Retry-After-Ms": "1500"}, 1.5),
        ({"Retry-After": "Fri, 31 Dec 2099 23:59:59 GMT"}, 30),
        ({}, None),
    ],
)
@pytest.mark.parametrize("code", [429, 503])
async def test_a_pause_asked_for_reaches_temporal(
    peer: FlakyPeer, code: int, headers: dict[str, str], seconds: float | None
):
    peer.then(flaky.status(code, headers))
    error = await failing(peer.url)
    assert error.next_retry_delay == (timedelta(seconds=seconds) if seconds else None)


async def test_nothing_of_the_server_the_address_or_the_guest_reaches_the_history(peer: FlakyPeer):
    leaky = b'{"detail":{"message":"a suite, please; key k; SECRET"}}'
    for behaviour in (flaky.status(400, body=leaky), flaky.status(500, body=leaky), flaky.html(), flaky.reset()):
        peer.then(behaviour)
        error = await failing(peer.url)
        assert error.__cause__ is None
        assert not any(word in str(error) for word in ("suite", "SECRET", "127.0.0.1", "html"))
        assert error.details == ()


async def test_a_late_answer_within_the_deadline_is_used(peer: FlakyPeer):
    peer.then(flaky.late(0.3))
    assert (await ask(peer.url)).model == "jevcompat-mock-0.1"


async def test_calls_share_one_client_and_overlap(system_one: SystemOne):
    with FlakyPeer(upstream=system_one.url) as peer:
        peer.always(flaky.late(0.5))
        provider = TypesafeDecisions("k", peer.url, "jev-1.13.0", deadline=20)
        started = asyncio.get_running_loop().time()
        try:
            await asyncio.gather(*(provider.decide(REQUEST) for _ in range(5)))
        finally:
            await provider.aclose()
        assert asyncio.get_running_loop().time() - started < 2.0
