"""The only reader of the environment: every variable, what it may be, and what it is when it is not set.

Exported variables come first, then a `.env` file in the working directory. A blank value is the same as
none, also when it is exported over one in `.env`. What is wrong is one SettingsError that names the variable.
"""

import base64
import binascii
import os
import re
from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from dotenv import dotenv_values
from dotenv.parser import parse_stream
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretBytes,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

HOTELS_PORT = 8765
"""Where `nightdesk hotels` listens, and where a worker looks for it, when nobody says otherwise."""

USUAL_STATE = Path(".nightdesk")

DOTENV = Path(".env")

_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)")


class SettingsError(Exception):
    """A setting is wrong. One line that names the variable and never shows a secret."""


class EncryptionKey(BaseModel):
    """One key of the ring: AES-256."""

    model_config = ConfigDict(frozen=True)

    id: str
    secret: SecretBytes


def parse_duration(value: object) -> object:
    """`90s`, `15m`, `24h`, `2d`, `500ms` or a sum of them (`1h30m`); more than nothing, at most ten years."""
    if not isinstance(value, str):
        return value
    text = value.strip().lower()
    if not text or _DURATION.sub("", text).strip():
        raise ValueError("must be a duration like 90s, 15m, 24h or 2d")
    seconds = sum(float(number) * _UNITS[unit] for number, unit in _DURATION.findall(text))
    if not 0 < seconds <= 10 * 365 * 86400:
        raise ValueError("must be more than nothing and at most ten years")
    return timedelta(seconds=seconds)


def parse_key_ring(value: object) -> object:
    """`id:base64,id:base64` as keys, the first one being the one that encrypts."""
    if not isinstance(value, str):
        return value
    keys: list[EncryptionKey] = []
    for place, part in enumerate(value.split(","), 1):
        key_id, colon, encoded = part.strip().partition(":")
        if not colon or not re.fullmatch(r"[A-Za-z0-9._-]{1,64}", key_id):
            raise ValueError(f"key {place} is not of the form id:base64 (id: letters, digits, . _ -)")
        try:
            secret = base64.b64decode(encoded, validate=True)
        except (binascii.Error, ValueError):
            raise ValueError(f"key {place} ({key_id}) is not base64") from None
        if len(secret) != 32:
            raise ValueError(
                f"key {place} ({key_id}) has {len(secret)} bytes, not 32: make one with `nightdesk keys new`"
            )
        keys.append(EncryptionKey(id=key_id, secret=SecretBytes(secret)))
    if len({key.id for key in keys}) != len(keys):
        raise ValueError("has the same key id twice")
    return tuple(keys)


def parse_date(value: object) -> object:
    """`2026-01-15` and nothing else that pydantic takes for a date, such as seconds since 1970."""
    if not isinstance(value, str):
        return value
    try:
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", value.strip(), re.ASCII):
            raise ValueError
        day = date.fromisoformat(value.strip())
        if day == date.max:
            raise ValueError  # there has to be a tomorrow
    except ValueError:
        raise ValueError("must be a calendar date, YYYY-MM-DD") from None
    return day


