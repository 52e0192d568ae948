"""What a guest is not sure of is asked back, and their yes stores it; what they say firmly is stored at once."""

from pathlib import Path

import pytest
from temporalio.client import Client

from nightdesk import wording
from tests.activities.flaky import FlakyPeer
from tests.house import ALL_AT_ONCE, house
from tests.workflows.peers import activities, called, connected

FIFTH = "Shall I take Thursday, February 5, 2026 as the day you arrive?"


@pytest.mark.parametrize(
    "text",
    ["maybe the 5th", "perhaps February 5", "I think the 5th would be best", "the 5th or so", "not sure, the 5th?"],
)
async def test_a_hedged_date_is_asked_back_and_a_yes_stores_it(temporal: Client, database: Path, text: str) -> None:
    async with house(temporal, database) as desk:
        guest = await desk.open()
        await guest.says("hello")
        reply = await guest.says(text)
        assert reply.replies == (FIFTH,)
        assert (reply.state.active_step, reply.state.criteria["dates"]["check_in"]) == ("dates", None)
        reply = await guest.says("yes please")
        assert reply.state.criteria["dates"]["check_in"] == "2026-02-05"
        assert reply.replies[0].startswith("Dates: from Thursday, February 5, 2026 so far.")


async def test_what_is_said_firmly_beside_it_is_stored(temporal: Client, database: Path) -> None:
    async with house(temporal, database) as desk:
        guest = await desk.open()
        reply = await guest.says("August 3 to 9 2027, maybe a suite, at most 300 a night, wifi and perhaps parking")
        criteria = reply.state.criteria
        assert (criteria["dates"]["check_out"], criteria["budget"]["max"]) == ("2027-08-09", "300")
        assert (criteria["room_type"]["answered"], criteria["amenities"]["amenities"]) == (False, ["freeWiFi"])
        assert "Shall I look for a suite?" in reply.replies[0]
        assert "Shall I take free Wi-Fi, free parking?" in reply.replies[0]
        criteria = (await guest.says("sounds good")).state.criteria
        assert criteria["room_type"]["room_type"] == "suite"
        assert criteria["amenities"]["amenities"] == ["freeWiFi", "freeParking"]


@pytest.mark.parametrize("text", ["maybe 200", "200, I guess", "something like 200"])
async def test_a_no_to_it_is_no_answer_to_the_question_behind_it(temporal: Client, database: Path, text: str) -> None:
    async with house(temporal, database) as desk:
        guest = await desk.open()
        await guest.says("August 3 to 9 2027")
        reply = await guest.says(text)
        assert reply.replies == ("Shall I take at most $200 per night?",)
        reply = await guest.says("no")
        assert reply.state.criteria["budget"] == {"answered": False, "min": None, "max": None}
        assert reply.replies[0].startswith(wording.NOT_NOTED)
        assert reply.state.active_step == "budget"
        assert (await guest.says("150")).state.criteria["budget"]["max"] == "150"


async def test_another_answer_takes_its_place_and_a_yes_with_more_takes_both(temporal: Client, database: Path) -> None:
    async with house(temporal, database) as desk:
        guest = await desk.open()
        await guest.says("maybe arriving on the 5th")
        assert (await guest.says("no, the 6th")).state.criteria["dates"]["check_in"] == "2026-02-06"
        other = await desk.open()
        await other.says("maybe arriving on the 5th")
        criteria = (await other.says("yes, and a suite")).state.criteria
        assert (criteria["dates"]["check_in"], criteria["room_type"]["room_type"]) == ("2026-02-05", "suite")


@pytest.mark.parametrize("text", ["hmm", "I am not sure", "ok let me think", "yes?", "how much is that?"])
async def test_only_a_yes_stores_it(temporal: Client, database: Path, text: str) -> None:
    async with house(temporal, database) as desk:
        guest = await desk.open()
        await guest.says("maybe arriving on the 5th")
        assert (await guest.says(text)).state.criteria["dates"]["check_in"] is None


async def test_a_yes_to_it_costs_no_call_and_books_nothing(temporal: Client, database: Path) -> None:
    async with house(temporal, database) as desk:
        guest = await desk.open()
        for text in (ALL_AT_ONCE, "search", "book hotel 1"):
            await guest.says(text)
        reply = await guest.says("maybe two beds")
        assert reply.replies == ("Shall I look for a room with two beds?",)
        before = len(await activities(guest))
        reply = await guest.says("yes")
        assert reply.state.criteria["room_type"]["room_type"] == "two beds"
        assert (reply.state.reservation, reply.state.offer, reply.state.hotels) == (None, None, ())
        assert len(await activities(guest)) == before
        assert (await guest.says("search")).state.hotels, "the review finds no contradiction in what was hedged"


async def test_the_review_leaves_alone_what_was_hedged_and_then_agreed_to(temporal: Client, database: Path) -> None:
    async with house(temporal, database) as desk:
        guest = await desk.open()
        await guest.says(ALL_AT_ONCE)
        await guest.says("hmm, maybe 650 a night")
        await guest.says("yes")
        reply = await guest.says("search")
        assert reply.state.criteria["budget"]["max"] == "650"
        assert reply.state.readiness is not None
        assert reply.state.readiness.accepted


async def test_a_model_that_takes_a_hedge_for_an_answer_saves_nothing(
    temporal: Client, database: Path, openai: FlakyPeer
) -> None:
    openai.answer = lambda _: called(
        ("capture_dates", {"check_in": "2026-02-05", "check_out": None, "nights": None}),
        ("capture_room_type", {"room_type": "suite", "no_preference": None}),
    )
    async with connected(temporal, database, language=f"{openai.url}/v1") as desk:
        guest = await desk.open()
        reply = await guest.says("a suite, and maybe from the 5th")
        assert FIFTH in reply.replies[0]
        assert reply.state.criteria["dates"]["check_in"] is None
        assert reply.state.criteria["room_type"]["room_type"] == "suite"
        asked = len(openai.requests)
        assert (await guest.says("yes")).state.criteria["dates"]["check_in"] == "2026-02-05"
        assert len(openai.requests) == asked


@pytest.mark.parametrize(
    "text", ["yes to the suite, no to the dates", "yes suite, not sure about the dates", "yes to the suite"]
)
async def test_a_yes_that_names_one_of_two_proposals_takes_only_that(
    temporal: Client, database: Path, text: str
) -> None:
    async with house(temporal, database) as desk:
        guest = await desk.open()
        await guest.says("hello")
        reply = await guest.says("maybe August 3 to 9 2027, perhaps a suite")
        assert "Shall I take Tuesday, August 3, 2027" in reply.replies[0]
        assert "Shall I look for a suite?" in reply.replies[0]
        criteria = (await guest.says(text)).state.criteria
        assert (criteria["dates"]["answered"], criteria["dates"]["check_in"]) == (False, None)
        assert criteria["room_type"]["room_type"] == "suite"
