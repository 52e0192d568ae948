"""HTTP for the MCP client, so that no fault of the network or of a gateway ends the client itself.

The SDK's client dies for ever when a request raises, and loses the status of a refusal. Here both become a JSON-RPC
error, which fails that one call and keeps what happened in its data.
"""

import httpx2
from mcp_types import CONNECTION_CLOSED, INTERNAL_ERROR, INVALID_REQUEST, jsonrpc_message_adapter
from pydantic import JsonValue, ValidationError

from activities.attempt import retry_after

SESSION = "mcp-session-id"
_BY_STATUS_ALONE = (401, 403, 408, 425, 429)


class SafeTransport(httpx2.AsyncBaseTransport):
    """Data of an error: `transport` is the class of the network's fault; `http_status` and `retry_after` (seconds)."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """A response, always."""
        try:
            response = await self._inner.handle_async_request(request)
            if request.method != "POST":
                return response
            if response.status_code >= 400 or _is_json(response):
                await response.aread()
        except httpx2.RequestError as error:
            return _error(request, CONNECTION_CLOSED, {"transport": type(error).__name__})
        if response.status_code < 400:
            return response
        if response.status_code == 404 and SESSION in request.headers:
            # The older protocol: the server has restarted and knows the session no more.
            return _error(request, INVALID_REQUEST, {"session": "lost"})
        by_status = response.status_code in _BY_STATUS_ALONE or response.status_code >= 500
        if _is_json_rpc(response.content) and not by_status:
            return response
        pause = retry_after(response.headers)
        return _error(
            request,
            INTERNAL_ERROR,
            {"http_status": response.status_code, "retry_after": pause.total_seconds() if pause else None},
        )

    async def aclose(self) -> None:
        """Closes the inner transport."""
        await self._inner.aclose()


def _is_json(response: httpx2.Response) -> bool:
    return response.headers.get("Content-Type", "").lower().startswith("application/json")


def _is_json_rpc(body: bytes) -> bool:
    try:
        jsonrpc_message_adapter.validate_json(body)
    except ValidationError:
        return False
    return True


def _error(request: httpx2.Request, code: int, data: dict[str, JsonValue]) -> httpx2.Response:
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": "no answer", "data": data}}
    return httpx2.Response(503, json=body, request=request)
