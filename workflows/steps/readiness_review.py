"""The readiness review: do the saved, code-valid criteria also appear faithful to the guest's latest words?"""

from nightdesk import wording
from nightdesk.boundaries import ReadinessFacts
from nightdesk.consent import agrees
from nightdesk.conversation import Namespace, Readiness
from nightdesk.verdicts import readiness
from workflows import calls
from workflows.policies import READINESS_DECISION
from workflows.steps import readiness_questions
from workflows.turn import Go, Transition, Turn

INSISTED_AFTER = 2
"""So often the same snapshot is sent back before the guest's own "that is right" accepts it."""


class ReadinessReview:
    """Validation first, then one decision; fails open, since the search that follows is read-only (seed)."""

    name = "readiness_review"
    memory: Namespace | None = "intake"

    async def run(self, turn: Turn) -> Transition:
        """On to the search, or back to one owner, or to the guest for one correction."""
        conversation, snapshot = turn.conversation, turn.snapshot
        if snapshot.open:
            return Go(snapshot.open.name)
        if turn.route is None:
            turn.remember("intake")
        if _insists(turn):
            conversation.readiness = Readiness(accepted=True, by="guest")
            conversation.sent_back.clear()
            return Go("search")
        request, prior = conversation.requests("intake")
        facts = ReadinessFacts(
            request=request,
            prior_requests=prior,
            today=turn.today,
            criteria=snapshot.state(),
            issues=tuple(issue.message for issue in snapshot.issues),
        )
        questions = readiness_questions.questions(facts, snapshot)
        decision = await calls.decide(
            turn, READINESS_DECISION, "Do the criteria reflect the latest requests?", facts, questions
        )
        if decision is None:
            conversation.readiness = Readiness(accepted=True, by="validation")
            calls.audit(turn, facts, None, True, READINESS_DECISION)
            return Go("search")
        verdict = readiness(len(facts.issues), decision.choice("outcome").choice, decision.noul("faithful"))
        calls.audit(turn, facts, decision, verdict == "search")
        if verdict == "search":
            conversation.readiness = Readiness(accepted=True, by="decision")
            conversation.sent_back.clear()
            return Go("search")
        conversation.readiness = Readiness(accepted=False, by="decision")
        digest = snapshot.digest
        conversation.sent_back = {digest: conversation.sent_back.get(digest, 0) + 1}
        if verdict == "clarify":
            return turn.direct_to("router", wording.summary(snapshot), wording.ONE_CORRECTION)
        return Go(verdict)


def stands_by(turn: Turn) -> bool:
    """The guest says "that is right" of a record that the review has sent back: no router needs to be asked."""
    if not (_doubts(turn) > 0 and agrees(turn.text) and turn.snapshot.open is None):
        return False
    doubt = turn.conversation.doubt
    proposed = doubt is not None and doubt.proposal is not None  # then the yes is to that
    return not (proposed and turn.newer)


def _insists(turn: Turn) -> bool:
    """So of one that it has sent back twice: their word is enough, and costs no call."""
    return _doubts(turn) >= INSISTED_AFTER and stands_by(turn)


def _doubts(turn: Turn) -> int:
    return turn.conversation.sent_back.get(turn.snapshot.digest, 0)
