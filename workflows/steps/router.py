"""The router: every message is routed once, by one decision, and read once, by one model turn."""

from nightdesk import wording
from nightdesk.boundaries import RouterFacts
from nightdesk.consent import SmallTalk, consent, greets, small_talk
from nightdesk.conversation import Namespace
from nightdesk.criteria import BY_NAME
from nightdesk.selection import resolve
from nightdesk.verdicts import Route, route
from workflows import calls
from workflows.policies import ROUTER_DECISION
from workflows.steps import proposals, router_questions
from workflows.steps.collector import collect
from workflows.turn import Go, Rest, Transition, Turn

MISUNDERSTOOD_AT_MOST = 2
"""The next one in a row gets a menu instead."""

_SMALL_TALK: dict[SmallTalk, str] = {
    "thanks": "You are welcome.",
    "greeting": wording.HELLO,
    "help": wording.CAN_DO,
    "who_are_you": wording.WHO,
    "how_are_you": "I am well, thank you.",
    "compliment": "Thank you.",
}
_CODE_ANSWERS: tuple[SmallTalk, ...] = ("greeting", "thanks", "who_are_you", "how_are_you")
"""Whatever a provider says: nothing else can be meant. "Great" may well ask to search."""

_WAITS_FOR = {"booking": wording.STILL_CHECKING, "present": wording.WHICH_HOTEL}


class Router:
    """Sends a message to the owners of what it mentions, and on to where it wants to go."""

    name = "router"
    memory: Namespace | None = "intake"

    async def run(self, turn: Turn) -> Transition:
        """Route, let the owners read, then go where the message wants to go."""
        if proposals.answered(turn):
            return next_question(turn)
        facts = router_facts(turn)
        talk = small_talk(turn.text)
        # Runs begun before let the provider decide what a greeting is about: other calls, other steps.
        turn.way_in = turn.newer and (talk is not None or greets(turn.text))
        turn.route = await _decide(turn, facts)
        if turn.way_in and talk in _CODE_ANSWERS:
            turn.remember("intake")
            turn.conversation.misunderstood = 0
            return _greeted(turn) if talk == "greeting" else _way_on(turn, _SMALL_TALK[talk])
        turn.remember("present" if turn.route.destination in {"select", "question"} else "intake")
        if turn.way_in and talk:
            return _there(turn, turn.route.destination) or _not_understood(turn)
        if turn.route.owners:
            await collect(turn, turn.route.owners, facts)
        if turn.route.destination != "exit":
            turn.parts[:0] = [wording.noticed(made) for made in turn.noticed]
        return self._next(turn, turn.route)

    def _next(self, turn: Turn, way: Route) -> Transition:
        """There, if the message can go there; else on with what its owners ask, or with the next question."""
        conversation = turn.conversation
        there = _there(turn, way.destination)
        if there is None and not turn.changed:
            if not turn.doubts and way.destination in {"unclear", "select", "question"}:
                return _not_understood(turn)
            if turn.doubts:
                conversation.misunderstood += 1
                return next_question(turn)
        conversation.misunderstood = 0
        return there or next_question(turn)


def _there(turn: Turn, destination: str) -> Transition | None:
    """What a destination other than a criterion does; None where it cannot be gone to."""
    conversation = turn.conversation
    match destination:
        case "search" if not turn.doubts and turn.snapshot.open is None and conversation.open_doubt() is None:
            return Go("readiness_review")
        case "select" if conversation.hotels:
            return Go("present")
        case "question" if conversation.hotels and turn.noticed:
            return _not_ours(turn)
        case "question" if conversation.hotels:
            return turn.stay(*_hotel_answers(turn), open_question(turn))
        case "review" if turn.way_in and not conversation.facts:
            return None
        case "review" if not turn.changed and not turn.doubts:
            return turn.stay(wording.summary(turn.snapshot), open_question(turn))
        case "exit":
            return Go("end")
        case _:
            return None


