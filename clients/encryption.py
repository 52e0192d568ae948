"""Encryption of every payload on its way to the Temporal server, with a ring of keys.

The first key of the ring encrypts, all of them decrypt: a new key is put first, and the old one stays in
the ring for as long as conversations live that were written with it. AES-256-GCM with a random nonce; the
key's id is in the payload's metadata and authenticated with it.
"""

import base64
import dataclasses
import os
from collections.abc import Sequence
from datetime import UTC, datetime

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from temporalio.api.common.v1 import Payload
from temporalio.converter import (
    DataConverter,
    DefaultFailureConverterWithEncodedAttributes,
    PayloadCodec,
)

from settings import EncryptionKey
from workflows.converter import data_converter as unencrypted

ENCODING = b"binary/encrypted"
KEY_ID = "encryption-key-id"
_NONCE_BYTES = 12


class KeyRing:
    """Seals with the first key and opens with the one named. At least one key."""

    def __init__(self, keys: Sequence[EncryptionKey]) -> None:
        self._ciphers = {key.id: AESGCM(key.secret.get_secret_value()) for key in keys}
        self.first = keys[0].id

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the keys, the one that encrypts first."""
        return tuple(self._ciphers)

    def seal(self, plain: bytes, purpose: bytes, key_id: str | None = None) -> bytes:
        """`plain` encrypted with the key named, or the first one; only the same purpose opens it."""
        key_id = key_id or self.first
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._ciphers[key_id].encrypt(nonce, plain, _bound_to(purpose, key_id))

    def open(self, key_id: str, sealed: bytes, purpose: bytes) -> bytes | None:
        """What was sealed; None when the key is not here, is another one, or the data was damaged."""
        cipher = self._ciphers.get(key_id)
        if cipher is None or len(sealed) <= _NONCE_BYTES:
            return None
        try:
            return cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], _bound_to(purpose, key_id))
        except InvalidTag:
            return None


class EncryptionCodec(PayloadCodec):
    """Payloads in and out. What it cannot open it hands on as it is.

    An exception here would wedge the workflow; a payload handed on is quarantined and counted by it.
    """

    _PURPOSE = b"payload"

    def __init__(self, ring: KeyRing) -> None:
        self._ring = ring

    async def encode(self, payloads: Sequence[Payload]) -> list[Payload]:
        """Every payload sealed, its own metadata inside; one that is sealed already stays as it is."""
        return [payload if _is_sealed(payload) else self._sealed(payload) for payload in payloads]

    async def decode(self, payloads: Sequence[Payload]) -> list[Payload]:
        """The payloads that were sealed; those that are not, or do not open, unchanged."""
        return [self._opened(payload) for payload in payloads]

    def _sealed(self, payload: Payload) -> Payload:
        data = self._ring.seal(payload.SerializeToString(), self._PURPOSE)
        return Payload(metadata={"encoding": ENCODING, KEY_ID: self._ring.first.encode()}, data=data)

    def _opened(self, payload: Payload) -> Payload:
        if not _is_sealed(payload):
            return payload
        key_id = payload.metadata.get(KEY_ID, b"").decode(errors="replace")
        plain = self._ring.open(key_id, payload.data, self._PURPOSE)
        if plain is None:
            return payload
        return Payload.FromString(plain)


def data_converter(keys: Sequence[EncryptionKey]) -> DataConverter:
    """The converter of every client and worker: the workflow's, and with keys the codec, failures included."""
    if not keys:
        return unencrypted
    return dataclasses.replace(
        unencrypted,
        payload_codec=EncryptionCodec(KeyRing(keys)),
        failure_converter_class=DefaultFailureConverterWithEncodedAttributes,
    )


def fresh_key(key_id: str | None = None) -> str:
    """A new key as it stands in the ring, `id:base64`; the id is today's date unless given."""
    return f"{key_id or datetime.now(UTC).date().isoformat()}:{base64.b64encode(os.urandom(32)).decode()}"


def _is_sealed(payload: Payload) -> bool:
    return payload.metadata.get("encoding") == ENCODING


def _bound_to(purpose: bytes, key_id: str) -> bytes:
    return b"nightdesk:" + purpose + b":" + key_id.encode()
