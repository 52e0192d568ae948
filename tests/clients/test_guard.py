"""The guard that starts a child: the program ends with whoever started it, however that one ends."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from clients.children import foreign_command
from tests.clients.conftest import gone, wait_for

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="what the Linux kernel promises")

# Deaf to all that can be refused: neither the end of its input nor SIGTERM ends it.
STUBBORN = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(os.getpid(), flush=True)
while True:
    time.sleep(60)
"""
PARENT = """
import subprocess, sys
from clients.children import foreign_command
command = foreign_command(sys.executable, "-c", sys.argv[1])
child = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
print(child.pid, flush=True)
child.wait()
"""


@LINUX
def test_a_program_ends_with_its_killed_parent_and_its_pid_is_its_own() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT, STUBBORN], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        started, itself = (int(parent.stdout.readline()) for _ in range(2))
        assert started == itself  # no process in between
        child = psutil.Process(itself)
        assert "guard.py" not in " ".join(child.cmdline())
        parent.kill()
        parent.wait(10)
        try:
            wait_for(lambda: gone(itself), 5)
        finally:
            if not gone(itself):
                child.kill()


@LINUX
def test_a_program_whose_parent_is_gone_before_it_is_not_started(tmp_path: Path) -> None:
    """The one who started it died before the kernel was asked: nobody would ever end the program."""
    mark = tmp_path / "started"
    command = foreign_command("touch", str(mark))
    stranger = str(os.getppid())
    assert command.count(str(os.getpid())) == 1
    command[command.index(str(os.getpid()))] = stranger
    assert subprocess.run(command, timeout=20, check=False).returncode == 0
    assert not mark.exists()
    assert subprocess.run(foreign_command("touch", str(mark)), timeout=20, check=False).returncode == 0
    assert mark.exists()


@LINUX
def test_a_program_that_is_not_there_is_one_line() -> None:
    done = subprocess.run(foreign_command("/no/such"), capture_output=True, text=True, timeout=20, check=False)
    assert (done.returncode, done.stderr) == (127, "/no/such: No such file or directory\n")


def watched(program: str, *inherited: int) -> subprocess.Popen[str]:
    """The guard as it stays beside a program on other systems than Linux; its input is a pipe of ours."""
    code = f"import sys; from clients.guard import watch; sys.exit(watch([sys.executable, '-c', {program!r}]))"
    return subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, pass_fds=inherited
    )


@pytest.mark.parametrize("end", ["its input", "SIGTERM"])
def test_elsewhere_the_guard_stays_and_ends_the_program(end: str) -> None:
    with watched("import os, time; print(os.getpid(), flush=True); time.sleep(60)") as guard:
        assert guard.stdin is not None
        assert guard.stdout is not None
        pid = int(guard.stdout.readline())
        assert pid != guard.pid
        if end == "SIGTERM":
            guard.send_signal(signal.SIGTERM)
        else:
            guard.stdin.close()
        wait_for(lambda: gone(pid), 10)
        assert guard.wait(10) == 256 - signal.SIGTERM


def test_elsewhere_the_guard_passes_on_the_exit_code_and_what_it_inherited(tmp_path: Path) -> None:
    with (tmp_path / "lock").open("w") as lock:
        program = f"import os, sys; os.write({lock.fileno()}, b'inherited'); sys.exit(7)"
        with watched(program, lock.fileno()) as guard:
            assert guard.wait(20) == 7
    assert (tmp_path / "lock").read_text() == "inherited"
