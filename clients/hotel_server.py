"""The hotel server as a command."""

import logging
from collections.abc import Sequence

from clients import logs
from clients.failures import CannotGoOn
from clients.ledgers import open_ledger
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
