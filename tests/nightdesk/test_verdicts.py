"""The verdicts, over their whole tables."""

import itertools

import pytest

from nightdesk.criteria import BY_NAME
from nightdesk.decisions import ChoiceAnswer, Decision, NoulAnswer
from nightdesk.verdicts import presentation, readiness, route

OUTCOMES = ["ready", *BY_NAME, "unclear", "something else"]
FAITHFUL = [0.0, 0.749, 0.75, 1.0]


@pytest.mark.parametrize(("issues", "outcome", "faithful"), list(itertools.product([0, 1, 3], OUTCOMES, FAITHFUL)))
def test_the_readiness_verdict_over_its_whole_table(issues: int, outcome: str, faithful: float) -> None:
    verdict = readiness(issues, outcome, faithful)
    if issues:
        assert verdict == "open", "a confident ready never overrides an issue"
    elif outcome == "ready":
        assert verdict == ("search" if faithful >= 0.75 else "clarify")
    elif outcome in BY_NAME:
        assert verdict == outcome, "one contradicted criterion goes to its owner, whatever else is believed"
    else:
        assert verdict == "clarify"


@pytest.mark.parametrize(
    ("grounded", "complete", "clear", "verdict"),
    [
        (0.85, (1.5, 0.75), (1.5, 0.75), "draft"),
        (1.0, (2.0, 1.0), (2.0, 1.0), "draft"),
        (0.849, (2.0, 1.0), (2.0, 1.0), "own_list"),
        (1.0, (1.49, 1.0), (2.0, 1.0), "own_list"),
        (1.0, (2.0, 0.74), (2.0, 1.0), "own_list"),
        (1.0, (2.0, 1.0), (1.49, 1.0), "own_list"),
        (1.0, (2.0, 1.0), (2.0, 0.74), "own_list"),
    ],
)
def test_a_draft_is_released_only_when_grounded_complete_and_clear(
    grounded: float, complete: tuple[float, float], clear: tuple[float, float], verdict: str
) -> None:
    assert presentation(grounded, complete, clear) == verdict


def decided(destination: str, probability: float, **mentions: float) -> Decision:
    """A router's decision; criteria that are not named are not mentioned."""
    nouls = {f"mentions_{name}": NoulAnswer(noul=mentions.get(name, 0.0)) for name in BY_NAME}
    choice = ChoiceAnswer(choice=destination, probabilities={destination: probability}, confidence=probability)
    return Decision(model="test", answers={"destination": choice, **nouls})


def test_a_destination_below_one_half_is_unclear_but_what_is_mentioned_is_still_read() -> None:
    way = route(decided("search", 0.49, budget=0.5))
    assert (way.destination, way.owners) == ("unclear", ("budget",))


def test_every_mentioned_owner_reads_along_with_the_destination() -> None:
    way = route(decided("dates", 0.5, budget=0.5, distance=0.49))
    assert way.owners == ("dates", "budget")
    assert way.mentions == ("budget",)


def test_a_question_about_a_shown_hotel_concerns_no_owner() -> None:
    way = route(decided("question", 0.9, amenities=1.0))
    assert (way.destination, way.owners) == ("question", ())
