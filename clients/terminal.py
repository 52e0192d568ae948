"""Two ways to talk: a person at a terminal, and lines from a pipe."""

import asyncio
import sys
import termios
import textwrap
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
_NARROWEST = 24


class Terminal(Protocol):
    """What the chat needs of a terminal. Everything shown is cleaned of control characters here."""

    interactive: bool

    async def read(self) -> str | None:
        """The next line that is not blank; None at the end of the input."""
        ...

    async def ask(self, question: str) -> str:
        """The answer to a question of the program's own, which may be empty. EOFError: the guest leaves."""
        ...

    def desk(self, text: str) -> None:
        """Something that the desk says."""
        ...

    def guest(self, text: str) -> None:
        """Something that the guest said, here or elsewhere."""
        ...

    def note(self, text: str, exact: str = "") -> None:
        """Something about the conversation, said by the program. `exact` ends it, to be copied: never broken."""
        ...

    @contextmanager
    def busy(self, doing: str = "") -> Generator[None]:
        """While a turn runs, or something of the program's own."""
        ...


class _Printed:
    def __init__(self, out: TextIO | None) -> None:
        self._out = out

    def desk(self, text: str) -> None:
        self._print(self._said(DESK, text))

    def guest(self, text: str) -> None:
        self._print(self._said(YOU, text))

    def note(self, text: str, exact: str = "") -> None:
        lines = plain(text).split("\n")
        last = self._fitted(lines.pop())
        if exact:
            exact = plain(exact)
            last += f" {exact}" if self._fits(f"{last} {exact}") else f"\n{exact}"
        self._print("\n".join([*map(self._fitted, lines), last]))

    def _said(self, who: str, text: str) -> str:
        indent = " " * len(who)
        lines = [self._fitted(line, indent) for line in plain(text).split("\n")]
        return who + "\n".join(line.rstrip() for line in lines).removeprefix(indent)

    def _fitted(self, line: str, indent: str = "") -> str:
        """The line, broken between words where it is too long to be shown; a word that is too long stays whole."""
        if self._fits(indent + line):
            return indent + line
        parts = textwrap.wrap(
            line,
            self._width(),
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        return "\n".join(parts)

    def _fits(self, line: str) -> bool:
        return (width := self._width()) == 0 or len(line) <= width

    def _width(self) -> int:
        """How many characters a line may have; 0: as many as it likes."""
        return 0

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

    def _width(self) -> int:
        return max(self._session.output.get_size().columns, _NARROWEST)

    async def ask(self, question: str) -> str:
        # A session of its own: what is answered here is no message, and does not belong in the history.
        session: PromptSession[str] = PromptSession()
        return (await session.prompt_async(question, handle_sigint=False)).strip()

    @contextmanager
    def busy(self, doing: str = "") -> Generator[None]:
        with _typed_later(), self._console.status(doing, spinner="dots"):
            yield


@contextmanager
def _typed_later() -> Generator[None]:
    """What is typed meanwhile is not shown where the cursor happens to be: the next prompt takes it."""
    try:
        keyboard = sys.stdin.fileno()
        before = termios.tcgetattr(keyboard)
    except (termios.error, OSError, ValueError):  # no terminal: a test's, or one that is gone
        yield
        return
    silent = termios.tcgetattr(keyboard)
    silent[3] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(keyboard, termios.TCSANOW, silent)
    try:
        yield
    finally:
        termios.tcsetattr(keyboard, termios.TCSANOW, before)
