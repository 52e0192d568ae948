"""`python -m nightdesk.understanding` on lines of one's own."""

import io
import json

from nightdesk.understanding.__main__ import answer


def answers(*lines: str) -> tuple[int, list[str], str]:
    out, errors = io.StringIO(), io.StringIO()
    status = answer(io.StringIO("\n".join(lines) + "\n"), out, errors)
    return status, out.getvalue().splitlines(), errors.getvalue()


def test_a_line_is_answered_in_the_label_format_with_plain_numbers() -> None:
    line = {"id": "a", "text": "up to 99.50", "reference_date": "2026-01-15", "context": "budget", "source": "mine"}
    status, out, errors = answers(json.dumps(line))
    assert (status, errors) == (0, "")
    row = json.loads(out[0])
    assert row["id"] == "a"
    assert row["reading"]["intent"] == "budget"
    assert row["reading"]["budget"]["max"] == 99.5
    assert row["reading"]["no_preference"] is False


def test_a_bad_line_is_named_and_the_others_are_answered() -> None:
    good = '{"id": "b", "text": "a suite", "reference_date": "2026-01-15"}'
    status, out, errors = answers("not json", '{"id": "c", "text": "hi"}', "", good)
    assert status == 1
    assert [json.loads(row)["reading"]["room_type"] for row in out] == ["suite"]
    assert "line 1" in errors
    assert "line 2: reference_date" in errors
