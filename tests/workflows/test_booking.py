"""A yes and what it may do: one reservation, at the terms that were agreed to, and what is said is what is stored."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
import pytest_asyncio
from temporalio.client import Client

from nightdesk import money, wording
from nightdesk.views import BookedView
from tests.hotels.yeses import change, reprice
from tests.house import ALL_AT_ONCE, BOUND, GuestTalk
from tests.workflows.bookings import Desk, Fault, booking_desk, prompt, reset_before, shorten, unasked, without_waits
from workflows import policies

around_commit = pytest.mark.parametrize("loss", ["before", "after"])


@pytest_asyncio.fixture(loop_scope="session")
async def desk(temporal: Client, database: Path) -> AsyncGenerator[Desk]:
    async with booking_desk(temporal, f"sqlite:///{database}") as opened:
        yield opened


async def closed_as(guest: GuestTalk, outcome: str) -> None:
    assert (await guest.result()).outcome == outcome


# Several yeses.


async def test_two_yeses_from_two_clients_at_once_book_one_room(desk: Desk, temporal: Client) -> None:
    guest = await desk.offered()
    other = GuestTalk(temporal.get_workflow_handle(guest.handle.id))
    await asyncio.gather(guest.send("yes", "tab-1"), other.send("yes", "tab-2"))
    await closed_as(guest, "booked")
    state = await desk.truth(guest)
    assert state.reservation is not None
    number = state.reservation.confirmation_number
    assert len(desk.rows(guest)) == len(desk.books.booked) == 1
    second = (await guest.transcript())[-1].text
    assert second == f"This conversation is closed: your booking is {number}. Please start a new one for anything else."


async def test_the_same_yes_sent_three_times_books_once(desk: Desk) -> None:
    guest = await desk.offered()
    desk.books.hold = "before"
    await guest.send("yes", "m4")
    await desk.books.until_entered()
    await guest.send("yes", "m4")
    await guest.send("yes", "m4")
    desk.books.go_on.set()
    await closed_as(guest, "booked")
    assert (await desk.truth(guest)).messages.duplicates == 2
    assert len(desk.books.booked) == len(desk.rows(guest)) == 1


async def test_a_second_yes_that_crosses_with_a_new_price_agrees_to_nothing(desk: Desk) -> None:
    guest = await desk.offered()
    offer = (await guest.state()).offer
    assert offer is not None
    reprice(desk.ledger, 95, offer.hotel_id)
    desk.books.hold = "before"
    await guest.send("yes", "tab-1")
    await desk.books.until_entered()
    await guest.send("yes", "tab-2")
    desk.books.go_on.set()
    first, second = await guest.reply_to("tab-1"), await guest.reply_to("tab-2")
    assert first.replies[0].startswith(wording.refusal("price_changed"))
    assert second.replies[0].startswith(wording.UNSEEN_TERMS)
    assert second.state.active_step == "confirm"
    assert second.state.offer is not None
    assert f"Total: {money.words(Decimal(second.state.offer.total))}" in second.replies[0]
    assert desk.rows(guest) == []
    await desk.truth(guest)
    await guest.send("yes")
    await closed_as(guest, "booked")
    (row,) = desk.rows(guest)
    assert str(row.total) == second.state.offer.total
    await desk.truth(guest)


async def test_a_yes_sent_before_the_terms_were_stated_agrees_to_nothing(desk: Desk) -> None:
    guest = await desk.open()
    await guest.says(ALL_AT_ONCE)
    await guest.says("search")
    await guest.send("book hotel 1", "choice")
    await guest.send("yes", "too-early")
    reply = await guest.reply_to("too-early")
    assert (reply.state.active_step, reply.state.reservation) == ("confirm", None)
    assert desk.rows(guest) == []
    await guest.send("yes")
    await closed_as(guest, "booked")
    await desk.truth(guest)


# Refusals: a reason that a guest understands, and a next step.


@pytest.mark.parametrize("percent", [90, 105])
async def test_a_price_that_changed_is_refused_then_booked_at_the_new_price_on_a_new_yes(
    desk: Desk, percent: int
) -> None:
    guest = await desk.offered(wishes=ALL_AT_ONCE.replace("$700", "$900"))
    old = (await guest.state()).offer
    assert old is not None
    reprice(desk.ledger, percent, old.hotel_id)
    reply = await guest.says("yes")
    assert reply.state.reservation is not None
    assert (reply.state.reservation.status, reply.state.reservation.reason) == ("refused", "price_changed")
    new = reply.state.offer
    assert new is not None
    assert (new.hotel_id, new.room_type, new.check_in) == (old.hotel_id, old.room_type, old.check_in)
    assert (Decimal(new.total) > Decimal(old.total)) == (percent > 100)
    assert new.digest != old.digest
    assert f"Total: {money.words(Decimal(new.total))}" in reply.replies[0]
    assert reply.state.active_step == "confirm"
    assert [h.total for h in reply.state.hotels if h.hotel_id == new.hotel_id] == [new.total]
    assert desk.rows(guest) == []
    await desk.truth(guest)

    await guest.send("yes")
    await closed_as(guest, "booked")
    (row,) = desk.rows(guest)
    assert str(row.total) == new.total
    await desk.truth(guest)


async def test_a_new_price_over_the_budget_is_not_offered_and_the_others_keep_their_numbers(desk: Desk) -> None:
    guest = await desk.offered(choice="book hotel 2", wishes=ALL_AT_ONCE.replace("$700", "$900"))
    before = await guest.state()
    assert before.offer is not None
    reprice(desk.ledger, 300, before.offer.hotel_id)
    reply = await guest.says("yes")
    assert wording.gone(before.offer.name) in reply.replies[0]
    assert (reply.state.active_step, reply.state.offer) == ("present", None)
    assert reply.state.hotels == tuple(h for h in before.hotels if h.number != 2)
    await desk.truth(guest)


async def test_with_no_preference_for_the_room_it_is_the_offered_room_that_is_priced_afresh(desk: Desk) -> None:
    guest = await desk.open()
    for text in ("Aug 3-9 2027", "no preference", "no preference", "no preference", "no preference", "search"):
        await guest.says(text)
    await guest.says("book hotel 1")
    old = (await guest.state()).offer
    assert old is not None
    # The room that was offered becomes the dearest of its hotel.
    change(
        desk.ledger,
        "UPDATE room_types SET base_cents = base_cents * 10 WHERE hotel_id = :h AND room_type = :r",
        h=old.hotel_id,
        r=old.room_type,
    )
    new = (await guest.says("yes")).state.offer
    assert new is not None
    assert (new.hotel_id, new.room_type) == (old.hotel_id, old.room_type)
    assert Decimal(new.total) > Decimal(old.total) * 9


async def test_a_price_that_changed_while_the_search_is_out_is_refused_and_the_hotels_stay(
    temporal: Client, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorten(monkeypatch, SEARCH=prompt(policies.SEARCH))
    async with booking_desk(temporal, f"sqlite:///{database}") as desk:
        guest = await desk.offered()
        before = await guest.state()
        assert before.offer is not None
        reprice(desk.ledger, 95, before.offer.hotel_id)

        async def out(request: object) -> None:
            raise ConnectionError

        monkeypatch.setattr(desk.house.providers.search, "search", out)
        reply = await guest.says("yes")
        assert reply.replies[0].startswith(wording.refusal("price_changed"))
        assert wording.SEARCH_IS_OUT in reply.replies[0]
        assert (reply.state.active_step, reply.state.offer) == ("present", None)
        assert reply.state.hotels == before.hotels
        await desk.truth(guest)


def sell_out(desk: Desk, hotel_id: str) -> None:
    """Somebody else has booked every suite of that hotel, by now."""
    change(
        desk.ledger,
        "UPDATE room_types SET capacity = 1 WHERE hotel_id = :h AND room_type = 'suite'",
        h=hotel_id,
    )


async def test_sold_out_between_offer_and_yes_is_refused_and_the_others_keep_their_numbers(desk: Desk) -> None:
    guest = await desk.offered(wishes=ALL_AT_ONCE.replace("$700", "$900"))
    before = await guest.state()
    assert before.offer is not None
    assert len(before.hotels) > 2
    sell_out(desk, before.offer.hotel_id)
    other = await desk.offered(wishes=ALL_AT_ONCE.replace("$700", "$900"))
    await other.send("yes")
    await closed_as(other, "booked")

    reply = await guest.says("yes")
    assert reply.state.reservation is not None
    assert (reply.state.reservation.status, reply.state.reservation.reason) == ("refused", "sold_out")
    assert (reply.state.active_step, reply.state.offer) == ("present", None)
    assert reply.state.hotels == before.hotels[1:]
    assert f"\n2. {before.hotels[1].name}" in reply.replies[0]
    again = await guest.says("book hotel 1")
    assert f"(2 to {before.hotels[-1].number})" in again.replies[0]
    chosen = await guest.says("book hotel 2")
    assert chosen.state.offer is not None
    assert chosen.state.offer.hotel_id == before.hotels[1].hotel_id
    await desk.truth(guest)
    await guest.send("yes")
    await closed_as(guest, "booked")
    await desk.truth(guest)
    await desk.truth(other)


async def test_the_only_hotel_shown_sold_out_leaves_the_criteria_to_change(desk: Desk) -> None:
    wishes = ALL_AT_ONCE
    guest = await desk.offered(wishes=wishes)
    shown = (await guest.state()).hotels
    for hotel in shown:
        sell_out(desk, hotel.hotel_id)
    other = await desk.offered(wishes=wishes)
    others = [other] + [await desk.offered(wishes=wishes, choice=f"book hotel {h.number}") for h in shown[1:]]
    for one in others:
        await one.send("yes")
        await closed_as(one, "booked")
    reply = await guest.says("show my criteria")
    for hotel in shown:
        reply = await guest.says("yes")
        assert reply.state.reservation is not None
        assert reply.state.reservation.reason == "sold_out"
        if hotel is not shown[-1]:
            await guest.says(f"book hotel {hotel.number + 1}")
    assert (reply.state.active_step, reply.state.hotels) == ("router", ())
    assert wording.SEARCH_OR_CHANGE in reply.replies[0]
    assert reply.state.criteria["dates"]["answered"] is True
    assert wording.NO_MATCH in (await guest.says("search")).replies[0]
    await desk.truth(guest)


async def test_over_the_booking_limit_is_refused_and_a_shorter_stay_books(temporal: Client, database: Path) -> None:
    async with booking_desk(temporal, f"sqlite:///{database}", booking_limit=Decimal(1500)) as desk:
        guest = await desk.offered()
        reply = await guest.says("yes")
        assert reply.state.reservation is not None
        assert (reply.state.reservation.status, reply.state.reservation.reason) == ("refused", "over_limit")
        assert reply.state.active_step == "present"
        await desk.truth(guest)
        for text in ("make it one night", "search", "book hotel 1"):
            await guest.says(text)
        await guest.send("yes")
        await closed_as(guest, "booked")
        await desk.truth(guest)


async def test_a_guest_who_is_not_signed_in_is_refused_as_often_as_they_say_yes(desk: Desk) -> None:
    guest = await desk.offered({"guest": None})
    reply = await guest.says("yes")
    assert reply.replies == (wording.refusal("not_signed_in"),)
    await guest.says("book hotel 1")
    reply = await guest.says("yes")
    assert reply.state.reservation is not None
    assert reply.state.reservation.reason == "not_signed_in"
    assert desk.ledger.reservations() == []
    await desk.truth(guest)


# Attempts that overlap, are lost, or outlive their conversation.


@around_commit
async def test_an_answer_lost_once_is_asked_for_again_under_the_same_key(desk: Desk, loss: Fault) -> None:
    guest = await desk.offered()
    desk.books.lose_book = [loss]
    await guest.send("yes")
    await closed_as(guest, "booked")
    assert len({booking.key for booking in desk.books.booked}) == 1
    assert len(desk.books.booked) == 2
    assert len(desk.rows(guest)) == 1
    await desk.truth(guest)


async def test_attempts_that_overlap_since_the_commit_takes_too_long_book_one_room(
    temporal: Client, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorten(monkeypatch, BOOKING=prompt(policies.BOOKING, try_for=0.4, tries=20, in_all=20))
    async with booking_desk(temporal, f"sqlite:///{database}") as desk:
        guest = await desk.offered()
        desk.books.hold = "before"
        await guest.send("yes")
        await desk.books.until_entered(3)
        desk.books.hold = None
        desk.books.go_on.set()
        await closed_as(guest, "booked")
        await desk.books.until_done(3)
        (row,) = desk.rows(guest)
        outcomes = [attempt.outcome for attempt in desk.ledger.attempts(key=row.key)]
        assert outcomes.count("booked") == 1
        assert outcomes.count("replayed") == len(outcomes) - 1 >= 2
        await desk.truth(guest)


@around_commit
async def test_a_workflow_cancelled_while_the_transaction_runs_finishes_the_booking(desk: Desk, loss: Fault) -> None:
    guest = await desk.offered()
    desk.books.hold = loss
    await guest.send("yes")
    await desk.books.until_entered()
    await guest.handle.cancel()
    await guest.until(lambda state: state.status == "open")
    desk.books.go_on.set()
    result = await guest.result()
    assert result.outcome == "booked"
    (row,) = desk.rows(guest)
    assert result.reservation is not None
    assert result.reservation.confirmation_number == row.confirmation_number
    # In the turn that was in hand, not by a settlement later.
    assert unasked(await guest.transcript()) == []
    assert desk.books.settled == []
    await desk.truth(guest)


@around_commit
async def test_a_workflow_terminated_while_the_transaction_runs_books_at_most_that_one_and_claims_nothing(
    desk: Desk, loss: Fault
) -> None:
    guest = await desk.offered()
    desk.books.hold = loss
    await guest.send("yes")
    await desk.books.until_entered()
    await guest.handle.terminate("a test")
    assert len(desk.rows(guest)) == (0 if loss == "before" else 1)
    desk.books.go_on.set()
    await desk.books.until_done()
    assert len(desk.rows(guest)) == len(desk.books.booked) == 1
    lines = await guest.transcript()
    assert lines[-1].role == "guest"
    assert not any(line.text.startswith("Booked") for line in lines)
    desk.free_as_booked()


async def test_a_workflow_terminated_before_a_lost_attempt_is_repeated_books_nothing(
    temporal: Client, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorten(monkeypatch, BOOKING=replace(policies.BOOKING, first_wait=0.5))
    async with booking_desk(temporal, f"sqlite:///{database}") as desk:
        guest = await desk.offered()
        desk.books.lose_book = ["before"]
        await guest.send("yes")
        await desk.books.until_done()
        await guest.handle.terminate("a test")
        # Another conversation goes its whole way: by then the retry would have come.
        for _ in range(2):
            other = await desk.offered()
            await other.send("yes")
            await closed_as(other, "booked")
        assert desk.rows(guest) == []
        assert [b.key for b in desk.books.booked if b.offer.conversation_id == guest.handle.id] == [
            f"{guest.handle.id}:m4"
        ]


# Resets and new runs.


async def booked(desk: Desk) -> tuple[GuestTalk, str]:
    """A conversation that has booked with message m5; the confirmation number."""
    guest = await desk.offered()
    await guest.says("show my criteria")
    await guest.send("yes", "m5")
    result = await guest.result()
    assert result.reservation is not None
    assert result.reservation.confirmation_number is not None
    return guest, result.reservation.confirmation_number


async def test_a_yes_replayed_after_a_reset_finds_the_reservation_it_made(desk: Desk, temporal: Client) -> None:
    guest, number = await booked(desk)
    again = await reset_before(temporal, guest, "m5", replayed=True)
    result = await again.result()
    assert result.outcome == "booked"
    assert result.reservation is not None
    assert result.reservation.confirmation_number == number
    assert len(desk.books.booked) == 2
    assert len({(b.key, b.digest) for b in desk.books.booked}) == 1
    assert len(desk.rows(again)) == 1
    await desk.truth(again)


async def test_a_new_yes_after_a_reset_is_told_the_reservation_and_books_nothing_more(
    desk: Desk, temporal: Client
) -> None:
    guest, number = await booked(desk)
    again = await reset_before(temporal, guest, "m5", replayed=False)
    reply = await again.says("yes", "another-yes")
    (row,) = desk.rows(again)
    assert reply.state.reservation is not None
    assert (reply.state.reservation.status, reply.state.reservation.reason) == ("refused", "already_booked")
    assert reply.state.reservation.existing == BookedView.of(row.confirmed())
    for word in (number, row.hotel_name, "August 3, 2027", "August 9, 2027", money.words(row.total)):
        assert word in reply.replies[0]
    assert reply.state.active_step == "present"
    await desk.truth(again)
    await again.send("bye", "bye")
    await closed_as(again, "ended")
    goodbye = (await again.transcript())[-1].text
    assert goodbye.startswith(f"Goodbye. Besides {number} ({row.hotel_name}, ")
    assert "Nothing is booked" not in goodbye
    assert [row.status for row in desk.rows(again)] == ["active"]
    result = await again.result()
    assert result.reservation is not None
    assert result.reservation.existing == BookedView.of(row.confirmed())


async def test_a_new_yes_after_a_reset_and_a_cancellation_books_and_claims_nothing_else(
    desk: Desk, temporal: Client
) -> None:
    guest, number = await booked(desk)
    again = await reset_before(temporal, guest, "m5", replayed=False)
    desk.ledger.cancel(number)
    await again.send("yes", "another-yes")
    await closed_as(again, "booked")
    assert [row.confirmation_number != number for row in desk.rows(again, active=True)] == [True]
    assert not any(number in line.text for line in await again.transcript())
    await desk.truth(again)


@pytest.mark.parametrize("cancelled_since", [False, True])
async def test_the_same_yes_priced_at_another_moment_is_told_what_it_had_booked(
    desk: Desk, temporal: Client, cancelled_since: bool
) -> None:
    guest, number = await booked(desk)
    again = await reset_before(temporal, guest, "m3", replayed=False)
    await again.says("book hotel 1", "once-more")
    if cancelled_since:
        desk.ledger.cancel(number)
    reply = await again.says("yes", "m5")
    (row,) = desk.rows(again)
    assert reply.state.reservation is not None
    assert (reply.state.reservation.status, reply.state.reservation.reason) == ("refused", "key_reused")
    if cancelled_since:
        assert f"That message had booked {number}, which has been cancelled since." in reply.replies[0]
        assert reply.state.reservation.existing is None
    else:
        assert reply.replies[0].startswith(f"That message has already booked {row.hotel_name}, suite, ")
        assert f"as {number}; nothing more was booked." in reply.replies[0]
        assert reply.state.reservation.existing == BookedView.of(row.confirmed())
        await desk.truth(again)
    await again.send("bye", "bye")
    await closed_as(again, "ended")
    assert (number in (await again.transcript())[-1].text) is not cancelled_since


async def test_the_same_yes_that_was_refused_is_told_that_refusal(desk: Desk, temporal: Client) -> None:
    guest = await desk.offered(wishes=ALL_AT_ONCE.replace("$700", "$900"))
    offer = (await guest.state()).offer
    assert offer is not None
    sell_out(desk, offer.hotel_id)
    other = await desk.offered(wishes=ALL_AT_ONCE.replace("$700", "$900"))
    await other.send("yes")
    await closed_as(other, "booked")
    refused = await guest.says("yes", "m4")
    assert refused.state.reservation is not None
    assert refused.state.reservation.reason == "sold_out"
    again = await reset_before(temporal, guest, "m3", replayed=False)
    await again.says("book hotel 2", "once-more")
    reply = await again.says("yes", "m4")
    assert reply.state.reservation is not None
    assert reply.state.reservation.reason == "key_reused"
    assert "I have answered that message before, and the answer stands." in reply.replies[0]
    assert wording.refusal("sold_out") in reply.replies[0]
    assert desk.rows(again) == []


async def test_an_unknown_new_yes_after_a_reset_is_settled_to_the_reservation_that_stands(
    temporal: Client, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_waits(monkeypatch)
    async with booking_desk(temporal, f"sqlite:///{database}") as desk:
        guest, number = await booked(desk)
        again = await reset_before(temporal, guest, "m5", replayed=False)
        for answer in ("wait for it", "cancel it"):
            desk.books.lose_book = ["before"] * policies.BOOKING.tries
            desk.books.lose_settle = ["before"] * 1000
            if answer == "cancel it":
                await again.says("book hotel 2", "choice")
            reply = await again.says("yes", f"yes-{answer}")
            assert reply.replies == (wording.STILL_CHECKING,)
            if answer == "cancel it":
                await again.says(answer, "off")
                await desk.until_giving_up()
            desk.reachable()
            wanted = "cancelled" if answer == "cancel it" else "refused"
            state = await again.until(
                lambda state, wanted=wanted: state.reservation is not None and state.reservation.status == wanted
            )
            assert state.reservation is not None
            assert state.reservation.existing is not None
            assert state.reservation.existing.confirmation_number == number
            said = unasked(await again.transcript())[-1]
            assert number in said
            assert "Nothing is booked" not in said
        assert [row.status for row in desk.rows(again)] == ["active"]


async def test_a_reset_to_before_the_offer_replays_no_yes_to_terms_that_are_new(desk: Desk, temporal: Client) -> None:
    guest, number = await booked(desk)
    again = await reset_before(temporal, guest, "m3", replayed=True)
    async with asyncio.timeout(BOUND):
        reply = await again.reply_to("m5")
    assert reply.state.active_step == "confirm"
    assert reply.replies[0].startswith(wording.UNSEEN_TERMS)
    assert len(desk.books.booked) == 1
    reply = await again.says("yes", "m6")
    assert reply.state.reservation is not None
    assert reply.state.reservation.reason == "already_booked"
    assert [row.confirmation_number for row in desk.rows(again)] == [number]
    await desk.truth(again)


async def test_a_message_that_was_used_for_other_terms_books_nothing_more(desk: Desk, temporal: Client) -> None:
    guest, number = await booked(desk)
    again = await reset_before(temporal, guest, "m3", replayed=False)
    await again.says("book hotel 2", "other-choice")
    reply = await again.says("yes", "m5")
    assert reply.state.reservation is not None
    assert (reply.state.reservation.status, reply.state.reservation.reason) == ("refused", "key_reused")
    assert reply.state.active_step == "present"
    assert [row.confirmation_number for row in desk.rows(again)] == [number]
    await desk.truth(again)


async def test_an_offer_that_was_pending_when_the_run_continued_as_new_is_what_the_yes_books(
    temporal: Client, database: Path
) -> None:
    async with booking_desk(temporal, f"sqlite:///{database}", continue_after=3) as desk:
        guest = await desk.offered()
        offer = (await guest.state()).offer
        assert offer is not None
        await guest.send("yes")
        await closed_as(guest, "booked")
        begun = (await guest.handle.fetch_history()).events[0].workflow_execution_started_event_attributes
        assert begun.continued_execution_run_id, "the yes came in a later run"
        (row,) = desk.rows(guest)
        assert (row.fingerprint, str(row.total)) == (offer.digest, offer.total)
        await desk.truth(guest)
