"""The collectors: one generic step per criterion, the only writer of its fact."""

from collections.abc import Sequence

from pydantic import ValidationError

from nightdesk import wording
from nightdesk.boundaries import ConverseRequest, ModelTurn, ReadFacts, RouterFacts, ToolCall
from nightdesk.conversation import Doubt, Namespace
from nightdesk.criteria import BY_NAME, BY_TOOL, AnyCriterion
from nightdesk.criteria.base import JsonObject, Problem
from nightdesk.tools import CHOOSE, REROUTE, ChooseHotel
from nightdesk.verdicts import Route, route
from workflows import calls
from workflows.policies import COLLECTOR
from workflows.steps import collector_guidance, router_questions
from workflows.turn import Transition, Turn

PROBLEMS_AT_MOST = 5
"""Of one answer that are told; a model can name a thousand amenities that nobody offers."""


class Collector:
    """Owner of one criterion: asks for it, judges what a message says about it, and alone saves it."""

    memory: Namespace | None = "intake"

    def __init__(self, criterion: AnyCriterion) -> None:
        self.name = criterion.name
        self._criterion = criterion

    async def run(self, turn: Turn) -> Transition:
        """Sent here by the readiness review or by validation: ask for this criterion again."""
        saved = turn.conversation.facts.get(self.name)
        question = self._criterion.question(saved, turn.today)
        if saved is None:
            return turn.direct_to(self.name, question)
        issues = self._criterion.issues(saved, turn.today)
        doubt = (
            " ".join(issues)
            or f"I may have the {self._criterion.title} wrong: {turn.snapshot.words(self._criterion)}. Please say it "
            'once more, or say "that is right".'
        )
        return turn.direct_to(self.name, doubt)

    def capture(self, turn: Turn, call: ToolCall) -> None:
        """Validate, then save or say why not. Any saved change empties what was found for the old record."""
        criterion, conversation = self._criterion, turn.conversation
        saved = conversation.facts.get(self.name)
        try:
            arguments = criterion.arguments_type.model_validate(call.arguments)
        except ValidationError:
            self.ask(turn, wording.not_caught(criterion))
            return
        judgement = criterion.judge(saved, arguments, turn.today)
        far = criterion.out_of_reach(judgement.value, turn.today) if judgement.value is not None else ""
        # Runs begun before save such a value, and go on to search with it.
        if far and turn.newer:
            self.ask(turn, far)
            return
        if judgement.value is not None and judgement.value != saved:
            conversation.facts[self.name] = judgement.value
            conversation.forget_results()
            turn.changed.append(self.name)
        # Only the guest's own words are quoted back: a model's would be its way to say anything at all.
        foreign = [quote for quote in _quotes(call) if quote.casefold() not in turn.text.casefold()]
        for problem in judgement.problems[:PROBLEMS_AT_MOST]:
            if any(f'"{quote}"' in problem.text for quote in foreign):
                told = wording.not_caught(criterion) if problem.asks else wording.not_all(criterion)
                self._tell(turn, Problem(text=told, asks=problem.asks))
            else:
                self._tell(turn, problem)

    def propose(self, turn: Turn, call: ToolCall) -> None:
        """A value that the guest was not sure of: validated, then asked about in the words it would be saved in."""
        criterion, saved = self._criterion, turn.conversation.facts.get(self.name)
        judgement = criterion.judge(saved, criterion.arguments_type.model_validate(call.arguments), turn.today)
        if judgement.value is None:
            for problem in judgement.problems[:PROBLEMS_AT_MOST]:
                self._tell(turn, problem)
        elif far := criterion.out_of_reach(judgement.value, turn.today):
            self.ask(turn, far)
        elif judgement.value != saved:
            self.ask(turn, criterion.proposal(judgement.value), proposal=call.arguments)

    def _tell(self, turn: Turn, problem: Problem) -> None:
        if problem.asks:
            self.ask(turn, problem.text, problem.quote)
        elif problem.text not in turn.parts:
            turn.say(problem.text)

    def ask(self, turn: Turn, text: str, quote: str = "", proposal: JsonObject | None = None) -> None:
        """Something about this criterion could not be saved; `quote` are the guest's words that are asked about."""
        turn.say(text)
        part = self._criterion.part_named(quote)
        turn.doubts.setdefault(self.name, Doubt(question=text, quote=quote, part=part, proposal=proposal))


COLLECTORS: dict[str, Collector] = {name: Collector(criterion) for name, criterion in BY_NAME.items()}


