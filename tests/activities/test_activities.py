"""What each activity promises around its provider: which one answers, heartbeats, failures by type, exact results."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest
from temporalio import activity
from temporalio.api.failure.v1 import Failure
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.attempt import HEARTBEAT_EVERY, deadline, retry_after
from activities.book_room import Booking
from activities.conversation_settings import HeldSettings
from activities.converse import Converse
from activities.decide import Decide
from activities.search_hotels import SearchHotels
from activities.settle_reservation import Settlement
from hotels.ledger import LedgerUnavailable
from nightdesk.booking import BookRoom, Cancelled, Confirmed, Refused, SettleReservation
from nightdesk.boundaries import ConverseRequest, DecideRequest, Message, ModelTurn, ReadFacts, RouterFacts
from nightdesk.conversation_settings import ConversationSettings
from nightdesk.decisions import Decision
from nightdesk.failures import DECISION_REJECTED, LEDGER_REJECTED, LEDGER_UNAVAILABLE
from nightdesk.hotels import FindHotels, SearchRequest
from nightdesk.screening import RawResult
from tests.activities.samples import booking, hotel

TODAY = date(2027, 1, 10)
DECIDE = DecideRequest(
    facts=RouterFacts(request="hello", prior_requests=(), today=TODAY, awaiting="dates", criteria={}), questions={}
)
CONVERSE = ConverseRequest(
    guidance="Read.",
    messages=(Message(role="guest", text="hello"),),
    facts=ReadFacts(request="hello", today=TODAY, awaiting="dates", criteria={}),
)
CONFIRMED = Confirmed(
    confirmation_number="N-1",
    hotel_id="h1",
    hotel_name="Harbour House",
    room_type="suite",
    check_in=date(2027, 8, 3),
    check_out=date(2027, 8, 5),
    total=Decimal("1200.00"),
    currency="USD",
)


class Named:
    """Answers as itself."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def decide(self, request: DecideRequest) -> Decision:
        return Decision(model=self.name, answers={})

    async def converse(self, request: ConverseRequest) -> ModelTurn:
        return ModelTurn(model=self.name)


async def test_an_outage_is_answered_by_the_local_provider_and_nothing_else_is():
    decide = Decide(Named("configured"), Named("local")).decide
    converse = Converse(Named("configured"), Named("local")).converse
    env = ActivityEnvironment()
    assert (await env.run(decide, DECIDE)).model == "configured"
    assert (await env.run(decide, DECIDE.model_copy(update={"provider": "local"}))).model == "local"
    assert (await env.run(converse, CONVERSE)).model == "configured"
    assert (await env.run(converse, CONVERSE.model_copy(update={"provider": "local"}))).model == "local"


async def test_an_activity_heartbeats_from_its_start_and_while_it_waits():
    beats = 0
    thrice = asyncio.Event()

    def beat(*_: object) -> None:
        nonlocal beats
        beats += 1
        if beats == 3:
            thrice.set()

    class Slow(Named):
        async def decide(self, request: DecideRequest) -> Decision:
            await thrice.wait()
            return Decision(model="slow", answers={})

    env = ActivityEnvironment()
    env.on_heartbeat = beat
    started = asyncio.get_running_loop().time()
    await asyncio.wait_for(env.run(Decide(Slow("s"), Slow("s")).decide, DECIDE), 10)
    assert asyncio.get_running_loop().time() - started >= 2 * HEARTBEAT_EVERY - 0.05


