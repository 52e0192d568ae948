"""The image, as far as it can be built where there is no container engine: the build stage's own steps, in a folder.

Not covered: the base image, the last stage's layers, and the containers as they meet in a compose network.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Generator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from packaging.utils import canonicalize_name

from tests.clients.conftest import clean_environment
from tests.test_locks import RUNNING, closure, here, pins, wanted

ROOT = Path(__file__).parent.parent.parent
NOBODY = 10001
"""The image's own user."""

pytestmark = [pytest.mark.drill, pytest.mark.timeout(300)]


def for_everybody(python: str) -> bool:
    """Whether any user may run this interpreter, and whether it can make a venv."""
    path = Path(python).resolve()
    may = all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents))
    return may and subprocess.run([python, "-c", "import ensurepip"], capture_output=True).returncode == 0


def interpreter() -> str:
    """Ours, or the system's where ours lies in a home that the image's user cannot enter."""
    ours = str(Path(sys.base_prefix) / "bin" / Path(sys.executable).resolve().name)
    found = (python for python in (ours, "/usr/bin/python3") if Path(python).exists() and for_everybody(python))
    return next(found, ours)


@pytest.fixture(scope="module")
def root() -> Generator[Path]:
    """A folder that any user may enter, unlike pytest's own."""
    with TemporaryDirectory() as made:
        Path(made).chmod(0o755)
        yield Path(made)


@pytest.fixture(scope="module")
def built(root: Path) -> Path:
    """The venv that the image takes over, out of the RUN and COPY steps of the build stage."""
    app = root / "app"
    app.mkdir()
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    stage = text.split("\nFROM ")[1].splitlines()[1:]
    environment = {"PATH": os.environ["PATH"], "HOME": str(root), "PIP_NO_CACHE_DIR": "1"}
    for step in stage:
        if step.startswith("COPY "):
            *sources, target = step.split()[1:]
            for source in sources:
                place = app / target / (source if target.endswith("/") else "")
                copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
                copy(ROOT / source, place)
        elif step.startswith("RUN "):
            command = step.removeprefix("RUN ").replace("/venv", f"{root}/venv")
            command = re.sub(r"^python ", f"{interpreter()} ", command)
            subprocess.run(command, shell=True, cwd=app, check=True, env=environment, timeout=240)
        else:
            assert not step.strip() or step.startswith(("#", "ENV ", "WORKDIR /app")), step
    shutil.rmtree(app)  # the last stage takes the venv alone
    return root / "venv"


def as_its_user(command: list[str], **changes: str) -> subprocess.Popen[str]:
    """A process of the image: its user, where this machine lets us, and nothing but these variables."""
    user = NOBODY if os.getuid() == 0 else None  # without being root ourselves there is nothing to change to
    environment = clean_environment(**changes) | {"PYTHONUNBUFFERED": "1"}
    return subprocess.Popen(
        command, env=environment, user=user, cwd="/", text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def test_the_image_holds_what_running_needs_and_nothing_that_builds_or_tests(built: Path) -> None:
    code = "import importlib.metadata as m, json; print(json.dumps([d.metadata['Name'] for d in m.distributions()]))"
    printed = subprocess.run([built / "bin/python", "-c", code], check=True, capture_output=True, text=True, cwd="/")
    installed = {canonicalize_name(name) for name in json.loads(printed.stdout)}
    locked = pins(RUNNING)
    assert installed == (closure(wanted(), locked) & here(locked)) | {"nightdesk"}


def test_its_programs_run_as_a_user_that_is_not_root(built: Path, root: Path) -> None:
    if not for_everybody(interpreter()):
        pytest.skip("there is no interpreter here that a user who is not root may run")
    state = root / "state"
    state.mkdir()
    if os.getuid() == 0:
        os.chown(state, NOBODY, NOBODY)
    program = str(built / "bin/nightdesk")
    named = {"NIGHTDESK_DATABASE_URL": f"sqlite:///{state}/hotels.sqlite"}
    upgraded = as_its_user([program, "database", "upgrade"], **named)
    assert "up to date" in upgraded.communicate(timeout=60)[0]
    hotels = as_its_user([program, "hotels", "--port", "0"], **named)
    try:
        assert hotels.stdout is not None
        url = json.loads(hotels.stdout.readline())["hotels"].removesuffix("/mcp")
        with urllib.request.urlopen(f"{url}/health", timeout=10) as answer:
            assert json.load(answer)["status"] == "ok"
    finally:
        hotels.terminate()
        hotels.communicate(timeout=20)
    worker = as_its_user([program, "worker"], **named, TEMPORAL_ADDRESS="127.0.0.1:1")
    told = worker.communicate(timeout=60)[0]
    assert (worker.returncode, told.count("\n")) == (1, 1)
    assert "no Temporal server answers at 127.0.0.1:1" in told
