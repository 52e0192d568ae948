"""Hotel search over real HTTP: other teams' servers, servers that fail, are killed, come back."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest
from mcp import MCPError
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent
from pydantic import JsonValue
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.providers.mcp_search import McpSearch
from activities.search_hotels import SearchHotels
from nightdesk.failures import SEARCH_BAD_RESULT, SEARCH_REFUSED, SEARCH_REJECTED, SEARCH_UNAVAILABLE
from nightdesk.hotels import FindHotels, FoundHotels, PriceLimits, SearchRequest, SearchResult
from tests.activities import flaky
from tests.activities.flaky import FlakyPeer
from tests.activities.hotel_server import app, saying, told, two_hotels
from tests.activities.samples import hotel, outcome, spoiled
from tests.activities.servers import HotelProcess, Served

REQUEST = SearchRequest(
    check_in=date(2027, 8, 3),
    check_out=date(2027, 8, 5),
    room_type="suite",
    amenities=("freeWiFi",),
    budget=PriceLimits(max=Decimal(700)),
)
FOUND = ["h1", "h2"]


async def find(search: McpSearch, *, start_to_close: float = 10) -> FoundHotels:
    """One attempt of the activity."""
    env = ActivityEnvironment()
    env.info = replace(env.info, start_to_close_timeout=timedelta(seconds=start_to_close))
    running = env.run(SearchHotels(search).search_hotels, FindHotels(request=REQUEST))
    return await asyncio.wait_for(running, start_to_close)


async def failing(search: McpSearch, *, start_to_close: float = 10) -> ApplicationError:
    """The failure of one attempt."""
    with pytest.raises(ApplicationError) as caught:
        await find(search, start_to_close=start_to_close)
    assert caught.value.__cause__ is None
    return caught.value


@pytest.mark.parametrize("mode", ["modern", "legacy", "text", "flat", "wrapped"])
async def test_any_servers_way_of_speaking_is_understood(mode: str):
    asked: list[SearchRequest] = []

    async def answer(request: SearchRequest) -> SearchResult:
        asked.append(request)
        return await two_hotels(request)

    with Served(app(mode, answer)) as server:
        async with McpSearch(f"{server.url}/mcp") as search:
            found = await find(search)
            await find(search)
    assert [offer.hotel_id for offer in found.hotels] == FOUND
    assert found.hotels[1].total == Decimal("1301.00")
    assert asked[0] == (REQUEST.model_copy(update={"room_type": None, "amenities": ()}) if mode == "flat" else REQUEST)
    assert len(asked) == 2


async def test_a_search_is_one_request_once_the_server_is_known():
    with Served(app("modern")) as server, FlakyPeer(upstream=server.url) as peer:
        async with McpSearch(f"{peer.url}/mcp") as search:
            await find(search)
            before = len(peer.requests)
            await find(search)
            assert len(peer.requests) == before + 1


async def test_the_token_is_sent_and_a_wrong_one_is_permanent():
    with Served(app("modern", token=True)) as server:
        async with McpSearch(f"{server.url}/mcp", "sesame") as search:
            assert [offer.hotel_id for offer in (await find(search)).hotels] == FOUND
        for token in ("wrong", None):
            async with McpSearch(f"{server.url}/mcp", token) as search:
                error = await failing(search)
                assert (error.type, error.non_retryable) == (SEARCH_REJECTED, True)


GOOD_ROW: dict[str, JsonValue] = hotel().model_dump(mode="json")


def rows(*rows: JsonValue) -> CallToolResult:
    return CallToolResult(content=[], structured_content={"hotels": list(rows)})


async def test_a_single_bad_offer_is_dropped_and_counted():
    bad: list[JsonValue] = ["no hotel", {}, GOOD_ROW | {"hotel_id": "x", "total": "1"}, GOOD_ROW]
    with Served(told(rows(GOOD_ROW, *bad))) as server:
        async with McpSearch(f"{server.url}/mcp") as search:
            found = await find(search)
    assert [offer.hotel_id for offer in found.hotels] == ["h1"]
    assert (found.matched, found.dropped) == (1, 4)


async def test_no_part_of_a_result_gone_wrong_is_shown():
    result = saying("")
    with Served(told(result)) as server:
        async with McpSearch(f"{server.url}/mcp") as search:
            for spoilt in spoiled({"hotels": [GOOD_ROW, GOOD_ROW | {"hotel_id": "h2"}]}):
                assert isinstance(result.content[0], TextContent)
                result.content[0].text = json.dumps(spoilt)
                told_us = await outcome(find(search))
                if isinstance(told_us, ApplicationError):
                    assert (told_us.type, told_us.non_retryable) == (SEARCH_BAD_RESULT, True), spoilt
                    continue
                assert told_us.matched == len(told_us.hotels) <= 2, spoilt
                assert all(offer.total == 1200 for offer in told_us.hotels), spoilt


async def test_no_hotel_is_an_answer():
    with Served(told(rows())) as server:
        async with McpSearch(f"{server.url}/mcp") as search:
            assert await find(search) == FoundHotels(hotels=(), matched=0)


BAD_RESULTS: dict[str, CallToolResult] = {
    "no list": CallToolResult(content=[], structured_content={"hotels": "none"}),
    "something else": CallToolResult(content=[], structured_content={"rooms": []}),
    "nothing": CallToolResult(content=[]),
    "no JSON": saying("I found two nice hotels for you!"),
    "a text with NaN": saying('{"hotels": NaN}'),
    "a list": saying("[]"),
    "too many": rows(*[GOOD_ROW] * 501),
    "too long": rows(GOOD_ROW | {"name": "x" * 1_000_000}),
}


@pytest.mark.parametrize("name", BAD_RESULTS)
async def test_what_is_no_search_result_is_refused_for_good(name: str):
    with Served(told(BAD_RESULTS[name])) as server:
        async with McpSearch(f"{server.url}/mcp") as search:
            error = await failing(search)
    assert (error.type, error.non_retryable) == (SEARCH_BAD_RESULT, True)


async def test_a_result_that_breaks_the_servers_own_schema_is_refused_for_good():
    schema = {"type": "object", "properties": {"hotels": {"type": "array", "maxItems": 0}}, "required": ["hotels"]}
    for result in (rows(GOOD_ROW), CallToolResult(content=[])):
        with Served(told(result, output_schema=schema)) as server:
            async with McpSearch(f"{server.url}/mcp") as search:
                error = await failing(search)
        assert (error.type, error.non_retryable) == (SEARCH_BAD_RESULT, True)


TOLD: dict[str, tuple[CallToolResult | Exception, str, bool]] = {
    "an error result": (
        CallToolResult(content=[TextContent(type="text", text="SECRET")], is_error=True),
        SEARCH_UNAVAILABLE,
        False,
    ),
    "a refusal with reasons": (
        CallToolResult(
            content=[TextContent(type="text", text="SECRET")],
            structured_content={
                "refused": [{"reason": "check_in_passed", "today": "2026-01-20"}, {"reason": "SECRET"}]
            },
            is_error=True,
        ),
        SEARCH_REFUSED,
        True,
    ),
    "a refusal in another form": (
        CallToolResult(content=[], structured_content={"refused": "SECRET"}, is_error=True),
        SEARCH_UNAVAILABLE,
        False,
    ),
    "a crash": (ValueError("SECRET"), SEARCH_UNAVAILABLE, False),
    "arguments refused": (MCPError(-32602, "SECRET"), SEARCH_REJECTED, True),
    "no such method": (MCPError(-32601, "SECRET"), SEARCH_REJECTED, True),
    "an invalid request": (MCPError(-32600, "SECRET"), SEARCH_REJECTED, True),
    "its own code": (MCPError(-32010, "SECRET"), SEARCH_UNAVAILABLE, False),
    "its own code, for good": (MCPError(-32010, "SECRET", {"retryable": False}), SEARCH_REJECTED, True),
    "its own code, odd data": (MCPError(-32010, "SECRET", ["odd"]), SEARCH_UNAVAILABLE, False),
}


@pytest.mark.parametrize("name", TOLD)
async def test_a_servers_error_keeps_its_class_and_loses_its_words(name: str):
    result, kind, permanent = TOLD[name]
    with Served(told(result)) as server:
        async with McpSearch(f"{server.url}/mcp") as search:
            error = await failing(search)
    assert (error.type, error.non_retryable) == (kind, permanent)
    assert "SECRET" not in f"{error} {error.details}"


async def test_a_servers_own_pause_is_passed_on_and_capped():
    for wanted, passed in ((2.5, 2.5), (3600, 30.0)):
        with Served(told(MCPError(-32010, "busy", {"retryable": True, "retry_after": wanted}))) as server:
            async with McpSearch(f"{server.url}/mcp") as search:
                assert (await failing(search)).next_retry_delay == timedelta(seconds=passed)


async def test_a_tool_that_fails_can_be_tried_again():
    fails = True

    async def answer(request: SearchRequest) -> SearchResult:
        if fails:
            raise ToolError("SECRET")
        return await two_hotels(request)

    with Served(app("modern", answer)) as server:
        async with McpSearch(f"{server.url}/mcp") as search:
            error = await failing(search)
            assert (error.type, error.non_retryable) == (SEARCH_UNAVAILABLE, False)
            fails = False
            assert [offer.hotel_id for offer in (await find(search)).hotels] == FOUND


async def test_a_server_without_the_tool_is_permanent():
    with Served(MCPServer("empty", log_level="CRITICAL").streamable_http_app()) as server:
        async with McpSearch(f"{server.url}/mcp") as search:
            error = await failing(search)
    assert (error.type, error.non_retryable) == (SEARCH_REJECTED, True)


async def test_an_address_where_no_mcp_server_is_is_permanent():
    with Served(app("modern")) as server:
        async with McpSearch(f"{server.url}/elsewhere") as search:
            error = await failing(search)
    assert (error.type, error.non_retryable) == (SEARCH_REJECTED, True)


PASSING = {
    "hang": flaky.hang(),
    "byte by byte": flaky.drip(),
    "reset at once": flaky.reset(),
    "reset in the body": flaky.reset(after=300),
    "truncated": flaky.truncated(),
    "HTML 200": flaky.html(),
    "HTML 502": flaky.html(502),
    "JSON that is no JSON-RPC": flaky.body(b"{}"),
    "broken JSON": flaky.body(b'{"jsonrpc": "2.0", '),
    "compressed": flaky.zipped(),
    **{f"status {code}": flaky.status(code) for code in (408, 425, 429, 500, 502, 503, 504)},
}
LASTING = {f"status {code}": flaky.status(code, body=b"no") for code in (400, 401, 403, 404, 413, 421)} | {
    "401 in JSON-RPC": flaky.status(401, body=b'{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"no"}}')
}


@asynccontextmanager
async def behind_a_peer() -> AsyncGenerator[tuple[FlakyPeer, McpSearch]]:
    """A search that has connected, through a peer that can misbehave."""
    with Served(app("modern")) as server, FlakyPeer(upstream=server.url) as peer:
        async with McpSearch(f"{peer.url}/mcp") as search:
            await find(search)
            peer.requests.clear()
            yield peer, search


async def test_every_passing_fault_of_a_call_fails_in_time_and_the_next_try_works():
    async with behind_a_peer() as (peer, search):
        for name, behaviour in PASSING.items():
            peer.then(behaviour)
            error = await failing(search, start_to_close=2)
            assert (name, error.type, error.non_retryable) == (name, SEARCH_UNAVAILABLE, False)
            assert len(peer.requests) == 1, name
            assert [offer.hotel_id for offer in (await find(search)).hotels] == FOUND
            peer.requests.clear()


async def test_every_lasting_fault_of_a_call_is_permanent_and_the_worker_goes_on():
    async with behind_a_peer() as (peer, search):
        for name, behaviour in LASTING.items():
            peer.then(behaviour)
            error = await failing(search)
            assert (name, error.type, error.non_retryable) == (name, SEARCH_REJECTED, True)
            assert [offer.hotel_id for offer in (await find(search)).hotels] == FOUND


async def test_a_connection_that_breaks_fails_its_own_search_alone():
    async with behind_a_peer() as (peer, search):
        peer.then(flaky.late(0.4), flaky.reset())
        slow = asyncio.create_task(find(search))
        await asyncio.to_thread(peer.wait_for, 1)
        assert (await failing(search)).type == SEARCH_UNAVAILABLE
        assert [offer.hotel_id for offer in (await slow).hotels] == FOUND


async def test_a_session_that_a_server_has_lost_is_opened_anew_however_it_says_so():
    gone = b'{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Session not found"}}'
    with Served(app("legacy")) as server, FlakyPeer(upstream=server.url) as peer:
        async with McpSearch(f"{peer.url}/mcp") as search:
            for body in (b"no such session", gone):
                await find(search)
                peer.then(flaky.status(404, body=body))
                error = await failing(search)
                assert (error.type, error.non_retryable) == (SEARCH_UNAVAILABLE, False)
                assert [offer.hotel_id for offer in (await find(search)).hotels] == FOUND


async def test_a_fault_while_connecting_is_of_the_same_class():
    for behaviour, kind in ((flaky.status(503), SEARCH_UNAVAILABLE), (flaky.status(401), SEARCH_REJECTED)):
        with FlakyPeer() as peer:
            peer.always(behaviour)
            async with McpSearch(f"{peer.url}/mcp") as search:
                assert (await failing(search)).type == kind


async def test_a_gateways_pause_is_passed_on():
    async with behind_a_peer() as (peer, search):
        peer.then(flaky.status(429, {"Retry-After": "7"}))
        assert (await failing(search)).next_retry_delay == timedelta(seconds=7)


async def test_a_server_that_hangs_from_the_start_is_given_up_in_time():
    with FlakyPeer() as peer:
        peer.always(flaky.hang())
        async with McpSearch(f"{peer.url}/mcp") as search:
            error = await failing(search, start_to_close=1)
            left = asyncio.get_running_loop().time()
        assert asyncio.get_running_loop().time() - left < 1
        assert (error.type, error.non_retryable) == (SEARCH_UNAVAILABLE, False)


async def test_searches_overlap():
    all_in = asyncio.Event()
    inside = 0

    async def answer(request: SearchRequest) -> SearchResult:
        nonlocal inside
        inside += 1
        if inside == 20:
            all_in.set()
        await all_in.wait()
        return await two_hotels(request)

    with Served(app("modern", answer)) as server:
        async with McpSearch(f"{server.url}/mcp") as search:
            found = await asyncio.gather(*(find(search) for _ in range(20)))
    assert all(len(each.hotels) == 2 for each in found)


@pytest.mark.parametrize("times", [1, pytest.param(5, marks=pytest.mark.drill)])
@pytest.mark.parametrize("mode", ["modern", "legacy"])
async def test_a_server_killed_and_restarted_under_twenty_calls_is_used_again(mode: str, times: int):
    with HotelProcess(mode, "--takes", "0.3") as server:
        async with McpSearch(server.url) as search:
            await find(search)
            for _ in range(times):
                calls = [asyncio.create_task(find(search)) for _ in range(20)]
                await asyncio.wait(calls, timeout=0.15)
                await asyncio.to_thread(server.kill)
                for ended in await asyncio.gather(*calls, return_exceptions=True):
                    assert isinstance(ended, (FoundHotels, ApplicationError))
                    if isinstance(ended, ApplicationError):
                        assert (ended.type, ended.non_retryable) == (SEARCH_UNAVAILABLE, False)
                error = await failing(search)
                assert (error.type, error.non_retryable) == (SEARCH_UNAVAILABLE, False)
                await asyncio.to_thread(server.start)
                found = await asyncio.gather(*(find(search) for _ in range(20)))
                assert all(len(each.hotels) == 2 for each in found)


@pytest.mark.parametrize("mode", ["modern", "legacy"])
async def test_a_server_restarted_while_nobody_searched_costs_at_most_one_try(mode: str):
    with HotelProcess(mode) as server:
        async with McpSearch(server.url) as search:
            await find(search)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            if mode == "legacy":
                error = await failing(search)
                assert (error.type, error.non_retryable) == (SEARCH_UNAVAILABLE, False)
            assert [offer.hotel_id for offer in (await find(search)).hotels] == FOUND


async def test_a_server_that_comes_up_after_the_worker_is_found():
    server = HotelProcess("modern")
    server.start()
    try:
        await asyncio.to_thread(server.kill)
        async with McpSearch(server.url) as search:
            error = await failing(search)
            assert (error.type, error.non_retryable) == (SEARCH_UNAVAILABLE, False)
            await asyncio.to_thread(server.start)
            assert [offer.hotel_id for offer in (await find(search)).hotels] == FOUND
    finally:
        server.kill()


async def test_leaving_the_search_ends_every_task_of_it():
    before = asyncio.all_tasks()
    async with behind_a_peer() as (peer, search):
        peer.always(flaky.hang())
        hanging = asyncio.create_task(find(search))
        await asyncio.to_thread(peer.wait_for, 1)
        hanging.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hanging
    assert asyncio.all_tasks() <= before
