"""One conversation for an operator: its state, its transcript, its decisions."""

import asyncio
import json

from temporalio.client import Client

from clients.conversation import Conversation, Unreachable
from clients.failures import CannotGoOn
from clients.words import one_line, plain

_PATIENCE_S = 6.0


async def show(client: Client, conversation_id: str, *, decisions: bool) -> None:
    """Print it. Without a worker what the server alone knows is printed. Raises CannotGoOn for an unknown id."""
    conversation = Conversation(client, conversation_id)
    if not await conversation.exists():
        raise CannotGoOn(f"there is no conversation {one_line(conversation_id)}")
    ending = await conversation.ending()
    print(f"conversation {one_line(conversation_id)}: {'open' if ending is None else f'closed, {ending.outcome}'}")
    try:
        async with asyncio.timeout(_PATIENCE_S):
            state = await conversation.state()
            lines = await conversation.transcript()
            audit = await conversation.decisions() if decisions else []
    except (Unreachable, TimeoutError):
        if ending is not None and ending.reservation is not None:
            print(_json(ending.reservation))
        print("State and transcript need a worker, and none answers: start one with `nightdesk worker`.")
        return
    print(_json(state))
    for line in lines:
        who = "guest" if line.role == "guest" else "desk"
        text = plain(line.text).replace("\n", "\n    ")
        print(f"{line.seq:>4} {line.at.astimezone():%Y-%m-%d %H:%M:%S} {who}\n    {text}")
    for entry in audit:
        print(_json(entry))


def _json(value: object) -> str:
    """Indented; JSON's own escapes keep control characters harmless, and what is left is cleaned."""
    return "\n".join(one_line_kept(line) for line in json.dumps(value, indent=2, ensure_ascii=False).splitlines())


def one_line_kept(line: str) -> str:
    """A line of JSON with its indentation, cleaned."""
    indent = len(line) - len(line.lstrip(" "))
    return " " * indent + plain(line.lstrip(" "))
