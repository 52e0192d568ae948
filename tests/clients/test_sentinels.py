"""A worker starts only with every key in use."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import SecretBytes

from clients.failures import CannotGoOn
from clients.sentinels import check_keys, need_every_key
from hotels.ledger import Ledger, Sentinel
from settings import EncryptionKey

OLD = EncryptionKey(id="old", secret=SecretBytes(b"o" * 32))
NEW = EncryptionKey(id="new", secret=SecretBytes(b"n" * 32))
IMPOSTOR = EncryptionKey(id="old", secret=SecretBytes(b"x" * 32))


@pytest.fixture
def ledger(database: Path) -> Ledger:
    return Ledger(f"sqlite:///{database}")


def test_no_encryption_needs_no_key(ledger: Ledger) -> None:
    need_every_key((), ledger)
    assert ledger.sentinels() == []


def test_rotation_goes_through_and_notes_each_key_once(ledger: Ledger) -> None:
    for ring in [(OLD,), (OLD,), (OLD, NEW), (NEW, OLD)]:
        need_every_key(ring, ledger)
    assert {sentinel.key_id for sentinel in ledger.sentinels()} == {"old", "new"}


@pytest.mark.parametrize("ring", [(), (NEW,)])
def test_a_worker_without_a_key_in_use_is_refused_by_its_id(ledger: Ledger, ring: tuple[EncryptionKey, ...]) -> None:
    need_every_key((OLD,), ledger)
    with pytest.raises(CannotGoOn, match=r"^NIGHTDESK_ENCRYPTION_KEYS: lacks a key in use: old$"):
        need_every_key(ring, ledger)
    assert [sentinel.key_id for sentinel in ledger.sentinels()] == ["old"]


def test_a_key_id_that_reappears_with_another_key_is_refused(ledger: Ledger) -> None:
    need_every_key((OLD,), ledger)
    with pytest.raises(CannotGoOn, match="another key than the one in use"):
        need_every_key((NEW, IMPOSTOR), ledger)
    assert [sentinel.key_id for sentinel in ledger.sentinels()] == ["old"]


def test_looking_writes_nothing(ledger: Ledger) -> None:
    check_keys((OLD, NEW), ledger)
    assert ledger.sentinels() == []


class _Overtaken:
    """A ledger in which another worker notes its own key under our id, just before we do."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def sentinels(self) -> list[Sentinel]:
        return self._ledger.sentinels()

    def add_sentinel(self, key_id: str, sealed: bytes) -> bool:
        need_every_key((IMPOSTOR,), self._ledger)
        return self._ledger.add_sentinel(key_id, sealed)


def test_of_two_workers_with_different_keys_of_one_id_the_second_is_refused(ledger: Ledger) -> None:
    with pytest.raises(CannotGoOn, match="another key"):
        need_every_key((OLD,), _Overtaken(ledger))


def test_a_damaged_sentinel_is_refused(ledger: Ledger) -> None:
    ledger.add_sentinel("old", b"damaged")
    assert ledger.sentinels()[0].created_at < datetime.now(UTC)
    with pytest.raises(CannotGoOn):
        need_every_key((OLD,), ledger)
