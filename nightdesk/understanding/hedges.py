"""What a guest is not sure of ("maybe the 5th", "a suite, I think") is held back: it is asked about, not stored."""

import re
from dataclasses import dataclass

from nightdesk.understanding.reading import Reading, Remark
from nightdesk.understanding.view import Span, View

_CUT = re.compile(
    # Not the comma of "August 5, 2027" and "Friday, the 5th".
    r"[.;!?](?=\s|$)|\n| - |\.\.+|(?<!day),(?! ?(?:\d{4}|'\d\d)\b)"
    r"|\b(?:but|though|although|however|because|since|(?<!or )so)\b(?! far)"
    r"|\band (?=(?:i|we|an?|my|no|also|with|free|definitely|certainly|surely|it|at most|under|up to|maybe|perhaps"
    r"|possibly|probably)\b)"
)
_MOST = 40
"""Clauses of one message that are weighed; what follows is one more."""

_ADVERB = r"maybe|perhaps|possibly|probably|presumably|conceivably|tentatively|(?:most |very )?likely"
_OPINION = r"(?:i|we) (?:\w+ly )?(?:think|guess|suppose|assume|imagine)"
_UNDECIDED = (
    r"(?:(?:i'm|i am|we're|we are) )?(?:still )?not (?:\w+ly |so |too |quite |100% |that )?(?:sure|certain|decided)"
    r"(?: yet)?"
    r"|(?:i'm|i am|we're|we are) (?:un(?:sure|decided|certain))|(?:i |we )?(?:don't|do not) know(?: yet)?|dunno|no idea"
)
_AT_THE_END = (
    r"or so|or thereabouts|or something(?: like (?:that|this))?|give or take|more or less|if i'm not mistaken"
    r"|don't quote me"
)
_HEDGE = re.compile(
    rf"\b(?:(?P<adverb>{_ADVERB})|(?P<opinion>{_OPINION})(?: that)?|(?P<undecided>{_UNDECIDED})|(?P<end>{_AT_THE_END})"
    r"|something (?:like|along the lines of)|(?:(?:i'm|i am|we're|we are|i was|we were) )?"
    r"(?:(?:just |still |also )?(?:thinking|considering))(?: (?:of|about|maybe))?"
    r"|(?:could|might|may) (?:well )?be|(?:(?:i|we|it|they|he|she) )?might(?: well)?)\b"
)
# One of these is in every hedge: most messages have none, and are not searched.
_SOUNDS = (
    *(
        "maybe",
        "perhaps",
        "possibly",
        "probably",
        "presumably",
        "conceivably",
        "tentatively",
        "likely",
        "think",
        "guess",
    ),
    *("suppose", "assume", "imagine", "not ", "unsure", "undecided", "uncertain", "know", "dunno", "no idea", "or so"),
    *("thereabouts", "give or take", "more or less", "mistaken", "quote me", "something", "considering", "might"),
    *("could be", "could well be", "may be", "may well be"),
)
# "could you possibly", "is there perhaps": politeness. "the 5th or maybe the 6th" is asked about as two.
_POLITE_BEFORE = re.compile(
    r"\b(?:(?:can|could|would|will|may|might|do|does|is|are|have) (?:you|i|we|there|it|they)|or) (?:\w+ly )?$"
)
_POLITE_AFTER = re.compile(
    r" (?:as well|(?:you|someone|somebody) (?:can|could|would|will|might|have)|later|another time|not)\b"
)
# "I think we will stay until the 9th" tells a plan; "I think the 9th" and "I think the 9th would be best" weigh a day.
_PLAN = re.compile(
    r"(?: that)?[^\d.,;!?]{0,40}?(?:\b(?:will|won't|going to|gonna|wants?|needs?|like|love|prefer|must|have to|has to"
    r"|should|booked|said|told)\b|'ll\b)"
)
_NO_WORDS = re.compile(
    r"^(?:\W|\b(?:yet|now|right now|at the moment|really|sir|madam|honestly|exactly|for now|um+|uh+|hm+|well|oh)\b)*$"
)


@dataclass(frozen=True)
class Hedge:
    """The words that hedge, and the stretch of the text that they leave unsure, both in the even text."""

    words: Span
    reach: Span


