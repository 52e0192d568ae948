"""What code makes of a decision: thresholds and vetoes, each a pure function, tested over its whole table."""

from dataclasses import dataclass
from typing import Literal

from nightdesk.criteria import BY_NAME, CRITERIA
from nightdesk.decisions import Decision

# These are replay-sensitive: a change of any of them goes under a patch (workflows/release.py).
ROUTE_AT_LEAST = 0.5
"""For the destination's probability, and for each mention."""
FAITHFUL_AT_LEAST = 0.75
"""Seed: readiness, `answers.faithful.noul >= 0.75`."""
GROUNDED_AT_LEAST = 0.85
LEVEL_AT_LEAST = 1.5
LEVEL_CONFIDENCE_AT_LEAST = 0.75
"""Seed chapter 6: presentation, completeness and clarity."""


@dataclass(frozen=True)
class Route:
    """Where a message goes: the destination, the criteria it mentions, and the owners who are to read it."""

    destination: str
    mentions: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()


def route(decision: Decision) -> Route:
    """A destination below the threshold is `unclear`; the owner of a named criterion is always concerned.

    A question about a hotel that is shown changes nothing, whatever it mentions.
    """
    answer = decision.choice("destination")
    sure = answer.probabilities.get(answer.choice, 0.0) >= ROUTE_AT_LEAST
    destination = answer.choice if sure else "unclear"
    mentions = tuple(c.name for c in CRITERIA if decision.noul(f"mentions_{c.name}") >= ROUTE_AT_LEAST)
    if destination == "question":
        return Route(destination, mentions)
    return Route(destination, mentions, tuple(c.name for c in CRITERIA if c.name == destination or c.name in mentions))


def readiness(issues: int, outcome: str, faithful: float) -> str:
    """`search`, the name of the one criterion whose owner asks, `open` (an issue: its owner asks), or `clarify`.

    A confident "ready" never overrides an issue (seed: code retains veto power).
    """
    if issues:
        return "open"
    if outcome == "ready" and faithful >= FAITHFUL_AT_LEAST:
        return "search"
    return outcome if outcome in BY_NAME else "clarify"


Presentation = Literal["draft", "own_list"]


def presentation(grounded: float, completeness: tuple[float, float], clarity: tuple[float, float]) -> Presentation:
    """The draft is released only when grounded, and complete and clear with confidence: (score, confidence)."""
    good = all(
        score >= LEVEL_AT_LEAST and confidence >= LEVEL_CONFIDENCE_AT_LEAST
        for score, confidence in (completeness, clarity)
    )
    return "draft" if grounded >= GROUNDED_AT_LEAST and good else "own_list"
