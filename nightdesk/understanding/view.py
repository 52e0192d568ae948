"""A message made ready to read: one even text for the rules, tied character by character to the guest's own words."""

from dataclasses import dataclass, field, replace

from nightdesk.understanding.normalise import LIMIT, even, strip_control, strip_escapes
from nightdesk.understanding.numbers import Swap, number_words
from nightdesk.understanding.reading import Remark
from nightdesk.understanding.spelling import misspellings, months

BLANK = "·"
"""Stands for what has been read already; no word character, no space, no punctuation that a rule looks for."""

Span = tuple[int, int]


@dataclass(frozen=True)
class View:
    """`text` is what rules match on; `starts` and `stops` give for each of its characters its place in `words`."""

    words: str
    text: str
    starts: tuple[int, ...]
    stops: tuple[int, ...]

    def quote(self, start: int, stop: int) -> str:
        """The guest's own words behind a span of `text`."""
        if start >= stop:
            return ""
        return self.words[self.starts[start] : self.stops[stop - 1]].strip(" ,.;:")

    def without(self, spans: list[Span], blank: str = BLANK) -> "View":
        """The same view with these spans blanked, so that no other rule reads them again."""
        if not spans:
            return self
        text = list(self.text)
        for start, stop in spans:
            text[start:stop] = blank * (stop - start)
        return replace(self, text="".join(text))


def view(text: str) -> View:
    """Control characters stripped, cut to the limit, lower case, misspellings mended, number words as digits."""
    words = strip_control(strip_escapes(text))[:LIMIT]
    ready = View(words, even(words), tuple(range(len(words))), tuple(range(1, len(words) + 1)))
    ready = _swapped(ready, misspellings(ready.text))
    ready = _swapped(ready, months(ready.text))
    return _swapped(ready, number_words(ready.text))


def has_digit(text: str) -> bool:
    """Whether there is a number at all; most rules need one."""
    return any(digit in text for digit in "0123456789")


def _swapped(seen: View, swaps: list[Swap]) -> View:
    if not swaps:
        return seen
    text: list[str] = []
    starts: list[int] = []
    stops: list[int] = []
    at = 0
    for swap in swaps:
        text.append(seen.text[at : swap.start] + swap.text)
        starts.extend(seen.starts[at : swap.start])
        stops.extend(seen.stops[at : swap.start])
        starts.extend([seen.starts[swap.start]] * len(swap.text))
        stops.extend([seen.stops[swap.stop - 1]] * len(swap.text))
        at = swap.stop
    text.append(seen.text[at:])
    starts.extend(seen.starts[at:])
    stops.extend(seen.stops[at:])
    return View(seen.words, "".join(text), tuple(starts), tuple(stops))


@dataclass
class Notes:
    """What the rules leave beside values: remarks to ask about, reasons to ask, and which rules fired."""

    remarks: list[Remark] = field(default_factory=list[Remark])
    clarify: list[str] = field(default_factory=list[str])
    because: list[str] = field(default_factory=list[str])

    def fired(self, rule: str) -> None:
        """Records that a rule fired, once."""
        if rule not in self.because:
            self.because.append(rule)

    def ask(
        self, criterion: str, code: str, quote: str, *, options: tuple[str, ...] = (), why: str | None = None
    ) -> None:
        """Something about a criterion has to be asked; `why` also says that nothing may be stored for it."""
        remark = Remark(criterion=criterion, code=code, quote=quote, options=options)
        if remark not in self.remarks:
            self.remarks.append(remark)
        if why and why not in self.clarify:
            self.clarify.append(why)
        self.fired(f"{criterion}.{code}")
