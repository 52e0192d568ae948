"""The embedded stack as real processes: it starts, heals, refuses and ends."""

import asyncio
import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import httpx2
import psutil
import pytest

from clients.children import Child, our_command
from clients.failures import CannotGoOn
from clients.holder import GOING_DOWN, Busy, Holder
from clients.stack import Ports, Stack, answers_as, running, worker_polls
from clients.state import StackInfo, publish, running_stack
from settings import Settings, load_settings
from tests.clients.conftest import ANY, INFO, clean_environment, gone, until, wait_for

UP = [sys.executable, "-m", "clients.main", "up", "--temporal-port", "0", "--ui-port", "0", "--hotels-port", "0"]


@contextmanager
def left_behind(state: Path) -> Generator[IO[bytes]]:
    """In place of a process of a killed stack that still runs: gone when it is closed."""
    with (state / "lock.children").open("ab") as left:
        fcntl.flock(left, fcntl.LOCK_EX)
        yield left


def test_up_prints_one_line_and_leaves_nothing_behind_however_it_ends(tmp_path: Path) -> None:
    """`kill -9` is the hardest end; SIGTERM is the usual one. The second one listens where the first one did.

    Each waits for what is left of a stack before it, which the test stands for, and says so in a line.
    """
    addresses: list[tuple[str, str, str]] = []
    # 0 is any other one each time; without a wish the last one comes before the usual one.
    command = UP
    for sign, code in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGTERM, 0)):
        with (
            left_behind(tmp_path) as left,
            subprocess.Popen(
                [*command, "--no-worker", "--state", str(tmp_path)],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env=clean_environment(TEMPORAL_PROFILE="nobody", TEMPORAL_API_KEY=""),
            ) as up,
        ):
            assert up.stderr is not None
            assert up.stderr.readline() == f"nightdesk: {GOING_DOWN}\n"
            holder = Holder.model_validate_json((tmp_path / "lock").read_bytes())
            assert (holder.pid, holder.command.endswith("clients.main up")) == (up.pid, True)
            left.close()
            assert up.stdout is not None
            info = json.loads(up.stdout.readline())
            assert info.keys() == {
                "temporal",
                "ui",
                "hotels",
                "namespace",
                "task_queue",
                "database",
                "worker_pid",
            }
            addresses.append((info["temporal"], info["ui"], info["hotels"]))
            command = UP[:4]
            assert (info["namespace"], info["task_queue"], info["worker_pid"]) == ("default", "nightdesk", None)
            assert info["database"] == f"sqlite:///{tmp_path}/hotels.sqlite"
            children = psutil.Process(up.pid).children(recursive=True)
            assert {"temporal"} <= {child.name() for child in children}
            up.send_signal(sign)
            assert up.wait(30) == code
            assert (up.stdout.read(), up.stderr.read()) == ("", "")
            wait_for(lambda: all(gone(child.pid) for child in children))  # noqa: B023 (waited for in this round)
        assert running_stack(tmp_path) is None
    assert addresses[0] == addresses[1]


async def test_a_killed_worker_is_started_again(stack: Stack) -> None:
    first = stack.info.worker_pid
    assert first is not None
    parent = psutil.Process()
    os.kill(first, signal.SIGKILL)

    def worker_now() -> int | None:
        found = [child for child in parent.children() if child.pid != first and "worker" in child.cmdline()[-2:]]
        return found[0].pid if found else None

    async def back() -> bool:
        pid = worker_now()
        return pid is not None and await worker_polls(stack.client, stack.info.task_queue, pid)

    await until(back, 30)


async def test_two_stacks_do_not_share_a_state_folder(stack: Stack, stack_settings: Settings) -> None:
    with pytest.raises(Busy, match=rf"another nightdesk runs on \S+: `nightdesk up`, process {os.getpid()}, since 20"):
        async with running(stack_settings, ANY):
            pass
    assert running_stack(stack_settings.state) == stack.info


