"""What `chat` and `up` do around the stack: start it or join it, and say where it answers."""

import asyncio
import shlex
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from clients.chat import Wanted, chat
from clients.connection import Address, addressed, connect
from clients.failures import CannotGoOn
from clients.folder import make_folder
from clients.holder import Busy
from clients.process import as_it_was_run
from clients.stack import Ports, running
from clients.state import StackInfo, stack_to_join
from clients.terminal import Interactive, Piped, Terminal
from settings import USUAL_STATE, Settings

__all__ = ["Ports", "stay_up", "talk"]


async def stay_up(settings: Settings, ports: Ports, *, worker: bool) -> None:
    """The stack until it is stopped. Prints its one line once everything answers."""
    command = f"{as_it_was_run()} up"
    async with running(settings, ports, worker=worker, command=command, tell=_tell, waiting=_tell) as stack:
        print(stack.info.model_dump_json(), flush=True)
        await asyncio.Event().wait()


def _tell(line: str) -> None:
    print(f"nightdesk: {line}", file=sys.stderr, flush=True)


async def talk(
    settings: Settings, ports: Ports, conversation: str | None, guest: str | None, *, worker: bool = True
) -> None:
    """A conversation in this terminal, on a stack of its own or on the one that already runs on the state folder."""
    terminal = _terminal(settings)
    if not worker and addressed():
        client = await connect(settings)
        await chat(client, _wanted(settings, settings.ui_url, settings.task_queue, conversation, guest), terminal)
        return
    while True:
        try:
            async with AsyncExitStack() as closing:
                with terminal.busy("opening the desk"):
                    own = running(
                        settings, ports, worker=worker, command=f"{as_it_was_run()} chat", waiting=terminal.note
                    )
                    stack = await closing.enter_async_context(own)
                await chat(stack.client, _of(settings, stack.info, conversation, guest), terminal)
        except Busy:
            # None: it ended before it answered, so that the place is free again.
            if (info := await stack_to_join(settings.state)) is None:
                continue
            await _join(settings, info, _of(settings, info, conversation, guest), terminal)
        return


async def _join(settings: Settings, info: StackInfo, wanted: Wanted, terminal: Terminal) -> None:
    client = await connect(settings, None if addressed() else Address(info.temporal, info.namespace))
    if client.service_client.config.target_host != info.temporal:
        raise CannotGoOn(f"the stack on {settings.state} uses another Temporal server: {info.temporal}")
    await chat(client, wanted, terminal)


def _of(settings: Settings, info: StackInfo, conversation: str | None, guest: str | None) -> Wanted:
    return _wanted(settings, info.ui, info.task_queue, conversation, guest)


def _terminal(settings: Settings) -> Terminal:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        # A message that is no UTF-8 is still a message.
        return Piped(open(sys.stdin.fileno(), encoding="utf-8", errors="replace", closefd=False))
    make_folder(settings.state)
    # Words of a guest stay off the disk when payloads are encrypted.
    return Interactive(None if settings.encryption_keys else settings.state / "chat-history")


def _come_back(state: Path) -> str:
    chat = f"{as_it_was_run()} chat"
    return chat if state == USUAL_STATE else f"{chat} --state {shlex.quote(str(state))}"


def _wanted(settings: Settings, ui: str | None, task_queue: str, conversation: str | None, guest: str | None) -> Wanted:
    return Wanted(
        task_queue=task_queue,
        conversation_id=conversation,
        guest=guest,
        business_date=settings.business_date,
        ui=ui,
        come_back=_come_back(settings.state),
    )
