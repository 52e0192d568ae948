"""What crosses the two model boundaries, `decide` and `converse`: requests, facts, and answers.

The facts of a boundary are what the provider sees as structured state, beside the guidance that renders
the same facts in words (seed: double presentation). Guest text stands in fields of its own.
"""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from nightdesk.decisions import Question
from nightdesk.hotels import Hotel
from nightdesk.model import Frozen
from nightdesk.understanding.reading import Remark

JsonObject = dict[str, JsonValue]

Provider = Literal["configured", "local"]
"""Which implementation answers: the one the settings name, or the rules of this program (an outage)."""


class Said(Frozen):
    """One message of the guest: the step it answered, the part asked for, and the hotel's date that day."""

    text: str
    awaiting: str
    asked: str | None = None
    on: date


class Shown(Frozen):
    """One hotel of the list that the guest sees, under its number."""

    number: int
    hotel: Hotel


class RouterFacts(Frozen):
    """What the router may know: where the conversation stands, and what is saved."""

    boundary: Literal["router"] = "router"
    request: str
    prior_requests: tuple[str, ...]
    today: date
    awaiting: str
    asked: str | None = None
    doubt: str | None = None
    """The guest's words that the awaited owner asked back about."""
    proposal: JsonObject | None = Field(default=None, exclude_if=lambda proposal: proposal is None)
    """What the awaited owner proposed, and a yes would capture."""
    criteria: dict[str, JsonObject]
    hotels: tuple[str, ...] = ()
    offer: str | None = None


class ReadinessFacts(Frozen):
    """The normalised criteria and what validation finds, beside the newest requests (seed)."""

    boundary: Literal["readiness"] = "readiness"
    request: str
    prior_requests: tuple[str, ...]
    today: date
    criteria: dict[str, JsonObject]
    issues: tuple[str, ...]


class PresentationFacts(Frozen):
    """The draft and the rows it must come from (seed: the judge needs the draft and results only)."""

    boundary: Literal["presentation"] = "presentation"
    request: str
    prior_requests: tuple[str, ...]
    draft: str
    hotels: tuple[Shown, ...]
    matched: int = 0
    """How many hotels fit in all; those shown are the cheapest of them."""


Facts = Annotated[RouterFacts | ReadinessFacts | PresentationFacts, Field(discriminator="boundary")]


class DecideRequest(Frozen):
    """One System One request. The provider is sent `facts` (without `boundary`) as state, and the questions.

    `said` is the guest's newest messages with what they answered, oldest first: for the local rules only.
    """

    provider: Provider = "configured"
    facts: Facts
    questions: dict[str, Question]
    said: tuple[Said, ...] = ()


class Message(Frozen):
    """One line of a memory namespace."""

    role: Literal["guest", "assistant"]
    text: str


class ReadFacts(Frozen):
    """For the reading of one message: what was asked, what is saved, what is shown."""

    purpose: Literal["read"] = "read"
    request: str
    today: date
    awaiting: str
    asked: str | None = None
    doubt: str | None = None
    proposal: JsonObject | None = Field(default=None, exclude_if=lambda proposal: proposal is None)
    criteria: dict[str, JsonObject]
    hotels: tuple[Shown, ...] = ()


class DraftFacts(Frozen):
    """For the draft of the results: the hotels to present, and how many matched in all."""

    purpose: Literal["draft"] = "draft"
    hotels: tuple[Shown, ...]
    matched: int


class ConverseRequest(Frozen):
    """One model turn. `tools` are names out of `nightdesk.tools`; `messages` end with the guest's newest."""

    provider: Provider = "configured"
    guidance: str
    messages: tuple[Message, ...]
    tools: tuple[str, ...] = ()
    facts: Annotated[ReadFacts | DraftFacts, Field(discriminator="purpose")]


class ToolCall(Frozen):
    """One call of a tool that was offered. Its arguments are an object; the owner validates them."""

    name: str
    arguments: JsonObject


class ModelTurn(Frozen):
    """What one model turn gave. Anything but "ok" means that `calls` and `text` are not to be used.

    `remarks` come from the local reader alone: what it understood to be about a criterion, but could not read.
    `proposals` are captures that the guest hedged ("maybe the 5th"): to be asked about, not saved.
    `ignored` counts calls that were dropped: unknown tool, arguments that are no object, one too many.
    """

    model: str
    outcome: Literal["ok", "refused", "truncated", "empty", "bad_output"] = "ok"
    calls: tuple[ToolCall, ...] = ()
    text: str = ""
    remarks: tuple[Remark, ...] = ()
    proposals: tuple[ToolCall, ...] = Field(default=(), exclude_if=lambda proposals: not proposals)
    ignored: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
