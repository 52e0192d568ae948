"""The policies themselves: every boundary is bounded, and the documentation says what they are."""

from datetime import timedelta
from pathlib import Path

import pytest

from activities.attempt import HEARTBEAT_EVERY, MARGIN
from nightdesk import failures
from workflows import policies
from workflows.policies import HEARTBEAT, POLICIES, Policy

DOC = Path(__file__).parent.parent.parent / "docs" / "policies.md"


def test_every_policy_of_the_module_is_listed() -> None:
    assert {value for value in vars(policies).values() if isinstance(value, Policy)} == set(POLICIES)
    assert all(getattr(policies, policy.name) is policy for policy in POLICIES)


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_every_wait_of_a_policy_is_bounded(policy: Policy) -> None:
    options = policy.options
    deadline = policy.try_for - MARGIN
    assert 0 < deadline < policy.try_for < policy.in_all
    assert options["start_to_close_timeout"] == timedelta(seconds=policy.try_for)
    assert options["schedule_to_close_timeout"] == timedelta(seconds=policy.in_all)
    assert options["heartbeat_timeout"] == HEARTBEAT
    assert timedelta(seconds=HEARTBEAT_EVERY * 2) < HEARTBEAT
    assert options["retry_policy"].maximum_attempts == policy.tries > 0


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_permanent_failures_are_named_and_the_others_are_not(policy: Policy) -> None:
    named = set(policy.options["retry_policy"].non_retryable_error_types or [])
    every = {value for name, value in vars(failures).items() if name.isupper() and isinstance(value, str)}
    assert named == set(failures.PERMANENT)
    assert every - named == {name for name in every if name.endswith("Unavailable")}


def table() -> str:
    """The policies as the documentation shows them."""
    rows = [
        f"| `{policy.name}` | {policy.try_for:g} s | {policy.tries} | {policy.in_all:g} s | {policy.otherwise} |"
        for policy in POLICIES
    ]
    return "\n".join(
        ["| policy | a try | tries | in all | when it still fails |", "| --- | --- | --- | --- | --- |", *rows]
    )


def test_the_documentation_shows_the_policies_as_they_are() -> None:
    assert table() in DOC.read_text()
