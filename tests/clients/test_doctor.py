"""The doctor: what works, what does not, and what to set; never a secret."""

import json
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import jevcompat.mock as jevcompat  # pyright: ignore[reportMissingTypeStubs]
import pytest

from clients.doctor import Finding, examine
from clients.stack import Stack
from settings import Settings, load_settings


async def findings(settings: Settings) -> dict[str, Finding]:
    found = {finding.what: finding for finding in await examine(settings)}
    assert all("\n" not in str(finding) and "tell-nobody" not in str(finding) for finding in found.values())
    return found


async def test_a_running_stack_is_well(stack: Stack, stack_settings: Settings) -> None:
    found = await findings(stack_settings)
    assert {what: finding.verdict for what, finding in found.items()} == dict.fromkeys(found, "works")
    assert stack.info.temporal in found["Temporal"].text
    assert stack.info.hotels in found["hotel server"].text


async def test_nothing_running_and_nothing_configured_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("settings.HOTELS_PORT", 1)
    found = await findings(load_settings(state=tmp_path, dotenv=None))
    assert [what for what, finding in found.items() if finding.verdict == "fails"] == []
    for what in ("Temporal", "hotel server", "hotel database"):
        assert found[what].verdict == "absent"
        assert "nightdesk up" in found[what].text


async def test_what_is_configured_and_does_not_answer_fails_with_the_variable_to_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "TEMPORAL_ADDRESS": "127.0.0.1:1",
        "TEMPORAL_API_KEY": "tell-nobody",
        "NIGHTDESK_HOTELS_MCP_URL": "http://127.0.0.1:1/mcp",
        "NIGHTDESK_HOTELS_MCP_TOKEN": "tell-nobody",
        "NIGHTDESK_DATABASE_URL": "postgresql://desk:tell-nobody@127.0.0.1:1/hotels",
        "TYPESAFE_API_KEY": "tell-nobody",
        "TYPESAFE_BASE_URL": "http://127.0.0.1:1",
        "OPENAI_API_KEY": "tell-nobody",
        "OPENAI_BASE_URL": "http://127.0.0.1:1/v1",
        "NIGHTDESK_MISSPELT": "x",
    }.items():
        monkeypatch.setenv(name, value)
    found = await findings(load_settings(state=tmp_path, dotenv=None))
    named = {
        "settings": "NIGHTDESK_MISSPELT",
        "Temporal": "TEMPORAL_ADDRESS",
        "hotel server": "NIGHTDESK_HOTELS_MCP_URL",
        "hotel database": "NIGHTDESK_DATABASE_URL",
        "decisions": "TYPESAFE_BASE_URL",
        "language": "OPENAI_BASE_URL",
    }
    for what, variable in named.items():
        assert found[what].verdict == "fails", found[what]
        assert variable in found[what].text
    assert "cannot be reached" in found["hotel server"].text
    # Said once, by the database's own line.
    assert found["encryption"].verdict == "absent"


async def test_a_decision_server_is_really_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = jevcompat.MockConfig(key="right", faults=frozenset(), noise=0.0, busy_every=0)
    with jevcompat.Running(config) as server:
        monkeypatch.setenv("TYPESAFE_BASE_URL", server.url)
        for key, verdict in (("right", "works"), ("tell-nobody", "fails")):
            monkeypatch.setenv("TYPESAFE_API_KEY", key)
            found = await findings(load_settings(state=tmp_path, dotenv=None))
            assert found["decisions"].verdict == verdict
            assert "jev" in found["decisions"].text
    assert "status 401" in found["decisions"].text
    assert "TYPESAFE_API_KEY" in found["decisions"].text


class _Refuses(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = json.dumps({"error": {"message": "no: tell-nobody"}}).encode()
        self.send_response(401)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Silent."""


@pytest.fixture
def refusing() -> Generator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Refuses) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


async def test_refused_keys_and_tokens_are_said_to_be(
    refusing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "tell-nobody")
    monkeypatch.setenv("OPENAI_BASE_URL", refusing)
    monkeypatch.setenv("NIGHTDESK_HOTELS_MCP_URL", f"{refusing}/mcp")
    found = await findings(load_settings(state=tmp_path, dotenv=None))
    assert found["language"].verdict == "fails"
    assert "OPENAI_API_KEY" in found["language"].text
    assert found["hotel server"].verdict == "fails"
    assert "NIGHTDESK_HOTELS_MCP_TOKEN" in found["hotel server"].text
