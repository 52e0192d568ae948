"""The presentation review: a draft is released only when it is grounded in the results, complete and clear."""

from nightdesk import wording
from nightdesk.boundaries import PresentationFacts
from nightdesk.conversation import Namespace
from nightdesk.verdicts import presentation
from workflows import calls
from workflows.policies import PRESENTATION_DECISION
from workflows.steps import presentation_questions
from workflows.turn import Rest, Transition, Turn


class PresentationReview:
    """Sees the draft and the results, not the intake (seed: sharing all history is a mistake)."""

    name = "presentation_review"
    memory: Namespace | None = "present"

    async def run(self, turn: Turn) -> Transition:
        """The draft, or code's own list."""
        conversation = turn.conversation
        draft = turn.draft or ""
        request, prior = conversation.requests("present")
        facts = PresentationFacts(
            request=request, prior_requests=prior, draft=draft, hotels=conversation.hotels, matched=_matched(turn)
        )
        decision = await calls.decide(
            turn,
            PRESENTATION_DECISION,
            "Is the draft made of the results?",
            facts,
            presentation_questions.questions(facts),
        )
        if decision is None:
            calls.audit(turn, facts, None, False, PRESENTATION_DECISION)
            return release(turn, None)
        complete, clear = decision.score("completeness"), decision.score("clarity")
        verdict = presentation(
            decision.noul("grounded"), (complete.score, complete.confidence), (clear.score, clear.confidence)
        )
        calls.audit(turn, facts, decision, verdict == "draft")
        return release(turn, draft if verdict == "draft" else None)


def release(turn: Turn, draft: str | None) -> Rest:
    """What the guest gets to see of the results; without a draft, code's own rendering of the saved hotels."""
    conversation = turn.conversation
    shown = draft or wording.hotel_list(conversation.hotels, _matched(turn))
    return turn.direct_to("present", shown, wording.WHICH_HOTEL)


def _matched(turn: Turn) -> int:
    """How many hotels fit in all, of which the cheapest are shown."""
    return turn.found.matched if turn.found else len(turn.conversation.hotels)
