"""One conversation for an operator: its state, its transcript, its decisions."""

import asyncio
import json
from datetime import date

from pydantic import JsonValue, ValidationError
from temporalio.client import Client

from clients.conversation import Conversation, Unreachable
from clients.failures import CannotGoOn
from clients.words import one_line, plain
from nightdesk.criteria import BY_NAME
from nightdesk.snapshot import Snapshot
from nightdesk.views import BookedView, OfferView, StateView

_PATIENCE_S = 6.0


async def show(client: Client, conversation_id: str, *, decisions: bool, raw: bool = False) -> None:
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
    for told in [_json(state)] if raw else _in_words(state):
        print(told)
    for line in lines:
        who = "guest" if line.role == "guest" else "desk"
        text = plain(line.text).replace("\n", "\n    ")
        print(f"{line.seq:>4} {line.at.astimezone():%Y-%m-%d %H:%M:%S} {who}\n    {text}")
    for entry in audit:
        print(_json(entry))


def _in_words(state: dict[str, JsonValue]) -> list[str]:
    """A few lines. A state that another release wrote is shown as it is."""
    try:
        view = StateView.model_validate_json(json.dumps(state))
        facts = {name: BY_NAME[name].from_state(value) for name, value in view.criteria.items() if name in BY_NAME}
    except ValidationError:
        return [_json(state)]
    snapshot = Snapshot({name: fact for name, fact in facts.items() if fact is not None}, date.min)
    counted = view.messages
    lines = [
        ("step", view.active_step.replace("_", " ")),
        ("awaits", _awaits(view)),
        *((criterion.title, snapshot.words(criterion)) for criterion in BY_NAME.values()),
        ("messages", f"{counted.answered} of {counted.received} answered, {counted.rejected} rejected"),
    ]
    if view.reservation is not None:
        number = view.reservation.confirmation_number or view.reservation.reason or ""
        lines.append(("reservation", f"{view.reservation.status} {number}".rstrip()))
        lines.append(("its terms", _terms(view.reservation.offer)))
        if view.reservation.existing is not None:
            lines.append(("had booked", _row(view.reservation.existing)))
    elif view.offer is not None:
        lines.append(("offer", f"{_terms(view.offer)}, until {view.offer.expires_at.astimezone():%Y-%m-%d %H:%M}"))
    elif view.hotels:
        lines.append(("hotels shown", str(len(view.hotels))))
    return [f"  {name + ':':<15}{one_line(value)}" for name, value in lines]


def _awaits(view: StateView) -> str:
    if view.status == "closed":
        return "nobody"
    if view.messages.received > view.messages.answered:
        return "the desk"
    unsettled = view.reservation is not None and view.reservation.status == "unknown"
    return "the hotel database" if unsettled else "the guest"


def _terms(offer: OfferView) -> str:
    room = offer.room_type.replace("_", " ")
    stay = f"{offer.check_in} to {offer.check_out}"
    return f"{offer.name}, {room}, {stay}, {offer.total} {offer.currency}"


def _row(row: BookedView) -> str:
    stay = f"{row.check_in} to {row.check_out}"
    return f"{row.confirmation_number}, {row.name}, {row.room_type}, {stay}, {row.total} {row.currency}"


def _json(value: object) -> str:
    """Indented; JSON's own escapes keep control characters harmless, and what is left is cleaned."""
    return "\n".join(one_line_kept(line) for line in json.dumps(value, indent=2, ensure_ascii=False).splitlines())


def one_line_kept(line: str) -> str:
    """A line of JSON with its indentation, cleaned."""
    indent = len(line) - len(line.lstrip(" "))
    return " " * indent + plain(line.lstrip(" "))