async def test_a_cancelled_activity_ends_as_cancelled():
    begun = asyncio.Event()

    class Hanging(Named):
        async def decide(self, request: DecideRequest) -> Decision:
            begun.set()
            await asyncio.Event().wait()
            raise AssertionError

    env = ActivityEnvironment()
    running = asyncio.create_task(env.run(Decide(Hanging("h"), Hanging("h")).decide, DECIDE))
    await begun.wait()
    env.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_an_unforeseen_error_fails_for_good_and_tells_the_history_its_class_only():
    class Broken(Named):
        async def decide(self, request: DecideRequest) -> Decision:
            raise ValueError("the guest said: my card is 4111")

    with pytest.raises(ApplicationError) as caught:
        await ActivityEnvironment().run(Decide(Broken("b"), Broken("b")).decide, DECIDE)
    assert (caught.value.type, caught.value.non_retryable) == (DECISION_REJECTED, True)
    failed = await failure_of(caught.value)
    assert "4111" not in failed
    assert "ValueError" in failed


async def failure_of(error: BaseException) -> str:
    """The error as the history would hold it."""
    holder = Failure()
    await pydantic_data_converter.encode_failure(error, holder)
    return str(holder)


async def test_a_search_keeps_the_cheapest_and_the_chosen_one_and_counts_the_rest():
    class Search:
        async def search(self, request: SearchRequest) -> RawResult:
            offers = [hotel(f"h{number}", 700 - number) for number in range(8)]
            return RawResult(hotels=(*offers, hotel("free", -1)), unreadable=2)

    request = SearchRequest(check_in=date(2027, 8, 3), check_out=date(2027, 8, 5))
    env = ActivityEnvironment()
    found = await env.run(SearchHotels(Search()).search_hotels, FindHotels(request=request, including="h0"))
    assert [offer.hotel_id for offer in found.hotels] == ["h7", "h6", "h5", "h4", "h3", "h0"]
    assert (found.matched, found.dropped) == (8, 3)
    found = await env.run(SearchHotels(Search(), shown=2).search_hotels, FindHotels(request=request))
    assert [offer.hotel_id for offer in found.hotels] == ["h7", "h6"]


class FakeLedger:
    """Does what it is told, and remembers in which thread."""

    def __init__(self, does: Callable[[], Confirmed | Refused]) -> None:
        self.does = does
        self.threads: list[str] = []

    def book(self, booking: BookRoom) -> Confirmed | Refused:
        self.threads.append(threading.current_thread().name)
        return self.does()

    def settle(self, settling: SettleReservation) -> Confirmed | Refused | Cancelled:
        self.threads.append(threading.current_thread().name)
        return self.does()


@pytest.fixture(params=["book_room", "settle_reservation"])
def run_with(request: pytest.FixtureRequest):
    """Runs one of the two ledger activities on a ledger."""
    closing: list[Booking | Settlement] = []

    def start(ledger: FakeLedger, env: ActivityEnvironment | None = None) -> "asyncio.Task[object]":
        env = env or ActivityEnvironment()
        if request.param == "book_room":
            book = Booking(ledger)
            closing.append(book)
            return asyncio.ensure_future(env.run(book.book_room, booking()))
        settlement = Settlement(ledger)
        closing.append(settlement)
        return asyncio.ensure_future(env.run(settlement.settle_reservation, SettleReservation(booking=booking())))

    yield start
    for owner in closing:
        owner.close()


Start = Callable[..., "asyncio.Task[object]"]


async def test_the_ledger_is_called_outside_the_event_loop(run_with: Start):
    ledger = FakeLedger(lambda: CONFIRMED)
    assert await run_with(ledger) == CONFIRMED
    assert ledger.threads != [threading.main_thread().name]


async def test_a_lost_database_is_worth_a_retry_and_says_nothing_of_itself(run_with: Start):
    def lost() -> Confirmed:
        raise LedgerUnavailable("postgresql://user:secret@host/db")

    with pytest.raises(ApplicationError) as caught:
        await run_with(FakeLedger(lost))
    assert (caught.value.type, caught.value.non_retryable) == (LEDGER_UNAVAILABLE, False)
    assert "secret" not in await failure_of(caught.value)


