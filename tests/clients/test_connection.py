"""The way to the Temporal server, and what is said when there is none."""

import socket
from pathlib import Path

import pytest
from temporalio.client import Client

from clients.connection import Address, addressed, connect
from clients.failures import CannotGoOn
from settings import load_settings


@pytest.fixture
def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def host_of(client: Client) -> str:
    return client.service_client.config.target_host


async def test_no_server_is_one_line_that_names_the_variable(closed_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEMPORAL_ADDRESS", f"127.0.0.1:{closed_port}")
    monkeypatch.setenv("TEMPORAL_API_KEY", "tell-nobody")
    with pytest.raises(CannotGoOn) as failed:
        await connect(load_settings())
    told = str(failed.value)
    assert "TEMPORAL_ADDRESS" in told
    assert str(closed_port) in told
    assert "\n" not in told
    assert "tell-nobody" not in told


async def test_a_missing_namespace_is_noticed(temporal: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEMPORAL_ADDRESS", host_of(temporal))
    monkeypatch.setenv("TEMPORAL_NAMESPACE", "nowhere")
    with pytest.raises(CannotGoOn, match=r"no namespace 'nowhere' \(TEMPORAL_NAMESPACE\)"):
        await connect(load_settings())


async def test_a_profile_is_read_unless_the_server_is_addressed_explicitly(
    temporal: Client, closed_port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = tmp_path / "temporal.toml"
    profile.write_text(f'[profile.default]\naddress = "127.0.0.1:{closed_port}"\n')
    monkeypatch.setenv("TEMPORAL_CONFIG_FILE", str(profile))
    assert not addressed()
    with pytest.raises(CannotGoOn, match=str(closed_port)):
        await connect(load_settings())
    explicit = await connect(load_settings(), Address(host_of(temporal)))
    assert explicit.namespace == "default"


@pytest.fixture
def in_dotenv(temporal: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text(f"TEMPORAL_ADDRESS={host_of(temporal)}\n")


@pytest.mark.usefixtures("in_dotenv")
async def test_an_address_in_dotenv_counts(temporal: Client) -> None:
    assert addressed()
    assert host_of(await connect(load_settings())) == host_of(temporal)


async def test_a_broken_profile_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    profile = tmp_path / "temporal.toml"
    profile.write_text("not = [toml")
    monkeypatch.setenv("TEMPORAL_CONFIG_FILE", str(profile))
    with pytest.raises(CannotGoOn, match="TEMPORAL_ settings"):
        await connect(load_settings())


async def test_tls_to_a_plain_server_is_said_in_plain_words(temporal: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEMPORAL_ADDRESS", host_of(temporal))
    for name in ("TEMPORAL_API_KEY", "TEMPORAL_TLS"):
        monkeypatch.setenv(name, "true")
        with pytest.raises(CannotGoOn, match=r"we speak TLS .* and the server does not$"):
            await connect(load_settings())
        monkeypatch.delenv(name)


@pytest.mark.parametrize("name", ["TEMPORAL_TLS_CLIENT_CERT_PATH", "TEMPORAL_CONFIG_FILE"])
async def test_a_file_that_is_not_there_is_named_with_its_variable(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "/nope")
    with pytest.raises(CannotGoOn, match=f"^{name}: /nope cannot be read: No such file"):
        await connect(load_settings())
