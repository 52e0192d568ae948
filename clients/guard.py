"""Runs a foreign program so that it never outlives the stack: at the end of its standard input it ends it.

Started as a script of its own, `python guard.py program argument ...`, with a pipe as standard input. The
pipe closes when the stack ends, however it ends, `kill -9` included, and on every POSIX system.
"""

import os
import signal
import subprocess
import sys
import threading

_GRACE_S = 5.0


def main(command: list[str]) -> int:
    """The program's exit code; negative for a signal."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL)

    def stop(*_: object) -> None:
        child.terminate()

    def watch() -> None:
        while os.read(0, 4096):
            pass
        stop()
        try:
            child.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            child.kill()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=watch, daemon=True).start()
    return child.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