async def collect(turn: Turn, owners: Sequence[str], router: RouterFacts) -> None:
    """One model turn with the tools of these owners; each judges its own. Leaves its words in `turn.parts`."""
    answer = await _read(turn, owners)
    captured, remarks = _capture(turn, owners, answer), answer.remarks
    if any(call.name == REROUTE.name for call in answer.calls):
        # One more model turn at the most: for owners who have not been asked, and whatever it answers.
        others = [name for name in await _owners_by_rules(turn, router) if name not in owners]
        if others:
            answer = await _read(turn, others)
            captured |= _capture(turn, others, answer)
            remarks += answer.remarks
    said = list(turn.parts)
    turn.parts.clear()
    turn.say(wording.saved(turn.snapshot, turn.changed), *said)
    for made in remarks:
        if made.criterion in COLLECTORS and made.criterion not in turn.doubts:
            text = wording.remark(BY_NAME[made.criterion], made)
            if made.code == "unsupported":
                turn.say(text)
            else:
                COLLECTORS[made.criterion].ask(turn, text, made.quote)
    if turn.route and not (turn.parts or turn.doubts or captured or turn.chosen):
        for name in _unread(turn, turn.route):
            COLLECTORS[name].ask(turn, wording.not_caught(BY_NAME[name]))
    keep_doubts(turn, {*captured, *turn.changed})


def keep_doubts(turn: Turn, answered: set[str]) -> None:
    """What was asked back about stays until its owner hears of it; the guest may answer something else first."""
    doubts = turn.conversation.doubts
    for name in answered:
        doubts.pop(name, None)
    for name, doubt in turn.doubts.items():
        before = doubts.get(name)
        # A question without the guest's words does not take the place of one that has them.
        doubts[name] = before.once_more() if before and not doubt.quote and doubt.proposal is None else doubt


def _capture(turn: Turn, owners: Sequence[str], answer: ModelTurn) -> set[str]:
    """The first call for each of these owners; calls for anybody else are nobody's. The names of those who got one."""
    captured: set[str] = set()
    for call in answer.calls:
        criterion = BY_TOOL.get(call.name)
        if criterion and criterion.name in owners and criterion.name not in captured:
            captured.add(criterion.name)
            COLLECTORS[criterion.name].capture(turn, call)
    # Runs begun before leave the proposals of a newer worker alone, and go on to the next question.
    for call in answer.proposals if turn.newer else ():
        criterion = BY_TOOL.get(call.name)
        if criterion and criterion.name in owners:
            captured.add(criterion.name)
            COLLECTORS[criterion.name].propose(turn, call)
    turn.chosen = turn.chosen or chosen_hotel(answer)
    return captured


def _quotes(call: ToolCall) -> list[str]:
    """The texts among the arguments of a call, as an owner who refuses them would quote them."""
    given = [text for value in call.arguments.values() for text in (value if isinstance(value, list) else [value])]
    return [text.strip()[:40] for text in given if isinstance(text, str) and text.strip()]


def _unread(turn: Turn, way: Route) -> tuple[str, ...]:
    """The criteria that a message was about, when nothing could be read of it.

    Not when it asks for the record, nor when it merely went to the open question, which is asked again anyway.
    """
    open_ = turn.snapshot.open
    if way.destination == "review":
        return ()
    if turn.way_in:
        # "Hi, I need a hotel" sent to an owner: what is not answered yet is asked for in its turn anyway.
        return tuple(name for name in way.mentions if BY_NAME[name].answered(turn.conversation.facts.get(name)))
    return way.mentions or (() if open_ and open_.name == way.destination else way.owners)


async def _read(turn: Turn, owners: Sequence[str]) -> ModelTurn:
    """The model's reading; in an outage, or when it is of no use, the local reader's."""
    turn.model_asked = True
    request = read_request(turn, owners)
    names = ", ".join(BY_NAME[name].title for name in owners)
    answer = await calls.converse(request, COLLECTOR, f"Read: {names}")
    if answer is None:
        calls.audit_model_out(turn, "router", COLLECTOR)
        answer = await calls.converse_by_rules(request, f"Model is out: {names} read by rules")
    return answer


def read_request(turn: Turn, owners: Sequence[str]) -> ConverseRequest:
    """The newest message with the tools of these owners, and a way out."""
    conversation = turn.conversation
    choosing = turn.route is not None and turn.route.destination == "select" and bool(conversation.hotels)
    tools = [BY_NAME[name].tool for name in owners] + [REROUTE.name] + ([CHOOSE.name] if choosing else [])
    facts = ReadFacts(
        request=turn.text,
        today=turn.today,
        awaiting=conversation.active_step,
        asked=turn.asked,
        doubt=conversation.doubt.quote if conversation.doubt else None,
        proposal=conversation.proposal,
        criteria=turn.snapshot.state(),
        hotels=conversation.hotels if choosing else (),
    )
    return ConverseRequest(
        guidance=collector_guidance.guidance(facts, turn.snapshot),
        messages=collector_guidance.messages(conversation, turn.text),
        tools=tuple(tools),
        facts=facts,
    )


async def _owners_by_rules(turn: Turn, router: RouterFacts) -> tuple[str, ...]:
    """`reroute_request`: the owners that the local rules name; no second decision of the provider."""
    questions = router_questions.questions(router)
    decision = await calls.decide_by_rules(turn, "Rerouted by rules", router, questions)
    return route(decision).owners


def chosen_hotel(answer: ModelTurn) -> str | None:
    """What `choose_hotel` was called with, if it was: for code to look up in the list."""
    for call in answer.calls:
        if call.name == CHOOSE.name:
            try:
                return ChooseHotel.model_validate(call.arguments).hotel
            except ValidationError:
                continue
    return None
