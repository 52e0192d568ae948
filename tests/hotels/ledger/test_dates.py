"""The hotel's own calendar decides, at the moment of the booking: midnight, clock changes, leap days."""

from datetime import UTC, date, datetime, timedelta

import pytest

from hotels.ledger import Ledger
from nightdesk.booking import Confirmed, Refused, SettleReservation
from nightdesk.hotels import SearchRequest
from tests.hotels.conftest import Clock, OpenLedger
from tests.hotels.yeses import count, offer_of, yes_to


@pytest.mark.parametrize(
    "midnight",
    [
        "2027-08-03T00:00:00-07:00",  # summer
        "2027-01-20T00:00:00-08:00",  # winter
        "2027-03-15T00:00:00-07:00",  # the night after the clock went forward
        "2027-11-08T00:00:00-08:00",  # the night after the clock went back
        "2028-02-29T00:00:00-08:00",  # a leap day begins
        "2028-03-01T00:00:00-08:00",  # and ends
    ],
)
def test_the_date_passes_at_the_hotels_midnight(ledger: Ledger, clock: Clock, midnight: str) -> None:
    """A guest may say yes up to the last moment before the day of the check-in begins at the hotel."""
    moment = datetime.fromisoformat(midnight)
    check_in = moment.date()
    clock.moment = moment.astimezone(UTC) - timedelta(microseconds=1)
    assert isinstance(ledger.book(yes_to(offer_of("c1", check_in=check_in))), Confirmed)
    clock.move(microseconds=1)
    late = yes_to(offer_of("c2", check_in=check_in))
    assert ledger.book(late) == Refused(reason="date_passed")
    assert count(ledger, "reservations") == 1


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "UTC", "Pacific/Pago_Pago"])
def test_midnight_elsewhere_means_nothing(
    ledger: Ledger, clock: Clock, zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine's own zone and date play no part."""
    import time

    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        clock.moment = datetime.fromisoformat("2027-08-02T23:59:59-07:00")
        assert ledger.today == date(2027, 8, 2)
        assert isinstance(ledger.book(yes_to(offer_of("c1"))), Confirmed)
        assert ledger.search(SearchRequest(check_in=date(2027, 8, 3), check_out=date(2027, 8, 4))).hotels
        clock.move(seconds=1)
        assert ledger.today == date(2027, 8, 3)
        assert ledger.book(yes_to(offer_of("c2"))) == Refused(reason="date_passed")
    finally:
        monkeypatch.undo()
        time.tzset()


def test_the_date_that_passed_while_an_outcome_was_unknown_is_refused(ledger: Ledger, clock: Clock) -> None:
    booking = yes_to(offer_of())
    clock.moment = datetime.fromisoformat("2027-08-03T00:00:00-07:00")
    assert ledger.settle(SettleReservation(booking=booking)) == Refused(reason="date_passed")


def test_a_pinned_business_date_decides_instead_of_the_zone(
    ledger_url: str, open_ledger: OpenLedger, clock: Clock
) -> None:
    clock.moment = datetime(2030, 1, 1, tzinfo=UTC)
    pinned = open_ledger(ledger_url, business_date=date(2027, 8, 2))
    assert isinstance(pinned.book(yes_to(offer_of("c1"))), Confirmed)
    pinned = open_ledger(ledger_url, business_date=date(2027, 8, 3))
    assert pinned.book(yes_to(offer_of("c2"))) == Refused(reason="date_passed")


def test_a_stay_across_the_clock_changes_and_a_leap_day_has_a_night_per_date(ledger: Ledger) -> None:
    for number, (check_in, nights) in enumerate(
        [(date(2027, 3, 13), 3), (date(2027, 11, 6), 3), (date(2028, 2, 28), 2)]
    ):
        offer = offer_of(f"c{number}", check_in=check_in, nights=nights)
        told = ledger.book(yes_to(offer))
        assert isinstance(told, Confirmed)
        stored = ledger.reservation(told.confirmation_number)
        assert stored is not None
        expected = [check_in + timedelta(days=day) for day in range(nights)]
        assert [night.date for night in stored.nightly] == expected
    assert count(ledger, "reservation_nights", "night = '2028-02-29'") == 1
