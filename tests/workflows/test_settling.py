"""Unknown outcomes: said truthfully, settled by key while the conversation goes on, told unasked, never guessed."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import pytest_asyncio
from temporalio.client import Client
from temporalio.exceptions import ApplicationError

from clients.conversations import Row, survey, table
from nightdesk import wording
from nightdesk.booking import Refused
from tests.hotels.yeses import change, reprice
from tests.house import ALL_AT_ONCE, BOUND, GuestTalk
from tests.workflows.bookings import Desk, Fault, Midnight, booking_desk, unasked, without_waits
from workflows import policies

around_commit = pytest.mark.parametrize("loss", ["before", "after"])


@pytest_asyncio.fixture(loop_scope="session")
async def desk(temporal: Client, database: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Desk]:
    """A desk whose policies have no long waits."""
    without_waits(monkeypatch)
    async with booking_desk(temporal, f"sqlite:///{database}") as opened:
        yield opened


async def told(guest: GuestTalk) -> str:
    """What was said unasked, as soon as something was."""
    async with asyncio.timeout(BOUND):
        while not (said := unasked(await guest.transcript())):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    assert len(said) == 1
    return said[0]


@around_commit
async def test_an_unknown_booking_is_settled_by_its_key_and_told_unasked(desk: Desk, loss: Fault) -> None:
    guest = await desk.unsettled(loss)
    state = await desk.truth(guest)
    assert (state.status, state.active_step, state.offer) == ("open", "booking", None)
    assert len(desk.rows(guest)) == (0 if loss == "before" else 1)
    desk.reachable()
    result = await guest.result()
    (row,) = desk.rows(guest)
    assert row.key == f"{guest.handle.id}:m4"
    assert result.outcome == "booked"
    assert result.reservation is not None
    assert result.reservation.confirmation_number == row.confirmation_number
    assert unasked(await guest.transcript()) == [wording.confirmed(row.confirmed())]
    await desk.truth(guest)


async def test_meanwhile_messages_are_answered_and_nothing_else_is_booked(desk: Desk) -> None:
    guest = await desk.unsettled("after")
    reply = await guest.says("show my criteria")
    assert "suite" in reply.replies[0]
    assert wording.STILL_CHECKING in reply.replies[0]
    for text in ("yes", "yes please", "book hotel 2", "wait", "is it booked?"):
        reply = await guest.says(text)
        assert wording.STILL_CHECKING in reply.replies[0], text
        assert (reply.state.active_step, reply.state.offer) == ("booking", None), text
        assert reply.state.reservation is not None
        assert reply.state.reservation.status == "unknown", text
    reply = await guest.says("make it two beds instead")
    assert reply.state.criteria["room_type"]["room_type"] == "two beds"
    assert (await guest.says("search")).state.hotels
    reply = await guest.says("book hotel 1")
    assert reply.state.offer is None
    assert wording.STILL_CHECKING in reply.replies[0]
    await desk.truth(guest)
    desk.reachable()
    assert (await guest.result()).outcome == "booked"
    (row,) = desk.rows(guest)
    assert row.room_type == "suite"
    assert len({booking.key for booking in desk.books.booked}) == 1
    await desk.truth(guest)


async def test_a_permanent_failure_of_the_ledger_is_unknown_and_not_refused(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = await desk.offered()
    desk.books.lose_settle = ["before"] * 1000

    def broken(booking: object) -> None:
        desk.books.booked.append(desk.books.booked[0]) if desk.books.booked else None
        raise ApplicationError("a bug", type="LedgerRejected", non_retryable=True)

    monkeypatch.setattr(desk.ledger, "book", broken)
    reply = await guest.says("yes")
    assert reply.state.reservation is not None
    assert reply.state.reservation.status == "unknown"
    await desk.truth(guest)
    desk.reachable()
    assert (await guest.result()).outcome == "booked"
    await desk.truth(guest)


# The guest gives up.


@around_commit
async def test_cancel_while_unsettled_waits_for_the_truth_then_nothing_is_booked(desk: Desk, loss: Fault) -> None:
    guest = await desk.unsettled(loss)
    reply = await guest.says("cancel")
    assert reply.replies == (wording.WILL_CANCEL,)
    assert reply.state.reservation is not None
    assert reply.state.reservation.status == "unknown"
    await desk.until_giving_up()
    desk.reachable()
    state = await guest.until(lambda state: state.reservation is not None and state.reservation.status == "cancelled")
    rows = desk.rows(guest)
    assert [row.status for row in rows] == ([] if loss == "before" else ["cancelled"])
    number = rows[0].confirmation_number if rows else None
    assert await told(guest) == wording.joined([wording.cancelled(number), wording.WHICH_HOTEL])
    assert (state.status, state.active_step) == ("open", "present")

    # An attempt that arrives late books nothing.
    late = await asyncio.to_thread(desk.ledger.book, desk.books.booked[0])
    assert isinstance(late, Refused)
    assert (late.reason, late.existing) == ("voided", None)
    assert desk.rows(guest, active=True) == []
    await desk.truth(guest)

    # The nights are there again, and another yes books them.
    await guest.says("book hotel 1")
    await guest.send("yes")
    assert (await guest.result()).outcome == "booked"
    await desk.truth(guest)


async def test_cancel_during_the_round_that_finds_the_booking_still_cancels_it(desk: Desk) -> None:
    guest = await desk.offered()
    desk.books.lose_book = ["after"] * policies.BOOKING.tries
    await guest.send("yes", "m4")
    await desk.books.until_done(policies.BOOKING.tries)
    desk.books.hold = "after"
    assert (await guest.reply_to("m4")).replies == (wording.STILL_CHECKING,)
    await desk.books.until_entered()
    assert desk.books.settled[-1].give_up is False
    assert (await guest.says("cancel")).replies == (wording.WILL_CANCEL,)
    desk.books.hold = None
    desk.books.go_on.set()
    await guest.until(lambda state: state.reservation is not None and state.reservation.status == "cancelled")
    assert [row.status for row in desk.rows(guest)] == ["cancelled"]
    assert not (await told(guest)).startswith("Booked")
    await desk.truth(guest)


@pytest.mark.parametrize("words", ["wait", "let me think", "maybe later"])
async def test_asking_for_patience_while_unsettled_cancels_nothing(desk: Desk, words: str) -> None:
    guest = await desk.unsettled("after")
    assert (await guest.says(words)).replies == (wording.STILL_CHECKING,)
    desk.reachable()
    assert (await guest.result()).outcome == "booked"
    await desk.truth(guest)


async def test_a_no_that_answers_another_question_while_unsettled_cancels_nothing(desk: Desk) -> None:
    guest = await desk.unsettled("after")
    reply = await guest.says("change my dates to February 30, 2028")
    assert reply.state.active_step == "dates"
    reply = await guest.says("no")
    assert wording.WILL_CANCEL not in reply.replies
    assert (await guest.says("cancel my booking")).replies == (wording.WILL_CANCEL,)
    desk.reachable()
    await guest.until(lambda state: state.reservation is not None and state.reservation.status == "cancelled")
    assert (await guest.state()).active_step == "present"
    await desk.truth(guest)


# The conversation ends.


@around_commit
async def test_leaving_while_unsettled_closes_once_it_is_settled_as_booked(desk: Desk, loss: Fault) -> None:
    guest = await desk.unsettled(loss)
    reply = await guest.says("bye")
    assert reply.replies == (wording.ENDING_AFTER_CHECK,)
    assert reply.state.status == "open"
    desk.reachable()
    assert (await guest.result()).outcome == "booked"
    assert len(desk.rows(guest)) == 1
    await desk.truth(guest)


async def test_leaving_while_unsettled_closes_as_ended_when_it_turns_out_refused(desk: Desk) -> None:
    guest = await desk.unsettled("before")
    reprice(desk.ledger, 95)
    change(desk.ledger, "UPDATE room_types SET base_cents = base_cents + 100")
    await guest.says("bye")
    desk.reachable()
    result = await guest.result()
    assert result.outcome == "ended"
    assert result.reservation is not None
    assert (result.reservation.status, result.reservation.reason) == ("refused", "price_changed")
    assert await told(guest) == wording.refusal("price_changed")
    await desk.truth(guest)


async def test_leaving_and_cancelling_while_unsettled_closes_with_nothing_booked(desk: Desk) -> None:
    guest = await desk.unsettled("after")
    await guest.says("bye")
    await guest.says("cancel")
    desk.reachable()
    result = await guest.result()
    assert result.outcome == "ended"
    assert [row.status for row in desk.rows(guest)] == ["cancelled"]
    await desk.truth(guest)


@around_commit
async def test_a_workflow_cancelled_while_unsettled_waits_for_the_settlement(desk: Desk, loss: Fault) -> None:
    guest = await desk.unsettled(loss)
    await guest.handle.cancel()
    assert (await guest.says("show my criteria")).state.status == "open"
    desk.reachable()
    assert (await guest.result()).outcome == "booked"
    assert len(desk.rows(guest)) == 1
    await desk.truth(guest)


async def test_an_idle_conversation_waits_for_the_settlement(
    temporal: Client, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_waits(monkeypatch)
    async with booking_desk(temporal, f"sqlite:///{database}", idle_seconds=2) as desk:
        guest = await desk.unsettled("after")
        waited = len(desk.books.settled)
        heard = (await guest.transcript())[-1].at
        async with asyncio.timeout(BOUND):
            # Rounds go on after the conversation has been idle for too long.
            while datetime.now(UTC) < heard + timedelta(seconds=2.5) or len(desk.books.settled) < waited + 4:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        assert (await guest.state()).status == "open"
        desk.reachable()
        assert (await guest.result()).outcome == "booked"
        await desk.truth(guest)


# It turns out that nothing was booked.


async def test_settled_as_sold_out_leaves_the_other_hotels_under_their_numbers(desk: Desk) -> None:
    guest = await desk.unsettled("before")
    before = await guest.state()
    assert before.reservation is not None
    hotel = before.reservation.offer.hotel_id
    change(desk.ledger, "UPDATE room_types SET capacity = 1 WHERE hotel_id = :h", h=hotel)
    desk.books.lose_book = []
    other = await desk.offered()
    await other.send("yes")
    assert (await other.result()).outcome == "booked"
    desk.reachable()
    state = await guest.until(lambda state: state.reservation is not None and state.reservation.reason == "sold_out")
    assert (state.status, state.active_step) == ("open", "present")
    assert state.hotels == before.hotels[1:]
    assert f"\n2. {state.hotels[0].name}" in await told(guest)
    await desk.truth(guest)
    await guest.says("book hotel 2")
    await guest.send("yes")
    assert (await guest.result()).outcome == "booked"
    await desk.truth(guest)


async def test_settled_as_price_changed_shows_no_old_price_any_more(desk: Desk) -> None:
    guest = await desk.unsettled("before")
    state = await guest.state()
    assert state.reservation is not None
    reprice(desk.ledger, 95, state.reservation.offer.hotel_id)
    desk.reachable()
    state = await guest.until(
        lambda state: state.reservation is not None and state.reservation.reason == "price_changed"
    )
    assert (state.active_step, state.hotels, state.offer) == ("router", (), None)
    assert await told(guest) == wording.joined([wording.refusal("price_changed"), wording.SEARCH_OR_CHANGE])
    await desk.truth(guest)
    for text in ("search", "book hotel 1"):
        await guest.says(text)
    await guest.send("yes")
    assert (await guest.result()).outcome == "booked"
    await desk.truth(guest)


async def test_settled_after_the_date_has_come_asks_for_new_dates(
    temporal: Client, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_waits(monkeypatch)
    night = Midnight()
    async with booking_desk(temporal, f"sqlite:///{database}", business_date=None, now=night.clock) as desk:
        guest = await desk.unsettled("before", night.guest, wishes=night.wishes)
        night.strike()
        desk.reachable()
        state = await guest.until(lambda state: state.reservation is not None and state.reservation.status == "refused")
        assert state.reservation is not None
        assert state.reservation.reason == "date_passed"
        assert (state.status, state.active_step, state.hotels) == ("open", "dates", ())
        assert await told(guest) == wording.refusal("date_passed")
        await desk.truth(guest)


async def test_a_settlement_that_comes_while_another_question_is_open_leaves_that_question(desk: Desk) -> None:
    guest = await desk.unsettled("before")
    reply = await guest.says("change my dates to February 30, 2028")
    assert reply.state.active_step == "dates"
    reprice(desk.ledger, 95)
    change(desk.ledger, "UPDATE room_types SET base_cents = base_cents + 100")
    desk.reachable()
    state = await guest.until(lambda state: state.reservation is not None and state.reservation.status == "refused")
    assert state.active_step == "dates"
    await desk.truth(guest)


# Across runs, and for operators.


@around_commit
async def test_an_unsettled_booking_survives_continue_as_new_and_is_told_once(
    temporal: Client, database: Path, monkeypatch: pytest.MonkeyPatch, loss: Fault
) -> None:
    without_waits(monkeypatch)
    async with booking_desk(temporal, f"sqlite:///{database}", continue_after=2) as desk:
        guest = await desk.unsettled(loss)
        since = (await (await guest.handle.describe()).memo())["unsettled_since"]
        for number in range(5):
            reply = await guest.says("show my criteria", f"again-{number}")
            assert reply.state.reservation is not None
            assert reply.state.reservation.status == "unknown"
        described = await guest.handle.describe()
        assert described.raw_description.workflow_execution_info.first_run_id != described.run_id
        assert (await described.memo())["unsettled_since"] == since
        desk.reachable()
        assert (await guest.result()).outcome == "booked"
        assert len(desk.rows(guest)) == 1
        assert len(unasked(await guest.transcript())) == 1
        await desk.truth(guest)


@around_commit
async def test_a_cancel_that_is_the_last_message_of_a_run_is_carried_into_the_next(
    temporal: Client, database: Path, monkeypatch: pytest.MonkeyPatch, loss: Fault
) -> None:
    without_waits(monkeypatch)
    async with booking_desk(temporal, f"sqlite:///{database}", continue_after=5) as desk:
        guest = await desk.unsettled(loss)
        await guest.says("cancel")
        desk.reachable()
        await guest.until(lambda state: state.reservation is not None and state.reservation.status == "cancelled")
        described = await guest.handle.describe()
        assert described.raw_description.workflow_execution_info.first_run_id != described.run_id
        assert desk.rows(guest, active=True) == []
        await desk.truth(guest)


async def test_an_operator_sees_each_unsettled_booking_and_since_when(desk: Desk, temporal: Client) -> None:
    guest = await desk.unsettled("after")
    state = await guest.state()
    assert state.reservation is not None
    assert state.reservation.status == "unknown"
    memo = await (await guest.handle.describe()).memo()
    since = datetime.fromisoformat(memo["unsettled_since"])
    asked = next(line.at for line in await guest.transcript() if line.text == "yes")
    assert asked <= since <= datetime.now(UTC)
    assert memo["awaiting"] == "the hotel database"
    assert since.isoformat() in await current_details(guest)
    row = await listed(temporal, guest)
    assert row.unsettled_since == since
    assert "! booking unsettled for 3 min" in table([row], since + timedelta(minutes=3))[1]
    desk.reachable()
    await guest.result()
    assert not (await (await guest.handle.describe()).memo()).get("unsettled_since")
    assert "Unsettled" not in await current_details(guest)


async def listed(client: Client, guest: GuestTalk) -> Row:
    """The line of `nightdesk conversations`, as soon as it tells of an unsettled booking; the list lags a moment."""
    async with asyncio.timeout(BOUND):
        while True:
            for row in await survey(client):
                if row.id == guest.handle.id and row.unsettled_since:
                    return row
            await asyncio.sleep(0.05)


async def current_details(guest: GuestTalk) -> str:
    """As the Temporal UI shows them."""
    metadata = await guest.handle.query("__temporal_workflow_metadata")
    return str(metadata)


@pytest.mark.drill
async def test_with_the_policies_as_they_are_an_unknown_booking_is_told_and_settled(
    temporal: Client, database: Path
) -> None:
    async with booking_desk(temporal, f"sqlite:///{database}") as desk:
        guest = await desk.unsettled("after")
        assert len(desk.books.booked) == policies.BOOKING.tries
        await desk.books.until_done(policies.BOOKING.tries + 1)
        desk.reachable()
        assert (await guest.says(ALL_AT_ONCE)).state.status == "open"
        assert (await guest.result()).outcome == "booked"
        assert len(desk.rows(guest)) == 1
        await desk.truth(guest)
