"""The presentation review by rules: a draft made of the results is grounded, complete and clear."""

from nightdesk import grounding
from nightdesk.boundaries import PresentationFacts
from nightdesk.decisions import Answer, Noul, Question, Score
from nightdesk.local_rules.answers import believe, grade


def review(facts: PresentationFacts, questions: dict[str, Question]) -> dict[str, Answer]:
    """All or nothing, since a rule cannot weigh style."""
    good = not grounding.problems(facts.draft, facts.hotels, facts.matched)
    answers: dict[str, Answer] = {}
    for name, question in questions.items():
        if isinstance(question, Score):
            answers[name] = grade(question, len(question.levels) - 1 if good else 0)
        elif isinstance(question, Noul):
            answers[name] = believe(good)
    return answers
