"""An HTTP peer that misbehaves on order, in front of a real server or instead of one.

    with FlakyPeer(upstream=mock.url) as peer:
        peer.then(status(500), reset(), GOOD)      # the next three requests; from then on all is well
        peer.always(hang())                        # every request, until told otherwise

Every request is counted and kept. Nothing here sleeps: what waits, waits for the peer's end or for its client to go.
"""

import gzip
import http.client
import socket
import socketserver
import struct
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import urlsplit

from pydantic import JsonValue
from pydantic_core import from_json


@dataclass(frozen=True)
class Request:
    """One request as it came; header names in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> JsonValue:
        """The body."""
        return from_json(self.body)


@dataclass
class Exchange:
    """One request being answered. `ended` is set when the peer closes."""

    socket: socket.socket
    request: Request
    ended: threading.Event
    good: Callable[[Request], bytes]

    def send(self, data: bytes) -> None:
        """As is."""
        self.socket.sendall(data)


Behaviour = Callable[[Exchange], None]


def response(body: bytes, *, status: int = 200, headers: Mapping[str, str] | None = None) -> bytes:
    """A whole HTTP response; JSON unless `headers` say otherwise."""
    fields = {"content-type": "application/json", "content-length": str(len(body)), "connection": "close"}
    fields |= {name.lower(): value for name, value in (headers or {}).items()}
    lines = [f"HTTP/1.1 {status} Told", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def GOOD(exchange: Exchange) -> None:
    """What the real server answers."""
    exchange.send(exchange.good(exchange.request))


def status(code: int, headers: Mapping[str, str] | None = None, body: bytes = b'{"error":"told to"}') -> Behaviour:
    """Refuses."""
    return lambda exchange: exchange.send(response(body, status=code, headers=headers))


def html(code: int = 200) -> Behaviour:
    """A page, as gateways send."""
    page = b"<html><body>It works, dear guest!</body></html>"
    return lambda exchange: exchange.send(response(page, status=code, headers={"Content-Type": "text/html"}))


def body(data: bytes) -> Behaviour:
    """Some other body, declared as JSON."""
    return lambda exchange: exchange.send(response(data))


def hang() -> Behaviour:
    """Takes the request and says nothing."""

    def wait(exchange: Exchange) -> None:
        exchange.ended.wait()

    return wait


def late(seconds: float) -> Behaviour:
    """The right answer, late."""

    def wait(exchange: Exchange) -> None:
        if not exchange.ended.wait(seconds):
            GOOD(exchange)

    return wait


def drip(every: float = 0.2) -> Behaviour:
    """The right answer, a byte at a time."""

    def trickle(exchange: Exchange) -> None:
        for byte in exchange.good(exchange.request):
            if exchange.ended.wait(every):
                return
            exchange.send(bytes([byte]))

    return trickle


def zipped() -> Behaviour:
    """The right answer, compressed although nobody asked for it: a small one may unfold without end."""

    def pack(exchange: Exchange) -> None:
        _, _, plain = exchange.good(exchange.request).partition(b"\r\n\r\n")
        exchange.send(response(gzip.compress(plain), headers={"Content-Encoding": "gzip"}))

    return pack


def reset(after: int = 0) -> Behaviour:
    """Breaks the connection off hard, after so many bytes of the right answer."""

    def cut(exchange: Exchange) -> None:
        if after:
            exchange.send(exchange.good(exchange.request)[:after])
        exchange.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        exchange.socket.close()

    return cut


def truncated() -> Behaviour:
    """Closes in the middle of the right answer."""

    def stop(exchange: Exchange) -> None:
        whole = exchange.good(exchange.request)
        exchange.send(whole[: -len(whole) // 8])

    return stop


def huge(size: int = 50_000_000) -> Behaviour:
    """A body that goes on and on, declared or not."""

    def flood(exchange: Exchange) -> None:
        exchange.send(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{"x":"')
        part = b"x" * 65536
        for _ in range(size // len(part)):
            exchange.send(part)

    return flood


@dataclass
class FlakyPeer:
    """`upstream` is the root address of the real server; without one, GOOD is `answer` (or 404)."""

    upstream: str | None = None
    answer: Callable[[Request], bytes] | None = None
    requests: list[Request] = field(default_factory=list[Request])

    def __enter__(self) -> Self:
        self._lock = threading.Condition()
        self._next: deque[Behaviour] = deque()
        self._default: Behaviour = GOOD
        self._ended = threading.Event()
        peer = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                peer._handle(self.request)  # pyright: ignore[reportPrivateUsage]

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            allow_reuse_address = True
            request_queue_size = 128

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), name="flaky-peer")
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """The root address."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def then(self, *behaviours: Behaviour) -> None:
        """For the next requests, one each."""
        with self._lock:
            self._next.extend(behaviours)

    def always(self, behaviour: Behaviour) -> None:
        """For every request that has no behaviour of its own."""
        with self._lock:
            self._next.clear()
            self._default = behaviour

    def wait_for(self, requests: int, seconds: float = 10) -> None:
        """Blocks until so many have come: call it in a thread."""
        with self._lock:
            if not self._lock.wait_for(lambda: len(self.requests) >= requests, seconds):
                raise TimeoutError(f"{len(self.requests)} requests came")

    def _handle(self, sock: socket.socket) -> None:
        try:
            request = _read(sock)
            if request is None:
                return
            with self._lock:
                self.requests.append(request)
                self._lock.notify_all()
                behaviour = self._next.popleft() if self._next else self._default
            behaviour(Exchange(sock, request, self._ended, self._good))
        except OSError:
            return  # The client has gone: it does, when its deadline is over.

    def _good(self, request: Request) -> bytes:
        if self.answer is not None:
            return self.answer(request)
        if self.upstream is None:
            return response(b"{}", status=404)
        status, headers, body = self._upstream(self.upstream, request)
        return response(body, status=status, headers=headers)

    def ask_upstream(self, request: Request) -> bytes:
        """The real server's body for a request, past this peer."""
        assert self.upstream is not None
        return self._upstream(self.upstream, request)[2]

    def _upstream(self, root: str, request: Request) -> tuple[int, dict[str, str], bytes]:
        address = urlsplit(root)
        connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=30)
        try:
            headers = {name: value for name, value in request.headers.items() if name not in ("host", "connection")}
            connection.request(request.method, request.path, request.body, headers)
            got = connection.getresponse()
            hop_by_hop = ("content-length", "transfer-encoding", "connection")
            kept = {name: value for name, value in got.getheaders() if name.lower() not in hop_by_hop}
            return got.status, kept, got.read()
        finally:
            connection.close()


def _read(sock: socket.socket) -> Request | None:
    data = b""
    while b"\r\n\r\n" not in data:
        part = sock.recv(65536)
        if not part:
            return None
        data += part
    head, _, rest = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    length = int(headers.get("content-length", 0))
    while len(rest) < length:
        part = sock.recv(65536)
        if not part:
            return None
        rest += part
    return Request(method, path, headers, rest)
