"""What the conversation awaits, in the reader's words."""

from nightdesk.criteria import BY_NAME

_CONTEXTS = {"confirm": "confirm", "present": "search_results", "router": "anything_else"}


def context(awaiting: str) -> str | None:
    """The reader's context for the step that the message is expected to answer."""
    return awaiting if awaiting in BY_NAME else _CONTEXTS.get(awaiting)
