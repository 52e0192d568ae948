"""One named policy per boundary: how long a try may take, how many there are, and a bound on them all.

What happens when a policy is exhausted is said here and done by the step that asks; a read degrades in the
open, booking never opens. Without a schedule-to-close bound a fallback would never run.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import TypedDict

from temporalio.common import RetryPolicy

from nightdesk.failures import PERMANENT

HEARTBEAT = timedelta(seconds=2)
"""A killed worker costs its conversations so long, and no longer."""


class ActivityOptions(TypedDict):
    """What `workflow.execute_activity` takes of a policy."""

    start_to_close_timeout: timedelta
    schedule_to_close_timeout: timedelta
    heartbeat_timeout: timedelta
    retry_policy: RetryPolicy


@dataclass(frozen=True)
class Policy:
    """Times in seconds. `try_for` bounds one try, `tries` how many there are, `in_all` everything together."""

    name: str
    try_for: float
    tries: int
    in_all: float
    otherwise: str
    """What the guest gets when it still fails."""
    first_wait: float = 0.5
    longest_wait: float = 5.0

    @property
    def options(self) -> ActivityOptions:
        """For `workflow.execute_activity`."""
        return ActivityOptions(
            start_to_close_timeout=timedelta(seconds=self.try_for),
            schedule_to_close_timeout=timedelta(seconds=self.in_all),
            heartbeat_timeout=HEARTBEAT,
            retry_policy=RetryPolicy(
                initial_interval=timedelta(seconds=self.first_wait),
                backoff_coefficient=2.0,
                maximum_interval=timedelta(seconds=self.longest_wait),
                maximum_attempts=self.tries,
                non_retryable_error_types=list(PERMANENT),
            ),
        )


ROUTER_DECISION = Policy("ROUTER_DECISION", 4, 2, 9, "the local rules route the message; the guest notices nothing")
COLLECTOR = Policy("COLLECTOR", 20, 2, 40, "the local reader tries; what it cannot read with certainty is asked again")
# Named risk: the search is read-only, and the guest sees its results and the exact terms before any effect.
READINESS_DECISION = Policy("READINESS_DECISION", 5, 3, 15, "fails open: validation decides")
SEARCH = Policy("SEARCH", 10, 3, 25, "a plain sentence; criteria kept, searched again when asked")
DRAFT = Policy("DRAFT", 20, 2, 40, "code's own rendering of the saved hotels")
PRESENTATION_DECISION = Policy("PRESENTATION_DECISION", 5, 2, 10, "code's own rendering of the saved hotels")
BOOKING = Policy("BOOKING", 15, 4, 60, "unknown, said as such, and settled by key: never open, never guessed")
SETTLEMENT = Policy("SETTLEMENT", 15, 2, 35, "a further round, without end; an operator sees it")
# The rules of this program, run as an activity so that their answer is in the history.
LOCAL_RULES = Policy("LOCAL_RULES", 5, 5, 60, "an apology; nothing saved is lost")

POLICIES = (
    ROUTER_DECISION,
    COLLECTOR,
    READINESS_DECISION,
    SEARCH,
    DRAFT,
    PRESENTATION_DECISION,
    BOOKING,
    SETTLEMENT,
    LOCAL_RULES,
)

SETTLE_FIRST_WAIT = timedelta(seconds=5)
SETTLE_LONGEST_WAIT = timedelta(minutes=5)
"""Between two rounds of settlement."""

OFFER_VALID = timedelta(minutes=15)
MAX_TRANSITIONS = 12
"""Of one turn; the longest regular way has eight."""
