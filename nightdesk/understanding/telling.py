"""What a guest tells beside the request: past stays, flights, meetings, other people, promises. Nothing in it is given.

A message is cut into its sentences, and these before "but", "so" and before each wish. A part that tells of such a
thing, and wishes for nothing, is blanked before anything is read from the message.
"""

import re
from itertools import pairwise

from nightdesk.understanding.view import Span

_WISHES = (
    r"(?:i|we) (?:\w+ )?(?:need|want|prefer)|(?:i|we)(?:'d| would) (?:\w+ )?(?:like|love|prefer)|(?:i'm|i am|we're"
    r"|we are)"
    r" (?:looking|trying|hoping)|(?:can|could|may) (?:i|we|you)|please|looking for|let's|book|reserve|find|make it"
)
_CUT = re.compile(
    rf"[.!?;](?=\s|$)|, (?=(?:the|my|our) )|\b(?:but|so|however|therefore|still|because|since)\b"
    rf"|(?:, (?:and )?|\band )(?=(?:{_WISHES}|looking)\b)"
)
_WISH = re.compile(
    rf"\b(?:{_WISHES}|need|want\w*|looking|check(?:ing)?[ -]?(?:in|out)|stay(?:ing)?|(?:rooms?|hotel) for|change"
    rf"|move|instead"
    rf"|wish)\b"
)
_MOST = 60
"""Parts of one message that are weighed."""