def hedges_in(text: str) -> list[Hedge]:
    """From left to right. A hedge reaches to the end of its clause, or back over it when it stands at its end."""
    if not any(sound in text for sound in _SOUNDS) or not any(_is_hedge(text, m) for m in _HEDGE.finditer(text)):
        return []
    clauses = _clauses(text)
    found: list[Hedge] = []
    for place, (start, stop, _) in enumerate(clauses):
        for match in _HEDGE.finditer(text, start, stop):
            if found and match.start() < found[-1].reach[1] and found[-1].reach[1] > found[-1].words[1]:
                found.append(Hedge(match.span(), match.span()))  # within the reach of another one
                continue
            if not _is_hedge(text, match) or _is_plan(text, match, stop):
                continue
            before, rest = text[start : match.start()], text[match.end() : stop]
            if match["end"] or _NO_WORDS.match(rest):
                reach = (start, match.end())
                if _NO_WORDS.match(before) and not match["end"]:
                    # Alone in its clause: it is about the one before, or else about the one that follows.
                    reach = _neighbour(text, clauses, place, match)
            else:
                reach = (match.start(), stop)
            found.append(Hedge(match.span(), reach))
    return found


def _clauses(text: str) -> list[tuple[int, int, bool]]:
    """Start and stop of each, and whether it goes on after a comma rather than after the end of a sentence."""
    cuts = [match.span() for match in _CUT.finditer(text)][:_MOST]
    done: list[tuple[int, int, bool]] = []
    at, comma = 0, False
    for start, stop in [*cuts, (len(text), len(text))]:
        done.append((at, start, comma))
        at, comma = stop, text[start:stop].strip() in {",", "-", "..", "..."}
    return done


def _is_hedge(text: str, match: re.Match[str]) -> bool:
    polite = not match["end"] and _POLITE_BEFORE.search(text, max(0, match.start() - 30), match.start())
    return not polite and not _POLITE_AFTER.match(text, match.end())


def _is_plan(text: str, match: re.Match[str], stop: int) -> bool:
    if match["undecided"] and match[0].endswith(("know", "dunno", "idea")):
        # Only by itself: "I don't know, the 5th", not "I don't know the area".
        return not _NO_WORDS.match(text[match.end() : stop])
    return match["opinion"] is not None and _PLAN.match(text[match.end() : stop]) is not None


def _neighbour(text: str, clauses: list[tuple[int, int, bool]], place: int, match: re.Match[str]) -> Span:
    if clauses[place][2] and place and not _NO_WORDS.match(text[clauses[place - 1][0] : clauses[place - 1][1]]):
        return clauses[place - 1][0], match.end()
    if place + 1 < len(clauses) and clauses[place + 1][2]:
        return match.start(), clauses[place + 1][1]
    return match.span()


def hold_back(seen: View, found: list[Hedge], plain: Reading, firm: Reading, full: Reading) -> Reading:
    """What is said firmly, with the rest to be asked about in `proposed`.

    `plain` is the reading of the message as it is, `firm` without what its hedges reach, `full` without their words.
    """
    unsure = [name for name in _VALUES if _only_hedged(name, plain, firm, full)]
    if not unsure:
        return plain
    quote = seen.quote(*found[0].reach)
    asked = tuple(Remark(criterion=name, code="unsure", quote=quote) for name in unsure)
    chosen = plain.selection is not None or any(remark.criterion == "selection" for remark in plain.remarks)
    kept = tuple(remark for remark in full.remarks if remark.criterion != "selection")
    return full.model_copy(
        update={
            **{name: getattr(firm if name in unsure else full, name) for name in _VALUES},
            "intent": plain.intent if chosen else full.intent,
            "selection": plain.selection,
            "polarity": plain.polarity,
            "clarify": (*full.clarify, "unsure"),
            "remarks": (*(remark for remark in plain.remarks if remark.criterion == "selection"), *kept, *asked),
            "because": (*full.because, "hedged"),
            "proposed": full,
        }
    )


_VALUES = ("dates", "budget", "room_type", "amenities", "distance")


def _only_hedged(name: str, plain: Reading, firm: Reading, full: Reading) -> bool:
    """Whether the message has a value that could be stored for this criterion, and it is one of those in doubt."""
    one, two = getattr(firm, name), getattr(full, name)
    if name == "amenities":
        return bool(set(full.amenities) - set(firm.amenities))
    if two is None or one == two:
        return False
    # Other doubts are asked about already: "200 or so", "near the airport, I think".
    return name == "dates" or not any(remark.criterion == name for remark in plain.remarks)