async def test_a_bug_in_the_ledger_is_not_tried_again(run_with: Start):
    def broken() -> Confirmed:
        raise RuntimeError("row 17 of ada@example.com")

    with pytest.raises(ApplicationError) as caught:
        await run_with(FakeLedger(broken))
    assert (caught.value.type, caught.value.non_retryable) == (LEDGER_REJECTED, True)
    assert "ada@" not in await failure_of(caught.value)


async def test_a_database_that_hangs_is_given_up_before_start_to_close(run_with: Start):
    goes_on = threading.Event()

    def hangs() -> Confirmed:
        goes_on.wait(30)
        return CONFIRMED

    env = ActivityEnvironment()
    env.info = with_start_to_close(env, 0.4)
    try:
        with pytest.raises(ApplicationError) as caught:
            await asyncio.wait_for(run_with(FakeLedger(hangs), env), 0.4)
    finally:
        goes_on.set()
    assert (caught.value.type, caught.value.non_retryable) == (LEDGER_UNAVAILABLE, False)


async def test_a_cancelled_booking_lets_its_transaction_finish(run_with: Start):
    begun, goes_on, done = asyncio.Event(), threading.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def commits() -> Confirmed:
        loop.call_soon_threadsafe(begun.set)
        goes_on.wait(30)
        done.set()
        return CONFIRMED

    env = ActivityEnvironment()
    running = run_with(FakeLedger(commits), env)
    await begun.wait()
    env.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    goes_on.set()
    assert await asyncio.to_thread(done.wait, 10)


def with_start_to_close(env: ActivityEnvironment, seconds: float) -> activity.Info:
    """The environment's info, with that start-to-close."""
    return replace(env.info, start_to_close_timeout=timedelta(seconds=seconds))


def test_a_call_outside_an_activity_has_the_deadline_it_names():
    assert deadline(3.0) == 3.0


@pytest.mark.parametrize("start_to_close", [0.1, 1.0, 4.0, 5.0, 10.0, 15.0, 20.0, 600.0])
async def test_a_call_always_ends_before_start_to_close(start_to_close: float):
    env = ActivityEnvironment()
    env.info = with_start_to_close(env, start_to_close)

    async def measure() -> float:
        return deadline(1000.0)

    seconds = await env.run(measure)
    assert 0.7 * start_to_close < seconds < start_to_close


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "2"}, 2),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "3600"}, 30),
        ({"retry-after": "1e400"}, 30),
        ({"retry-after": "Fri, 31 Dec 2099 23:59:59 GMT"}, 30),
        ({"retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}, None),
        ({"retry-after": "0"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_a_pause_asked_for_is_passed_on_and_capped(headers: dict[str, str], seconds: float | None):
    wanted = retry_after(headers)
    assert (wanted.total_seconds() if wanted else None) == seconds


async def test_the_settings_of_a_conversation_are_those_of_the_worker():
    settings = ConversationSettings(
        idle_seconds=86400,
        continue_after=200,
        business_date=None,
        time_zone="America/New_York",
        decisions="local",
        language="local",
    )
    assert await ActivityEnvironment().run(HeldSettings(settings).conversation_settings) == settings


RESULTS = [
    (Booking.book_room, CONFIRMED),
    (Booking.book_room, Refused(reason="sold_out")),
    (Settlement.settle_reservation, CONFIRMED),
    (Settlement.settle_reservation, Refused(reason="voided")),
    (Settlement.settle_reservation, Cancelled(confirmation_number="N-1")),
    (Settlement.settle_reservation, Cancelled()),
]


@pytest.mark.parametrize(("function", "outcome"), RESULTS)
async def test_a_booking_outcome_comes_back_as_what_it_was(function: Callable[..., object], outcome: object):
    hints = activity._Definition.must_from_callable(function)  # pyright: ignore[reportPrivateUsage, reportUnknownMemberType]
    assert hints.ret_type is not None
    payloads = await pydantic_data_converter.encode([outcome])
    assert await pydantic_data_converter.decode(payloads, [hints.ret_type]) == [outcome]
