"""The workflow: one conversation, from the first message to its end. It waits for signals, and answers in turns."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from pydantic import ValidationError
from pydantic_core import to_json
from temporalio import workflow
from temporalio.common import RawValue
from temporalio.exceptions import ApplicationError

from nightdesk import wording
from nightdesk.booking import BookingOutcome
from nightdesk.conversation import AuditEntry, Conversation, ConversationInput, Incoming, Line
from nightdesk.conversation_settings import ConversationSettings
from nightdesk.views import Reply, ReservationView, Result, StateView, state_view
from workflows import desk, details, inbox
from workflows.release import begun_by_this_release
from workflows.settling import settle, settled
from workflows.turn import today

with workflow.unsafe.imports_passed_through():
    from activities.conversation_settings import HeldSettings

GROWTH = 1_500_000
"""Bytes by which the history of one run may grow before the conversation goes on in a new one.

A message may bring 1.9 MB, the server ends a workflow at 50 MB, and no run is left in the middle of a turn: what
arrives meanwhile has to fit too. Counted from the run's start, since a snapshot alone may be as large.
"""

_NEXT_TASK = timedelta(milliseconds=1)

_SETTINGS_WITHIN = timedelta(seconds=2)
"""It waits for nothing, so a worker that was killed costs no more."""

NO_INPUT = "a conversation takes no input, or one object with guest and business_date"


@workflow.defn(name="BookingConversation")
class BookingConversation:
    """Handlers only append; one loop works, one message at a time.

    All state is in `conversation`, which is carried whole when a run continues as new.
    """

    @workflow.init
    def __init__(self, *given: Any) -> None:
        # Untyped and of any number: a typed input that does not fit would fail the workflow task for ever.
        self.conversation, self._bad_input = _opened(given)
        self._handled = 0
        self._leaving = False
        self._newer = False
        self._size_at_start = 0
        self._settled: BookingOutcome | None = None
        self._stage: tuple[str, ...] = ()

    @workflow.run
    async def run(self, *given: Any) -> Result:
        """Until the conversation closes; a run that has done its share continues as new."""
        if self._bad_input:
            raise ApplicationError(self._bad_input, type="BadInput", non_retryable=True)
        work = asyncio.create_task(self._work())
        while not work.done():
            try:
                await asyncio.shield(work)
            except asyncio.CancelledError:
                # A request: the turn in hand and an unsettled booking are finished first.
                self.conversation.called_off = self.conversation.called_off or workflow.now()
        work.result()
        # Nothing is awaited from the work's last look at the inbox to here.
        if self.conversation.outcome is None:
            # Payloads as they are: whatever a conversation was started with, even if it cannot be read here.
            memo = {key: RawValue(payload) for key, payload in workflow.info().raw_memo.items()}
            workflow.continue_as_new(self.conversation, memo=memo)
        reservation = self.conversation.reservation
        return Result(
            outcome=self.conversation.outcome, reservation=ReservationView.of(reservation) if reservation else None
        )

    async def _work(self) -> None:
        """The loop. Returns when the conversation is closed, or is to go on in a new run."""
        conversation = self.conversation
        self._newer = begun_by_this_release()
        self._size_at_start = workflow.info().get_current_history_size()
        if conversation.settings is None:
            conversation.settings = await self._read_settings()
        conversation.last_heard = conversation.last_heard or workflow.now()
        background = [asyncio.create_task(self._watch_idle())]
        if conversation.unsettled:
            background.append(asyncio.create_task(self._settle()))
        self._show()
        while True:
            await workflow.wait_condition(
                lambda: bool(conversation.queue) or self._settled is not None or self._to_close or self._to_continue
            )
            if self._settled is not None:
                self._tell_settled(self._settled)
            elif self._to_continue:
                self._leaving = True
            elif conversation.queue and not self._is_after_the_end(conversation.queue[0]):
                await self._next_turn(background)
            elif conversation.outcome is None:
                self._say_goodbye()
            self._show()
            if self._leaving or (conversation.outcome and not conversation.queue):
                if self._leaving:
                    # A request to cancel that came with the last message is applied only after this task's messages
                    # have been worked through; the next run would never hear of it.
                    await self._let_the_rest_be_applied()
                while not workflow.all_handlers_finished():
                    await workflow.wait_condition(workflow.all_handlers_finished)
                if self._leaving or not conversation.queue:
                    break
        for task in background:
            task.cancel()

    async def _let_the_rest_be_applied(self) -> None:
        """A timer's firing stands in the history behind whatever arrived, and so is replayed behind it.

        With the local activity of earlier runs a query could make two tasks of the last one. When the second was done
        over, the replay left at the end of the first, and a message that had come in between was lost.
        """
        if self._newer:
            await workflow.sleep(_NEXT_TASK, summary="until all that has arrived is seen")
        else:
            await self._read_settings()

    async def _read_settings(self) -> ConversationSettings:
        """By an activity like any other, tried until a worker answers: nothing can stand in for it.

        Runs begun before have a local one. A query can split the task behind its marker; an update that was accepted
        there stands, when replayed, in front of what the conversation did first, and it is wedged for good.
        """
        if self._newer:
            return await workflow.execute_activity_method(
                HeldSettings.conversation_settings,
                start_to_close_timeout=_SETTINGS_WITHIN,
                summary="The settings, for all of this conversation",
            )
        return await workflow.execute_local_activity_method(
            HeldSettings.conversation_settings, start_to_close_timeout=timedelta(seconds=5)
        )

    async def _next_turn(self, background: list[asyncio.Task[None]]) -> None:
        conversation = self.conversation
        was_unsettled = conversation.unsettled is not None
        # It stays at the head of the queue until it is answered, where `await_reply` finds it.
        message = conversation.queue[0]
        await desk.answer(conversation, message, newer=self._newer)
        conversation.leave_queue()
        self._handled += 1
        workflow.metric_meter().create_histogram_timedelta(
            "nightdesk_answered_after", "From the arrival of a message to its answer"
        ).record(workflow.now() - message.at)
        if conversation.unsettled and not was_unsettled:
            background.append(asyncio.create_task(self._settle()))

    @property
    def _to_continue(self) -> bool:
        """Between two turns: by the number of messages, by their size, or when the server suggests it."""
        settings = self.conversation.settings
        enough = settings is not None and self._handled >= settings.continue_after
        # Not before a message is handled: a flood of large ones would have run after run do nothing.
        advanced = self._handled > 0 or not self.conversation.queue
        info = workflow.info()
        large = self._newer and info.get_current_history_size() - self._size_at_start >= GROWTH
        suggested = info.is_continue_as_new_suggested()
        return self.conversation.outcome is None and (enough or (advanced and (large or suggested)))

    def _is_after_the_end(self, message: Incoming) -> bool:
        """It came after the request to cancel: the goodbye comes first, when nothing is unsettled."""
        conversation = self.conversation
        asked = conversation.called_off
        return asked is not None and message.at > asked and self._to_close and conversation.outcome is None

    @property
    def _to_close(self) -> bool:
        """Closed, or to be closed: asked to, or idle for too long; an unsettled booking is awaited."""
        conversation = self.conversation
        if conversation.outcome:
            return True
        wanted = (
            conversation.called_off is not None or conversation.closing is not None or self._idle_left <= timedelta(0)
        )
        return wanted and conversation.unsettled is None

    @property
    def _idle_left(self) -> timedelta:
        settings, last = self.conversation.settings, self.conversation.last_heard
        if settings is None or last is None:
            return timedelta.max
        return last + timedelta(seconds=settings.idle_seconds) - workflow.now()

    async def _watch_idle(self) -> None:
        """One timer per run, re-armed when it fires: the loop looks at the clock whenever something happens."""
        while True:
            if self._idle_left > timedelta(0):
                await workflow.sleep(self._idle_left, summary="until the conversation has been idle for too long")
            else:
                await workflow.wait_condition(lambda: self._idle_left > timedelta(0))

    async def _settle(self) -> None:
        self._settled = await settle(self.conversation)

    def _tell_settled(self, outcome: BookingOutcome) -> None:
        """Unasked, between two turns."""
        conversation = self.conversation
        self._settled = None
        text = settled(conversation, outcome)
        conversation.say("assistant", text, None, workflow.now())
        if conversation.closing or outcome.status == "confirmed":
            desk.close(conversation)

    def _say_goodbye(self) -> None:
        """Closing without a last message of the guest."""
        conversation = self.conversation
        idle = conversation.called_off is None and conversation.closing is None
        conversation.closing = conversation.closing or ("expired" if idle else "ended")
        desk.close(conversation)
        goodbye = wording.goodbye(conversation.reservation, reset=conversation.reset, idle=idle)
        conversation.say("assistant", goodbye, None, workflow.now())

    def _show(self) -> None:
        """For whoever looks: the details in the UI, and a memo that can be read with no worker running."""
        conversation = self.conversation
        workflow.set_current_details(details.markdown(conversation, conversation.snapshot(today(conversation))))
        since = conversation.unsettled.since.isoformat() if conversation.unsettled else ""
        stage = (conversation.active_step, details.awaiting(conversation), since)
        if stage != self._stage:
            self._stage = stage
            memo = {"stage": stage[0], "awaiting": stage[1], "since": workflow.now().isoformat()}
            workflow.upsert_memo(memo | {"unsettled_since": since or None})

    @workflow.signal(dynamic=True, description='user_message: {"id", "text"}, or a string')
    def on_signal(self, name: str, arguments: Sequence[RawValue]) -> None:
        """`user_message`, and whatever else is sent: nothing that arrives can fail the conversation."""
        inbox.accept(self.conversation, name, arguments)

    @workflow.update(name="await_reply")
    async def await_reply(self, message_id: str) -> Reply:
        """What was answered to a message, once it has been handled."""
        conversation = self.conversation
        await workflow.wait_condition(lambda: message_id in conversation.replies or self._leaving)
        if message_id not in conversation.replies:
            raise ApplicationError("the conversation goes on in a new run: ask again", type="AskAgain")
        return Reply(message_id=message_id, replies=conversation.replies[message_id], state=self.state())

    @await_reply.validator
    def _may_await(self, message_id: str) -> None:
        conversation = self.conversation
        if self._bad_input:
            raise ApplicationError(self._bad_input, type="BadInput")
        if not isinstance(message_id, str):  # pyright: ignore[reportUnnecessaryIsInstance] (decoded from outside)
            raise ApplicationError("await_reply takes the id of a message", type="BadInput")
        if message_id in conversation.replies:
            return
        if not any(message.id == message_id for message in conversation.queue):
            known = conversation.recognises(message_id) is not None
            raise ApplicationError(
                "answered too long ago: read the transcript" if known else "no message with this id was received",
                type="ReplyForgotten" if known else "UnknownMessage",
            )
        if self._leaving:
            raise ApplicationError("the conversation goes on in a new run: ask again", type="AskAgain")

    @workflow.query(name="state")
    def state(self) -> StateView:
        """Where the conversation stands."""
        return state_view(self.conversation, today(self.conversation))

    @workflow.query(name="transcript")
    def transcript(self, window: dict[str, int | None] | None = None) -> list[Line]:
        """What was said, newest last; with `{"after": seq}` what came after that."""
        after = (window or {}).get("after") or 0
        return [line for line in self.conversation.transcript if line.seq > after]

    @workflow.query(name="decisions")
    def decisions(self) -> list[AuditEntry]:
        """The newest decisions, newest last."""
        return list(self.conversation.decisions)


def _opened(given: Sequence[Any]) -> tuple[Conversation, str | None]:
    """The conversation as it starts or goes on, and what is wrong with the input, if anything is."""
    info = workflow.info()
    fresh = Conversation(id=info.workflow_id, reset=info.original_execution_run_id != info.run_id)
    try:
        if info.continued_run_id:
            # Only this workflow itself can continue as new: nobody else's word is taken for a snapshot.
            carried = Conversation.model_validate_json(to_json(given[0]))
            carried.reset = carried.reset or fresh.reset
            return carried, None
        if len(given) > 1 or any(isinstance(value, RawValue) for value in given):
            return fresh, NO_INPUT
        if given and given[0] is not None:
            opening = ConversationInput.model_validate_json(to_json(given[0]), strict=True)
            fresh.guest, fresh.business_date = opening.guest, opening.business_date
    except ValidationError as error:
        where = ", ".join(sorted({".".join(map(str, problem["loc"])) or "input" for problem in error.errors()}))
        return fresh, f"{NO_INPUT}; wrong: {where[:200]}"
    except ValueError:
        # What JSON has no form for: bytes, a protobuf message.
        return fresh, NO_INPUT
    return fresh, None
