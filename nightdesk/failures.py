"""The error types that activities fail with, by name: what is permanent, and what is worth a retry.

A type's name is all that crosses into the history; a provider's own text never does.
"""

# Decisions (activities/decide.py).
DECISION_UNAVAILABLE = "DecisionUnavailable"
"""Connection, time-out, 408, 429, 5xx: worth a retry."""
DECISION_REJECTED = "DecisionRejected"
"""Key, model or request refused: configuration or a bug of ours."""
DECISION_BAD_ANSWER = "DecisionBadAnswer"
"""An answer that does not fit the questions asked: never used, not asked again."""

# The language model (activities/converse.py).
LANGUAGE_UNAVAILABLE = "LanguageUnavailable"
LANGUAGE_REJECTED = "LanguageRejected"

# Hotel search (activities/search_hotels.py).
SEARCH_UNAVAILABLE = "SearchUnavailable"
SEARCH_REJECTED = "SearchRejected"
SEARCH_BAD_RESULT = "SearchBadResult"
SEARCH_REFUSED = "SearchRefused"
"""The server says, with reasons, that this search can never work: its details are a RefusedSearch."""

# The hotel database (activities/book_room.py, settle_reservation.py).
LEDGER_UNAVAILABLE = "LedgerUnavailable"
LEDGER_REJECTED = "LedgerRejected"

PERMANENT = (
    DECISION_REJECTED,
    DECISION_BAD_ANSWER,
    LANGUAGE_REJECTED,
    SEARCH_REJECTED,
    SEARCH_BAD_RESULT,
    SEARCH_REFUSED,
    LEDGER_REJECTED,
)
"""Not retried. Everything else an activity fails with is."""
