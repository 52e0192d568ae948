"""Offers: what a yes can mean, how long it holds, and what becomes of it when anything changes."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
import pytest_asyncio
from temporalio.client import Client
from temporalio.testing import WorkflowEnvironment

from hotels.calendar import ZONE
from nightdesk import money, wording
from nightdesk.booking import BookRoom, Confirmed, Refused
from nightdesk.consent import calls_off
from tests.hotels.yeses import change, reprice
from tests.house import ALL_AT_ONCE
from tests.workflows.bookings import Desk, Midnight, booking_desk


@pytest_asyncio.fixture(loop_scope="session")
async def desk(temporal: Client, database: Path) -> AsyncGenerator[Desk]:
    async with booking_desk(temporal, f"sqlite:///{database}") as opened:
        yield opened


@pytest.mark.parametrize("percent", [100, 95])
async def test_a_yes_to_an_expired_offer_gets_todays_price_and_needs_a_new_yes(
    clockwork: WorkflowEnvironment, database: Path, percent: int
) -> None:
    async with booking_desk(clockwork.client, f"sqlite:///{database}") as desk:
        guest = await desk.offered()
        old = (await guest.state()).offer
        assert old is not None
        reprice(desk.ledger, percent, old.hotel_id)
        assert await clockwork.fast_forward(guest.handle, timedelta(minutes=15, seconds=1))
        reply = await guest.says("yes")
        new = reply.state.offer
        assert new is not None
        assert reply.replies[0].startswith(wording.OFFER_EXPIRED)
        assert f"Total: {money.words(Decimal(new.total))}" in reply.replies[0]
        assert (reply.state.active_step, reply.state.reservation) == ("confirm", None)
        assert (new.digest != old.digest, new.hotel_id) == (True, old.hotel_id)
        assert (new.total == old.total) == (percent == 100)
        assert desk.books.booked == []
        await desk.truth(guest)
        await guest.send("yes")
        assert (await guest.result()).outcome == "booked"
        (row,) = desk.rows(guest)
        assert (row.fingerprint, str(row.total)) == (new.digest, new.total)
        await desk.truth(guest)


async def test_an_offer_is_good_until_its_last_minute(clockwork: WorkflowEnvironment, database: Path) -> None:
    async with booking_desk(clockwork.client, f"sqlite:///{database}") as desk:
        guest = await desk.offered()
        assert await clockwork.fast_forward(guest.handle, timedelta(minutes=14))
        await guest.send("yes")
        assert (await guest.result()).outcome == "booked"
        await desk.truth(guest)


async def test_an_offer_that_expired_by_the_ledgers_clock_alone_is_refused_and_priced_afresh(
    temporal: Client, database: Path
) -> None:
    ahead = [timedelta(hours=1)]
    now = lambda: datetime.now(UTC) + ahead[0]  # noqa: E731
    async with booking_desk(temporal, f"sqlite:///{database}", now=now) as desk:
        guest = await desk.offered()
        reply = await guest.says("yes")
        assert reply.state.reservation is not None
        assert (reply.state.reservation.status, reply.state.reservation.reason) == ("refused", "offer_expired")
        assert reply.state.active_step == "confirm"
        await desk.truth(guest)
        ahead[0] = timedelta(0)
        await guest.send("yes")
        assert (await guest.result()).outcome == "booked"
        await desk.truth(guest)


async def test_an_expired_offer_of_a_hotel_that_is_gone_leaves_the_others(
    clockwork: WorkflowEnvironment, database: Path
) -> None:
    async with booking_desk(clockwork.client, f"sqlite:///{database}") as desk:
        guest = await desk.offered(choice="book hotel 2", wishes=ALL_AT_ONCE.replace("$700", "$900"))
        before = await guest.state()
        assert before.offer is not None
        change(desk.ledger, "DELETE FROM room_types WHERE hotel_id = :h", h=before.offer.hotel_id)
        assert await clockwork.fast_forward(guest.handle, timedelta(minutes=15, seconds=1))
        reply = await guest.says("yes")
        assert reply.replies[0].startswith(f"{wording.OFFER_EXPIRED}\n{wording.gone(before.offer.name)}")
        assert reply.state.hotels == (before.hotels[0], *before.hotels[2:])
        assert (reply.state.active_step, reply.state.offer) == ("present", None)
        await desk.truth(guest)


async def test_a_hotel_that_sells_that_room_no_more_is_refused_and_the_others_stay(desk: Desk) -> None:
    guest = await desk.offered(wishes=ALL_AT_ONCE.replace("$700", "$900"))
    before = await guest.state()
    assert before.offer is not None
    change(desk.ledger, "DELETE FROM room_types WHERE hotel_id = :h", h=before.offer.hotel_id)
    reply = await guest.says("yes")
    assert reply.state.reservation is not None
    assert reply.state.reservation.reason == "hotel_unknown"
    assert reply.state.hotels == before.hotels[1:]
    await desk.truth(guest)


@pytest.mark.parametrize(
    "words",
    ["yes, but make it two nights", "yes, and change the dates to August 4 to August 6, 2027", "yes with two beds"],
)
async def test_a_yes_with_changed_terms_books_nothing_and_withdraws_the_offer(desk: Desk, words: str) -> None:
    guest = await desk.offered()
    before = await guest.state()
    reply = await guest.says(words)
    assert reply.state.criteria != before.criteria
    assert (reply.state.offer, reply.state.hotels, reply.state.reservation) == (None, (), None)
    again = await guest.says("no")
    assert again.state.offer is None
    assert desk.books.booked == []
    await desk.truth(guest)


async def test_a_yes_to_nothing_books_nothing_at_every_stage(desk: Desk) -> None:
    guest = await desk.open()
    for text in ("yes", "Hi", "yes", ALL_AT_ONCE, "book it", "yes please", "go ahead"):
        await guest.says(text)
        assert (await guest.state()).offer is None
    await guest.says("search")
    for text in ("yes", "book it", "confirm"):
        reply = await guest.says(text)
        assert (reply.state.reservation, reply.state.status) == (None, "open")
    await guest.says("book hotel 1")
    await guest.says("no")
    reply = await guest.says("yes")
    assert (reply.state.offer, reply.state.reservation) == (None, None)
    assert desk.books.booked == []
    await desk.truth(guest)


async def test_a_yes_after_another_choice_books_the_hotel_that_was_offered_last(desk: Desk) -> None:
    guest = await desk.offered(wishes=ALL_AT_ONCE.replace("$700", "$900"))
    first = (await guest.state()).offer
    last = (await guest.says("book hotel 2")).state.offer
    assert first is not None
    assert last is not None
    assert first.hotel_id != last.hotel_id
    await guest.send("yes")
    assert (await guest.result()).outcome == "booked"
    (row,) = desk.rows(guest)
    assert (row.hotel_id, row.fingerprint) == (last.hotel_id, last.digest)
    await desk.truth(guest)


async def test_the_date_that_passes_while_the_guest_thinks_is_refused_by_the_hotels_own_calendar(
    temporal: Client, database: Path
) -> None:
    night = Midnight()
    async with booking_desk(temporal, f"sqlite:///{database}", business_date=None, now=night.clock) as desk:
        # A minute before midnight in Portland the same day can still be booked, though in UTC it has begun.
        other = await desk.offered(night.guest, wishes=night.wishes)
        await other.send("yes")
        assert (await other.result()).outcome == "booked"
        await desk.truth(other)

        guest = await desk.offered(night.guest, wishes=night.wishes)
        night.strike()
        reply = await guest.says("yes")
        assert reply.replies == (wording.refusal("date_passed"),)
        assert reply.state.reservation is not None
        assert (reply.state.reservation.status, reply.state.reservation.reason) == ("refused", "date_passed")
        assert (reply.state.active_step, reply.state.offer, reply.state.hotels) == ("dates", None, ())
        assert desk.rows(guest) == []
        await desk.truth(guest)

        new_date = night.check_in + timedelta(days=30)
        reply = await guest.says(f"{new_date} to {new_date + timedelta(days=1)}")
        for text in ("search", "book hotel 1"):
            reply = await guest.says(text)
        assert reply.state.active_step == "confirm"
        await guest.send("yes")
        assert (await guest.result()).outcome == "booked"
        await desk.truth(guest)


@pytest.mark.parametrize("words", ["yes", "book hotel 1"])
async def test_a_stay_whose_date_came_while_the_guest_was_away_is_not_offered_again(
    clockwork: WorkflowEnvironment, database: Path, words: str
) -> None:
    check_in = datetime.now(ZONE).date() + timedelta(days=1)
    wishes = f"{check_in} to {check_in + timedelta(days=2)}, a suite, at most $2000, wifi and parking, any distance"
    url = f"sqlite:///{database}"
    month = timedelta(days=30).total_seconds()
    async with booking_desk(clockwork.client, url, pinned=None, business_date=None, idle_seconds=month) as desk:
        guest = await desk.offered(wishes=wishes)
        assert await clockwork.fast_forward(guest.handle, timedelta(days=2))
        reply = await guest.says(words)
        assert "Which dates would you like?" in reply.replies[0]
        assert wording.SEARCH_IS_OUT not in reply.replies[0]
        assert (reply.state.active_step, reply.state.offer, reply.state.hotels) == ("dates", None, ())
        assert desk.books.booked == []
        await desk.truth(guest)


async def test_a_digest_that_is_not_the_offers_books_nothing_whoever_sends_it(desk: Desk) -> None:
    guest = await desk.offered()
    await guest.send("yes")
    assert (await guest.result()).outcome == "booked"
    (booking,) = desk.books.booked
    cheaper = booking.offer.model_copy(update={"total": Decimal(1)})
    edited = BookRoom(key=f"{guest.handle.id}:other", digest=booking.digest, offer=cheaper, guest=booking.guest)
    refused = desk.ledger.book(edited)
    assert isinstance(refused, Refused)
    assert refused.reason == "offer_altered"
    assert isinstance(desk.ledger.book(booking), Confirmed)
    assert len(desk.rows(guest)) == 1


@pytest.mark.parametrize(
    ("words", "asked", "off"),
    [
        ("cancel", False, True),
        ("Cancel it, please", True, True),
        ("cancel my booking", True, True),
        ("no", False, True),
        ("no", True, False),
        ("never mind", False, True),
        ("wait", False, False),
        ("hold on", False, False),
        ("yes", False, False),
        ("cancel?", False, False),
        ("don't cancel", False, False),
        ("do not cancel it", False, False),
        ("change my dates", False, False),
        ("no " * 200, False, False),
    ],
)
def test_only_a_clear_no_calls_off_a_booking_that_is_being_checked(words: str, asked: bool, off: bool) -> None:
    assert calls_off(words, asked=asked) is off
