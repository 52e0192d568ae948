"""One engine for SQLite or PostgreSQL, with every wait bounded and every failure named.

No call takes longer than about ten seconds: lock, pool, connect, statement and whole-transaction limits
below. A broken or silent connection is a LedgerUnavailable, a damaged file NotADatabase; a mistake in a
statement stays what it is.
"""

import os
import socket
import sqlite3
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import psycopg
from sqlalchemy import URL, Connection, create_engine, event, make_url
from sqlalchemy import exc as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.pool import ConnectionPoolEntry

from hotels.ledger.errors import BadDatabaseUrl, LedgerUnavailable
from hotels.ledger.gate import Gate
from hotels.ledger.sqlite_file import need_database, not_a_database
from hotels.ledger.tables import Base

POOL_SIZE = 10
QUEUE_S = 3.0
CONNECT_S = 3
SQLITE_BUSY_MS = 3_000
IDLE_IN_TRANSACTION_MS = 10_000


@dataclass(frozen=True)
class Limits:
    """How long PostgreSQL may take: for a lock, a statement, a whole transaction."""

    lock_ms: int
    statement_ms: int
    transaction_s: float


PROMPT = Limits(lock_ms=4_000, statement_ms=5_000, transaction_s=8.0)
PATIENT = Limits(lock_ms=60_000, statement_ms=600_000, transaction_s=600.0)
"""For migrations: a table that has grown takes its time."""

_SQLITE_DAMAGE = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}
_SQLITE_BUGS = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISUSE, *_SQLITE_DAMAGE}


class Database:
    """An engine and two kinds of transactions. Thread-safe; close it once."""

    def __init__(self, url: str, *, patient: bool = False) -> None:
        self._url = _parse(url)
        self._limits = PATIENT if patient else PROMPT
        self.is_sqlite = self._url.get_backend_name() == "sqlite"
        self._door = Gate(POOL_SIZE)
        # SQLite has one writer at a time. Waiting here is fair and cheap; its own busy handler polls, and
        # is left to the waits between processes.
        self._writers = Gate(1) if self.is_sqlite else None
        arguments = _sqlite_arguments() if self.is_sqlite else _postgresql_arguments(self._url, self._limits)
        self.engine = create_engine(
            self._url,
            connect_args=arguments,
            pool_size=POOL_SIZE,
            max_overflow=0,
            pool_timeout=QUEUE_S,
            hide_parameters=True,
        )
        if self.is_sqlite:
            event.listen(self.engine, "connect", _prepare_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)

    def need_file(self) -> None:
        """Of SQLite: the file is a database, or can become one. Nothing is written. Raises NotADatabase."""
        if self.is_sqlite:
            need_database(Path(self._url.database or ""))

    @contextmanager
    def reading(self) -> Generator[Connection]:
        """A read transaction."""
        with self._named_failures(), self._connection("BEGIN") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Generator[Connection]:
        """A write transaction: committed at the end, rolled back by any exception.

        BEGIN IMMEDIATE on SQLite: a deferred transaction that reads and then writes fails at once with
        "database is locked", whatever the busy timeout.
        """
        begin = "BEGIN IMMEDIATE"
        with self._named_failures(), self._place(self._writers), self._connection(begin) as connection:
            yield connection
            connection.commit()

    def close(self) -> None:
        """Give every pooled connection back."""
        self.engine.dispose()

    @contextmanager
    def _connection(self, begin: str) -> Generator[Connection]:
        limit = self._limits.transaction_s
        with self._place(self._door), self.engine.connect() as plain, _deadline(plain, limit):
            yield plain.execution_options(sqlite_begin=begin)

    @contextmanager
    def _place(self, gate: Gate | None) -> Generator[None]:
        if gate is None:
            yield
            return
        if not gate.enter(QUEUE_S):
            raise LedgerUnavailable(f"{self._name()}: too busy, no turn within {QUEUE_S:g} s")
        try:
            yield
        finally:
            gate.leave()

    @contextmanager
    def _named_failures(self) -> Generator[None]:
        try:
            yield
        except sa.DBAPIError as error:
            if is_damage(error.orig):
                raise not_a_database(Path(self._url.database or ""), str(error.orig)) from None
            if not _is_outage(error):
                raise
            # From None: the driver's own text may name hosts and users, and the chain would repeat it.
            raise LedgerUnavailable(f"{self._name()}: {self._told(error)}") from None

    def _name(self) -> str:
        if self.is_sqlite:
            return f"hotel database {self._url.database}"
        return f"hotel database {self._url.database} at {self._url.host}:{self._url.port or 5432}"

    def _told(self, error: sa.DBAPIError) -> str:
        lines = str(error.orig).splitlines() or [""]
        password = self._url.password
        text = lines[0].replace(password, "***") if password else lines[0]
        return f"{type(error.orig).__name__}: {text}"


