"""What a guest was not sure of is proposed back ("Shall I take …?"): their yes stores just that, their no drops it."""

from nightdesk import wording
from nightdesk.boundaries import ToolCall
from nightdesk.consent import accepts, consent
from nightdesk.conversation import Conversation, Doubt
from nightdesk.criteria import BY_NAME
from workflows.steps.collector import COLLECTORS, keep_doubts
from workflows.turn import Turn


def answered(turn: Turn) -> bool:
    """Whether the message is a yes or no to what was proposed last; then it has been acted on, and costs no call."""
    conversation = turn.conversation
    proposed = _proposed(conversation)
    yes = accepts(turn.text)
    if not turn.newer or not proposed or not (yes or consent(turn.text) == "no"):
        return False
    turn.remember("intake")
    conversation.misunderstood = 0
    for name, doubt in proposed.items():
        del conversation.doubts[name]
        if yes:
            COLLECTORS[name].capture(turn, ToolCall(name=BY_NAME[name].tool, arguments=doubt.proposal or {}))
    problems = list(turn.parts)
    turn.parts.clear()
    turn.say(wording.saved(turn.snapshot, turn.changed) if yes else wording.NOT_NOTED, *problems)
    keep_doubts(turn, set(turn.changed))
    return True


def _proposed(conversation: Conversation) -> dict[str, Doubt]:
    """Those that the last reply asked about, the awaited one among them: a yes is to all that was just read."""
    if conversation.doubt is None or conversation.doubt.proposal is None:
        return {}
    last = next((line.text for line in reversed(conversation.transcript) if line.role == "assistant"), "")
    return {name: doubt for name, doubt in conversation.doubts.items() if doubt.proposal and doubt.question in last}
