"""What a message asks for that is not this desk's: another city, a hotel that is none of ours. Whoever routes it."""

from collections.abc import Sequence

from nightdesk.boundaries import RouterFacts
from nightdesk.understanding import read
from nightdesk.understanding.asides import INJECTION
from nightdesk.understanding.cities import other_city
from nightdesk.understanding.reading import Remark
from nightdesk.understanding.strangers import missing, strange_choice, strange_hotel
from nightdesk.understanding.view import view

OTHER_CITY, UNKNOWN_HOTEL, NOT_SHOWN = "other_city", "unknown_hotel", "not_shown"
_LONGEST_QUOTE = 60


def notice(facts: RouterFacts, ours: Sequence[str]) -> tuple[Remark, ...]:
    """One remark at most of each kind, in the guest's words. `ours`: names of hotels that a search may show."""
    seen = view(facts.request)
    if INJECTION.search(seen.text):
        return ()
    shown = [name.split(". ", 1)[-1] for name in facts.hotels]
    found: list[Remark] = []
    if (city := other_city(seen)) is not None:
        found.append(Remark(criterion="place", code=OTHER_CITY, quote=city[:_LONGEST_QUOTE]))
    if (name := strange_hotel(seen, (*shown, *ours))) is not None:
        found.append(Remark(criterion="hotel", code=UNKNOWN_HOTEL, quote=name[:_LONGEST_QUOTE]))
    elif shown and (name := missing(seen, shown, ours)) is not None:
        found.append(Remark(criterion="hotel", code=NOT_SHOWN, quote=name[:_LONGEST_QUOTE]))
    elif shown and not found and (name := _chosen(facts)) and strange_choice(name, (*shown, *ours)):
        found.append(Remark(criterion="hotel", code=UNKNOWN_HOTEL, quote=name[:_LONGEST_QUOTE]))
    return tuple(found)


def _chosen(facts: RouterFacts) -> str | None:
    """The name in a message that only chooses, where hotels are shown: "let's book the Langham"."""
    reading = read(facts.request, today=facts.today, context="search_results")
    chosen = reading.selection.name if reading.intent == "book" and reading.selection else None
    return chosen.removeprefix("the ") if chosen else None
