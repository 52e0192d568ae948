"""One conversation as a client sees it, by the names of the public contract alone.

Sending is a signal, which is durable with no worker running. Waiting is an update that is asked again, with
bounded calls, for as long as it takes: workers come and go, and a run may continue as new.
"""

import asyncio
import secrets
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Literal, TypeVar

from pydantic import JsonValue
from temporalio.client import (
    Client,
    RPCTimeoutOrCancelledError,
    WorkflowExecutionStatus,
    WorkflowQueryFailedError,
    WorkflowUpdateFailedError,
)
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import ApplicationError, WorkflowAlreadyStartedError
from temporalio.service import RPCError, RPCStatusCode

from clients.failures import CannotGoOn
from clients.words import one_line
from nightdesk.model import Frozen, Guest

R = TypeVar("R")

WORKFLOW = "BookingConversation"

CALL = timedelta(seconds=5)
"""How long one call may take before it is asked again; longer than a worker's start needs."""
TASK = timedelta(seconds=5)
"""A worker killed in the middle of a workflow task holds a conversation up for so long (the default: 10 s)."""
_AGAIN_S = 0.3


class Line(Frozen):
    """One line of the transcript."""

    seq: int
    role: Literal["guest", "assistant"]
    text: str
    message_id: str | None
    at: datetime


class Closed(Exception):
    """The conversation takes no more messages."""


class Unreachable(Exception):
    """No answer at the moment: no worker, or no server. Worth another try."""


class Ending(Frozen):
    """What a closed conversation left behind."""

    outcome: str
    reservation: dict[str, JsonValue] | None = None


class _Counted(Frozen):
    received: int = 0
    answered: int = 0


class Standing(Frozen):
    """What the conversation says of itself, as far as a chat needs it."""

    status: str
    messages: _Counted = _Counted()

    @property
    def over(self) -> bool:
        """It takes no more messages."""
        return self.status != "open"

    @property
    def in_hand(self) -> bool:
        """A message is not answered yet."""
        return self.messages.received > self.messages.answered


class _Answer(Frozen):
    state: Standing


