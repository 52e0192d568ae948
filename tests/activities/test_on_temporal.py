"""The activities on a real Temporal server: what its timeouts, heartbeats and retries make of a failing provider."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from llmock.scenarios import Fail, Reply
from llmock.testing import LLMockServer
from llmock.verdict import judge
from temporalio import workflow
from temporalio.client import Client, WorkflowFailureError
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError, ApplicationError
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from activities.converse import Converse
from activities.decide import Decide
from activities.providers.openai_language import OpenAILanguage
from activities.providers.typesafe import TypesafeDecisions
from nightdesk.boundaries import ConverseRequest, DecideRequest, ModelTurn
from nightdesk.decisions import Decision
from nightdesk.failures import DECISION_UNAVAILABLE, LANGUAGE_REJECTED, PERMANENT
from tests.activities import flaky
from tests.activities.flaky import FlakyPeer
from tests.activities.servers import SystemOne
from tests.activities.test_openai_language import READ
from tests.activities.test_typesafe import REQUEST


def options(start_to_close: float, in_all: float, tries: int) -> dict[str, Any]:
    return {
        "start_to_close_timeout": timedelta(seconds=start_to_close),
        "schedule_to_close_timeout": timedelta(seconds=in_all),
        "heartbeat_timeout": timedelta(seconds=2),
        "retry_policy": RetryPolicy(
            initial_interval=timedelta(seconds=0.5), maximum_attempts=tries, non_retryable_error_types=list(PERMANENT)
        ),
    }


@workflow.defn
class AskOnce:
    """One decision, as the router asks for it."""

    @workflow.run
    async def run(self, request: DecideRequest) -> Decision:
        return await workflow.execute_activity_method(Decide.decide, request, **options(4, 9, 2))


@workflow.defn
class ReadOnce:
    """One reading, as a collector asks for it."""

    @workflow.run
    async def run(self, request: ConverseRequest) -> ModelTurn:
        return await workflow.execute_activity_method(Converse.converse, request, **options(5, 15, 3))


@asynccontextmanager
async def working(client: Client, activity: Callable[..., Any], flow: type) -> AsyncGenerator[Callable[[Any], Any]]:
    """A worker for one activity; runs the workflow and gives its result."""
    queue = str(uuid.uuid4())

    def run(request: Any) -> Any:
        return client.execute_workflow(flow.__name__, request, id=str(uuid.uuid4()), task_queue=queue, result_type=None)

    async with Worker(
        client, task_queue=queue, workflows=[flow], activities=[activity], workflow_runner=UnsandboxedWorkflowRunner()
    ):
        yield run


@asynccontextmanager
async def deciding(client: Client, url: str) -> AsyncGenerator[Callable[[Any], Any]]:
    provider = TypesafeDecisions("k", url, "jev-1.13.0")
    try:
        async with working(client, Decide(provider, provider).decide, AskOnce) as run:
            yield run
    finally:
        await provider.aclose()


async def application_error(running: Any) -> ApplicationError:
    """What the activity itself failed with, in the end."""
    with pytest.raises(WorkflowFailureError) as caught:
        await running
    assert isinstance(caught.value.cause, ActivityError)
    cause = caught.value.cause.cause
    assert isinstance(cause, ApplicationError)
    return cause


async def test_a_slow_answer_outlives_the_heartbeat_timeout(temporal: Client, system_one: SystemOne):
    with FlakyPeer(upstream=system_one.url) as peer:
        peer.then(flaky.late(3))
        async with deciding(temporal, peer.url) as ask:
            assert (await ask(REQUEST))["model"] == "jevcompat-mock-0.1"
        assert len(peer.requests) == 1


@pytest.mark.drill
async def test_a_provider_that_hangs_is_tried_as_often_as_the_policy_says_and_tells_so_itself(temporal: Client):
    with FlakyPeer() as peer:
        peer.always(flaky.hang())
        async with deciding(temporal, peer.url) as ask:
            started = asyncio.get_running_loop().time()
            error = await application_error(ask(REQUEST))
            assert asyncio.get_running_loop().time() - started < 9.5
        assert (error.type, error.message) == (DECISION_UNAVAILABLE, "no answer in time")
        assert len(peer.requests) == 2


async def test_a_pause_longer_than_the_policys_patience_ends_it_at_once(temporal: Client):
    with FlakyPeer() as peer:
        peer.always(flaky.status(429, {"Retry-After": "Fri, 31 Dec 2099 23:59:59 GMT"}))
        async with deciding(temporal, peer.url) as ask:
            started = asyncio.get_running_loop().time()
            error = await application_error(ask(REQUEST))
            assert asyncio.get_running_loop().time() - started < 3
        assert error.type == DECISION_UNAVAILABLE
        assert len(peer.requests) == 1


async def test_a_decision_is_asked_for_again_after_a_passing_fault(temporal: Client, system_one: SystemOne):
    with FlakyPeer(upstream=system_one.url) as peer:
        peer.then(flaky.reset())
        async with deciding(temporal, peer.url) as ask:
            assert (await ask(REQUEST))["model"] == "jevcompat-mock-0.1"
        assert len(peer.requests) == 2


async def test_llmock_finds_nothing_wrong_with_how_we_try_again(temporal: Client, fake_openai: LLMockServer):
    provider = OpenAILanguage("k", fake_openai.base_url(), "gpt-6-luna")
    another = READ.model_copy(update={"guidance": "Once more."})
    third = READ.model_copy(update={"guidance": "And again."})
    try:
        async with working(temporal, Converse(provider, provider).converse, ReadOnce) as read:
            fake_openai.state.scenarios.add(Fail(429, retry_after=2), Reply(text="ok"))
            await read(READ)
            fake_openai.state.scenarios.add(Fail(500), Fail(503), Reply(text="ok"))
            await read(another)
            fake_openai.state.scenarios.add(Fail(400))
            assert (await application_error(read(third))).type == LANGUAGE_REJECTED
    finally:
        await provider.aclose()
    verdict = judge(fake_openai.state.journal.records(wait=2))
    assert [len(call.attempts) for call in verdict.calls] == [2, 3, 1]
    verdict.assert_ok(strict=True)