class Settings(BaseSettings):
    """Everything that is configured, checked. Secrets are wrapped, so that no log can show them."""

    model_config = SettingsConfigDict(
        env_file=DOTENV, case_sensitive=True, extra="ignore", frozen=True, hide_input_in_errors=True
    )

    task_queue: str = Field("nightdesk", alias="NIGHTDESK_TASK_QUEUE", max_length=200)
    state: Path = Field(USUAL_STATE, alias="NIGHTDESK_STATE")
    database: SecretStr | None = Field(None, alias="NIGHTDESK_DATABASE_URL")
    ui_url: str | None = Field(None, alias="NIGHTDESK_UI_URL")

    hotels_url: str | None = Field(None, alias="NIGHTDESK_HOTELS_MCP_URL")
    hotels_token: SecretStr | None = Field(None, alias="NIGHTDESK_HOTELS_MCP_TOKEN")

    typesafe_api_key: SecretStr | None = Field(None, alias="TYPESAFE_API_KEY")
    typesafe_base_url: str | None = Field(None, alias="TYPESAFE_BASE_URL")
    decisions: Literal["typesafe", "local"] = Field("local", alias="NIGHTDESK_DECISIONS")
    decision_model: str = Field("jev-latest", alias="NIGHTDESK_DECISION_MODEL")

    openai_api_key: SecretStr | None = Field(None, alias="OPENAI_API_KEY")
    openai_base_url: str | None = Field(None, alias="OPENAI_BASE_URL")
    language: Literal["openai", "local"] = Field("local", alias="NIGHTDESK_LANGUAGE")
    language_model: str = Field("gpt-6-luna", alias="NIGHTDESK_LANGUAGE_MODEL")

    encryption_keys: Annotated[tuple[EncryptionKey, ...], NoDecode, BeforeValidator(parse_key_ring)] = Field(
        (), alias="NIGHTDESK_ENCRYPTION_KEYS"
    )
    codec_token: SecretStr | None = Field(None, alias="NIGHTDESK_CODEC_TOKEN")

    conversation_idle: Annotated[timedelta, BeforeValidator(parse_duration)] = Field(
        timedelta(hours=24), alias="NIGHTDESK_CONVERSATION_IDLE"
    )
    continue_as_new_after: int = Field(200, alias="NIGHTDESK_CONTINUE_AS_NEW_AFTER", ge=1, le=5000)
    booking_limit: Decimal = Field(
        Decimal(10000), alias="NIGHTDESK_BOOKING_LIMIT", gt=0, max_digits=12, decimal_places=2
    )
    business_date: Annotated[date | None, BeforeValidator(parse_date)] = Field(None, alias="NIGHTDESK_BUSINESS_DATE")

    metrics: str | None = Field(None, alias="NIGHTDESK_METRICS")
    build_id: str | None = Field(None, alias="NIGHTDESK_BUILD_ID", max_length=100)
    log_format: Literal["plain", "json"] = Field("plain", alias="NIGHTDESK_LOG_FORMAT")

    @model_validator(mode="before")
    @classmethod
    def _what_is_set(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Blank is unset. A provider is used when its key is set, unless the choice was made."""
        given = {name: value for name, value in values.items() if not (isinstance(value, str) and not value.strip())}
        if "TYPESAFE_API_KEY" in given:
            given.setdefault("NIGHTDESK_DECISIONS", "typesafe")
        if "OPENAI_API_KEY" in given:
            given.setdefault("NIGHTDESK_LANGUAGE", "openai")
        return given

    @field_validator("task_queue", "decision_model", "language_model", "build_id", mode="after")
    @classmethod
    def _one_printable_word(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"[!-~]+", value):
            raise ValueError("must be printable ASCII without spaces")
        return value

    @field_validator("hotels_url", "typesafe_base_url", "openai_base_url", "ui_url", mode="after")
    @classmethod
    def _web_address(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"https?://[^\s/@]+(/\S*)?", value):
            raise ValueError("must be an address like https://host/path, without a user or a password")
        return value.rstrip("/") if value is not None else None

    @field_validator("hotels_token", "typesafe_api_key", "openai_api_key", "codec_token", mode="after")
    @classmethod
    def _a_header_can_carry_it(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not re.fullmatch(r"[!-~]+", value.get_secret_value()):
            raise ValueError("must be printable ASCII without spaces")
        return value

    @field_validator("codec_token", mode="after")
    @classmethod
    def _not_to_be_guessed(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and len(value.get_secret_value()) < 16:
            raise ValueError("must have at least 16 characters")
        return value

    @field_validator("metrics", mode="after")
    @classmethod
    def _an_address_to_listen_on(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"[\w.\-\[\]:]+:\d{1,5}", value):
            raise ValueError("must be host:port, for example 127.0.0.1:9464")
        return value

    @field_validator("database", mode="after")
    @classmethod
    def _a_database_we_know(cls, value: SecretStr | None) -> SecretStr | None:
        if value is None:
            return None
        try:
            url = make_url(value.get_secret_value())
        except ArgumentError:
            raise ValueError("is not a database URL") from None
        if url.drivername not in ("sqlite", "sqlite+pysqlite", "postgres", "postgresql", "postgresql+psycopg"):
            raise ValueError("must begin with sqlite:/// or postgresql://")
        if url.drivername.startswith("sqlite") and (url.database or ":memory:") == ":memory:":
            raise ValueError("needs a file: sqlite:///path")
        return value

    @model_validator(mode="after")
    def _configured_providers_can_work(self) -> "Settings":
        if self.decisions == "typesafe" and not (self.typesafe_api_key or self.typesafe_base_url):
            raise ValueError(
                "NIGHTDESK_DECISIONS: typesafe needs TYPESAFE_API_KEY (or TYPESAFE_BASE_URL of a server without keys)"
            )
        if self.language == "openai" and not (self.openai_api_key or self.openai_base_url):
            raise ValueError(
                "NIGHTDESK_LANGUAGE: openai needs OPENAI_API_KEY (or OPENAI_BASE_URL of a server without keys)"
            )
        return self

    @cached_property
    def database_url(self) -> str:
        """The hotel database, with its password: for the ledger only."""
        if self.database is not None:
            return self.database.get_secret_value()
        return URL.create("sqlite", database=str(self.state.absolute() / "hotels.sqlite")).render_as_string()

    @property
    def database_shown(self) -> str:
        """The hotel database, fit to be printed."""
        return make_url(self.database_url).render_as_string(hide_password=True)

    @property
    def typesafe_url(self) -> str:
        """Where decisions are asked for: always explicit, so that no stray variable can redirect them."""
        return self.typesafe_base_url or "https://api.typesafe.ai"

    @property
    def openai_url(self) -> str:
        """Where the language model is asked."""
        return self.openai_base_url or "https://api.openai.com/v1"

    @property
    def hotels(self) -> str:
        """The hotel search server's address."""
        return self.hotels_url or f"http://127.0.0.1:{HOTELS_PORT}/mcp"


def load_settings(*, state: Path | None = None, dotenv: Path | None = DOTENV) -> Settings:
    """The settings as they are now. `state` overrides the state folder. Raises SettingsError."""
    try:
        _need_readable(dotenv)
        chosen = {} if state is None else {"NIGHTDESK_STATE": state}
        return Settings(_env_file=dotenv, **chosen)  # pyright: ignore[reportCallIssue]
    except ValidationError as error:
        raise SettingsError("; ".join(_told(found) for found in error.errors(include_url=False))) from None
    except (UnicodeDecodeError, OSError):
        raise SettingsError(f"{dotenv}: cannot be read as a file of UTF-8 text") from None


def temporal_environment(dotenv: Path | None = DOTENV) -> dict[str, str]:
    """The TEMPORAL_* variables, for the SDK's own environment configuration (the one place that calls it)."""
    return {name: value for name, value in _variables(dotenv).items() if name.startswith("TEMPORAL_")}


def child_environment(changes: Mapping[str, str]) -> dict[str, str]:
    """This process's environment with `changes`, for a child process. Blank hides a variable, also one of `.env`."""
    return {**os.environ, **changes}


def unknown_variables(dotenv: Path | None = DOTENV) -> list[str]:
    """NIGHTDESK_ variables that mean nothing: most likely misspelt."""
    known = {str(field.alias) for field in Settings.model_fields.values()}
    return sorted(name for name in _variables(dotenv) if name.startswith("NIGHTDESK_") and name not in known)


def _need_readable(dotenv: Path | None) -> None:
    """python-dotenv only warns of a line that it cannot read, each time anew. The line may hold a secret."""
    if dotenv is None or not dotenv.is_file():
        return
    with dotenv.open(encoding="utf-8") as lines:
        wrong = [found.original.line for found in parse_stream(lines) if found.error]
    if wrong:
        raise SettingsError(f"{dotenv}: line {wrong[0]} is not of the form NAME=value (a comment begins with #)")


def _variables(dotenv: Path | None) -> dict[str, str]:
    from_file = dotenv_values(dotenv) if dotenv is not None and dotenv.is_file() else {}
    merged = {**from_file, **os.environ}
    return {name: value for name, value in merged.items() if value is not None and value.strip()}


def _told(found: Any) -> str:
    """One finding in one line. pydantic's own text shows the value for a few types only, and never a secret's."""
    where = ".".join(str(part) for part in found["loc"])
    text = str(found["msg"]).removeprefix("Value error, ").replace("Input should be", "must be")
    line = text if not where else f"{where}: {text}"
    return " ".join(line.split())
