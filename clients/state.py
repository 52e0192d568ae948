"""The state folder of an embedded stack: where the stack answers, and where it did last."""

import asyncio
import shlex
import time
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from clients.connection import Address, addressed
from clients.failures import CannotGoOn
from clients.holder import lives
from nightdesk.model import Frozen
from settings import Settings

_STARTING_S = 60.0

Port = Annotated[int | None, Field(ge=1, le=65535)]


class StackInfo(Frozen):
    """Where everything answers: the line that `nightdesk up` prints."""

    temporal: str
    ui: str | None
    hotels: str
    namespace: str
    task_queue: str
    database: str
    worker_pid: int | None


def running_stack(state: Path) -> StackInfo | None:
    """The stack that runs on this state folder and answers, or None."""
    return _published(state) if lives(state) else None


async def stack_to_join(state: Path) -> StackInfo | None:
    """The stack that holds the folder, once it answers; None when it ends before that.

    Raises CannotGoOn when it does neither.
    """
    give_up = time.monotonic() + _STARTING_S
    while time.monotonic() < give_up:
        if not lives(state):
            return None
        if (info := _published(state)) is not None:
            return info
        await asyncio.sleep(0.2)
    raise CannotGoOn(f"another nightdesk holds {state} and does not answer: stop it, or choose another --state")


def embedded_address(settings: Settings) -> Address | None:
    """The embedded server's address when one runs on the state folder and no other server is named.

    Raises CannotGoOn when the folder was chosen and none runs there: another stack is not what was asked for.
    """
    if addressed():
        return None
    info = running_stack(settings.state)
    if info is not None:
        return Address(info.temporal, info.namespace)
    if "state" in settings.model_fields_set:
        raise CannotGoOn(f"no stack runs in {settings.state}: start `nightdesk up --state {_quoted(settings.state)}`")
    return None


def publish(state: Path, info: StackInfo) -> None:
    """Tell others of this machine where the stack answers; whole or not at all."""
    fresh = _card(state).with_suffix(".new")
    fresh.write_text(info.model_dump_json(), encoding="utf-8")
    fresh.replace(_card(state))


def withdraw(state: Path) -> None:
    """The stack answers no more."""
    _card(state).unlink(missing_ok=True)


class UsedPorts(Frozen):
    """Where the stack of this folder listened last: links that were kept work again when it comes back."""

    temporal: Port = None
    ui: Port = None
    hotels: Port = None


def used_ports(state: Path) -> UsedPorts:
    """The last ones, or none."""
    try:
        return UsedPorts.model_validate_json(_ports(state).read_bytes())
    except (OSError, ValidationError):
        return UsedPorts()


def keep_ports(state: Path, ports: UsedPorts) -> None:
    """For the next start."""
    _ports(state).write_text(ports.model_dump_json(), encoding="utf-8")


def _published(state: Path) -> StackInfo | None:
    try:
        return StackInfo.model_validate_json(_card(state).read_bytes())
    except (OSError, ValidationError):
        return None


def _quoted(state: Path) -> str:
    return shlex.quote(str(state))


def _ports(state: Path) -> Path:
    return state / "ports.json"


def _card(state: Path) -> Path:
    return state / "stack.json"
