"""Answers are used only if they fit the questions asked."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightdesk.answers import BadAnswer, Given, GivenChoice, GivenNoul, GivenScore, check, confidence
from nightdesk.decisions import Choice, ChoiceAnswer, Noul, NoulAnswer, Question, Score, ScoreAnswer

WAY = Choice(instructions="Which?", options={"dates": "d", "budget": "b", "unclear": "u"})
YES = Noul(instructions="Is it?", true="yes", false="no")
HOW = Score(instructions="How?", levels=("bad", "fair", "good"))
ASKED: dict[str, Question] = {"way": WAY, "yes": YES, "how": HOW}
FITTING: dict[str, Given] = {
    "way": GivenChoice("dates", {"dates": 0.7, "budget": 0.2, "unclear": 0.1}),
    "yes": GivenNoul(0.9),
    "how": GivenScore(1.5, {0: 0.1, 1: 0.3, 2: 0.6}),
}


def test_fitting_answers_come_back_typed_with_confidence_of_our_own():
    checked = check(ASKED, FITTING)
    assert list(checked) == ["way", "yes", "how"]
    way, yes, how = checked.values()
    assert isinstance(way, ChoiceAnswer)
    assert (way.choice, way.probabilities) == ("dates", {"dates": 0.7, "budget": 0.2, "unclear": 0.1})
    assert way.confidence == pytest.approx((0.7 - 1 / 3) / (2 / 3))
    assert yes == NoulAnswer(noul=0.9)
    assert isinstance(how, ScoreAnswer)
    assert (how.score, how.probabilities) == (1.5, (0.1, 0.3, 0.6))
    assert how.confidence == pytest.approx(0.4)


BAD: list[tuple[str, Given | None]] = [
    ("way", None),
    ("way", GivenNoul(0.9)),
    ("way", GivenScore(1.5, {0: 0.1, 1: 0.3, 2: 0.6})),
    ("way", GivenChoice("dates", {"dates": 0.7, "budget": 0.3})),
    ("way", GivenChoice("dates", {"dates": 0.7, "budget": 0.2, "unclear": 0.1, "other": 0.0})),
    ("way", GivenChoice("dates", {"Dates": 0.7, "budget": 0.2, "unclear": 0.1})),
    ("way", GivenChoice("other", {"dates": 0.7, "budget": 0.2, "unclear": 0.1})),
    ("way", GivenChoice("budget", {"dates": 0.7, "budget": 0.2, "unclear": 0.1})),
    ("way", GivenChoice("dates", {"dates": 0.9, "budget": 0.2, "unclear": 0.1})),
    ("way", GivenChoice("dates", {"dates": 0.5, "budget": 0.2, "unclear": 0.1})),
    ("way", GivenChoice("dates", {"dates": 1.1, "budget": -0.1, "unclear": 0.0})),
    ("way", GivenChoice("dates", {"dates": math.nan, "budget": 0.2, "unclear": 0.1})),
    ("way", GivenChoice("dates", {"dates": True, "budget": 0.0, "unclear": 0.0})),
    ("way", GivenChoice("dates", {})),
    ("yes", None),
    ("yes", GivenChoice("true", {"true": 1.0, "false": 0.0})),
    ("yes", GivenNoul(1.95)),
    ("yes", GivenNoul(-0.01)),
    ("yes", GivenNoul(math.nan)),
    ("yes", GivenNoul(math.inf)),
    ("yes", GivenNoul(True)),
    ("how", None),
    ("how", GivenNoul(0.5)),
    ("how", GivenScore(2.0, {0: 0.1, 1: 0.3, 2: 0.6})),
    ("how", GivenScore(math.nan, {0: 0.1, 1: 0.3, 2: 0.6})),
    ("how", GivenScore(1.5, {1: 0.1, 2: 0.3, 3: 0.6})),
    ("how", GivenScore(1.2, {0: 0.4, 1: 0.6})),
    ("how", GivenScore(1.2, {0: 0.08, 1: 0.24, 2: 0.48})),
    ("how", GivenScore(1.5, {0: 0.1, 1: 0.3, 2: math.inf})),
]


@pytest.mark.parametrize(("name", "answer"), BAD)
def test_an_answer_that_does_not_fit_is_refused_and_named(name: str, answer: Given | None):
    answers = {key: value for key, value in (FITTING | {name: answer}).items() if value is not None}
    with pytest.raises(BadAnswer, match=f"^{name}: "):
        check(ASKED, answers)


def test_an_answer_nobody_asked_for_is_ignored():
    assert check({"yes": YES}, FITTING) == {"yes": NoulAnswer(noul=0.9)}


def test_probabilities_rounded_to_two_decimals_pass():
    answer = GivenChoice("budget", {"dates": 0.33, "budget": 0.33, "unclear": 0.33})
    assert check({"way": WAY}, {"way": answer})["way"].type == "choice"


numbers = st.floats() | st.sampled_from([0.0, 0.5, 1.0, -0.0, 1e-320, 1.0000001])


@given(st.lists(st.floats(0, 1, allow_subnormal=False), min_size=2, max_size=10).filter(lambda ps: sum(ps) > 0.01))
def test_every_honest_distribution_passes_rounded_or_not(weights: list[float]):
    total = sum(weights)
    for digits in (17, 2):
        exact = [weight / total for weight in weights]
        given = [round(p, digits) for p in exact]
        options = {f"o{place}": "" for place in range(len(given))}
        best = f"o{exact.index(max(exact))}"
        answers: dict[str, Given] = {
            "c": GivenChoice(best, {f"o{place}": p for place, p in enumerate(given)}),
            "s": GivenScore(round(sum(i * p for i, p in enumerate(exact)), digits), dict(enumerate(given))),
        }
        asked: dict[str, Question] = {
            "c": Choice(instructions="", options=options),
            "s": Score(instructions="", levels=tuple(options)),
        }
        checked = check(asked, answers)
        choice, score = checked["c"], checked["s"]
        assert isinstance(choice, ChoiceAnswer)
        assert isinstance(score, ScoreAnswer)
        assert choice.choice == best
        assert 0 <= choice.confidence <= 1
        assert 0 <= score.score <= len(given) - 1


anything: st.SearchStrategy[Given] = st.one_of(
    st.builds(GivenNoul, numbers),
    st.builds(
        GivenChoice,
        st.sampled_from([*WAY.options, "other", ""]),
        st.dictionaries(st.sampled_from([*WAY.options, "other"]), numbers),
    ),
    st.builds(GivenScore, numbers, st.dictionaries(st.integers(-1, 3), numbers)),
)


@given(st.dictionaries(st.sampled_from([*ASKED, "more"]), anything))
def test_whatever_is_given_it_is_refused_or_makes_sense(answers: dict[str, Given]):
    try:
        checked = check(ASKED, answers)
    except BadAnswer:
        return
    assert set(checked) == set(ASKED)
    for answer in checked.values():
        match answer:
            case NoulAnswer():
                assert 0 <= answer.noul <= 1
            case ChoiceAnswer():
                assert max(answer.probabilities.values()) - answer.probabilities[answer.choice] <= 0.005
                assert abs(sum(answer.probabilities.values()) - 1) <= 0.05
            case ScoreAnswer():
                assert 0 <= answer.score <= 2


@pytest.mark.parametrize(
    ("best", "options", "expected"), [(0.5, 9, 0.44), (0.6, 9, 0.55), (0.8, 9, 0.78), (0.9, 9, 0.89), (1.0, 1, 1.0)]
)
def test_confidence_is_that_of_the_documentation(best: float, options: int, expected: float):
    rest = [(1 - best) / (options - 1)] * (options - 1) if options > 1 else []
    assert confidence([best, *rest]) == pytest.approx(expected, abs=0.006)
