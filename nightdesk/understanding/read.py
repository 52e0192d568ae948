"""One message in, one Reading out."""

from datetime import date

from nightdesk.understanding.reading import Reading
from nightdesk.understanding.stays import read_stay
from nightdesk.understanding.view import Notes, view


def read(text: str, *, today: date, context: str | None = None, asked: str | None = None) -> Reading:
    """Reads one message: `today` for relative dates, `context` what was asked, `asked` finer."""
    notes = Notes()
    seen = view(text)
    stay = read_stay(seen, today, context, asked, notes)
    return Reading(
        intent="dates" if stay.mentioned else "other",
        dates=stay.stay,
        clarify=tuple(notes.clarify),
        remarks=tuple(notes.remarks),
        because=tuple(notes.because),
    )
