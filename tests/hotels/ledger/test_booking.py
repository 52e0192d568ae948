"""The booking transaction: what is confirmed, what is refused and why, on both databases."""

from datetime import timedelta
from decimal import Decimal

import pytest

from hotels.ledger import Ledger
from nightdesk.booking import BookRoom, Confirmed, Refused
from nightdesk.model import Guest
from tests.hotels.conftest import Clock, OpenLedger
from tests.hotels.yeses import CHECK_IN, GUEST, HOTEL, change, count, edited, offer_of, reprice, set_capacity, yes_to


def nothing_is_booked(ledger: Ledger) -> bool:
    return count(ledger, "reservations") == count(ledger, "inventory", "free < capacity") == 0


def test_a_yes_books_the_room_at_the_terms_agreed_to(ledger: Ledger) -> None:
    offer = offer_of()
    told = ledger.book(yes_to(offer))
    assert isinstance(told, Confirmed)
    assert (told.hotel_id, told.hotel_name, told.room_type) == (HOTEL, offer.name, "suite")
    assert (told.check_in, told.check_out, told.total) == (offer.check_in, offer.check_out, offer.total)
    stored = ledger.reservation(told.confirmation_number)
    assert stored is not None
    assert stored.confirmed() == told
    assert [night.price for night in stored.nightly] == list(offer.nightly)
    assert (stored.guest, stored.key, stored.fingerprint) == (GUEST, "c1:m1", offer.digest)
    assert count(ledger, "inventory", "free = capacity - 1") == 2


def test_what_is_said_is_read_from_the_row(ledger: Ledger) -> None:
    booking = yes_to(offer_of())
    ledger.book(booking)
    change(ledger, "UPDATE reservations SET total_cents = 12345")
    told = ledger.book(booking)
    assert isinstance(told, Confirmed)
    assert told.total == Decimal("123.45")


def test_the_same_yes_again_gets_the_same_answer_and_takes_nothing(ledger: Ledger) -> None:
    booking = yes_to(offer_of())
    assert len({ledger.book(booking).model_dump_json() for _ in range(5)}) == 1
    assert count(ledger, "reservations") == 1
    assert count(ledger, "inventory", "free = capacity - 1") == 2
    assert [attempt.outcome for attempt in ledger.attempts()] == ["replayed"] * 4 + ["booked"]


def test_a_retry_of_a_booked_yes_is_confirmed_whatever_has_changed_since(ledger: Ledger, clock: Clock) -> None:
    booking = yes_to(offer_of(expires_at=clock.moment + timedelta(minutes=15)))
    first = ledger.book(booking)
    reprice(ledger, 150)
    clock.move(days=1000)
    assert ledger.book(booking) == first


def test_the_same_key_with_other_terms_is_refused(ledger: Ledger) -> None:
    first = ledger.book(yes_to(offer_of(nights=2)))
    assert isinstance(first, Confirmed)
    again = ledger.book(yes_to(offer_of(nights=3)))
    assert again == Refused(reason="key_reused", existing=first, earlier=first)
    assert ledger.book(yes_to(offer_of(nights=2))) == first
    assert count(ledger, "reservations") == 1


@pytest.mark.parametrize(
    "change_",
    [
        {"total": Decimal("1.00")},
        {"hotel_id": "pdx-night-ferry"},
        {"room_type": "one bed"},
        {"check_out": CHECK_IN + timedelta(days=3)},
        {"nightly": ()},
        {"currency": "EUR"},
        {"conversation_id": "c2"},
        {"name": "The Grand"},
    ],
    ids=lambda change_: next(iter(change_)),
)
def test_an_edited_offer_is_refused(ledger: Ledger, change_: dict[str, object]) -> None:
    assert ledger.book(edited(yes_to(offer_of()), **change_)) == Refused(reason="offer_altered")
    assert nothing_is_booked(ledger)


def test_an_edited_offer_does_not_spoil_the_key_for_the_true_one(ledger: Ledger) -> None:
    booking = yes_to(offer_of())
    ledger.book(edited(booking, total=Decimal("1.00")))
    assert isinstance(ledger.book(booking), Confirmed)


def test_another_conversations_offer_is_refused_under_my_key(ledger: Ledger) -> None:
    theirs = offer_of("c2")
    stolen = BookRoom(key="c1:m1", digest=theirs.digest, offer=theirs, guest=GUEST)
    assert ledger.book(stolen) == Refused(reason="offer_altered")
    assert nothing_is_booked(ledger)
    assert isinstance(ledger.book(yes_to(offer_of("c1"))), Confirmed)


