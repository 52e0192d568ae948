"""A small hotel MCP server, in the ways that another team's may differ. Run as a program it can be killed.

modern: the current protocol, one parameter `request`, a structured answer.    legacy: only protocols with sessions.
text: no structured answer.    flat: the request's fields as parameters.    wrapped: the result under "result".
"""

import argparse
import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

import uvicorn
from mcp.server import MCPServer, Server, ServerRequestContext
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.auth.settings import AuthSettings
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams, TextContent, Tool
from pydantic import AnyHttpUrl
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from nightdesk.hotels import PriceLimits, SearchRequest, SearchResult
from tests.activities.samples import hotel

Answer = Callable[[SearchRequest], Awaitable[SearchResult]]


async def two_hotels(request: SearchRequest) -> SearchResult:
    """Always the same, whatever is asked."""
    return SearchResult(hotels=(hotel("h1", 600), hotel("h2", "650.50", name="Park Lodge")))


class OneToken(TokenVerifier):
    """Lets "sesame" in."""

    async def verify_token(self, token: str) -> AccessToken | None:
        if token != "sesame":
            return None
        return AccessToken(token=token, client_id="nightdesk", scopes=["search"], expires_at=None)


def app(mode: str, answer: Answer = two_hotels, *, token: bool = False) -> ASGIApp:
    """The server as an ASGI app; with `token` it wants the bearer "sesame"."""
    auth: dict[str, Any] = {}
    if token:
        settings = AuthSettings(
            issuer_url=AnyHttpUrl("http://127.0.0.1/"), resource_server_url=None, required_scopes=["search"]
        )
        auth = {"auth": settings, "token_verifier": OneToken()}
    mcp = MCPServer("hotels", version="1.0", log_level="CRITICAL", **auth)

    async def nested(request: SearchRequest) -> SearchResult:
        return await answer(request)

    async def flat(check_in: date, check_out: date, budget: PriceLimits) -> SearchResult:
        return await answer(SearchRequest(check_in=check_in, check_out=check_out, budget=budget))

    async def wrapped(request: SearchRequest) -> dict[str, SearchResult]:
        return {"result": await answer(request)}

    function = {"flat": flat, "wrapped": wrapped}.get(mode, nested)
    mcp.add_tool(
        function, name="search_hotels", description="Search hotels", structured_output=False if mode == "text" else None
    )
    served = mcp.streamable_http_app()
    return OlderOnly(served) if mode == "legacy" else served


class OlderOnly:
    """Refuses the current protocol the way a server from before it does."""

    def __init__(self, inner: ASGIApp) -> None:
        self._inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = {name.lower(): value for name, value in scope["headers"]}
            if headers.get(b"mcp-protocol-version") == b"2026-07-28":
                error = {"code": -32600, "message": "Bad Request: Missing session ID"}
                refused = JSONResponse({"jsonrpc": "2.0", "id": "server-error", "error": error}, status_code=400)
                await refused(scope, receive, send)
                return
        await self._inner(scope, receive, send)


def told(result: CallToolResult | Exception, *, output_schema: dict[str, Any] | None = None) -> ASGIApp:
    """A server without manners: it answers every call with just that, or raises it."""

    async def list_tools(_: ServerRequestContext[Any], __: PaginatedRequestParams | None) -> ListToolsResult:
        schema = {"type": "object", "properties": {"request": {"type": "object"}}}
        tool = Tool(name="search_hotels", description="Search", input_schema=schema, output_schema=output_schema)
        return ListToolsResult(tools=[tool])

    async def call_tool(_: ServerRequestContext[Any], __: CallToolRequestParams) -> CallToolResult:
        if isinstance(result, Exception):
            raise result
        return result

    return Server("rude", on_list_tools=list_tools, on_call_tool=call_tool).streamable_http_app()


def saying(text: str) -> CallToolResult:
    """A result in text alone."""
    return CallToolResult(content=[TextContent(type="text", text=text)])


def main() -> None:
    """Prints its port once it listens."""
    parser = argparse.ArgumentParser()
    parser.add_argument("mode")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--takes", type=float, default=0.0, help="seconds a search takes")
    arguments = parser.parse_args()

    async def answer(request: SearchRequest) -> SearchResult:
        await asyncio.sleep(arguments.takes)
        return await two_hotels(request)

    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", arguments.port))
    listening.listen(128)
    config = uvicorn.Config(app(arguments.mode, answer), log_level="error")
    print(listening.getsockname()[1], flush=True)  # noqa: T201
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