def upsert(connection: Connection, table: type[Base]) -> postgresql.Insert:
    """The dialect's insert, for ON CONFLICT. SQLite's is another class with the same methods."""
    if connection.dialect.name == "sqlite":
        return cast(postgresql.Insert, sqlite.insert(table))
    return postgresql.insert(table)


def _parse(url: str) -> URL:
    try:
        parsed = make_url(url)
    except sa.ArgumentError:
        raise BadDatabaseUrl("not a database URL") from None
    if parsed.drivername in ("postgres", "postgresql", "postgresql+psycopg"):
        return parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername in ("sqlite", "sqlite+pysqlite"):
        if not parsed.database or parsed.database == ":memory:":
            raise BadDatabaseUrl("SQLite needs a file: sqlite:///path")
        return parsed.set(drivername="sqlite+pysqlite")
    raise BadDatabaseUrl(f"the hotel database is SQLite or PostgreSQL, not {parsed.drivername}")


def _sqlite_arguments() -> dict[str, Any]:
    return {"timeout": SQLITE_BUSY_MS / 1000, "isolation_level": None}


def _postgresql_arguments(url: URL, limits: Limits) -> dict[str, Any]:
    own = url.query.get("options", ())
    options = [own] if isinstance(own, str) else list(own)
    options += [
        f"-c statement_timeout={limits.statement_ms}",
        f"-c lock_timeout={limits.lock_ms}",
        f"-c idle_in_transaction_session_timeout={IDLE_IN_TRANSACTION_MS}",
    ]
    return {
        "connect_timeout": CONNECT_S,
        "options": " ".join(options),
        "application_name": "nightdesk",
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 2,
    }


def _prepare_sqlite(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    # FULL: a confirmed booking outlives a power cut, also in WAL mode.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql(str(connection.get_execution_options().get("sqlite_begin", "BEGIN")))


@contextmanager
def _deadline(connection: Connection, seconds: float) -> Generator[None]:
    """Hang up on a PostgreSQL server that has gone silent.

    The server's own timeouts do not help when no packet arrives any more. The watchdog holds a duplicate
    of the socket, so that it can never hit a descriptor which was closed and given to somebody else.
    """
    raw = connection.connection.driver_connection
    if not isinstance(raw, psycopg.Connection):
        yield
        return
    with socket.socket(fileno=os.dup(raw.fileno())) as line:
        watchdog = threading.Timer(seconds, _hang_up, (line,))
        watchdog.daemon = True
        watchdog.start()
        try:
            yield
        finally:
            watchdog.cancel()


def _hang_up(line: socket.socket) -> None:
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)


def is_damage(error: BaseException | None) -> bool:
    """Whether SQLite has found that the file is no database, or a damaged one."""
    return isinstance(error, sqlite3.DatabaseError) and _code(error) in _SQLITE_DAMAGE


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_BUSY) & 0xFF


def _is_outage(error: sa.DBAPIError) -> bool:
    """Whether the database was the trouble, not the statement."""
    if error.connection_invalidated:
        return True
    cause = error.orig
    if isinstance(cause, sqlite3.OperationalError):
        return _code(cause) not in _SQLITE_BUGS
    return isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError)
