"""The schema's version: checked at start, brought up to date by `upgrade`."""

import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from hotels.catalogue import catalogue
from hotels.ledger.database import SQLITE_BUSY_MS, Database, is_damage, upsert
from hotels.ledger.errors import LedgerUnavailable, SchemaMismatch
from hotels.ledger.sqlite_file import not_a_database
from hotels.ledger.tables import HotelRow, RoomTypeRow

_MIGRATIONS = Path(__file__).parent.parent / "migrations"
_ONE_AT_A_TIME = 0x6E69676874  # "night": the key of PostgreSQL's advisory lock
_alembic = threading.Lock()
"""Alembic's environment is global to the process."""


def upgrade(url: str) -> None:
    """Create or migrate the tables and add the hotels that are missing; hotels already there stay as they are.

    One transaction, so all or nothing, and safe when several processes do it at once.
    A file that is no database is left as it is. Raises LedgerUnavailable, NotADatabase, BadDatabaseUrl.
    """
    database = Database(url, patient=True)
    try:
        database.need_file()
        if database.is_sqlite:
            _use_wal(Path(database.engine.url.database or ""))
        with _alembic, database.writing() as connection:
            if not database.is_sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ONE_AT_A_TIME})
            _migrate(connection)
            _seed(connection)
    finally:
        database.close()


def check(connection: Connection) -> None:
    """SchemaMismatch unless the database has exactly the version that this program knows."""
    current = MigrationContext.configure(connection).get_current_revision()
    scripts = _scripts()
    if current == scripts.get_current_head():
        return
    known = {script.revision for script in scripts.walk_revisions()}
    if current is not None and current not in known:
        raise SchemaMismatch(
            f"the hotel database has schema {current}, which this older program does not know: "
            "update the program, then run `nightdesk database upgrade`"
        )
    raise SchemaMismatch(
        f"the hotel database has schema {current or 'none'}, this program needs "
        f"{scripts.get_current_head()}: run `nightdesk database upgrade`"
    )


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _migrate(connection: Connection) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _seed(connection: Connection) -> None:
    for hotel in catalogue():
        insert = upsert(connection, HotelRow).values(
            id=hotel.id,
            name=hotel.name,
            address=hotel.address,
            airport_miles=hotel.airport,
            city_center_miles=hotel.city_center,
            amenities=list(hotel.amenities),
        )
        connection.execute(insert.on_conflict_do_nothing())
        for room in hotel.rooms:
            insert = upsert(connection, RoomTypeRow).values(hotel_id=hotel.id, **room.model_dump())
            connection.execute(insert.on_conflict_do_nothing())


def _use_wal(path: Path) -> None:
    """Write-ahead logging: readers never wait for the writer. A property of the file, set once.

    The switch needs the file for itself and does not wait for it, hence the loop.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    give_up = time.monotonic() + SQLITE_BUSY_MS / 1000
    while True:
        try:
            with closing(sqlite3.connect(path)) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.DatabaseError as error:
            if is_damage(error):
                raise not_a_database(path, str(error)) from None
            if time.monotonic() > give_up:
                raise LedgerUnavailable(f"hotel database {path}: {error}") from None
            time.sleep(0.02)
