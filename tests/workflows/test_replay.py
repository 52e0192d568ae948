"""A deploy that would break running conversations fails here: recorded histories replayed, and proof of the red."""

import getpass
import json
import platform
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from temporalio.client import WorkflowHistory
from temporalio.worker import Replayer
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner, SandboxRestrictions
from temporalio.workflow import NondeterminismError

import workflows
from tests.record_histories import FOLDER, SCENES
from tests.workflows.broken import AsksTwice, NeverAsks
from worker import LOADED_ONCE
from workflows.booking_conversation import BookingConversation
from workflows.converter import data_converter

RECORDED = sorted(FOLDER.glob("*.json"))


def history(file: Path) -> WorkflowHistory:
    return WorkflowHistory.from_json("recorded", file.read_text(encoding="utf-8"))


def replayer(conversation: type = BookingConversation) -> Replayer:
    """As the worker runs it: the same converter, the same modules passed through the sandbox."""
    return Replayer(
        workflows=[conversation],
        data_converter=data_converter,
        workflow_runner=SandboxedWorkflowRunner(
            restrictions=SandboxRestrictions.default.with_passthrough_modules(*LOADED_ONCE, "tests")
        ),
    )


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
async def test_every_recorded_conversation_replays(file: Path) -> None:
    await replayer().replay_workflow(history(file))


def test_every_scenario_is_recorded() -> None:
    assert {re.sub(r"-\d+$", "", file.stem) for file in RECORDED} == set(SCENES)
    assert len([file for file in RECORDED if file.stem.startswith("continued_as_new")]) >= 3


def test_a_worker_loads_every_step_once_and_only_the_conversation_for_each() -> None:
    modules = {file.stem for file in Path(workflows.__path__[0]).iterdir() if not file.name.startswith("_")}
    shared = {name.removeprefix("workflows.") for name in LOADED_ONCE if name.startswith("workflows.")}
    assert modules - shared == {"booking_conversation", "converter"}


@pytest.mark.parametrize("conversation", [AsksTwice, NeverAsks])
async def test_a_change_that_would_break_running_conversations_is_caught(conversation: type) -> None:
    for name in ("whole_conversation-1", "all_at_once-1"):
        with pytest.raises(NondeterminismError):
            await replayer(conversation).replay_workflow(history(FOLDER / f"{name}.json"))


async def test_other_rules_of_the_local_reader_break_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable(*_: object, **__: object) -> Any:
        raise AssertionError("the workflow reads no language")

    for module, name in (
        ("nightdesk.understanding.read", "read"),
        ("nightdesk.local_rules.reading", "read_message"),
        ("nightdesk.local_rules.route", "route"),
        ("nightdesk.local_rules.readiness", "review"),
    ):
        monkeypatch.setattr(sys.modules[module], name, unreadable)
    for file in RECORDED:
        await replayer().replay_workflow(history(file))


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():  # pyright: ignore[reportUnknownVariableType]
            yield str(key)  # pyright: ignore[reportUnknownArgumentType]
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:  # pyright: ignore[reportUnknownVariableType]
            yield from strings(item)
    else:
        yield str(value)


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_no_history_tells_of_the_machine_or_a_key(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert len(text) < 600_000
    identities = set(re.findall(r'"identity":"([^"]*)"', text))
    assert identities <= {"worker"}
    words = set(strings(json.loads(text)))
    assert not [word for word in words if "@" in word and "example.com" not in word]
    assert platform.node() not in words
    assert getpass.getuser() not in words
    assert not re.search(r"/(home|root|Users|tmp|work)/|BEGIN .*KEY|\bsk-[A-Za-z0-9]{8}", text)
