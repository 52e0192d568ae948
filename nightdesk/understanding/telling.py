"""What a guest tells beside the request: past stays, flights, meetings, other people, promises. Nothing in it is given.

A message is cut into its sentences, and these before "but", "so" and before each wish. A part that tells of such a
thing, and wishes for nothing, is blanked before anything is read from the message.
"""

import re
from itertools import pairwise

from nightdesk.understanding.view import Span


def _one_of(*kinds: str) -> re.Pattern[str]:
    """Any of these, each from the front of a word."""
    return re.compile(rf"\b(?:{'|'.join(kinds)})")


_MOST = 60
"""Parts of one message that are weighed."""

_WISHES = "|".join(
    (
        r"(?:i|we) (?:\w+ )?(?:need|want|prefer)",
        r"(?:i|we)(?:'d| would) (?:\w+ )?(?:like|love|prefer)",
        r"(?:i'm|i am|we're|we are) (?:looking|trying|hoping)",
        r"(?:can|could|may) (?:i|we|you)",
        r"please|looking for|let's|book|reserve|find|make it",
    )
)
_WISH = _one_of(
    rf"(?:{_WISHES}|need|want\w*|looking|stay(?:ing)?|change|move|instead|wish)\b",
    r"check(?:ing)?[ -]?(?:in|out)\b",
    r"(?:rooms?|hotel) for\b",
)
_CUT = re.compile(
    rf"[.!?;](?=\s|$)|, (?=(?:the|my|our|flight|train) )|\b(?:but|so|however|therefore|still|because|since)\b"
    rf"|(?:, (?:and )?|\band )(?=(?:{_WISHES}|looking)\b)"
)

_I = "(?:i|we)"
# not who travels along: "my wife says two beds" is a wish
_THEY = (
    r"(?:he|she|they|people|everyone|everybody|someone|(?:my|our) (?!(?:wife|husband|partner|girlfriend|boyfriend"
    r"|fiancee?|family|kids?|son|daughter)\b)\w+)"
)
_FRIEND = "my (?:friend|brother|sister|boss|ex|colleague|cousin|buddy|parent|neighbor)s?"
_FAMILY = "(?:my|our) (?:\\w+ )?(?:son|daughter|kids?|child|children|baby|boys?|girls?|twins|wife|husband|mom|dad)"
_TIME_AGO = "(?:last (?:time|year|month|week|summer|winter|trip)|(?:days?|weeks?|months?|years?) ago)"
_EVENT = (
    "(?:flights?|plane|train|bus|cruise|ferry|meetings?|conference|convention|wedding|birthday|anniversary|concert"
    "|interview|appointment|exams?|match|festival|funeral|semester|shift|new job)"
)
_BLAME = (
    "(?:too|so|awful|terrible|bad|dirty|broken|crazy|amazing|great|good|nice|small|noisy|horrible|wonderful|lovely"
    "|fun|disgusting|full|closed)"
)

