"""The file of a SQLite database, looked at before SQLite itself may touch it.

SQLite opens whatever it is given, makes files beside it and says no sooner than at the first statement.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from hotels.ledger.errors import NotADatabase

_BESIDE = ("-wal", "-journal")
"""Where SQLite keeps what is not in the file itself yet."""


def need_database(path: Path) -> None:
    """Nothing when there is a database, an empty file or none at all; nothing is written. Raises NotADatabase."""
    if path.is_dir():
        raise NotADatabase(f"the hotel database {path} is a folder, not a file")
    before = _sizes_and_times(path)
    size, *beside = before
    if size is None:
        return
    trouble = _trouble(path, size[0])
    # With a log beside it, or written to just now, a file is no whole database by itself: SQLite can tell, and does.
    if trouble is not None and not any(beside) and _sizes_and_times(path) == before:
        raise not_a_database(path, trouble)


def not_a_database(path: Path, trouble: str) -> NotADatabase:
    """What the operator has to know of it."""
    return NotADatabase(
        f"the hotel database {path} is no SQLite database, or a damaged one ({trouble}): "
        "restore it from a backup, or move it away to begin with a new one"
    )


def _trouble(path: Path, size: int) -> str | None:
    # Not opened to find out: closing a file drops the locks that SQLite has on it anywhere in this process.
    if not os.access(path, os.R_OK):
        raise NotADatabase(f"the hotel database {path} cannot be read: no permission")
    try:
        # Immutable: no lock, no log, no file beside it.
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            [page] = connection.execute("PRAGMA page_size").fetchone()
    except sqlite3.Error as error:
        return str(error)
    # SQLite itself takes what is missing of the last page for zeros.
    return "it is cut off" if size % page else None


def _sizes_and_times(path: Path) -> list[tuple[int, int] | None]:
    """Of the file, then of what may be beside it; None for one that is not there or empty."""
    found: list[tuple[int, int] | None] = []
    for suffix in ("", *_BESIDE):
        try:
            one = os.stat(f"{path}{suffix}")
        except OSError:
            found.append(None)
        else:
            found.append((one.st_size, one.st_mtime_ns) if one.st_size else None)
    return found
