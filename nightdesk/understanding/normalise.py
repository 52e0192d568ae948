"""The guest's text made safe and even: what is read, logged and echoed goes through here first."""

import re
import unicodedata

LIMIT = 4000
"""Characters of a message that are read; the contract refuses longer ones."""

_EVEN = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "`": "'",
        "´": "'",
        "“": '"',
        "”": '"',
        "–": "-",
        "—": "-",
        "−": "-",
        "‐": "-",
        "‑": "-",
    }
)

# What colours a terminal, "\x1b[31m", whole or as it stays behind without its control character.
_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]{0,80}(?:\x07|\x1b\\)?"
    r"|\[\d{0,3}(?:;\d{1,3}){0,4}[mJKH](?![a-z]*\])"
)


def strip_escapes(text: str) -> str:
    """The text without terminal escape sequences, so that no number in one is read as the guest's."""
    return _ESCAPES.sub("", text) if "[" in text or "\x1b" in text or "\x9b" in text else text


def strip_control(text: str) -> str:
    """The text in NFC without control, bidirectional and surrogate characters; line breaks become spaces."""
    if text.isascii() and text.isprintable():
        return text
    kept: list[str] = []
    for char in text:
        if char.isspace():
            kept.append(" ")
        elif unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co", "Cn"} or char == "\u200d":
            kept.append(char)
    return unicodedata.normalize("NFC", "".join(kept))


def even(text: str) -> str:
    """Lower case, plain quotes and dashes, as long as before: spans still fit the guest's own words."""
    if text.isascii():
        return text.lower().translate(_EVEN)
    lowered = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    return lowered.translate(_EVEN)
