"""What a signal brings, decoded by hand: a message, one that cannot be used, or neither; whatever the bytes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightdesk.intake import MAX_TEXT, Arrived, Quarantined, decode, readable_id

JSON = b"json/plain"


def arrive(value: object) -> Arrived | Quarantined:
    return decode("user_message", [(JSON, json.dumps(value).encode())])


@given(st.binary(max_size=200), st.binary(max_size=20) | st.just(JSON), st.text(max_size=20) | st.just("user_message"))
def test_no_bytes_raise(data: bytes, encoding: bytes, name: str) -> None:
    assert isinstance(decode(name, [(encoding, data)]), Arrived | Quarantined)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda c: st.lists(c) | st.dictionaries(st.text(), c)
    )
)
def test_no_json_raises(value: object) -> None:
    assert isinstance(arrive(value), Arrived | Quarantined)


@given(st.text(min_size=1, max_size=200))
def test_every_readable_id_is_kept_as_it_is_and_no_other_is_taken(id_: str) -> None:
    arrived = arrive({"id": id_, "text": "Hi"})
    assert isinstance(arrived, Arrived) == readable_id(id_)
    if isinstance(arrived, Arrived):
        assert (arrived.id, arrived.text, arrived.problem) == (id_, "Hi", None)


@given(st.text(max_size=300))
def test_what_is_read_is_one_printable_line(text: str) -> None:
    arrived = arrive({"id": "m", "text": text})
    assert isinstance(arrived, Arrived)
    assert (arrived.problem == "empty") == (arrived.text == "")
    assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 or 0xD800 <= ord(char) < 0xE000 for char in arrived.text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [("x" * MAX_TEXT, None), ("x" * (MAX_TEXT + 1), "too_long"), ("", "empty"), (" \n\t\x00\u200b", "empty")],
)
def test_the_length_of_a_message(text: str, problem: str | None) -> None:
    arrived = arrive({"id": "m", "text": text})
    assert isinstance(arrived, Arrived)
    assert arrived.problem == problem


@pytest.mark.parametrize("text", [None, 5, True, [], {}, {"text": "x"}])
def test_a_readable_id_without_a_text_is_answered_under_it(text: object) -> None:
    assert arrive({"id": "m", "text": text}) == Arrived("m", "", "", "no_text")
    assert arrive({"id": "m"}) == Arrived("m", "", "", "no_text")


def test_unknown_fields_are_left_alone() -> None:
    assert arrive({"id": "m", "text": "Hi", "channel": "web"}) == Arrived("m", "Hi", "Hi")


def test_half_a_surrogate_pair_is_left_out() -> None:
    cut = decode("user_message", [(JSON, b'{"id": "m", "text": "a suite \\ud83d"}')])
    assert isinstance(cut, Arrived)
    assert (cut.text, cut.problem) == ("a suite", None)


@pytest.mark.parametrize("data", [b"NaN", b'{"id":"m","text":NaN}', b'{"id":"m","text":-Infinity}', b"[" * 10**6])
def test_what_is_no_json_is_quarantined(data: bytes) -> None:
    assert decode("user_message", [(JSON, data)]) == Quarantined("not JSON")
