"""What can go wrong with the ledger that is no outcome of a booking. No message holds a secret."""

from nightdesk.refusals import Refusal


class LedgerUnavailable(Exception):
    """The database did not answer in time or the connection broke. Whether a write happened is not known.

    Worth a retry, under the same key.
    """


class SchemaMismatch(Exception):
    """The database has another schema version than this program; one line says what to do."""


class NotADatabase(Exception):
    """What is where the SQLite file should be is no database, or a damaged one. One line says what to do."""


class BadDatabaseUrl(ValueError):
    """The database URL is none that the ledger can use. Never repeats the URL: it may hold a password."""


class BadSearch(ValueError):
    """The search asks for something that cannot be; the text says what for whoever sent it, `refusals` for machines."""

    def __init__(self, text: str, refusals: tuple[Refusal, ...]) -> None:
        super().__init__(text)
        self.refusals = refusals
