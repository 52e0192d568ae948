"""Decrypts payloads for the Temporal UI and CLI, for those who have the token. Loopback unless told otherwise.

The CLI sends the token as a header (`--codec-auth "Bearer …"`). The UI of the development server can send none, so
the token may also be the first part of the path: its codec endpoint is `http://127.0.0.1:8766/<token>`.
"""

import hmac
from collections.abc import Awaitable, Callable, Sequence

import uvicorn
from google.protobuf import json_format
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from temporalio.api.common.v1 import Payload, Payloads

from clients.encryption import EncryptionCodec, KeyRing
from clients.failures import CannotGoOn
from settings import Settings

PORT = 8766
LONGEST_BODY = 16 * 1024 * 1024
_METHODS = "POST, OPTIONS"
_HEADERS = "content-type, x-namespace, authorization"

Translate = Callable[[Sequence[Payload]], Awaitable[list[Payload]]]


def build_app(codec: EncryptionCodec, token: str, origins: Sequence[str]) -> Starlette:
    """POST /encode and /decode. Answers pages of `origins` only, and callers with the token only."""

    def headers(request: Request) -> dict[str, str]:
        origin = request.headers.get("origin")
        allowed = {"access-control-allow-origin": origin} if origin in origins and origin is not None else {}
        return {**allowed, "vary": "origin", "cache-control": "no-store"}

    def known(request: Request) -> bool:
        given = request.path_params.get("token") or request.headers.get("authorization", "").removeprefix("Bearer ")
        return hmac.compare_digest(str(given).encode(), token.encode())

    def endpoint(translate: Translate) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            plain = headers(request)
            if request.method == "OPTIONS":
                asked = {"access-control-allow-methods": _METHODS, "access-control-allow-headers": _HEADERS}
                return Response(status_code=204, headers={**plain, **asked})
            if not known(request):
                return JSONResponse({"message": "the codec server needs its token"}, 401, plain)
            body = await _body(request)
            if body is None:
                return JSONResponse({"message": "too long"}, 413, plain)
            try:
                payloads = json_format.Parse(body or b"{}", Payloads(), ignore_unknown_fields=True)
            except (json_format.ParseError, UnicodeDecodeError, RecursionError):
                return JSONResponse({"message": "not a list of payloads"}, 400, plain)
            translated = Payloads(payloads=await translate(payloads.payloads))
            return Response(json_format.MessageToJson(translated), headers=plain, media_type="application/json")

        return answer

    routes: list[Route] = []
    for path, translate in (("/encode", codec.encode), ("/decode", codec.decode)):
        for prefix in ("", "/{token}"):
            routes.append(Route(prefix + path, endpoint(translate), methods=["POST", "OPTIONS"]))
    return Starlette(routes=routes)


async def _body(request: Request) -> bytes | None:
    """The body, or None when it is longer than anything that the server would have stored."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LONGEST_BODY:
            return None
    return bytes(body)


def serve(settings: Settings, host: str, port: int, origins: Sequence[str]) -> None:
    """Serve until stopped. Raises CannotGoOn when there is no key or no token."""
    if not settings.encryption_keys:
        raise CannotGoOn("NIGHTDESK_ENCRYPTION_KEYS is not set: there is nothing to decrypt")
    if settings.codec_token is None:
        raise CannotGoOn("NIGHTDESK_CODEC_TOKEN is not set: whoever may read the conversations needs it")
    app = build_app(
        EncryptionCodec(KeyRing(settings.encryption_keys)), settings.codec_token.get_secret_value(), origins
    )
    print(
        f"decoding at http://{host}:{port}/decode; in the UI: http://{host}:{port}/<NIGHTDESK_CODEC_TOKEN>", flush=True
    )
    # No access log: a path may hold the token.
    uvicorn.run(app, host=host, port=port, log_level="warning", access_log=False, timeout_graceful_shutdown=2)
