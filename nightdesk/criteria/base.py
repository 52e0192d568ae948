"""What a criterion is: one definition that tool, questions, validation, wording and state follow from."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from datetime import date
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue

from nightdesk.model import Frozen
from nightdesk.understanding.reading import Reading

JsonObject = dict[str, JsonValue]


class Arguments(BaseModel):
    """A function tool's arguments: all may be null. A strict schema requires them all, a lax model leaves some out."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Problem(Frozen):
    """What an owner says about something it did not save. `asks` keeps the conversation at its step.

    `quote` is what it asks about, when the answer will be its other half.
    """

    text: str
    asks: bool = True
    quote: str = ""


V = TypeVar("V", bound=Frozen)
A = TypeVar("A", bound=Arguments)


class Judgement(Frozen, Generic[V]):
    """What the owner of a fact makes of an answer: the value to save, if any, and what to say."""

    value: V | None = None
    problems: tuple[Problem, ...] = ()


def refused(text: str) -> Judgement[Any]:
    """Nothing is saved, and the owner asks again."""
    return Judgement[Any](problems=(Problem(text=text),))


class Criterion(ABC, Generic[V, A]):
    """One criterion. Its value is unset (None), half answered, or answered; "no preference" is an answer.

    Everything here is pure. `today` is the hotel's date.
    """

    name: ClassVar[str]
    """The key: in state, in question ids, in the tool's name."""
    title: ClassVar[str]
    """For guests, in the middle of a sentence: "budget"."""
    about: ClassVar[str]
    """What a message is about that gives or changes it, for routing: a noun phrase."""
    contradicted: ClassVar[str]
    """When the readiness review sends the record back here (seed: readiness outcome)."""
    tool_description: ClassVar[str]
    reason: ClassVar[str]
    """Why it is asked, for a guest who wants to know."""
    example: ClassVar[str]
    """An answer that works, for a guest who is stuck."""
    parts: ClassVar[tuple[str, ...]] = ()
    """The parts that it can be asked about one by one."""
    value_type: type[V]
    arguments_type: type[A]

    @property
    def tool(self) -> str:
        """The capture tool's name."""
        return f"capture_{self.name}"

    @abstractmethod
    def question(self, value: V | None, today: date) -> str:
        """The question to ask next, knowing a half answer."""

    @abstractmethod
    def judge(self, saved: V | None, arguments: A, today: date) -> Judgement[V]:
        """Validate an answer against what is saved; null leaves what is saved, clearing is explicit."""

    @abstractmethod
    def issues(self, value: V, today: date) -> tuple[str, ...]:
        """What makes an answered value unfit for a search, now."""

    def out_of_reach(self, value: V, today: date) -> str:
        """Why a value that `judge` accepts is more than the desk takes on, and what it does take; empty: it is not."""
        return ""

    @abstractmethod
    def words(self, value: V) -> str:
        """The answer in words, absolute: dates with year and weekday, amounts with currency."""

    def proposal(self, value: V) -> str:
        """The question whether to take this answer, which the guest gave but was not sure of."""
        return f"Shall I take {self.words(value)}?"

    @abstractmethod
    def state(self, value: V | None) -> JsonObject:
        """The value as the state query shows it, without "answered"."""

    def from_state(self, state: Mapping[str, JsonValue]) -> V | None:
        """The value that `state` showed; None when it was unset. The keys are the value's fields."""
        if state.get("answered") or any(value for key, value in state.items() if key != "answered"):
            return self.value_type.model_validate(state)
        return None

    @abstractmethod
    def understood(self, reading: Reading, text: str, saved: Mapping[str, JsonValue], asked: str | None) -> A | None:
        """What the local reader's reading of `text` says about this criterion; None: nothing."""

    def answered(self, value: V | None) -> bool:
        """Whether the guest has answered it in full."""
        return value is not None

    def asked(self, value: V | None) -> str | None:
        """Which part its next question asks for, knowing a half answer."""
        return None

    def part_named(self, words: str) -> str | None:
        """The one part that these words name, so that a bare answer is read as that part."""
        named = [part for part in self.parts if part.replace("_", " ") in words.casefold()]
        return named[0] if len(named) == 1 else None
