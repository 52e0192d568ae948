"""How dear it may be in words: "something cheap". No number was given, so it is asked for."""

import re

from nightdesk.understanding.reading import BudgetReading
from nightdesk.understanding.view import Notes, View

_LEVEL = re.compile(
    r"\b(?P<cheap>cheap(?:est|er)?|inexpensive|affordable|low[ -]?cost|low[ -]?budget|budget[ -]friendly"
    r"|economical|on a budget"
    r"|low price[sd]?|(?:not|nothing|isn't|won't be) (?:too |very |so |that )?(?:expensive|pricey|fancy|luxurious))\b"
    r"|\b(?P<expensive>expensive|luxur\w+|pricey|high[ -]end|upscale|upmarket|fancy|five[ -]star)\b"
    r"|\b(?P<moderate>moderate(?:ly)?(?: priced?)?|mid[ -]?(?:range|priced?|tier)|medium|average priced?"
    r"|reasonabl[ey](?: priced?)?|(?:some\w+ )?in the middle(?! of)|middle of the road)\b"
)
# Said of what is shown: the bound has to change.
_TOO_DEAR = re.compile(
    r"\b(?:(?:too|so) (?:expensive|pricey|costly|dear|much money)|over (?:my|our) budget"
    r"|can't afford|out of my (?:budget|price range))\b"
)
# "is parking expensive?", "the airport is so expensive"
_SAID_OF = re.compile(r"\b(?:is|are|was|were|it's|that's) (?:\w+ )?$")
# "sounds expensive", "too pricey": a remark about what was shown.
_REMARKED = re.compile(
    r"\b(?:sounds?|looks?|seems?|too|so|pretty|quite|bit|(?:would|will|is|are) (?:it|that|they) (?:be )?(?:any )?) ?$"
)


def read_level(seen: View, context: str | None, notes: Notes) -> BudgetReading | None:
    """ "something cheap": no number, so it is asked for. Not where it praises or blames a hotel that is shown."""
    match = _LEVEL.search(seen.text)
    if context in {"search_results", "select", "confirm"} and (dear := _TOO_DEAR.search(seen.text)):
        notes.ask("budget", "level", seen.quote(*dear.span()))
        return BudgetReading(level="cheap")
    if match is None or context in {"search_results", "select", "confirm"} or match.lastgroup is None:
        return None
    before = seen.text[max(0, match.start() - 25) : match.start()]
    if context != "budget" and (_REMARKED.search(before) or (match["expensive"] and _SAID_OF.search(before))):
        return None
    notes.ask("budget", "level", seen.quote(*match.span()))
    return BudgetReading(level=match.lastgroup)