async def _decide(turn: Turn, facts: RouterFacts) -> Route:
    """The typed route; in an outage the local rules route the message, and the guest notices nothing."""
    questions = router_questions.questions(facts)
    decision = await calls.decide(turn, ROUTER_DECISION, "Where does this message go?", facts, questions)
    fallback = None
    if decision is None:
        fallback = ROUTER_DECISION
        decision = await calls.decide_by_rules(turn, "Router is out: routed by rules", facts, questions)
    # Runs begun before leave what a newer worker noticed alone, and may wait elsewhere.
    if turn.newer:
        turn.noticed = decision.noticed
    way = route(decision)
    calls.audit(turn, facts, decision, _followed(turn, way.destination), fallback)
    return way


def _followed(turn: Turn, destination: str) -> bool:
    """Whether code goes where the decision says. A greeting belongs to the open question, as the options say."""
    if turn.way_in and small_talk(turn.text) in _CODE_ANSWERS:
        return destination == (turn.snapshot.open.name if turn.snapshot.open else "review")
    return destination != "unclear"


def router_facts(turn: Turn) -> RouterFacts:
    """Where the conversation stands."""
    conversation = turn.conversation
    _, prior = _requests(turn)
    return RouterFacts(
        request=turn.text,
        prior_requests=prior,
        today=turn.today,
        awaiting=conversation.active_step,
        asked=turn.asked,
        doubt=conversation.doubt.quote if conversation.doubt else None,
        proposal=conversation.proposal,
        criteria=turn.snapshot.state(),
        hotels=tuple(f"{shown.number}. {shown.hotel.name}" for shown in conversation.hotels),
        offer=conversation.offer.name if conversation.offer else None,
    )


def _requests(turn: Turn) -> tuple[str, tuple[str, ...]]:
    """The newest request is this message, which no memory holds yet; up to four earlier ones of the intake."""
    newest, earlier = turn.conversation.requests("intake")
    prior = (*earlier, newest) if newest else earlier
    return turn.text, prior[-4:]


def _not_understood(turn: Turn) -> Rest:
    """Small talk is answered; anything else gets what can be done here, and after three in a row a menu."""
    conversation = turn.conversation
    if turn.noticed:
        return _not_ours(turn)
    criterion = BY_NAME.get(conversation.active_step)
    talk = small_talk(turn.text)
    if talk == "repeat" and (again := _last_reply(turn)):
        return turn.stay(again)
    if talk == "why":
        return _way_on(turn, wording.why(criterion))
    if talk == "what" and criterion:
        return turn.stay(open_question(turn), wording.criterion_hint(criterion))
    if talk == "what":
        return _way_on(turn, "" if open_question(turn) else wording.CAN_DO)
    if talk in _SMALL_TALK:
        return _way_on(turn, _SMALL_TALK[talk])
    if conversation.doubt and consent(turn.text) == "no":
        del conversation.doubts[conversation.active_step]
        turn.say(wording.AS_IT_WAS)
        return next_question(turn)
    if conversation.hotels and consent(turn.text) == "no":
        return turn.stay(wording.none_of_these(reset=conversation.reset), open_question(turn))
    conversation.misunderstood += 1
    if conversation.misunderstood > MISUNDERSTOOD_AT_MOST:
        return turn.stay(wording.menu(criterion or turn.snapshot.open if conversation.facts else criterion))
    if turn.way_in:
        return _way_on(turn, wording.HELLO, wording.CAN_DO)
    return turn.stay(wording.CAN_DO, open_question(turn))


def _not_ours(turn: Turn) -> Rest:
    """After what was said about a name that is not ours: how the guest can go on."""
    conversation = turn.conversation
    conversation.misunderstood = 0
    if conversation.hotels and conversation.active_step == "present":
        return turn.stay(wording.choose_shown(conversation.hotels))
    return next_question(turn)


