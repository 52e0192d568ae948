"""A child process of the stack: its log file, its end, and its new start when it was killed."""

import asyncio
import os
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from clients.failures import CannotGoOn

_GUARD = Path(__file__).with_name("guard.py")
_KILL_AFTER_S = 15.0
_FIRST_BACK_OFF_S = 0.2
_LONGEST_BACK_OFF_S = 10.0
_HEALTHY_AFTER_S = 20.0
_POLL_S = 0.05

Ready = Callable[[], Awaitable[bool]]


def our_command(*arguments: str) -> list[str]:
    """A command of this program as a child, which stops when its standard input ends, if not before."""
    command = [sys.executable, "-P", "-m", "clients.main", *arguments, "--until-eof"]
    return foreign_command(*command) if sys.platform == "linux" else command


def foreign_command(*command: str) -> list[str]:
    """Another program as a child, started by the guard so that it does not outlive this process."""
    return [sys.executable, "-E", "-P", "-S", str(_GUARD), str(os.getpid()), *command]


class Child:
    """One program that is kept running. Its standard input is a pipe that ends when this process does."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        logs: Path,
        tell: Callable[[str], None] | None = None,
        inherited: Sequence[int] = (),
    ) -> None:
        """`tell` gets a line each time that it has to be started again. `inherited` are open descriptors."""
        self.name = name
        self.log = logs / f"{name}.log"
        self.restarts = 0
        self._command = command
        self._tell = tell
        self._inherited = inherited
        self._environment = dict(environment)
        self._process: asyncio.subprocess.Process | None = None
        self._supervisor: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int:
        """The process as it runs now. Where the guard stays beside a foreign program, the guard."""
        if self._process is None:
            raise RuntimeError(f"{self.name} was not started")
        return self._process.pid

    async def start(self, ready: Ready, within: float) -> None:
        """Start it and wait until it answers; from then on it is started again whenever it ends.

        Raises CannotGoOn with the end of its log when it exits or does not answer within `within` seconds.
        """
        self.log.parent.mkdir(parents=True, exist_ok=True)
        if self.log.exists():
            self.log.replace(self.log.with_suffix(".log.1"))
        await self._spawn()
        give_up = time.monotonic() + within
        while not await ready():
            if self._process is not None and self._process.returncode is not None:
                raise CannotGoOn(f"{self.name} ended at once (exit code {self._process.returncode}){self._tail()}")
            if time.monotonic() > give_up:
                raise CannotGoOn(f"{self.name} does not answer after {within:g} s{self._tail()}")
            await asyncio.sleep(_POLL_S)
        self._supervisor = asyncio.create_task(self._keep_running())

    async def stop(self) -> None:
        """Ask it to end, wait, and insist after a while."""
        if self._supervisor is not None:
            self._supervisor.cancel()
            with suppress(asyncio.CancelledError):
                await self._supervisor
        process = self._process
        if process is None or process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            process.terminate()
        try:
            async with asyncio.timeout(_KILL_AFTER_S):
                await process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _spawn(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            # The kernel ends a child together with the thread that started it.
            raise RuntimeError("children are started by the main thread")
        with self.log.open("ab") as log:
            # A session of its own: Ctrl-C reaches the stack alone, which then stops its children in order.
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=self._environment,
                pass_fds=self._inherited,
                start_new_session=True,
            )

    async def _keep_running(self) -> None:
        back_off = _FIRST_BACK_OFF_S
        while True:
            assert self._process is not None
            started = time.monotonic()
            code = await self._process.wait()
            if time.monotonic() - started > _HEALTHY_AFTER_S:
                back_off = _FIRST_BACK_OFF_S
            told = f"{self.name} ended (exit code {code}), started again in {back_off:g} s"
            with self.log.open("a", encoding="utf-8") as log:
                log.write(f"--- {told}\n")
            if self._tell is not None:
                self._tell(f"{told} (see {self.log})")
            await asyncio.sleep(back_off)
            back_off = min(back_off * 2, _LONGEST_BACK_OFF_S)
            self.restarts += 1
            await self._spawn()

    def _tail(self) -> str:
        """The last line of the log that says something, and where the rest is."""
        try:
            with self.log.open("rb") as log:
                log.seek(max(0, os.path.getsize(self.log) - 4096))
                lines = log.read().decode(errors="replace").strip().splitlines()
        except OSError:
            lines = []
        said = f": {lines[-1].strip().removeprefix('nightdesk: ')[:300]}" if lines else ""
        return f"{said} (see {self.log})"
