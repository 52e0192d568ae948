"""Two releases that must not be deployed while conversations run: one asks once more, one no longer asks."""

from datetime import timedelta
from typing import Any

from temporalio import workflow

from nightdesk.views import Result
from workflows.booking_conversation import BookingConversation

with workflow.unsafe.imports_passed_through():
    from activities.search_hotels import SearchHotels


@workflow.defn(name="BookingConversation")
class AsksTwice(BookingConversation):
    """A further activity, before everything else."""

    @workflow.init
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)

    @workflow.run
    async def run(self, *given: Any) -> Result:
        """Warms up the hotel server: an innocent idea."""
        await workflow.execute_activity(
            SearchHotels.search_hotels,  # type: ignore[arg-type]
            {},
            start_to_close_timeout=timedelta(seconds=5),
        )
        return await super().run(*given)


@workflow.defn(name="BookingConversation")
class NeverAsks(BookingConversation):
    """No timer for the idle goodbye any more."""

    @workflow.init
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)

    @workflow.run
    async def run(self, *given: Any) -> Result:
        """As before."""
        return await super().run(*given)

    async def _watch_idle(self) -> None:
        return
