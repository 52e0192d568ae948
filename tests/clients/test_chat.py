"""The chat: piped, and as a person has it at a terminal."""

import asyncio
import io
import os
import pty
import select
import termios
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.plain_text import PlainTextOutput
from temporalio.client import Client

from clients import chat as chatting
from clients import conversation as conversations
from clients.chat import PIPED_GUEST, Wanted, chat, parse_guest
from clients.conversation import begin
from clients.failures import CannotGoOn
from clients.terminal import Interactive, Piped
from tests.clients.conftest import until
from tests.house import ALL_AT_ONCE, House, house, worker

BOOKING = f"{ALL_AT_ONCE}\n\n   \nsearch\nthe first one\nyes\nis anybody there?\n"


async def piped(client: Client, lines: str, wanted: Wanted) -> str:
    out = io.StringIO()
    async with asyncio.timeout(60):
        await chat(client, wanted, Piped(io.StringIO(lines), out))
    return out.getvalue()


async def test_a_piped_conversation_books_and_prints_the_replies_in_order(desk: House) -> None:
    wanted = Wanted(desk.task_queue, conversation_id="piped-1", ui="http://ui")
    said = await piped(desk.client, BOOKING, wanted)
    assert said.startswith(
        "Conversation piped-1\nIn the Temporal UI: http://ui/namespaces/default/workflows/piped-1\nyou> Aug 3-9"
    )
    [row] = desk.ledger.reservations(conversation_id="piped-1")
    assert row.guest == PIPED_GUEST
    places = [said.index(text) for text in ("you> search", "desk> ", "you> the first one", "you> yes")]
    assert said.index(row.confirmation_number) > max(places)
    # A blank line is no message, and after the close nothing more is read.
    assert said.count("you> ") == 4
    assert said.endswith("This conversation is closed: the room is booked. Start a new one with: nightdesk chat\n")


async def test_the_end_of_the_input_leaves_it_open_and_coming_back_goes_on(desk: House) -> None:
    wanted = Wanted(desk.task_queue, conversation_id="piped-2", come_back="nightdesk chat --state x")
    first = await piped(desk.client, "Hi\nAugust 1 through August 8, 2027\n", wanted)
    assert first.endswith("Come back with: nightdesk chat --state x --conversation piped-2\n")
    again = await piped(desk.client, "show my criteria\n", wanted)
    assert again.index("August 1 through August 8, 2027") < again.index("you> show my criteria")
    assert "August 8, 2027" in again[again.index("you> show my criteria") :]


async def test_a_closed_conversation_says_so_and_how_to_start_anew(desk: House) -> None:
    wanted = Wanted(desk.task_queue, conversation_id="piped-3")
    await piped(desk.client, BOOKING, wanted)
    again = await piped(desk.client, "hello again\n", wanted)
    assert "Your confirmation number" in again
    assert "you> hello again" not in again
    assert "closed: the room is booked. Start a new one with: nightdesk chat" in again


async def test_a_message_that_comes_too_late_is_not_said_to_be_sent(desk: House) -> None:
    conversation, _ = await begin(desk.client, desk.task_queue, "piped-4", None, None)
    handle = desk.client.get_workflow_handle("piped-4")

    class Late(Piped):
        async def read(self) -> str | None:
            await handle.cancel()
            await handle.result()
            return "book it"

    out = io.StringIO()
    await chat(desk.client, Wanted(desk.task_queue, conversation_id=conversation.id), Late(io.StringIO(), out))
    assert "(This was not sent: the conversation has closed meanwhile.)" in out.getvalue()
    assert "This conversation is closed. Start a new one with: nightdesk chat" in out.getvalue()


async def test_with_no_worker_it_waits_says_so_once_and_goes_on(
    temporal: Client, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversations, "CALL", timedelta(seconds=0.4))
    out = io.StringIO()
    wanted = Wanted("desk-late", conversation_id="piped-5")
    talking = asyncio.create_task(chat(temporal, wanted, Piped(io.StringIO("Hi\n"), out)))

    async def noted() -> bool:
        return "Your message is kept" in out.getvalue()

    await until(noted)
    async with house(temporal, database) as late, worker(temporal, "desk-late", late.ledger, late.providers):
        await asyncio.wait_for(talking, 30)
    assert out.getvalue().count("Your message is kept") == 1
    assert "desk> " in out.getvalue()


