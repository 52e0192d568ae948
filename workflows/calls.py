"""The boundaries as the steps call them: an activity under its policy, and None when the policy is exhausted.

What to do about None is the calling step's business, and differs from boundary to boundary.
"""

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError

from nightdesk.boundaries import ConverseRequest, DecideRequest, Facts, ModelTurn
from nightdesk.conversation import AuditEntry
from nightdesk.decisions import Boundary, Decision, Question
from nightdesk.failures import SEARCH_REFUSED
from nightdesk.hotels import FindHotels, FoundHotels
from nightdesk.refusals import Refusal, RefusedSearch
from workflows.policies import LOCAL_RULES, SEARCH, Policy
from workflows.turn import Turn

with workflow.unsafe.imports_passed_through():
    from activities.converse import Converse
    from activities.decide import Decide
    from activities.search_hotels import SearchHotels


class OutOfOrder(Exception):
    """Even this program's own rules could not be run; the turn apologises."""


async def decide(
    turn: Turn, policy: Policy, summary: str, facts: Facts, questions: dict[str, Question]
) -> Decision | None:
    """One decision of the configured provider, or None in an outage."""
    request = DecideRequest(facts=facts, questions=questions, said=tuple(turn.conversation.said))
    return await _decide(request, policy, summary)


async def decide_by_rules(turn: Turn, summary: str, facts: Facts, questions: dict[str, Question]) -> Decision:
    """The same questions, answered by the local rules."""
    request = DecideRequest(provider="local", facts=facts, questions=questions, said=tuple(turn.conversation.said))
    decision = await _decide(request, LOCAL_RULES, summary)
    if decision is None:
        raise OutOfOrder
    return decision


async def _decide(request: DecideRequest, policy: Policy, summary: str) -> Decision | None:
    try:
        return await workflow.execute_activity_method(Decide.decide, request, summary=summary, **policy.options)
    except (ActivityError, ApplicationError):
        return None


async def converse(request: ConverseRequest, policy: Policy, summary: str) -> ModelTurn | None:
    """One model turn whose calls and text can be used, or None."""
    try:
        answer = await workflow.execute_activity_method(Converse.converse, request, summary=summary, **policy.options)
    except (ActivityError, ApplicationError):
        return None
    return answer if answer.outcome == "ok" else None


async def converse_by_rules(request: ConverseRequest, summary: str) -> ModelTurn:
    """The same message, read by the local reader."""
    answer = await converse(request.model_copy(update={"provider": "local"}), LOCAL_RULES, summary)
    if answer is None:
        raise OutOfOrder
    return answer


async def find_hotels(turn: Turn, find: FindHotels, summary: str) -> FoundHotels | Refusal | None:
    """What the hotel server found, why it refuses this search for good, or None when it is out."""
    try:
        return await workflow.execute_activity_method(
            SearchHotels.search_hotels, find, summary=summary, **SEARCH.options
        )
    except (ActivityError, ApplicationError) as error:
        # Runs begun before take a refusal for an outage and wait elsewhere, which their memo tells.
        return _refusal(error) if turn.newer else None


def _refusal(error: ActivityError | ApplicationError) -> Refusal | None:
    cause = error.cause if isinstance(error, ActivityError) else error
    if not (isinstance(cause, ApplicationError) and cause.type == SEARCH_REFUSED and cause.details):
        return None
    return RefusedSearch.model_validate(cause.details[0]).refused[0]


def audit_model_out(turn: Turn, boundary: Boundary, policy: Policy) -> None:
    """A model's turn that could not be had, for the record: nothing was decided, `fallback` names what stood in."""
    turn.conversation.audit(
        AuditEntry(boundary=boundary, model=None, answers={}, accepted=False, fallback=policy.name, at=workflow.now())
    )


def audit(turn: Turn, facts: Facts, decision: Decision | None, accepted: bool, fallback: Policy | None = None) -> None:
    """The decision joins the record that the `decisions` query shows."""
    turn.conversation.audit(
        AuditEntry(
            boundary=facts.boundary,
            model=decision.model if decision else None,
            answers=decision.answers if decision else {},
            accepted=accepted,
            fallback=fallback.name if fallback else None,
            at=workflow.now(),
        )
    )
