"""The way to the Temporal server: the one place that connects, and says in a line why it cannot."""

from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path

from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest
from temporalio.client import Client
from temporalio.envconfig import ClientConfig
from temporalio.runtime import LoggingConfig, Runtime, TelemetryConfig, TelemetryFilter
from temporalio.service import RPCError, RPCStatusCode

from clients.encryption import data_converter
from clients.failures import CannotGoOn
from settings import Settings, temporal_environment

DEFAULT_ADDRESS = "localhost:7233"
LOGGING = LoggingConfig(filter=TelemetryFilter(core_level="ERROR", other_level="ERROR"))
_FILES = (
    "TEMPORAL_CONFIG_FILE",
    "TEMPORAL_TLS_CLIENT_CERT_PATH",
    "TEMPORAL_TLS_CLIENT_KEY_PATH",
    "TEMPORAL_TLS_SERVER_CA_CERT_PATH",
)
_CONNECT = timedelta(seconds=5)


@dataclass(frozen=True)
class Address:
    """A server addressed explicitly: no profile, no variable is read."""

    host: str
    namespace: str = "default"


async def connect(settings: Settings, address: Address | None = None, *, runtime: Runtime | None = None) -> Client:
    """A client of `address`, or else of what the SDK's environment configuration names (Temporal Cloud included).

    Raises CannotGoOn when the server or the namespace is not there.
    """
    if address is not None:
        config: dict[str, object] = {"target_host": address.host, "namespace": address.namespace}
    else:
        config = {"target_host": DEFAULT_ADDRESS, **_configured()}
    host = str(config["target_host"])
    secured = bool(config.get("tls") or config.get("api_key"))
    try:
        client = await Client.connect(
            **config,  # pyright: ignore[reportArgumentType]
            data_converter=data_converter(settings.encryption_keys),
            connect_timeout=_CONNECT,
            runtime=runtime or _quiet(),
        )
    except (RuntimeError, ValueError) as error:
        raise CannotGoOn(f"no Temporal server answers at {host} (TEMPORAL_ADDRESS): {_why(error, secured)}") from None
    await _need_namespace(client, host)
    return client


@cache
def _quiet() -> Runtime:
    """One for the process. The SDK's core would write its own log lines to standard output otherwise."""
    return Runtime(telemetry=TelemetryConfig(logging=LOGGING))


def addressed() -> bool:
    """Whether TEMPORAL_ADDRESS names a server, so that no embedded one is wanted."""
    return "TEMPORAL_ADDRESS" in temporal_environment()


def _configured() -> dict[str, object]:
    variables = temporal_environment()
    for name in _FILES:
        if (path := variables.get(name)) is not None and (trouble := _unreadable(path)):
            raise CannotGoOn(f"{name}: {path} cannot be read: {trouble}")
    try:
        return dict(ClientConfig.load_client_connect_config(override_env_vars=variables))
    except (RuntimeError, ValueError, OSError) as error:
        raise CannotGoOn(f"TEMPORAL_ settings: {_short(error)}") from None


def _unreadable(path: str) -> str | None:
    try:
        with Path(path).open("rb"):
            return None
    except OSError as error:
        return error.strerror or "not possible"


async def _need_namespace(client: Client, host: str) -> None:
    """Connecting does not notice that a namespace is missing; every call after it would."""
    try:
        await client.workflow_service.describe_namespace(
            DescribeNamespaceRequest(namespace=client.namespace), timeout=_CONNECT
        )
    except RPCError as error:
        raise CannotGoOn(_namespace_trouble(error, client.namespace, host)) from None


def _namespace_trouble(error: RPCError, namespace: str, host: str) -> str:
    if error.status == RPCStatusCode.NOT_FOUND:
        return f"the Temporal server at {host} has no namespace {namespace!r} (TEMPORAL_NAMESPACE)"
    if error.status in (RPCStatusCode.PERMISSION_DENIED, RPCStatusCode.UNAUTHENTICATED):
        return f"the Temporal server at {host} refuses namespace {namespace!r} to us (TEMPORAL_API_KEY, TEMPORAL_TLS_…)"
    return f"the Temporal server at {host} does not answer: {error.status.name.lower()}"


def _why(error: BaseException, secured: bool) -> str:
    """The cause out of the SDK's own words, which are long and nested."""
    text = str(error)
    if secured and "InvalidContentType" in text:
        return "we speak TLS (TEMPORAL_API_KEY, TEMPORAL_TLS and TEMPORAL_TLS_… ask for it) and the server does not"
    for sign, cause in (
        ("ConnectionRefused", "connection refused"),
        ("dns error", "no such host"),
        ("imed out", "timed out"),
        ("ertificate", "the certificate is not accepted"),
        ("target URL", "not an address"),
        ("PrivateKeyParseError", "the private key cannot be read (TEMPORAL_TLS_CLIENT_KEY_…)"),
        ("Must have both client cert", "a client certificate and its key go together (TEMPORAL_TLS_CLIENT_…)"),
    ):
        if sign in text:
            return cause
    # What is left is for a developer to read: which layers failed, in Rust.
    return (
        "it is no Temporal server, or the connection broke"
        if "tonic::" in text or "Status {" in text
        else _short(error)
    )


def _short(error: BaseException) -> str:
    """The first line of an error, without addresses of objects and without length."""
    return " ".join(str(error).split())[:200]