async def test_a_wait_with_no_worker_can_be_cancelled(temporal: Client) -> None:
    """Ctrl-C during a turn: the SDK disguises the cancellation as a time-out, after which one would ask again."""
    out = io.StringIO()
    wanted = Wanted("nobody-works-here", conversation_id="piped-6")
    talking = asyncio.create_task(chat(temporal, wanted, Piped(io.StringIO("Hi\n"), out)))

    async def sent() -> bool:
        await asyncio.sleep(0.1)
        return "you> Hi" in out.getvalue()

    await until(sent)
    talking.cancel()
    await asyncio.wait({talking}, timeout=8)
    assert talking.cancelled()
    assert "The conversation stays open" in out.getvalue()
    await temporal.get_workflow_handle("piped-6").terminate()


async def test_an_unknown_wish_to_resume_starts_that_conversation(desk: House) -> None:
    said = await piped(desk.client, "Hi\n", Wanted(desk.task_queue, conversation_id="chosen-id", guest="A <A@b.c>"))
    assert said.startswith("Conversation chosen-id\n")


class Screen:
    """A terminal: what is typed into it, and what it shows."""

    def __init__(self, keys: PipeInput, shown: io.StringIO) -> None:
        self._keys = keys
        self._shown = shown

    @property
    def text(self) -> str:
        return self._shown.getvalue()

    def types(self, text: str) -> None:
        self._keys.send_text(text)

    async def shows(self, text: str, times: int = 1) -> None:
        async def there() -> bool:
            return self.text.count(text) >= times

        await until(there)


@asynccontextmanager
async def person(
    client: Client, wanted: Wanted, monkeypatch: pytest.MonkeyPatch, history: Path | None = None
) -> AsyncGenerator[tuple[Screen, asyncio.Task[None]]]:
    shown = io.StringIO()
    monkeypatch.setattr("sys.stdout", shown)
    with create_pipe_input() as keys, create_app_session(input=keys, output=PlainTextOutput(shown)):
        talking = asyncio.create_task(chat(client, wanted, Interactive(history)))
        yield Screen(keys, shown), talking
        talking.cancel()


