"""Who has the state folder: the stack that lives on it, and what is left of the one that ran there before.

Two locks, both freed by the kernel at any kind of death. `lock` belongs to the stack's own process alone, and its
text says who that is: while it is held, a stack lives here. `lock.children` is inherited by every child: while it is
held, a process of some stack still runs here and may have the server's file open.
"""

import asyncio
import fcntl
import os
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import ExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from pydantic import AwareDatetime, ValidationError

from clients.failures import CannotGoOn
from clients.folder import unusable
from nightdesk.model import Frozen

GOING_DOWN = "the stack that ran here before is still going down; waiting"

_PATIENCE_S = 0.3
"""Whoever only looks holds the lock too, for a moment."""
_GONE_WITHIN_S = 20.0
"""A worker that is stopped in order may finish its activities for 10 s, and the server ends after it."""
_POLL_S = 0.02


class Busy(CannotGoOn):
    """Another stack lives on this state folder."""


class Holder(Frozen):
    """The process that has the folder, since when, and the command that it was started by."""

    pid: int
    since: AwareDatetime
    command: str


class Held:
    """The folder in this process's hands."""

    def __init__(self, state: Path, own: IO[bytes], shared: IO[bytes]) -> None:
        self._state = state
        self._own = own
        self._shared = shared

    @property
    def inherited(self) -> int:
        """The descriptor that each child has to inherit."""
        return self._shared.fileno()

    async def alone(self, tell: Callable[[str], None]) -> None:
        """Once nothing of an earlier stack runs any more; `tell` gets a line when that has to be waited for.

        Raises CannotGoOn when it takes too long.
        """
        if _take(self._shared):
            return
        tell(GOING_DOWN)
        if not await _taken(self._shared, _GONE_WITHIN_S):
            raise CannotGoOn(
                f"processes of the stack that ran on {self._state} before have not ended within {_GONE_WITHIN_S:g} s: "
                "end them, or choose another --state"
            )

    def leave(self) -> None:
        """No stack lives here any more; what is left of it is on its way down, and the next start waits for that."""
        self._own.close()


@asynccontextmanager
async def holding(state: Path, command: str) -> AsyncGenerator[Held]:
    """The folder, which has to exist, for a stack of this process. Raises Busy, CannotGoOn."""
    with ExitStack() as closing:
        own = closing.enter_context(_opened(state, "lock"))
        if not await _taken(own, _PATIENCE_S):
            raise Busy(f"another nightdesk runs on {state}{_told(own)}; stop it, or choose another --state")
        holder = Holder(pid=os.getpid(), since=datetime.now(UTC), command=command)
        os.ftruncate(own.fileno(), 0)
        os.pwrite(own.fileno(), holder.model_dump_json().encode(), 0)
        # Closed and never unlocked: to unlock would take it from the children too.
        yield Held(state, own, closing.enter_context(_opened(state, "lock.children")))


def lives(state: Path) -> bool:
    """Whether a stack lives on the folder; one that is going down does not. Raises CannotGoOn."""
    if not state.is_dir():
        return False
    with _opened(state, "lock") as own:
        return not _take(own, fcntl.LOCK_SH)  # shared: two who look do not take each other for a stack


def _told(own: IO[bytes]) -> str:
    try:
        holder = Holder.model_validate_json(os.pread(own.fileno(), 4096, 0))
    except ValidationError:  # a release that leaves the file empty
        return ""
    since = holder.since.astimezone().strftime("%Y-%m-%d %H:%M:%S")
    return f": `{holder.command}`, process {holder.pid}, since {since}"


def _opened(state: Path, name: str) -> IO[bytes]:
    try:
        # Not "w": whoever is refused must find the other's text, and leave it as it is.
        return os.fdopen(os.open(state / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666), "r+b", buffering=0)
    except OSError as error:
        raise unusable(state, error) from None


async def _taken(lock: IO[bytes], within: float) -> bool:
    """Asked again and again: no event tells when a lock becomes free, and to wait in flock would have no end."""
    give_up = time.monotonic() + within
    while not _take(lock):
        if time.monotonic() > give_up:
            return False
        await asyncio.sleep(_POLL_S)
    return True


def _take(lock: IO[bytes], kind: int = fcntl.LOCK_EX) -> bool:
    try:
        fcntl.flock(lock, kind | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
