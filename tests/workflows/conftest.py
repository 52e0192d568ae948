"""Servers of the session: the providers', set up anew by each test, and a Temporal server whose time can be moved."""

from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from llmock.testing import LLMockServer
from temporalio.testing import TimeSkippingConfig, WorkflowEnvironment

from hotels.ledger import Ledger
from hotels.mcp_server import build_server
from tests.activities.flaky import FlakyPeer
from tests.activities.servers import Served, SystemOne
from tests.conftest import NO_ARTIFICIAL_WAITS, TEMPORAL
from tests.house import TODAY
from tests.workflows.peers import Judge, model
from workflows.converter import data_converter


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def clockwork() -> AsyncGenerator[WorkflowEnvironment]:
    """A real server on which the time of one conversation can be moved on."""
    switch = ["--dynamic-config-value", "frontend.WorkflowTimeSkippingEnabled=true"]
    environment = await WorkflowEnvironment.start_time_skipping_v2(  # pyright: ignore[reportUnknownMemberType]
        ts_config=TimeSkippingConfig(enabled=False),
        dev_server_existing_path=str(TEMPORAL),
        data_converter=data_converter,
        dev_server_log_level="never",
        dev_server_extra_args=[*NO_ARTIFICIAL_WAITS, *switch],
    )
    async with environment:
        yield environment


@pytest.fixture(scope="session")
def _system_one() -> Iterator[SystemOne]:
    with SystemOne() as server:
        yield server


@pytest.fixture
def judge() -> Judge:
    """What jevcompat's mock answers in this test."""
    return Judge()


@pytest.fixture
def jev(_system_one: SystemOne, judge: Judge) -> Iterator[FlakyPeer]:
    """A peer in front of jevcompat's mock, which answers as the judge says; it counts the requests."""
    _system_one.configure(prefer=judge)
    with FlakyPeer(upstream=_system_one.url) as peer:
        yield peer


@pytest.fixture
def system_one(_system_one: SystemOne, jev: FlakyPeer) -> SystemOne:
    """The mock behind `jev`, for its contract faults."""
    return _system_one


@pytest.fixture
def openai() -> Iterator[FlakyPeer]:
    """A server with OpenAI's API, that reads well and drafts well."""
    with FlakyPeer(answer=model) as peer:
        yield peer


@pytest.fixture(scope="session")
def _llmock() -> Iterator[LLMockServer]:
    with LLMockServer() as server:
        yield server


@pytest.fixture
def llmock(_llmock: LLMockServer) -> LLMockServer:
    """PyPI's fake OpenAI, with an empty journal and nothing queued."""
    _llmock.state.reset()
    return _llmock


@pytest.fixture
def hotel_server(database: Path) -> Iterator[str]:
    """The address of the hotel MCP server that ships with Nightdesk, over the test's own database."""
    ledger = Ledger(f"sqlite:///{database}", business_date=TODAY)
    try:
        with Served(build_server(ledger).streamable_http_app()) as served:
            yield f"{served.url}/mcp"
    finally:
        ledger.close()
