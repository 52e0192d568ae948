"""The conversations of tests/scenarios, each held with the real workflow.

A scenario is a list of turns: what the `guest` says, the `step` that the next message is expected to answer,
what of the criteria `becomes` what (everything else must stay), and words that the reply `says` or `never` says.
A turn may also expect the status of the `reservation`, how many `hotels` are shown, or let time pass (`later`).
"""

from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from pydantic import BaseModel, ConfigDict, JsonValue
from temporalio.testing import WorkflowEnvironment

from nightdesk.views import StateView
from tests.house import ANN, House, Providers, house

FOLDER = Path(__file__).parent.parent / "scenarios"
NEVER = ("Traceback", "freeWiFi", "freeParking", "room_type", "None", "null", "<", "readiness")
"""Never said, in any scenario."""


class Turn(BaseModel):
    """One turn of a scenario."""

    model_config = ConfigDict(extra="forbid")

    guest: str
    step: str
    becomes: dict[str, dict[str, JsonValue]] = {}
    says: list[str] = []
    never: list[str] = []
    hotels: bool | None = None
    reservation: str | None = None
    later: int = 0
    """Hours that pass before the guest says it."""


class Scenario(BaseModel):
    """One conversation. `outcome` None: it stays open."""

    model_config = ConfigDict(extra="forbid")

    about: str
    signed_in: bool = True
    outcome: str | None = None
    turns: list[Turn]


def scenario(name: str) -> Scenario:
    """The scenario of that file."""
    return Scenario.model_validate(yaml.safe_load((FOLDER / f"{name}.yaml").read_text()))


NAMES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
LONG = [name for name in NAMES if any(turn.later for turn in scenario(name).turns)]


def test_there_are_at_least_twelve_scenarios() -> None:
    assert len(NAMES) >= 12


@pytest.mark.parametrize("name", [name for name in NAMES if name not in LONG])
async def test_scenario(desk: House, name: str) -> None:
    await hold(desk, scenario(name))


@pytest.mark.parametrize("name", LONG)
async def test_scenario_over_days(clockwork: WorkflowEnvironment, database: Path, name: str) -> None:
    settings = Providers().settings.model_copy(update={"idle_seconds": 86400.0})
    async with house(clockwork.client, database, Providers(settings=settings)) as desk:
        await hold(desk, scenario(name), clockwork)


async def hold(desk: House, told: Scenario, clockwork: WorkflowEnvironment | None = None) -> None:
    """Hold the conversation, turn by turn."""
    guest = await desk.open({"guest": ANN if told.signed_in else None})
    before = await guest.state()
    for turn in told.turns:
        if turn.later:
            assert clockwork is not None
            await clockwork.fast_forward(guest.handle, timedelta(hours=turn.later))
        last = turn is told.turns[-1] and told.outcome is not None
        id_ = await guest.send(turn.guest)
        if last:
            await guest.result()
            said = "\n".join(
                line.text for line in await guest.transcript() if line.role == "assistant" and line.message_id == id_
            )
            state = await guest.state()
        else:
            reply = await guest.reply_to(id_)
            said, state = "\n".join(reply.replies), reply.state
        check(turn, said, before, state)
        before = state
    assert before.outcome == told.outcome


def check(turn: Turn, said: str, before: StateView, state: StateView) -> None:
    """The turn was as told, and changed nothing that it does not tell."""
    context = f"\nguest: {turn.guest}\nreply: {said}\n"
    assert state.active_step == turn.step, context
    for name, value in state.criteria.items():
        expected = {**before.criteria[name], **turn.becomes.get(name, {})}
        if name in turn.becomes:
            expected.setdefault("answered", True)
        assert value == expected, f"{context}{name}"
    for words in turn.says:
        assert words.casefold() in said.casefold(), f"{context}does not say: {words}"
    for words in (*turn.never, *NEVER):
        assert words not in said, f"{context}says: {words}"
    if turn.hotels is not None:
        assert bool(state.hotels) == turn.hotels, context
    if turn.reservation:
        assert state.reservation is not None, context
        assert state.reservation.status == turn.reservation, context