def test_another_hotels_name_on_the_offer_is_refused(ledger: Ledger) -> None:
    offer = offer_of().model_copy(update={"name": "The Grand"})
    assert ledger.book(yes_to(offer)) == Refused(reason="offer_altered")
    assert nothing_is_booked(ledger)


@pytest.mark.parametrize("nights", [0, -1, 367])
def test_a_stay_that_is_none_is_refused(ledger: Ledger, nights: int) -> None:
    assert ledger.book(yes_to(offer_of(nights=nights))) == Refused(reason="offer_altered")
    assert nothing_is_booked(ledger)


def test_without_a_guest_nothing_is_booked(ledger: Ledger) -> None:
    assert ledger.book(yes_to(offer_of(), guest=None)) == Refused(reason="not_signed_in")
    assert nothing_is_booked(ledger)


def test_an_offer_expires_at_its_moment_and_not_before(ledger: Ledger, clock: Clock) -> None:
    expires = clock.moment + timedelta(minutes=15)
    clock.move(minutes=15, microseconds=-1)
    assert isinstance(ledger.book(yes_to(offer_of("c1", expires_at=expires))), Confirmed)
    clock.move(microseconds=1)
    assert ledger.book(yes_to(offer_of("c2", expires_at=expires))) == Refused(reason="offer_expired")
    assert count(ledger, "reservations") == 1


