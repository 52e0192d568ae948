"""Providers as their servers see them: the real adapters, on real HTTP, against peers that a test can script.

* `Judge` scripts jevcompat's mock: it routes as the local rules would, and finds records ready and drafts good.
* `model` answers like OpenAI's Responses API: it reads with the local reader, and drafts from the rows it is given.
* `connected` is a house whose worker talks to such servers.
"""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import JsonValue
from pydantic_core import from_json, to_json
from temporalio.api.enums.v1 import EventType
from temporalio.api.history.v1 import HistoryEvent
from temporalio.client import Client

from activities.providers.mcp_search import McpSearch
from activities.providers.openai_language import OpenAILanguage
from activities.providers.typesafe import TypesafeDecisions
from nightdesk.boundaries import ConverseRequest, ReadFacts, RouterFacts
from nightdesk.criteria import BY_NAME
from nightdesk.decisions import ChoiceAnswer, NoulAnswer
from nightdesk.local_rules.reading import read_message
from nightdesk.local_rules.route import route
from tests.activities import flaky
from tests.house import SETTINGS, TODAY, GuestTalk, House, Providers, house
from workflows.steps.router_questions import questions

JEV = "jevcompat-mock-0.1"
"""Who answers at jevcompat's mock."""

YES, NO = 8.0, -8.0
"""Logits."""


class Judge:
    """For `SystemOne.configure(prefer=...)`. `outcome` and `grounded` are what the reviews answer from now on."""

    def __init__(self) -> None:
        self.outcome = "ready"
        self.grounded = True

    def __call__(self, state: object, instructions: str, option: str) -> float:
        assert isinstance(state, dict)
        if "draft" in state:
            holds = option == "2" or (option == "true" and self.grounded)
        elif "issues" in state:
            holds = option == self.outcome or (option == "true" and self.outcome == "ready")
        else:
            holds = option in _routed(to_json(state), instructions)
        return YES if holds else NO


@lru_cache(maxsize=64)
def _routed(state: bytes, instructions: str) -> frozenset[str]:
    facts = RouterFacts.model_validate_json(state)
    asked = questions(facts)
    answers = route(facts, asked)
    (name,) = (name for name, question in asked.items() if question.instructions == instructions)
    answer = answers[name]
    if isinstance(answer, ChoiceAnswer):
        return frozenset({answer.choice})
    assert isinstance(answer, NoulAnswer)
    return frozenset({"true"} if answer.noul > 0.5 else ())


def model(request: flaky.Request) -> bytes:
    """For `FlakyPeer(answer=model)`."""
    wire = request.json
    assert isinstance(wire, dict)
    guidance, lines, tools = str(wire["instructions"]), wire["input"], wire.get("tools") or []
    assert isinstance(lines, list)
    assert isinstance(tools, list)
    if not tools:
        return said(draft(guidance))
    newest = lines[-1]
    assert isinstance(newest, dict)
    today = re.search(r"Today is \w+, (\S+)\.", guidance)
    asked = re.search(r"asked about: ([^(.]+?)(?: \((.+)\))?\.", guidance)
    facts = ReadFacts(
        request=str(newest["content"]),
        today=date.fromisoformat(today[1]) if today else TODAY,
        awaiting=asked[1].replace(" ", "_") if asked else "router",
        asked=asked[2].replace(" ", "_") if asked and asked[2] else None,
        criteria={name: {"answered": False} for name in BY_NAME},
    )
    names = tuple(str(tool["name"]) for tool in tools if isinstance(tool, dict))
    read = read_message(ConverseRequest(guidance="", messages=(), tools=names, facts=facts), facts)
    return called(*((call.name, call.arguments) for call in read.calls)) if read.calls else said("Nothing to record.")


def draft(guidance: str) -> str:
    """A sentence of its own, then the rows."""
    rows = re.findall(r"^(\d+)\. (.+?): (.+?), (\$.+ a night), (\$\S+) in total", guidance, re.MULTILINE)
    lines = [f"{number}. **{name}** – {room}, {price}, {total} total" for number, name, room, price, total in rows]
    return "\n".join(["Here is what I found for your stay:", *lines])


def said(text: str) -> bytes:
    """A turn of text alone."""
    return _turn([{"type": "message", "content": [{"type": "output_text", "text": text}]}])


def called(*calls: tuple[str, object]) -> bytes:
    """A turn that calls these functions; arguments that are a string are sent as they are."""
    return _turn(
        [
            {"type": "function_call", "name": name, "arguments": given if isinstance(given, str) else to_json(given)}
            for name, given in calls
        ]
    )


def _turn(output: list[dict[str, Any]]) -> bytes:
    return flaky.response(to_json({"model": "scripted", "status": "completed", "output": output}))


@asynccontextmanager
async def connected(
    client: Client,
    database: Path,
    *,
    decisions: str | None = None,
    language: str | None = None,
    hotels: str | None = None,
    **others: Any,
) -> AsyncGenerator[House]:
    """A house with the real adapter wherever an address is given (for language with /v1), else the local rules."""
    async with AsyncExitStack() as closing:
        providers = Providers(**others)
        if decisions:
            providers.decisions = jev = TypesafeDecisions("k", decisions, "jev-latest")
            closing.push_async_callback(jev.aclose)
        if language:
            providers.language = openai = OpenAILanguage("k", language, "gpt-6-luna")
            closing.push_async_callback(openai.aclose)
        if hotels:
            providers.search = await closing.enter_async_context(McpSearch(hotels))
        providers.settings = SETTINGS.model_copy(
            update={
                "decisions": "typesafe" if decisions else "local",
                "language": "openai" if language else "local",
            }
        )
        yield await closing.enter_async_context(house(client, database, providers))


@dataclass(frozen=True)
class Activity:
    """One activity of a history, as someone sees it in the Temporal UI."""

    name: str
    summary: str
    tries: int
    failed: str | None
    """The error's type, of the last try."""


async def activities(guest: GuestTalk) -> list[Activity]:
    """Those of the conversation that have ended, in the order in which they were scheduled."""
    history = await guest.handle.fetch_history()
    scheduled: dict[int, HistoryEvent] = {}
    tries: dict[int, int] = {}
    ended: dict[int, str | None] = {}
    for event in history.events:
        if event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
            scheduled[event.event_id] = event
        elif event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_STARTED:
            started = event.activity_task_started_event_attributes
            tries[started.scheduled_event_id] = started.attempt
        elif event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED:
            ended[event.activity_task_completed_event_attributes.scheduled_event_id] = None
        elif event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_FAILED:
            failed = event.activity_task_failed_event_attributes
            ended[failed.scheduled_event_id] = failed.failure.application_failure_info.type
        elif event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT:
            ended[event.activity_task_timed_out_event_attributes.scheduled_event_id] = "TimedOut"
    return [
        Activity(
            event.activity_task_scheduled_event_attributes.activity_type.name,
            summary_of(event),
            tries[id_],
            ended[id_],
        )
        for id_, event in scheduled.items()
        if id_ in ended
    ]


def summary_of(event: HistoryEvent) -> str:
    """What the UI shows beside the activity's name."""
    text: JsonValue = from_json(event.user_metadata.summary.data)
    assert isinstance(text, str)
    return text


async def seconds(waiting: Any) -> float:
    """How long something took."""
    loop = asyncio.get_running_loop()
    started = loop.time()
    await waiting
    return loop.time() - started
