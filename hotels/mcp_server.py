"""The hotel search server: the MCP tool `search_hotels` over streamable HTTP or stdio, read-only.

It only reads. Booking has no tool here: the one irreversible effect is an activity of the workflow.
"""

import asyncio
import hmac
import json
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from types import FrameType
from typing import Annotated

import uvicorn
from mcp import MCPError
from mcp.server import MCPServer
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.auth.settings import AuthSettings
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import AnyHttpUrl
from starlette.requests import Request
from starlette.responses import JSONResponse

from hotels.ledger import BadSearch, Ledger, LedgerUnavailable
from nightdesk.hotels import SearchRequest, SearchResult
from nightdesk.refusals import RefusedSearch
from nightdesk.vocabulary import AMENITY_WORDS, ROOM_TYPES

LOOPBACK = ("127.0.0.1:*", "localhost:*", "[::1]:*")
GRACE_S = 5
UNAVAILABLE = -32010
"""The tool's error code for a database that did not answer; its data says {"retryable": true}."""

_DESCRIPTION = f"""Hotels around Portland, Oregon, with a room free on every night of a stay, cheapest first.
check_in (after today) up to, not including, check_out: dates YYYY-MM-DD at the hotel.
room_type: {", ".join(ROOM_TYPES)}; or null for each hotel's cheapest that fits.
amenities: all must be there, among {", ".join(AMENITY_WORDS)}.
budget bounds every single night's price in USD; max_distance_miles are at most; null is no bound.
A request that can never work is an error result; why is in its structured content: {{"refused": [{{"reason"}}]}}."""


def build_server(ledger: Ledger, token: str | None = None) -> MCPServer:
    """The server over this ledger. With a `token`, HTTP callers need it as their bearer token."""
    # The SDK wants an issuer; with a shared token there is none, and none is published.
    auth = AuthSettings(issuer_url=AnyHttpUrl("http://localhost"), resource_server_url=None)
    server = MCPServer(
        "nightdesk-hotels",
        version=version("nightdesk"),
        log_level="WARNING",
        auth=auth if token else None,
        token_verifier=_SharedToken(token) if token else None,
    )

    @server.tool(
        description=_DESCRIPTION,
        annotations=ToolAnnotations(
            title="Search hotels",
            read_only_hint=True,
            idempotent_hint=True,
            destructive_hint=False,
            open_world_hint=False,
        ),
    )
    async def search_hotels(request: SearchRequest) -> Annotated[CallToolResult, SearchResult]:
        try:
            return _result(await asyncio.to_thread(ledger.search, request))
        except BadSearch as mistake:
            return _result(RefusedSearch(refused=mistake.refusals), refused=str(mistake))
        except LedgerUnavailable:
            message = "the hotel database did not answer"
            raise MCPError(code=UNAVAILABLE, message=message, data={"retryable": True}) from None

    @server.custom_route("/health", methods=["GET"])
    async def health(_request: Request) -> JSONResponse:
        try:
            await asyncio.to_thread(ledger.ping)
        except LedgerUnavailable:
            return JSONResponse({"status": "no database"}, status_code=503)
        return JSONResponse({"status": "ok", "pid": os.getpid()})

    return server


def _result(told: SearchResult | RefusedSearch, refused: str | None = None) -> CallToolResult:
    """Structured, and in text for clients that read nothing else. A refusal is an error result with its reasons."""
    text = refused or told.model_dump_json(indent=2)
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=told.model_dump(mode="json"),
        is_error=refused is not None,
    )


def run_http(
    ledger: Ledger,
    host: str = "127.0.0.1",
    port: int = 0,
    token: str | None = None,
    allowed_hosts: Sequence[str] = (),
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve /mcp and /health until SIGINT or SIGTERM, then let calls in hand finish for a few seconds.

    Port 0 is any free one. Once it answers, `ready` is called with the URL of /mcp; the default prints
    it as the JSON line {"hotels": url}. Requests whose Host is neither loopback nor in `allowed_hosts`
    ("name:port" or "name:*") are refused. Raises SchemaMismatch, NotADatabase, LedgerUnavailable, OSError (port taken).
    """
    ledger.check_schema()
    _log_to_stderr()
    server = build_server(ledger, token)
    security = TransportSecuritySettings(allowed_hosts=[*LOOPBACK, *allowed_hosts], allowed_origins=[])
    app = server.streamable_http_app(host=host, transport_security=security)
    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=GRACE_S)
    with _listen(host, port) as listening:
        bound = listening.getsockname()[1]
        name = f"[{host}]" if ":" in host else host
        url = f"http://{name}:{bound}/mcp"
        serving = _Server(config, lambda: (ready or _print_ready)(url))
        with _shut_down_by_signals(serving):
            serving.run(sockets=[listening])


def run_stdio(ledger: Ledger) -> None:
    """Serve one client over stdin and stdout, until stdin ends. Raises as above, but for the port."""
    ledger.check_schema()
    _log_to_stderr()
    build_server(ledger).run("stdio")


def _log_to_stderr() -> None:
    """Before the SDK does it in colour; stdout belongs to the ready line, or to the protocol."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")


@contextmanager
def _shut_down_by_signals(server: uvicorn.Server) -> Generator[None]:
    """SIGINT and SIGTERM end the serving, not the process.

    uvicorn has handlers of its own while it serves; these are for the moments before, when a signal must
    not get lost, and after, when uvicorn raises what it got a second time.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def shut_down(_sign: int, _frame: FrameType | None) -> None:
        server.should_exit = True

    before = {sign: signal.signal(sign, shut_down) for sign in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for sign, handler in before.items():
            signal.signal(sign, handler)


def _listen(host: str, port: int) -> socket.socket:
    """Bound before uvicorn starts, so that the port is known and a taken one is an OSError."""
    return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)


def _print_ready(url: str) -> None:
    sys.stdout.write(json.dumps({"hotels": url}) + "\n")
    sys.stdout.flush()


class _Server(uvicorn.Server):
    """Says when it answers."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._say = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._say()


class _SharedToken(TokenVerifier):
    def __init__(self, token: str) -> None:
        self._token = token.encode()

    async def verify_token(self, token: str) -> AccessToken | None:
        same = hmac.compare_digest(token.encode(), self._token)
        return AccessToken(token=token, client_id="nightdesk", scopes=[]) if same else None
