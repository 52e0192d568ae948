"""Answers in a provider's shape, from rules that are either sure or not."""

from nightdesk.decisions import Choice, ChoiceAnswer, NoulAnswer, Score, ScoreAnswer

SURE = 0.98


def choose(question: Choice, option: str) -> ChoiceAnswer:
    """The option, with what is left spread over the others."""
    others = len(question.options) - 1
    spread = {name: SURE if name == option else round((1 - SURE) / others, 4) for name in question.options}
    count = len(spread)
    return ChoiceAnswer(choice=option, probabilities=spread, confidence=round((SURE - 1 / count) / (1 - 1 / count), 4))


def believe(statement: bool) -> NoulAnswer:
    """As true or false as a rule can be."""
    return NoulAnswer(noul=SURE if statement else round(1 - SURE, 4))


def grade(question: Score, level: int) -> ScoreAnswer:
    """That level."""
    count = len(question.levels)
    spread = tuple(SURE if place == level else round((1 - SURE) / (count - 1), 4) for place in range(count))
    expected = sum(place * share for place, share in enumerate(spread))
    return ScoreAnswer(score=expected, probabilities=spread, confidence=round((SURE - 1 / count) / (1 - 1 / count), 4))
