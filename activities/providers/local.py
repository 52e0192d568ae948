"""The local providers: no network, the rules of `nightdesk.local_rules`."""

from nightdesk import wording
from nightdesk.boundaries import (
    ConverseRequest,
    DecideRequest,
    ModelTurn,
    PresentationFacts,
    ReadFacts,
    ReadinessFacts,
    RouterFacts,
)
from nightdesk.decisions import Answer, Decision
from nightdesk.local_rules import MODEL, presentation, readiness, route
from nightdesk.local_rules.reading import read_message


class LocalDecisions:
    """Answers the questions of each boundary by rules."""

    async def decide(self, request: DecideRequest) -> Decision:
        """Never fails: the rules are total."""
        return Decision(model=MODEL, answers=self._answers(request))

    def _answers(self, request: DecideRequest) -> dict[str, Answer]:
        match request.facts:
            case RouterFacts() as facts:
                return route.route(facts, request.questions)
            case ReadinessFacts() as facts:
                return readiness.review(facts, request.said, request.questions)
            case PresentationFacts() as facts:
                return presentation.review(facts, request.questions)


class LocalLanguage:
    """Reads a message by the deterministic reader; drafts the results as code's own list."""

    async def converse(self, request: ConverseRequest) -> ModelTurn:
        """Never fails: what it cannot read it remarks on."""
        facts = request.facts
        if isinstance(facts, ReadFacts):
            return read_message(request, facts)
        return ModelTurn(model=MODEL, text=wording.hotel_list(facts.hotels, facts.matched))
