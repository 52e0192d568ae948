"""The conversation in a terminal: one message, one answer, and what the desk says unasked in between."""

import asyncio
import shlex
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from email.utils import parseaddr

from temporalio.client import Client

from clients.conversation import Closed, Conversation, Line, Unreachable, begin, new_conversation_id, new_message_id
from clients.failures import CannotGoOn
from clients.terminal import Terminal
from nightdesk.model import Guest

PIPED_GUEST = Guest(id="guest@example.com", name="Guest", email="guest@example.com")

_LOOK_EVERY_S = 2.0
_AGAIN_S = 0.5
_CLOSES_WITHIN_S = 5.0
_LAST_LINES = 10
_HELLO = (
    "Say what you are looking for, for example: a suite from August 3 to 9, 2027, at most 700 a night, with wifi.\n"
    "Ctrl-D leaves; the conversation stays open."
)
_WHO = "Your name and e-mail, as in `Ada Lovelace <ada@example.com>` (nothing: look around, without booking): "
_NO_NAME = (
    "You can look around, but a reservation needs a name and an e-mail address: to book, start a new conversation with"
)
_NOT_OPENED = "No conversation was opened."
_NO_WORKER = "(Nobody is at the desk at the moment. Your message is kept, and answered as soon as a worker is back.)"
_NO_WORKER_YET = "(Nobody is at the desk at the moment. The conversation goes on as soon as a worker is back.)"
_OUTCOMES = {
    "booked": "This conversation is closed: the room is booked.",
    "ended": "This conversation is closed.",
    "expired": "This conversation is closed: nothing was said for a long time.",
}
_NEW = "Start a new one with:"
_NO_SERVER = "(The desk cannot be reached at the moment. Trying again.)"


@dataclass(frozen=True)
class Wanted:
    """What the command line asked for. `business_date` pins the conversation's today."""

    task_queue: str
    conversation_id: str | None = None
    guest: str | None = None
    business_date: date | None = None
    ui: str | None = None
    come_back: str = "nightdesk chat"


async def chat(client: Client, wanted: Wanted, terminal: Terminal) -> None:
    """Talk until the conversation closes or the input ends. Raises CannotGoOn."""
    opened = await _open(client, wanted, terminal)
    if opened is None:
        terminal.note(_NOT_OPENED)
        return
    conversation, resumed, nameless = opened
    terminal.note(f"Conversation {conversation.id}")
    if wanted.ui is not None:
        terminal.note("In the Temporal UI:", f"{wanted.ui}/namespaces/{client.namespace}/workflows/{conversation.id}")
    if nameless:
        terminal.note(_NO_NAME, f'{wanted.come_back} --guest "Name <email>"')
    await _Talk(conversation, terminal, wanted.come_back).run(resumed)


def parse_guest(text: str) -> Guest:
    """`Name <email>` or a bare address; the id is the address in lower case. Raises CannotGoOn."""
    name, email = parseaddr(text)
    local, _, domain = email.partition("@")
    if not (local and domain) or not email.isprintable() or " " in email or len(email) > 254:
        raise CannotGoOn("a guest is given as `Name <email>`, for example `Ada Lovelace <ada@example.com>`")
    return Guest(id=email.lower(), name=name.strip() or local, email=email)


async def _open(client: Client, wanted: Wanted, terminal: Terminal) -> tuple[Conversation, bool, bool] | None:
    """The conversation, whether it was there already, and whether it is known to be without a name; None: the guest
    left at the question for it."""
    if wanted.conversation_id is not None:
        known = Conversation(client, wanted.conversation_id)
        if await known.exists():
            return known, True, False
    try:
        guest = await _guest(wanted, terminal)
    except EOFError:
        return None
    conversation_id = wanted.conversation_id or new_conversation_id()
    conversation, resumed = await begin(client, wanted.task_queue, conversation_id, guest, wanted.business_date)
    return conversation, resumed, guest is None and not resumed


async def _guest(wanted: Wanted, terminal: Terminal) -> Guest | None:
    if wanted.guest is not None:
        return parse_guest(wanted.guest)
    if not terminal.interactive:
        return PIPED_GUEST
    # Raises EOFError when the guest leaves.
    while answer := await terminal.ask(_WHO):
        try:
            return parse_guest(answer)
        except CannotGoOn as error:
            terminal.note(str(error))
    return None


