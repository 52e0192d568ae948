"""The rooms keep their doors shut: who may import whom, and what the pure rules must not touch."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = {"nightdesk", "workflows", "activities", "hotels", "clients", "worker", "settings", "tests"}
MAY_IMPORT = {
    "nightdesk": {"nightdesk"},
    "workflows": {"workflows", "nightdesk", "activities"},
    "activities": {"activities", "nightdesk", "hotels"},
    "hotels": {"hotels", "nightdesk"},
}
IMPURE = {
    "os",
    "random",
    "secrets",
    "socket",
    "subprocess",
    "threading",
    "time",
    "uuid",
    "temporalio",
    "httpx2",
    "asyncio",
}
CALLS = {"now", "today", "utcnow", "monotonic", "getenv", "urandom", "open", "print", "input", "uuid4"}


def modules(room: str) -> Iterator[tuple[Path, ast.Module]]:
    """Each file of a room, parsed."""
    for path in sorted((ROOT / room).rglob("*.py")):
        yield path.relative_to(ROOT), ast.parse(path.read_text(encoding="utf-8"))


def imported(tree: ast.AST) -> Iterator[str]:
    """The packages that are imported, by their first name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module.split(".")[0]


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_each_room_imports_only_what_it_may(room: str) -> None:
    shut = OURS - MAY_IMPORT[room]
    strange = [f"{path}: {name}" for path, tree in modules(room) for name in imported(tree) if name in shut]
    assert strange == []


def test_the_pure_rules_read_no_clock_chance_or_environment_and_do_no_io() -> None:
    strange: list[str] = []
    for path, tree in modules("nightdesk"):
        if path.name == "__main__.py":
            continue  # the command line around the reader
        strange += [f"{path}: imports {name}" for name in imported(tree) if name in IMPURE]
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            named = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
            if named in CALLS:
                strange.append(f"{path}:{call.lineno}: {named}()")
    assert strange == []


def test_workflows_define_no_model() -> None:
    """A model in a sandboxed module costs every conversation ten times the memory of one passed through."""
    bases = {"BaseModel", "Frozen", "Arguments"}
    strange = [
        f"{path}: {node.name}"
        for path, tree in modules("workflows")
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and bases & {base.id for base in node.bases if isinstance(base, ast.Name)}
    ]
    assert strange == []


def test_only_settings_reads_the_environment() -> None:
    strange: list[str] = []
    for room in ("nightdesk", "workflows", "activities", "hotels"):
        for path, tree in modules(room):
            for node in ast.walk(tree):
                if isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv"}:
                    strange.append(f"{path}:{node.lineno}")
    assert strange == []


def test_no_broad_except_is_silent() -> None:
    """An exception may be turned into an outcome, never into nothing."""
    strange: list[str] = []
    for room in (*MAY_IMPORT, "clients"):
        for path, tree in modules(room):
            for node in ast.walk(tree):
                if isinstance(node, ast.ExceptHandler) and all(isinstance(part, ast.Pass) for part in node.body):
                    names = ast.unparse(node.type) if node.type else "everything"
                    if names in {"everything", "Exception", "BaseException"}:
                        strange.append(f"{path}:{node.lineno}")
    assert strange == []


def test_a_patch_is_asked_for_in_one_place() -> None:
    """Why there and nowhere else, workflows/release.py says."""
    asks = {"patched", "deprecate_patch"}
    places = {
        str(path)
        for path, tree in modules("workflows")
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in asks
    }
    assert places == {"workflows/release.py"}
