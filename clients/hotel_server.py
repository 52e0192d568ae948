"""The hotel server and the hotel database as commands."""

import logging
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from clients import logs
from clients.failures import CannotGoOn
from hotels.ledger import BadDatabaseUrl, Ledger, LedgerUnavailable, SchemaMismatch, upgrade
from hotels.mcp_server import run_http, run_stdio
from settings import Settings


def serve(settings: Settings, *, stdio: bool, host: str, port: int, allowed_hosts: Sequence[str] = ()) -> None:
    """Serve hotel search until stopped. Raises CannotGoOn."""
    token = settings.hotels_token.get_secret_value() if settings.hotels_token else None
    with open_ledger(settings) as ledger:
        logs.configure(settings.log_format, logging.WARNING)
        if stdio:
            run_stdio(ledger)
            return
        try:
            run_http(ledger, host, port, token, allowed_hosts)
        except OSError as error:
            raise CannotGoOn(f"cannot listen on {host}:{port}: {error.strerror or 'not possible'}") from None


def upgrade_database(settings: Settings) -> None:
    """Create or migrate the tables and add the hotels that are missing. Raises CannotGoOn."""
    with named_failures():
        upgrade(settings.database_url)


@contextmanager
def open_ledger(settings: Settings) -> Generator[Ledger]:
    """The hotel database, checked, as the settings have it. Raises CannotGoOn."""
    with named_failures():
        ledger = Ledger(
            settings.database_url, booking_limit=settings.booking_limit, business_date=settings.business_date
        )
        try:
            ledger.check_schema()
            yield ledger
        finally:
            ledger.close()


@contextmanager
def named_failures() -> Generator[None]:
    """The database's failures as one line for the operator."""
    try:
        yield
    except (LedgerUnavailable, BadDatabaseUrl) as error:
        raise CannotGoOn(f"NIGHTDESK_DATABASE_URL: {error}") from None
    except SchemaMismatch as error:
        raise CannotGoOn(str(error)) from None
