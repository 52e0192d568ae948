"""Who has the state folder: a living stack is named, one that is going down is waited for."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from clients import holder
from clients.failures import CannotGoOn
from clients.holder import GOING_DOWN, Busy, Held, holding, lives
from clients.state import publish, stack_to_join
from tests.clients.conftest import INFO


def content(state: Path) -> dict[str, tuple[bytes, int]]:
    """Every file of the folder, and when it was written."""
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in state.iterdir()}


@contextmanager
def child_of(held: Held) -> Generator[subprocess.Popen[bytes]]:
    """A process that inherits what the children of a stack inherit."""
    sleeper = [sys.executable, "-c", "import time; time.sleep(60)"]
    with subprocess.Popen(sleeper, pass_fds=[held.inherited]) as child:
        try:
            yield child
        finally:
            child.kill()


async def test_the_second_is_told_who_has_the_folder_and_leaves_it_as_it_is(tmp_path: Path) -> None:
    async with holding(tmp_path, "nightdesk up") as held:
        await held.alone(pytest.fail)
        before = content(tmp_path)
        with pytest.raises(Busy) as busy:
            async with holding(tmp_path, "nightdesk chat"):
                pass
        assert content(tmp_path) == before
    assert re.fullmatch(
        rf"another nightdesk runs on {tmp_path}: `nightdesk up`, process {os.getpid()}, "
        r"since 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d; stop it, or choose another --state",
        str(busy.value),
    )


async def test_a_start_waits_for_what_is_left_of_the_stack_before_and_says_so_once(tmp_path: Path) -> None:
    told: list[str] = []
    async with holding(tmp_path, "nightdesk up") as first:
        await first.alone(pytest.fail)
        left = child_of(first)
        child = left.__enter__()
    # The stack's own process is gone, as after kill -9; its child lives on.
    try:
        assert not lives(tmp_path)
        async with holding(tmp_path, "nightdesk up") as second:
            waiting = asyncio.create_task(second.alone(told.append))
            done, _ = await asyncio.wait({waiting}, timeout=0.3)
            assert not done
            child.kill()
            await asyncio.wait_for(waiting, 5)
    finally:
        left.__exit__(None, None, None)
    assert told == [GOING_DOWN]


async def test_the_wait_for_the_stack_before_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holder, "_GONE_WITHIN_S", 0.2)
    async with holding(tmp_path, "nightdesk up") as first:
        await first.alone(pytest.fail)
        left = child_of(first)
        left.__enter__()
    try:
        async with holding(tmp_path, "nightdesk up") as second:
            with pytest.raises(CannotGoOn, match=r"have not ended within 0.2 s: end them, or choose another --state"):
                await asyncio.wait_for(second.alone(lambda _: None), 5)
    finally:
        left.__exit__(None, None, None)


async def test_a_stack_that_stops_in_order_is_waited_for_and_not_refused(tmp_path: Path) -> None:
    told: list[str] = []
    async with holding(tmp_path, "nightdesk up") as first:
        await first.alone(pytest.fail)
        assert lives(tmp_path)
        first.leave()
        assert not lives(tmp_path)
        async with holding(tmp_path, "nightdesk up") as second:
            assert lives(tmp_path)
            waiting = asyncio.create_task(second.alone(told.append))
            await asyncio.sleep(0)
            assert told == [GOING_DOWN]
            assert not waiting.done()
            first._shared.close()  # pyright: ignore[reportPrivateUsage] (its process has ended)
            await asyncio.wait_for(waiting, 5)


async def test_who_only_looks_is_taken_for_nobodys_stack_and_refuses_no_start(tmp_path: Path) -> None:
    (tmp_path / "lock").touch()
    look = "import sys; from pathlib import Path; from clients.holder import lives; print(lives(Path(sys.argv[1])))"
    with (tmp_path / "lock").open("rb") as looking:
        holder.fcntl.flock(looking, holder.fcntl.LOCK_SH)
        other = await asyncio.to_thread(
            subprocess.run, [sys.executable, "-c", look, str(tmp_path)], capture_output=True, text=True, check=True
        )
        assert other.stdout == "False\n"
        asyncio.get_running_loop().call_later(0.1, looking.close)
        async with holding(tmp_path, "nightdesk up") as held:
            await held.alone(pytest.fail)


async def test_a_stack_that_ends_before_it_answers_is_not_joined(tmp_path: Path) -> None:
    async with holding(tmp_path, "nightdesk up") as held:
        joining = asyncio.create_task(stack_to_join(tmp_path))
        await asyncio.sleep(0)
        assert not joining.done()
        held.leave()
        assert await asyncio.wait_for(joining, 5) is None
    async with holding(tmp_path, "nightdesk up"):
        publish(tmp_path, INFO)
        assert await asyncio.wait_for(stack_to_join(tmp_path), 5) == INFO
