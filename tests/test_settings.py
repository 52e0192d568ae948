"""The settings: what is read from where, and what is said when one is wrong."""

import base64
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settings import (
    Settings,
    SettingsError,
    load_settings,
    parse_duration,
    parse_key_ring,
    temporal_environment,
    unknown_variables,
)

SECRET = base64.b64encode(b"k" * 32).decode()
OURS = ("NIGHTDESK_", "TYPESAFE_", "OPENAI_", "TEMPORAL_")

Load = Callable[..., Settings]


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No variable of ours, and a working directory without a `.env`."""
    for name in [name for name in os.environ if name.startswith(OURS)]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Load:
    """The settings with these variables exported."""

    def loaded(**variables: str) -> Settings:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        return load_settings()

    return loaded


def test_nothing_set_gives_the_defaults_of_the_contract(load: Load) -> None:
    found = load()
    assert found.task_queue == "nightdesk"
    assert (found.decisions, found.language) == ("local", "local")
    assert found.decision_model == "jev-latest"
    assert found.conversation_idle == timedelta(hours=24)
    assert found.continue_as_new_after == 200
    assert found.booking_limit == Decimal(10000)
    assert found.business_date is None
    assert found.encryption_keys == ()
    assert found.database_url == f"sqlite:///{Path('.nightdesk/hotels.sqlite').absolute()}"


def test_a_key_turns_its_provider_on_and_the_choice_overrules_it(load: Load) -> None:
    assert load(TYPESAFE_API_KEY="k1", OPENAI_API_KEY="k2").decisions == "typesafe"
    assert load().language == "openai"
    assert load(NIGHTDESK_DECISIONS="local", NIGHTDESK_LANGUAGE="local").decisions == "local"
    assert load().language == "local"


def test_a_server_without_keys_needs_none(load: Load) -> None:
    found = load(NIGHTDESK_DECISIONS="typesafe", TYPESAFE_BASE_URL="http://127.0.0.1:9/")
    assert found.decisions == "typesafe"
    assert found.typesafe_api_key is None
    assert found.typesafe_url == "http://127.0.0.1:9"


def test_a_base_url_alone_turns_nothing_on(load: Load) -> None:
    assert load(TYPESAFE_BASE_URL="http://127.0.0.1:9", OPENAI_BASE_URL="http://127.0.0.1:9").decisions == "local"


def test_dotenv_is_read_and_never_overrides_what_is_exported(load: Load) -> None:
    Path(".env").write_text("NIGHTDESK_TASK_QUEUE=from-file\nNIGHTDESK_BOOKING_LIMIT=55.5\nTEMPORAL_NAMESPACE=file\n")
    found = load(NIGHTDESK_TASK_QUEUE="exported")
    assert found.task_queue == "exported"
    assert found.booking_limit == Decimal("55.5")
    assert temporal_environment() == {"TEMPORAL_NAMESPACE": "file"}


def test_blank_is_unset_also_over_a_dotenv(load: Load) -> None:
    Path(".env").write_text("OPENAI_API_KEY=k\nTEMPORAL_ADDRESS=elsewhere:1\n")
    found = load(OPENAI_API_KEY="", NIGHTDESK_DECISIONS=" ", TYPESAFE_API_KEY="k", TEMPORAL_ADDRESS="")
    assert found.language == "local"
    assert found.decisions == "typesafe"
    assert temporal_environment() == {}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NIGHTDESK_DECISIONS", "jev"),
        ("NIGHTDESK_DECISIONS", "typesafe"),
        ("NIGHTDESK_LANGUAGE", "openai"),
        ("NIGHTDESK_TASK_QUEUE", "two words"),
        ("NIGHTDESK_CONVERSATION_IDLE", "24"),
        ("NIGHTDESK_CONVERSATION_IDLE", "-3h"),
        ("NIGHTDESK_CONVERSATION_IDLE", "0s"),
        ("NIGHTDESK_CONTINUE_AS_NEW_AFTER", "0"),
        ("NIGHTDESK_CONTINUE_AS_NEW_AFTER", "many"),
        ("NIGHTDESK_BOOKING_LIMIT", "-1"),
        ("NIGHTDESK_BOOKING_LIMIT", "NaN"),
        ("NIGHTDESK_BOOKING_LIMIT", "ten"),
        ("NIGHTDESK_BUSINESS_DATE", "2027-02-30"),
        ("NIGHTDESK_BUSINESS_DATE", "tomorrow"),
        ("NIGHTDESK_BUSINESS_DATE", "1700000000"),
        ("NIGHTDESK_DATABASE_URL", "mysql://h/db"),
        ("NIGHTDESK_DATABASE_URL", "sqlite://"),
        ("NIGHTDESK_DATABASE_URL", "nonsense"),
        ("NIGHTDESK_HOTELS_MCP_URL", "hotels:8765"),
        ("NIGHTDESK_HOTELS_MCP_URL", "http://user:pw@hotels/mcp"),
        ("NIGHTDESK_HOTELS_MCP_TOKEN", "a b"),
        ("TYPESAFE_API_KEY", "line\nbreak"),
        ("OPENAI_BASE_URL", "ftp://x"),
        ("NIGHTDESK_ENCRYPTION_KEYS", "no-colon"),
        ("NIGHTDESK_ENCRYPTION_KEYS", "a:???"),
        ("NIGHTDESK_ENCRYPTION_KEYS", f"a:{base64.b64encode(b'short').decode()}"),
        ("NIGHTDESK_ENCRYPTION_KEYS", f"a:{SECRET},a:{SECRET}"),
        ("NIGHTDESK_ENCRYPTION_KEYS", f"a:{SECRET},"),
        ("NIGHTDESK_CODEC_TOKEN", "short"),
        ("NIGHTDESK_METRICS", "9464"),
        ("NIGHTDESK_LOG_FORMAT", "xml"),
    ],
)
def test_a_wrong_setting_is_one_line_that_names_it_and_shows_no_secret(load: Load, name: str, value: str) -> None:
    with pytest.raises(SettingsError) as failed:
        load(**{name: value})
    told = str(failed.value)
    assert told.startswith(f"{name}: ")
    assert "\n" not in told
    if "KEY" in name or "TOKEN" in name:
        assert value not in told
        assert SECRET not in told


@pytest.mark.parametrize("value", ["2026-02-30", "2026-2-3", "20260203", "today"])
def test_a_date_that_is_none_is_said_in_plain_words(load: Load, value: str) -> None:
    with pytest.raises(SettingsError) as failed:
        load(NIGHTDESK_BUSINESS_DATE=value)
    assert str(failed.value) == "NIGHTDESK_BUSINESS_DATE: must be a calendar date, YYYY-MM-DD"


def test_a_line_of_dotenv_that_cannot_be_read_is_one_line_without_its_text(
    load: Load, caplog: pytest.LogCaptureFixture
) -> None:
    Path(".env").write_text("NIGHTDESK_TASK_QUEUE=q\ntell nobody this\nOPENAI_API_KEY\n")
    with pytest.raises(SettingsError) as failed:
        load()
    assert str(failed.value) == ".env: line 2 is not of the form NAME=value (a comment begins with #)"
    assert caplog.text == ""
    Path(".env").write_bytes(b"NIGHTDESK_TASK_QUEUE=\xff\n")
    with pytest.raises(SettingsError, match=r"^\.env: cannot be read"):
        load()


def test_the_program_stops_with_that_line_and_no_traceback() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "clients.main", "doctor"],
        env={**os.environ, "NIGHTDESK_BUSINESS_DATE": "never"},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1
    assert "NIGHTDESK_BUSINESS_DATE" in ended.stderr


def test_secrets_show_nowhere(load: Load) -> None:
    found = load(
        TYPESAFE_API_KEY="tell-nobody-1",
        OPENAI_API_KEY="tell-nobody-2",
        NIGHTDESK_HOTELS_MCP_TOKEN="tell-nobody-3",
        NIGHTDESK_CODEC_TOKEN="tell-nobody-4-and-long",
        NIGHTDESK_DATABASE_URL="postgresql://desk:tell-nobody-5@db/hotels",
        NIGHTDESK_ENCRYPTION_KEYS=f"a:{SECRET}",
    )
    shown = repr(found) + str(found) + found.model_dump_json() + found.database_shown
    assert "tell-nobody" not in shown
    assert SECRET not in shown
    assert "kkkk" not in shown
    assert "tell-nobody-5" in found.database_url


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("15m", 900), ("24h", 86400), ("2d", 172800), ("1h30m", 5400), ("500ms", 0.5)]
)
def test_durations(text: str, seconds: float) -> None:
    assert parse_duration(text) == timedelta(seconds=seconds)


@given(st.text())
def test_no_text_breaks_the_parsers_otherwise_than_by_a_value_error(text: str) -> None:
    for parse in (parse_duration, parse_key_ring):
        with suppress(ValueError):
            parse(text)


def test_the_key_ring_keeps_its_order(load: Load) -> None:
    other = base64.b64encode(b"o" * 32).decode()
    found = load(NIGHTDESK_ENCRYPTION_KEYS=f"new:{SECRET}, old:{other}")
    assert [key.id for key in found.encryption_keys] == ["new", "old"]
    assert found.encryption_keys[1].secret.get_secret_value() == b"o" * 32


def test_a_misspelt_variable_is_found(load: Load) -> None:
    load(NIGHTDESK_TASKQUEUE="x", NIGHTDESK_TASK_QUEUE="y")
    assert unknown_variables() == ["NIGHTDESK_TASKQUEUE"]


def test_the_business_date_is_a_date(load: Load) -> None:
    assert load(NIGHTDESK_BUSINESS_DATE="2026-01-15").business_date == date(2026, 1, 15)
