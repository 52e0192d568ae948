"""The servers that the adapters are tested against, over real HTTP on free loopback ports; made for reuse.

* `SystemOne`: jevcompat's mock, with its contract faults, and with answers that a test can script.
* `llmock.testing.LLMockServer`: PyPI's fake OpenAI, as it is.
* `Served`: any ASGI app in a thread, for MCP servers that live in the test.
* `HotelProcess`: a hotel MCP server in a process of its own, to be killed.
"""

import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

import uvicorn
from jevcompat import mock  # pyright: ignore[reportMissingTypeStubs]
from starlette.types import ASGIApp

Prefer = Callable[[object, str, str], float | None]
"""(state, instructions, option) -> a logit, or None for the mock's own. The option of a noul is "true"; of a score its
level as a string."""

_own_logit: Any = mock._logit  # pyright: ignore[reportPrivateUsage, reportUnknownMemberType, reportUnknownVariableType]


@dataclass
class _Config(mock.MockConfig):
    prefer: Prefer | None = None


def _logit(cfg: mock.MockConfig, *parts: Any) -> float:
    prefer = cfg.prefer if isinstance(cfg, _Config) else None
    if prefer is not None:
        state, instructions, named = parts[:3]
        told = prefer(state, str(instructions), "true" if isinstance(named, dict) else str(named))
        if told is not None:
            return told
    return _own_logit(cfg, *parts)


mock._logit = _logit  # pyright: ignore[reportPrivateUsage]


class SystemOne:
    """jevcompat's mock server in a thread. Its listen backlog is 5: keep concurrency small."""

    def __enter__(self) -> Self:
        self.configure()
        self._server: ThreadingHTTPServer = mock.make_server(self._config)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), name="system-one")
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def configure(
        self, *faults: str, key: str | None = None, prefer: Prefer | None = None, busy_every: int = 0
    ) -> None:
        """From the next request on; the count of requests starts anew."""
        self._config = _Config(key=key, faults=frozenset(faults), busy_every=busy_every, prefer=prefer)
        if hasattr(self, "_server"):
            setattr(self._server.RequestHandlerClass, "cfg", self._config)  # noqa: B010 (jevcompat's own attribute)

    @property
    def url(self) -> str:
        """The root address."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def requests(self) -> int:
        """How many were asked since the last `configure`."""
        return self._config.requests


class Served:
    """An ASGI app under uvicorn in a thread, its lifespan included."""

    def __init__(self, app: ASGIApp) -> None:
        self._started = threading.Event()
        started = self._started

        class Server(uvicorn.Server):
            async def startup(self, sockets: Any = None) -> None:
                await super().startup(sockets)
                started.set()

        config = uvicorn.Config(app, port=0, log_level="error", timeout_graceful_shutdown=1)
        self._socket = config.bind_socket()
        self._server = Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],), name="served")

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._started.wait(20):
            raise TimeoutError("the server did not start")
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()

    @property
    def url(self) -> str:
        """The root address."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"


class HotelProcess:
    """`tests/activities/hotel_server.py` in a process, on one port for its whole life, restarts included."""

    def __init__(self, mode: str, *options: str) -> None:
        self._command = [sys.executable, str(Path(__file__).with_name("hotel_server.py")), mode, *options]
        self._process: subprocess.Popen[str] | None = None
        self._port = "0"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> None:
        """Returns when it listens."""
        command = [*self._command, "--port", self._port]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
        assert self._process.stdout is not None
        self._port = self._process.stdout.readline().strip()
        if not self._port:
            raise RuntimeError("the hotel server did not start")

    def kill(self) -> None:
        """SIGKILL, if it runs."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None

    @property
    def url(self) -> str:
        """The MCP address."""
        return f"http://127.0.0.1:{self._port}/mcp"
