"""Records the histories that `make test` replays, anew: `python -m tests.record_histories [SCENARIO ...]`.

Each scenario is run on a real server, with the local providers. What would tell of the machine it was recorded on
(host, user, process) is replaced; there is no key in them, since they are recorded in clear.
"""

import json
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

from temporalio.client import Client, WorkflowHistory
from temporalio.exceptions import ApplicationError
from temporalio.testing import WorkflowEnvironment

from hotels.ledger import Ledger, upgrade
from nightdesk.boundaries import ConverseRequest, DecideRequest, ModelTurn
from nightdesk.decisions import Decision
from nightdesk.failures import PERMANENT
from nightdesk.hotels import SearchRequest
from nightdesk.screening import RawResult
from tests import house as houses
from tests.conftest import NO_ARTIFICIAL_WAITS, TEMPORAL
from tests.house import ALL_AT_ONCE, SETTINGS, TODAY, GuestTalk, House, LedgerSearch, Providers
from tests.runs import HeldBooks, payload, runs, signal_raw
from tests.workflows.test_conversation import TURNS
from workflows.converter import data_converter

FOLDER = Path(__file__).with_name("histories")

Scene = Callable[[Client, Path], Awaitable[list[WorkflowHistory]]]


async def _talk(house: House, *texts: str, last: str | None = None) -> GuestTalk:
    guest = await house.open(id_="recorded")
    for text in texts:
        await guest.says(text)
    if last:
        await guest.send(last)
        await guest.result()
    return guest


async def whole_conversation(client: Client, database: Path) -> list[WorkflowHistory]:
    """The 22 turns, from "Hi" to a row in the database."""
    async with houses.house(client, database) as house:
        guest = await _talk(house, *(text for text, _, _ in TURNS), last="yes")
        return await runs(guest.handle, client)


async def all_at_once(client: Client, database: Path) -> list[WorkflowHistory]:
    """Every criterion in one message, then three more."""
    async with houses.house(client, database) as house:
        guest = await _talk(house, ALL_AT_ONCE, "search", "1", last="yes")
        return await runs(guest.handle, client)


async def continued_as_new(client: Client, database: Path) -> list[WorkflowHistory]:
    """The same, a run for every second message."""
    settings = SETTINGS.model_copy(update={"continue_after": 2})
    async with houses.house(client, database, Providers(settings=settings)) as house:
        guest = await _talk(house, "Hi", ALL_AT_ONCE, "search", "1", last="yes")
        return await runs(guest.handle, client)


async def left_by_a_timer(client: Client, database: Path) -> list[WorkflowHistory]:
    """Small talk that code answers, and a run for every second message, left as since the change by size."""
    settings = SETTINGS.model_copy(update={"continue_after": 2})
    async with houses.house(client, database, Providers(settings=settings)) as house:
        guest = await _talk(house, "hello there!", ALL_AT_ONCE, "thanks", "search", "good morning", "1", last="yes")
        return await runs(guest.handle, client)


async def unsettled_then_settled(client: Client, database: Path) -> list[WorkflowHistory]:
    """A booking whose outcome nobody knows, a question meanwhile, and what the ledger told in the end."""
    ledger = Ledger(f"sqlite:///{database}", business_date=TODAY, booking_limit=Decimal(10000))
    books = HeldBooks(ledger)
    async with houses.house(client, database, Providers(ledger=books)) as house:
        guest = await _talk(house, ALL_AT_ONCE, "search", "1", "yes", "what did I ask for?")
        books.settle_now.set()
        await guest.result()
        found = await runs(guest.handle, client)
    ledger.close()
    return found


async def idle_goodbye(client: Client, database: Path) -> list[WorkflowHistory]:
    """A word, then none for too long."""
    settings = SETTINGS.model_copy(update={"idle_seconds": 2.0})
    async with houses.house(client, database, Providers(settings=settings)) as house:
        guest = await _talk(house, "Hi")
        await guest.result()
        return await runs(guest.handle, client)


