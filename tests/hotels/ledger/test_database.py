"""The database behind the ledger: URLs, bounded waits, named failures, no secrets in messages."""

import sqlite3
import threading
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import exc

from hotels.ledger import BadDatabaseUrl, Ledger, LedgerUnavailable, database
from hotels.ledger.database import Limits
from hotels.ledger.gate import Gate
from nightdesk.booking import Confirmed
from tests.hotels.conftest import OpenLedger
from tests.hotels.postgres import PostgresServer
from tests.hotels.tcp_proxy import TcpProxy
from tests.hotels.yeses import change, count, offer_of, yes_to


@contextmanager
def at_most(seconds: float) -> Generator[None]:
    started = time.monotonic()
    yield
    assert time.monotonic() - started < seconds


def test_both_usual_spellings_of_a_postgresql_url_work(postgres_ledger_url: str, open_ledger: OpenLedger) -> None:
    for scheme in ("postgres", "postgresql", "postgresql+psycopg"):
        open_ledger(postgres_ledger_url.replace("postgresql", scheme)).ping()


@pytest.mark.parametrize(
    "url", ["", "nonsense", "mysql://u:hunter2@h/d", "sqlite://", "sqlite:///:memory:", "://hunter2"]
)
def test_another_url_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(BadDatabaseUrl) as refused:
        Ledger(url)
    assert "hunter2" not in str(refused.value)


def test_no_server_is_unavailable_and_the_password_is_not_told(postgres_server: PostgresServer) -> None:
    with TcpProxy(postgres_server.port) as closed:
        pass
    ledger = Ledger(f"postgresql://nightdesk:hunter2@127.0.0.1:{closed.port}/hotels")
    with pytest.raises(LedgerUnavailable) as failed:
        ledger.book(yes_to(offer_of()))
    assert "hunter2" not in str(failed.value)
    assert str(closed.port) in str(failed.value)
    assert failed.value.__suppress_context__


def test_a_wrong_database_is_unavailable_and_tells_no_guest(postgres_server: PostgresServer) -> None:
    ledger = Ledger(f"postgresql://nightdesk:hunter2@127.0.0.1:{postgres_server.port}/nowhere")
    with pytest.raises(LedgerUnavailable) as failed:
        ledger.book(yes_to(offer_of()))
    assert "hunter2" not in str(failed.value)
    assert "ada@example.com" not in str(failed.value)


def test_a_folder_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(LedgerUnavailable, match="unable to open"):
        Ledger(f"sqlite:///{tmp_path}/missing/hotels.db").ping()


def test_a_mistake_in_a_statement_is_no_outage(ledger: Ledger) -> None:
    change(ledger, "ALTER TABLE reservations RENAME COLUMN guest_name TO other")
    try:
        with pytest.raises(exc.DBAPIError) as failed:
            ledger.book(yes_to(offer_of()))
    finally:
        change(ledger, "ALTER TABLE reservations RENAME COLUMN other TO guest_name")
    assert "ada@example.com" not in str(failed.value)
    assert count(ledger, "reservations") == 0


def test_a_writer_that_does_not_let_go_is_a_bounded_wait_on_sqlite(
    sqlite_ledger_url: str, open_ledger: OpenLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "SQLITE_BUSY_MS", 300)
    ledger = open_ledger(sqlite_ledger_url)
    path = sqlite_ledger_url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(path, isolation_level=None)) as greedy:
        greedy.execute("BEGIN IMMEDIATE")
        with at_most(3), pytest.raises(LedgerUnavailable, match="locked"):
            ledger.book(yes_to(offer_of()))
        assert ledger.reservations() == []  # reading goes on meanwhile
        greedy.execute("ROLLBACK")
    assert isinstance(ledger.book(yes_to(offer_of())), Confirmed)


def test_a_lock_that_is_not_let_go_is_a_bounded_wait_on_postgresql(
    postgres_ledger_url: str, open_ledger: OpenLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PROMPT", Limits(lock_ms=300, statement_ms=5000, transaction_s=8))
    ledger = open_ledger(postgres_ledger_url)
    ledger.book(yes_to(offer_of("c1")))
    with psycopg.connect(postgres_ledger_url) as greedy:
        greedy.execute("UPDATE inventory SET free = free")
        with at_most(3), pytest.raises(LedgerUnavailable, match="LockNotAvailable"):
            ledger.book(yes_to(offer_of("c2")))
        greedy.rollback()
    assert isinstance(ledger.book(yes_to(offer_of("c2"))), Confirmed)


def test_a_server_that_falls_silent_is_hung_up_on(
    postgres_server: PostgresServer,
    postgres_ledger_url: str,
    open_ledger: OpenLedger,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(database, "PROMPT", Limits(lock_ms=4000, statement_ms=5000, transaction_s=0.5))
    with TcpProxy(postgres_server.port) as proxy:
        ledger = open_ledger(proxy.url(postgres_ledger_url))
        ledger.ping()
        proxy.hang()
        with at_most(3), pytest.raises(LedgerUnavailable):
            ledger.book(yes_to(offer_of()))


@pytest.mark.drill
def test_no_call_hangs_longer_than_ten_seconds_on_a_silent_server(
    postgres_server: PostgresServer, postgres_ledger_url: str, open_ledger: OpenLedger
) -> None:
    with TcpProxy(postgres_server.port) as proxy:
        ledger = open_ledger(proxy.url(postgres_ledger_url))
        ledger.ping()
        proxy.hang()
        for _ in ("a connection of the pool", "a new one"):
            with at_most(10), pytest.raises(LedgerUnavailable):
                ledger.book(yes_to(offer_of()))


def test_a_booking_is_written_through_to_the_disk(sqlite_ledger_url: str, open_ledger: OpenLedger) -> None:
    ledger = open_ledger(sqlite_ledger_url)
    with ledger.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


def test_the_gate_lets_in_so_many_and_whoever_waited_longest_next() -> None:
    gate = Gate(1)
    assert gate.enter(0)
    assert not gate.enter(0.01)
    inside: list[int] = []
    waiting: list[threading.Thread] = []

    def wait(number: int) -> None:
        assert gate.enter(5)
        inside.append(number)
        gate.leave()

    for number in range(5):
        waiting.append(threading.Thread(target=wait, args=(number,)))
        waiting[-1].start()
        deadline = time.monotonic() + 5
        while gate.waiting <= number:
            assert time.monotonic() < deadline
    gate.leave()
    for thread in waiting:
        thread.join(5)
    assert inside == [0, 1, 2, 3, 4]
    assert gate.enter(0)
