""" "It doesn't matter": which criteria the guest leaves open, in so many words."""

import re

from nightdesk.understanding.clauses import clauses
from nightdesk.understanding.view import BLANK, Notes, View

CRITERIA = ("budget", "room_type", "amenities", "distance")
"""What may be left open; a stay needs its dates."""

_TOPICS = {
    "budget": re.compile(r"\b(?:prices?|priced|budget|cost\w*|money|rates?|price range|expense|spend\w*|pay)\b"),
    "room_type": re.compile(
        r"\b(?:(?:type|kind|sort) of (?:room|bed)|rooms?(?: types?)?|beds?(?: types?)?|(?:number|amount) of beds"
        r"|bed(?:ding)? (?:size|configuration))\b"
    ),
    "amenities": re.compile(
        r"\b(?:amenit\w+|features?|facilit\w+|extras?|services?|perks|(?:special |other )?(?:requests?"
        r"|requirements?|needs|wishes))\b"
    ),
    "distance": re.compile(
        r"\b(?:distances?|locations?|areas?|neighbou?rhoods?|how (?:far|close|near)|far|airport|downtown|(?:city "
        r"|town )?(?:center|centre)|part of (?:the )?(?:town|city)|side of town"
        r"|where (?:it|the hotel) is|place in (?:town|the city))\b"
    ),
}
_OPEN = re.compile(
    r"\b(?:(?:do(?:es)?(?:n't| not|nt)|don't|won't|wouldn't|not|isn't|never|no longer) (?:\w+ ){0,3}?(?:matter\w*"
    r"|care\w*|mind|worr\w+|bother\w*|picky|fussy|important|(?:an )?issue|(?:a )?problem|concern\w*"
    r"|considered|particular|particularly|preference|prefer|specific|relevant|a factor|(?:a )?big deal|choosy"
    r"|make (?:a |any )?difference|make (?:a |any )?differences)"
    r"|(?:do(?:es)?n't|do(?:es)? not) (?:need|have) to be (?:that |so |too |very )?(?:close|near|central|nearby)"
    r"|no (?:particular|specific|preferred|certain) \w+"
    r"|(?<!has )(?<!have )(?<!are )(?<!is )(?:no|zero|without|0|none of the)"
    r" (?:any |extra |special |other )?(?:amenity|amenities|extras|facilities)"
    r"|(?:remove|drop|forget|clear|lift) (?:the |my |our )?(?:price |budget )?(?:max(?:imum)?|limit|cap|budget)"
    r"|no (?:real |particular |specific |strong )?(?:preferences?|limits?|requirements?|requests?|object|issue"
    r"|max(?:imum)?|upper limit|cap"
    r"|wishes|special \w+|constraints?|restrictions?|budget|matter)"
    r"|(?:price|money|cost|location|distance)(?:'s| is) no (?:\w+ )?(?:issue|object|problem|concern|matter)"
    r"|(?:no|not a|don't have (?:an?|any)|do not have (?:an?|any)|haven't (?:got )?(?:an?|any)|had no|have no"
    r"|without (?:an?|any)) (?:\w+ ){0,2}?(?:preferences?|requests?|requirements?|budget|limit|special needs?)"
    r"|(?:don't|do not|dont) (?:really )?(?:need|want|have) (?:an?|any|anything) ?(?:specific|particular|special"
    r"|else)?(?: \w+)?"
    r"|any (?:price(?: range)?|budget|area|location|part of (?:the )?(?:town|city))"
    r"|any(?:thing|where|one)? (?:\w+ ){0,2}?(?:is|are|will|would|works?|goes|do)(?: be)? ?(?:fine|ok|okay|good"
    r"|great|do|alright|acceptable)?"
    r"|(?:anything|whatever|whichever|either|anywhere|any)(?: (?:goes|works|you (?:like|want|have|think)"
    r"|is (?:fine|ok|good)))?"
    r"|(?:i'm|i am|we're|we are) (?:\w+ )?(?:flexible|open|easy|indifferent)|flexible|up to you|you (?:choose"
    r"|decide|pick)|surprise me|(?:is|are) irrelevant|unimportant|skip (?:this|that|it)"
    r"|unlimited(?! (?:internet|data|wi-?fi))|sky'?s the limit|all the same to me|no difference|makes no difference)\b"
)
# "any" and the like are answers; in a longer sentence they are just words.
_WEAK = re.compile(r"^(?:any(?:thing|where|one)?|whatever|whichever|either|flexible|no (?:budget|matter))$")
_NEED_NOTHING = re.compile(r"^(?:don't|do not|dont) (?:really )?(?:need|want|have)\b")
_SHORT = 100
"""Characters; no whole-message pattern here matches a longer one."""
_NOTHING = re.compile(
    r"^\W*(?:um+|uh+|hmm+|well|actually|oh)?\W*(?:no|nope|nah|none|nothing|not really|no thanks?|no thank you"
    r"|not particularly|nothing (?:special|specific|particular|in particular|else|comes to mind)"
    r"|(?:no|nope|nah|not really),? (?:none|nothing)(?: really| special| else)?|not(?= that i)"
    r"|none (?:at all|really|needed|of (?:them|those|that))|no,? (?:nothing|none|not really|i don't|we don't"
    r"|thanks?|that's (?:it|all)|not (?:at all|at this time))|not at (?:all|this time)|i don't|we don't|i do not"
    r"|n/?a"
    r"|i'm (?:good|fine)|no,? i'm (?:good|fine)|nothing (?:really|at all)|(?:i |we )?(?:don't|do not) (?:have"
    r"|need|want) (?:any|anything|one)(?: .{0,20})?)"
    r"(?: (?:that i (?:can think|know) of|at the moment|right now|for now|at this time))?"
    r"(?:,? (?:thanks?|thank you|please|sir|really))?\W*$"
)
# Where amenities were asked for, "that's all" ends the list, not the conversation.
_NO_MORE = re.compile(
    r"^\W*(?:(?:no|nope|nah|ok(?:ay)?)\W+)?(?:that(?:'s| is|s) (?:all|it|everything)"
    r"(?: (?:that )?(?:i|we) (?:need|want)(?:ed)?)?"
    r"|nothing else|i(?:'m"
    r"| am) (?:good|fine|all set|done))"
    r"(?:,? (?:thanks?|thank you|please))?\W*$"
)
# "no preference for anything": all that may be left open
_OF_ALL = re.compile(
    r"^\W*(?:(?:well|um+|honestly|really|i|we|have|had|i've|got|there is|absolutely|i'm|i am|we're|we are)\b[ ,]*){0,5}"
    r"(?:no (?:real |particular |special |strong )?preferences? (?:for|about|on|with|regarding|as to|in|at)"
    r"|(?:(?:don't|do not|dont) (?:really )?(?:mind|care) about|not (?:picky|fussy|choosy) about)"
    r"|(?:don't|do not|dont) (?:really )?have (?:any |a )?preferences? (?:for|about|on|with|regarding|as to|in))"
    r" (?:anything(?: at all)?|everything|any of (?:it|them|that|this|those)|any criteri\w+|all of (?:it|them|that))"
    r"(?:,? (?:really|please|thanks|thank you))?\W*$"
)
_REST = re.compile(
    r"\b(?:the rest|everything else|nothing else|all (?:the )?(?:other|rest)|anything else|other (?:things|criteria))\b"
)
_TOPIC_FOLLOWS = re.compile(
    r"\b(?:preferences?|care|mind|picky|fussy|worry|concerned) (?:for|about|on|with|as to"
    r"|regarding|in|the)\b"
)
_LISTED = re.compile(r"^\s*(?:and |or |nor )?(?:the|my|about|for) |\b(?:or|nor)\b")
# "is there anything else that is open": looks for more, leaves nothing open
_SEEKING = re.compile(
    r"\b(?:is|are) there\b|\b(?:do|did|have) you (?:have|got|find|know)\b"
    r"|^\W*(?:(?:so|and|ok(?:ay)?) )?(?:what|which|show|find)\b"
)


