"""Proof, before a worker starts, that it holds every encryption key in use.

A worker that lacks a key would quarantine the real messages that were written with it. So the hotel
database keeps, for each key id that a worker has started with, a value sealed with that key.
"""

from typing import Protocol

from clients.encryption import KeyRing
from clients.failures import CannotGoOn
from hotels.ledger import Sentinel
from settings import EncryptionKey

_PURPOSE = b"sentinel"
_VALUE = b"nightdesk"


class Sentinels(Protocol):
    """What is needed of the ledger."""

    def sentinels(self) -> list[Sentinel]:
        """Every sentinel."""
        ...

    def add_sentinel(self, key_id: str, sealed: bytes) -> bool:
        """Keep one; False when there is one of this key id already."""
        ...


def need_every_key(keys: tuple[EncryptionKey, ...], ledger: Sentinels) -> None:
    """Check the ring against the keys in use, and note the ones that are new. Raises CannotGoOn."""
    check_keys(keys, ledger)
    if not keys:
        return
    ring = KeyRing(keys)
    for key_id in ring.ids:
        ledger.add_sentinel(key_id, ring.seal(_VALUE, _PURPOSE, key_id))
    # Again: another worker may have noted another key under one of these ids a moment ago.
    check_keys(keys, ledger)


def check_keys(keys: tuple[EncryptionKey, ...], ledger: Sentinels) -> None:
    """Only look: every key in use is in the ring, and is the same key. Raises CannotGoOn."""
    sentinels = ledger.sentinels()
    held = {key.id for key in keys}
    if missing := [found.key_id for found in sentinels if found.key_id not in held]:
        raise CannotGoOn(f"NIGHTDESK_ENCRYPTION_KEYS: lacks a key in use: {', '.join(sorted(missing))}")
    if not sentinels:
        return
    ring = KeyRing(keys)
    for found in sentinels:
        if ring.open(found.key_id, found.sealed, _PURPOSE) != _VALUE:
            raise CannotGoOn(f"NIGHTDESK_ENCRYPTION_KEYS: key {found.key_id} is another key than the one in use")
