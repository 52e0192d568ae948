"""The amenities, from a closed list. Guests see words, never the keys."""

from collections.abc import Mapping, Sequence
from datetime import date

from pydantic import Field, JsonValue

from nightdesk.criteria.base import Arguments, Criterion, JsonObject, Judgement, Problem
from nightdesk.model import Frozen
from nightdesk.understanding.reading import Reading
from nightdesk.vocabulary import AMENITY_WORDS

_BY_WORDS = {words.casefold(): key for key, words in AMENITY_WORDS.items()} | {
    key.casefold(): key for key in AMENITY_WORDS
}
_AMBIGUOUS = {"pool": ("indoorPool", "outdoorPool"), "swimming pool": ("indoorPool", "outdoorPool")}


class Amenities(Frozen):
    """Keys of AMENITY_WORDS, in their order; empty is an explicit no preference."""

    amenities: tuple[str, ...] = ()


class CaptureAmenities(Arguments):
    """What the guest said about amenities."""

    amenities: list[str] | None = Field(
        None,
        description=(
            "The whole list wanted from now on: what is saved, with what the newest message adds or takes away. Use "
            f"these names: {', '.join(AMENITY_WORDS)}. Pass on anything else as it was said. Null when not said"
        ),
    )
    no_preference: bool | None = Field(default=None, description="No amenity is needed. Null when not said")


class AmenitiesCriterion(Criterion[Amenities, CaptureAmenities]):
    """An allow-listed set; anything else is named back (seed: validateCriteria)."""

    name = "amenities"
    title = "amenities"
    about = "what the hotel must offer, such as Wi-Fi, parking, breakfast, a pool, or that nothing is needed"
    contradicted = "Amenities are missing, ambiguous, or contradicted"
    tool_description = "Record the amenities that the guest needs, or that none are needed."
    reason = "I only show hotels that have all of them"
    example = "free Wi-Fi and parking"
    value_type = Amenities
    arguments_type = CaptureAmenities

    def question(self, value: Amenities | None, today: date) -> str:
        """With a few examples; the whole list would be a wall."""
        return "Which amenities do you need, such as free Wi-Fi, parking, breakfast, a gym or a pool? Or no preference?"

    def judge(self, saved: Amenities | None, arguments: CaptureAmenities, today: date) -> Judgement[Amenities]:
        """What is on the list is saved; what is ambiguous is asked about, what is not offered is named back."""
        known: set[str] = set()
        problems: list[Problem] = []
        for wanted in arguments.amenities or ():
            word = " ".join(wanted.casefold().split())
            if word in _BY_WORDS:
                known.add(_BY_WORDS[word])
            elif word in _AMBIGUOUS:
                problems.append(ambiguous(word, _AMBIGUOUS[word]))
            elif word:
                problems.append(unsupported(wanted))
        cleared = arguments.no_preference or (arguments.amenities == [] and saved is not None)
        if not known and (problems or not cleared):
            return Judgement(problems=tuple(problems))
        keys = tuple(key for key in AMENITY_WORDS if key in known)
        return Judgement(value=Amenities(amenities=keys), problems=tuple(problems))

    def issues(self, value: Amenities, today: date) -> tuple[str, ...]:
        """The allow-list again."""
        strange = [key for key in value.amenities if key not in AMENITY_WORDS]
        return ("One of the amenities is not on the list.",) if strange else ()

    def words(self, value: Amenities) -> str:
        """ "free Wi-Fi, free parking"."""
        return listed(value.amenities) or "no preference"

    def state(self, value: Amenities | None) -> JsonObject:
        """The keys."""
        return {"amenities": list(value.amenities) if value else []}

    def understood(
        self, reading: Reading, text: str, saved: Mapping[str, JsonValue], asked: str | None
    ) -> CaptureAmenities | None:
        """What is wanted joins what is saved; what is not needed leaves it."""
        free = self.name in reading.no_preference_for
        if free and not reading.amenities:
            return CaptureAmenities(amenities=None, no_preference=True)
        if not reading.amenities and not reading.amenities_not_needed:
            return None
        before = saved.get("amenities")
        kept = {key for key in before if isinstance(key, str)} if isinstance(before, list) else set[str]()
        whole = (kept | set(reading.amenities)) - set(reading.amenities_not_needed)
        keys = [key for key in AMENITY_WORDS if key in whole]
        # "No pets" before anything was asked for answers the question, with nothing needed.
        return CaptureAmenities(amenities=keys or None, no_preference=not keys)


def listed(keys: Sequence[str]) -> str:
    """In words; a key that a plugged-in server made up is not shown."""
    return ", ".join(AMENITY_WORDS[key] for key in keys if key in AMENITY_WORDS)


def ambiguous(word: str, keys: Sequence[str]) -> Problem:
    """The word fits several."""
    return Problem(text=f"By {word}, do you mean {' or '.join(AMENITY_WORDS[key] for key in keys)}?", quote=word)


def unsupported(wanted: str) -> Problem:
    """Named back, so that the guest knows it will not be part of the search."""
    return Problem(text=f'I cannot search by "{wanted.strip()[:40]}".', asks=False)


AMENITIES = AmenitiesCriterion()
