"""What all providers' HTTP shares: which statuses are worth a retry, and an end to how much is read."""

from collections.abc import AsyncIterator

import httpx2

LIMITS = httpx2.Limits(max_connections=200, max_keepalive_connections=100, keepalive_expiry=30)
"""One client per worker; hundreds of conversations share its connections."""


def timeouts(seconds: float) -> httpx2.Timeout:
    """Per socket operation. The total is `attempt.deadline`'s business; here only connecting is kept short."""
    return httpx2.Timeout(seconds, connect=min(2.0, seconds))


def worth_a_retry(status: int) -> bool:
    """Time-outs, limits and the server's own troubles; everything else is configuration or a bug of ours."""
    return status in (408, 425, 429) or 500 <= status <= 599


class TooLong(httpx2.ReadError):
    """A response body longer than was allowed."""


class Bounded(httpx2.AsyncBaseTransport):
    """Reads at most `most` bytes of a response body, as they come: a body compressed on the way is refused."""

    def __init__(self, most: int, inner: httpx2.AsyncBaseTransport | None = None) -> None:
        self._most = most
        self._inner = inner or httpx2.AsyncHTTPTransport(limits=LIMITS)

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
