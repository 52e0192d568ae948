"""Many guests at once: never oversold, one reservation per yes, and no error that is not an outcome."""

import random
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TypeVar

import pytest

from hotels.ledger import Ledger
from nightdesk.booking import BookRoom, Cancelled, Confirmed, Refused, SettleReservation
from tests.hotels.conftest import OpenLedger
from tests.hotels.yeses import (
    CHECK_IN,
    broken_nights,
    change,
    count,
    offer_of,
    set_capacity,
    watch_every_commit,
    yes_to,
)

Answer = TypeVar("Answer")
THREADS = 32
normal_and_drill = pytest.mark.parametrize("guests", [100, pytest.param(1000, marks=pytest.mark.drill)])
small_and_drill = pytest.mark.parametrize("tries", [100, pytest.param(1000, marks=pytest.mark.drill)])


def all_at_once(calls: Sequence[Callable[[], Answer]]) -> list[Answer]:
    """Their answers, in order; an exception of any is raised."""
    with ThreadPoolExecutor(THREADS) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]


def stays(guests: int, seed: int) -> list[BookRoom]:
    """Yeses to 1 to 4 nights somewhere in a window of ten."""
    dice = random.Random(seed)
    yeses: list[BookRoom] = []
    for guest in range(guests):
        nights = dice.randint(1, 4)
        check_in = CHECK_IN + timedelta(days=dice.randint(0, 10 - nights))
        yeses.append(yes_to(offer_of(f"c{guest}", check_in=check_in, nights=nights)))
    return yeses


@normal_and_drill
def test_many_guests_for_five_rooms_are_sold_exactly_what_fits(ledger: Ledger, guests: int) -> None:
    set_capacity(ledger, 5)
    broken = watch_every_commit(ledger)
    yeses = stays(guests, seed=guests)
    told = all_at_once([lambda yes=yes: ledger.book(yes) for yes in yeses])

    assert broken == []
    with ledger.engine.connect() as connection:
        assert broken_nights(connection) == []
    assert {outcome.status for outcome in told} == {"confirmed", "refused"}
    sold_out = Refused(reason="sold_out")
    assert all(outcome == sold_out for outcome in told if not isinstance(outcome, Confirmed))
    confirmed = [outcome for outcome in told if isinstance(outcome, Confirmed)]
    assert len(confirmed) == count(ledger, "reservations", "status = 'active'")
    assert len({outcome.confirmation_number for outcome in confirmed}) == len(confirmed)

    slept = Counter(
        night
        for yes, outcome in zip(yeses, told, strict=True)
        if isinstance(outcome, Confirmed)
        for night in yes.offer.stay.nights
    )
    assert max(slept.values()) == 5
    # Nobody was refused who would have fitted: of each refused stay, a night is full.
    for yes, outcome in zip(yeses, told, strict=True):
        if outcome == sold_out:
            assert any(slept[night] == 5 for night in yes.offer.stay.nights)


@normal_and_drill
def test_two_programs_that_book_cancel_and_give_up_at_once_leave_the_counts_right(
    ledger_url: str, open_ledger: OpenLedger, guests: int
) -> None:
    """Two ledgers stand for two processes: each has its own pool and its own line of writers."""
    programs = [open_ledger(ledger_url), open_ledger(ledger_url)]
    set_capacity(programs[0], 5)
    broken = [watch_every_commit(ledger) for ledger in programs]

    def come_and_go(ledger: Ledger, yes: BookRoom) -> object:
        told = ledger.book(yes)
        if not isinstance(told, Confirmed):
            return told
        if int(yes.digest, 16) % 2:
            return ledger.cancel(told.confirmation_number)
        return ledger.settle(SettleReservation(booking=yes, give_up=True))

    yeses = stays(guests, seed=7)
    all_at_once([lambda n=n: come_and_go(programs[n % 2], yeses[n]) for n in range(guests)])
    assert broken == [[], []]
    assert count(programs[0], "reservations", "status = 'active'") == 0
    assert count(programs[0], "inventory", "free <> capacity") == 0
    assert count(programs[0], "reservations", "status = 'cancelled'") > 5


@small_and_drill
def test_many_attempts_over_three_keys_are_three_reservations(ledger: Ledger, tries: int) -> None:
    yeses = [yes_to(offer_of(f"c{number}", nights=3)) for number in range(3)]
    told = all_at_once([lambda n=n: ledger.book(yeses[n % 3]) for n in range(tries)])
    assert all(isinstance(outcome, Confirmed) for outcome in told)
    assert len({outcome.model_dump_json() for outcome in told}) == 3
    outcomes = Counter(attempt.outcome for attempt in ledger.attempts(limit=tries + 1))
    assert outcomes == {"booked": 3, "replayed": tries - 3}
    assert count(ledger, "reservations") == 3
    assert count(ledger, "inventory", "free = capacity - 3") == 3


def test_two_yeses_of_one_conversation_at_once_book_one_room(ledger: Ledger) -> None:
    for number in range(20):
        start = threading.Barrier(2)
        day = CHECK_IN + timedelta(days=2 * number)
        yeses = [
            yes_to(offer_of(f"c{number}", check_in=day), "m1"),
            yes_to(offer_of(f"c{number}", check_in=day, room_type="one bed"), "m2"),
        ]

        def say(yes: BookRoom, start: threading.Barrier = start) -> Confirmed | Refused:
            start.wait(5)
            return ledger.book(yes)

        told = all_at_once([lambda yes=yes, say=say: say(yes) for yes in yeses])
        assert sorted(outcome.status for outcome in told) == ["confirmed", "refused"]
        (first,) = (outcome for outcome in told if isinstance(outcome, Confirmed))
        assert Refused(reason="already_booked", existing=first) in told
    assert count(ledger, "reservations") == 20


def test_a_yes_and_its_giving_up_at_once_end_with_nothing_booked(ledger: Ledger) -> None:
    for number in range(20):
        start = threading.Barrier(2)
        yes = yes_to(offer_of(f"c{number}"))

        def book(yes: BookRoom = yes, start: threading.Barrier = start) -> object:
            start.wait(5)
            return ledger.book(yes)

        def give_up(yes: BookRoom = yes, start: threading.Barrier = start) -> object:
            start.wait(5)
            return ledger.settle(SettleReservation(booking=yes, give_up=True))

        booked, given_up = all_at_once([book, give_up])
        assert isinstance(given_up, Cancelled)
        if isinstance(booked, Confirmed):
            assert given_up.confirmation_number == booked.confirmation_number
        else:
            assert isinstance(booked, Refused)
            assert (booked.reason, booked.existing) == ("voided", None)
    assert count(ledger, "reservations", "status = 'active'") == 0
    assert count(ledger, "inventory", "free <> capacity") == 0


def test_the_database_itself_refuses_to_oversell(ledger: Ledger) -> None:
    """The last line of defence, should the code above it ever be wrong."""
    ledger.book(yes_to(offer_of()))
    for free in ("-1", "capacity + 1"):
        with pytest.raises(Exception, match="never_oversold"):
            change(ledger, f"UPDATE inventory SET free = {free}")
    with pytest.raises(Exception, match=r"(?i)unique"):
        change(
            ledger,
            "INSERT INTO reservations SELECT 'ND-X', key || 'x', fingerprint, conversation_id, guest_id,"
            " guest_name, guest_email, hotel_id, hotel_name, room_type, check_in, check_out, total_cents,"
            " currency, status, created_at, cancelled_at FROM reservations",
        )
