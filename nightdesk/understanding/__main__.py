"""`python -m nightdesk.understanding`: labelled-style JSON lines in on stdin, readings out on stdout."""

import sys
from datetime import date
from typing import TextIO

from pydantic import BaseModel, ConfigDict, ValidationError

from nightdesk.understanding import Reading, read


class Line(BaseModel):
    """One message to read; other keys of a labelled line are ignored."""

    model_config = ConfigDict(extra="ignore")
    id: str
    text: str
    reference_date: date
    context: str | None = None
    asked: str | None = None


class Answer(BaseModel):
    """The reading of the line with the same id."""

    id: str
    reading: Reading


def answer(lines: TextIO, out: TextIO, errors: TextIO) -> int:
    """Answers every readable line; the exit status is 1 when there was a bad one."""
    status = 0
    for number, raw in enumerate(lines, start=1):
        if not raw.strip():
            continue
        try:
            line = Line.model_validate_json(raw)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            errors.write(f"line {number}: {where + ': ' if where else ''}{first['msg']}\n")
            status = 1
            continue
        reading = read(line.text, today=line.reference_date, context=line.context, asked=line.asked)
        out.write(Answer(id=line.id, reading=reading).model_dump_json() + "\n")
    return status


if __name__ == "__main__":
    sys.exit(answer(sys.stdin, sys.stdout, sys.stderr))