# An event could date the stay, so that it is asked about where dates were asked for.
_EVENTS = _one_of(
    # "my flight lands on march 3", "the conference is from monday to friday"
    rf"(?:my|our|the|his|her|their|\d+th) (?:\w+ )?{_EVENT}(?: (?:to|in|from) \w+)? (?:is|are|lands?|leaves?|departs?"
    r"|arrives?|gets? in|comes? in|starts?|begins?|ends?|runs|goes|takes off|costs?)\b",
    r"(?:school|work|class) (?:is|starts?|ends?)\b|(?:flight|train) (?:at|on|is)\b",
    # "is the flight to Rome on time"
    r"(?:is|are|when|what time|does|did|will|has) (?:is |does )?(?:my|the|our) (?:\w+ )?(?:flight|train|plane|bus)\b",
    # "I get paid on the 15th", "I work until the 5th", "set an alarm for 7"
    r"(?:i|we|he|she|they) (?:get paid|work|graduate|(?:start|finish) (?:my|work|school|a|the))\b",
    r"(?:alarm|remind(?:er)?)\b",
)
_TOLD = (
    # "we stayed there last year", "I've been to the Hilton", "my parents paid 200"
    _one_of(
        r"(?:i|we|he|she|they|you|(?:my|our) \w+)(?:'ve| have|'d)?"
        r" (?:(?:once|already|just|never|ever|only|usually|have|always) )?"
        r"(?:stayed|slept|paid|spent|visited|lived|landed|won|bet|bought|ate|used to|read|heard|came (?:here|there)"
        r"|been (?:to|at|in)|worked|grew up|born)\b",
        r"it took\b|i was born\b",
        rf"{_I} (?:already )?had (?:an? |my |our |the |breakfast|\d)"
        r"(?![^.!?]{0,60}\b(?:booking|reservation|change|plans?)\b)",
    ),
    # "the last hotel had a pool", "it was full a year ago"
    _one_of(
        r"(?:last|previous) (?:time|year|month|week|summer|winter|spring|fall|trip|vacation|hotel|place|room|stay)\b"
        r"(?=[^.!?]{0,60}\b(?:was|were|had|did|got|cost|gave|paid|stayed|went|charged)\b)",
        rf"(?:was|were|had|did|got|cost|went)\b[^.!?]{{0,60}}\b{_TIME_AGO}\b",
    ),
    # "the Hilton was really awful", "two beds were broken", "it was 250 a night"
    _one_of(
        rf"(?:was|were) (?:(?:really|very|just|quite|a|an|pretty) ){{0,2}}{_BLAME}\b",
        r"(?:was|were) (?:(?:like|around|about|only) )?(?:[$€£]\d|\d+ (?:a night|per night|dollars|bucks|credits)\b)",
    ),
    # "he told me ...", "my friend pays 80", "my ex works there", "people say the pool is great"
    _one_of(
        rf"{_THEY}(?: \w+ly)? (?:told|tells?|says?|said|thinks?|thought|pays?|paid|works?|lives?|owns?|heard"
        r"|charges?)\b",
        r"you (?:said|told)\b",
        rf"{_FAMILY} (?:is|are|turns?) \d+\b",
    ),
    # "my house is 10 miles from the airport", "I live in a suite", "I make 50000 a year", "I have 200 dollars left"
    _one_of(
        r"(?:my|our) (?:house|home|apartment|office|flat|gym) (?:is|has|was)\b",
        r"(?:at|from) (?:my|our) (?:house|home|office|place|work)\b|at home\b|back at (?:work|school)\b",
        rf"{_I} (?:live|make \$?\d+|earn|run \d+|jog|weigh|owe)\b|(?:i'm|i am|we're|we are) \d+ (?:years|yrs)\b",
        r"(?:dollars|bucks|money|euros) left\b|(?:gift card|voucher|coupon|expedia|booking\.com|airbnb|trivago)\b",
    ),
    # "we're at the airport now", "picking up my wife at the airport", "stuck in downtown"
    _one_of(
        r"(?:i'm|i am|we're|we are) (?:already |currently |now |still )?(?:at|in) (?:the )?"
        r"(?:airport|downtown|bus|train|plane)\b",
        r"(?:picking|dropping|meeting) (?:up|off|my|our|an?|him|her|them|friends) (?:\w+ ){0,3}(?:at|from)"
        r" the airport\b",
        r"(?:stuck|waiting|wait|sitting|standing|work|working) (?:\w+ )?(?:at|in) (?:the )?(?:airport|downtown|city)\b",
    ),
    # "I'll call you on friday", "let me think until tomorrow", "see you on march 3", "hold it until friday"
    _one_of(
        rf"{_I}(?:'ll| will) (?:know|call|get back|let you know|tell you|decide|think|text|email|write|talk|be back)\b",
        r"let me (?:think|call|check|know|ask|get back|sleep)\b|see (?:you|ya)\b|talk to (?:you|my|her|him)\b",
        r"hold (?:it|that|this|the room|them)\b|give me \d+ (?:min\w*|sec\w*|hours?)\b",
    ),
)
# Stays that are not this one, and complaints, whatever is wished for beside them.
_OTHER_STAY = _one_of(
    rf"{_FRIEND} (?:is|are|was|were|will be) (?:staying|at)\b",
    rf"(?:he|she|{_FRIEND})(?: has| had)? booked\b",
    r"other (?:booking|reservation|stay)s?\b|also (?:have|has|got) (?:an?|another) (?:booking|reservation|room)\b",
    r"(?:hotels?|they) (?:want|charges?) \$?\d",
    r"(?:is|are|isn't|aren't) (?:not )?(?:working|broken)\b|out of order\b",
)
# "my name is Paris Hilton"; the second word is no name in "my name is Ann and ..."
_NAME = re.compile(
    r"\b(?:my name(?:'s| is)|my names|call me) [\w'.-]+(?: (?!(?:and|i|we|i'm|i'd|from|looking|for|need|want|here"
    r"|please|can|at|in|with|the|on|calling)\b)[\w'-]+)?"
)


def told(text: str) -> tuple[list[Span], bool]:
    """The stretches that tell of something else, and whether one of them is an event that could date the stay."""
    if not any(char.isalpha() for char in text):
        return [], False
    spans = [match.span() for match in _NAME.finditer(text)][:_MOST] if "name" in text or "call me" in text else []
    dated = False
    cuts = [match.start() for match in _CUT.finditer(text)][:_MOST]
    for start, stop in pairwise([0, *cuts, len(text)]):
        part = text[start:stop]
        event = _EVENTS.search(part) is not None
        other = _OTHER_STAY.search(part) is not None
        if not part.strip() or (_WISH.search(part) and not other):
            continue
        if event or other or any(pattern.search(part) for pattern in _TOLD):
            spans.append((start, stop))
            dated = dated or event
    return spans, dated
