"""Hotel search by an MCP server over streamable HTTP: the tool `search_hotels`, as the contract has it.

One client for the worker's life. It outlives a server that is down, killed or restarted, speaks the current protocol
and the older ones with sessions, and takes an answer in text where there is no structured one.
"""

import asyncio
from contextvars import Context
from datetime import timedelta
from types import TracebackType
from typing import Self

import anyio
import httpx2
import mcp_types as types
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from pydantic import Field, JsonValue, ValidationError
from pydantic_core import from_json
from temporalio.exceptions import ApplicationError

from activities.attempt import LONGEST_RETRY_AFTER, deadline, failure
from activities.providers.http import Bounded, TooLong, connections, worth_a_retry
from activities.providers.mcp_transport import SafeTransport
from nightdesk.failures import SEARCH_BAD_RESULT, SEARCH_REFUSED, SEARCH_REJECTED, SEARCH_UNAVAILABLE
from nightdesk.hotels import SearchRequest
from nightdesk.model import Frozen
from nightdesk.refusals import RefusedSearch
from nightdesk.screening import BadResult, RawResult, read_result

TOOL = "search_hotels"

LONGEST_RESPONSE = 1_000_000
"""Bytes; ten hotels are some 10,000."""

CONNECT_WITHIN = 8.0
"""Seconds for finding out which protocol the server speaks, and what its tool looks like."""

CLOSE_WITHIN = 2.0

IDLE = 4.0
"""Seconds. Many Python servers close a connection that was idle for 5: ours ends first, so that none breaks in use."""

_CONTRACT = (types.METHOD_NOT_FOUND, types.INVALID_PARAMS, types.HEADER_MISMATCH, types.UNSUPPORTED_PROTOCOL_VERSION)
_PASSING = ("Session not found", "Session terminated", "Unexpected content type")


