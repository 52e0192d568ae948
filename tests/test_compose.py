"""The containers against the product: there is no container engine here, so every word is checked instead."""

import fnmatch
import re
import tomllib
from pathlib import Path
from typing import Any, cast

import pytest
import typer.main
import yaml

from clients.main import app
from settings import HOTELS_PORT, Settings, load_settings

ROOT = Path(__file__).parent.parent
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if "build" in service}
VARIABLES = {str(field.alias) for field in Settings.model_fields.values()}
OF_OTHERS = {"TEMPORAL_ADDRESS", "TEMPORAL_NAMESPACE", "PGPASSWORD"}
"""Read by the Temporal SDK and by PostgreSQL's client library."""


def parsed(words: list[str]) -> dict[str, Any]:
    """The options of a command line of ours, as the program would read it; an unknown one raises."""
    command = cast(Any, typer.main.get_command(app))
    arguments = list(words)
    while hasattr(command, "commands"):
        command = command.commands[arguments.pop(0)]
    return command.make_context(command.name, arguments).params


def test_every_kind_of_process_is_there() -> None:
    assert {"worker", "hotels", "hotel-schema", "temporal", "temporal-ui", "temporal-db", "hotel-db"} <= SERVICES.keys()
    assert OURS.keys() == {"worker", "hotels", "hotel-schema", "chat", "codec-server"}
    assert OURS["hotel-schema"]["command"] == ["database", "upgrade"]


@pytest.mark.parametrize("name", OURS)
def test_our_commands_exist_with_these_options(name: str) -> None:
    parsed(OURS[name]["command"])


def test_an_unknown_option_would_be_noticed() -> None:
    with pytest.raises(Exception, match="No such option"):
        parsed(["hotels", "--hots", "x"])


@pytest.mark.parametrize("name", OURS)
def test_our_variables_exist_and_are_valid(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    environment: dict[str, str] = OURS[name]["environment"]
    assert environment.keys() <= VARIABLES | OF_OTHERS
    for variable, value in environment.items():
        monkeypatch.setenv(variable, re.sub(r"\$\{\w+(?::-([^}]*)|:\?[^}]*)\}", r"\1", str(value)))
    load_settings(dotenv=None)


def test_every_setting_can_be_made_for_the_worker() -> None:
    not_for_containers = {"NIGHTDESK_STATE"}
    assert VARIABLES - OURS["worker"]["environment"].keys() == not_for_containers


def test_ports_are_those_that_the_commands_listen_on() -> None:
    hotels, codec = parsed(OURS["hotels"]["command"]), parsed(OURS["codec-server"]["command"])
    assert hotels["port"] == HOTELS_PORT
    assert OURS["hotels"]["ports"] == [f"127.0.0.1:{HOTELS_PORT}:{hotels['port']}"]
    assert OURS["codec-server"]["ports"] == [f"127.0.0.1:{codec['port']}:{codec['port']}"]
    environment = OURS["worker"]["environment"]
    assert f"http://hotels:{HOTELS_PORT}/mcp" in environment["NIGHTDESK_HOTELS_MCP_URL"]
    assert "hotels:*" in hotels["allow_host"]
    assert f"127.0.0.1:{HOTELS_PORT}/health" in OURS["hotels"]["healthcheck"]["test"][-1]
    assert environment["TEMPORAL_ADDRESS"] == "temporal:7233"
    assert SERVICES["temporal"]["ports"] == ["127.0.0.1:7233:7233"]
    assert environment["NIGHTDESK_UI_URL"] in OURS["codec-server"]["command"]
    assert SERVICES["temporal-ui"]["ports"] == ["127.0.0.1:8080:8080"]


def test_a_worker_is_healthy_when_the_server_says_that_it_polls() -> None:
    how, program, *words = OURS["worker"]["healthcheck"]["test"]
    assert (how, program) == ("CMD", "nightdesk")
    assert parsed(words)["check"]


def test_everything_is_published_to_this_machine_only() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert len(ports) == 4
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_images_are_pinned_and_temporal_is_the_version_that_is_tested() -> None:
    images = {name: service["image"] for name, service in SERVICES.items()}
    assert all(re.search(r":\d+\.\d+", image) for image in images.values())
    assert images["temporal"].split(":")[1] == images["temporal-schema"].split(":")[1]
    assert re.search(r"^FROM python:3\.11\.\d+-slim\S*", (ROOT / "Dockerfile").read_text(), re.MULTILINE)


def test_what_is_waited_for_can_be_waited_for() -> None:
    for name, service in SERVICES.items():
        for other, how in service.get("depends_on", {}).items():
            if how["condition"] == "service_healthy":
                assert "healthcheck" in SERVICES[other], (name, other)
            else:
                assert SERVICES[other]["restart"].startswith("on-failure"), (name, other)


def test_no_secret_stands_in_the_file() -> None:
    for service in SERVICES.values():
        for variable, value in service.get("environment", {}).items():
            if re.search("PASSWORD|PWD|KEY|TOKEN|SECRET", variable):
                assert re.fullmatch(r"\$\{\w+(:-|:\?[^}]+)\}", str(value)), variable
    assert "@" not in OURS["worker"]["environment"]["NIGHTDESK_DATABASE_URL"].replace("nightdesk@hotel-db", "")


def test_the_image_holds_all_of_the_program_and_runs_as_nobody_in_particular() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    copied = {
        word for line in lines if line.startswith("COPY ") and "--from" not in line for word in line.split()[1:-1]
    }
    package = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert set(package["only-include"]) <= copied
    assert all((ROOT / path).exists() for path in copied)
    user = next(line for line in lines if line.startswith("RUN useradd"))
    assert next(line for line in reversed(lines) if line.startswith("USER ")) == "USER 10001"
    assert "--uid 10001 " in user
    assert 'ENTRYPOINT ["nightdesk"]' in lines
    allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    assert all(any(fnmatch.fnmatch(path, pattern) for pattern in allowed) for path in copied)


def test_the_example_names_every_variable_and_sets_none() -> None:
    lines = (ROOT / ".env.example").read_text().splitlines()
    assert all(line.startswith("#") or not line.strip() for line in lines)
    named = {match[1] for line in lines if (match := re.match(r"# ([A-Z_]+)=", line))}
    needed = set(re.findall(r"\$\{(\w+):\?", (ROOT / "docker-compose.yml").read_text()))
    assert named == VARIABLES | needed | {"TEMPORAL_ADDRESS"}
