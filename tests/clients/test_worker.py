"""One worker as a process: what it refuses to start without, how it ends, what it serves."""

import asyncio
import base64
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Generator
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import SecretBytes
from temporalio.client import Client

from clients.conversation import begin
from clients.failures import CannotGoOn
from clients.sentinels import need_every_key
from clients.stack import need_polling_worker, worker_polls
from hotels.ledger import Ledger
from settings import EncryptionKey
from tests.clients.conftest import clean_environment, until

ROOT = Path(__file__).parent.parent.parent
WORKER = [sys.executable, str(ROOT / "worker.py")]

Start = Callable[..., subprocess.Popen[str]]


def address_of(client: Client) -> str:
    return client.service_client.config.target_host


@pytest.fixture
def variables(temporal: Client, database: Path) -> dict[str, str]:
    """All that a worker needs, on a queue of its own."""
    return {
        "TEMPORAL_ADDRESS": address_of(temporal),
        "NIGHTDESK_DATABASE_URL": f"sqlite:///{database}",
        "NIGHTDESK_TASK_QUEUE": f"worker-{database.parent.name}",
    }


@pytest.fixture
def start(variables: dict[str, str], tmp_path: Path) -> Generator[Start]:
    """Starts a worker with these variables changed; it is gone after the test, whatever happens in it."""
    started: list[subprocess.Popen[str]] = []

    def one(**changes: str) -> subprocess.Popen[str]:
        with (tmp_path / f"error-{len(started)}").open("w") as error:
            process = subprocess.Popen(
                WORKER,
                env=clean_environment(**{**variables, **changes}),
                stdout=subprocess.DEVNULL,
                stderr=error,
                text=True,
            )
        started.append(process)
        return process

    yield one
    for process in started:
        process.kill()
        process.wait()


def said(tmp_path: Path, place: int = 0) -> str:
    """What the worker wrote to standard error."""
    return (tmp_path / f"error-{place}").read_text()


def test_it_refuses_to_start_in_one_line_that_says_what_is_missing(
    start: Start, database: Path, tmp_path: Path
) -> None:
    """Side by side, as each start costs seconds."""
    (tmp_path / "empty.sqlite").touch()
    ledger = Ledger(f"sqlite:///{database}")
    need_every_key((EncryptionKey(id="in-use", secret=SecretBytes(b"k" * 32)),), ledger)
    ledger.close()
    key = {"NIGHTDESK_ENCRYPTION_KEYS": f"in-use:{base64.b64encode(b'k' * 32).decode()}"}
    told = {
        "NIGHTDESK_ENCRYPTION_KEYS: lacks a key in use: in-use": start(),
        "run `nightdesk database upgrade`": start(NIGHTDESK_DATABASE_URL=f"sqlite:///{tmp_path}/empty.sqlite"),
        "no Temporal server answers at 127.0.0.1:1": start(**key, TEMPORAL_ADDRESS="127.0.0.1:1"),
        "has no namespace 'elsewhere'": start(**key, TEMPORAL_NAMESPACE="elsewhere"),
    }
    for place, (text, process) in enumerate(told.items()):
        assert process.wait(timeout=60) == 1
        assert text in said(tmp_path, place)
        assert said(tmp_path, place).count("\n") == 1


async def test_it_serves_metrics_and_ends_on_sigterm_with_exit_code_0(
    temporal: Client, variables: dict[str, str], start: Start, tmp_path: Path
) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = start(NIGHTDESK_METRICS=f"127.0.0.1:{port}", NIGHTDESK_LOG_FORMAT="json")
    queue = variables["NIGHTDESK_TASK_QUEUE"]
    await until(lambda: worker_polls(temporal, queue, process.pid), 40)
    conversation, _ = await begin(temporal, queue, f"on-{queue}", None, None)
    await asyncio.wait_for(conversation.answered(await conversation.send("Hi")), 20)

    async def measured() -> bool:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:  # noqa: ASYNC210
            text = answer.read().decode()
        return "nightdesk_oldest_unanswered" in text and "temporal_workflow_task_execution_latency" in text

    await until(measured)
    process.send_signal(signal.SIGTERM)
    assert await asyncio.to_thread(process.wait, 30) == 0
    assert '"stopped"' in said(tmp_path).splitlines()[-1]


@pytest.mark.parametrize("build", ["", "1.0"])
async def test_check_tells_whether_a_worker_on_this_machine_asks_for_work(
    temporal: Client, variables: dict[str, str], start: Start, build: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def checked() -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-m", "clients.main", "worker", "--check"],
            env=clean_environment(**variables),
            capture_output=True,
            text=True,
            timeout=30,
        )
        return done.returncode, done.stdout + done.stderr

    queue = variables["NIGHTDESK_TASK_QUEUE"]
    none = f"nightdesk: no worker on this machine asks for work on queue {queue}\n"
    assert await asyncio.to_thread(checked) == (1, none)
    process = start(NIGHTDESK_BUILD_ID=build)
    await until(lambda: worker_polls(temporal, queue, process.pid), 40)
    assert await asyncio.to_thread(checked) == (0, "")
    monkeypatch.setattr("clients.stack._POLLED_WITHIN", timedelta(0))
    with pytest.raises(CannotGoOn, match="no worker on this machine"):
        await need_polling_worker(temporal, queue)  # it has polled, but too long ago
    monkeypatch.undo()
    monkeypatch.setattr("platform.node", lambda: "elsewhere")
    with pytest.raises(CannotGoOn, match="no worker on this machine"):
        await need_polling_worker(temporal, queue)


async def test_a_killed_workers_conversation_is_answered_by_another_one_within_6_s(
    temporal: Client, variables: dict[str, str], start: Start
) -> None:
    queue = variables["NIGHTDESK_TASK_QUEUE"]
    first = start()
    await until(lambda: worker_polls(temporal, queue, first.pid), 40)
    conversation, _ = await begin(temporal, queue, f"on-{queue}", None, None)
    await asyncio.wait_for(conversation.answered(await conversation.send("Hi")), 20)
    second = start()
    await until(lambda: worker_polls(temporal, queue, second.pid), 40)
    first.kill()
    first.wait()
    async with asyncio.timeout(6):
        await conversation.answered(await conversation.send("August 1 through August 8, 2027"))
    assert (await conversation.state())["active_step"] == "budget"


def test_the_workflow_imports_no_providers_sdk() -> None:
    """What the sandbox would have to load again for each conversation, or pass through unchecked."""
    code = (
        "import sys, workflows.booking_conversation;"
        "print(sorted({'openai', 'mcp', 'typesafe_sdk', 'httpx2', 'settings'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "[]\n"
