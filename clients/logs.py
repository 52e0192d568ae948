"""Log lines that nobody can forge: one record, one line, whatever a guest or a server wrote into it."""

import json
import logging
from datetime import UTC, datetime
from typing import Literal

from clients.words import one_line

_LONGEST = 4000


class _OneLine(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        where = f"{_moment(record)} {record.levelname} {record.name}"
        return f"{where} {one_line(_text(record), _LONGEST)}"


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "at": _moment(record),
            "level": record.levelname,
            "logger": record.name,
            "text": one_line(_text(record), _LONGEST),
        }
        return json.dumps(entry, ensure_ascii=False)


def configure(kind: Literal["plain", "json"], level: int = logging.INFO) -> None:
    """The whole process's logging, to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Json() if kind == "json" else _OneLine())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for chatty in ("httpx", "httpx2", "openai", "typesafe_sdk", "alembic"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    # Its errors quote the body that could not be read; what a call came to is said by the activity.
    logging.getLogger("mcp").setLevel(logging.CRITICAL)


def _text(record: logging.LogRecord) -> str:
    text = record.getMessage()
    if record.exc_info and record.exc_info[0] is not None:
        text += "\n" + logging.Formatter().formatException(record.exc_info)
    return text


def _moment(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
