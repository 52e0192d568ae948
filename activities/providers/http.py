"""What all providers' HTTP shares: which statuses are worth a retry, and an end to how much is read."""

import ssl
from collections.abc import AsyncIterator
from functools import cache

import httpx2

TIMEOUTS = httpx2.Timeout(60, connect=2)
"""Seconds, of one socket operation. The total is `attempt.deadline`'s business; only connecting is kept short here."""


def connections(idle: float = 30) -> httpx2.AsyncHTTPTransport:
    """One worker's connections to one provider, for hundreds of conversations; unused for `idle` seconds, one ends."""
    limits = httpx2.Limits(max_connections=200, max_keepalive_connections=100, keepalive_expiry=idle)
    return httpx2.AsyncHTTPTransport(verify=_tls(), limits=limits)


@cache
def _tls() -> ssl.SSLContext:
    # Loading the certificates costs some 20 ms.
    return httpx2.create_ssl_context()


def bounded_client(most: int) -> httpx2.AsyncClient:
    """Follows no redirect, uses no proxy of the environment, and reads at most `most` bytes of a response."""
    return httpx2.AsyncClient(transport=Bounded(most, connections()), timeout=TIMEOUTS)


def worth_a_retry(status: int) -> bool:
    """Time-outs, limits and the server's own troubles; everything else is configuration or a bug of ours."""
    return status in (408, 425, 429) or 500 <= status <= 599


class TooLong(httpx2.ReadError):
    """A response body longer than was allowed."""


class Bounded(httpx2.AsyncBaseTransport):
    """Reads at most `most` bytes of a response body, as they come: a body compressed on the way is refused."""

    def __init__(self, most: int, inner: httpx2.AsyncBaseTransport) -> None:
        self._most = most
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """The inner transport's response. Raises TooLong while the body is read."""
        request.headers["Accept-Encoding"] = "identity"
        response = await self._inner.handle_async_request(request)
        if response.headers.get("Content-Encoding", "identity") != "identity":
            await response.aclose()
            raise httpx2.DecodingError("a compressed response", request=request)
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Capped(response.stream, self._most)
        return response

    async def aclose(self) -> None:
        """Closes the inner transport."""
        await self._inner.aclose()


class _Capped(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, most: int) -> None:
        self._inner = inner
        self._most = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for part in self._inner:
            read += len(part)
            if read > self._most:
                raise TooLong("a response that is too long")
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()
