"""The process killed around the commit: the database alone knows, and the key settles it."""

import subprocess
import sys

import pytest

from hotels.ledger import Ledger
from nightdesk.booking import Confirmed, SettleReservation
from tests.hotels.yeses import broken_nights, count, offer_of, yes_to

BOOK_AND_DIE = """
import os, signal, sys
from datetime import date
from sqlalchemy import event
from hotels.ledger import Ledger, reading
from nightdesk.booking import BookRoom

url, moment, booking = sys.argv[1:]
def die(*_): os.kill(os.getpid(), signal.SIGKILL)
ledger = Ledger(url, business_date=date(2026, 1, 15))
if moment == "before":
    event.listen(ledger.engine, "commit", die)  # comes right before COMMIT
else:
    reading.outcome = die
ledger.book(BookRoom.model_validate_json(booking))
"""


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_process_killed_at_the_commit_leaves_one_booking_once_settled(
    ledger: Ledger, ledger_url: str, moment: str
) -> None:
    booking = yes_to(offer_of())
    killed = subprocess.run(
        [sys.executable, "-c", BOOK_AND_DIE, ledger_url, moment, booking.model_dump_json()],
        timeout=30,
        capture_output=True,
    )
    assert killed.returncode == -9, killed.stderr
    assert count(ledger, "reservations") == (0 if moment == "before" else 1)
    settled = ledger.settle(SettleReservation(booking=booking))
    assert isinstance(settled, Confirmed)
    assert ledger.book(booking) == settled
    assert count(ledger, "reservations") == 1
    assert count(ledger, "inventory", "free = capacity - 1") == 2


FLOOD = """
import sys, threading
from datetime import date
from concurrent.futures import ThreadPoolExecutor
from hotels.ledger import Ledger
from nightdesk.booking import BookRoom

ledger = Ledger(sys.argv[1], business_date=date(2026, 1, 15))
yeses = [BookRoom.model_validate_json(line) for line in sys.stdin]
def book(yes):
    print(ledger.book(yes).status, flush=True)
with ThreadPoolExecutor(8) as pool:
    list(pool.map(book, yeses))
if sys.argv[2] == "linger":
    threading.Event().wait(60)  # to be killed
"""


@pytest.mark.drill
def test_three_processes_on_one_database_killed_in_turn_never_oversell(ledger: Ledger, ledger_url: str) -> None:
    yeses = [yes_to(offer_of(f"c{number}", nights=3)) for number in range(90)]
    for kill_after in (1, 5, 10, 20, None):
        end = "leave" if kill_after is None else "linger"
        programs = [
            subprocess.Popen(
                [sys.executable, "-c", FLOOD, ledger_url, end], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            for _ in range(3)
        ]
        for number, program in enumerate(programs):
            assert program.stdin is not None
            program.stdin.write("".join(yes.model_dump_json() + "\n" for yes in yeses[number * 30 :][:30]))
            program.stdin.close()
        for program in programs:
            assert program.stdout is not None
            with program.stdout:
                if kill_after is None:
                    assert len(program.stdout.readlines()) == 30
                else:
                    for _ in range(kill_after):
                        assert program.stdout.readline()
                    program.kill()
            assert program.wait(30) == (0 if kill_after is None else -9)
        with ledger.engine.connect() as connection:
            assert broken_nights(connection) == []
    assert count(ledger, "reservations", "status = 'active'") == 4  # every suite there is
    assert count(ledger, "inventory", "free = 0") == 3