class _Out:
    """Every provider refuses for good."""

    async def decide(self, request: DecideRequest) -> Decision:
        raise ApplicationError("out", type=PERMANENT[0], non_retryable=True)

    async def converse(self, request: ConverseRequest) -> ModelTurn:
        raise ApplicationError("out", type=PERMANENT[0], non_retryable=True)


class _OutFirst(LedgerSearch):
    """The search fails once."""

    asked = 0

    async def search(self, request: SearchRequest) -> RawResult:
        self.asked += 1
        if self.asked == 1:
            raise ApplicationError("out", type=PERMANENT[0], non_retryable=True)
        return await super().search(request)


async def every_provider_out(client: Client, database: Path) -> list[WorkflowHistory]:
    """Decisions and models are out, and the search at first: every fallback there is."""
    providers = Providers(decisions=_Out(), language=_Out())
    async with houses.house(client, database) as house:
        providers.search = _OutFirst(house.ledger)
    async with houses.worker(client, house.task_queue, house.ledger, providers):
        guest = await _talk(house, "Hi", ALL_AT_ONCE, "search", "search", "1", last="yes")
        return await runs(guest.handle, client)


async def poisoned_and_called_off(client: Client, database: Path) -> list[WorkflowHistory]:
    """Messages of every kind, refused and not, and a request to cancel."""
    async with houses.house(client, database) as house:
        guest = await _talk(house, "Hi", "a suite", "a suite", "", "x" * 4001, "what is the weather?", "thanks a lot")
        for sent in ([], [payload(b"{")], [payload(b'{"id":"m1","text":"another"}')], [payload(b"1"), payload(b"2")]):
            await signal_raw(client, guest.handle.id, "user_message", sent)
        await guest.handle.cancel()
        await guest.result()
        return await runs(guest.handle, client)


SCENES: dict[str, Scene] = {
    scene.__name__: scene
    for scene in (
        whole_conversation,
        all_at_once,
        continued_as_new,
        left_by_a_timer,
        unsettled_then_settled,
        idle_goodbye,
        every_provider_out,
        poisoned_and_called_off,
    )
}


def scrubbed(history: WorkflowHistory) -> str:
    """As JSON; whoever ran it is nobody in particular."""
    parsed: Any = json.loads(history.to_json())
    return json.dumps(_scrub(parsed), ensure_ascii=False, separators=(",", ":"))


def _scrub(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        fields = cast(dict[str, Any], value)
        return {
            name: _scrub(item, name) for name, item in fields.items() if name not in {"workerVersion", "stackTrace"}
        }
    if isinstance(value, list):
        return [_scrub(item, key) for item in cast(list[Any], value)]
    if key == "identity":
        return "worker"
    if key == "name" and isinstance(value, str) and re.match(r"\d+@", value):
        return "sticky"
    return value


async def main(names: Sequence[str]) -> None:
    """These scenarios or all, one after the other, each on a server of its own.

    A history that an older release has written proves what a new recording cannot: name what is new.
    """
    with tempfile.TemporaryDirectory() as folder:
        template = Path(folder) / "template.db"
        upgrade(f"sqlite:///{template}")
        for name in names or SCENES:
            scene = SCENES[name]
            place = Path(folder) / name
            place.mkdir()
            environment = await WorkflowEnvironment.start_local(  # pyright: ignore[reportUnknownMemberType]
                dev_server_existing_path=str(TEMPORAL),
                data_converter=data_converter,
                dev_server_log_level="never",
                dev_server_extra_args=list(NO_ARTIFICIAL_WAITS),
            )
            async with environment:
                histories = await scene(environment.client, houses.copied(template, place))
            for old in FOLDER.glob(f"{name}-*.json"):
                old.unlink()
            for number, history in enumerate(histories, 1):
                (FOLDER / f"{name}-{number}.json").write_text(scrubbed(history) + "\n", encoding="utf-8")
            sys.stdout.write(f"{name}: {len(histories)} runs, {sum(len(h.events) for h in histories)} events\n")


if __name__ == "__main__":
    from clients.process import run

    FOLDER.mkdir(exist_ok=True)
    run(main(sys.argv[1:]))
