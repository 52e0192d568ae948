"""What an operator sees: conversations with no worker up, one conversation, reservations."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from temporalio import workflow
from temporalio.client import Client
from temporalio.exceptions import ApplicationError
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from clients.conversation import begin
from clients.conversations import Row, age, survey, table
from clients.failures import CannotGoOn
from clients.ledgers import open_ledger
from clients.reservations import cancel_reservation, list_reservations, show_reservation
from clients.show import show
from nightdesk.boundaries import ConverseRequest, ModelTurn
from settings import Settings, load_settings
from tests.clients.conftest import until
from tests.house import ALL_AT_ONCE, SETTINGS, House, Providers, house


async def row(client: Client, conversation_id: str, *, closed: bool = False) -> Row | None:
    found = [row for row in await survey(client, closed=closed, limit=1000) if row.id == conversation_id]
    return found[0] if found else None


async def until_row(client: Client, conversation_id: str, holds: Callable[[Row], bool]) -> Row:
    """The list lags a moment behind."""
    seen: list[Row] = []

    async def there() -> bool:
        found = await row(client, conversation_id)
        seen[:] = [found] if found is not None and holds(found) else []
        return bool(seen)

    await until(there)
    return seen[0]


async def test_with_no_worker_the_oldest_unread_message_shows_its_age(temporal: Client) -> None:
    before = datetime.now(UTC)
    conversation, _ = await begin(temporal, "nobody-works-here", "unread-1", None, None)
    await conversation.send("first")
    between = datetime.now(UTC)
    await conversation.send("second")
    found = await until_row(temporal, "unread-1", lambda row: row.unanswered_since is not None)
    assert found.unanswered_since is not None
    assert before - timedelta(seconds=1) < found.unanswered_since < between
    assert found.status == "running"
    await temporal.get_workflow_handle("unread-1").terminate()


async def test_an_answered_conversation_awaits_its_guest(desk: House) -> None:
    talk = await desk.open(id_="seen-1")
    await talk.says("Hi")
    found = await until_row(desk.client, "seen-1", lambda row: row.stage == "dates")
    assert found.awaiting == "the guest"
    assert found.unanswered_since is None
    assert found.failed_attempts == 0


async def test_age_counts_from_the_first_message_not_from_the_newest_run(temporal: Client, database: Path) -> None:
    often = Providers(settings=SETTINGS.model_copy(update={"continue_after": 1}))
    async with house(temporal, database, often) as opened:
        talk = await opened.open(id_="aged-1")
        begun = (await talk.handle.describe()).start_time
        for text in ("Hi", "August 1 through August 8, 2027"):
            await talk.says(text)
        found = await until_row(temporal, "aged-1", lambda row: row.stage == "budget")
        assert (await talk.handle.describe()).start_time > begun
        assert found.started == begun


async def test_closed_ones_are_listed_on_request(desk: House) -> None:
    talk = await desk.open(id_="seen-2")
    await talk.handle.cancel()
    await talk.result()

    async def gone_from_the_open_ones() -> bool:
        return await row(desk.client, "seen-2") is None

    await until(gone_from_the_open_ones)
    found = await row(desk.client, "seen-2", closed=True)
    assert found is not None
    assert found.status == "completed"


@workflow.defn(name="BookingConversation")
class Broken:
    """A release with a bug in workflow code."""

    @workflow.run
    async def run(self, _input: object) -> None:
        raise RuntimeError("a bug")


async def test_a_conversation_whose_workflow_task_fails_is_marked(
    temporal: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The second attempt is made at once, the third one ten seconds later.
    monkeypatch.setattr("clients.conversations.FAILING_FROM", 2)
    await begin(temporal, "broken-release", "stuck-1", None, None)
    async with Worker(
        temporal, task_queue="broken-release", workflows=[Broken], workflow_runner=UnsandboxedWorkflowRunner()
    ):
        found = await until_row(temporal, "stuck-1", lambda row: row.failed_attempts > 0)
    assert any("workflow task failing" in line for line in table([found], datetime.now(UTC)))
    await temporal.get_workflow_handle("stuck-1").terminate()


def test_the_table_is_plain_text_whatever_an_id_holds() -> None:
    now = datetime(2027, 1, 1, tzinfo=UTC)
    rows = [
        Row(
            id="evil\x1b[2J\nid",
            status="running",
            stage="da\rtes",
            awaiting=None,
            started=now - timedelta(hours=5),
            unanswered_since=now - timedelta(minutes=7),
        )
    ]
    heading, line = table(rows, now)
    assert heading.split()[:3] == ["conversation", "status", "stage"]
    assert "evil[2J id" in line
    assert "\x1b" not in line
    assert "7 min" in line


@pytest.mark.parametrize(
    ("seconds", "text"), [(-3, "0 s"), (61, "61 s"), (600, "10 min"), (7200, "2 h"), (1e6, "11 d")]
)
def test_ages(seconds: float, text: str) -> None:
    assert age(timedelta(seconds=seconds)) == text


async def test_show_prints_state_transcript_and_decisions(desk: House, capsys: pytest.CaptureFixture[str]) -> None:
    talk = await desk.open(id_="shown-1")
    await talk.says("Hi")
    await show(desk.client, "shown-1", decisions=True, raw=True)
    shown = capsys.readouterr().out
    assert shown.startswith("conversation shown-1: open\n")
    for part in ('"active_step": "dates"', "guest\n    Hi", "desk\n    ", '"boundary": "router"'):
        assert part in shown


class _NoModel:
    """A model that is out for good."""

    async def converse(self, request: ConverseRequest) -> ModelTurn:
        raise ApplicationError("out", type="LanguageRejected", non_retryable=True)


async def test_a_draft_and_a_reading_that_could_not_be_had_are_shown(
    temporal: Client, database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with house(temporal, database, Providers(language=_NoModel())) as desk:
        talk = await desk.open(id_="shown-out")
        await talk.says(ALL_AT_ONCE)
        await talk.says("search")
        await show(desk.client, "shown-out", decisions=True)
        shown = capsys.readouterr().out
        assert '"fallback": "COLLECTOR"' in shown
        assert '"fallback": "DRAFT"' in shown


async def test_show_is_short_and_in_words(desk: House, capsys: pytest.CaptureFixture[str]) -> None:
    talk = await desk.open(id_="shown-3")
    await talk.says(ALL_AT_ONCE)

    async def head() -> list[str]:
        await show(desk.client, "shown-3", decisions=False)
        shown = capsys.readouterr().out
        assert "{" not in shown
        return shown.split("   1 20")[0].splitlines()

    lines = await head()
    assert len(lines) < 12
    for start, part in (("awaits:", "the guest"), ("dates:", "August 9, 2027"), ("messages:", "1 of 1 answered")):
        assert any(line.strip().startswith(start) and part in line for line in lines), (start, lines)
    for text in ("search", "the first one"):
        await talk.says(text)
    assert any(line.startswith("  offer:") and "2027-08-03 to 2027-08-09" in line for line in await head())
    await talk.says("yes")
    await talk.result()
    [row] = desk.ledger.reservations(conversation_id="shown-3")
    lines = await head()
    assert lines[0] == "conversation shown-3: closed, booked"
    assert f"  reservation:   confirmed {row.confirmation_number}" in lines
    assert "  awaits:        nobody" in lines


async def test_show_without_a_worker_shows_what_the_server_knows(
    temporal: Client, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clients.show._PATIENCE_S", 0.3)
    await begin(temporal, "nobody-works-here", "shown-2", None, None)
    await show(temporal, "shown-2", decisions=False)
    shown = capsys.readouterr().out
    assert "open" in shown
    assert "need a worker" in shown
    await temporal.get_workflow_handle("shown-2").terminate()


async def test_show_of_an_unknown_conversation_is_one_line(temporal: Client) -> None:
    with pytest.raises(CannotGoOn, match="there is no conversation no-such"):
        await show(temporal, "no-such", decisions=False)


@pytest.fixture
def at_this_database(database: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("NIGHTDESK_DATABASE_URL", f"sqlite:///{database}")
    return load_settings(dotenv=None)


async def test_reservations_are_listed_shown_and_cancelled(desk: House, at_this_database: Settings) -> None:
    talk = await desk.open(id_="reserved-1")
    for text in (ALL_AT_ONCE, "search", "the first one", "yes"):
        await talk.says(text)
    await talk.result()
    [line] = list_reservations(at_this_database, guest="ANN@example.com", active_only=True, limit=10)
    number = line.split()[0]
    details = "\n".join(show_reservation(at_this_database, number.lower()))
    for part in (number, "Ann Lee", "2027-08-03", "2027-08-09", "reserved-1"):
        assert part in details
    [cancelled] = cancel_reservation(at_this_database, number)
    assert "cancelled" in cancelled
    assert cancel_reservation(at_this_database, number) == [cancelled, "It was cancelled already; nothing has changed."]
    assert list_reservations(at_this_database, guest=None, active_only=True, limit=10) == []


def test_an_unknown_reservation_is_one_line(at_this_database: Settings) -> None:
    for command in (show_reservation, cancel_reservation):
        with pytest.raises(CannotGoOn, match="there is no reservation ND-NONE"):
            command(at_this_database, "ND-NONE")


def test_no_database_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIGHTDESK_DATABASE_URL", f"sqlite:///{tmp_path}/none.sqlite")
    with pytest.raises(CannotGoOn, match="nightdesk database upgrade"), open_ledger(load_settings(dotenv=None)):
        pass
    assert list(tmp_path.iterdir()) == []
