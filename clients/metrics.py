"""The metrics of a worker: the SDK's own, and how long the guests have been waiting."""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime

from temporalio.client import Client
from temporalio.runtime import PrometheusConfig, Runtime, TelemetryConfig
from temporalio.service import RPCError

from clients.connection import LOGGING
from clients.conversations import survey
from clients.failures import CannotGoOn

_LOOK_EVERY_S = 30.0
_AT_MOST = 500
"""Open conversations looked at in a round; each costs two calls to the server."""


def serving(address: str) -> Runtime:
    """A runtime whose metrics Prometheus reads at `address`, /metrics. Raises CannotGoOn."""
    metrics = PrometheusConfig(
        bind_address=address, durations_as_seconds=True, counters_total_suffix=True, unit_suffix=True
    )
    try:
        return Runtime(telemetry=TelemetryConfig(metrics=metrics, logging=LOGGING))
    except (RuntimeError, ValueError):
        raise CannotGoOn(f"NIGHTDESK_METRICS: cannot listen on {address}") from None


async def watch(client: Client, runtime: Runtime) -> None:
    """For ever: the age of the oldest unanswered message, and how many conversations have a failing workflow task."""
    meter = runtime.metric_meter
    oldest = meter.create_gauge_float("nightdesk_oldest_unanswered", "Age of the oldest unanswered message", "s")
    failing = meter.create_gauge("nightdesk_failing_conversations", "Open conversations whose workflow task fails")
    while True:
        # A server that does not answer shows in the SDK's own metrics.
        with suppress(CannotGoOn, RPCError):
            rows = await survey(client, limit=_AT_MOST)
            since = [row.unanswered_since for row in rows if row.unanswered_since is not None]
            now = datetime.now(UTC)
            oldest.set(max(0.0, (now - min(since, default=now)).total_seconds()))
            failing.set(sum(row.failed_attempts > 0 for row in rows))
        await asyncio.sleep(_LOOK_EVERY_S)