class _Talk:
    def __init__(self, conversation: Conversation, terminal: Terminal, come_back: str) -> None:
        self._conversation = conversation
        self._terminal = terminal
        self._come_back = come_back
        self._shown = 0
        self._ours: set[str] = set()
        self._noted: set[str] = set()

    async def run(self, resumed: bool) -> None:
        """Until the input ends or the conversation closes."""
        try:
            if resumed:
                await self._show_last()
            elif self._terminal.interactive:
                self._terminal.note(_HELLO)
            while (text := await self._next()) is not None:
                await self._turn(text)
        except Closed:
            await self._say_closed()
            return
        except asyncio.CancelledError:
            self._say_open()
            raise
        self._say_open()

    def _say_open(self) -> None:
        command = f"{self._come_back} --conversation {shlex.quote(self._conversation.id)}"
        self._terminal.note("The conversation stays open. Come back with:", command)

    async def _next(self) -> str | None:
        """The guest's next message, and meanwhile what is said unasked. Raises Closed when it closes meanwhile."""
        if not self._terminal.interactive:
            return await self._terminal.read()
        reading = asyncio.create_task(self._terminal.read())
        looking = asyncio.create_task(self._look())
        try:
            await asyncio.wait({reading, looking}, return_when=asyncio.FIRST_COMPLETED)
            if looking.done():
                await looking
            return await reading
        finally:
            for task in (reading, looking):
                task.cancel()
                with suppress(asyncio.CancelledError, Closed):
                    await task

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            with suppress(Unreachable):
                self._show(await self._conversation.transcript(self._shown))
                if await self._over():
                    raise Closed

    async def _turn(self, text: str) -> None:
        """One message, sent until it is accepted and waited for until it is answered. Raises Closed."""
        message_id = new_message_id()
        self._ours.add(message_id)
        self._noted.clear()
        with self._terminal.busy():
            await self._send(text, message_id)
            still_open = await self._conversation.answered(message_id, waiting=lambda: self._note_once(_NO_WORKER))
            lines = await self._new_lines()
        self._show(lines)
        if not still_open:
            raise Closed

    async def _send(self, text: str, message_id: str) -> None:
        while True:
            try:
                await self._conversation.send(text, message_id)
            except Unreachable:
                self._note_once(_NO_SERVER)
                await asyncio.sleep(_AGAIN_S)
            except Closed:
                self._terminal.note("(This was not sent: the conversation has closed meanwhile.)")
                raise
            else:
                return

    async def _new_lines(self) -> list[Line]:
        while True:
            try:
                return await self._conversation.transcript(self._shown)
            except Unreachable:
                self._note_once(_NO_WORKER)
                await asyncio.sleep(_AGAIN_S)

    def _show(self, lines: list[Line]) -> None:
        for line in lines:
            if line.seq <= self._shown:
                continue
            self._shown = line.seq
            if line.role == "assistant":
                self._terminal.desk(line.text)
            elif line.message_id not in self._ours:
                self._terminal.guest(line.text)

    async def _show_last(self) -> None:
        """Where the conversation stands, once what was on its way is answered. Raises Closed when it is over."""
        with self._terminal.busy():
            over = await self._settled()
            lines = await self._new_lines()
        if len(lines) > _LAST_LINES:
            self._terminal.note(f"({len(lines) - _LAST_LINES} earlier lines)")
        self._show(lines[-_LAST_LINES:])
        if over:
            raise Closed

    async def _settled(self) -> bool:
        """Wait for the answer to what was said before the guest left. Whether the conversation is over then.

        Asked of the conversation itself: the server sees its end a moment later.
        """
        while await self._conversation.ending() is None:
            try:
                standing = await self._conversation.standing()
            except Unreachable:
                self._note_once(_NO_WORKER_YET)
            else:
                if standing.over or not standing.in_hand:
                    return standing.over
            await asyncio.sleep(_AGAIN_S)
        return True

    async def _over(self) -> bool:
        """Whether it is over, as the server sees it or as the conversation itself says. Raises Unreachable."""
        return await self._conversation.ending() is not None or (await self._conversation.standing()).over

    async def _say_closed(self) -> None:
        give_up = time.monotonic() + _CLOSES_WITHIN_S
        while True:
            ending = await self._conversation.ending()
            if ending is not None or time.monotonic() > give_up:
                break
            await asyncio.sleep(_AGAIN_S)
        outcome = "ended" if ending is None else ending.outcome
        told = _OUTCOMES.get(outcome, f"This conversation is closed ({outcome}).")
        self._terminal.note(f"{told} {_NEW}", self._come_back)

    def _note_once(self, text: str) -> None:
        """Once a turn."""
        if text not in self._noted:
            self._noted.add(text)
            self._terminal.note(text)
