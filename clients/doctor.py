"""`nightdesk doctor`: one cheap call to everything that is configured, one line each."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date
from typing import Literal

from temporalio.exceptions import ApplicationError

from clients.connection import addressed, connect
from clients.failures import CannotGoOn
from clients.ledgers import DatabaseTrouble, open_ledger
from clients.sentinels import check_keys
from clients.stack import worker_polls
from clients.state import embedded_address, running_stack
from clients.words import one_line
from nightdesk.boundaries import ConverseRequest, DecideRequest, Message, ReadFacts, RouterFacts
from nightdesk.decisions import Noul
from nightdesk.failures import DECISION_REJECTED, LANGUAGE_REJECTED
from settings import Settings, unknown_variables

_EACH_S = 15.0
_WHY = {
    "ConnectError": "cannot be reached",
    "ConnectTimeout": "cannot be reached in time",
    "ReadTimeout": "does not answer in time",
    "TimeoutError": "does not answer in time",
}
_START = "`nightdesk chat` and `nightdesk up` start it"


@dataclass(frozen=True)
class Finding:
    """One line. "absent" is what nobody asked for and the embedded stack brings along."""

    what: str
    verdict: Literal["works", "fails", "absent"]
    text: str

    def __str__(self) -> str:
        return f"{self.verdict:<7} {self.what}: {one_line(self.text, 300)}"


async def examine(settings: Settings) -> list[Finding]:
    """Every finding, all looked for at once and in bounded time. No text holds a secret."""
    return await asyncio.gather(
        _bounded("settings", _settings()),
        _bounded("Temporal", _temporal(settings)),
        _bounded("worker", _worker(settings)),
        _bounded("hotel server", _hotels(settings)),
        _bounded("hotel database", _database(settings)),
        _bounded("encryption", _encryption(settings)),
        _bounded("decisions", _decisions(settings)),
        _bounded("language", _language(settings)),
    )


async def _bounded(what: str, check: Awaitable[Finding]) -> Finding:
    try:
        async with asyncio.timeout(_EACH_S):
            return await check
    except TimeoutError:
        return Finding(what, "fails", f"no answer within {_EACH_S:g} s")
    except CannotGoOn as error:
        return Finding(what, "fails", str(error))


async def _settings() -> Finding:
    if unknown := unknown_variables():
        return Finding("settings", "fails", f"not known, misspelt perhaps: {', '.join(unknown)}")
    return Finding("settings", "works", "all readable")


async def _temporal(settings: Settings) -> Finding:
    try:
        client = await connect(settings, embedded_address(settings))
    except CannotGoOn as error:
        if addressed():
            raise
        return Finding("Temporal", "absent", f"{error}; {_START}" if "nightdesk up" not in str(error) else str(error))
    host = client.service_client.config.target_host
    return Finding("Temporal", "works", f"{host}, namespace {client.namespace}")


async def _worker(settings: Settings) -> Finding:
    try:
        client = await connect(settings, embedded_address(settings))
    except CannotGoOn:
        return Finding("worker", "absent", "cannot be seen without the Temporal server")
    if await worker_polls(client, settings.task_queue):
        return Finding("worker", "works", f"at least one asks for work on queue {settings.task_queue}")
    return Finding("worker", "absent", f"none on queue {settings.task_queue}: start one with `nightdesk worker`")


async def _hotels(settings: Settings) -> Finding:
    # Imported late, like the providers: each brings its SDK along.
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    stack = running_stack(settings.state)
    url = stack.hotels if settings.hotels_url is None and stack is not None else settings.hotels
    token = settings.hotels_token.get_secret_value() if settings.hotels_token else None
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        async with (
            httpx2.AsyncClient(headers=headers, timeout=5, trust_env=False) as http,
            Client(streamable_http_client(url, http_client=http), read_timeout_seconds=5) as client,
        ):
            names = [tool.name for tool in (await client.list_tools()).tools]
    except BaseExceptionGroup as group:
        return _no_hotels(settings, url, _first(group))
    except Exception as error:  # noqa: BLE001 (the SDK raises a dozen kinds; each means that it does not work)
        return _no_hotels(settings, url, error)
    if "search_hotels" not in names:
        return Finding("hotel server", "fails", f"{url} has no tool search_hotels (NIGHTDESK_HOTELS_MCP_URL)")
    return Finding("hotel server", "works", url)


def _no_hotels(settings: Settings, url: str, error: BaseException) -> Finding:
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status in (401, 403):
        return Finding("hotel server", "fails", f"{url} refuses the token (NIGHTDESK_HOTELS_MCP_TOKEN)")
    if settings.hotels_url is None:
        return Finding("hotel server", "absent", f"{url} does not answer; {_START}")
    why = f"answers with status {status}" if status else _WHY.get(type(error).__name__, "does not answer as MCP does")
    return Finding("hotel server", "fails", f"{url} {why} (NIGHTDESK_HOTELS_MCP_URL, NIGHTDESK_HOTELS_MCP_TOKEN)")


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error  # pyright: ignore[reportUnknownArgumentType]


async def _database(settings: Settings) -> Finding:
    def look() -> None:
        with open_ledger(settings) as ledger:
            ledger.ping()

    if settings.database is None and not (settings.state / "hotels.sqlite").exists():
        return Finding("hotel database", "absent", f"{settings.database_shown} is not made yet; {_START}")
    await asyncio.to_thread(look)
    return Finding("hotel database", "works", f"{settings.database_shown}, schema up to date")


async def _encryption(settings: Settings) -> Finding:
    def look() -> None:
        with open_ledger(settings) as ledger:
            check_keys(settings.encryption_keys, ledger)

    if settings.database is not None or (settings.state / "hotels.sqlite").exists():
        try:
            await asyncio.to_thread(look)
        except DatabaseTrouble:
            return Finding("encryption", "absent", "the keys cannot be checked without the hotel database")
    if not settings.encryption_keys:
        return Finding("encryption", "works", "off (NIGHTDESK_ENCRYPTION_KEYS turns it on)")
    ids = ", ".join(key.id for key in settings.encryption_keys)
    return Finding("encryption", "works", f"keys {ids}; the first one encrypts")


async def _decisions(settings: Settings) -> Finding:
    if settings.decisions == "local":
        return Finding("decisions", "works", "local rules (TYPESAFE_API_KEY turns Jev on)")
    from activities.providers.typesafe import TypesafeDecisions

    key = settings.typesafe_api_key.get_secret_value() if settings.typesafe_api_key else None
    provider = TypesafeDecisions(key, settings.typesafe_url, settings.decision_model, deadline=10)
    question = Noul(instructions="Is this a test?", true="It is a test.", false="It is not.")
    facts = RouterFacts(
        request="This is a test.", prior_requests=(), today=date(2027, 1, 1), awaiting="router", criteria={}
    )

    async def call() -> str:
        return (await provider.decide(DecideRequest(facts=facts, questions={"test": question}))).model

    told = f"{settings.typesafe_url}, model {settings.decision_model}"
    advice = "TYPESAFE_API_KEY, TYPESAFE_BASE_URL, NIGHTDESK_DECISION_MODEL"
    return await _provider("decisions", told, advice, DECISION_REJECTED, call, provider.aclose)


async def _language(settings: Settings) -> Finding:
    if settings.language == "local":
        return Finding("language", "works", "local reader (OPENAI_API_KEY turns OpenAI on)")
    from activities.providers.openai_language import OpenAILanguage

    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else None
    provider = OpenAILanguage(key, settings.openai_url, settings.language_model, deadline=10)
    request = ConverseRequest(
        guidance="Answer with the word ok.",
        messages=(Message(role="guest", text="This is a test."),),
        facts=ReadFacts(request="This is a test.", today=date(2027, 1, 1), awaiting="router", criteria={}),
    )

    async def call() -> str:
        return (await provider.converse(request)).model

    told = f"{settings.openai_url}, model {settings.language_model}"
    advice = "OPENAI_API_KEY, OPENAI_BASE_URL, NIGHTDESK_LANGUAGE_MODEL"
    return await _provider("language", told, advice, LANGUAGE_REJECTED, call, provider.aclose)


async def _provider(
    what: str,
    told: str,
    advice: str,
    rejected: str,
    call: Callable[[], Awaitable[str]],
    close: Callable[[], Awaitable[None]],
) -> Finding:
    try:
        answered_by = await call()
    except ApplicationError as error:
        again = "" if error.type == rejected else "; used again by itself once it answers"
        return Finding(what, "fails", f"{told}: {error.message} ({advice}){again}")
    finally:
        await close()
    return Finding(what, "works", f"{told}, answered by {answered_by}")
