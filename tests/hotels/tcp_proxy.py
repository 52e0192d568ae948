"""A TCP proxy that cuts a PostgreSQL connection at COMMIT, or falls silent. For tests of unknown outcomes.

with TcpProxy(server.port) as proxy:
    ledger = Ledger(proxy.url(url))
    proxy.cut_after_commit()      # the next COMMIT reaches the server, its answer never the client
"""

import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Literal, Self

from sqlalchemy import make_url

Cut = Literal["before", "after"]
_COMMIT = b"COMMIT\0"


class TcpProxy:
    """Forwards a loopback port to another one. `cuts` counts the commits it has cut."""

    def __init__(self, target: int) -> None:
        self.cuts = 0
        self._target = target
        self._planned: list[Cut] = []
        self._lock = threading.Lock()
        self._lines: list[_Line] = []
        self._flowing = threading.Event()
        self._flowing.set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, url: str) -> str:
        """The same database, by way of this proxy."""
        return make_url(url).set(host="127.0.0.1", port=self.port).render_as_string(hide_password=False)

    def cut_before_commit(self, times: int = 1) -> None:
        """The next COMMIT never reaches the server."""
        self._planned.extend("before" for _ in range(times))

    def cut_after_commit(self, times: int = 1) -> None:
        """The next COMMIT reaches the server and is done; its answer never reaches the client."""
        self._planned.extend("after" for _ in range(times))

    def hang(self) -> None:
        """From now on nothing passes, while every connection stays open and new ones are accepted."""
        self._flowing.clear()

    def drop(self) -> None:
        """Break every connection off, now; new ones work."""
        with self._lock:
            lines, self._lines = self._lines, []
        for line in lines:
            line.cut()

    def close(self) -> None:
        """Break everything off and stop listening."""
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self.drop()
        self._flowing.set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self._target), timeout=5)
            except OSError:
                client.close()
                continue
            server.settimeout(None)
            line = _Line(client, server)
            with self._lock:
                self._lines.append(line)
            for pump in (self._to_server, self._to_client):
                threading.Thread(target=pump, args=(line,), daemon=True).start()

    def _to_server(self, line: "_Line") -> None:
        while data := line.receive(line.client):
            self._flowing.wait()
            cut = self._next_cut() if _COMMIT in data else None
            if cut == "before":
                break
            line.swallow_answer = cut == "after"
            line.send(line.server, data)
        line.cut()

    def _to_client(self, line: "_Line") -> None:
        while (data := line.receive(line.server)) and not line.swallow_answer:
            self._flowing.wait()
            line.send(line.client, data)
        line.cut()

    def _next_cut(self) -> Cut | None:
        with self._lock:
            if not self._planned:
                return None
            self.cuts += 1
            return self._planned.pop(0)


class _Line:
    """One connection through the proxy."""

    def __init__(self, client: socket.socket, server: socket.socket) -> None:
        self.client, self.server = client, server
        self.swallow_answer = False

    def receive(self, side: socket.socket) -> bytes:
        try:
            return side.recv(65536)
        except OSError:
            return b""

    def send(self, side: socket.socket, data: bytes) -> None:
        with suppress(OSError):
            side.sendall(data)

    def cut(self) -> None:
        for side in (self.client, self.server):
            with suppress(OSError):
                side.shutdown(socket.SHUT_RDWR)
            side.close()
