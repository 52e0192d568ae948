"""The closed lists fit each other."""

from typing import get_args

from nightdesk.vocabulary import AMENITY_WORDS, AmenityKey


def test_every_amenity_has_words_for_guests() -> None:
    assert tuple(AMENITY_WORDS) == get_args(AmenityKey)
    assert all(words and words != key for key, words in AMENITY_WORDS.items() if key not in {"kitchen", "concierge"})
