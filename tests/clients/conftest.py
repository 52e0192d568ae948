"""For the tests of the program: no variable of ours from outside, and a whole stack for the session."""

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from clients.stack import Ports, Stack, running
from clients.state import StackInfo
from settings import Settings, load_settings

OURS = ("NIGHTDESK_", "TYPESAFE_", "OPENAI_", "TEMPORAL_")
ANY = Ports(0, 0, 0)
TODAY = "2026-01-15"
INFO = StackInfo(
    temporal="127.0.0.1:1",
    ui=None,
    hotels="http://127.0.0.1:1/mcp",
    namespace="default",
    task_queue="nightdesk",
    database="sqlite:///x",
    worker_pid=None,
)
"""What a stack that answers nowhere says of itself."""


def clean_environment(**changes: str) -> dict[str, str]:
    """For a child process: nothing of ours but these."""
    return {name: value for name, value in os.environ.items() if not name.startswith(OURS)} | changes


@pytest.fixture(scope="session", autouse=True)
def nothing_from_outside() -> None:
    """Whatever the person who runs the tests has exported stays out of them."""
    for name in [name for name in os.environ if name.startswith(OURS)]:
        del os.environ[name]


@pytest.fixture(scope="session")
def stack_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings with a state folder of their own and a pinned date."""
    os.environ["NIGHTDESK_BUSINESS_DATE"] = TODAY
    try:
        return load_settings(state=tmp_path_factory.mktemp("state"), dotenv=None)
    finally:
        del os.environ["NIGHTDESK_BUSINESS_DATE"]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def stack(stack_settings: Settings) -> AsyncGenerator[Stack]:
    """Temporal server, hotel server and worker as real processes."""
    os.environ["NIGHTDESK_BUSINESS_DATE"] = TODAY
    try:
        async with running(stack_settings, ANY) as started:
            yield started
    finally:
        del os.environ["NIGHTDESK_BUSINESS_DATE"]


async def until(holds: Callable[[], Awaitable[bool]], seconds: float = 20) -> None:
    """Until it holds; there is nothing to be told by, so it is asked again."""
    async with asyncio.timeout(seconds):
        while not await holds():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def gone(pid: int) -> bool:
    """Whether a process has ended."""
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def wait_for(holds: Callable[[], bool], seconds: float = 20) -> None:
    """Until it holds; there is nothing to be told by, so it is asked again."""
    give_up = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < give_up, "it did not happen in time"
        time.sleep(0.02)
