"""Two ways to talk: a person at a terminal, and lines from a pipe."""

import asyncio
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol, TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.patch_stdout import patch_stdout
from rich.console import Console

from clients.words import plain

YOU = "you> "
DESK = "desk> "


class Terminal(Protocol):
    """What the chat needs of a terminal. Everything shown is cleaned of control characters here."""

    interactive: bool

    async def read(self) -> str | None:
        """The next line that is not blank; None at the end of the input."""
        ...

    async def ask(self, question: str) -> str:
        """The answer to a question of the program's own, which may be empty."""
        ...

    def desk(self, text: str) -> None:
        """Something that the desk says."""
        ...

    def guest(self, text: str) -> None:
        """Something that the guest said, here or elsewhere."""
        ...

    def note(self, text: str) -> None:
        """Something about the conversation, said by the program."""
        ...

    @contextmanager
    def busy(self, doing: str = "") -> Generator[None]:
        """While a turn runs, or something of the program's own."""
        ...


class _Printed:
    def __init__(self, out: TextIO | None) -> None:
        self._out = out

    def desk(self, text: str) -> None:
        self._print(DESK + plain(text).replace("\n", "\n" + " " * len(DESK)))

    def guest(self, text: str) -> None:
        self._print(YOU + plain(text).replace("\n", "\n" + " " * len(YOU)))

    def note(self, text: str) -> None:
        self._print(plain(text))

    def _print(self, text: str) -> None:
        # Looked up each time: while the prompt is shown, standard output is the one that prints above it.
        print(text, file=self._out or sys.stdout, flush=True)


class Piped(_Printed):
    """One message a line. What was read is printed too, so that the output reads as a conversation."""

    interactive = False

    def __init__(self, lines: TextIO, out: TextIO | None = None) -> None:
        super().__init__(out)
        self._lines = lines
        self._read: asyncio.Queue[str] | None = None

    async def read(self) -> str | None:
        if self._read is None:
            self._read = self._start_reading()
        while line := await self._read.get():
            if text := line.strip():
                self.guest(text)
                return text
        return None

    def _start_reading(self) -> asyncio.Queue[str]:
        """In a daemon thread: a pipe that stays silent must not keep the program from ending."""
        read: asyncio.Queue[str] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def lines() -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody listens any more
                for line in self._lines:
                    loop.call_soon_threadsafe(read.put_nowait, line)
                loop.call_soon_threadsafe(read.put_nowait, "")

        threading.Thread(target=lines, name="standard-input", daemon=True).start()
        return read

    async def ask(self, question: str) -> str:
        return ""

    @contextmanager
    def busy(self, doing: str = "") -> Generator[None]:
        yield


class Interactive(_Printed):
    """Line editing and a history; what arrives unasked is printed above the line being typed."""

    interactive = True

    def __init__(self, history: Path | None) -> None:
        super().__init__(None)
        kept: History = InMemoryHistory() if history is None else FileHistory(history)
        self._session: PromptSession[str] = PromptSession(history=kept)
        self._console = Console(markup=False, highlight=False, emoji=False)

    async def read(self) -> str | None:
        while True:
            try:
                with patch_stdout(raw=True):
                    line = await self._session.prompt_async(YOU, handle_sigint=False)
            except (EOFError, KeyboardInterrupt):
                return None
            if text := line.strip():
                return text

    async def ask(self, question: str) -> str:
        # A session of its own: what is answered here is no message, and does not belong in the history.
        session: PromptSession[str] = PromptSession()
        try:
            return (await session.prompt_async(question, handle_sigint=False)).strip()
        except EOFError:
            return ""

    @contextmanager
    def busy(self, doing: str = "") -> Generator[None]:
        with self._console.status(doing, spinner="dots"):
            yield
