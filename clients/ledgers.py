"""The hotel database as commands and the worker open it: by the settings, and with one line when it cannot be."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.engine import make_url

from clients.failures import CannotGoOn
from clients.folder import make_folder
from hotels.ledger import BadDatabaseUrl, Ledger, LedgerUnavailable, NotADatabase, SchemaMismatch, upgrade
from settings import Settings


class DatabaseTrouble(CannotGoOn):
    """The hotel database cannot be used."""


def upgrade_database(settings: Settings) -> None:
    """Create or migrate the tables and add the hotels that are missing. Raises CannotGoOn."""
    if settings.database is None:
        make_folder(settings.state)
    with named_failures():
        try:
            upgrade(settings.database_url)
        except OSError as error:
            why = error.strerror or "not possible"
            raise DatabaseTrouble(f"NIGHTDESK_DATABASE_URL: {settings.database_shown}: {why}") from None


@contextmanager
def open_ledger(settings: Settings) -> Generator[Ledger]:
    """The hotel database, checked, as the settings have it. Raises CannotGoOn."""
    with named_failures():
        _need_file(settings)
        ledger = Ledger(
            settings.database_url, booking_limit=settings.booking_limit, business_date=settings.business_date
        )
        try:
            ledger.check_schema()
            yield ledger
        finally:
            ledger.close()


def _need_file(settings: Settings) -> None:
    """SQLite would make an empty file, or say no more than that it cannot."""
    url = make_url(settings.database_url)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").exists():
        raise DatabaseTrouble(f"there is no hotel database {url.database}: run `nightdesk database upgrade`")


@contextmanager
def named_failures() -> Generator[None]:
    """The database's failures as one line for the operator."""
    try:
        yield
    except (LedgerUnavailable, BadDatabaseUrl) as error:
        raise DatabaseTrouble(f"NIGHTDESK_DATABASE_URL: {error}") from None
    except (SchemaMismatch, NotADatabase) as error:
        raise DatabaseTrouble(str(error)) from None
