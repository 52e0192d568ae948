"""The program as one calls it: its commands, their help, and a second chat on a running stack."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from clients.failures import CannotGoOn
from clients.holder import Busy
from clients.main import app
from clients.process import as_it_was_run
from clients.sessions import talk
from clients.stack import Ports, Stack
from clients.state import running_stack
from settings import Settings, load_settings
from tests.clients.conftest import clean_environment

COMMANDS = [
    "chat",
    "up",
    "worker",
    "hotels",
    "show",
    "doctor",
    "conversations",
    "codec-server",
    "reservations list",
    "reservations show",
    "reservations cancel",
    "database upgrade",
    "keys new",
]


def nightdesk(*words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "clients.main", *words],
        input=given,
        capture_output=True,
        text=True,
        timeout=60,
        env=clean_environment(NIGHTDESK_BUSINESS_DATE="2026-01-15"),
        check=False,
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    shown = CliRunner().invoke(app, [*command.split(), "--help"])
    assert shown.exit_code == 0
    assert "--help" in shown.stdout
    assert "until-eof" not in shown.stdout


def test_a_second_chat_joins_the_stack_that_runs_and_operators_find_it(stack: Stack, stack_settings: Settings) -> None:
    state = ["--state", str(stack_settings.state)]
    chat = nightdesk("chat", *state, "--conversation", "joined-1", given="Hi\n")
    assert chat.returncode == 0, chat.stderr
    assert f"{stack.info.ui}/namespaces/default/workflows/joined-1" in chat.stdout
    assert "you> Hi\ndesk> " in chat.stdout
    assert chat.stdout.endswith(f" -m clients.main chat --state {stack_settings.state} --conversation joined-1\n")
    shown = nightdesk("show", "joined-1", *state)
    assert shown.returncode == 0, shown.stderr
    assert "  step:          dates\n" in shown.stdout
    listed = nightdesk("conversations", *state)
    assert "joined-1" in listed.stdout
    assert nightdesk("doctor", *state).returncode == 0
    unknown = nightdesk("show", "no-such", *state)
    assert (unknown.returncode, unknown.stdout) == (1, "")
    assert unknown.stderr == "nightdesk: there is no conversation no-such\n"


def test_a_second_up_is_told_in_one_line_who_has_the_folder(stack: Stack, stack_settings: Settings) -> None:
    second = nightdesk("up", "--state", str(stack_settings.state))
    assert (second.returncode, second.stdout) == (1, "")
    assert second.stderr.startswith(
        f"nightdesk: another nightdesk runs on {stack_settings.state}: `nightdesk up`, process {os.getpid()}, since 20"
    )
    assert second.stderr.count("\n") == 1
    assert running_stack(stack_settings.state) == stack.info


async def test_a_chat_whose_host_ends_before_it_answers_opens_the_desk_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Path] = []

    @asynccontextmanager
    async def running(settings: Settings, *_: object, **_more: object) -> AsyncGenerator[Stack]:
        tried.append(settings.state)
        if len(tried) == 1:
            raise Busy("somebody else's")
        raise CannotGoOn("this one's own")
        yield

    monkeypatch.setattr("clients.sessions.running", running)
    settings = load_settings(state=tmp_path, dotenv=None)
    with open(os.devnull, encoding="utf-8") as nothing_said:  # noqa: ASYNC230
        monkeypatch.setattr("sys.stdin", nothing_said)
        with pytest.raises(CannotGoOn, match="this one's own"):
            await asyncio.wait_for(talk(settings, Ports(), None, None), 10)
    assert tried == [tmp_path, tmp_path]


def test_a_chosen_folder_without_a_stack_is_never_answered_by_another_stack(
    stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clients.connection.DEFAULT_ADDRESS", stack.info.temporal)
    for state in (tmp_path, tmp_path / "none"):
        for command in ("show x", "conversations", "doctor"):
            said = CliRunner().invoke(app, [*command.split(), "--state", str(state)])
            assert (said.exit_code, said.stdout) == (1, "")
            assert said.stderr == f"nightdesk: no stack runs in {state}: start `nightdesk up --state {state}`\n"
    assert not (tmp_path / "none").exists()
    monkeypatch.setenv("TEMPORAL_ADDRESS", stack.info.temporal)
    assert CliRunner().invoke(app, ["conversations", "--state", str(tmp_path)]).exit_code == 0


@pytest.mark.parametrize(
    ("called", "shown"),
    [
        ("{here}/bin/nightdesk", "bin/nightdesk"),
        ("bin/nightdesk", "bin/nightdesk"),
        ("{here}/nightdesk", "./nightdesk"),
        ("/else where/nightdesk", "'/else where/nightdesk'"),
        ("{here}/on-path/nightdesk", "nightdesk"),
    ],
)
def test_the_program_is_named_as_it_was_run(
    called: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "on-path" / "nightdesk"
    program.parent.mkdir()
    program.touch(mode=0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(program.parent))
    monkeypatch.setattr("sys.argv", [called.format(here=tmp_path), "chat"])
    assert as_it_was_run() == shown


@pytest.mark.parametrize("command", ["up", "database upgrade"])
@pytest.mark.parametrize("state", ["/proc/x", "/etc/passwd"])
def test_a_state_folder_that_cannot_be_one_is_one_line(
    command: str, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIGHTDESK_STATE", state)
    said = CliRunner().invoke(app, command.split())
    assert (said.exit_code, said.stdout) == (1, "")
    assert said.stderr.startswith(f"nightdesk: NIGHTDESK_STATE (or --state): {state} cannot be the state folder: ")
    assert said.stderr.count("\n") == 1


@pytest.mark.drill
def test_a_hundred_exits_and_no_crash(stack: Stack, stack_settings: Settings) -> None:
    """A process that used a Temporal client aborts in 8 to 20 of 100 exits, unless it is cured (facts: exit crash)."""
    assert stack.info.temporal
    ended = [nightdesk("conversations", "--state", str(stack_settings.state)) for _ in range(100)]
    assert [one.returncode for one in ended] == [0] * 100
