"""The schema: created and migrated by one command, checked at start, the same as the tables in code."""

import threading
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from hotels.catalogue import catalogue
from hotels.ledger import Ledger, SchemaMismatch, upgrade
from hotels.ledger.tables import Base
from nightdesk.booking import Confirmed
from tests.hotels.conftest import OpenLedger
from tests.hotels.yeses import change, count, offer_of, yes_to

ROOM_TYPES = 3 * len(catalogue())


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database with nothing in it."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/state/hotels.db"
    return request.getfixturevalue("postgres_url")


def test_upgrade_makes_a_ledger_that_can_be_used(empty_url: str, open_ledger: OpenLedger) -> None:
    upgrade(empty_url)
    ledger = open_ledger(empty_url)
    ledger.check_schema()
    assert isinstance(ledger.book(yes_to(offer_of())), Confirmed)


def test_upgrading_again_changes_nothing(empty_url: str, open_ledger: OpenLedger) -> None:
    upgrade(empty_url)
    ledger = open_ledger(empty_url)
    ledger.book(yes_to(offer_of()))
    change(ledger, "UPDATE room_types SET base_cents = 1, capacity = 99")
    change(ledger, "UPDATE hotels SET name = 'Renamed'")
    upgrade(empty_url)
    assert count(ledger, "reservations") == 1
    assert count(ledger, "room_types", "base_cents = 1 AND capacity = 99") == ROOM_TYPES
    assert count(ledger, "hotels", "name = 'Renamed'") == len(catalogue())


def test_several_may_upgrade_at_once(empty_url: str, open_ledger: OpenLedger, tmp_path: Path) -> None:
    import subprocess
    import sys

    program = "import sys; from hotels.ledger import upgrade; sys.stdin.read(1); upgrade(sys.argv[1])"
    upgrading = [
        subprocess.Popen([sys.executable, "-c", program, empty_url], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    for process in upgrading:
        assert process.stdin is not None
        process.stdin.write(b"!")
        process.stdin.flush()
    for process in upgrading:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors.decode()
    ledger = open_ledger(empty_url)
    ledger.check_schema()
    assert count(ledger, "room_types") == ROOM_TYPES


def test_threads_may_upgrade_at_once(empty_url: str, open_ledger: OpenLedger) -> None:
    failures: list[BaseException] = []

    def run() -> None:
        try:
            upgrade(empty_url)
        except BaseException as failure:  # noqa: BLE001
            failures.append(failure)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    assert count(open_ledger(empty_url), "hotels") == len(catalogue())


def test_a_database_without_schema_is_refused_in_one_line(empty_url: str, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    ledger = Ledger(empty_url)
    with pytest.raises(SchemaMismatch) as refused:
        ledger.check_schema()
    ledger.close()
    assert "run `nightdesk database upgrade`" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_another_version_is_refused_in_one_line(ledger: Ledger) -> None:
    ledger.check_schema()
    change(ledger, "UPDATE alembic_version SET version_num = '9999'")
    try:
        with pytest.raises(SchemaMismatch, match=r"9999.*update the program.*nightdesk database upgrade"):
            ledger.check_schema()
    finally:
        change(ledger, "UPDATE alembic_version SET version_num = '0001'")


def test_the_migrations_make_the_tables_that_the_code_describes(ledger: Ledger) -> None:
    with ledger.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "include_name": _ours})
        assert compare_metadata(context, Base.metadata) == []


def _ours(name: str | None, _kind: str, _parents: object) -> bool:
    return name != "seed_room_types"  # the test session's own


def test_a_failed_upgrade_leaves_nothing_behind(
    empty_url: str, open_ledger: OpenLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hotels.ledger import schema

    def fail(*_: object) -> None:
        raise RuntimeError("no hotels today")

    with monkeypatch.context() as broken:
        broken.setattr(schema, "_seed", fail)
        with pytest.raises(RuntimeError):
            upgrade(empty_url)
    ledger = open_ledger(empty_url)
    with pytest.raises(SchemaMismatch, match="schema none"):
        ledger.check_schema()
    upgrade(empty_url)
    ledger.check_schema()
