"""Real processes for the drills: a Temporal server on a file, and workers; each can be killed and started again."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from temporalio.client import Client
from temporalio.service import RPCError

from clients.stack import worker_polls
from tests.conftest import NO_ARTIFICIAL_WAITS, TEMPORAL
from tests.drills.worker import Config
from workflows.converter import data_converter

WITHIN = 30.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Server:
    """`temporal server start-dev`; without a file it keeps everything in memory."""

    file: Path | None
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def start(self) -> Client:
        """Once it answers."""
        command = [str(TEMPORAL), "server", "start-dev", "--ip", "127.0.0.1", "--port", str(self.port), "--headless"]
        command += ["--log-level", "never", *NO_ARTIFICIAL_WAITS]
        if self.file:
            command += ["--db-filename", str(self.file)]
        self.process = subprocess.Popen(  # noqa: ASYNC220 (its life is longer than this call's)
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        async with asyncio.timeout(WITHIN):
            while True:
                try:
                    client = await Client.connect(self.address, data_converter=data_converter)
                    await client.count_workflows()
                except (RuntimeError, RPCError):
                    await asyncio.sleep(0.05)
                else:
                    return client

    def kill(self) -> None:
        """As a power cut would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(WITHIN)

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(WITHIN)


@dataclass
class WorkerProcess:
    """The worker of `tests.drills.worker`, one process at a time."""

    client: Client
    config: Config
    log: Path
    process: subprocess.Popen[bytes] | None = None

    def spawn(self) -> None:
        """On its way."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.drills.worker", self.config.model_dump_json()],
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONPATH": "."},
            )

    async def start(self) -> float:
        """Once it asks for work; when that was."""
        self.spawn()
        assert self.process is not None
        async with asyncio.timeout(WITHIN):
            while not await worker_polls(self.client, self.config.task_queue, self.process.pid):
                assert self.process.poll() is None, self.log.read_text()
                await asyncio.sleep(0.02)
        return time.monotonic()

    async def killed(self) -> None:
        """Wait until it has killed itself."""
        assert self.process is not None
        assert await asyncio.to_thread(self.process.wait, WITHIN) == -signal.SIGKILL, self.log.read_text()

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(WITHIN)

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(WITHIN)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(WITHIN)

    @property
    def megabytes(self) -> float:
        """Resident."""
        assert self.process is not None
        return psutil.Process(self.process.pid).memory_info().rss / 1e6


@asynccontextmanager
async def stack(
    folder: Path, database: Path, *, on_disk: bool = True, continue_after: int = 200, cut_off: bool = False
) -> AsyncGenerator[tuple[Server, WorkerProcess]]:
    """A server and a worker that runs."""
    server = Server(folder / "temporal.sqlite" if on_disk else None)
    client = await server.start()
    config = Config(
        address=server.address,
        task_queue="drill",
        database=str(database),
        armed=str(folder / "armed"),
        continue_after=continue_after,
        cut_off=cut_off,
    )
    worker = WorkerProcess(client, config, folder / "worker.log")
    try:
        await worker.start()
        yield server, worker
    finally:
        worker.stop()
        server.stop()
