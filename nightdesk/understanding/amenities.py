"""Amenities wanted, not needed, or known to be none of the list; "pool" is asked about."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from nightdesk.understanding.clauses import clauses
from nightdesk.understanding.reading import AmenityKey
from nightdesk.understanding.view import BLANK, Notes, Span, View

_POOL = r"(?:swimming )?pools?\b"
_WORDS: dict[AmenityKey, str] = {
    "nonSmoking": r"non[ -]?smok\w+|smoke[ -]?free|no[ -]smok\w+|not smok\w+|without smok\w+|(?:anything"
    r"|everything) but smoking"
    r"|(?:don't|do not|doesn't|does not) (?:allow|permit) smok\w+|smok\w+ (?:is |being )?(?:not allowed|forbidden"
    r"|banned"
    r"|prohibited)|(?:don't|do not|doesn't|never) smoke|can't stand (?:the )?smoke|smell of smoke",
    "airportShuttle": r"shuttles?\b(?: (?:bus|service))?|airport (?:transfer|transport\w*|pick[ -]?up|bus)s?"
    r"|(?:transfer|transport\w*|pick[ -]?up|ride)s? (?:service )?(?:to|from) (?:and from )?(?:the )?airport"
    r"|pick (?:me|us) up (?:at|from) the airport",
    "freeWiFi": r"wi[ -]?fi|wireless|internet|wlan",
    "freeBreakfast": r"breakfasts?|brekk(?:ie|y)|brekkies?|continental",
    "freeParking": r"parking(?: (?:lot|spot|space|place)s?)?|car ?parks?|park (?:my|our|the|a) (?:car|van|truck"
    r"|vehicle)|place to park|garage",
    "roomService": r"room[ -]?service|(?:food|meals?|dinner|breakfast) (?:brought|delivered) to (?:my|our|the) room",
    "fitnessCenter": r"gyms?\b|fitness(?: (?:cent(?:er|re)|room|facilit\w+|studio|club))?"
    r"|work[ -]?out\w*(?: room)?|exercise(?: room)?|treadmills?|weight room",
    "petFriendly": r"pets?(?:[ -](?:friendly|allowed|welcome))?\b|(?<!hot )\bdogs?\b(?:[ -]friendly)?"
    r"|\bcats?\b(?:[ -]friendly)?|pupp(?:y|ies)|kittens?",
    "digitalKey": r"(?:digital|mobile|phone|electronic|virtual) (?:room )?keys?|key ?less(?: entry)?|keys? (?:on"
    r"|in) (?:my|the|our) phone"
    r"|(?:open|unlock)\w* (?:the |my |our )?(?:door|room) with (?:my|a|the|our) (?:smart)?phone|phone as (?:a "
    r"|the |my )?(?:room )?key",
    "boutique": r"boutique(?:[ -](?:style|hotel)s?)?",
    "onSiteRestaurant": r"(?:on[ -]?site |in[ -]?house |hotel )?restaurants?(?: (?:on[ -]?site"
    r"|in (?:the )?(?:hotel|house|building)))?|on[ -]?site (?:dining|food)|dining on[ -]?site"
    r"|place to eat in the hotel|eat (?:in|at) the hotel",
    "businessCenter": r"business (?:cent(?:er|re)|facilit\w+|lounge|corner)",
    "meetingRoom": r"(?:meeting|conference|board) ?-?(?:rooms?|spaces?|facilit\w+)|place for (?:a|our) meetings?",
    "evCharging": r"(?:ev|electric(?:al)?|car|tesla|vehicle|hybrid)(?: car"
    r"| vehicle)?s?[ -](?:charg\w+)(?: (?:station|point)s?)?|charg(?:ing|e|er)s? (?:station|point|port)s?"
    r"|(?:charge|charging|charger for|plug in) (?:for )?(?:my|our|the|an?) (?:electric |new )?(?:car|ev|tesla"
    r"|vehicle|electric)|ev chargers?|electric (?:car|vehicle)s?",
    "connectingRooms": r"(?:inter)?connect(?:ing|ed) (?:bed)?rooms?|adjoining(?: rooms?)?|rooms? (?:that"
    r"|which) (?:connect|adjoin)|connecting doors?|rooms? connected",
    "eveningReception": r"evening (?:reception|drinks?|social|cocktails?)s?|happy hour|(?:social|wine"
    r"|cocktail) hour|(?:manager|wine|cocktail|drinks?)(?:'s|s)? reception|reception in the evening",
    "concierge": r"concierge(?: (?:desk|service))?",
    "streaming": r"streaming(?: (?:tv|services?|on (?:the )?tv))?|netflix|hulu|disney ?\+|(?:stream"
    r"|cast)\w* (?:movies?|shows?|films?|to (?:the )?tv|on (?:the )?tv)|chromecast|smart tvs?",
    "kitchen": r"kitchens?|kitchenettes?|cook (?:for|our|my|in|meals)|(?:able|place|somewhere) to cook"
    r"|self[ -]?catering|stove|cooking facilities",
    "tennis": r"tennis(?: (?:court|match|lesson)s?)?",
    "newHotel": r"new(?:ly)?[ -](?:built|opened|open|build|constructed)(?: (?:hotel|property|place|one))?"
    r"|(?:brand[ -])?new(?:er|est)? (?:hotel|property|building)s?|brand[ -]new|(?:recently|just) (?:built|opened)"
    r"|modern new|(?:hotel|property|place) (?:that )?(?:is|that's) new",
    "indoorPool": rf"(?:indoor|inside|covered)s? {_POOL}|{_POOL} (?:indoors?|inside)|swim indoors|indoor one",
    "outdoorPool": rf"(?:outdoor|outside|rooftop)s? {_POOL}|{_POOL} (?:outdoors?|outside)|swim outdoors|outdoor one",
}
_MOST = 60
"""Amenities of one message that are weighed."""
_LISTED = re.compile(
    r"\b(?=[a-z])(?:" + "|".join(f"(?P<{key}>(?:{words})(?!\\w))" for key, words in _WORDS.items()) + ")"
)
# "indoor and outdoor pool" wants both; "a pool" could be either.
_BOTH_POOLS = re.compile(
    rf"\b(?:(?:in|out)door (?:and|or|&|/) (?:in|out)door|both|2) {_POOL}|\b{_POOL} (?:both )?indoors? and outdoors?\b"
)
_ANY_POOL = re.compile(rf"\b(?=[psg])(?:{_POOL}|go(?:ing)? (?:for a )?swim(?:ming)?|swim(?:ming)?\b)(?! suit)")
_POOLS: tuple[AmenityKey, AmenityKey] = ("indoorPool", "outdoorPool")

# Asked for and not among the criteria: named back to the guest.
_UNSUPPORTED = re.compile(
    r"\b(?:jacuzzis?|hot tubs?|whirlpools?|saunas?|spas?|massages?|steam room|balcon(?:y|ies)|terraces?|patios?"
    r"|(?:sea|ocean|lake|river|city|mountain|park|garden|water)[ -]?views?"
    r"|(?:good|nice|great) views?|with a view|views? of the \w+|beach(?:front)?|laundry(?: service)?|dry cleaning"
    r"|washing machine"
    r"|washer|dryer|cribs?|cots?|baby ?sitt\w+|child ?care|kids'? club|playground"
    r"|(?<!wine )\bbar\b|casino|golf|helipad|fireplace|bath ?tubs?|mini[ -]?bars?|fridge|refrigerator|microwave"
    r"|coffee (?:maker|machine)|kettle|air[ -]?con\w*|a/c|heating|cable tv|tvs?|television"
    r"|elevators?|lifts?|wheel ?chair\w*|access?ib\w+|handicap\w*|disab\w+|smoking(?: (?:room|area)s?)?"
    r"|able to smoke|can smoke|to smoke|smoker"
    r"|(?:[1-7]|[a-z]+)[ -]stars?\b(?! wars)|stars? rating|star ratings?|ratings?|well[ -]rated|reviews"
    r"|late check[ -]?out|early check[ -]?in|hair ?dryers?|iron(?:ing board)?|safe deposit|in-room safe|room safe"
    r"|(?:with|have|has) a safe\b(?! (?:place|area|location|neigh))"
    r"|guest ?houses?|hostels?|b&b|bed and breakfast|quiet(?:er)?(?: room)?|ground floor|(?:high|top|upper|low"
    r"|lower|first) floor|sound ?proof\w*|vegan|vegetarian|halal|kosher|gluten|buffet|all[ -]inclusive"
    r"|half board|full board|valet|car rental|rental cars?|bike\w*|bicycles?|lounge|ski\w*|garden|extra bed"
    r"|rollaway|nightclub|karaoke|library|yoga|butler|limo\w*)\b"
)
# A restaurant in town is no amenity; "suit my needs", "pet peeve" neither.
_NOT_AMENITIES = re.compile(
    r"\b(?:to|from|at) (?:the |a )restaurant\b"
    r"|\brestaurants? (?:nearby|in town|around|near|in the (?:area|city|neighbou?rhood))"
    r"|\b(?:book|reserve) (?:me )?a table\b|\bpet peeve\b|\binternet (?:says|said)|\bon the internet\b"
    r"|\b(?:found|saw|read) (?:it |this |you )?(?:on|through) the internet\b|\bcar pool\w*|\bpool table\b"
    r"|\b(?:left|leave|leaving) (?:my|our|the) (?:dogs?|cats?|pets?)\b"
    r"|\b(?:my|our|the) (?:dogs?|cats?|pets?) (?:is|are|stays?|will (?:be|stay)) (?:staying |at )?(?:at home|home"
    r"|with my|with our)\b"
    r"|\bmy own (?:wi[ -]?fi|internet|breakfast|food|kitchen|gym)\b|\binternet on my phone\b"
    r"|\braining cats\b|\bnew (?:year|york|orleans|jersey)\w*"
)


@dataclass(frozen=True)
class AmenitiesFound:
    """What is wanted, what is not needed, what must be asked, and what the list does not have."""

    wanted: tuple[AmenityKey, ...] = ()
    not_needed: tuple[AmenityKey, ...] = ()
    any_of: tuple[AmenityKey, ...] = ()
    unsupported: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()

    @property
    def mentioned(self) -> bool:
        """Whether any amenity of the list was said."""
        return bool(self.wanted or self.not_needed or self.any_of)


def read_amenities(seen: View, context: str | None, notes: Notes) -> AmenitiesFound:
    """Reads every amenity in the message, each wanted or turned down by its own clause."""
    seen = seen.without([match.span() for match in _NOT_AMENITIES.finditer(seen.text)])
    parts = clauses(seen.text)
    wanted: list[AmenityKey] = []
    not_needed: list[AmenityKey] = []
    rest = seen

    def turned_down(at: int) -> bool:
        return any(part.negated and part.start <= at < part.stop for part in parts)

    def take(key: AmenityKey, at: int) -> None:
        place = not_needed if key != "nonSmoking" and turned_down(at) else wanted
        if key not in place:
            place.append(key)
        notes.fired(f"amenities.{key}")

    every: list[Span] = []
    for match in _BOTH_POOLS.finditer(seen.text):
        for key in _POOLS:
            take(key, match.start())
        rest = rest.without([match.span()])
        every.append(match.span())
    spans: list[Span] = []
    for match in _LISTED.finditer(rest.text):
        spans.append(match.span())
        if len(spans) <= _MOST:
            take(cast(AmenityKey, match.lastgroup), match.start())
    rest = rest.without(spans)
    every.extend(spans)
    any_of = _pools(
        rest, parts_turned_down=turned_down, not_needed=not_needed, found=(*wanted, *not_needed), notes=notes
    )
    spans = [match.span() for match in _ANY_POOL.finditer(rest.text)]
    rest = rest.without(spans)
    every.extend(spans)
    unsupported = _unsupported(rest, turned_down, notes)
    not_needed = [key for key in not_needed if key not in wanted]
    if context == "amenities" and BLANK not in seen.text:
        unsupported = (*unsupported, *_leftover(rest, unsupported, notes, beside=bool(every)))
    return AmenitiesFound(tuple(wanted), tuple(not_needed), any_of, unsupported, tuple(every))


def _pools(
    rest: View,
    *,
    parts_turned_down: Callable[[int], bool],
    not_needed: list[AmenityKey],
    found: tuple[AmenityKey, ...],
    notes: Notes,
) -> tuple[AmenityKey, ...]:
    match = _ANY_POOL.search(rest.text)
    if match is None or any(key in found for key in _POOLS):
        return ()
    if parts_turned_down(match.start()):
        not_needed.extend(_POOLS)
        notes.fired("amenities.no_pool")
        return ()
    notes.ask("amenities", "ambiguous", rest.quote(*match.span()), options=_POOLS, why="pool: indoor or outdoor?")
    return _POOLS


def _unsupported(rest: View, turned_down: Callable[[int], bool], notes: Notes) -> tuple[str, ...]:
    found: list[str] = []
    for match in _UNSUPPORTED.finditer(rest.text):
        said = rest.quote(*match.span())
        if turned_down(match.start()) or said in found:
            continue
        if len(found) < 10:
            found.append(said)
            notes.ask("amenities", "unsupported", said)
    return tuple(found)


_FILLER = re.compile(
    r"\b(?:i|we|i'd|we'd|would|like|want|need|please|an?|the|some|also|with|have|has|do|you|must|yes|yeah|ok|okay"
    r"|just|maybe|and|or|to|be"
    r"|there|it|looking|for|is|are|prefer|love|get|us|me|my|our|if|possible|should|hotel|room|that|any|in)\b|[^\w\s'&-]"
)


def _leftover(rest: View, known: tuple[str, ...], notes: Notes, *, beside: bool) -> tuple[str, ...]:
    """A short answer with a word that is not on the list: "a helipad" is named back, not passed over.

    `beside`: other words were read, so that a longer part is a sentence and no item of a list.
    """
    if len(rest.text) > 80 or _NO_THING.search(rest.text):
        return ()
    found: list[str] = []
    for part in re.split(r",| and | or |&|\+|;", rest.text):
        short = not beside or len(part.split()) <= 3
        bare = "" if BLANK in part or not short else " ".join(_FILLER.sub(" ", part).split())
        item = 3 <= len(bare) <= 25 and len(bare.split()) <= 2 and bare not in _OTHER_CRITERIA
        if item and not any(bare in item.lower() for item in known):
            found.append(bare)
            notes.ask("amenities", "unsupported", bare)
    return tuple(found[:5])


# "any distance", said where amenities were asked for, is about something else.
_OTHER_CRITERIA = frozenset("distance distances budget price prices date dates location place nights type".split())

_NO_THING = re.compile(
    r"\?|\b(?:no|nope|nah|not|none|nothing|don't|dont|know|sure|whatever|matter|care|anything|everything|thanks?|hello|hi"
    r"|hey|what|why|how|who|when"
    r"|where|search|show|find|book|change|budget|suite|bed|beds|day|night|nights|airport|bye|quit|stop|cancel"
    r"|review|criteria|hmm+|idk|help|yes|ok|all|good|fine|done|set|great|enough|that)\b|\d"
)