async def test_every_child_has_the_lock_of_the_folder_and_only_the_stack_the_other(
    stack: Stack, stack_settings: Settings
) -> None:
    """So that the folder is free when the last of them is gone, and not before."""
    assert stack.info.worker_pid is not None
    mine = {Path(file.path).name for file in psutil.Process().open_files()}
    assert {"lock", "lock.children"} <= mine

    def of_the_stack(child: psutil.Process) -> bool:
        return str(stack_settings.state) in (child.environ().get("NIGHTDESK_STATE", "") + " ".join(child.cmdline()))

    children = [child for child in psutil.Process().children() if of_the_stack(child)]
    assert len(children) == 3
    for child in children:
        held = {Path(file.path).name for file in child.open_files() if Path(file.path).parent == stack_settings.state}
        assert held & {"lock", "lock.children"} == {"lock.children"}


async def test_while_the_stack_before_is_waited_for_its_address_is_not_given_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clients.holder._GONE_WITHIN_S", 0.1)
    settings = load_settings(state=tmp_path, dotenv=None)
    publish(tmp_path, INFO)
    shown: list[StackInfo | None] = []
    with left_behind(tmp_path), pytest.raises(CannotGoOn, match="have not ended within"):
        async with running(settings, ANY, waiting=lambda _: shown.append(running_stack(tmp_path))):
            pass
    assert shown == [None]
    assert sorted(os.listdir(tmp_path)) == ["lock", "lock.children"]


async def test_children_are_started_by_the_main_thread_alone(tmp_path: Path) -> None:
    """On Linux a child ends together with the thread that started it."""
    child = Child("sleeper", [sys.executable, "-c", "import time; time.sleep(60)"], os.environ, tmp_path)

    async def at_once() -> bool:
        return True

    with pytest.raises(RuntimeError, match="main thread"):
        await asyncio.to_thread(lambda: asyncio.run(child.start(at_once, 5)))


async def test_a_port_in_use_is_said(stack_settings: Settings, tmp_path: Path) -> None:
    own = stack_settings.model_copy(update={"state": tmp_path})
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotGoOn, match=f"port {port} is in use"):
            async with running(own, Ports(temporal=port)):
                pass


async def test_a_child_that_cannot_start_is_reported_by_its_own_words(tmp_path: Path) -> None:
    environment = clean_environment(TEMPORAL_ADDRESS="127.0.0.1:1", NIGHTDESK_STATE=str(tmp_path / "none"))
    child = Child("worker", our_command("worker"), environment, tmp_path)

    async def never() -> bool:
        return False

    with pytest.raises(CannotGoOn, match=r"worker ended at once \(exit code 1\): there is .*database upgrade"):
        await child.start(never, 30)
    await child.stop()


async def test_a_child_that_is_started_again_is_told_in_one_line(tmp_path: Path) -> None:
    told: list[str] = []
    sleeper = [sys.executable, "-c", "import time; time.sleep(60)"]
    child = Child("sleeper", sleeper, os.environ, tmp_path, told.append)

    async def at_once() -> bool:
        return True

    async def again() -> bool:
        return child.pid != first

    await child.start(at_once, 5)
    first = child.pid
    os.kill(first, signal.SIGKILL)
    await until(again)
    await child.stop()
    assert told == [f"sleeper ended (exit code -9), started again in 0.2 s (see {tmp_path}/sleeper.log)"]


async def test_a_child_that_hangs_is_given_up(tmp_path: Path) -> None:
    child = Child("sleeper", [sys.executable, "-c", "import time; time.sleep(60)"], os.environ, tmp_path)

    async def never() -> bool:
        return False

    with pytest.raises(CannotGoOn, match=r"sleeper does not answer after 0.2 s"):
        await child.start(never, 0.2)
    await child.stop()
    assert gone(child.pid)


async def test_a_server_that_somebody_else_started_is_not_taken_for_ours(stack: Stack) -> None:
    """Two stacks that start at the same moment may choose the same port; one of them gets it."""
    health = stack.info.hotels.replace("/mcp", "/health")
    async with httpx2.AsyncClient(trust_env=False) as http:
        pid = (await http.get(health)).json()["pid"]
    assert await answers_as(health, pid)
    assert not await answers_as(health, pid + 1)
    assert not await answers_as("http://127.0.0.1:1/health", pid)
