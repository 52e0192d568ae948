"""The budget: limits on the price of every single night."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from pydantic import Field, JsonValue

from nightdesk import money
from nightdesk.criteria.base import Arguments, Criterion, JsonObject, Judgement, refused
from nightdesk.model import Frozen
from nightdesk.understanding.reading import Reading

HIGHEST = 1_000_000.0
"""Beyond this it is no budget but a misreading."""


class Budget(Frozen):
    """Dollars a night; both None is an explicit no preference."""

    min: Decimal | None = None
    max: Decimal | None = None


class CaptureBudget(Arguments):
    """What the guest said about the price of a night."""

    min: float | None = Field(default=None, description="At least so many dollars a night; null when not said")
    max: float | None = Field(default=None, description="At most so many dollars a night; null when not said")
    no_preference: bool | None = Field(
        default=None, description="The guest has no limit: clears every limit not given here. Null when not said"
    )


class BudgetCriterion(Criterion[Budget, CaptureBudget]):
    """Nonnegative limits, the minimum not over the maximum (seed: validateCriteria)."""

    name = "budget"
    title = "budget"
    about = "the price of a night: a minimum, a maximum, or that it does not matter"
    contradicted = "Budget is missing, ambiguous, or contradicted"
    tool_description = (
        "Record the limits on the price of one night, in US dollars, that the guest gave in the newest message. "
        "A bare amount in answer to the budget question is a maximum."
    )
    reason = "I only show hotels where every night fits it"
    example = "at most $250 a night"
    value_type = Budget
    arguments_type = CaptureBudget

    def question(self, value: Budget | None, today: date) -> str:
        """One question for both limits."""
        return (
            'What is your budget per night in dollars? A maximum is enough, or say "no preference" if it does not '
            "matter."
        )

    def judge(self, saved: Budget | None, arguments: CaptureBudget, today: date) -> Judgement[Budget]:
        """A limit not given stays as it is, or is cleared with `no_preference`."""
        if arguments.min is None and arguments.max is None and not arguments.no_preference:
            return Judgement()
        kept = Budget() if arguments.no_preference or saved is None else saved
        given = (arguments.min, arguments.max)
        if any(limit is not None and limit < 0 for limit in given):
            return refused("A budget cannot be negative. What is the most you would pay per night?")
        if any(limit is not None and not limit <= HIGHEST for limit in given):  # not a number is not at most either
            return refused("I cannot read that amount. What is the most you would pay per night?")
        low, high = (
            before if limit is None else Decimal(str(limit)).quantize(money.CENT)
            for limit, before in zip(given, (kept.min, kept.max), strict=True)
        )
        if low is not None and high is not None and low > high:
            return refused(
                f"A minimum of {money.words(low)} is more than the maximum of {money.words(high)}. "
                "Which limits would you like per night?"
            )
        return Judgement(value=Budget(min=low, max=high))

    def issues(self, value: Budget, today: date) -> tuple[str, ...]:
        """The seed's invariants, looked at again before a search."""
        limits = [limit for limit in (value.min, value.max) if limit is not None]
        if any(limit < 0 for limit in limits):
            return ("A budget cannot be negative.",)
        if len(limits) == 2 and limits[0] > limits[1]:
            return ("The minimum is more than the maximum.",)
        return ()

    def words(self, value: Budget) -> str:
        """ "at most $700 per night"."""
        if value.min is not None and value.max is not None:
            return f"{money.words(value.min)} to {money.words(value.max)} per night"
        if value.max is not None:
            return f"at most {money.words(value.max)} per night"
        if value.min is not None:
            return f"at least {money.words(value.min)} per night"
        return "no preference"

    def state(self, value: Budget | None) -> JsonObject:
        """Decimal strings."""
        value = value or Budget()
        return {"min": _plain(value.min), "max": _plain(value.max)}

    def understood(
        self, reading: Reading, text: str, saved: Mapping[str, JsonValue], asked: str | None
    ) -> CaptureBudget | None:
        """The reader's limits; an amount that is only "about" is asked about, not saved."""
        found = reading.budget
        if found and (found.currency or found.about is not None or found.level):
            return None
        low, high = (found.min, found.max) if found else (None, None)
        free = self.name in reading.no_preference_for
        if low is None and high is None and not free:
            return None
        return CaptureBudget(
            min=None if low is None else float(low),
            max=None if high is None else float(high),
            no_preference=free,
        )


def _plain(limit: Decimal | None) -> str | None:
    """As a decimal string, without empty cents: "700", "612.90"."""
    if limit is None:
        return None
    return str(int(limit)) if limit == limit.to_integral_value() else str(limit.quantize(money.CENT))


BUDGET = BudgetCriterion()
