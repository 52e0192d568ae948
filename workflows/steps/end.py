"""The end: the guest leaves."""

from nightdesk import wording
from nightdesk.conversation import Namespace
from workflows.turn import Finish, Transition, Turn


class End:
    """Closing words are code's."""

    name = "end"
    memory: Namespace | None = None

    async def run(self, turn: Turn) -> Transition:
        """Say goodbye; an unsettled booking is settled before the conversation closes."""
        conversation = turn.conversation
        turn.say(
            wording.ENDING_AFTER_CHECK
            if conversation.unsettled
            else wording.goodbye(conversation.reservation, reset=conversation.reset)
        )
        return Finish("ended")
