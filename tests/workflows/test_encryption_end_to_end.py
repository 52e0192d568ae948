"""With a key set nothing personal is readable in what the Temporal server stores; keys are rotated, never lacked."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from temporalio.api.common.v1 import Payload
from temporalio.client import Client
from temporalio.exceptions import ApplicationError
from temporalio.testing import WorkflowEnvironment

from clients import encryption
from clients.conversation import begin
from clients.encryption import ENCODING, KEY_ID, KeyRing, fresh_key
from clients.failures import CannotGoOn
from clients.sentinels import need_every_key
from nightdesk.failures import PERMANENT
from nightdesk.hotels import SearchRequest
from nightdesk.model import Guest
from nightdesk.screening import RawResult
from settings import EncryptionKey, parse_key_ring
from tests import house as houses
from tests.conftest import NO_ARTIFICIAL_WAITS, TEMPORAL
from tests.house import ALL_AT_ONCE, GuestTalk, House, LedgerSearch, Providers
from tests.runs import failed_tasks, payload, runs, signal_raw
from workflows.booking_conversation import BookingConversation
from workflows.converter import data_converter

ANN = Guest(id="ann.oakley@example.com", name="Ann Oakley", email="Ann.Oakley@example.com")


def ring(*keys: str) -> tuple[EncryptionKey, ...]:
    parsed = parse_key_ring(",".join(keys))
    assert isinstance(parsed, tuple)
    return parsed  # pyright: ignore[reportUnknownVariableType]


OLD, NEW = fresh_key("old"), fresh_key("new")


@dataclass
class Store:
    """A server that keeps everything in files, so that they can be searched."""

    address: str
    folder: Path

    async def client(self, *keys: str) -> Client:
        """With this ring; none: in clear."""
        converter = encryption.data_converter(ring(*keys)) if keys else data_converter
        return await Client.connect(self.address, data_converter=converter)

    def holds(self, words: str) -> bool:
        """Whether the words are in any of its files, the write-ahead log included."""
        return any(words.encode() in file.read_bytes() for file in self.folder.iterdir())


@asynccontextmanager
async def storing(folder: Path) -> AsyncGenerator[Store]:
    folder.mkdir()  # noqa: ASYNC240
    environment = await WorkflowEnvironment.start_local(  # pyright: ignore[reportUnknownMemberType]
        dev_server_existing_path=str(TEMPORAL),
        dev_server_database_filename=str(folder / "temporal.sqlite"),
        dev_server_log_level="never",
        dev_server_extra_args=list(NO_ARTIFICIAL_WAITS),
    )
    async with environment:
        yield Store(environment.client.service_client.config.target_host, folder)


class Quoting(LedgerSearch):
    """A search that fails at first, in words that quote the guest."""

    failed = False

    async def search(self, request: SearchRequest) -> RawResult:
        """Then it finds."""
        if not self.failed:
            self.failed = True
            raise ApplicationError("nothing for Ann Oakley, who wants a suite", type=PERMANENT[0], non_retryable=True)
        return await super().search(request)


def talk_of(client: Client, id_: str) -> GuestTalk:
    """A conversation that exists, as this client has it."""
    return GuestTalk(client.get_workflow_handle_for(BookingConversation.run, id_))


async def conversation(house: House) -> tuple[GuestTalk, list[str]]:
    """A booking, an outage on the way; what was said that nobody else is to read."""
    talk, _ = await begin(house.client, house.task_queue, "stay-0123456789ab", ANN, None)
    guest = talk_of(house.client, talk.id)
    for text in ("I would like the quietest place in town", ALL_AT_ONCE, "search", "search", "book hotel 1"):
        reply = await guest.says(text)
    offer = reply.state.offer
    assert offer is not None
    await guest.send("yes")
    result = await guest.result()
    assert result.reservation is not None
    number = result.reservation.confirmation_number
    assert number is not None
    spoken = ["quietest place", "a suite, at most", "book hotel 1"]
    stored = [offer.name, offer.total.split(".")[0] + ".", offer.digest, number, "Ann Oakley", ANN.email, ANN.id]
    shown = ["Where does this message go", "until the conversation has been idle", "the guest", "Hotel booking"]
    return guest, [*spoken, *stored, *shown]


@pytest.mark.parametrize("keys", [(OLD,), ()], ids=["with a key", "in clear"])
async def test_nothing_that_was_said_is_readable_in_the_servers_files(
    tmp_path: Path, database: Path, keys: tuple[str, ...]
) -> None:
    async with storing(tmp_path / "store") as store:
        client = await store.client(*keys)
        providers = Providers()
        async with houses.house(client, database, providers) as house:
            providers.search = Quoting(house.ledger)
        async with houses.worker(client, house.task_queue, house.ledger, providers):
            _, secrets = await conversation(house)
        found = [words for words in (*secrets, "nothing for Ann") if store.holds(words)]
        # In clear everything is found: the search itself is able to find.
        assert found == ([] if keys else [*secrets, "nothing for Ann"])
        assert store.holds("stay-0123456789ab")
        assert store.holds("decide")


async def test_a_key_is_rotated_in_the_middle_of_a_conversation(tmp_path: Path, database: Path) -> None:
    async with storing(tmp_path / "store") as store:
        before, after = await store.client(OLD), await store.client(NEW, OLD)
        async with houses.house(before, database) as house:
            guest = await house.open(id_="rotated")
            await guest.says(ALL_AT_ONCE)
        async with houses.worker(after, house.task_queue, house.ledger, house.providers):
            guest = talk_of(after, "rotated")
            await guest.says("search", "s1")
            offered = await guest.says("1", "s2")
            assert offered.state.offer is not None
            # A client that has not heard of the new key yet may still speak.
            handle = before.get_workflow_handle("rotated")
            await handle.signal("user_message", {"id": "s3", "text": "what did I ask for?"})
            assert "suite" in (await guest.reply_to("s3")).replies[0]
            await guest.send("yes", "s4")
            assert (await guest.result()).outcome == "booked"
            history = await after.get_workflow_handle("rotated").fetch_history()
            used = {
                bytes(sealed.metadata[KEY_ID]).decode()
                for event in history.events
                for sealed in (
                    *event.workflow_execution_signaled_event_attributes.input.payloads,
                    *event.activity_task_completed_event_attributes.result.payloads,
                )
            }
            assert used == {"old", "new"}


async def test_a_damaged_message_is_quarantined_and_the_next_one_is_answered(tmp_path: Path, database: Path) -> None:
    async with storing(tmp_path / "store") as store:
        client = await store.client(OLD)
        async with houses.house(client, database) as house:
            guest = await house.open()
            plain = payload(b'{"id":"x","text":"a suite"}').SerializeToString()
            sealed = bytearray(KeyRing(ring(OLD)).seal(plain, b"payload"))
            sealed[-1] ^= 1
            damaged = Payload(metadata={"encoding": ENCODING, KEY_ID: b"old"}, data=bytes(sealed))
            await signal_raw(client, guest.handle.id, "user_message", [damaged])
            reply = await guest.says("Hi")
            assert (reply.state.messages.quarantined, reply.state.active_step) == (1, "dates")
            assert await failed_tasks(guest.handle, client) == []


async def test_a_worker_that_lacks_a_key_in_use_refuses_and_the_conversation_is_intact(
    tmp_path: Path, database: Path
) -> None:
    async with storing(tmp_path / "store") as store:
        client = await store.client(OLD)
        async with houses.house(client, database) as house:
            need_every_key(ring(OLD), house.ledger)
            guest = await house.open(id_="intact")
            await guest.says("a suite", "m1")
        await guest.send("at most 700 a night", "m2")
        blank = {name: "" for name in os.environ if name.startswith(("TEMPORAL_", "NIGHTDESK_"))}
        for keys, complaint in (("", "lacks a key in use: old"), (NEW, "lacks a key in use: old")):
            refused = await asyncio.to_thread(
                subprocess.run,
                [sys.executable, "worker.py"],
                env={
                    **os.environ,
                    **blank,
                    "TEMPORAL_ADDRESS": store.address,
                    "NIGHTDESK_TASK_QUEUE": house.task_queue,
                    "NIGHTDESK_DATABASE_URL": f"sqlite:///{database}",
                    "NIGHTDESK_ENCRYPTION_KEYS": keys,
                },
                capture_output=True,
                text=True,
                timeout=60,
            )
            assert refused.returncode == 1
            assert complaint in refused.stderr
            assert len(refused.stderr.splitlines()) == 1
        with pytest.raises(CannotGoOn):
            need_every_key(ring(NEW.replace("new:", "old:")), house.ledger)
        async with houses.worker(client, house.task_queue, house.ledger, house.providers):
            reply = await guest.reply_to("m2")
            assert (reply.state.messages.answered, reply.state.messages.quarantined) == (2, 0)
            assert reply.state.criteria["budget"]["max"] == "700"
            assert len(await runs(guest.handle, client)) == 1
