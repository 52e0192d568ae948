"""The router by rules: the reader's reading, with the question asked as tie-breaker."""

import re

from nightdesk.boundaries import RouterFacts
from nightdesk.consent import consent, small_talk
from nightdesk.criteria import CRITERIA
from nightdesk.decisions import Answer, Choice, Question
from nightdesk.local_rules.answers import believe, choose
from nightdesk.local_rules.hearing import Heard, hear

_QUESTION_WORDS = frozenset(
    """
    does do is are has have can how what where when which who will whats what's
    """.split()
)

_SEARCH_TOO = re.compile(
    r"(?:^|[,.;!]|\b(?:and|then|now|please))\s*search(?: now| again| please)*\W*(?:$|\bwith\b)", re.I
)
"""Beside what it says about a criterion: "at most 650, and search"."""

_LEAVING = re.compile(
    r"\b(?:good ?)?bye\b|\b(?:exit|quit|leave|leaving|farewell|good ?night|see (?:you|ya)|thanks?|stop|end)\b", re.I
)
"""In the middle of the questions "nothing" or "that is all" is an answer; leaving closes the conversation for good."""


def route(facts: RouterFacts, questions: dict[str, Question]) -> dict[str, Answer]:
    """Answers to the router's questions."""
    heard = hear(facts)
    concerned = {*heard.arguments, *(remark.criterion for remark in heard.reading.remarks)}
    answers: dict[str, Answer] = {}
    for name, question in questions.items():
        if isinstance(question, Choice):
            wanted = _destination(facts, heard, concerned)
            answers[name] = choose(question, wanted if wanted in question.options else "unclear")
        else:
            answers[name] = believe(name.removeprefix("mentions_") in concerned)
    return answers


def _destination(facts: RouterFacts, heard: Heard, concerned: set[str]) -> str:
    """The reader's intent as a destination; what nobody else claims goes to the question that is open."""
    first = next((criterion.name for criterion in CRITERIA if criterion.name in concerned), None)
    open_ = next((c.name for c in CRITERIA if not facts.criteria.get(c.name, {}).get("answered")), None)
    reading = heard.reading
    match reading.intent:
        case "search" | "book" | "other" if not first and "place.other_city" in reading.because:
            return "unclear"  # nothing to search for here
        case "review" | "search":
            return reading.intent
        case "exit" if (
            not first
            and small_talk(facts.request) is None
            and (facts.awaiting == "router" or _LEAVING.search(facts.request))
        ):
            return "exit"
        case "book" | "multi" if facts.hotels and reading.selection and not first:
            return "select"
        case "book":
            return first or open_ or ("select" if facts.hotels else "search")
        case "affirm" if facts.awaiting == "router" and open_ is None:
            return "search"
        case _ if facts.hotels and not heard.arguments and not heard.proposals and _asks(facts.request):
            return "question"  # "does it have a pool?" asks for neither kind of pool
        case _ if first:
            return "search" if _SEARCH_TOO.search(facts.request) else first
        case _ if facts.hotels and reading.selection:
            return "select"
        case "other" if small_talk(facts.request) == "greeting":
            return open_ or "review"
        case _ if consent(facts.request) == "yes":
            return open_ or ("unclear" if facts.hotels else "search")
        case _:
            return "unclear"


def _asks(text: str) -> bool:
    """A question about what is shown: "is there parking", "how far is it?"."""
    first = text.casefold().split(maxsplit=1)[0].strip(",.") if text.split() else ""
    return "?" in text or first in _QUESTION_WORDS
