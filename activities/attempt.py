"""What every attempt of an activity keeps to: it heartbeats, it ends before its start-to-close, it fails by type."""

import asyncio
import traceback
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from temporalio import activity
from temporalio.exceptions import ApplicationError

from nightdesk.model import Frozen

HEARTBEAT_EVERY = 0.7
"""Seconds; the heartbeat timeout is 2 s, so that a killed worker is noticed in time."""

MARGIN = 0.5
"""Seconds between the client's own deadline and start-to-close: the attempt has to report its failure itself."""

LONGEST_RETRY_AFTER = timedelta(seconds=30)
"""A provider may ask for a pause, not for a year (seen: a date in 2099)."""


@asynccontextmanager
async def attempt(otherwise: str) -> AsyncGenerator[None]:
    """Heartbeats while the block runs. What it raises without a type of ours fails for good as `otherwise`.

    Such an exception is a bug, and its text may quote a guest or a server: neither history nor log gets it.
    """
    beating = asyncio.create_task(_beat())
    try:
        yield
    except ApplicationError:
        raise
    except Exception as error:  # noqa: BLE001 (every other failure has a type, this is the net under them)
        where = "".join(traceback.format_tb(error.__traceback__))
        activity.logger.error("%s in an activity, at\n%s", type(error).__name__, where)
        raise failure(otherwise, f"unexpected {type(error).__name__}", retry=False) from None
    finally:
        beating.cancel()


async def _beat() -> None:
    while True:
        activity.heartbeat()
        await asyncio.sleep(HEARTBEAT_EVERY)


def deadline(otherwise: float) -> float:
    """Seconds that a call may take in all: below this activity's start-to-close; outside of one, `otherwise`."""
    if not activity.in_activity():
        return otherwise
    limit = activity.info().start_to_close_timeout
    if limit is None:
        return otherwise
    seconds = limit.total_seconds()
    return seconds - min(MARGIN, seconds / 4)


def failure(
    kind: str, message: str, *, retry: bool, after: timedelta | None = None, detail: Frozen | None = None
) -> ApplicationError:
    """An error for the history. `message` is in our words: no server's text, no address, nothing of a guest.

    `detail` is for the workflow, checked on the way in.
    """
    details = () if detail is None else (detail,)
    return ApplicationError(
        message, *details, type=kind, non_retryable=not retry, next_retry_delay=after if retry else None
    )


def retry_after(headers: Mapping[str, str]) -> timedelta | None:
    """The pause that a provider asks for, at most 30 s: `retry-after-ms`, or `retry-after` in seconds or as a date."""
    lower = {name.lower(): value for name, value in headers.items()}
    wanted = _seconds(lower.get("retry-after-ms"), 1000)
    if wanted is None:
        wanted = _seconds(lower.get("retry-after"), 1)
    if wanted is None:
        wanted = _until(lower.get("retry-after"))
    if wanted is None or not wanted > 0:
        return None
    return min(timedelta(seconds=min(wanted, 1e6)), LONGEST_RETRY_AFTER)


def _seconds(text: str | None, per_second: int) -> float | None:
    try:
        return float(text) / per_second if text else None
    except ValueError:
        return None


def _until(text: str | None) -> float | None:
    try:
        when = parsedate_to_datetime(text) if text else None
    except ValueError:
        return None
    if when is None:
        return None
    return (when.replace(tzinfo=when.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
