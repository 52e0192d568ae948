"""`decide`: one System One request, one state with several typed questions."""

from collections.abc import Sequence

from temporalio import activity

from activities.attempt import attempt
from activities.providers import DecisionProvider
from nightdesk import grounding
from nightdesk.boundaries import DecideRequest, RouterFacts
from nightdesk.decisions import Decision
from nightdesk.failures import DECISION_REJECTED
from nightdesk.local_rules.noticing import notice


class Decide:
    """The configured provider, and the local rules for when it is out. `hotels`: names that a search may show."""

    def __init__(self, configured: DecisionProvider, local: DecisionProvider, hotels: Sequence[str] = ()) -> None:
        self._configured = configured
        self._local = local
        self._hotels = hotels

    @activity.defn(name="decide")
    async def decide(self, request: DecideRequest) -> Decision:
        """Checked answers to every question. Fails as DecisionUnavailable, DecisionRejected or DecisionBadAnswer."""
        provider = self._local if request.provider == "local" else self._configured
        async with attempt(DECISION_REJECTED):
            # What code can check, code checks first: a draft that is not made of the results is not asked about.
            decision = grounding.veto(request) or await provider.decide(request)
            if isinstance(request.facts, RouterFacts):
                return decision.model_copy(update={"noticed": notice(request.facts, self._hotels)})
            return decision
