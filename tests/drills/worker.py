"""A worker that kills itself at a named point: `python -m tests.drills.worker CONFIG`, a JSON object.

The point is read from a file, which is removed before the kill: the next worker lives. Points are
"decide:before", "decide:after" and so on, "commit:before", "commit:after", and "continue_as_new".
"""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from sqlalchemy import event
from temporalio import workflow
from temporalio.client import Client
from temporalio.worker import (
    ActivityInboundInterceptor,
    ContinueAsNewInput,
    ExecuteActivityInput,
    Interceptor,
    Worker,
    WorkflowInboundInterceptor,
    WorkflowInterceptorClassInput,
    WorkflowOutboundInterceptor,
)
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner, SandboxRestrictions

from hotels.ledger import Ledger, reading
from nightdesk.booking import BookRoom, Confirmed, Refused
from tests import house as houses
from tests.house import SETTINGS, TODAY, Providers
from worker import LOADED_ONCE, SERVER_JUDGES_SIZE, STICKY
from workflows.converter import data_converter


class Config(BaseModel):
    """`cut_off`: the first booking breaks off, so that it has to be settled."""

    address: str
    task_queue: str
    database: str
    armed: str
    continue_after: int = 200
    cut_off: bool = False


_armed = [Path("/nowhere")]


def die_at(point: str) -> None:
    """SIGKILL, if this is the point."""
    try:
        if _armed[0].read_text() != point:
            return
        _armed[0].unlink()
    except FileNotFoundError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


class _Activities(ActivityInboundInterceptor):
    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        name = input.fn.__name__
        die_at(f"{name}:before")
        result = await super().execute_activity(input)
        die_at(f"{name}:after")
        return result


class _Outbound(WorkflowOutboundInterceptor):
    def continue_as_new(self, input: ContinueAsNewInput) -> Any:
        with workflow.unsafe.sandbox_unrestricted():
            die_at("continue_as_new")
        super().continue_as_new(input)


class _Inbound(WorkflowInboundInterceptor):
    def init(self, outbound: WorkflowOutboundInterceptor) -> None:
        super().init(_Outbound(outbound))


class Killing(Interceptor):
    """Every boundary is a place to die at."""

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        return _Activities(next)

    def workflow_interceptor_class(self, input: WorkflowInterceptorClassInput) -> type[WorkflowInboundInterceptor]:
        return _Inbound


class CutOff:
    """A ledger whose answer to a booking gets lost; its settlements come through."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.settle = ledger.settle

    def book(self, booking: BookRoom) -> Confirmed | Refused:
        """Committed, and nobody heard."""
        self._ledger.book(booking)
        raise RuntimeError("cut off")


async def main(config: Config) -> None:
    """Serve until SIGTERM."""
    _armed[0] = Path(config.armed)
    ledger = Ledger(f"sqlite:///{config.database}", business_date=TODAY, booking_limit=Decimal(10000))

    def before_commit(*_: object) -> None:
        die_at("commit:before")

    event.listen(ledger.engine, "commit", before_commit)
    outcome: Callable[..., Any] = reading.outcome

    def after_commit(*given: Any, **named: Any) -> Any:
        die_at("commit:after")
        return outcome(*given, **named)

    reading.outcome = after_commit
    client = await Client.connect(config.address, data_converter=data_converter)
    settings = SETTINGS.model_copy(update={"continue_after": config.continue_after})
    providers = Providers(settings=settings, ledger=CutOff(ledger) if config.cut_off else None)
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with Worker(
        client,
        task_queue=config.task_queue,
        workflows=[houses.BookingConversation],
        activities=houses.activities(ledger, providers),
        interceptors=[Killing()],
        workflow_runner=SandboxedWorkflowRunner(
            restrictions=SandboxRestrictions.default.with_passthrough_modules(*LOADED_ONCE, "tests")
        ),
        sticky_queue_schedule_to_start_timeout=STICKY,
        disable_payload_error_limit=SERVER_JUDGES_SIZE,
    ):
        await stop.wait()


if __name__ == "__main__":
    from clients.process import run

    run(main(Config.model_validate_json(sys.argv[1])))