def test_an_offer_that_expires_while_it_waits_for_its_nights_is_refused(
    ledger: Ledger, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hotels.ledger import booking as transaction

    take = transaction.take_nights

    def slowly(*arguments: object) -> None:
        take(*arguments)  # type: ignore[arg-type]
        clock.move(minutes=20)

    monkeypatch.setattr(transaction, "take_nights", slowly)
    offer = offer_of(expires_at=clock.moment + timedelta(minutes=15))
    assert ledger.book(yes_to(offer)) == Refused(reason="offer_expired")
    assert nothing_is_booked(ledger)


@pytest.mark.parametrize("percent", [90, 101, 150])
def test_a_price_that_changed_in_either_direction_takes_nothing(ledger: Ledger, percent: int) -> None:
    offer = offer_of()
    reprice(ledger, percent)
    assert ledger.book(yes_to(offer)) == Refused(reason="price_changed")
    assert nothing_is_booked(ledger)


PRICES = offer_of().nightly


@pytest.mark.parametrize(
    "wrong",
    [
        {"total": sum(PRICES) - Decimal("0.01")},
        {"nightly": (PRICES[0] + 1, PRICES[1] - 1)},
        {"nightly": PRICES[:1]},
        {"currency": "EUR"},
    ],
    ids=["total", "shifted", "a night left out", "currency"],
)
def test_prices_that_are_not_the_hotels_are_refused(ledger: Ledger, wrong: dict[str, object]) -> None:
    assert ledger.book(yes_to(offer_of().model_copy(update=wrong))) == Refused(reason="price_changed")
    assert nothing_is_booked(ledger)


def test_the_limit_is_the_most_that_one_reservation_may_cost(ledger_url: str, open_ledger: OpenLedger) -> None:
    offer = offer_of()
    tight = open_ledger(ledger_url, booking_limit=offer.total - Decimal("0.01"))
    assert tight.book(yes_to(offer)) == Refused(reason="over_limit")
    assert nothing_is_booked(tight)
    just_enough = open_ledger(ledger_url, booking_limit=offer.total)
    assert isinstance(just_enough.book(yes_to(offer, "m2")), Confirmed)


def test_unknown_hotels_and_rooms_are_refused(ledger: Ledger) -> None:
    for wrong in ({"hotel_id": "pdx-nowhere"}, {"room_type": "penthouse"}):
        offer = offer_of().model_copy(update=wrong)
        assert ledger.book(yes_to(offer, next(iter(wrong)))) == Refused(reason="hotel_unknown")
    assert nothing_is_booked(ledger)


def test_one_active_reservation_per_conversation(ledger: Ledger) -> None:
    first = ledger.book(yes_to(offer_of()))
    second = offer_of(hotel_id="pdx-night-ferry")
    assert isinstance(first, Confirmed)
    assert ledger.book(yes_to(second, "m2")) == Refused(reason="already_booked", existing=first)
    ledger.cancel(first.confirmation_number)
    assert isinstance(ledger.book(yes_to(second, "m3")), Confirmed)
    assert count(ledger, "reservations", "status = 'active'") == 1


def test_one_sold_out_night_refuses_the_stay_and_gives_the_others_back(ledger: Ledger) -> None:
    set_capacity(ledger, 1)
    last = CHECK_IN + timedelta(days=2)
    assert isinstance(ledger.book(yes_to(offer_of("c1", check_in=last, nights=1))), Confirmed)
    assert ledger.book(yes_to(offer_of("c2", nights=3))) == Refused(reason="sold_out")
    assert count(ledger, "inventory", "free = 0") == 1
    assert isinstance(ledger.book(yes_to(offer_of("c3", nights=2))), Confirmed)


def test_the_night_of_the_check_out_is_not_taken(ledger: Ledger) -> None:
    set_capacity(ledger, 1)
    assert isinstance(ledger.book(yes_to(offer_of("c1", nights=2))), Confirmed)
    after = CHECK_IN + timedelta(days=2)
    assert isinstance(ledger.book(yes_to(offer_of("c2", check_in=after, nights=1))), Confirmed)


def test_a_refusal_is_final_for_its_key(ledger: Ledger) -> None:
    """Else an attempt that arrives late books what its guest was told is not booked."""
    set_capacity(ledger, 1)
    first = ledger.book(yes_to(offer_of("c1")))
    late = yes_to(offer_of("c2"))
    assert ledger.book(late) == Refused(reason="sold_out")
    assert isinstance(first, Confirmed)
    ledger.cancel(first.confirmation_number)
    assert ledger.book(late) == Refused(reason="sold_out")
    assert count(ledger, "reservations", "status = 'active'") == 0
    assert isinstance(ledger.book(yes_to(offer_of("c2"), "m2")), Confirmed)


def test_every_attempt_is_written_down(ledger: Ledger) -> None:
    ledger.book(yes_to(offer_of(), guest=None))
    told = ledger.book(yes_to(offer_of(), "m2"))
    assert isinstance(told, Confirmed)
    booked, refused = ledger.attempts()
    assert (refused.key, refused.act, refused.outcome) == ("c1:m1", "book", "refused")
    assert refused.reason == "not_signed_in"
    assert (booked.key, booked.outcome) == ("c1:m2", "booked")
    assert booked.confirmation_number == told.confirmation_number


@pytest.mark.parametrize("name", ["O'Neil; DROP TABLE reservations;--", "日本 🏨", "%s :name {}", "a" * 5000])
def test_a_guests_name_is_only_ever_text(ledger: Ledger, name: str) -> None:
    guest = Guest(id="x@example.com", name=name, email="x@example.com")
    told = ledger.book(yes_to(offer_of(), guest=guest))
    assert isinstance(told, Confirmed)
    stored = ledger.reservation(told.confirmation_number)
    assert stored is not None
    assert stored.guest == guest


@pytest.mark.parametrize("name", ["nul\0", "surrogate\ud800"])
def test_text_that_no_database_can_hold_is_refused_not_raised(ledger: Ledger, name: str) -> None:
    guest = Guest.model_construct(id="x@example.com", name=name, email="x@example.com")
    assert ledger.book(yes_to(offer_of(), guest=guest)) == Refused(reason="offer_altered")
    assert nothing_is_booked(ledger)


def test_confirmation_numbers_are_hard_to_guess_and_easy_to_read(ledger: Ledger) -> None:
    numbers: set[str] = set()
    for guest in range(4):
        told = ledger.book(yes_to(offer_of(f"c{guest}")))
        assert isinstance(told, Confirmed)
        numbers.add(told.confirmation_number)
    assert len(numbers) == 4
    for number in numbers:
        assert len(number) == 11
        assert set(number[3:]) <= set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")


def test_a_confirmation_number_that_is_taken_is_drawn_again(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["ND-SAME", "ND-SAME", "ND-OTHER"])
    monkeypatch.setattr("hotels.ledger.booking.new_number", lambda: next(drawn))
    told = [ledger.book(yes_to(offer_of(conversation))) for conversation in ("c1", "c2")]
    assert [outcome.model_dump().get("confirmation_number") for outcome in told] == ["ND-SAME", "ND-OTHER"]
    assert count(ledger, "inventory", "free = capacity - 2") == 2
