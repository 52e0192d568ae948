"""One message at the desk: its turn through the steps, and what becomes of it."""

from temporalio import workflow

from nightdesk import wording
from nightdesk.boundaries import Message
from nightdesk.consent import calls_off
from nightdesk.conversation import Conversation, Incoming
from workflows.calls import OutOfOrder
from workflows.policies import MAX_TRANSITIONS
from workflows.steps import STEPS, first_step
from workflows.turn import Finish, Go, Rest, Transition, Turn

_UNUSABLE = {"empty": wording.EMPTY, "too_long": wording.TOO_LONG, "no_text": wording.UNUSABLE}


async def answer(conversation: Conversation, message: Incoming, *, newer: bool) -> None:
    """Take the message through its turn; afterwards it has exactly one reply."""
    turn = Turn(conversation, message, newer)
    if message.problem:
        turn.say(_UNUSABLE[message.problem])
        _reply(turn)
        return
    conversation.say("guest", message.text, message.id, message.at)
    if conversation.outcome:
        turn.say(wording.closed(conversation.outcome, conversation.reservation))
    elif conversation.unsettled and calls_off(message.text, asked=conversation.active_step != "booking"):
        conversation.unsettled = conversation.unsettled.model_copy(update={"give_up": True})
        turn.say(wording.WILL_CANCEL)
    else:
        _end(turn, await _through_steps(turn))
    _reply(turn)


async def _through_steps(turn: Turn) -> Transition:
    """From step to step, a bounded number of times."""
    step = first_step(turn)
    try:
        for _ in range(MAX_TRANSITIONS):
            transition = await STEPS[step].run(turn)
            if not isinstance(transition, Go):
                return transition
            step = transition.to
    except OutOfOrder:
        workflow.logger.warning("this program's own rules could not be run")
    turn.parts.clear()
    return turn.stay(wording.TROUBLE)


def _end(turn: Turn, transition: Transition) -> None:
    conversation = turn.conversation
    if isinstance(transition, Rest):
        conversation.active_step = transition.at
    elif isinstance(transition, Finish):
        conversation.closing = transition.outcome
        if conversation.unsettled is None:
            close(conversation)


def close(conversation: Conversation) -> None:
    """The conversation is over; a booking that was confirmed meanwhile is what it ended with."""
    reservation = conversation.reservation
    booked = reservation is not None and reservation.status == "confirmed"
    conversation.outcome = "booked" if booked else conversation.closing or "ended"
    conversation.active_step = "end"


def _reply(turn: Turn) -> None:
    conversation, text = turn.conversation, "\n".join(turn.parts)
    conversation.say("assistant", text, turn.message.id, workflow.now())
    memory = STEPS[conversation.active_step].memory
    if memory and not turn.message.problem:
        conversation.remember(memory, Message(role="assistant", text=text))
    conversation.answered(turn.message.id, (text,))
