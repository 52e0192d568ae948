"""The readiness review by rules: the guest's own messages are read again, newest first, and held to the record."""

from collections.abc import Sequence

from nightdesk.boundaries import ReadinessFacts, Said
from nightdesk.criteria import BY_NAME, CRITERIA, AnyCriterion
from nightdesk.criteria.base import JsonObject
from nightdesk.decisions import Answer, Choice, Question
from nightdesk.local_rules.answers import believe, choose
from nightdesk.local_rules.contexts import context
from nightdesk.understanding import read


def review(facts: ReadinessFacts, said: Sequence[Said], questions: dict[str, Question]) -> dict[str, Answer]:
    """Names the one criterion whose newest mention the record contradicts; several are `unclear`."""
    wrong = [c.name for c in CRITERIA if _contradicted(c, facts.criteria.get(c.name, {}), facts, said)]
    if facts.issues:
        outcome = "unclear"
    else:
        outcome = "ready" if not wrong else wrong[0] if len(wrong) == 1 else "unclear"
    return {
        name: choose(question, outcome) if isinstance(question, Choice) else believe(outcome == "ready")
        for name, question in questions.items()
    }


def _contradicted(criterion: AnyCriterion, saved: JsonObject, facts: ReadinessFacts, said: Sequence[Said]) -> bool:
    """Whether the newest message about a criterion, given to its owner again, would change the record."""
    value = criterion.from_state(saved)
    for message in reversed(said):
        asked = message.asked if message.awaiting in BY_NAME else None
        reading = read(message.text, today=message.on, context=context(message.awaiting), asked=asked)
        if any(remark.criterion == criterion.name and remark.code == "unsure" for remark in reading.remarks):
            return False  # it was asked about, and the answer to that is what counts
        arguments = criterion.understood(reading, message.text, saved, asked)
        if arguments is None:
            continue
        judged = criterion.judge(value, arguments, facts.today)
        if judged.value is None or criterion.out_of_reach(judged.value, facts.today):
            continue  # the owner refused it then as well
        return judged.value != value
    return False