def left_open(
    seen: View, context: str | None, notes: Notes, *, given: frozenset[str], amenities_named: bool
) -> tuple[str, ...]:
    """The criteria that do not matter to the guest. `given` are those with a value in the same message."""
    text = seen.text
    asked = context if context in CRITERIA else None
    if asked and asked not in given and _wants_nothing(text, asked):
        notes.fired("preference.nothing")
        return (asked,)
    found: list[str] = []
    listing = False
    if context is None and _OF_ALL.match(text):
        notes.fired("preference.all")
        return tuple(criterion for criterion in CRITERIA if criterion not in given)
    for part in clauses(text, listing=True):
        clause = text[part.start : part.stop]
        match = _OPEN.search(clause)
        topics = [criterion for criterion, words in _TOPICS.items() if words.search(clause)]
        if match is None:
            if listing and topics and _LISTED.search(clause):  # "... for the room, the budget or the amenities"
                found.extend(topics)
            else:
                listing = False
            continue
        if _SEEKING.search(clause) and match[0].startswith("any"):
            continue
        listing = bool(_TOPIC_FOLLOWS.search(clause))
        if _WEAK.match(match[0].strip()) and (_REST.search(clause) or not _short(clause, match)):
            continue
        if _REST.search(clause) and _NEED_NOTHING.match(match[0]):  # "I don't need anything else": that is all
            if asked == "amenities":
                found.append(asked)
            continue
        if _REST.search(clause):
            found.extend(criterion for criterion in CRITERIA if criterion not in given)
            notes.fired("preference.rest")
            continue
        if not topics and asked and not _names_a_thing(clause, amenities_named=amenities_named, asked=asked):
            if _NEED_NOTHING.match(match[0]) and asked != "amenities":
                continue
            topics = [asked]
        if topics == ["room_type"] and _NEED_NOTHING.match(match[0]):
            continue  # "don't need any room service"
        found.extend(topics)
        if topics:
            notes.fired("preference.open")
    return tuple(criterion for criterion in CRITERIA if criterion in found and criterion not in given)


def _wants_nothing(text: str, asked: str) -> bool:
    """Whether the whole message is a no to "anything special?"."""
    if len(text) > _SHORT or BLANK in text:
        return False
    return bool(_NOTHING.match(text) or (asked == "amenities" and _NO_MORE.match(text)))


def _short(clause: str, match: re.Match[str]) -> bool:
    return len(clause.split()) - len(match[0].split()) <= 3


def _names_a_thing(clause: str, *, amenities_named: bool, asked: str) -> bool:
    """ "Parking doesn't matter" is about parking, not about all that was asked."""
    return amenities_named and BLANK in clause and asked == "amenities"
