"""Presenting the hotels, and the selection among them: a draft by a model, a choice resolved by code."""

from nightdesk import selection, wording
from nightdesk.boundaries import ConverseRequest, DraftFacts
from nightdesk.conversation import Namespace
from nightdesk.understanding.normalise import strip_control
from workflows import calls
from workflows.policies import COLLECTOR, DRAFT
from workflows.steps import draft_guidance
from workflows.steps.collector import chosen_hotel, read_request
from workflows.steps.presentation_review import release
from workflows.turn import Go, Transition, Turn


class Present:
    """Fresh from a search it has the results drafted; otherwise it resolves which hotel is meant."""

    name = "present"
    memory: Namespace | None = "present"

    async def run(self, turn: Turn) -> Transition:
        """The draft goes to its review; a choice goes on to the terms."""
        if turn.found:
            return await self._draft(turn, turn.found.matched)
        return await self._select(turn)

    async def _draft(self, turn: Turn, matched: int) -> Transition:
        conversation = turn.conversation
        facts = DraftFacts(hotels=conversation.hotels, matched=matched)
        request = ConverseRequest(
            guidance=draft_guidance.guidance(facts),
            messages=tuple(conversation.memory["present"][-5:]),
            facts=facts,
        )
        answer = await calls.converse(request, DRAFT, f"Draft: {len(conversation.hotels)} hotels")
        turn.draft = _plain(answer.text) if answer else ""
        if turn.draft:
            return Go("presentation_review")
        calls.audit_model_out(turn, "presentation", DRAFT)
        return release(turn, None)

    async def _select(self, turn: Turn) -> Transition:
        """The guard before every offer: the choice is one of the saved hotels, or it is asked for again (seed)."""
        hotels = turn.conversation.hotels
        turn.choice = selection.resolve(hotels, turn.text)
        if turn.choice is None and selection.named_number(turn.text) is None:
            chosen = turn.chosen if turn.model_asked else await self._ask_model(turn)
            turn.choice = selection.answer(hotels, chosen) if chosen else None
        if turn.choice is None:
            return turn.direct_to("present", wording.choose_shown(hotels))
        return Go("confirm")

    async def _ask_model(self, turn: Turn) -> str | None:
        """For a choice that code could not resolve: the model names one, and code looks that up in turn."""
        request = read_request(turn, ())
        answer = await calls.converse(request, COLLECTOR, "Which hotel is meant?")
        if answer is None:
            calls.audit_model_out(turn, "router", COLLECTOR)
            answer = await calls.converse_by_rules(request, "Model is out: choice read by rules")
        return chosen_hotel(answer)


def _plain(draft: str) -> str:
    """Lines of text alone. Models set names in bold even when told not to, which is no reason to drop a draft."""
    return "\n".join(strip_control(line).rstrip() for line in draft.replace("**", "").splitlines()).strip()