async def test_a_person_is_asked_for_a_name_then_talks_and_leaves(
    desk: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = tmp_path / "history"
    wanted = Wanted(desk.task_queue, conversation_id="person-1")
    async with person(desk.client, wanted, monkeypatch, history) as (screen, talking):
        await screen.shows("Your name and e-mail")
        screen.types("nobody\r")
        await screen.shows("a guest is given as")
        screen.types("Ada Lovelace <Ada@Example.com>\r")
        await screen.shows("Ctrl-D leaves")
        screen.types("Hix\x7f\r")  # x, then backspace: line editing
        await screen.shows("desk> ")
        screen.types("\r")  # a blank line is no message
        screen.types("\x04")
        await asyncio.wait_for(talking, 10)
        assert "Come back with:\nnightdesk chat --conversation person-1\n" in screen.text
    assert "+Hi\n" in await asyncio.to_thread(history.read_text)
    assert "Ada" not in await asyncio.to_thread(history.read_text)
    lines = await conversations.Conversation(desk.client, "person-1").transcript()
    assert [line.text for line in lines if line.role == "guest"] == ["Hi"]


async def test_ctrl_c_leaves_it_open_too(desk: House, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = Wanted(desk.task_queue, conversation_id="person-2", guest="Ada <ada@example.com>")
    async with person(desk.client, wanted, monkeypatch) as (screen, talking):
        await screen.shows("Ctrl-D leaves")
        screen.types("half a mess\x03")
        await asyncio.wait_for(talking, 10)
        assert "stays open" in screen.text


async def test_what_is_said_unasked_is_shown_while_the_guest_types(
    desk: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chatting, "_LOOK_EVERY_S", 0.05)
    wanted = Wanted(desk.task_queue, conversation_id="person-3", guest="Ada <ada@example.com>")
    async with person(desk.client, wanted, monkeypatch) as (screen, talking):
        await screen.shows("Ctrl-D leaves")
        screen.types("half a mess")
        # Somebody talks to the same conversation from elsewhere, then it is closed.
        handle = desk.client.get_workflow_handle("person-3")
        await handle.signal("user_message", {"id": "elsewhere", "text": "Hi \x1b[31mfrom the UI"})
        await screen.shows("you> Hi")
        await screen.shows("desk> ")
        await handle.cancel()
        await asyncio.wait_for(talking, 20)
        assert "This conversation is closed." in screen.text
        assert "\x1b[31m" not in screen.text


async def test_without_a_name_it_is_said_at_once_what_booking_needs(
    desk: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with person(desk.client, Wanted(desk.task_queue, conversation_id="person-4"), monkeypatch) as (screen, _):
        await screen.shows("Your name and e-mail")
        screen.types("\r")
        await screen.shows('nightdesk chat --guest "Name <email>"')
        await screen.shows("a reservation needs a name and an e-mail")
        await screen.shows("Ctrl-D leaves")


async def test_ctrl_d_at_the_name_opens_nothing(desk: House, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = Wanted(desk.task_queue, conversation_id="person-5")
    async with person(desk.client, wanted, monkeypatch) as (screen, talking):
        await screen.shows("Your name and e-mail")
        screen.types("\x04")
        await asyncio.wait_for(talking, 10)
        assert "No conversation was opened." in screen.text
    assert not await conversations.Conversation(desk.client, "person-5").exists()


async def test_coming_back_while_a_yes_is_worked_on_waits_for_it_and_prompts_no_more(
    temporal: Client, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(temporal, database) as opened:
        talk = await opened.open(id_="person-6")
        for text in (ALL_AT_ONCE, "search", "the first one"):
            await talk.says(text)
        queue = opened.task_queue
    # No worker now: the yes is on its way, as it is after Ctrl-C.
    await conversations.Conversation(temporal, "person-6").send("yes")
    monkeypatch.setattr(conversations, "CALL", timedelta(seconds=1))
    async with person(temporal, Wanted(queue, conversation_id="person-6"), monkeypatch) as (screen, talking):
        await screen.shows("Nobody is at the desk")
        async with worker(temporal, queue, opened.ledger, opened.providers):
            await asyncio.wait_for(talking, 30)
        assert "Your confirmation number" in screen.text
        assert "closed: the room is booked." in screen.text
        # The guest's own lines are shown; a prompt would be one more.
        assert screen.text.count("you> ") == 4


def test_what_is_typed_while_a_reply_is_pending_is_not_echoed_and_waits_for_the_prompt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keyboard, screen = pty.openpty()
    with open(screen, encoding="utf-8") as stdin, open(keyboard, "r+b", buffering=0) as keys:
        monkeypatch.setattr("sys.stdin", stdin)
        before = termios.tcgetattr(screen)
        with create_pipe_input() as unused, create_app_session(input=unused, output=PlainTextOutput(io.StringIO())):
            terminal = Interactive(None)
        with terminal.busy():
            keys.write(b"ahead\x7f\r")
            assert select.select([keys], [], [], 0.2)[0] == []
            assert os.read(screen, 100) == b"ahead\x7f\n"
        assert termios.tcgetattr(screen) == before


class Narrow(Interactive):
    def _width(self) -> int:
        return 30


def test_a_long_line_is_broken_between_words_and_a_command_never(capsys: pytest.CaptureFixture[str]) -> None:
    with create_pipe_input() as keys, create_app_session(input=keys, output=PlainTextOutput(io.StringIO())):
        terminal = Narrow(None)
    terminal.desk(
        "Here is one hotel that fits all of it:\n- The Grand Hotel, 200 a night\n\nhttps://example.com/" + "x" * 20
    )
    terminal.note("It stays open. Come back with:", "nightdesk chat --conversation x")
    assert capsys.readouterr().out == (
        "desk> Here is one hotel that\n      fits all of it:\n      - The Grand Hotel, 200 a\n      night\n\n"
        f"      https://example.com/{'x' * 20}\n"
        "It stays open. Come back with:\nnightdesk chat --conversation x\n"
    )


def test_hostile_text_is_only_text(capsys: pytest.CaptureFixture[str]) -> None:
    terminal = Piped(io.StringIO())
    terminal.desk("[/red] [bold]\x1b]0;x\x07{n}\r\nsecond line\x9b2J")
    assert capsys.readouterr().out == "desk> [/red] [bold]]0;x{n}\n      second line2J\n"


@pytest.mark.parametrize(
    ("text", "name", "email"),
    [
        ("Ada Lovelace <Ada@Example.com>", "Ada Lovelace", "Ada@Example.com"),
        ("ada@example.com", "ada", "ada@example.com"),
        ('"O\'Neil, Pat" <pat@example.com>', "O'Neil, Pat", "pat@example.com"),
    ],
)
def test_a_guest_is_a_name_and_an_address(text: str, name: str, email: str) -> None:
    guest = parse_guest(text)
    assert (guest.id, guest.name, guest.email) == (email.lower(), name, email)


@pytest.mark.parametrize("text", ["", "Ada", "Ada <>", "Ada <ada>", "Ada <@b>", "Ada <a@>", "A <a b@c>"])
def test_anything_else_is_no_guest(text: str) -> None:
    with pytest.raises(CannotGoOn, match="Name <email>"):
        parse_guest(text)
