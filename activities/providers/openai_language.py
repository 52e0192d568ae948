"""Language by OpenAI, or by any server with its Responses API, on the official SDK.

What a model can get wrong is an outcome of the turn. What a server can get wrong is a failure: no connection, no answer
in time, 408, 409, 429, 5xx, a 200 that cannot be read and status "failed" are worth a retry; 429 for want of quota and
any other status are not.
"""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Literal

import httpx2
import openai
from openai.types.responses import EasyInputMessageParam, FunctionToolParam
from pydantic import Field, ValidationError
from pydantic_core import from_json
from temporalio.exceptions import ApplicationError

from activities.attempt import deadline, failure, retry_after
from activities.providers.http import bounded_client, worth_a_retry
from nightdesk.boundaries import ConverseRequest, JsonObject, ModelTurn, ToolCall
from nightdesk.failures import LANGUAGE_REJECTED, LANGUAGE_UNAVAILABLE
from nightdesk.model import Frozen
from nightdesk.tools import TOOLS
from nightdesk.understanding.normalise import strip_control

LONGEST_RESPONSE = 1_000_000
"""Bytes; a turn of ours is some 5,000, more where a model's reasoning comes along."""

LONGEST_TEXT = 8_000
"""Characters of a draft; a longer one counts as truncated."""

LONGEST_ARGUMENTS = 8_000
"""Characters of one call's arguments; a longer one is ignored."""

MOST_CALLS = 12
"""Calls of one turn that are looked at: each criterion once, and room to spare."""

MOST_OUTPUT_TOKENS = 2_000
"""Reasoning included."""


class _Text(Frozen):
    type: Literal["output_text"]
    text: str


class _Refusal(Frozen):
    type: Literal["refusal"]


class _Call(Frozen):
    type: Literal["function_call"]
    name: str
    arguments: str


class _Other(Frozen):
    type: str


class _Message(Frozen):
    type: Literal["message"]
    content: tuple[Annotated[_Text | _Refusal | _Other, Field(union_mode="left_to_right")], ...]


class _Error(Frozen):
    code: str | None = None


class _Incomplete(Frozen):
    reason: str | None = None


class _Usage(Frozen):
    input_tokens: int = 0
    output_tokens: int = 0


class _Response(Frozen):
    """What is read of a response. Kinds of items that we do not know are kept by their type alone."""

    model: str = ""
    status: str | None = None
    error: _Error | None = None
    incomplete_details: _Incomplete | None = None
    output: tuple[Annotated[_Call | _Message | _Other, Field(union_mode="left_to_right")], ...]
    usage: _Usage | None = None

    @property
    def refused(self) -> bool:
        return any(isinstance(part, _Refusal) for part in self._parts())

    @property
    def text(self) -> str:
        return "".join(part.text for part in self._parts() if isinstance(part, _Text)).strip()

    def _parts(self) -> Sequence[_Text | _Refusal | _Other]:
        return [part for item in self.output if isinstance(item, _Message) for part in item.content]


class OpenAILanguage:
    """One per worker. `deadline` bounds a call outside of an activity, in seconds; inside, its start-to-close does.

    A server that needs no key may be given none.
    """

    def __init__(self, api_key: str | None, base_url: str, model: str, *, deadline: float = 19.5) -> None:
        self._deadline = deadline
        self._model = model
        self._client = openai.AsyncOpenAI(
            api_key=api_key or "none",
            base_url=base_url,
            max_retries=0,
            http_client=bounded_client(LONGEST_RESPONSE),
        )

    async def aclose(self) -> None:
        """Closes the connections; call it after the worker has ended."""
        await self._client.close()

    async def converse(self, request: ConverseRequest) -> ModelTurn:
        """One turn. Raises ApplicationError: LanguageUnavailable, LanguageRejected."""
        try:
            async with asyncio.timeout(deadline(self._deadline)):
                body = await self._ask(request)
        except openai.OpenAIError as error:
            raise _failed(error) from None
        except TimeoutError:
            raise _unavailable("no answer in time") from None
        try:
            response = _Response.model_validate(from_json(body, allow_inf_nan=False))
        except ValueError:
            # Also pydantic's: a page of HTML, a body that breaks off, an object without output.
            raise _unavailable("a response that cannot be read") from None
        return _turn(request, response)

    async def _ask(self, request: ConverseRequest) -> bytes:
        # The raw response, since the SDK checks nothing of a parsed one: its fields may be missing, it may be a string.
        response = await self._client.responses.with_raw_response.create(
            model=self._model,
            instructions=request.guidance,
            input=[_line(message.role, message.text) for message in request.messages],
            tools=[_offered(name) for name in request.tools] if request.tools else openai.omit,
            tool_choice="auto" if request.tools else openai.omit,
            parallel_tool_calls=True if request.tools else openai.omit,
            max_output_tokens=MOST_OUTPUT_TOKENS,
            store=False,
        )
        return response.content


