"""A search that the hotel server refuses for good is told apart from an outage: one call, and what to change."""

from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from mcp_types import CallToolResult, TextContent
from temporalio.client import Client

from activities.providers.mcp_search import McpSearch
from nightdesk import wording
from nightdesk.hotels import PriceLimits, SearchRequest
from nightdesk.refusals import OWNERS, Refusal, RefusedSearch
from tests.activities.hotel_server import told
from tests.activities.servers import Served
from tests.house import ALL_AT_ONCE, ANN, TODAY
from tests.workflows.bookings import shorten
from tests.workflows.peers import activities, connected

WISHES = "January 14 to January 18, 2026, a suite, at most $700 a night, wifi and parking, distance does not matter"
EARLIER = {"guest": ANN, "business_date": "2026-01-10"}
"""Five days behind the hotel's own today."""


async def test_a_check_in_that_the_hotel_no_longer_takes_asks_for_new_dates(
    temporal: Client, database: Path, hotel_server: str
) -> None:
    async with connected(temporal, database, hotels=hotel_server) as desk:
        guest = await desk.open(EARLIER)
        before = (await guest.says(WISHES)).state.criteria
        reply = await guest.says("search")
        assert reply.replies == (
            "The hotel no longer takes a check-in on January 14, 2026: it is already Thursday, January 15, 2026 "
            "there. Please give me new dates.",
        )
        assert (reply.state.active_step, reply.state.criteria, reply.state.hotels) == ("dates", before, ())
        searched = (await activities(guest))[-1]
        assert (searched.name, searched.tries, searched.failed) == ("search_hotels", 1, "SearchRefused")
        assert (await guest.says("August 3 to 9, 2027")).state.criteria["dates"]["check_in"] == "2027-08-03"
        assert (await guest.says("search")).state.hotels


async def test_a_refusal_when_an_expired_offer_is_priced_afresh_asks_for_new_dates(
    temporal: Client, database: Path, hotel_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hotel's date has moved on while the guest was thinking, and the conversation's is pinned behind it."""
    shorten(monkeypatch, OFFER_VALID=timedelta(0))
    refusing = _refusing(Refusal(reason="check_in_passed", today=date(2027, 8, 4)))
    async with connected(temporal, database, hotels=hotel_server) as desk:
        guest = await desk.open()
        for text in (ALL_AT_ONCE, "search", "book hotel 1"):
            await guest.says(text)
        with Served(told(refusing)) as server:
            async with McpSearch(f"{server.url}/mcp") as search:
                monkeypatch.setattr(desk.providers.search, "search", search.search)
                reply = await guest.says("yes")
        assert "no longer takes a check-in on August 3, 2027: it is already Wednesday, August 4" in reply.replies[0]
        assert (reply.state.active_step, reply.state.offer, reply.state.hotels) == ("dates", None, ())


@pytest.mark.parametrize(
    ("reason", "step"), [("too_many_nights", "dates"), ("distance_negative", "distance"), ("of a later day", "router")]
)
async def test_each_reason_leads_to_the_answer_that_has_to_change(
    temporal: Client, database: Path, reason: str, step: str
) -> None:
    with Served(told(_refusing(Refusal.model_validate({"reason": reason})))) as server:
        async with connected(temporal, database, hotels=f"{server.url}/mcp") as desk:
            guest = await desk.open()
            before = (await guest.says(ALL_AT_ONCE)).state.criteria
            reply = await guest.says("search")
            assert (reply.state.active_step, reply.state.criteria) == (step, before)
            assert (await activities(guest))[-1].tries == 1
            assert "cannot reach" not in reply.replies[0]


async def test_another_teams_plain_error_is_an_outage_as_before(temporal: Client, database: Path) -> None:
    text = TextContent(type="text", text="check_in must be after the hotel's today")
    with Served(told(CallToolResult(content=[text], is_error=True))) as server:
        async with connected(temporal, database, hotels=f"{server.url}/mcp") as desk:
            guest = await desk.open()
            await guest.says(ALL_AT_ONCE)
            reply = await guest.says("search")
            assert reply.replies == (wording.SEARCH_IS_OUT,)
            searched = (await activities(guest))[-1]
            assert (searched.tries, searched.failed) == (3, "SearchUnavailable")


REQUEST = SearchRequest(
    check_in=TODAY, check_out=TODAY + timedelta(days=400), room_type="attic", budget=PriceLimits(min=Decimal(-1))
)


def test_every_reason_has_a_sentence_and_an_owner() -> None:
    reasons = [*OWNERS, "other"]
    sentences = [wording.search_refused(Refusal.model_validate({"reason": reason}), REQUEST) for reason in reasons]
    assert len(set(sentences)) == len(reasons)
    assert not [sentence for sentence in sentences if "_" in sentence]
    most = wording.search_refused(Refusal(reason="too_many_nights", most_nights=28), REQUEST)
    assert most == "The hotel does not take a stay of 400 nights: it takes at most 28 nights. Please give me new dates."


def _refusing(*refusals: Refusal) -> CallToolResult:
    refused = RefusedSearch(refused=refusals)
    return CallToolResult(content=[], structured_content=refused.model_dump(mode="json"), is_error=True)
