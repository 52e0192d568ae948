"""Whole conversations on a real Temporal server, with the local providers."""

import pytest

from tests.house import ALL_AT_ONCE, ANN, House

TURNS: list[tuple[str, str, tuple[str, ...]]] = [
    ("What is the weather in Seattle?", "router", ("hotel room in Portland",)),
    ("Hi", "dates", ("check-in and check-out",)),
    ("February 30, 2027 through March 5, 2027", "dates", ("February 30, 2027", "not a date")),
    ("2025-08-01 to 2025-08-08", "dates", ("in the past",)),
    ("August 1 through August 8, 2027", "budget", ("Sunday, August 1, 2027", "7 nights")),
    ("minimum 800 and maximum 500 per night", "budget", ("$800", "$500")),
    ("maximum 700 per night, with no minimum", "room_type", ("at most $700 per night",)),
    ("a suite", "amenities", ("suite",)),
    ("Actually change my dates to August 3 through August 9, 2027", "amenities", ("6 nights", "amenities")),
    ("free wifi and free parking", "distance", ("free Wi-Fi, free parking",)),
    ("airport within -5 miles", "distance", ("cannot be negative",)),
    ("distance does not matter", "router", ("Dates:", "Budget:", "Room type:", "Amenities:", "Distance:", '"search"')),
    ("show my criteria", "router", ("Dates:", "Budget:", "Room type:", "Amenities:", "Distance:")),
    ("search", "present", ("1. ", "a night", "in total for 6 nights")),
    ("change maximum budget to 500 per night", "router", ("at most $500 per night",)),
    ("search", "router", ("No hotel fits",)),
    ("make it 750 max", "router", ("at most $750 per night",)),
    ("search", "present", ("1. ",)),
    ("book hotel 99", "present", ("one of the hotels shown",)),
    ("book hotel 1", "confirm", ("6 nights", "suite", "Total: $", '"yes"')),
    ("hmm, is that with parking?", "confirm", ("free parking", "Nothing is booked yet")),
]
SAVES = {
    "dates": {4, 8},
    "budget": {6, 14, 16},
    "room_type": {7},
    "amenities": {9},
    "distance": {11},
}
"""The turns after which a criterion may differ from what it was."""


async def test_the_whole_conversation_from_hi_to_a_row_in_the_database(desk: House) -> None:
    guest = await desk.open()
    state = await guest.state()
    before = state.criteria
    for turn, (text, step, words) in enumerate(TURNS):
        reply = await guest.says(text)
        said, state = "\n".join(reply.replies), reply.state
        assert state.active_step == step, text
        for word in words:
            assert word in said, (text, said)
        for name, value in state.criteria.items():
            assert (value != before[name]) <= (turn in SAVES[name]), (text, name)
        assert state.reservation is None
        assert desk.ledger.reservations() == []
        before = state.criteria
    offer = state.offer
    assert offer is not None
    assert (offer.nights, offer.room_type, str(offer.check_in)) == (6, "suite", "2027-08-03")

    await guest.send("yes")
    result = await guest.result()
    rows = desk.ledger.reservations()
    assert len(rows) == 1
    assert result.outcome == "booked"
    assert result.reservation is not None
    assert result.reservation.confirmation_number == rows[0].confirmation_number
    state = await guest.state()
    assert (state.status, state.active_step, state.outcome) == ("closed", "end", "booked")
    assert (await guest.transcript())[-1].text.startswith(
        f"Booked. Your confirmation number is {rows[0].confirmation_number}"
    )


async def test_everything_in_one_message_then_three_more_books(desk: House) -> None:
    guest = await desk.open()
    for text, step in ((ALL_AT_ONCE, "router"), ("search", "present"), ("the first one", "confirm")):
        reply = await guest.says(text)
        assert reply.state.active_step == step
        assert reply.state.issues == ()
    await guest.send("yes")
    assert (await guest.result()).outcome == "booked"
    assert len(desk.ledger.reservations()) == 1


async def test_criteria_are_saved_while_hotels_are_shown_and_none_is_lost(desk: House) -> None:
    guest = await desk.open()
    await guest.says(ALL_AT_ONCE)
    shown = await guest.says("search")
    assert shown.state.hotels
    reply = await guest.says("make it two beds instead, at most $400 a night")
    criteria = reply.state.criteria
    assert criteria["room_type"]["room_type"] == "two beds"
    assert criteria["budget"]["max"] == "400"
    assert criteria["dates"]["check_in"] == "2027-08-03"
    assert reply.state.hotels == ()
    assert reply.state.readiness is None


async def test_a_conversation_without_a_guest_can_do_everything_except_book(desk: House) -> None:
    guest = await desk.open({"guest": None})
    await guest.says(ALL_AT_ONCE)
    await guest.says("search")
    await guest.says("book hotel 2")
    reply = await guest.says("yes")
    assert reply.state.reservation is not None
    assert (reply.state.reservation.status, reply.state.reservation.reason) == ("refused", "not_signed_in")
    assert reply.state.status == "open"
    assert desk.ledger.reservations() == []


async def test_leaving_says_goodbye_and_closes(desk: House) -> None:
    guest = await desk.open()
    await guest.send("bye")
    result = await guest.result()
    assert (result.outcome, result.reservation) == ("ended", None)
    assert "Goodbye" in (await guest.transcript())[-1].text


async def test_no_to_an_offer_books_nothing_and_leaves_the_hotels(desk: House) -> None:
    guest = await desk.open()
    for text in (ALL_AT_ONCE, "search", "book hotel 1"):
        await guest.says(text)
    reply = await guest.says("no")
    assert (reply.state.active_step, reply.state.offer) == ("present", None)
    assert reply.state.hotels
    reply = await guest.says("yes")
    assert reply.state.status == "open"
    assert desk.ledger.reservations() == []


@pytest.mark.parametrize("words", ["yes, but make it two nights", "yes?", "do you think I should say yes"])
async def test_anything_but_an_explicit_yes_books_nothing(desk: House, words: str) -> None:
    guest = await desk.open()
    for text in (ALL_AT_ONCE, "search", "book hotel 1"):
        await guest.says(text)
    reply = await guest.says(words)
    assert reply.state.status == "open"
    assert desk.ledger.reservations() == []


async def test_guests_see_words_and_never_the_keys(desk: House) -> None:
    guest = await desk.open({"guest": ANN, "business_date": "2026-01-15"})
    for text in ("Hi", "nothing of that", ALL_AT_ONCE, "show my criteria", "search", "2"):
        await guest.says(text)
    said = "\n".join(line.text for line in await guest.transcript() if line.role == "assistant")
    for key in ("freeWiFi", "freeParking", "room_type", "readiness", "Traceback", "None"):
        assert key not in said