def _way_on(turn: Turn, *parts: str) -> Rest:
    """Say it, and go on with the question that is open; where none was asked yet, with the first one."""
    conversation, first = turn.conversation, turn.snapshot.open
    if conversation.doubt and turn.way_in:
        return turn.stay(*parts, conversation.doubt.question)
    if turn.way_in and conversation.active_step == "router" and first:
        return turn.direct_to(first.name, *parts, first.question(conversation.facts.get(first.name), turn.today))
    return turn.stay(*parts, open_question(turn))


def _greeted(turn: Turn) -> Rest:
    """Whoever comes back to a complete record sees it."""
    complete = turn.conversation.active_step == "router" and turn.snapshot.open is None
    return _way_on(turn, _welcome(turn), wording.summary(turn.snapshot) if complete else "")


def _welcome(turn: Turn) -> str:
    """The first time, it says what this is."""
    return wording.HELLO if turn.conversation.facts or turn.conversation.messages.answered else wording.WELCOME


def _last_reply(turn: Turn) -> str | None:
    lines = (line.text for line in reversed(turn.conversation.transcript) if line.role == "assistant")
    return next(lines, None)


def _hotel_answers(turn: Turn) -> list[str]:
    """What the search said about the hotel in question: the one named, the one on offer, or each that is shown."""
    conversation = turn.conversation
    shown = resolve(conversation.hotels, turn.text)
    if shown is None and conversation.offer:
        on_offer = (item for item in conversation.hotels if item.hotel.hotel_id == conversation.offer.hotel_id)
        shown = next(on_offer, None)
    if shown:
        return [wording.hotel_facts(shown.hotel)]
    return [wording.ALL_I_KNOW, *(wording.hotel_brief(item) for item in conversation.hotels)]


def open_question(turn: Turn) -> str:
    """What the conversation waits for, in words; empty before the first question."""
    conversation, snapshot = turn.conversation, turn.snapshot
    if conversation.active_step == "confirm" and conversation.offer:
        # Named, since another hotel may just have been talked about: a yes is to this one.
        return wording.still_offered(conversation.offer, reset=conversation.reset)
    if conversation.doubt and conversation.doubt.proposal:
        return conversation.doubt.question
    if conversation.active_step in _WAITS_FOR:
        return _WAITS_FOR[conversation.active_step]
    criterion = BY_NAME.get(conversation.active_step) or (snapshot.open if conversation.facts else None)
    if criterion:
        return criterion.question(conversation.facts.get(criterion.name), turn.today)
    return wording.SEARCH_OR_CHANGE if conversation.facts else ""


def next_question(turn: Turn) -> Rest:
    """Problems first, then the next open question, or the summary when all is answered."""
    conversation, snapshot = turn.conversation, turn.snapshot
    greeted = small_talk(turn.text) == "greeting" or (turn.way_in and greets(turn.text) and not turn.parts)
    greeting = _welcome(turn) if greeted else ""
    if turn.doubts:
        # The owner's own words ask already, and stand behind what was saved.
        return turn.direct_to(next(iter(turn.doubts)))
    if again := conversation.open_doubt():
        doubt = conversation.doubts[again]
        conversation.doubts[again] = doubt.once_more()
        return turn.direct_to(again, greeting, doubt.question)
    criterion = snapshot.open
    if criterion:
        question = criterion.question(conversation.facts.get(criterion.name), turn.today)
        return turn.direct_to(criterion.name, greeting, question)
    if conversation.hotels:
        # An owner who asked back has been told what is saved anyway: the hotels still fit, and are not asked for again.
        here = conversation.active_step in {*_WAITS_FOR, "confirm"}
        conversation.active_step = conversation.active_step if here else "confirm" if conversation.offer else "present"
        return turn.stay(greeting, open_question(turn))
    # The summary says what was saved; what was said beside that stays.
    turn.parts = [part for part in turn.parts if part != wording.saved(snapshot, turn.changed)]
    return turn.direct_to("router", wording.summary(snapshot), wording.SEARCH_OR_CHANGE)
