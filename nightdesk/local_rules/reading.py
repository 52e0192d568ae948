"""The local reader in a model's place: calls of the tools offered, and remarks on what it could not read."""

from nightdesk.boundaries import ConverseRequest, ModelTurn, ReadFacts, Shown, ToolCall
from nightdesk.criteria import BY_TOOL, CRITERIA
from nightdesk.local_rules import MODEL
from nightdesk.local_rules.hearing import hear
from nightdesk.local_rules.unsure import calls_of
from nightdesk.tools import CHOOSE, REROUTE
from nightdesk.understanding import Reading


def read_message(request: ConverseRequest, facts: ReadFacts) -> ModelTurn:
    """What the newest message says, as calls of the tools that were offered."""
    heard = hear(facts)
    reading = heard.reading
    calls: list[ToolCall] = []
    proposals: list[ToolCall] = []
    elsewhere = False
    for criterion in CRITERIA:
        arguments, proposal = heard.arguments.get(criterion.name), heard.proposals.get(criterion.name)
        if criterion.tool not in request.tools:
            elsewhere = elsewhere or bool(arguments or proposal)
            continue
        if arguments is not None:
            calls += calls_of({criterion.name: arguments})
        if proposal is not None:
            proposals += calls_of({criterion.name: proposal})
    chosen = _choice(reading, facts.hotels)
    if chosen and CHOOSE.name in request.tools:
        calls.append(ToolCall(name=CHOOSE.name, arguments={"hotel": chosen}))
    if not calls and not proposals and elsewhere and REROUTE.name in request.tools:
        calls.append(ToolCall(name=REROUTE.name, arguments={}))
    owners = {BY_TOOL[tool].name for tool in request.tools if tool in BY_TOOL}
    return ModelTurn(
        model=MODEL,
        calls=tuple(calls),
        remarks=tuple(
            remark
            for remark in reading.remarks
            if remark.criterion in owners and not (remark.code == "unsure" and remark.criterion in heard.proposals)
        ),
        proposals=tuple(proposals),
    )


def _choice(reading: Reading, hotels: tuple[Shown, ...]) -> str | None:
    """The hotel that is meant, as a number of the list where a rule can tell, else in the guest's words."""
    selection = reading.selection
    if selection is None or not hotels:
        return None
    if selection.number is not None:
        return str(hotels[-1].number if selection.number == -1 else selection.number)
    if selection.name:
        return selection.name
    if selection.superlative in {"cheapest", "least expensive", "lowest price"}:
        return str(min(hotels, key=lambda shown: shown.hotel.total).number)
    return None
