"""What operators see and do: list, show, cancel; and the encryption sentinels."""

from hotels.ledger import Ledger
from nightdesk.booking import Cancelled, Confirmed, Refused
from nightdesk.model import Guest
from tests.hotels.conftest import Clock
from tests.hotels.yeses import broken_nights, count, offer_of, yes_to


def booked(ledger: Ledger, conversation: str = "c1", guest: str = "ada@example.com") -> str:
    told = ledger.book(yes_to(offer_of(conversation), guest=Guest(id=guest, name="A", email=guest)))
    assert isinstance(told, Confirmed)
    return told.confirmation_number


def test_cancelling_twice_gives_each_night_back_once(ledger: Ledger, clock: Clock) -> None:
    booked(ledger, "c2")
    number = booked(ledger)
    clock.move(hours=1)
    first = ledger.cancel(number)
    clock.move(hours=1)
    assert first is not None
    assert first.status == "cancelled"
    assert first.cancelled_at is not None
    assert ledger.cancel(number.lower()) == first
    assert count(ledger, "inventory", "free = capacity - 1") == 2
    with ledger.engine.connect() as connection:
        assert broken_nights(connection) == []
    assert [attempt.outcome for attempt in ledger.attempts(limit=2)] == ["replayed", "cancelled"]


def test_a_cancelled_reservation_is_not_confirmed_again_by_a_late_retry(ledger: Ledger) -> None:
    number = booked(ledger)
    ledger.cancel(number)
    assert ledger.book(yes_to(offer_of())) == Refused(reason="voided", earlier=Cancelled(confirmation_number=number))
    assert count(ledger, "reservations", "status = 'active'") == 0


def test_an_unknown_number_cancels_nothing(ledger: Ledger) -> None:
    assert ledger.cancel("ND-00000000") is None


def test_reservations_are_listed_newest_first_and_found_by_number_or_key(ledger: Ledger, clock: Clock) -> None:
    numbers: list[str] = []
    for guest in ("ada", "bob", "ada"):
        numbers.insert(0, booked(ledger, f"c{len(numbers)}", f"{guest}@example.com"))
        clock.move(minutes=1)
    assert [found.confirmation_number for found in ledger.reservations()] == numbers
    assert len(ledger.reservations(guest_id="ada@example.com")) == 2
    assert len(ledger.reservations(limit=1)) == 1
    ledger.cancel(numbers[0])
    assert [found.confirmation_number for found in ledger.reservations(active_only=True)] == numbers[1:]
    (found,) = ledger.reservations(conversation_id="c1")
    assert ledger.reservation(found.key) == ledger.reservation(found.confirmation_number) == found
    assert ledger.reservation("c9:m1") is None


def test_a_sentinel_is_kept_as_it_was_first_written(ledger: Ledger) -> None:
    assert ledger.sentinels() == []
    assert ledger.add_sentinel("k1", b"\x00\xffsealed")
    assert not ledger.add_sentinel("k1", b"other")
    assert ledger.add_sentinel("k2", b"second")
    assert [(kept.key_id, kept.sealed) for kept in ledger.sentinels()] == [
        ("k1", b"\x00\xffsealed"),
        ("k2", b"second"),
    ]
