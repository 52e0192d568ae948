"""The lock files against pyproject.toml and against what is installed: set-up resolves nothing, so this has to."""

import tomllib
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
RUNNING, DEVELOPING = ROOT / "requirements.lock", ROOT / "requirements-dev.lock"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
NOT_LOCKED = {"pip", "setuptools", "nightdesk"}
"""What `python -m venv` brings, and the project itself."""


def pins(lock: Path) -> dict[str, Requirement]:
    """Name -> the requirement that pins it. Every line is a pin or a hash of the pin above."""
    found: dict[str, Requirement] = {}
    hashes: dict[str, int] = {}
    name = ""
    for line in lock.read_text().splitlines():
        if line.startswith("    --hash=sha256:"):
            hashes[name] += 1
            continue
        pin = Requirement(line.removesuffix("\\").strip())
        name = canonicalize_name(pin.name)
        assert name not in found, f"{name} stands twice"
        found[name], hashes[name] = pin, 0
    assert all(hashes.values()), "a pin without a hash"
    return found


def wanted(*groups: str) -> list[Requirement]:
    """What pyproject.toml asks for: to run, and by these groups."""
    texts = [*PROJECT["project"]["dependencies"]]
    for group in groups:
        texts += PROJECT["dependency-groups"][group]
    return [Requirement(text) for text in texts]


def applies(requirement: Requirement, extra: str = "") -> bool:
    """Whether it is for this machine, and for this extra if it is for one."""
    return requirement.marker is None or requirement.marker.evaluate({"extra": extra})


def closure(roots: list[Requirement], locked: dict[str, Requirement]) -> set[str]:
    """All that these requirements need, extras included, as the installed packages themselves say. Asserts each pin."""
    seen: set[tuple[str, str]] = set()
    open_ = [root for root in roots if applies(root)]
    while open_:
        requirement = open_.pop()
        name = canonicalize_name(requirement.name)
        pin = locked.get(name)
        assert pin is not None, f"{requirement} is not locked: run `make lock`"
        version = str(pin.specifier).removeprefix("==")
        assert requirement.specifier.contains(version, prereleases=True), (
            f"{name} is locked at {version}, which does not fit {requirement}: run `make lock`"
        )
        for extra in ("", *requirement.extras):
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            needs = [Requirement(text) for text in distribution(name).requires or ()]
            open_ += [need for need in needs if applies(need, extra)]
    return {name for name, _ in seen}


def here(locked: dict[str, Requirement]) -> set[str]:
    """The names of those that are for this machine."""
    return {name for name, pin in locked.items() if applies(pin)}


def test_the_first_lock_is_what_running_needs_and_nothing_else() -> None:
    locked = pins(RUNNING)
    assert closure(wanted("build"), locked) == here(locked)


def test_the_second_lock_is_what_developing_needs_on_top_and_nothing_else() -> None:
    running, developing = pins(RUNNING), pins(DEVELOPING)
    assert not running.keys() & developing.keys()
    both = running | developing
    assert closure(wanted("build", "dev"), both) - here(running) == here(developing)


def test_what_is_installed_is_the_locks_and_nothing_else() -> None:
    locked = pins(RUNNING) | pins(DEVELOPING)

    def named(found: Distribution) -> str:
        return canonicalize_name(found.metadata["Name"])

    installed = {named(found): found.version for found in distributions()}
    asked = {name: str(locked[name].specifier).removeprefix("==") for name in here(locked)}
    assert {name: version for name, version in installed.items() if name not in NOT_LOCKED} == asked


@pytest.mark.parametrize("unfit", ["not-there>=1", "pydantic>=99", "pydantic[email]>=2", "uvicorn[standard]>=0.40"])
def test_a_requirement_that_no_longer_fits_is_told(unfit: str) -> None:
    with pytest.raises(AssertionError, match="make lock"):
        closure([*wanted("build"), Requirement(unfit)], pins(RUNNING))


def test_the_build_backend_is_the_one_that_is_locked() -> None:
    assert PROJECT["build-system"]["requires"] == PROJECT["dependency-groups"]["build"]


@pytest.mark.parametrize("place", ["Makefile", "Dockerfile"])
def test_pip_is_never_told_to_resolve(place: str) -> None:
    """What pip would resolve beside a lock depends on its version, and on what came out yesterday."""
    told = [line for line in (ROOT / place).read_text().splitlines() if "pip install" in line]
    assert told
    assert all("--no-deps" in line for line in told)
