"""A message as the local rules hear it: the reader's reading, and what each criterion makes of it."""

from dataclasses import dataclass, field

from nightdesk.boundaries import ReadFacts, RouterFacts
from nightdesk.consent import consent
from nightdesk.criteria import BY_NAME, CRITERIA
from nightdesk.criteria.base import Arguments
from nightdesk.local_rules.contexts import context
from nightdesk.understanding import Reading, read

SHORT = 60
"""Characters; a longer message does not merely complete what was asked back about."""


@dataclass(frozen=True)
class Heard:
    """By criterion: `arguments` where the message says something that can be saved, `proposals` where it hedges."""

    reading: Reading
    arguments: dict[str, Arguments]
    proposals: dict[str, Arguments] = field(default_factory=dict[str, Arguments])


def hear(facts: RouterFacts | ReadFacts) -> Heard:
    """What was asked back about is the other half of a short answer: "5 miles", "from where?", "airport"."""
    begun = any(criterion.get("answered") for criterion in facts.criteria.values())
    # "Anything else?" has not been asked before the first answer.
    asked_for = context(facts.awaiting) if begun or facts.awaiting != "router" else None
    reading = read(facts.request, today=facts.today, context=asked_for, asked=facts.asked)
    arguments = {c.name: made for c in CRITERIA if (made := _understood(facts, reading, facts.request, c.name))}
    if consent(facts.request) == "no" and facts.criteria.get(facts.awaiting, {}).get("answered"):
        # To an open question it is "no preference"; to a question asked back about a saved answer it clears nothing.
        arguments.pop(facts.awaiting, None)
    proposals = {name: made for name in _unsure(reading) if (made := _proposed(facts, reading, facts.request, name))}
    unanswered = facts.awaiting in BY_NAME and facts.awaiting not in {*arguments, *proposals}
    if facts.proposal and reading.polarity == "affirm" and arguments and unanswered:
        # "Yes, and a suite": a yes alone is the workflow's to hear.
        arguments[facts.awaiting] = BY_NAME[facts.awaiting].arguments_type.model_validate(facts.proposal)
    if facts.doubt and facts.awaiting in BY_NAME and facts.awaiting not in arguments and len(facts.request) <= SHORT:
        for whole in (f"{facts.doubt} {facts.request}", f"{facts.request} {facts.doubt}"):
            again = read(whole, today=facts.today, context=asked_for, asked=facts.asked)
            if facts.awaiting in _unsure(again) and (made := _proposed(facts, again, whole, facts.awaiting)):
                return Heard(again, arguments, proposals | {facts.awaiting: made})
            made = _understood(facts, again, whole, facts.awaiting)
            if made is not None and not any(remark.criterion == facts.awaiting for remark in again.remarks):
                return Heard(again, arguments | {facts.awaiting: made}, proposals)
    return Heard(reading, arguments, proposals)


def _unsure(reading: Reading) -> list[str]:
    return [remark.criterion for remark in reading.remarks if remark.code == "unsure"]


def _proposed(facts: RouterFacts | ReadFacts, reading: Reading, text: str, name: str) -> Arguments | None:
    return _understood(facts, reading.proposed, text, name) if reading.proposed else None


def _understood(facts: RouterFacts | ReadFacts, reading: Reading, text: str, name: str) -> Arguments | None:
    return BY_NAME[name].understood(reading, text, facts.criteria.get(name, {}), facts.asked)
