"""Encryption of payloads: what is sealed, what opens, and what happens to what does not."""

import os

import pytest
from pydantic import SecretBytes
from temporalio.api.common.v1 import Payload
from temporalio.api.failure.v1 import Failure
from temporalio.exceptions import ApplicationError

from clients.encryption import EncryptionCodec, KeyRing, data_converter, fresh_key
from nightdesk.model import Guest
from settings import EncryptionKey, parse_key_ring

OLD = EncryptionKey(id="old", secret=SecretBytes(b"o" * 32))
NEW = EncryptionKey(id="new", secret=SecretBytes(b"n" * 32))
IMPOSTOR = EncryptionKey(id="old", secret=SecretBytes(b"x" * 32))
PLAIN = Payload(metadata={"encoding": b"json/plain"}, data=b'{"name": "Ada"}')


def codec(*keys: EncryptionKey) -> EncryptionCodec:
    return EncryptionCodec(KeyRing(keys))


async def test_what_is_sealed_is_unreadable_and_opens_again() -> None:
    [sealed] = await codec(NEW).encode([PLAIN])
    assert b"Ada" not in sealed.SerializeToString()
    assert sealed.metadata["encoding"] == b"binary/encrypted"
    assert sealed.metadata["encryption-key-id"] == b"new"
    assert await codec(NEW).decode([sealed]) == [PLAIN]


async def test_the_same_text_never_looks_the_same() -> None:
    one, two = await codec(NEW).encode([PLAIN, PLAIN])
    assert one.data != two.data


async def test_rotation_the_first_key_seals_and_every_key_opens() -> None:
    [written_before] = await codec(OLD).encode([PLAIN])
    [written_after] = await codec(NEW, OLD).encode([PLAIN])
    assert written_after.metadata["encryption-key-id"] == b"new"
    assert await codec(NEW, OLD).decode([written_before, written_after]) == [PLAIN, PLAIN]
    # The worker not yet restarted has the new key in second place already.
    assert await codec(OLD, NEW).decode([written_after]) == [PLAIN]


@pytest.mark.parametrize("keys", [(NEW,), (IMPOSTOR,)])
async def test_without_the_key_the_payload_is_handed_on_and_nothing_is_raised(keys: tuple[EncryptionKey, ...]) -> None:
    [sealed] = await codec(OLD).encode([PLAIN])
    assert await codec(*keys).decode([sealed]) == [sealed]


async def test_damage_anywhere_is_noticed_and_raises_nothing() -> None:
    [sealed] = await codec(NEW, OLD).encode([PLAIN])
    for place in range(len(sealed.data)):
        damaged = Payload()
        damaged.CopyFrom(sealed)
        damaged.data = sealed.data[:place] + bytes([sealed.data[place] ^ 1]) + sealed.data[place + 1 :]
        assert await codec(NEW, OLD).decode([damaged]) == [damaged]
    for data in (b"", sealed.data[:5], sealed.data[:-1], os.urandom(40)):
        short = Payload(metadata=dict(sealed.metadata), data=data)
        assert await codec(NEW, OLD).decode([short]) == [short]


async def test_a_payload_under_another_key_id_does_not_open() -> None:
    same = EncryptionKey(id="same", secret=NEW.secret)
    [sealed] = await codec(NEW).encode([PLAIN])
    sealed.metadata["encryption-key-id"] = b"same"
    assert await codec(NEW, same).decode([sealed]) == [sealed]


async def test_payloads_that_are_not_sealed_pass_through() -> None:
    odd = Payload(metadata={"encoding": b"binary/encrypted", "encryption-key-id": b"\xff\xfe"}, data=b"zzz")
    for payload in (PLAIN, Payload(), Payload(metadata={"encoding": b"binary/null"}), odd):
        assert await codec(NEW).decode([payload]) == [payload]


async def test_sealing_twice_is_sealing_once() -> None:
    once = await codec(NEW).encode([PLAIN])
    assert await codec(NEW).encode(once) == once


async def test_the_converter_seals_values_and_failures() -> None:
    converter = data_converter((NEW, OLD))
    guest = Guest(id="ada@example.com", name="Ada", email="ada@example.com")
    payloads = await converter.encode([guest])
    assert b"ada" not in payloads[0].SerializeToString().lower()
    assert await converter.decode(payloads, [Guest]) == [guest]
    failure = Failure()
    await converter.encode_failure(ApplicationError("about Ada", "Ada", type="Kind"), failure)
    assert b"Ada" not in failure.SerializeToString()
    opened = await converter.decode_failure(failure)
    assert isinstance(opened, ApplicationError)
    assert (opened.message, opened.type, list(opened.details)) == ("about Ada", "Kind", ["Ada"])


def test_without_keys_nothing_is_sealed() -> None:
    assert data_converter(()).payload_codec is None


def test_a_fresh_key_fits_the_ring() -> None:
    first, second = fresh_key("a"), fresh_key("b")
    ring = parse_key_ring(f"{first},{second}")
    assert isinstance(ring, tuple)
    assert first.removeprefix("a") != second.removeprefix("b")
