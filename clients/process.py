"""What every process of the program does alike: run, stop and exit."""

import asyncio
import gc
import os
import shlex
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import NoReturn, TypeVar

T = TypeVar("T")

_EXIT_WITHIN_S = 20.0


def run(main: Coroutine[object, object, T]) -> T:
    """`asyncio.run`, and the cure for a crash at exit.

    A Python 3.11 process that has used a Temporal client aborts in 8 to 20 of 100 interpreter exits, its work
    long done (`PyGILState_Release`): what the client holds must be gone before the interpreter is.
    """
    try:
        return asyncio.run(main)
    finally:
        gc.collect()


def leave(code: int) -> NoReturn:
    """End the process with everything written and nothing torn down: the same cure, for the last line of a program."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def as_it_was_run() -> str:
    """The program as a shell here would find it again: what it was called by, short where that works."""
    called = Path(sys.argv[0])
    if called.suffix == ".py":
        return f"{_found(Path(sys.executable))} -m clients.main"
    return _found(called)


def _found(called: Path) -> str:
    if shutil.which(called.name) == str(called.absolute()):
        return called.name
    path = called.absolute()
    if path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return shlex.quote(str(path) if len(path.parts) > 1 else f"./{path}")


def stop_event() -> asyncio.Event:
    """An event that SIGTERM and SIGINT set: for what then finishes its work."""
    stop = asyncio.Event()
    _on_signals(stop.set)
    return stop


async def until_stopped(main: Coroutine[object, object, None]) -> None:
    """Run until the end, or until SIGTERM or SIGINT, at any moment; what was begun is unwound."""
    task = asyncio.create_task(main)
    _on_signals(task.cancel)
    with suppress(asyncio.CancelledError):
        await task


def _on_signals(act: Callable[[], object]) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, act)


def stop_at_end_of_input() -> None:
    """SIGTERM to this very process once its standard input ends: whoever started it is gone, however it died."""

    def watch() -> None:
        while os.read(0, 4096):
            pass
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(_EXIT_WITHIN_S)
        os._exit(1)

    threading.Thread(target=watch, name="stop-at-end-of-input", daemon=True).start()
