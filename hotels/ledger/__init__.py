"""The ledger: rooms by night and reservations, in SQLite or PostgreSQL. The only writer of either."""

from hotels.ledger.errors import BadDatabaseUrl, BadSearch, LedgerUnavailable, NotADatabase, SchemaMismatch
from hotels.ledger.ledger import Ledger
from hotels.ledger.records import Attempt, Reservation, Sentinel
from hotels.ledger.schema import upgrade

__all__ = [
    "Attempt",
    "BadDatabaseUrl",
    "BadSearch",
    "Ledger",
    "LedgerUnavailable",
    "NotADatabase",
    "Reservation",
    "SchemaMismatch",
    "Sentinel",
    "upgrade",
]
