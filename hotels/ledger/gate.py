"""A semaphore that is first come, first served.

`threading.Semaphore`, `Lock` and SQLAlchemy's pool let newcomers overtake; under a flood of bookings a
waiter then starves until its timeout (seen: 3 s, with every transaction taking a few milliseconds).
"""

import threading
from collections import deque


class Gate:
    """So many may be inside at once; the others wait in line."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._line: deque[threading.Event] = deque()
        self._lock = threading.Lock()

    @property
    def waiting(self) -> int:
        """How many are in line."""
        return len(self._line)

    def enter(self, seconds: float) -> bool:
        """Wait for a place, at most so long; whoever got one must `leave`."""
        with self._lock:
            if self._free:
                self._free -= 1
                return True
            turn = threading.Event()
            self._line.append(turn)
        if turn.wait(seconds):
            return True
        with self._lock:
            if turn.is_set():
                return True
            self._line.remove(turn)
            return False

    def leave(self) -> None:
        """Hand the place to whoever has waited longest."""
        with self._lock:
            if self._line:
                self._line.popleft().set()
            else:
                self._free += 1