_EVENT = (
    r"flights?|plane|train|bus|cruise|ferry|meetings?|conference|convention|wedding|birthday|anniversary|concert"
    r"|interview|appointment|party|exams?|match|festival|funeral|school|semester|shift|new job"
)
_EVENTS = re.compile(
    # "my flight lands on march 3", "the conference is from monday to friday", "is the flight to Rome on time"
    rf"\b(?:my|our|the|his|her|their|'s|\d+th) (?:\w+ )?(?:{_EVENT})(?: (?:to|in|from) \w+)? (?:is|are|lands?|leaves?"
    r"|departs?|arrives?|gets? in|comes? in|starts?|begins?|ends?|runs|goes|takes off|costs?)\b"
    r"|\b(?:school|work|class) (?:is|starts?|ends?)\b"
    r"|^\W*(?:is|are|when|what time|does|did|will|has) (?:is |does )?(?:my|the|our) (?:\w+ )?(?:flight|train|plane"
    r"|bus)\b"
    # "I get paid on the 15th", "I work until the 5th", "I'm busy on the 5th", "set an alarm for 7"
    r"|\b(?:i|we|he|she|they) (?:get paid|work|graduate|(?:start|finish) (?:my|work|school|a|the))\b|\b(?:alarm"
    r"|remind(?:er)?)\b"
)
_TOLD = (
    # "we stayed there last year", "I've been to the Hilton", "I paid 200", "it took us 3 hours"
    re.compile(
        r"\b(?:i|we|he|she|they|you|(?:my|our) \w+)(?:'ve| have|'d)? (?:(?:once|already|just|never|ever|only|usually"
        r"|have|always) )?"
        r"(?:stayed|slept|paid|spent|visited|lived|landed|won|bet|bought|ate|used to|read|heard|came (?:here|there)"
        r"|been (?:to|at|in)|worked|grew up|born)\b"
        r"|\bit took\b|\bi was born\b|\b(?:i|we) (?:already )?had (?:an? |my |our |the |breakfast"
        r"|\d)(?![^.!?]{0,60}\b(?:booking|reservation)\b)"
    ),
    # "the last hotel had a pool", "a year ago", "last month it was full"
    re.compile(
        r"\b(?:last|previous) (?:time|year|month|week|summer|winter|spring|fall|trip|vacation|hotel|place|room|stay)\b"
        r"(?=[^.!?]{0,60}\b(?:was|were|had|did|got|cost|gave|paid|stayed|went|charged)\b)"
        r"|\b(?:was|were|had|did|got|cost|went)\b[^.!?]{0,60}\b(?:last (?:time|year|month|week|summer|winter|trip)"
        r"|(?:days?|weeks?|months?|years?) ago)\b"
    ),
    # "the Hilton was awful", "two beds were broken", "it was 250 a night"
    re.compile(
        r"\b(?:was|were) (?:(?:really|very|just|quite|a|an|pretty|like|around|about|only) ){0,2}(?:too|so|awful"
        r"|terrible|bad"
        r"|dirty|broken|crazy|amazing|great|good|nice|small|noisy|horrible|wonderful|lovely|fun|disgusting|full"
        r"|closed|\$?\d)"
    ),
    # "he told me ...", "my friend pays 80", "my ex works there", "people say the pool is great"
    re.compile(
        r"\b(?:he|she|they|people|everyone|everybody|someone|(?:my|our) \w+)(?: \w+ly)? (?:told|tells?|says?|said"
        r"|thinks?"
        r"|thought|pays?|paid|works?|lives?|owns?|heard|charges?)\b|\byou (?:said|told)\b"
    ),
    # "my house is 10 miles from the airport", "the gym at my house", "from my house to the airport"
    re.compile(
        r"\b(?:my|our) (?:house|home|apartment|office|flat|gym) (?:is|has|was)\b|\b(?:at|from) (?:my|our) (?:house|home"
        r"|office|place|work)\b"
    ),
    # "I live in a suite", "I make 50000 a year", "I run 5 miles", "I have 200 dollars left", "I just landed"
    re.compile(
        r"\b(?:i|we) (?:live|make \$?\d+|earn|run \d+|jog|weigh|owe)\b|\b(?:dollars|bucks|money|euros) left\b"
        r"|\b(?:gift card|voucher|coupon|discount|expedia|booking\.com|airbnb|trivago)\b|\b(?:at home"
        r"|back at (?:work|school))\b"
        r"|\b(?:my|our) (?:\w+ )?(?:son|daughter|kids?|child|children|baby|boys?|girls?|twins|wife|husband|mom"
        r"|dad) (?:is|are|turns?)"
        r" \d+\b"
        r"|\b(?:i'm|i am|we're|we are) (?:\d+ (?:years|yrs)|(?:already |currently |now |still )?(?:at"
        r"|in) (?:the )?(?:airport"
        r"|downtown|bus|train|plane)\b)|\b(?:picking|dropping|meeting) (?:up|off|my|our|an?|him|her|them"
        r"|friends) (?:\w+ ){0,3}(?:at|from) the airport"
        r"|\b(?:stuck|waiting|wait|sitting|standing|work|working) (?:\w+ )?(?:at|in) (?:the )?(?:airport|downtown|city)"
    ),
    # "I'll call you on friday", "let me think until tomorrow", "see you on march 3", "hold it until friday"
    re.compile(
        r"\b(?:i|we)(?:'ll| will) (?:know|call|get back|let you know|tell you|decide|think|text|email|write|talk"
        r"|be back)\b"
        r"|\blet me (?:think|call|check|know|ask|get back|sleep)\b|\bsee (?:you|ya)\b|\bhold (?:it|that|this"
        r"|the room|them)\b"
        r"|\bgive me \d+ (?:min\w*|sec\w*|hours?)\b|\btalk to (?:you|my|her|him)\b"
    ),
)
# "my brother is staying at the Hyatt", "I also have a reservation at the Hyatt": whatever is wished for beside it
_OTHER_STAY = re.compile(
    r"\b(?:my|our) (?:friend|brother|sister|boss|ex|colleague|cousin|buddy|parent|neighbor)s? (?:is|are|was|were"
    r"|will be)"
    r" (?:staying|at)\b|\bother (?:booking|reservation|stay)s?\b|\balso (?:have|has|got) (?:an?|another) (?:booking"
    r"|reservation|room)\b"
    r"|\b(?:he|she|my (?:friend|brother|sister|boss|ex))(?: has| had)? booked\b|\b(?:hotels?|they) (?:want"
    r"|charges?) \$?\d"
    r"|\b(?:is|are|isn't|aren't) (?:not )?(?:working|broken)\b|\bout of order\b"
)
# "my name is Paris Hilton"
_NAME = re.compile(
    r"\b(?:my name(?:'s| is)|my names|call me) [\w'.-]+(?: (?!(?:and|i|we|i'm|i'd|from|looking|for|need|want|here"
    r"|please|can|at"
    r"|in|with|the|on|calling)\b)[\w'-]+)?"
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
        if not part.strip() or (_WISH.search(part) and not _OTHER_STAY.search(part)):
            continue
        if event or _OTHER_STAY.search(part) or any(pattern.search(part) for pattern in _TOLD):
            spans.append((start, stop))
            dated = dated or event
    return spans, dated
