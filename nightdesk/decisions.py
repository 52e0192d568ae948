"""Typed decisions: the questions a boundary asks, the answers it may use, and the check between them.

The shapes are System One's (TypeSafe's Jev and compatible servers). A decision is probabilistic
evidence; what it permits is code's business, in `verdicts.py`.
"""

from typing import Annotated, Literal

from pydantic import Field

from nightdesk.model import Frozen
from nightdesk.understanding.reading import Remark

Boundary = Literal["router", "readiness", "presentation"]


class Choice(Frozen):
    """Which one of the options fits best: option name -> what it means. Always offer a way out."""

    type: Literal["choice"] = "choice"
    instructions: str
    options: dict[str, str]


class Noul(Frozen):
    """How probable is it that the statement holds; `true` and `false` say what counts as which."""

    type: Literal["noul"] = "noul"
    instructions: str
    true: str
    false: str


class Score(Frozen):
    """Which level fits, from 0 up; each level describes a situation."""

    type: Literal["score"] = "score"
    instructions: str
    levels: tuple[str, ...]


Question = Annotated[Choice | Noul | Score, Field(discriminator="type")]


class ChoiceAnswer(Frozen):
    """`probabilities` by option, `confidence` recomputed from them: (max - 1/n) / (1 - 1/n)."""

    type: Literal["choice"] = "choice"
    choice: str
    probabilities: dict[str, float]
    confidence: float


class NoulAnswer(Frozen):
    """`noul` is P(true)."""

    type: Literal["noul"] = "noul"
    noul: float


class ScoreAnswer(Frozen):
    """`score` is the expected level, `probabilities` by level, `confidence` as for a choice."""

    type: Literal["score"] = "score"
    score: float
    probabilities: tuple[float, ...]
    confidence: float


Answer = Annotated[ChoiceAnswer | NoulAnswer | ScoreAnswer, Field(discriminator="type")]


class Usage(Frozen):
    """Tokens, as the provider counted them."""

    input_tokens: int = 0
    output_tokens: int = 0


class Decision(Frozen):
    """Checked answers to every question asked, and who answered."""

    model: str
    answers: dict[str, Answer]
    usage: Usage = Usage()
    noticed: tuple[Remark, ...] = Field(default=(), exclude_if=lambda noticed: not noticed)
    """What code noticed beside the questions, at the router: a city or a hotel that is not this desk's."""
    request_id: str | None = None

    def choice(self, question: str) -> ChoiceAnswer:
        """The answer to a choice question; a KeyError or TypeError is a bug of the asking step."""
        answer = self.answers[question]
        if not isinstance(answer, ChoiceAnswer):
            raise TypeError(f"{question} is no choice")
        return answer

    def noul(self, question: str) -> float:
        """P(true) of a noul question."""
        answer = self.answers[question]
        if not isinstance(answer, NoulAnswer):
            raise TypeError(f"{question} is no noul")
        return answer.noul

    def score(self, question: str) -> ScoreAnswer:
        """The answer to a score question."""
        answer = self.answers[question]
        if not isinstance(answer, ScoreAnswer):
            raise TypeError(f"{question} is no score")
        return answer
