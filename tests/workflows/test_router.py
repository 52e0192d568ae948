"""Where messages go that are not the straight way: corrections at an offer, questions back, bare destinations."""

from pathlib import Path

from pydantic_core import to_json
from temporalio.client import Client

from tests.activities import flaky
from tests.activities.flaky import FlakyPeer
from tests.house import ALL_AT_ONCE, GuestTalk, House
from tests.workflows.peers import connected


async def shown(desk: House) -> GuestTalk:
    """A guest to whom hotels are shown."""
    guest = await desk.open()
    await guest.says(ALL_AT_ONCE)
    assert (await guest.says("search")).state.active_step == "present"
    return guest


async def test_an_amount_at_an_offer_is_a_correction_and_takes_the_offer_back(desk: House) -> None:
    guest = await shown(desk)
    assert (await guest.says("book hotel 2")).state.offer
    reply = await guest.says("make it 650 at most")
    assert reply.state.criteria["budget"]["max"] == "650"
    assert (reply.state.offer, reply.state.hotels, reply.state.active_step) == (None, (), "router")
    reply = await guest.says("yes")
    assert (reply.state.status, reply.state.reservation) == ("open", None)
    assert desk.ledger.reservations() == []


async def test_another_hotel_at_an_offer_is_another_offer(desk: House) -> None:
    guest = await shown(desk)
    first = (await guest.says("book hotel 2")).state.offer
    second = (await guest.says("no wait, number 3")).state.offer or (await guest.says("number 3")).state.offer
    assert first
    assert second
    assert (first.hotel_id, first.digest) != (second.hotel_id, second.digest)


async def test_what_is_saved_already_is_not_asked_for_again_while_hotels_are_shown(desk: House) -> None:
    guest = await shown(desk)
    reply = await guest.says("at most -5 dollars")
    assert (reply.state.active_step, reply.state.criteria["budget"]["max"]) == ("budget", "700")
    assert reply.state.hotels, "nothing was changed, so they still fit"
    reply = await guest.says("700")
    assert reply.state.active_step == "present"
    assert reply.replies[0].endswith("Which one would you like? Say its number or name, or tell me what to change.")
    assert (await guest.says("1")).state.active_step == "confirm"


async def test_a_doubtful_amount_at_an_offer_is_asked_about_and_a_yes_then_books_nothing(desk: House) -> None:
    guest = await shown(desk)
    await guest.says("book hotel 2")
    reply = await guest.says("at most -5 dollars")
    assert reply.state.active_step == "budget"
    reply = await guest.says("yes")
    assert (reply.state.status, reply.state.reservation) == ("open", None)
    assert desk.ledger.reservations() == []


async def test_nights_are_not_the_number_of_a_hotel(desk: House) -> None:
    guest = await shown(desk)
    reply = await guest.says("2 nights please")
    assert reply.state.offer is None
    assert reply.state.criteria["dates"]["check_out"] == "2027-08-05"


async def test_the_last_one_is_the_last_of_the_list(desk: House) -> None:
    guest = await shown(desk)
    last = (await guest.state()).hotels[-1]
    reply = await guest.says("the last one")
    assert reply.state.offer is not None
    assert (reply.state.offer.hotel_id, reply.state.offer.total) == (last.hotel_id, last.total)


def sent_to(destination: str, *mentions: str):
    """A decision provider that sends every message there."""

    def answer(request: flaky.Request) -> bytes:
        wire = request.json
        assert isinstance(wire, dict)
        asked = wire["questions"]
        assert isinstance(asked, dict)
        answers: dict[str, object] = {}
        for name, question in asked.items():
            assert isinstance(question, dict)
            options = question["criteria"]
            if isinstance(options, dict) and question["type"] == "choice":
                spread = {option: float(option == destination) for option in options}
                answers[name] = {"type": "choice", "choice": destination, "probabilities": spread, "confidence": 1.0}
            else:
                answers[name] = {"type": "noul", "noul": float(name.removeprefix("mentions_") in mentions)}
        usage = {"input_tokens": 1, "output_tokens": 1}
        return flaky.response(to_json({"model": "scripted", "answers": answers, "usage": usage}))

    return answer


async def test_a_criterion_as_destination_with_nothing_to_read_is_asked_about(
    temporal: Client, database: Path, jev: FlakyPeer
) -> None:
    async with connected(temporal, database, decisions=jev.url) as desk:
        guest = await desk.open()
        await guest.says(ALL_AT_ONCE)
        jev.answer = sent_to("budget")
        reply = await guest.says("something else as to the money")
        assert reply.state.active_step == "budget"
        assert reply.replies[0].startswith("I did not catch the budget.")
        assert reply.state.criteria["budget"]["max"] == "700"


async def test_the_question_that_is_open_is_asked_without_a_reproach(
    temporal: Client, database: Path, jev: FlakyPeer
) -> None:
    jev.answer = sent_to("dates")
    async with connected(temporal, database, decisions=jev.url) as desk:
        guest = await desk.open()
        reply = await guest.says("good evening to you")
        assert reply.state.active_step == "dates"
        assert "did not catch" not in reply.replies[0]


async def test_a_review_that_mentions_a_criterion_shows_the_record(
    temporal: Client, database: Path, jev: FlakyPeer
) -> None:
    async with connected(temporal, database, decisions=jev.url) as desk:
        guest = await desk.open()
        await guest.says(ALL_AT_ONCE)
        jev.answer = sent_to("review", "budget")
        reply = await guest.says("what did I say my limit was?")
        assert "Budget: at most $700 per night" in reply.replies[0]
        assert "did not catch" not in reply.replies[0]


async def test_a_decision_to_search_cannot_skip_an_open_question(
    temporal: Client, database: Path, jev: FlakyPeer
) -> None:
    jev.answer = sent_to("search")
    async with connected(temporal, database, decisions=jev.url) as desk:
        guest = await desk.open()
        reply = await guest.says("just show me hotels")
        assert (reply.state.active_step, reply.state.hotels, reply.state.readiness) == ("dates", (), None)


async def test_a_decision_that_answers_for_a_list_that_is_not_shown_is_not_understood(
    temporal: Client, database: Path, jev: FlakyPeer
) -> None:
    """`select` is offered only while hotels are shown: an answer with it is a bad one, and the rules route."""
    jev.answer = sent_to("select")
    async with connected(temporal, database, decisions=jev.url) as desk:
        guest = await desk.open()
        reply = await guest.says("hotel 1")
        assert reply.state.offer is None
        entry = (await guest.decisions())[-1]
        assert (entry.fallback, entry.model) == ("ROUTER_DECISION", "local-rules-1")