def _line(role: Literal["guest", "assistant"], text: str) -> EasyInputMessageParam:
    return {"role": "user" if role == "guest" else "assistant", "content": text}


def _offered(name: str) -> FunctionToolParam:
    tool = TOOLS[name]
    return openai.pydantic_responses_function_tool(tool.arguments, name=tool.name, description=tool.description)


def _turn(request: ConverseRequest, response: _Response) -> ModelTurn:
    """In this order: status, refusal, calls, text. Text is the answer only where no tools were offered."""
    usage = response.usage or _Usage()
    turn = ModelTurn(
        model=strip_control(response.model)[:100],
        input_tokens=_count(usage.input_tokens),
        output_tokens=_count(usage.output_tokens),
    )
    outcome = _ended_early(response)
    if outcome:
        return turn.model_copy(update={"outcome": outcome})
    calls, ignored = _calls(request.tools, response)
    turn = turn.model_copy(update={"ignored": ignored})
    if calls:
        return turn.model_copy(update={"calls": calls})
    if request.tools and ignored:
        return turn.model_copy(update={"outcome": "bad_output"})
    text = response.text
    if not text:
        return turn.model_copy(update={"outcome": "bad_output" if ignored else "empty"})
    if request.tools:
        return turn
    return turn.model_copy(update={"text": text} if len(text) <= LONGEST_TEXT else {"outcome": "truncated"})


def _ended_early(response: _Response) -> Literal["refused", "truncated"] | None:
    if response.status == "incomplete":
        filtered = response.incomplete_details is not None and response.incomplete_details.reason == "content_filter"
        return "refused" if filtered else "truncated"
    if response.status == "failed" and response.error is not None and response.error.code == "invalid_prompt":
        return "refused"
    if response.status not in ("completed", None):
        raise _unavailable("a turn that did not complete")
    return "refused" if response.refused else None


def _calls(offered: Sequence[str], response: _Response) -> tuple[tuple[ToolCall, ...], int]:
    """The usable calls, and how many were not: a tool not offered, arguments that are no object, one too many."""
    listed = [item for item in response.output if item.type == "function_call"]
    calls: list[ToolCall] = []
    for item in listed[:MOST_CALLS]:
        if isinstance(item, _Call) and item.name in offered:
            arguments = _object(item.arguments)
            if arguments is not None:
                calls.append(ToolCall(name=item.name, arguments=arguments))
    return tuple(calls), len(listed) - len(calls)


class _Arguments(Frozen):
    value: JsonObject


def _object(text: str) -> JsonObject | None:
    if len(text) > LONGEST_ARGUMENTS:
        return None
    try:
        return _Arguments(value=from_json(text, allow_inf_nan=False)).value
    except (ValidationError, ValueError):
        return None


def _failed(error: openai.OpenAIError) -> ApplicationError:
    if isinstance(error, openai.APIStatusError):
        status = error.status_code
        if error.code == "insufficient_quota":
            return failure(LANGUAGE_REJECTED, "the quota is used up", retry=False)
        if status == 409 or worth_a_retry(status):
            return _unavailable(f"status {status}", error.response.headers)
        return failure(LANGUAGE_REJECTED, f"status {status}", retry=False)
    if isinstance(error, openai.APIConnectionError):
        return _unavailable("no connection, or it broke")
    if isinstance(error, openai.APIError):
        return _unavailable("a response that cannot be read")
    return failure(LANGUAGE_REJECTED, "a request that cannot be sent", retry=False)


def _unavailable(message: str, headers: httpx2.Headers | None = None) -> ApplicationError:
    return failure(LANGUAGE_UNAVAILABLE, message, retry=True, after=retry_after(headers) if headers else None)


def _count(tokens: int) -> int:
    return min(max(tokens, 0), 10**9)
