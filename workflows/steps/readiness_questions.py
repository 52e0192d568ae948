"""The readiness review's questions (seed, chapter 5: REVIEW), with the facts rendered as guidance."""

from nightdesk.boundaries import ReadinessFacts
from nightdesk.criteria import CRITERIA
from nightdesk.decisions import Choice, Noul, Question
from nightdesk.snapshot import Snapshot
from workflows.steps.router_questions import QUOTED


def questions(facts: ReadinessFacts, snapshot: Snapshot) -> dict[str, Question]:
    """The outcome, and whether the record is faithful to the guest's latest words."""
    guidance = _guidance(facts, snapshot)
    return {
        "outcome": Choice(
            instructions=f"{guidance}\nWhich of these describes the record `criteria`?",
            options={
                "ready": "Saved criteria reflect the latest requests",
                **{criterion.name: criterion.contradicted for criterion in CRITERIA},
                "unclear": "Several criteria are unresolved or ambiguous",
            },
        ),
        "faithful": Noul(
            instructions=f"{guidance}\nDo `criteria` reflect what the guest asked for last?",
            true="The normalized criteria reflect corrections and no-preference choices",
            false="One or more criteria miss or contradict the latest request",
        ),
    }


def _guidance(facts: ReadinessFacts, snapshot: Snapshot) -> str:
    """The same facts as the state, in words (seed: the repetition is intentional)."""
    issues = "; ".join(facts.issues) or "none"
    record = "\n".join(f"- {line}" for line in snapshot.lines())
    return (
        f"{QUOTED}\nToday is {facts.today.isoformat()}.\nThe record:\n{record}\nIssues that validation found: {issues}."
    )
