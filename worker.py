"""One worker: the settings, a client, what is registered, and an end that loses nothing.

Runs as `python worker.py` or `nightdesk worker`, against the Temporal server that TEMPORAL_ADDRESS names.
"""

import asyncio
import logging
import os
import platform
import sys
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Any

from temporalio.client import Client
from temporalio.common import VersioningBehavior, WorkerDeploymentVersion
from temporalio.worker import Worker, WorkerDeploymentConfig
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner, SandboxRestrictions

from activities.book_room import Booking
from activities.conversation_settings import HeldSettings
from activities.converse import Converse
from activities.decide import Decide
from activities.providers import DecisionProvider, LanguageProvider
from activities.providers.local import LocalDecisions, LocalLanguage
from activities.search_hotels import SearchHotels
from activities.settle_reservation import Settlement
from clients import logs, metrics
from clients.connection import connect
from clients.failures import CannotGoOn
from clients.ledgers import open_ledger
from clients.process import leave, run, stop_event
from clients.sentinels import need_every_key
from hotels.calendar import ZONE
from hotels.catalogue import catalogue
from hotels.ledger import Ledger
from nightdesk.conversation_settings import ConversationSettings
from settings import Settings, SettingsError, load_settings
from workflows.booking_conversation import BookingConversation

GRACE = timedelta(seconds=10)
"""Running activities may finish for so long after SIGTERM; then they are cancelled and tried again elsewhere."""

STICKY = timedelta(seconds=2)
"""A killed worker's conversations wait so long for it before another worker gets them (the default: 10 s)."""

SERVER_JUDGES_SIZE = True
"""Else an update of 2 to 4 MB wedges a conversation: the SDK refuses to send even its rejection, for ever."""

OURS = ("nightdesk", "activities", "hotels")
"""Passed through the sandbox: pure rules and the activities' signatures, loaded once for all conversations."""

LOADED_ONCE = (
    *OURS,
    *(f"workflows.{name}" for name in "calls desk details inbox policies release settling steps turn".split()),
)
"""A worker shares the steps as well: 0.15 MB a conversation instead of 0.5. The tests run them unshared, so that
the sandbox polices every one of them."""

log = logging.getLogger("nightdesk.worker")

Activities = Sequence[Callable[..., Any]]


async def work(settings: Settings) -> None:
    """Serve conversations until SIGTERM or SIGINT. Raises CannotGoOn when something needed is not there."""
    logs.configure(settings.log_format)
    stop = stop_event()
    async with AsyncExitStack() as closing:
        ledger = closing.enter_context(open_ledger(settings))
        await asyncio.to_thread(need_every_key, settings.encryption_keys, ledger)
        runtime = metrics.serving(settings.metrics) if settings.metrics else None
        client = await connect(settings, runtime=runtime)
        activities = await _activities(settings, ledger, closing)
        if runtime is not None:
            watching = asyncio.create_task(metrics.watch(client, runtime))
            closing.callback(watching.cancel)
        async with build(client, settings, activities):
            log.info("working on queue %s of namespace %s", settings.task_queue, client.namespace)
            await stop.wait()
            log.info("stopping: what runs may finish for %g s", GRACE.total_seconds())
    log.info("stopped")


def build(client: Client, settings: Settings, activities: Activities) -> Worker:
    """The worker that runs conversations with these activities."""
    return Worker(
        client,
        task_queue=settings.task_queue,
        workflows=[BookingConversation],
        activities=activities,
        workflow_runner=SandboxedWorkflowRunner(
            restrictions=SandboxRestrictions.default.with_passthrough_modules(*LOADED_ONCE)
        ),
        identity=f"{os.getpid()}@{platform.node()}",
        max_cached_workflows=1000,
        graceful_shutdown_timeout=GRACE,
        sticky_queue_schedule_to_start_timeout=STICKY,
        disable_payload_error_limit=SERVER_JUDGES_SIZE,
        deployment_config=_deployment(settings.build_id),
    )


async def _activities(settings: Settings, ledger: Ledger, closing: AsyncExitStack) -> Activities:
    """Every activity with its provider. Providers are closed after the worker has ended."""
    from activities.providers.mcp_search import McpSearch

    token = settings.hotels_token.get_secret_value() if settings.hotels_token else None
    search = await closing.enter_async_context(McpSearch(settings.hotels, token))
    booking, settlement = Booking(ledger), Settlement(ledger)
    closing.callback(booking.close)
    closing.callback(settlement.close)
    held = HeldSettings(
        ConversationSettings(
            idle_seconds=settings.conversation_idle.total_seconds(),
            continue_after=settings.continue_as_new_after,
            business_date=settings.business_date,
            time_zone=ZONE.key,
            decisions=settings.decisions,
            language=settings.language,
        )
    )
    return (
        Decide(_decisions(settings, closing), LocalDecisions(), [hotel.name for hotel in catalogue()]).decide,
        Converse(_language(settings, closing), LocalLanguage()).converse,
        SearchHotels(search).search_hotels,
        booking.book_room,
        settlement.settle_reservation,
        held.conversation_settings,
    )


def _decisions(settings: Settings, closing: AsyncExitStack) -> DecisionProvider:
    if settings.decisions == "local":
        return LocalDecisions()
    from activities.providers.typesafe import TypesafeDecisions

    key = settings.typesafe_api_key.get_secret_value() if settings.typesafe_api_key else None
    provider = TypesafeDecisions(key, settings.typesafe_url, settings.decision_model)
    closing.push_async_callback(provider.aclose)
    return provider


def _language(settings: Settings, closing: AsyncExitStack) -> LanguageProvider:
    if settings.language == "local":
        return LocalLanguage()
    from activities.providers.openai_language import OpenAILanguage

    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else None
    provider = OpenAILanguage(key, settings.openai_url, settings.language_model)
    closing.push_async_callback(provider.aclose)
    return provider


def _deployment(build_id: str | None) -> WorkerDeploymentConfig | None:
    """Off without a build id; with one, conversations stay on the release that they are on."""
    if build_id is None:
        return None
    return WorkerDeploymentConfig(
        version=WorkerDeploymentVersion("nightdesk", build_id),
        use_worker_versioning=True,
        default_versioning_behavior=VersioningBehavior.PINNED,
    )


def main() -> None:
    """`python worker.py`: what has to be changed is one line, not a traceback."""
    code = 0
    try:
        run(work(load_settings()))
    except (SettingsError, CannotGoOn) as error:
        print(f"nightdesk: {error}", file=sys.stderr)
        code = 2 if isinstance(error, SettingsError) else 1
    leave(code)


if __name__ == "__main__":
    main()