class Conversation:
    """A conversation that exists."""

    def __init__(self, client: Client, conversation_id: str) -> None:
        self.id = conversation_id
        self._client = client
        # Without a run id, so that it follows continue-as-new.
        self._handle = client.get_workflow_handle(conversation_id)

    async def send(self, text: str, message_id: str | None = None) -> str:
        """Hand a message in; when this returns it is not lost. The id that `answered` takes.

        The same id may be sent again after Unreachable: it is answered once. Raises Closed, Unreachable, CannotGoOn.
        """
        message_id = message_id or new_message_id()
        try:
            await self._handle.signal("user_message", {"id": message_id, "text": text}, rpc_timeout=CALL)
        except RPCTimeoutOrCancelledError:
            _obey_cancellation()
            raise Unreachable from None
        except RPCError as error:
            raise await self._named(error) from None
        return message_id

    async def answered(self, message_id: str, *, waiting: Callable[[], None] = lambda: None) -> bool:
        """Wait until the message has been handled. Whether the conversation is still open then.

        `waiting` is called each time that nobody answers. What was said is in the transcript.
        """
        ask = 0
        while True:
            try:
                # One update id for all attempts: an abandoned call keeps its slot, and there are only ten.
                answer: _Answer = await self._handle.execute_update(  # pyright: ignore[reportUnknownMemberType]
                    "await_reply", message_id, id=f"{message_id}:{ask}", rpc_timeout=CALL, result_type=_Answer
                )
                return not answer.state.over
            except WorkflowUpdateFailedError as error:
                if await self.ending() is not None:
                    return False
                cause = error.cause
                kind = cause.type if isinstance(cause, ApplicationError) else None
                if kind == "ReplyForgotten":
                    return True
                if kind != "AskAgain":
                    raise CannotGoOn(f"the conversation does not answer: {one_line(cause)}") from None
                ask += 1
            except RPCTimeoutOrCancelledError:
                _obey_cancellation()
                waiting()
            except RPCError as error:
                named = await self._named(error)
                if isinstance(named, Closed):
                    return False
                if not isinstance(named, Unreachable):
                    raise named from None
                waiting()
                await asyncio.sleep(_AGAIN_S)

    async def transcript(self, after: int = 0) -> list[Line]:
        """What was said after line `after`. Raises Unreachable with no worker, CannotGoOn."""
        return await self._query("transcript", {"after": after}, list[Line])

    async def standing(self) -> Standing:
        """The `state` query, typed. Raises as above."""
        return await self._query("state", None, Standing)

    async def state(self) -> dict[str, JsonValue]:
        """The `state` query. Raises as above."""
        return await self._query("state", None, dict[str, JsonValue])

    async def decisions(self) -> list[dict[str, JsonValue]]:
        """The `decisions` query. Raises as above."""
        return await self._query("decisions", None, list[dict[str, JsonValue]])

    async def exists(self) -> bool:
        """Whether there is a conversation with this id, open or closed. Needs no worker. Raises CannotGoOn."""
        try:
            await self._handle.describe(rpc_timeout=CALL)
        except RPCError as error:
            if error.status is RPCStatusCode.NOT_FOUND:
                return False
            raise CannotGoOn(f"the Temporal server does not answer: {one_line(error)}") from None
        return True

    async def ending(self) -> Ending | None:
        """How it ended, or None while it is open (or cannot be seen). Needs no worker."""
        try:
            description = await self._handle.describe(rpc_timeout=CALL)
            if description.status is None or description.status is WorkflowExecutionStatus.RUNNING:
                return None
            if description.status is not WorkflowExecutionStatus.COMPLETED:
                return Ending(outcome=description.status.name.lower())
            handle = self._client.get_workflow_handle(self.id, result_type=Ending)
            return await handle.result(rpc_timeout=CALL)
        except (RPCError, RPCTimeoutOrCancelledError):
            _obey_cancellation()
            return None

    async def _query(self, name: str, argument: object, result: type[R]) -> R:
        arguments = [] if argument is None else [argument]
        try:
            return await self._handle.query(name, args=arguments, result_type=result, rpc_timeout=CALL)
        except (RPCTimeoutOrCancelledError, WorkflowQueryFailedError):
            _obey_cancellation()
            raise Unreachable from None
        except RPCError as error:
            raise await self._named(error) from None

    async def _named(self, error: RPCError) -> Exception:
        """What a failed call means to whoever talks."""
        if error.status is RPCStatusCode.NOT_FOUND:
            if "not found for ID" in str(error) or await self.ending() is None:
                return CannotGoOn(f"there is no conversation {one_line(self.id)}")
            return Closed()
        if error.status in (RPCStatusCode.INVALID_ARGUMENT, RPCStatusCode.PERMISSION_DENIED):
            return CannotGoOn(f"the Temporal server refuses: {one_line(error)}")
        return Unreachable()


async def begin(
    client: Client, task_queue: str, conversation_id: str, guest: Guest | None, business_date: date | None
) -> tuple[Conversation, bool]:
    """The conversation with this id, and whether it was there already. Raises CannotGoOn."""
    start = {
        "guest": guest.model_dump() if guest else None,
        "business_date": business_date.isoformat() if business_date else None,
    }
    try:
        await client.start_workflow(
            WORKFLOW,
            start,
            id=conversation_id,
            task_queue=task_queue,
            id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
            task_timeout=TASK,
            static_summary=f"Hotel booking{f' for {guest.name}' if guest else ''}",
            rpc_timeout=CALL,
        )
    except WorkflowAlreadyStartedError:
        return Conversation(client, conversation_id), True
    except RPCError as error:
        raise CannotGoOn(f"the conversation could not be started: {one_line(error)}") from None
    return Conversation(client, conversation_id), False


def _obey_cancellation() -> None:
    """The SDK turns a cancelled task into the same exception as a time-out: asking again would go on for ever."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def new_conversation_id() -> str:
    """Short enough to be typed, long enough never to be guessed or met twice."""
    return f"stay-{secrets.token_hex(6)}"


def new_message_id() -> str:
    """Chosen by the client, so that sending again is harmless."""
    return secrets.token_hex(8)
