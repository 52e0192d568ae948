"""However `up` or `chat` dies, the next start on the folder works: sixty deaths in rotation, at random moments."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest
from temporalio.client import Client

from clients.connection import Address, connect
from clients.conversation import Conversation, Unreachable, begin
from clients.holder import GOING_DOWN
from clients.state import running_stack
from settings import Settings, load_settings
from tests.clients.conftest import clean_environment, gone, until

pytestmark = [pytest.mark.drill, pytest.mark.timeout(900)]

ROUNDS = 60
WITHIN = 15.0
LONGEST_WAIT = 1.5
CHILDREN = ("temporal", "hotels", "worker")
ANY_PORTS = ("--temporal-port", "0", "--ui-port", "0", "--hotels-port", "0")


class Program:
    """`up` or `chat` as a process; what it says is kept."""

    def __init__(self, kind: str, state: Path, errors: Path, *options: str) -> None:
        self.kind = kind
        self.began = time.monotonic()
        self._said: list[str] = []
        self._errors = errors
        with errors.open("w") as told:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "clients.main", kind, "--state", str(state), *options],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=told,
                text=True,
                env=clean_environment(NIGHTDESK_BUSINESS_DATE="2026-01-15"),
            )

    @property
    def said(self) -> str:
        """All of its output that was read, and all that it wrote to standard error."""
        return "".join(self._said) + self._errors.read_text()

    def family(self) -> list[psutil.Process]:
        """Itself, then its children."""
        with suppress(psutil.NoSuchProcess):
            itself = psutil.Process(self.process.pid)
            return [itself, *itself.children(recursive=True)]
        return []

    def child(self, name: str) -> int | None:
        """The Temporal server, the hotel server or the worker, as it runs now."""
        for process in self.family()[1:]:
            with suppress(psutil.NoSuchProcess):
                words = process.cmdline()
                if words and (name in words or Path(words[0]).name == name):
                    return process.pid
        return None

    async def answers(self) -> float:
        """Seconds since its start until it answers: `up` with its line, `chat` with a reply of the desk."""
        await asyncio.wait_for(asyncio.to_thread(self._read_answer), 3 * WITHIN)
        return time.monotonic() - self.began

    def _read_answer(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        if self.kind == "chat":
            self.process.stdin.write("Hi\n")
            self.process.stdin.flush()
        for line in self.process.stdout:
            self._said.append(line)
            if line.startswith("desk> " if self.kind == "chat" else "{"):
                return
        raise AssertionError(f"{self.kind} ended with {self.process.wait(WITHIN)}: {self.said}")

    def close(self) -> None:
        """It and its pipes are gone; its children end with it, or are ended here."""
        for process in self.family():
            kill(process.pid)
        self.process.wait(WITHIN)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):
                pipe.close()


class Folder:
    """The state folder, and the programs that run on it one after the other."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.state = folder / "state"
        self.settings: Settings = load_settings(state=self.state, dotenv=None)
        self.chance = chance
        self.programs: list[Program] = []

    def start(self, kind: str, *options: str) -> Program:
        errors = self.state.with_name(f"errors-{len(self.programs)}")
        self.programs.append(Program(kind, self.state, errors, *options))
        return self.programs[-1]

    async def client(self) -> Client:
        info = running_stack(self.state)
        assert info is not None
        return await connect(self.settings, Address(info.temporal, info.namespace))

    def strangers(self) -> list[psutil.Process]:
        """Processes that work with the folder and are not of the newest program."""
        own = {process.pid for process in self.programs[-1].family()}
        found: list[psutil.Process] = []
        for process in psutil.process_iter():
            with suppress(psutil.Error, OSError):
                words = process.cmdline()
                here = process.environ().get("NIGHTDESK_STATE") == str(self.state)
                if process.pid not in own and not gone(process.pid) and (here or str(self.state) in " ".join(words)):
                    found.append(process)
        return found


@contextmanager
def folder_of(path: Path, chance: random.Random) -> Generator[Folder]:
    """Whatever happens, nothing is left of it."""
    folder = Folder(path, chance)
    try:
        yield folder
    finally:
        for program in folder.programs:
            program.close()
        for process in folder.strangers():
            kill(process.pid)


def kill(pid: int, sign: int = signal.SIGKILL) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, sign)


async def alone(folder: Folder) -> None:
    """The stack's own process."""
    kill(folder.programs[-1].process.pid)


async def everything(folder: Folder) -> None:
    """Every process of the stack at once."""
    for process in folder.programs[-1].family():
        kill(process.pid)


async def asked(folder: Folder) -> None:
    """In order, as Ctrl-C does; the next start is not asked to wait for the end of it."""
    kill(folder.programs[-1].process.pid, signal.SIGTERM)