class McpSearch:
    """Enter it before the worker and leave it after, in one task. The server need not be up by then.

    `deadline` bounds a search outside of an activity, in seconds; inside, its start-to-close does.
    """

    def __init__(self, url: str, token: str | None = None, *, deadline: float = 9.5) -> None:
        self._url = url
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._deadline = deadline
        self._http: httpx2.AsyncClient | None = None
        self._connection: _Connection | None = None
        self._owners: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._http = httpx2.AsyncClient(
            headers=self._headers,
            transport=SafeTransport(Bounded(LONGEST_RESPONSE, connections(IDLE))),
            timeout=httpx2.Timeout(60, connect=2, read=300),
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._connection is not None:
            self._connection.retire()
        if self._owners:
            _, slow = await asyncio.wait(self._owners, timeout=CLOSE_WITHIN)
            for owner in slow:
                owner.cancel()
            await asyncio.gather(*slow, return_exceptions=True)
        if self._http is not None:
            await self._http.aclose()
            self._http = None

    async def search(self, request: SearchRequest) -> RawResult:
        """One call. Raises ApplicationError: SearchUnavailable, SearchRejected, SearchBadResult, SearchRefused."""
        connection = self._connected()
        try:
            async with asyncio.timeout(deadline(self._deadline)):
                result = await connection.call(request)
            if result.is_error:
                raise _error_result(result)
            return read_result(_answer(result))
        except TimeoutError:
            raise failure(SEARCH_UNAVAILABLE, "no answer in time", retry=True) from None
        except Exception as error:
            known = error if isinstance(error, ApplicationError) else _failed(_first(error))
            if known is None or known.type != SEARCH_REFUSED:
                # Whatever it was, the next try finds out anew what the server is: it may be another one by then.
                connection.retire()
            if known is None:
                raise
            raise known from None

    def _connected(self) -> "_Connection":
        if self._http is None:
            raise RuntimeError("the search is not open")
        if self._connection is None or self._connection.retired:
            self._connection = _Connection(self._url, self._http)
            self._owners.add(self._connection.owner)
            self._connection.owner.add_done_callback(self._owners.discard)
        return self._connection


class _Connection:
    """One MCP client in a task of its own, since it has to be left where it was entered. Any task may call it.

    A retired one takes no new calls; those that run are let finish.
    """

    def __init__(self, url: str, http: httpx2.AsyncClient) -> None:
        self._client = Client(streamable_http_client(url, http_client=http))
        self._settled = asyncio.Event()
        self._closing = asyncio.Event()
        self._problem: Exception | None = None
        self._flat = False
        self._calls = 0
        self.retired = False
        # In a context of its own: it outlives the activity that happened to need it first.
        self.owner = asyncio.create_task(self._own(), context=Context())

    async def call(self, request: SearchRequest) -> types.CallToolResult:
        """Waits for the connection, then calls the tool in the form that the server lists."""
        self._calls += 1
        try:
            await self._settled.wait()
            if self._problem is not None:
                raise self._problem.with_traceback(None)
            wire = request.model_dump(mode="json")
            return await self._client.call_tool(TOOL, wire if self._flat else {"request": wire})
        finally:
            self._calls -= 1
            self._close_when_idle()

    def retire(self) -> None:
        """No new calls."""
        self.retired = True
        self._close_when_idle()

    def _close_when_idle(self) -> None:
        if self.retired and not self._calls:
            self._closing.set()
            if not self._settled.is_set():
                self.owner.cancel()

    async def _own(self) -> None:
        try:
            async with asyncio.timeout(CONNECT_WITHIN) as limit, self._client:
                self._flat = await self._takes_flat_arguments()
                limit.reschedule(None)
                self._settled.set()
                await self._closing.wait()
        except (Exception, BaseExceptionGroup) as error:  # noqa: BLE001 (the SDK wraps anything in groups)
            # The callers that wait get it; after that, the calls that run have failed by themselves.
            first = _first(error)
            self._problem = first if isinstance(first, Exception) else ConnectionError("the client ended")
        finally:
            self._problem = self._problem or ConnectionError("the connection is closed")
            self.retired = True
            self._settled.set()

    async def _takes_flat_arguments(self) -> bool:
        """Whether the tool has the request's fields as its own, instead of one `request`."""
        cursor: str | None = None
        for _ in range(20):
            listed = await self._client.list_tools(cursor=cursor)
            for tool in listed.tools:
                if tool.name == TOOL:
                    fields = tool.input_schema.get("properties", {})
                    return "request" not in fields and "check_in" in fields
            cursor = listed.next_cursor
            if not cursor:
                break
        raise failure(SEARCH_REJECTED, "the server has no tool search_hotels", retry=False)


def _answer(result: types.CallToolResult) -> JsonValue:
    """The structured answer, or the first text that is JSON, as older servers and frameworks give it."""
    data: JsonValue = result.structured_content
    if data is None:
        texts = [block.text for block in result.content if isinstance(block, types.TextContent)]
        try:
            data = from_json(texts[0], allow_inf_nan=False) if texts else None
        except ValueError:
            raise BadResult("a text that is no JSON") from None
    if isinstance(data, dict) and "hotels" not in data and isinstance(data.get("result"), dict):
        return data["result"]
    return data


def _error_result(result: types.CallToolResult) -> ApplicationError:
    """Refused for good only where the server says so in a form of ours; its text can be anything, and is not read."""
    try:
        refused = RefusedSearch.model_validate(result.structured_content)
    except ValidationError:
        return failure(SEARCH_UNAVAILABLE, "the tool failed", retry=True)
    reasons = ", ".join(dict.fromkeys(refusal.reason for refusal in refused.refused))
    return failure(SEARCH_REFUSED, f"the server refuses this search: {reasons}", retry=False, detail=refused)


class _Said(Frozen):
    """What the data of an error may say, ours (SafeTransport) and a server's."""

    transport: str | None = None
    http_status: int | None = None
    retry_after: float | None = Field(default=None, ge=0, le=1e6)
    retryable: bool | None = None


def _failed(error: BaseException) -> ApplicationError | None:
    """By the error's kind and code; None: not a kind that is known."""
    if isinstance(error, MCPError):
        return _refused(error.code, error.message, _said(error))
    if isinstance(error, BadResult):
        return failure(SEARCH_BAD_RESULT, str(error), retry=False)
    if isinstance(error, (ValidationError, RuntimeError)):
        # The SDK's own check of a result against the schema that the server lists.
        return failure(SEARCH_BAD_RESULT, "a result that breaks the server's own schema", retry=False)
    if isinstance(error, (httpx2.RequestError, OSError, TimeoutError, anyio.ClosedResourceError)):
        return failure(SEARCH_UNAVAILABLE, "no connection, or it broke", retry=True)
    return None


def _refused(code: int, message: str, said: _Said) -> ApplicationError:
    pause = timedelta(seconds=said.retry_after) if said.retry_after else None
    pause = min(pause, LONGEST_RETRY_AFTER) if pause else None
    if said.transport == TooLong.__name__:
        return failure(SEARCH_BAD_RESULT, "a result that is too long", retry=False)
    if said.http_status is not None and not worth_a_retry(said.http_status):
        return failure(SEARCH_REJECTED, f"status {said.http_status}", retry=False)
    if code in _CONTRACT or said.retryable is False:
        return failure(SEARCH_REJECTED, f"error {code}", retry=False)
    if code == types.INVALID_REQUEST and not message.startswith((*_PASSING, "no answer")):
        return failure(SEARCH_REJECTED, f"error {code}", retry=False)
    status = f", status {said.http_status}" if said.http_status is not None else ""
    return failure(SEARCH_UNAVAILABLE, f"error {code}{status}", retry=True, after=pause)


def _said(error: MCPError) -> _Said:
    try:
        return _Said.model_validate(error.data)
    except ValidationError:
        return _Said()


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return error  # pyright: ignore[reportUnknownVariableType]
