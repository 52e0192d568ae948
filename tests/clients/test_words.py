"""What reaches a terminal or a log is only ever text."""

import json
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clients import logs
from clients.words import one_line, plain


def test_escape_sequences_lose_their_escape_and_line_breaks_stay() -> None:
    assert plain("a\x1b[31mred\x1b]0;title\x07\r\nb\u202etxt") == "a[31mred]0;title\nbtxt"


@given(st.text())
def test_nothing_that_steers_a_terminal_is_left(text: str) -> None:
    assert all(char == "\n" or char.isprintable() or char == "\u200d" for char in plain(text))
    assert "\n" not in one_line(text)
    assert len(one_line(text, 20)) <= 20


@pytest.mark.parametrize("kind", ["plain", "json"])
def test_nobody_can_forge_a_log_line(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = logging.root.handlers[:], logging.root.level
    try:
        logs.configure("json" if kind == "json" else "plain")
        logging.getLogger("t").warning("guest said %s", "x\r\n2027-01-01 ERROR forged \x1b[2J\u2028y")
        try:
            raise ValueError("a\nb")
        except ValueError:
            logging.getLogger("t").exception("failed")
        lines = capsys.readouterr().err.splitlines()
    finally:
        logging.root.handlers[:], logging.root.level = before
    assert len(lines) == 2
    assert "\x1b" not in "".join(lines)
    if kind == "json":
        assert [json.loads(line)["level"] for line in lines] == ["WARNING", "ERROR"]
