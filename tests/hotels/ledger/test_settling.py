"""Settling an unknown outcome by its key: found, absent, or given up."""

from datetime import timedelta

import pytest

from hotels.ledger import Ledger
from nightdesk.booking import Cancelled, Confirmed, Refused, SettleReservation
from tests.hotels.conftest import Clock
from tests.hotels.yeses import broken_nights, count, edited, offer_of, reprice, set_capacity, yes_to


def test_what_is_found_is_the_answer(ledger: Ledger) -> None:
    booking = yes_to(offer_of())
    booked = ledger.book(booking)
    assert ledger.settle(SettleReservation(booking=booking)) == booked
    assert count(ledger, "reservations") == 1


def test_absent_books_once_under_the_same_key(ledger: Ledger) -> None:
    booking = yes_to(offer_of())
    settled = ledger.settle(SettleReservation(booking=booking))
    assert isinstance(settled, Confirmed)
    assert ledger.settle(SettleReservation(booking=booking)) == settled == ledger.book(booking)
    assert count(ledger, "reservations") == 1


def test_absent_is_held_to_every_rule_of_booking(ledger: Ledger, clock: Clock) -> None:
    late = yes_to(offer_of("c1", expires_at=clock.moment + timedelta(minutes=15)))
    clock.move(minutes=16)
    assert ledger.settle(SettleReservation(booking=late)) == Refused(reason="offer_expired")
    dear = yes_to(offer_of("c2"))
    reprice(ledger, 120)
    assert ledger.settle(SettleReservation(booking=dear)) == Refused(reason="price_changed")
    assert count(ledger, "reservations") == 0


def test_a_refusal_that_was_never_heard_is_found(ledger: Ledger) -> None:
    set_capacity(ledger, 1)
    ledger.book(yes_to(offer_of("c1")))
    unheard = yes_to(offer_of("c2"))
    ledger.book(unheard)
    assert ledger.settle(SettleReservation(booking=unheard)) == Refused(reason="sold_out")


def test_giving_up_before_anything_was_booked_keeps_late_attempts_out(ledger: Ledger) -> None:
    booking = yes_to(offer_of())
    for _ in range(2):
        assert ledger.settle(SettleReservation(booking=booking, give_up=True)) == Cancelled()
    assert ledger.book(booking) == Refused(reason="voided")
    assert ledger.settle(SettleReservation(booking=booking)) == Cancelled()
    assert count(ledger, "reservations") == 0


def test_giving_up_a_reservation_cancels_it_and_gives_each_night_back_once(ledger: Ledger) -> None:
    ledger.book(yes_to(offer_of("c2")))
    booking = yes_to(offer_of("c1"))
    booked = ledger.book(booking)
    assert isinstance(booked, Confirmed)
    given_up = Cancelled(confirmation_number=booked.confirmation_number)
    for _ in range(3):
        assert ledger.settle(SettleReservation(booking=booking, give_up=True)) == given_up
    assert ledger.settle(SettleReservation(booking=booking)) == given_up
    assert ledger.book(booking) == Refused(reason="voided", earlier=given_up)
    assert count(ledger, "inventory", "free = capacity - 1") == 2
    with ledger.engine.connect() as connection:
        assert broken_nights(connection) == []


def test_giving_up_after_a_refusal_cancels_nothing(ledger: Ledger) -> None:
    booking = yes_to(offer_of(), guest=None)
    ledger.book(booking)
    assert ledger.settle(SettleReservation(booking=booking, give_up=True)) == Cancelled()


@pytest.mark.parametrize("give_up", [False, True])
def test_another_conversations_key_is_neither_used_nor_closed(ledger: Ledger, give_up: bool) -> None:
    mine = yes_to(offer_of("c1"))
    theirs = mine.model_copy(update={"offer": offer_of("c2"), "digest": offer_of("c2").digest})
    refused = ledger.settle(SettleReservation(booking=theirs, give_up=give_up))
    assert refused == Refused(reason="offer_altered")
    assert isinstance(ledger.book(mine), Confirmed)
    refused = ledger.settle(SettleReservation(booking=theirs, give_up=give_up))
    assert refused.status == "refused"
    assert count(ledger, "reservations", "status = 'active'") == 1


@pytest.mark.parametrize("give_up", [False, True])
def test_other_terms_under_the_key_settle_nothing(ledger: Ledger, give_up: bool) -> None:
    first = ledger.book(yes_to(offer_of(nights=2)))
    assert isinstance(first, Confirmed)
    other = SettleReservation(booking=yes_to(offer_of(nights=3)), give_up=give_up)
    assert ledger.settle(other) == Refused(reason="key_reused", existing=first, earlier=first)
    assert count(ledger, "reservations", "status = 'active'") == 1


def test_an_edited_offer_cannot_be_settled_into_a_booking(ledger: Ledger) -> None:
    altered = edited(yes_to(offer_of()), room_type="one bed")
    assert ledger.settle(SettleReservation(booking=altered)) == Refused(reason="offer_altered")
    assert count(ledger, "reservations") == 0
