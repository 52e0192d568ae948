"""One message in, one Reading out."""

from datetime import date

from nightdesk.understanding.reading import Reading


def read(text: str, *, today: date, context: str | None = None, asked: str | None = None) -> Reading:
    """Reads one message: `today` for relative dates, `context` what was asked, `asked` finer (nights, airport)."""
    return Reading()
