"""A message cut into clauses, so that a "no" or a "doesn't matter" reaches only what it is about."""

import re
from dataclasses import dataclass

_LIST_CUT = re.compile(r"\band (?=(?:it|a|an|my|the) )")
_CUT = re.compile(
    r"[.;!?](?=\s|$)|,| - |\b(?:but|however|though|although|except|because|since|as long as|so long as|and then)\b"
    r"|\band (?=(?:i|we|no) |i'd\b|also\b|has\b|have\b|must\b|includes?\b|is\b|needs?\b|please\b|with\b|must\b"
    r"|budget\b|price\b|distance\b|room\b)"
)
# A negation reaches on over commas in "I don't need wifi, parking or breakfast".
_LISTED = re.compile(r"\b(?:or|nor)\b")
_VERB = re.compile(
    r"\b(?:want|need|like|love|would|i'd|must|please|with|only|just|have|has|is|are|should|prefer|yes|look\w*"
    r"|find|care|matter\w*)\b"
)
_NO = re.compile(
    r"\b(?:no|not|never|without|neither|nor|none|cannot|can't|don't|dont|doesn't|doesnt|isn't|isnt|needn't|won't"
    r"|aren't|haven't"
    r"|drop|remove|skip|forget|take off|take out|leave out|get rid of|cancel|delete|unimportant|irrelevant"
    r"|unnecessary|optional|allergic|afraid of|scared of|hate|gross|disgusting)\b"
)
# These sound like a no and are none.
_NOT_NEGATING = re.compile(
    r"\b(?:no smoking|non[ -]?smoking|not only|why not|no problem|can't (?:do|live|be|go) without|not without"
    r"|if not|no doubt|don't forget|do not forget"
    r"|(?:don't|doesn't|isn't|aren't|haven't) (?:you|they|it|there)\b|no later|not smok\w+|don't smoke"
    r"|do not smoke|nothing but|not (?:too )?far|no more than|not more than"
    r"|no less than|that's not right|not sure|not bad|i don't know|no wait)\b"
)


_MOST = 100
"""Cuts that are made; what follows stays one clause."""


@dataclass(frozen=True)
class Clause:
    """A stretch of the text, and whether something in it is turned down."""

    start: int
    stop: int
    negated: bool


def clauses(text: str, *, listing: bool = False) -> list[Clause]:
    """The clauses from left to right. In a `listing`, "the budget and the room type" stays one clause."""
    cuts = [match.span() for match in _CUT.finditer(text)]
    if not listing:
        cuts = sorted([*cuts, *(match.span() for match in _LIST_CUT.finditer(text))])
    cuts = cuts[:_MOST]
    done: list[Clause] = []
    at = 0
    separator = ""
    for start, stop in [*cuts, (len(text), len(text))]:
        part = text[at:start]
        negated = negates(part)
        carried = bool(done) and done[-1].negated and separator == "," and not negated and not _VERB.search(part)
        if part.strip():
            ahead = text[at : at + 120].split(".")[0]
            done.append(Clause(at, start, negated or (carried and bool(_LISTED.search(ahead)))))
        separator = text[start:stop].strip()
        at = stop
    return done


def negates(part: str) -> bool:
    """Whether something is turned down here; a bare "no," answers a question and turns down nothing."""
    return bool(_NO.search(_NOT_NEGATING.sub(" ", part)))
