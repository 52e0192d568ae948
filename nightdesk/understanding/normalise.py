"""The guest's text made safe and even: what is read, logged and echoed goes through here first."""

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
