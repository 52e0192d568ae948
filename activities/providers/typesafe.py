"""Decisions by TypeSafe's Jev, or by any server that speaks System One, on the official SDK.

Every way it can fail, by status alone since compatible servers word their errors differently:
no connection, no answer in time, 408, 425, 429, 5xx are worth a retry; any other status is not; a 200 that does not
parse, or whose answers do not fit the questions, is a bad answer.
"""

import asyncio
from collections.abc import Mapping

from temporalio.exceptions import ApplicationError
from typesafe_sdk import (
    Answer,
    AsyncTypeSafeClient,
    Choice,
    ChoiceAnswer,
    Noul,
    NoulAnswer,
    RetryPolicy,
    Score,
    ScoreAnswer,
    SystemOneResponse,
    TypeSafeAPIConnectionError,
    TypeSafeAPIError,
    TypeSafeAPIResponseValidationError,
    TypeSafeError,
)

from activities.attempt import deadline, failure, retry_after
from activities.providers.http import bounded_client, worth_a_retry
from nightdesk import decisions
from nightdesk.answers import BadAnswer, Given, GivenChoice, GivenNoul, GivenScore, check
from nightdesk.boundaries import DecideRequest
from nightdesk.decisions import Decision, Usage
from nightdesk.failures import DECISION_BAD_ANSWER, DECISION_REJECTED, DECISION_UNAVAILABLE
from nightdesk.understanding.normalise import strip_control

LONGEST_RESPONSE = 1_000_000
"""Bytes; an answer to all our questions is some 3,000."""


class TypesafeDecisions:
    """One per worker. `deadline` bounds a call outside of an activity, in seconds; inside, its start-to-close does.

    A server that needs no key may be given none. Raises TypeSafeError for a key that cannot be sent in a header.
    """

    def __init__(self, api_key: str | None, base_url: str, model: str, *, deadline: float = 3.5) -> None:
        self._deadline = deadline
        self._client = AsyncTypeSafeClient(
            api_key=api_key or "none",
            base_url=base_url,
            model=model,
            retry=RetryPolicy(max_retries=0),
            http_client=bounded_client(LONGEST_RESPONSE),
            compression=False,
        )

    async def aclose(self) -> None:
        """Closes the connections; call it after the worker has ended."""
        await self._client.aclose()

    async def decide(self, request: DecideRequest) -> Decision:
        """One request. Raises ApplicationError: DecisionUnavailable, DecisionRejected, DecisionBadAnswer."""
        state = request.facts.model_dump(mode="json", exclude={"boundary"})
        questions = {name: _asked(question) for name, question in request.questions.items()}
        try:
            async with asyncio.timeout(deadline(self._deadline)):
                response = await self._client.system_one(state, questions)  # pyright: ignore[reportUnknownMemberType]
            answers = check(request.questions, _given(response.answers))
        except TypeSafeError as error:
            raise _failed(error) from None
        except TimeoutError:
            raise failure(DECISION_UNAVAILABLE, "no answer in time", retry=True) from None
        except BadAnswer as error:
            raise failure(DECISION_BAD_ANSWER, str(error), retry=False) from None
        return Decision(
            model=strip_control(response.model)[:100],
            answers=answers,
            usage=Usage(
                input_tokens=_count(response.usage.input_tokens), output_tokens=_count(response.usage.output_tokens)
            ),
            request_id=_request_id(response),
        )


def _asked(question: decisions.Question) -> Choice | Noul | Score:
    """Plain strings and both sides of a noul: what every compatible server understands."""
    match question:
        case decisions.Choice():
            return Choice(instructions=question.instructions, criteria=question.options)
        case decisions.Noul():
            return Noul(instructions=question.instructions, criteria={"true": question.true, "false": question.false})
        case decisions.Score():
            return Score(instructions=question.instructions, criteria=question.levels)


def _given(answers: Mapping[str, Answer]) -> dict[str, Given]:
    given: dict[str, Given] = {}
    for name, answer in answers.items():
        match answer:
            case ChoiceAnswer():
                given[name] = GivenChoice(answer.choice, answer.probabilities)
            case NoulAnswer():
                given[name] = GivenNoul(answer.noul)
            case ScoreAnswer():
                given[name] = GivenScore(answer.score, answer.probabilities)
            case _:
                continue
    return given


def _failed(error: TypeSafeError) -> ApplicationError:
    if isinstance(error, TypeSafeAPIResponseValidationError):
        return failure(DECISION_BAD_ANSWER, "a response that does not parse", retry=False)
    if isinstance(error, TypeSafeAPIError):
        if worth_a_retry(error.status):
            pause = retry_after(error.headers)
            return failure(DECISION_UNAVAILABLE, f"status {error.status}", retry=True, after=pause)
        return failure(DECISION_REJECTED, f"status {error.status}", retry=False)
    if isinstance(error, TypeSafeAPIConnectionError):
        return failure(DECISION_UNAVAILABLE, "no connection, or it broke", retry=True)
    return failure(DECISION_REJECTED, "a request that cannot be sent", retry=False)


def _request_id(response: SystemOneResponse) -> str | None:
    # Compatible servers send none, and the SDK raises then.
    try:
        return strip_control(response.request_id)[:100]
    except TypeSafeError:
        return None


def _count(tokens: int | None) -> int:
    return min(max(tokens or 0, 0), 10**9)
