"""Starts a program that does not outlive whoever starts it, however that one ends, `kill -9` included.

Started as a script of its own, `python guard.py PID program argument ...`; PID is the process that starts it. On
Linux it becomes the program, which the kernel kills when PID ends. Elsewhere it stays beside the program, and ends
it when its own standard input ends, a pipe from PID.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading

_PR_SET_PDEATHSIG = 1  # <linux/prctl.h>
_GRACE_S = 5.0


def main(parent: int, command: list[str]) -> int:
    """The program's exit code, where this process has not become the program."""
    if sys.platform == "linux":
        return become(parent, command)
    return watch(command)


def become(parent: int, command: list[str]) -> int:
    """This very process as the program: its exit code is returned only when there is no program. Linux."""
    request = [ctypes.c_ulong(value) for value in (signal.SIGKILL, 0, 0, 0)]
    if ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, *request) != 0:
        print("the kernel does not end programs together with whoever started them", file=sys.stderr)
        return 126
    # In this order: one who ended before the request was made would never be noticed by the kernel.
    if os.getppid() != parent:
        return 0
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        return 127


def watch(command: list[str]) -> int:
    """The program's exit code; negative for a signal. Any POSIX system."""
    # What this process has inherited the program inherits too, the lock of the state folder above all.
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, close_fds=False)

    def stop(*_: object) -> None:
        child.terminate()

    def read_to_the_end() -> None:
        while os.read(0, 4096):
            pass
        stop()
        try:
            child.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            child.kill()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=read_to_the_end, daemon=True).start()
    return child.wait()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
