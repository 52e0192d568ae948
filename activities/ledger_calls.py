"""How the activities call the hotel database: in a thread, within a deadline, failing by type."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from temporalio.exceptions import ApplicationError

from activities.attempt import deadline, failure
from hotels.ledger import LedgerUnavailable
from nightdesk.failures import LEDGER_UNAVAILABLE

A = TypeVar("A")
R = TypeVar("R")

THREADS = 4
"""Transactions of one kind at a time in a worker; more wait their turn, within their deadline."""


class LedgerCalls:
    """A few threads of its own, so that a slow database holds up nothing else."""

    def __init__(self, name: str, threads: int = THREADS) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)

    async def run(self, call: Callable[[A], R], argument: A) -> R:
        """The call's result. Cancelled or late, it does not stop a transaction that runs: only the database knows."""
        try:
            async with asyncio.timeout(deadline(14.5)):
                return await asyncio.get_running_loop().run_in_executor(self._threads, call, argument)
        except TimeoutError:
            raise unavailable("no answer in time") from None
        except LedgerUnavailable:
            raise unavailable("the database is lost, slow or locked") from None

    def close(self) -> None:
        """Waits for the transactions that run; what still waits for a thread is dropped."""
        self._threads.shutdown(wait=True, cancel_futures=True)


def unavailable(message: str) -> ApplicationError:
    """Worth another try, under the same key."""
    return failure(LEDGER_UNAVAILABLE, message, retry=True)
