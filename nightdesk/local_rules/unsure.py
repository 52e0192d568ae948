"""A model's reading held against the hedges that code hears: "maybe the 5th" is no date to save, whoever read it."""

from nightdesk.boundaries import ConverseRequest, ModelTurn, ReadFacts, ToolCall
from nightdesk.criteria import BY_NAME, BY_TOOL
from nightdesk.criteria.base import Arguments
from nightdesk.local_rules.hearing import hear


def hold_back(request: ConverseRequest, answer: ModelTurn) -> ModelTurn:
    """The same turn; for criteria with a hedged value what was said firmly is captured, and the rest proposed."""
    if answer.outcome != "ok" or not isinstance(request.facts, ReadFacts):
        return answer
    heard = hear(request.facts)
    held = {name for name in heard.proposals if BY_NAME[name].tool in request.tools}
    if not held:
        return answer
    kept = tuple(call for call in answer.calls if call.name not in BY_TOOL or BY_TOOL[call.name].name not in held)
    firm = calls_of({name: made for name, made in heard.arguments.items() if name in held})
    proposed = calls_of({name: made for name, made in heard.proposals.items() if name in held})
    return answer.model_copy(update={"calls": (*kept, *firm), "proposals": proposed})


def calls_of(arguments: dict[str, Arguments]) -> tuple[ToolCall, ...]:
    """As calls of the owners' capture tools."""
    return tuple(
        ToolCall(name=BY_NAME[name].tool, arguments=made.model_dump(mode="json")) for name, made in arguments.items()
    )
