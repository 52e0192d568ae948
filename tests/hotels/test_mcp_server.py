"""The MCP server: in memory, over real HTTP and over stdio."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent

from hotels.ledger import Ledger, LedgerUnavailable, SchemaMismatch
from hotels.mcp_server import UNAVAILABLE, build_server, run_http, run_stdio
from nightdesk.hotels import SearchResult
from tests.hotels.conftest import OpenLedger
from tests.hotels.yeses import change

REQUEST: dict[str, Any] = {
    "check_in": "2027-08-03",
    "check_out": "2027-08-09",
    "room_type": "suite",
    "amenities": ["freeWiFi", "freeParking"],
    "budget": {"min": None, "max": "700"},
    "max_distance_miles": {"airport": None, "city_center": None},
}

SERVE = """
import json, sys
from datetime import date
from hotels.ledger import Ledger
from hotels.mcp_server import run_http, run_stdio
options = json.loads(sys.argv[2])
ledger = Ledger(sys.argv[1], business_date=date(2026, 1, 15))
run_stdio(ledger) if options is None else run_http(ledger, **options)
ledger.close()
"""


async def search(client: Client, **changes: Any) -> SearchResult:
    result = await client.call_tool("search_hotels", {"request": REQUEST | changes})
    assert not result.is_error, result.content
    return SearchResult.model_validate(result.structured_content)


async def failure(client: Client, arguments: dict[str, Any]) -> str:
    result = await client.call_tool("search_hotels", arguments)
    assert result.is_error
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


@contextmanager
def serving(url: str, **options: Any) -> Generator[str]:
    """The server as a process of its own; stopped the way an operator stops it."""
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", SERVE, url, json.dumps(options)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise AssertionError(process.communicate(timeout=20)[1])
        try:
            yield json.loads(line)["hotels"]
        finally:
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=20)
        assert process.returncode == 0, errors
        assert all(line.startswith("WARNING mcp.server.transport_security") for line in errors.splitlines())


async def test_the_tool_says_that_it_only_reads_and_takes_one_request(ledger: Ledger) -> None:
    async with Client(build_server(ledger)) as client:
        (tool,) = (await client.list_tools()).tools
        assert tool.name == "search_hotels"
        assert tool.annotations is not None
        assert (tool.annotations.read_only_hint, tool.annotations.idempotent_hint) == (True, True)
        assert tool.annotations.destructive_hint is False
        assert tool.description
        assert list(tool.input_schema["properties"]) == ["request"]
        properties = tool.input_schema["$defs"]["SearchRequest"]["properties"]
        assert set(properties) == set(REQUEST)
        assert tool.output_schema is not None
        # A bound in the schema would make one bad price fail a client's whole result.
        assert not {"minimum", "maximum", "exclusiveMinimum"} & set(json.dumps(tool.output_schema).split('"'))


async def test_money_is_decimal_text_and_the_contracts_search_holds(ledger: Ledger) -> None:
    async with Client(build_server(ledger)) as client:
        result = await client.call_tool("search_hotels", {"request": REQUEST})
        assert result.structured_content is not None
        hotels = result.structured_content["hotels"]
        assert set(hotels[0]) == {
            *("hotel_id", "name", "address", "room_type", "nightly", "total", "currency"),
            *("amenities", "miles"),
        }
        for hotel in hotels:
            assert isinstance(hotel["total"], str)
            assert all(isinstance(night["price"], str) for night in hotel["nightly"])
        assert SearchResult.model_validate(result.structured_content) == await search(client)
        assert (await search(client, budget={"max": "500"})).hotels == ()
        assert len((await search(client, budget={"max": 750})).hotels) > len(hotels)
        assert len((await search(client, room_type=None, amenities=[], budget={})).hotels) == 32


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"check_in": "2026-01-15"}, "after the hotel's today"),
        ({"check_out": "2027-08-01"}, "check_out must be after check_in"),
        ({"check_out": "2029-08-01"}, "at most 366 nights"),
        ({"room_type": "attic"}, "one bed, two beds, suite"),
        ({"amenities": ["helipad"]}, "freeWiFi"),
        ({"check_in": "2027-02-30"}, "check_in"),
        ({"budget": {"max": "a lot"}}, "budget"),
        ({"budget": {"max": "NaN"}}, "budget"),
    ],
)
async def test_a_bad_request_is_a_tool_error_that_says_why(ledger: Ledger, changes: dict[str, Any], told: str) -> None:
    async with Client(build_server(ledger)) as client:
        assert told in await failure(client, {"request": REQUEST | changes})


@pytest.mark.parametrize(
    ("changes", "refused"),
    [
        (
            {"check_in": "2026-01-15", "check_out": "2026-01-17"},
            [{"reason": "check_in_passed", "today": "2026-01-15", "most_nights": None}],
        ),
        ({"check_out": "2029-08-01"}, [{"reason": "too_many_nights", "today": None, "most_nights": 366}]),
        (
            {"room_type": "attic", "amenities": ["helipad"]},
            [
                {"reason": "room_type_unknown", "today": None, "most_nights": None},
                {"reason": "amenity_unknown", "today": None, "most_nights": None},
            ],
        ),
    ],
)
async def test_a_refused_request_says_why_for_machines_too(
    ledger: Ledger, changes: dict[str, Any], refused: list[dict[str, Any]]
) -> None:
    async with Client(build_server(ledger)) as client:
        result = await client.call_tool("search_hotels", {"request": REQUEST | changes})
        assert result.is_error
        assert result.structured_content == {"refused": refused}


async def test_missing_and_flat_arguments_are_tool_errors(ledger: Ledger) -> None:
    async with Client(build_server(ledger)) as client:
        for arguments in ({}, REQUEST, {"request": None}, {"request": "tomorrow"}):
            assert "request" in await failure(client, arguments)


async def test_a_database_that_is_out_is_marked_as_worth_a_retry(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    def out(_request: object) -> SearchResult:
        raise LedgerUnavailable("hotel database at secret.internal")

    monkeypatch.setattr(ledger, "search", out)
    async with Client(build_server(ledger)) as client:
        with pytest.raises(MCPError) as failed:
            await client.call_tool("search_hotels", {"request": REQUEST})
        assert failed.value.error.code == UNAVAILABLE
        assert failed.value.error.data == {"retryable": True}
        assert "secret" not in failed.value.error.message


@pytest.fixture(scope="module")
def guarded(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server with a token and a further host name for the tests that only ask."""
    path = shutil.copy(sqlite_template, tmp_path_factory.mktemp("guarded") / "hotels.db")
    with serving(f"sqlite:///{path}", token="s3cret", allowed_hosts=["hotels.internal:*"]) as url:
        yield url


