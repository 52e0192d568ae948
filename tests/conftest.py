"""What tests of every room may use: one Temporal server for the session, and a seeded hotel database."""

import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from temporalio.client import Client
from temporalio.testing import WorkflowEnvironment

from hotels.ledger import upgrade
from tests import house as houses
from workflows.converter import data_converter

TEMPORAL = Path(sys.executable).with_name("temporal")
NO_ARTIFICIAL_WAITS = (
    "--dynamic-config-value",
    "history.transferProcessorMaxPollRPS=2000",
    "--dynamic-config-value",
    'history.timerProcessorMaxTimeShift="1ms"',
    "--dynamic-config-value",
    'history.workflowIdReuseMinimalInterval="0s"',
)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def temporal() -> AsyncGenerator[Client]:
    """A client of a real server, in memory, that lives as long as the tests."""
    environment = await WorkflowEnvironment.start_local(  # pyright: ignore[reportUnknownMemberType] (the SDK's own)
        dev_server_existing_path=str(TEMPORAL),
        data_converter=data_converter,
        dev_server_log_level="never",
        dev_server_extra_args=list(NO_ARTIFICIAL_WAITS),
    )
    async with environment:
        yield environment.client


@pytest.fixture(scope="session")
def seeded_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hotel database with the catalogue in it, to be copied."""
    path = tmp_path_factory.mktemp("seeded") / "hotels.db"
    upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture
def database(seeded_database: Path, tmp_path: Path) -> Path:
    """A seeded hotel database of the test's own."""
    return houses.copied(seeded_database, tmp_path)


@pytest_asyncio.fixture(loop_scope="session")
async def desk(temporal: Client, database: Path) -> AsyncGenerator[houses.House]:
    """A house with the local providers."""
    async with houses.house(temporal, database) as opened:
        yield opened
