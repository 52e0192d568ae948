"""Every promise names tests that exist, and a break that was seen to turn one of them red."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROWS = re.findall(r"^\| (G\d+) \| .* \| (.*) \|$", (ROOT / "docs" / "guarantees.md").read_text(), re.MULTILINE)
TESTS = {
    name
    for path in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"^(?:async )?def (test_\w+)", path.read_text(), re.MULTILINE)
}


def test_there_are_fifteen_promises() -> None:
    assert [promise for promise, _ in ROWS] == [f"G{number}" for number in range(1, 16)]


@pytest.mark.parametrize(("promise", "held_by"), ROWS)
def test_every_promise_is_held_by_tests_that_exist(promise: str, held_by: str) -> None:
    named = re.findall(r"`(test_\w+)`", held_by)
    assert named, promise
    assert set(named) - TESTS == set()


@pytest.mark.parametrize("promise", [promise for promise, _ in ROWS])
def test_every_promise_has_a_break_that_was_seen_red(promise: str) -> None:
    breaks = (ROOT / "tests" / "BREAKS.md").read_text()
    rows = [line for line in breaks.splitlines() if re.match(rf"\| [^|]*\b{promise}\b", line)]
    named = set(re.findall(r"`(test_\w+)`", "\n".join(rows)))
    assert named, promise
    assert named - TESTS == set()