async def twice(folder: Folder) -> None:
    """And the next one somewhere in its start."""
    await alone(folder)
    folder.start("up")
    await asyncio.sleep(folder.chance.uniform(0.2, 2.5))
    await alone(folder)


def child_first(name: str) -> Callable[[Folder], Awaitable[None]]:
    """A child, and the stack while it notices, starts it again, or has it back."""

    async def way(folder: Folder) -> None:
        child = folder.programs[-1].child(name)
        if child is not None:  # this one runs no worker
            kill(child)
        await asyncio.sleep(folder.chance.uniform(0, 0.6))
        await alone(folder)

    return way


WAYS = {
    "alone": alone,
    "everything": everything,
    **{f"{name} first": child_first(name) for name in CHILDREN},
    "asked": asked,
    "twice": twice,
}


async def test_sixty_deaths_and_a_start_that_answers_after_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seed = random.randrange(10**6)
    say(capsys, f"\nseed {seed}")
    took: list[float] = []
    pending: list[str] = []
    waited = answered = 0
    way = None
    with folder_of(tmp_path, random.Random(seed)) as folder:
        for number in range(ROUNDS + 1):
            rotation, place = divmod(number, len(WAYS))
            # From rotation to rotation other ways of dying meet `chat`, and a stack without a worker.
            kind = "chat" if (place + rotation) % 4 == 3 else "up"
            worker = kind == "chat" or list(WAYS)[place] == "worker first" or number % 4 == 0 or number == ROUNDS
            # The first start chooses the ports, the later ones want the same again.
            options = [*(ANY_PORTS if number == 0 else ()), *(() if worker else ("--no-worker",))]
            program = folder.start(kind, *options)
            took.append(await program.answers())
            assert took[-1] < WITHIN or number == 0, f"seed {seed}, round {number}, after {way}: {took[-1]:.1f} s"
            assert folder.strangers() == [], f"seed {seed}, round {number}, after {way}"
            waited += GOING_DOWN in program.said
            client = await folder.client()
            conversation, _ = await begin(client, folder.settings.task_queue, "drill", None, None)
            while worker and pending:
                await asyncio.wait_for(conversation.answered(pending.pop(0)), WITHIN)
                answered += 1
            if number < ROUNDS:
                pending.append(await conversation.send(f"hello number {number}", f"m{number}"))
                way = list(WAYS)[place]
                await WAYS[way](folder)
                await asyncio.sleep(folder.chance.uniform(0, LONGEST_WAIT))
    starts = sorted(took[1:])
    say(
        capsys,
        f"{len(starts)} of {ROUNDS} starts answered, half within {starts[len(starts) // 2]:.1f} s, the slowest after "
        f"{starts[-1]:.1f} s; {waited} waited for what was left; {answered} messages sent before a death were answered",
    )
    assert (len(starts), answered) == (ROUNDS, ROUNDS)


@pytest.mark.parametrize("name", CHILDREN)
async def test_a_child_killed_alone_is_back_and_the_next_message_is_answered(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its successor comes through, also where the file of the one that was killed is locked for a moment."""
    with folder_of(tmp_path, random.Random()) as folder:
        program = folder.start("up", *ANY_PORTS)
        await program.answers()
        client = await folder.client()
        conversation, _ = await begin(client, folder.settings.task_queue, "drill", None, None)
        took: list[float] = []
        for number in range(3):
            killed, began = program.child(name), time.monotonic()
            assert killed is not None
            kill(killed)

            async def back(killed: int = killed) -> bool:
                return program.child(name) not in (None, killed)

            await until(back)
            await until(lambda: listens(folder))
            async with asyncio.timeout(WITHIN):
                await accepted(conversation, f"hello number {number}", f"m{number}")
                await conversation.answered(f"m{number}")
            took.append(time.monotonic() - began)
        say(capsys, f"\n{name}: answered {', '.join(f'{one:.1f}' for one in took)} s after each kill")
        assert folder.strangers() == []


async def listens(folder: Folder) -> bool:
    """Whether the hotel server does."""
    info = running_stack(folder.state)
    assert info is not None
    host, port = info.hotels.removeprefix("http://").removesuffix("/mcp").split(":")
    try:
        _, writer = await asyncio.open_connection(host, int(port))
    except OSError:
        return False
    writer.close()
    await writer.wait_closed()
    return True


async def accepted(conversation: Conversation, text: str, id_: str) -> None:
    """Sent again under its id until the server, which may be on its way back, has it."""
    while True:
        try:
            await conversation.send(text, id_)
        except Unreachable:
            await asyncio.sleep(0.1)
        else:
            return


def say(capsys: pytest.CaptureFixture[str], text: str) -> None:
    with capsys.disabled():
        print(text)  # noqa: T201
