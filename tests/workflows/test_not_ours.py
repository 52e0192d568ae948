"""A city or a hotel that is not this desk's is answered as such, and the rest of the message is used."""

from pathlib import Path

import pytest
from temporalio.client import Client

from nightdesk import wording
from tests.activities.flaky import FlakyPeer
from tests.house import ALL_AT_ONCE, house
from tests.workflows.peers import connected
from tests.workflows.test_router import sent_to

ONLY_PORTLAND = "I book hotels in Portland, Oregon, only, so I have nothing in {}."
NO_SUCH_HOTEL = 'I know no hotel here by the name of "{}".'
NUMBERS = "Please choose one of the hotels shown, by its number (1 to 5) or its name."


async def test_another_city_is_named_and_the_dates_beside_it_are_saved(temporal: Client, database: Path) -> None:
    async with house(temporal, database) as desk:
        guest = await desk.open()
        reply = await guest.says("a room in Seattle")
        assert reply.replies[0].splitlines()[0] == ONLY_PORTLAND.format("Seattle")
        assert reply.state.active_step == "dates"
        reply = await guest.says("hotels in Denver, two nights from August 3, 2027")
        assert reply.replies[0].splitlines()[0] == ONLY_PORTLAND.format("Denver")
        assert reply.state.criteria["dates"]["check_out"] == "2027-08-05"


async def test_with_everything_answered_another_city_is_not_searched_for(temporal: Client, database: Path) -> None:
    async with house(temporal, database) as desk:
        guest = await desk.open()
        await guest.says(ALL_AT_ONCE)
        reply = await guest.says("hotels in Denver")
        assert reply.replies[0].startswith(ONLY_PORTLAND.format("Denver"))
        assert (reply.state.active_step, reply.state.hotels) == ("router", ())


@pytest.mark.parametrize("text", ["do you have the Ritz?", "book me the Ritz", "a room at the Ritz August 3 to 9 2027"])
async def test_a_hotel_that_is_not_ours_is_named_before_a_search(temporal: Client, database: Path, text: str) -> None:
    async with house(temporal, database) as desk:
        guest = await desk.open()
        reply = await guest.says(text)
        assert reply.replies[0].splitlines()[0] == NO_SUCH_HOTEL.format("Ritz")
        assert reply.state.active_step == ("budget" if "August" in text else "dates")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("do you have the Ritz?", NO_SUCH_HOTEL.format("Ritz")),
        ("book the Hilton", NO_SUCH_HOTEL.format("Hilton")),
        ("let's book the langham", NO_SUCH_HOTEL.format("langham")),
        ("the Copper Heron please", "The Copper Heron is not one of the hotels shown."),
        ("do you have hotels in Seattle?", ONLY_PORTLAND.format("Seattle")),
        ("a room in Seattle", ONLY_PORTLAND.format("Seattle")),
    ],
)
async def test_with_hotels_shown_a_name_that_is_none_of_them_is_answered_with_their_numbers(
    temporal: Client, database: Path, text: str, said: str
) -> None:
    async with house(temporal, database) as desk:
        guest = await desk.open()
        for before in (ALL_AT_ONCE, "search"):
            await guest.says(before)
        reply = await guest.says(text)
        assert reply.replies == (f"{said}\n{NUMBERS}",)
        assert (reply.state.active_step, reply.state.offer, len(reply.state.hotels)) == ("present", None, 5)
        assert (await guest.says("the Beacon")).state.active_step == "confirm", "a part of a name shown is no stranger"


async def test_at_an_offer_it_is_said_and_the_offer_stands(temporal: Client, database: Path) -> None:
    async with house(temporal, database) as desk:
        guest = await desk.open()
        for before in (ALL_AT_ONCE, "search", "book hotel 2"):
            await guest.says(before)
        reply = await guest.says("do you have the Ritz?")
        assert reply.replies[0].startswith(f"{NO_SUCH_HOTEL.format('Ritz')}\nMy offer is still Pinwheel Hotel")
        assert reply.state.active_step == "confirm"


@pytest.mark.parametrize("destination", ["unclear", "search", "dates", "distance"])
async def test_it_is_said_wherever_a_decision_sends_the_message(
    temporal: Client, database: Path, jev: FlakyPeer, destination: str
) -> None:
    jev.answer = sent_to(destination)
    async with connected(temporal, database, decisions=jev.url) as desk:
        guest = await desk.open()
        reply = await guest.says("a room in Seattle")
        assert reply.replies[0].startswith(ONLY_PORTLAND.format("Seattle"))
        assert wording.CAN_DO not in reply.replies[0]
