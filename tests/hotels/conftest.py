"""A ledger on each database, seeded once and copied for each test, with a clock that the test holds."""

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import psycopg
import pytest

from hotels.ledger import Ledger, upgrade
from tests.hotels.postgres import PostgresServer, postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url"]


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 1, 15, 20, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def move(self, **by: float) -> None:
        self.moment += timedelta(**by)


OpenLedger = Callable[..., Ledger]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "hotels.db"
    upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def seeded_postgres(postgres_server: PostgresServer) -> str:
    """One seeded database for the session; copying one per test would cost a quarter of a second each."""
    url = postgres_server.database()
    upgrade(url)
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE seed_room_types AS TABLE room_types")
    return url


@pytest.fixture
def sqlite_ledger_url(sqlite_template: Path, tmp_path: Path) -> str:
    """A seeded SQLite database of its own."""
    return f"sqlite:///{shutil.copy(sqlite_template, tmp_path / 'hotels.db')}"


@pytest.fixture
def postgres_ledger_url(seeded_postgres: str) -> str:
    """The seeded PostgreSQL database as it was at first, with nobody else connected."""
    with psycopg.connect(seeded_postgres) as connection:
        connection.execute("SET lock_timeout = '10s'")
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        connection.execute(
            "TRUNCATE room_types, inventory, booking_keys, reservations, reservation_nights, attempts,"
            " encryption_sentinels"
        )
        connection.execute("INSERT INTO room_types TABLE seed_room_types")
    return seeded_postgres


@pytest.fixture(params=["sqlite", "postgresql"])
def ledger_url(request: pytest.FixtureRequest) -> str:
    """A seeded database of each kind."""
    kind = "sqlite_ledger_url" if request.param == "sqlite" else "postgres_ledger_url"
    return request.getfixturevalue(kind)


@pytest.fixture
def open_ledger(clock: Clock) -> Iterator[OpenLedger]:
    """Opens ledgers on the test's clock, and closes them afterwards."""
    opened: list[Ledger] = []

    def open_(url: str, *, booking_limit: Decimal = Decimal(10000), business_date: date | None = None) -> Ledger:
        ledger = Ledger(url, booking_limit=booking_limit, business_date=business_date, now=clock)
        opened.append(ledger)
        return ledger

    yield open_
    for ledger in opened:
        ledger.close()


@pytest.fixture
def ledger(ledger_url: str, open_ledger: OpenLedger) -> Ledger:
    """A ledger on each database."""
    return open_ledger(ledger_url)
