"""Servers that live for the session; each test sets them up anew."""

from collections.abc import Iterator

import pytest
from llmock.testing import LLMockServer

from tests.activities.servers import SystemOne


@pytest.fixture(scope="session")
def system_one_server() -> Iterator[SystemOne]:
    """Started once: each start costs."""
    with SystemOne() as server:
        yield server


@pytest.fixture
def system_one(system_one_server: SystemOne) -> SystemOne:
    """jevcompat's mock, clean."""
    system_one_server.configure()
    return system_one_server


@pytest.fixture(scope="session")
def llmock_server() -> Iterator[LLMockServer]:
    """Started once: each start costs."""
    with LLMockServer() as server:
        yield server


@pytest.fixture
def fake_openai(llmock_server: LLMockServer) -> LLMockServer:
    """llmock, with an empty journal and nothing queued."""
    llmock_server.state.reset()
    return llmock_server
