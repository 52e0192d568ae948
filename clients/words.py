"""Text of guests, hotels and models on a terminal: only ever text."""

from nightdesk.understanding.normalise import strip_control


def plain(text: object) -> str:
    """Without escape sequences and control characters, line breaks kept."""
    return "\n".join(strip_control(line).rstrip() for line in str(text).replace("\r\n", "\n").split("\n"))


def one_line(text: object, limit: int = 200) -> str:
    """The same on one line and not endless, for lists and logs."""
    line = " ".join(strip_control(str(text)).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