TOKEN = {"Authorization": "Bearer s3cret"}


async def test_over_http_with_the_token_it_searches(guarded: str) -> None:
    async with (
        httpx2.AsyncClient(headers=TOKEN) as http,
        Client(streamable_http_client(guarded, http_client=http)) as client,
    ):
        assert len((await search(client)).hotels) >= 3
        past = REQUEST | {"check_in": "2026-01-15"}
        assert "after the hotel's today" in await failure(client, {"request": past})


@pytest.mark.parametrize("authorization", [None, "Bearer wrong", "Bearer s3cre", "Basic s3cret"])
async def test_without_the_token_nobody_searches(guarded: str, authorization: str | None) -> None:
    headers = {"Authorization": authorization} if authorization else {}
    async with httpx2.AsyncClient(headers=headers) as http:
        assert (await http.post(guarded, json={})).status_code == 401


async def test_health_needs_no_token(guarded: str) -> None:
    async with httpx2.AsyncClient() as http:
        health = await http.get(guarded.replace("/mcp", "/health"))
        assert (health.status_code, health.json()["status"]) == (200, "ok")
        os.kill(health.json()["pid"], 0)  # it is a process of this machine


async def test_only_named_hosts_are_served(guarded: str) -> None:
    async with httpx2.AsyncClient(headers=TOKEN) as http:

        async def asked(**headers: str) -> int:
            return (await http.post(guarded, json={}, headers=headers)).status_code

        assert await asked(Host="evil.example:80") == 421
        assert await asked(Origin="https://evil.example") == 403
        assert await asked(Host="hotels.internal:8000") not in (421, 403)
        assert await asked() not in (421, 403)


async def test_a_port_that_is_taken_is_an_error_at_start(
    guarded: str, sqlite_ledger_url: str, open_ledger: OpenLedger
) -> None:
    ledger = open_ledger(sqlite_ledger_url)
    with pytest.raises(OSError, match="in use"):
        run_http(ledger, port=port_of(guarded))


async def test_it_stops_cleanly_and_a_client_goes_on_after_its_restart(postgres_ledger_url: str) -> None:
    async with httpx2.AsyncClient() as http:
        with serving(postgres_ledger_url) as url:
            # Pinned to the current protocol there is no session, so nothing to lose with the server.
            async with Client(streamable_http_client(url, http_client=http), mode="2026-07-28") as client:
                before = await search(client)
        with serving(postgres_ledger_url, port=port_of(url)) as again:
            assert again == url
            async with Client(streamable_http_client(url, http_client=http), mode="2026-07-28") as client:
                assert await search(client) == before


def port_of(url: str) -> int:
    return int(url.split(":")[2].removesuffix("/mcp"))


async def test_over_stdio_it_searches(sqlite_ledger_url: str) -> None:
    server = StdioServerParameters(command=sys.executable, args=["-c", SERVE, sqlite_ledger_url, "null"])
    async with Client(server) as client:
        assert len((await search(client)).hotels) >= 3


def test_another_schema_version_refuses_to_start(sqlite_ledger_url: str, open_ledger: OpenLedger) -> None:
    ledger = open_ledger(sqlite_ledger_url)
    change(ledger, "DELETE FROM alembic_version")
    for start in (run_http, run_stdio):
        with pytest.raises(SchemaMismatch, match="nightdesk database upgrade"):
            start(ledger)
