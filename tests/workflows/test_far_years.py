"""A stay further ahead than the desk takes bookings is said to be that: never stored, as another year or as itself."""

from pathlib import Path

import pytest
from temporalio.client import Client

from tests.activities.flaky import FlakyPeer
from tests.house import ANN, house
from tests.workflows.peers import called, connected

TOO_FAR = "{} is too far ahead: I take bookings for stays up to December 31, 2199. Which dates would you like?"
UNSET = {"answered": False, "check_in": None, "check_out": None}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("August 3 2250", "August 3, 2250"),
        ("3 Aug 9999", "August 3, 9999"),
        ("2201-05-06", "May 6, 2201"),
        ("from 3 August 2400 to 9 August 2400", "August 3, 2400"),
        ("08/03/2250", "August 3, 2250"),
        ("December 30 2199 for 5 nights", "January 4, 2200"),
    ],
)
async def test_a_year_that_is_too_far_ahead_is_named_with_what_can_be_booked(
    temporal: Client, database: Path, text: str, said: str
) -> None:
    async with house(temporal, database) as desk:
        guest = await desk.open()
        reply = await guest.says(f"{text}, a suite")
        assert TOO_FAR.format(said) in reply.replies[0]
        assert (reply.state.active_step, reply.state.criteria["dates"]) == ("dates", UNSET)
        assert reply.state.criteria["room_type"]["room_type"] == "suite"


async def test_a_model_that_reads_such_a_year_saves_nothing(
    temporal: Client, database: Path, openai: FlakyPeer
) -> None:
    openai.answer = lambda _: called(("capture_dates", {"check_in": "2250-08-03", "check_out": None, "nights": 2}))
    async with connected(temporal, database, language=f"{openai.url}/v1") as desk:
        guest = await desk.open()
        reply = await guest.says("August 3 2250 for two nights")
        assert reply.replies == (TOO_FAR.format("August 3, 2250"),)
        assert reply.state.criteria["dates"] == UNSET


async def test_the_last_year_can_be_booked_and_a_later_one_by_who_lives_then(temporal: Client, database: Path) -> None:
    async with house(temporal, database) as desk:
        guest = await desk.open()
        reply = await guest.says("December 29 2199 for 2 nights")
        assert reply.state.criteria["dates"]["check_out"] == "2199-12-31"
        later = await desk.open({"guest": ANN, "business_date": "2300-01-01"})
        assert (await later.says("August 3 2300")).state.criteria["dates"]["check_in"] == "2300-08-03"
