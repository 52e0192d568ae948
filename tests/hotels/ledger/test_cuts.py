"""PostgreSQL's connection cut around COMMIT: the same error, different truths, one booking by the key."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from hotels.ledger import Ledger, LedgerUnavailable
from nightdesk.booking import BookRoom, Cancelled, Confirmed, Refused, SettleReservation
from tests.hotels.conftest import OpenLedger
from tests.hotels.postgres import PostgresServer
from tests.hotels.tcp_proxy import Cut, TcpProxy
from tests.hotels.yeses import broken_nights, count, offer_of, yes_to

both_cuts = pytest.mark.parametrize("cut", ["before", "after"])


@pytest.fixture
def proxy(postgres_server: PostgresServer, postgres_ledger_url: str):
    with TcpProxy(postgres_server.port) as proxy:
        yield proxy


@pytest.fixture
def direct(postgres_ledger_url: str, open_ledger: OpenLedger) -> Ledger:
    """A ledger with an unbroken connection, for looking."""
    return open_ledger(postgres_ledger_url)


@pytest.fixture
def cut_off(postgres_ledger_url: str, open_ledger: OpenLedger, proxy: TcpProxy) -> Ledger:
    """A ledger by way of the proxy."""
    return open_ledger(proxy.url(postgres_ledger_url))


def plan(proxy: TcpProxy, cut: Cut, times: int = 1) -> None:
    (proxy.cut_before_commit if cut == "before" else proxy.cut_after_commit)(times)


def known(ledger: Ledger, booking: BookRoom, *, give_up: bool = False) -> Confirmed | Refused | Cancelled:
    """Settle, as often as a worker would try."""
    for _ in range(10):
        try:
            return ledger.settle(SettleReservation(booking=booking, give_up=give_up))
        except LedgerUnavailable:
            continue
    raise AssertionError("never settled")


@both_cuts
def test_a_cut_at_commit_is_unknown_then_settled_to_one_booking(
    cut_off: Ledger, direct: Ledger, proxy: TcpProxy, cut: Cut
) -> None:
    booking = yes_to(offer_of())
    plan(proxy, cut)
    with pytest.raises(LedgerUnavailable):
        cut_off.book(booking)
    assert proxy.cuts == 1
    assert count(direct, "reservations") == (0 if cut == "before" else 1)
    settled = known(cut_off, booking)
    assert isinstance(settled, Confirmed)
    assert direct.book(booking) == settled
    assert count(direct, "reservations") == 1
    assert count(direct, "inventory", "free = capacity - 1") == 2


@both_cuts
def test_a_cut_then_the_same_yes_again_books_once(cut_off: Ledger, direct: Ledger, proxy: TcpProxy, cut: Cut) -> None:
    booking = yes_to(offer_of())
    plan(proxy, cut, times=2)
    for _ in range(10):
        try:
            told = cut_off.book(booking)
            break
        except LedgerUnavailable:
            continue
    else:
        raise AssertionError("never booked")
    assert proxy.cuts == 2
    assert isinstance(told, Confirmed)
    assert count(direct, "reservations") == 1


@both_cuts
def test_a_cut_then_giving_up_leaves_nothing_booked(cut_off: Ledger, direct: Ledger, proxy: TcpProxy, cut: Cut) -> None:
    booking = yes_to(offer_of())
    plan(proxy, cut)
    with pytest.raises(LedgerUnavailable):
        cut_off.book(booking)
    plan(proxy, cut)
    assert isinstance(known(cut_off, booking, give_up=True), Cancelled)
    assert count(direct, "reservations", "status = 'active'") == 0
    assert count(direct, "inventory", "free <> capacity") == 0
    late = direct.book(booking)
    assert isinstance(late, Refused)
    assert (late.reason, late.existing) == ("voided", None)


def test_a_database_that_crashes_in_the_middle_of_20_bookings_settles_them_all(
    postgres_server: PostgresServer, direct: Ledger, open_ledger: OpenLedger, postgres_ledger_url: str
) -> None:
    yeses = [yes_to(offer_of(f"c{number}", hotel_id="pdx-runway-thistle", room_type="one bed")) for number in range(20)]
    ledger = open_ledger(postgres_ledger_url)
    answered = threading.Semaphore(0)

    def book(yes: BookRoom) -> Confirmed | Refused | None:
        try:
            return ledger.book(yes)
        except LedgerUnavailable:
            return None
        finally:
            answered.release()

    with ThreadPoolExecutor(4) as pool:
        booking = [pool.submit(book, yes) for yes in yeses]
        for _ in range(5):
            assert answered.acquire(timeout=10)
        postgres_server.stop("immediate")
        try:
            told = [future.result() for future in booking]
        finally:
            postgres_server.start()
    assert None in told
    settled = [known(ledger, yes) for yes in yeses]
    assert all(isinstance(outcome, Confirmed) for outcome in settled)
    for before, after in zip(told, settled, strict=True):
        assert before in (None, after)
    fresh = open_ledger(postgres_ledger_url)
    assert count(fresh, "reservations") == 20
    with fresh.engine.connect() as connection:
        assert broken_nights(connection) == []


def test_after_a_broken_connection_the_next_call_works(cut_off: Ledger, proxy: TcpProxy) -> None:
    for _ in range(3):
        cut_off.ping()
        proxy.drop()
        with pytest.raises(LedgerUnavailable):
            cut_off.ping()
        cut_off.ping()
