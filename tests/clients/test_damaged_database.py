"""A hotel database that is none: every command says so in one line, and the file stays as it was."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from clients.main import app
from hotels.ledger import upgrade

COMMANDS = ["up", "database upgrade", "hotels --port 0", "worker", "reservations list"]


def noise(path: Path) -> None:
    path.write_bytes(bytes(range(255, -1, -1)) * 80)


def text(path: Path) -> None:
    path.write_text("guest,hotel,nights\n")


def half(path: Path) -> None:
    upgrade(f"sqlite:///{path}")
    os.truncate(path, path.stat().st_size // 2)


def cut_in_the_last_page(path: Path) -> None:
    """SQLite itself does not mind: it takes what is missing for zeros."""
    upgrade(f"sqlite:///{path}")
    os.truncate(path, path.stat().st_size - 100)


def header_alone(path: Path) -> None:
    upgrade(f"sqlite:///{path}")
    os.truncate(path, 60)


def _not_here(*_: object) -> None:
    """The logs of the tests are not a worker's."""


def run(command: str, state: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the refused command says: one line on standard error."""
    monkeypatch.setenv("NIGHTDESK_STATE", str(state))
    monkeypatch.setattr("clients.logs.configure", _not_here)
    said = CliRunner().invoke(app, command.split())
    assert (said.exit_code, said.stdout) == (1, ""), said.exception
    assert said.stderr.startswith("nightdesk: ")
    assert said.stderr.count("\n") == 1
    return said.stderr


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("damage", [noise, text, half, cut_in_the_last_page, header_alone])
def test_a_file_that_is_no_database_is_one_line_and_stays_as_it_was(
    damage: Callable[[Path], None], command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "hotels.sqlite"
    damage(file)
    before = file.read_bytes()
    said = run(command, tmp_path, monkeypatch)
    assert f"the hotel database {file} is no SQLite database, or a damaged one (" in said
    assert "restore it from a backup, or move it away" in said
    assert file.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} <= {"hotels.sqlite", "lock", "lock.children"}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_in_its_place_is_one_line(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hotels.sqlite").mkdir()
    said = run(command, tmp_path, monkeypatch)
    assert said == f"nightdesk: the hotel database {tmp_path}/hotels.sqlite is a folder, not a file\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_may_not_be_read_is_one_line(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "hotels.sqlite"
    upgrade(f"sqlite:///{file}")
    file.chmod(0)
    if os.access(file, os.R_OK):
        pytest.skip("NOT TESTED: root may read everything; run it as another user")
    said = run(command, tmp_path, monkeypatch)
    assert said == f"nightdesk: the hotel database {file} cannot be read: no permission\n"


def test_an_empty_file_is_a_new_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hotels.sqlite").touch()
    assert "nightdesk database upgrade" in run("reservations list", tmp_path, monkeypatch)
    upgraded = CliRunner().invoke(app, ["database", "upgrade"])
    assert upgraded.exit_code == 0, upgraded.stderr
    assert CliRunner().invoke(app, ["reservations", "list"]).exit_code == 0


def test_a_database_that_another_process_left_with_its_log_is_not_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After kill -9 the file alone may be no whole database: the rest is in the log beside it."""
    file = tmp_path / "hotels.sqlite"
    upgrade(f"sqlite:///{file}")
    with closing(sqlite3.connect(file)) as writer:
        writer.execute("CREATE TABLE filler (bytes BLOB)")
        writer.execute("INSERT INTO filler VALUES (zeroblob(200000))")
        writer.commit()
        kept = {path: path.read_bytes() for path in tmp_path.iterdir() if path.suffix in {".sqlite", ".sqlite-wal"}}
    assert len(kept) == 2
    for path, content in kept.items():
        # In the middle of a checkpoint: a part of a page has been written.
        path.write_bytes(content + (b"\0" * 100 if path == file else b""))
    monkeypatch.setenv("NIGHTDESK_STATE", str(tmp_path))
    assert CliRunner().invoke(app, ["reservations", "list"]).exit_code == 0


def test_damage_that_is_met_later_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "hotels.sqlite"
    upgrade(f"sqlite:///{file}")
    with closing(sqlite3.connect(file)) as looking:
        [page] = looking.execute("PRAGMA page_size").fetchone()
        [root] = looking.execute("SELECT rootpage FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
    with file.open("r+b") as damaged:
        damaged.seek((root - 1) * page)
        damaged.write(b"\xff" * page)
    said = run("reservations list", tmp_path, monkeypatch)
    assert "is no SQLite database, or a damaged one (database disk image is malformed)" in said
