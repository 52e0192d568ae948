"""What arrives as a signal, decoded by hand: a message, a message that cannot be used, or neither.

A typed handler would drop what does not decode in silence, and fail for ever on a surplus argument.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from pydantic_core import from_json

from nightdesk.understanding.normalise import strip_control

SIGNAL = "user_message"
MAX_TEXT = 4000
"""Characters of one message."""
MAX_ID = 128


@dataclass(frozen=True)
class Arrived:
    """A message. `id` None: it came as bare text and gets its place in the conversation as its id."""

    id: str | None
    raw: str
    text: str
    problem: Literal["empty", "too_long", "no_text"] | None = None


@dataclass(frozen=True)
class Quarantined:
    """No message of a guest: counted, with a reason for the operator, and not answered."""

    reason: str


def decode(name: str, arguments: Sequence[tuple[bytes, bytes]]) -> Arrived | Quarantined:
    """`arguments` are (encoding, data) of each payload, after decryption. Never raises."""
    if name != SIGNAL:
        return Quarantined("unknown signal")
    if len(arguments) != 1:
        return Quarantined("wrong number of arguments")
    encoding, data = arguments[0]
    if encoding != b"json/plain":
        return Quarantined("unknown encoding")
    try:
        value = _value(data)
    except (ValueError, RecursionError):
        return Quarantined("not JSON")
    if isinstance(value, str):
        return _message(None, value)
    if not isinstance(value, dict):
        return Quarantined("wrong type")
    fields = cast(dict[str, object], value)
    id_, text = fields.get("id"), fields.get("text")
    if not isinstance(id_, str) or not readable_id(id_):
        return Quarantined("no readable id")
    return _message(id_, text) if isinstance(text, str) else Arrived(id_, "", "", "no_text")


def _value(data: bytes) -> object:
    """JSON as it is; half an emoji (a lone surrogate, which browsers send for a text cut short) is read as well."""
    try:
        return from_json(data, allow_inf_nan=False)
    except ValueError:
        return json.loads(data, parse_constant=_no_number)


def _no_number(constant: str) -> object:
    raise ValueError(constant)


def readable_id(id_: str) -> bool:
    """1 to 128 printable characters, not starting with "#"."""
    return 1 <= len(id_) <= MAX_ID and id_.isprintable() and not id_.startswith("#")


def _message(id_: str | None, raw: str) -> Arrived:
    if len(raw) > MAX_TEXT:
        # Not kept whole: nothing of it is used but its sameness, and the queue is carried along.
        return Arrived(id_, raw, "", "too_long")
    text = " ".join(strip_control(raw).split())
    return Arrived(id_, raw, text, None if text else "empty")
