"""Answers checked against the questions asked: nothing is used that does not fit.

A compatible server may round to two decimals, hence the tolerances. It may also define confidence in its own way, so
confidence is computed here, from the probabilities.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nightdesk.decisions import Answer, Choice, ChoiceAnswer, Noul, NoulAnswer, Question, Score, ScoreAnswer


@dataclass(frozen=True)
class GivenChoice:
    """As a provider gave it: unchecked."""

    choice: str
    probabilities: Mapping[str, float]


@dataclass(frozen=True)
class GivenNoul:
    """As a provider gave it: unchecked."""

    noul: float


@dataclass(frozen=True)
class GivenScore:
    """As a provider gave it: unchecked. Probabilities by level."""

    score: float
    probabilities: Mapping[int, float]


Given = GivenChoice | GivenNoul | GivenScore


class BadAnswer(ValueError):
    """An answer that does not fit its question. The text names the question and the rule, nothing of the answer."""


def check(questions: Mapping[str, Question], given: Mapping[str, Given]) -> dict[str, Answer]:
    """One checked answer for each question, in the questions' order; answers nobody asked for are ignored.

    Raises BadAnswer for the first question whose answer is missing, of another type, or makes no sense.
    """
    checked: dict[str, Answer] = {}
    for name, question in questions.items():
        answer = given.get(name)
        try:
            match question, answer:
                case Choice(), GivenChoice():
                    checked[name] = _choice(question, answer)
                case Noul(), GivenNoul():
                    checked[name] = NoulAnswer(noul=_probability(answer.noul))
                case Score(), GivenScore():
                    checked[name] = _score(question, answer)
                case _, None:
                    raise BadAnswer("no answer")
                case _:
                    raise BadAnswer("an answer of another type")
        except BadAnswer as error:
            raise BadAnswer(f"{name}: {error}") from None
    return checked


def confidence(probabilities: Iterable[float]) -> float:
    """(max - 1/n) / (1 - 1/n): 0 when all options are alike, 1 when one is certain."""
    known = tuple(probabilities)
    if len(known) < 2:
        return 1.0
    even = 1 / len(known)
    return min(1.0, max(0.0, (max(known) - even) / (1 - even)))


def _choice(question: Choice, answer: GivenChoice) -> ChoiceAnswer:
    if set(answer.probabilities) != set(question.options):
        raise BadAnswer("probabilities for other options than ours")
    probabilities = {option: _probability(answer.probabilities[option]) for option in question.options}
    _sums_to_one(probabilities.values())
    if answer.choice not in probabilities:
        raise BadAnswer("a choice that is no option")
    if probabilities[answer.choice] < max(probabilities.values()) - 0.005:
        raise BadAnswer("a choice that is not the most probable")
    return ChoiceAnswer(
        choice=answer.choice, probabilities=probabilities, confidence=confidence(probabilities.values())
    )


def _score(question: Score, answer: GivenScore) -> ScoreAnswer:
    levels = len(question.levels)
    if set(answer.probabilities) != set(range(levels)):
        raise BadAnswer("probabilities for other levels than ours")
    probabilities = tuple(_probability(answer.probabilities[level]) for level in range(levels))
    _sums_to_one(probabilities)
    expected = sum(level * probability for level, probability in enumerate(probabilities))
    tolerance = 0.02 + 0.005 * (1 + levels * (levels - 1) / 2)
    if not abs(_number(answer.score) - expected) <= tolerance:
        raise BadAnswer("a score that is not the expected level")
    score = min(max(float(answer.score), 0.0), float(levels - 1))
    return ScoreAnswer(score=score, probabilities=probabilities, confidence=confidence(probabilities))


def _number(value: float) -> float:
    # A bool is an int to Python, and no number to a wire.
    if type(value) not in (int, float) or not math.isfinite(value):
        raise BadAnswer("not a finite number")
    return float(value)


def _probability(value: float) -> float:
    probability = _number(value)
    if not 0 <= probability <= 1:
        raise BadAnswer("a probability outside 0 to 1")
    return probability


def _sums_to_one(probabilities: Iterable[float]) -> None:
    known = tuple(probabilities)
    if abs(sum(known) - 1) > max(0.05, 0.005 * len(known)):
        raise BadAnswer("probabilities that do not sum to one")
