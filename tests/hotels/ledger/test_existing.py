"""What a refusal says of the reservation that stands: the conversation's own, as committed, and nobody else's."""

from datetime import timedelta

import pytest
from pydantic import TypeAdapter

from hotels.ledger import Ledger
from nightdesk.booking import BookingOutcome, BookRoom, Cancelled, Confirmed, Refused, SettleReservation
from tests.hotels.conftest import Clock
from tests.hotels.yeses import change, count, offer_of, reprice, set_capacity, yes_to


def booked(ledger: Ledger, booking: BookRoom) -> Confirmed:
    told = ledger.book(booking)
    assert isinstance(told, Confirmed)
    return told


def at_another_moment(booking: BookRoom, message: str = "m1") -> BookRoom:
    """The same terms, offered a minute later."""
    later = booking.offer.expires_at - timedelta(minutes=1)
    return yes_to(booking.offer.model_copy(update={"expires_at": later}), message)


def ask(ledger: Ledger, booking: BookRoom, act: str) -> object:
    return ledger.book(booking) if act == "book" else ledger.settle(SettleReservation(booking=booking))


either = pytest.mark.parametrize("act", ["book", "settle"])


@either
def test_a_new_yes_is_told_of_the_reservation_as_it_was_committed(ledger: Ledger, act: str) -> None:
    first = booked(ledger, yes_to(offer_of()))
    change(ledger, "UPDATE reservations SET total_cents = 12345")
    second = yes_to(offer_of(hotel_id="pdx-night-ferry"), "m2")
    told = ask(ledger, second, act)
    assert isinstance(told, Refused)
    assert (told.reason, told.earlier) == ("already_booked", None)
    assert told.existing is not None
    assert (told.existing.confirmation_number, str(told.existing.total)) == (first.confirmation_number, "123.45")
    assert ask(ledger, second, act) == told, "and so is its retry"


@either
def test_a_reservation_outweighs_whatever_else_is_wrong_with_a_new_yes(ledger: Ledger, clock: Clock, act: str) -> None:
    first = booked(ledger, yes_to(offer_of()))
    dear, late = yes_to(offer_of(), "m2"), offer_of(expires_at=clock.moment + timedelta(minutes=15))
    reprice(ledger, 150)
    clock.move(minutes=16)
    for again in (dear, yes_to(late, "m3")):
        assert ask(ledger, again, act) == Refused(reason="already_booked", existing=first)


@either
def test_the_same_yes_priced_at_another_moment_is_told_what_it_booked(ledger: Ledger, act: str) -> None:
    booking = yes_to(offer_of())
    first = booked(ledger, booking)
    told = ask(ledger, at_another_moment(booking), act)
    assert told == Refused(reason="key_reused", existing=first, earlier=first)
    assert count(ledger, "reservations") == 1


@either
def test_the_same_yes_that_was_refused_is_told_that_refusal_and_what_stands(ledger: Ledger, act: str) -> None:
    set_capacity(ledger, 1)
    booked(ledger, yes_to(offer_of("c2")))
    refused = yes_to(offer_of("c1"))
    assert ledger.book(refused) == Refused(reason="sold_out")
    mine = booked(ledger, yes_to(offer_of("c1", hotel_id="pdx-night-ferry"), "m2"))
    assert ask(ledger, refused, act) == Refused(reason="sold_out", existing=mine)
    told = ask(ledger, at_another_moment(refused), act)
    assert told == Refused(reason="key_reused", existing=mine, earlier=Refused(reason="sold_out"))


@either
def test_the_same_yes_that_was_called_off_is_told_so_and_claims_nothing(ledger: Ledger, act: str) -> None:
    booking, never = yes_to(offer_of("c1")), yes_to(offer_of("c2"))
    number = booked(ledger, booking).confirmation_number
    ledger.cancel(number)
    ledger.settle(SettleReservation(booking=never, give_up=True))
    told = ask(ledger, at_another_moment(booking), act)
    assert told == Refused(reason="key_reused", earlier=Cancelled(confirmation_number=number))
    assert ask(ledger, at_another_moment(never), act) == Refused(reason="key_reused", earlier=Cancelled())


def test_a_refusal_that_is_retried_after_the_reservation_was_cancelled_no_longer_claims_it(ledger: Ledger) -> None:
    first = booked(ledger, yes_to(offer_of()))
    second = yes_to(offer_of(), "m2")
    assert ledger.book(second) == Refused(reason="already_booked", existing=first)
    ledger.cancel(first.confirmation_number)
    assert ledger.book(second) == Refused(reason="already_booked")


def test_giving_up_a_second_yes_leaves_the_first_reservation_and_says_so(ledger: Ledger) -> None:
    first = booked(ledger, yes_to(offer_of()))
    second = SettleReservation(booking=yes_to(offer_of(nights=3), "m2"), give_up=True)
    assert ledger.settle(second) == Cancelled(existing=first)
    assert ledger.settle(second.model_copy(update={"give_up": False})) == Cancelled(existing=first)
    assert ledger.book(second.booking) == Refused(reason="voided", existing=first)
    assert count(ledger, "reservations", "status = 'active'") == 1


@either
def test_a_conversation_hears_of_its_own_reservation_only(ledger: Ledger, act: str) -> None:
    """Two conversations whose ids and message ids make the same key."""
    theirs = booked(ledger, yes_to(offer_of("a:b"), "1"))
    mine = BookRoom(key="a:b:1", digest=offer_of("a").digest, offer=offer_of("a"), guest=yes_to(offer_of()).guest)
    assert ask(ledger, mine, act) == Refused(reason="key_reused")
    assert ledger.settle(SettleReservation(booking=mine, give_up=True)) == Refused(reason="key_reused")
    own = booked(ledger, yes_to(offer_of("a"), "2"))
    assert ask(ledger, mine, act) == Refused(reason="key_reused", existing=own)
    forged = BookRoom(key="a:3", digest=offer_of("a:b").digest, offer=offer_of("a:b"), guest=mine.guest)
    assert ask(ledger, forged, act) == Refused(reason="offer_altered")
    assert theirs.confirmation_number not in str(ask(ledger, forged, act))


def test_an_outcome_of_an_older_worker_still_reads() -> None:
    read: TypeAdapter[object] = TypeAdapter(BookingOutcome)
    refused = read.validate_json('{"status":"refused","reason":"already_booked"}')
    assert refused == Refused(reason="already_booked")
    assert read.validate_json('{"status":"cancelled","confirmation_number":null}') == Cancelled()
