"""The same promises on PostgreSQL: connections cut around COMMIT, and a database that stops amid the bookings."""

import asyncio
from collections.abc import Iterator

import pytest
from temporalio.client import Client

from hotels.ledger import upgrade
from nightdesk import wording
from tests.hotels.postgres import PostgresServer
from tests.hotels.tcp_proxy import Cut, TcpProxy
from tests.hotels.yeses import count, set_capacity
from tests.house import ALL_AT_ONCE, BOUND, GuestTalk
from tests.workflows.bookings import Desk, booking_desk, prompt, shorten, unasked, without_waits
from workflows import policies

around_commit = pytest.mark.parametrize("cut", ["before", "after"])
GUESTS = 20


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    """A server for this module, which stops it."""
    server = PostgresServer()
    try:
        server.start()
        yield server
    finally:
        server.close()


@pytest.fixture(scope="module")
def seeded(postgres: PostgresServer) -> str:
    """A database with the catalogue in it, to be copied."""
    url = postgres.database()
    upgrade(url)
    return url


@pytest.fixture
def url(postgres: PostgresServer, seeded: str) -> Iterator[str]:
    """A seeded database of the test's own."""
    own = postgres.database(template=seeded)
    yield own
    postgres.drop(own)


@pytest.fixture
def proxy(postgres: PostgresServer) -> Iterator[TcpProxy]:
    with TcpProxy(postgres.port) as between:
        yield between


def plan(proxy: TcpProxy, cut: Cut, times: int) -> None:
    (proxy.cut_before_commit if cut == "before" else proxy.cut_after_commit)(times)


async def test_two_yeses_at_once_book_one_room_on_postgresql(temporal: Client, url: str) -> None:
    async with booking_desk(temporal, url) as desk:
        guest = await desk.offered()
        other = GuestTalk(temporal.get_workflow_handle(guest.handle.id))
        await asyncio.gather(guest.send("yes", "tab-1"), other.send("yes", "tab-2"))
        assert (await guest.result()).outcome == "booked"
        assert len(desk.rows(guest)) == 1
        await desk.truth(guest)


@around_commit
async def test_a_connection_cut_once_at_commit_is_tried_again_under_the_key_and_books_once(
    temporal: Client, url: str, proxy: TcpProxy, cut: Cut
) -> None:
    async with booking_desk(temporal, proxy.url(url)) as desk:
        guest = await desk.offered()
        plan(proxy, cut, 1)
        await guest.send("yes", "m4")
        assert (await guest.result()).outcome == "booked"
        assert proxy.cuts == 1
        (row,) = desk.rows(guest)
        assert row.key == f"{guest.handle.id}:m4"
        await desk.truth(guest)


@around_commit
async def test_a_connection_cut_at_every_commit_is_unknown_then_settled_to_one_booking(
    temporal: Client, url: str, proxy: TcpProxy, cut: Cut, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_waits(monkeypatch)
    shorten(monkeypatch, BOOKING=prompt(policies.BOOKING, tries=1))
    async with booking_desk(temporal, proxy.url(url)) as desk, booking_desk(temporal, url) as direct:
        guest = await desk.offered()
        plan(proxy, cut, 1)
        desk.books.lose_settle = ["before"] * 1000
        reply = await guest.says("yes", "m4")
        # The same error both times, and only the database knows which truth it is.
        assert reply.replies == (wording.STILL_CHECKING,)
        assert reply.state.reservation is not None
        assert reply.state.reservation.status == "unknown"
        assert proxy.cuts == 1
        assert len(direct.rows(guest)) == (0 if cut == "before" else 1)
        await direct.truth(guest)
        desk.reachable()
        assert (await guest.result()).outcome == "booked"
        (row,) = direct.rows(guest)
        assert unasked(await guest.transcript()) == [wording.confirmed(row.confirmed())]
        await direct.truth(guest)


@around_commit
async def test_a_connection_cut_at_commit_then_a_cancel_leaves_nothing_booked(
    temporal: Client, url: str, proxy: TcpProxy, cut: Cut, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_waits(monkeypatch)
    shorten(monkeypatch, BOOKING=prompt(policies.BOOKING, tries=1))
    async with booking_desk(temporal, proxy.url(url)) as desk:
        guest = await desk.offered()
        plan(proxy, cut, 1)
        desk.books.lose_settle = ["before"] * 1000
        await guest.says("yes")
        assert (await guest.says("cancel")).replies == (wording.WILL_CANCEL,)
        await desk.until_giving_up()
        plan(proxy, cut, 1)  # the settlement's own commit, too
        desk.reachable()
        await guest.until(lambda state: state.reservation is not None and state.reservation.status == "cancelled")
        assert proxy.cuts == 2
        assert desk.rows(guest, active=True) == []
        assert len(desk.rows(guest)) == (0 if cut == "before" else 1)
        assert count(desk.ledger, "inventory", "free <> capacity") == 0
        await desk.truth(guest)


async def test_attempts_that_overlap_on_postgresql_book_one_room(
    temporal: Client, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorten(monkeypatch, BOOKING=prompt(policies.BOOKING, try_for=0.4, tries=20, in_all=20))
    async with booking_desk(temporal, url) as desk:
        guest = await desk.offered()
        desk.books.hold = "before"
        await guest.send("yes")
        await desk.books.until_entered(3)
        desk.books.hold = None
        desk.books.go_on.set()
        assert (await guest.result()).outcome == "booked"
        await desk.books.until_done(3)
        assert len(desk.rows(guest)) == 1
        await desk.truth(guest)


async def test_the_database_stopped_amid_20_bookings_and_started_again_settles_them_all(
    temporal: Client, postgres: PostgresServer, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_waits(monkeypatch)
    async with booking_desk(temporal, url) as desk:
        await stopped_amid_bookings(desk, postgres)


@pytest.mark.drill
async def test_the_database_stopped_amid_20_bookings_settles_them_all_under_the_policies_as_they_are(
    temporal: Client, postgres: PostgresServer, url: str
) -> None:
    async with booking_desk(temporal, url) as desk:
        await stopped_amid_bookings(desk, postgres)


async def stopped_amid_bookings(desk: Desk, server: PostgresServer) -> None:
    guests = await asyncio.gather(*(desk.offered(wishes=ALL_AT_ONCE) for _ in range(GUESTS)))
    offer = (await guests[0].state()).offer
    assert offer is not None
    set_capacity(desk.ledger, GUESTS - 2, offer.hotel_id, offer.room_type)
    for number, guest in enumerate(guests):
        await guest.send("yes", f"yes-{number}")
    await desk.books.until_done(5)
    await asyncio.to_thread(server.stop, "immediate")
    try:
        async with asyncio.timeout(BOUND * 3):
            while not any([await is_unknown(guest) for guest in guests]):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
    finally:
        await asyncio.to_thread(server.start)
    async with asyncio.timeout(BOUND * 2):
        for guest in guests:
            await guest.until(lambda state: state.reservation is not None and state.reservation.status != "unknown")
    states = [await desk.truth(guest) for guest in guests]
    told = [state.reservation for state in states]
    assert [r.status for r in told if r].count("confirmed") == GUESTS - 2
    assert [r.reason for r in told if r].count("sold_out") == 2
    assert count(desk.ledger, "reservations") == GUESTS - 2
    assert count(desk.ledger, "inventory", "free = 0") == offer.nights


async def is_unknown(guest: GuestTalk) -> bool:
    reservation = (await guest.state()).reservation
    return reservation is not None and reservation.status == "unknown"
