"""The registry of steps: every possible target of a transition. It is no sequence (seed: defineSteps)."""

from workflows.steps.booking import Booking
from workflows.steps.collector import COLLECTORS
from workflows.steps.confirm import Confirm, awaits_consent
from workflows.steps.end import End
from workflows.steps.present import Present
from workflows.steps.presentation_review import PresentationReview
from workflows.steps.readiness_review import ReadinessReview, stands_by
from workflows.steps.router import Router
from workflows.steps.search import Search
from workflows.turn import Step, Turn

STEPS: dict[str, Step] = {
    step.name: step
    for step in (
        Router(),
        *COLLECTORS.values(),
        ReadinessReview(),
        Search(),
        Present(),
        PresentationReview(),
        Confirm(),
        Booking(),
        End(),
    )
}


def first_step(turn: Turn) -> str:
    """Where a message enters: at the router, but for what a closed list of phrases answers by itself."""
    if awaits_consent(turn):
        return "confirm"
    return "readiness_review" if stands_by(turn) else "router"
