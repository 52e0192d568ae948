"""What the guest does with a message: names criteria, chooses, asks to search or review, leaves, or none of it."""

import re

from nightdesk.consent import consent, small_talk
from nightdesk.understanding.asides import elsewhere
from nightdesk.understanding.reading import Intent

_REVIEW = re.compile(
    r"\b(?:(?:show|review|see|check|list|display|view|read back|go over|repeat|recap|summar\w+|tell me|confirm"
    r"|look at|what are|what're)(?: me| to me| us)?(?: again)? (?:all )?(?:of )?(?:my|the|our|what) (?:current "
    r"|own |saved )?"
    r"(?:criteria|choices|details|answers|preferences|selections?|information|info|requirements|settings|request"
    r"|search criteria|requests|options so far|filters|parameters|i (?:have|said|told|asked"
    r"|chose|gave|entered)|i've)"
    r"|what (?:have|did|do) (?:i|we|you) (?:\w+ ){0,3}(?:told|said|tell|say|chosen|choose|chose|picked|pick|asked"
    r"|ask|given|give|entered|enter|so far|saved|noted|got|have|know)\b(?! (?:any|for|in|near|available|to offer"
    r"|rooms?|a\b)|\?? ?$(?<=you have))"
    r"|where (?:are we|were we|do we stand|did we leave off)|(?:so far|until now|up to now)\??\W*$|\b(?:recap"
    r"|summary|summari[sz]e)\b|my criteria|current (?:booking|criteria|reservation|selection)|what(?:'s"
    r"| is) (?:saved|noted|missing|left to answer)"
    r"|^\W*(?:please )?(?:review|status|recap)(?: please| it| everything| that)?\W*$|(?:read|say) (?:it |that "
    r"|everything )?back to me|what(?:'ve| have) (?:you|we) got so far"
    r"|\b(?:which|what) (?:criteria|answers|details|choices|preferences)\b"
    r"|\bwhat(?:'s| is| are| was| were) my (?:\w+ )?(?:budget|dates?|stay|room(?: type)?|amenities|distance"
    r"|check[ -]?(?:in|out)|criteria))"
)
_SEARCH = re.compile(
    r"\b(?:search|find|look(?:ing)? (?:for|up)|show(?: me)?|see|check|get|need|want|list|book|reserve|display"
    r"|give me|start|run|do)(?: me| us)?(?: for)?(?: again)?(?: up)? (?:an?|some|the|any|another|other|all|more"
    r"|what|available|your|my|our|good|new)? ?(?:\w+ ){0,2}?"
    r"(?:hotels?|places?|rooms?|results?|options?|accommodations?|house|lodging|search|availability|reservation"
    r"|available|booking|one|ones|stay|listings?)\b"
    r"|\bsearch(?:ing)?(?: now| again| please)?\W*$|\bstart(?:ing)? (?:the )?search|\b(?:place|somewhere|hotel"
    r"|room) to stay\b|\bsearch\b|\bfind (?:me )?(?:something|one|hotels?)|\bgo ahead\b|\bshow (?:me )?(?:hotels"
    r"|results|them|what you)"
    r"|\bwhat (?:hotels|rooms|places|options)\b|\bwhat(?:'s| is| do you have| have you got)? ?(?:available"
    r"|to offer)\b|\bwhat do you have\b|\bwhat you (?:have|'ve got)\b|\b(?:anything|something|rooms?) (?:is "
    r"|are )?available\b|\btry again\b|\blet's (?:search|go|see)\b"
)
_MORE_RESULTS = re.compile(
    r"\b(?:what else|any(?:thing)? (?:\w+ ){0,2}?(?:other|else|more|\w+er)|(?:are|is) there (?:any )?(?:others?"
    r"|another|more|anything)|another (?:one|hotel|option|place|house)|(?:some|any"
    r"|the)?(?:thing)? ?other (?:ones?|hotels?|options?|places?|choices?|houses?)"
    r"|more (?:options|choices|hotels|results)|something (?:else|different|\w+er)|different (?:one|hotel"
    r"|option)s?|(?:show|see|find|give)(?: me)? (?:more|others|another|something)|next ones?|keep (?:looking"
    r"|searching)|alternatives?"
    r"|search again|others)\b|^\W*(?:more|next|another)(?: please)?\W*$"
)
_EXIT = re.compile(
    r"\b(?:good ?bye|bye(?:[ -]?bye)?|see (?:you|ya)|c ?ya|cya|farewell|au revoir|adios|ciao|so long|take care"
    r"|ta ta|take it easy|cheerio|later gator"
    r"|good ?night|have a (?:good|nice|great|lovely|wonderful) (?:day|night|one|evening"
    r"|weekend|time|afternoon)"
    r"|i'?m (?:done|finished|leaving|all set)|(?:we're|we are|i am) (?:done|finished|all set)|(?:i )?(?:want to"
    r"|wanna|gotta|have to|must|need to) (?:quit|exit|leave now|go now|go|stop)(?=\W*$)"
    r"|end (?:the )?(?:chat|conversation|session)|(?:close|stop) (?:the )?(?:chat|conversation)|i give up"
    r"|talk (?:to you )?later|until next time|signing off|toodle\w*|talk (?:to you )?soon|nice (?:talking"
    r"|chatting|speaking) (?:to|with) you|good (?:talk|chat)|(?:don't|do not) need (?:it|this|you|a hotel"
    r"|your help|help) any ?more)\b"
    r"|\babort\b|^\W*(?:quit|exit|end|stop|done|leave(?! it| this)|finish|close|logout|log out|over and out)(?: (?:now"
    r"|please|this|it|the chat))?\W*$"
)
# Enough said, which ends the conversation only where it has come to an end, or with thanks.
_ENOUGH = re.compile(
    r"\b(?:that(?:'s| is|s| will be| would be|'ll be)? (?:all|it|everything)(?: (?:i|we) (?:need\w*|want\w*)"
    r"| for (?:now|today|me)|,? thank\w*| thanks)?(?=\W|$)"
    r"(?! (?:is|are|sounds?|looks?|the|right|correct|accurate|good|great|fine|perfect|true)\b)"
    r"|(?:don't|do not|won't) need (?:anything|any) (?:else|more|further)(?: help)?"
    r"|good to go|nothing (?:else|more|further)|no(?:thing)? more (?:questions|help)|that (?:does|did) it"
    r")\b"
)
# "nothing special", "no preference" answers another question than whether to go on
_NO_WISH = re.compile(
    r"^\W*(?:nothing(?: (?:special|specific|particular|in particular|really|at all))?"
    r"|no preferences?\b[^.!?]{0,40}|leave (?:it|that|everything)(?: (?:as it is|as is|at that|like that))?)"
    r"(?: please)?\W*$"
)
_PARTING = re.compile(
    r"\b(?:thank\w*|thx|cheers|appreciate\w*|needed|wanted|for (?:now|today)|been (?:so |very )?(?:great|helpful))\b"
)
_AT_AN_END = frozenset({"anything_else", "search_results", "select", "confirm"})
_DONE = re.compile(
    r"^\W*(?:no|nope|nah|not|nothing|none|i'm (?:good|fine|ok|okay|all set)|i am (?:good|fine)|all (?:good|set"
    r"|done)|that(?:'s| is|s|'ll be| will be) (?:it|all|everything|great|fine)|we're (?:good|fine))\b|\bthank"
)
# With nothing asked, "cancel" and "forget it" leave.
_CALLED_OFF = re.compile(r"^\W*(?:please )?(?:cancel|forget (?:it|that|about it)|never ?mind|stop)\b.{0,40}$")
_THANKS = re.compile(r"\b(?:thanks|thank you|thx|appreciated?|cheers)\b")
_NEGATE = re.compile(
    r"^\W*(?:no|nope|nah|heck no|hell no|never ?mind|not (?:that|this|yet|now|quite|right|really|what|the|at)"
    r"|cancel|don't|do not|stop|wrong|incorrect|forget it|negative|absolutely not|no way|i say (?:no|negative))\b"
    r"|\b(?:don't|do not|didn't|won't|not going to|rather not|not ready to|no longer) (?:really )?(?:want|make"
    r"|book|like|need|think so|reserve|confirm|proceed|wanna)\b|\bthat(?:(?:'s| is|s) (?:not|wrong|incorrect)"
    r"|(?: isn't|'s not) (?:right|it|correct|what))\b|\bnone of (?:these|those|them)\b"
    r"|\bnot (?:what|the one) i\b|\bi (?:changed|'ve changed) my mind\b"
    r"|\b(?:let me|i need to|i'll|i have to|i want to) (?:think|check|ask|talk|tell|discuss|sleep on)\b"
    r"|\bthat(?:'s| is) (?:false|untrue)\b|\bhold off\b|\bnot (?:at the moment|right now|at this time|interested)\b"
)
_LIKES = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|yes|yeah|yep|yup|please|oh|great|perfect|sure)\b[ ,!.]*)*"
    r"(?:(?:that|it|this)(?:'s| is| sounds?| looks?| seems?| works| would be| will be|'d be)? "
    r"|sounds? |looks? |seems? )?"
    r"(?:like )?(?:a |an |just |really |very |pretty |so )*"
    r"(?:good|great|perfect|fine|wonderful|amazing|awesome|excellent|lovely|nice|winner|ideal|fantastic"
    r"|works(?: for me)?|(?:that'll|that will|will) do|would work|will work)"
    r"(?:,? (?:to me|for me|thanks|thank you|choice|one)){0,2}\W*$"
)
# "that is right", "exactly": agrees without asking for the booking, so that it is an answer and no consent.
_AGREES = re.compile(
    r"^(?!\W*yeah,? right\W*$)\W*(?:(?:yes|yeah|yep|ok(?:ay)?|oh)\b[ ,!.]*)*(?:(?:(?:that|this|it)"
    r"(?:'s| is|s|'ll be| will be| looks| sounds| seems)?|everything(?:'s| is| looks)?|all(?: of it)?(?: is| looks)?)"
    r" (?:all |exactly |absolutely )?)?(?:right|correct|true"
    r"|accurate|exactly(?: right)?|you got (?:it|that) right|indeed|what i want(?:ed)?|a yes"
    r"|it (?:does|is)|they (?:are|do)|those are)"
    r"(?: (?:thanks|thank you|please))?\W*$"
)
_LEADING_YES = re.compile(
    r"^\W*(?:oh |heck |hell )?(?:yes|yeah|yep|yup|ya|sure|of course|ok(?:ay)?|absolutely|definitely)\b"
)
_LEADING_NO = re.compile(
    r"^\W*(?:actually,? |heck |hell |oh |um )?(?:no|nope|nah|not right|incorrect|wrong|that's not right"
    r"|that is not right|that's wrong)\b"
)
_CHANGES = re.compile(
    r"\b(?:change|changes|actually|instead|no wait|on second thoughts?|make (?:it|that)|raise|lower|increase"
    r"|reduce|drop|remove|correct(?:ion)?|incorrect|switch|update|modify|alter|move|wrong|not right|i meant"
    r"|sorry)\b"
)
# "do the rooms come with slippers": wished for, where wishes were asked for
_ASKS_FOR = re.compile(
    r"^\W*(?:and |also |ok(?:ay)? )?(?:do|does|is|are|has|have|will|can|could) (?:the|there|you|i|we|it|your|rooms?)\b"
)
_TOPIC: dict[str, Intent] = {
    "dates": "dates",
    "budget": "budget",
    "room": "room_type",
    "amenities": "amenities",
    "distance": "distance",
}
_CHANGE_TOPIC = re.compile(
    r"\b(?:change|edit|update|modify|adjust|correct|fix|alter|redo|set|different|other"
    r"|new)\b[^.?!]{0,25}?\b(?:(?P<dates>dates?|stay|nights?|check[ -]?(?:in|out)|arrival|departure)"
    r"|(?P<budget>budget|price|maximum|minimum)"
    r"|(?P<room>room(?: type)?|beds?)|(?P<amenities>amenit\w+|features)|(?P<distance>distance|location))\b"
)


def polarity_of(text: str) -> str | None:
    """A leading yes or no."""
    return "affirm" if _LEADING_YES.match(text) else "negate" if _LEADING_NO.match(text) else None


def changes(text: str) -> bool:
    """Whether the guest says that this replaces an earlier answer."""
    return bool(_CHANGES.search(text))


def intent_without_values(text: str, words: str, context: str | None) -> Intent:
    """The intent of a message in which no criterion and no hotel was named. `words` are the guest's own."""
    said = consent(words)
    if said == "yes" and context == "confirm":
        return "affirm"
    if (_EXIT.search(text) or _enough(text, context)) and not _REVIEW.search(text):
        return "exit"
    if context == "anything_else" and (said == "no" or _DONE.search(text)) and not _NO_WISH.match(text):
        return "exit"
    if said == "yes" and context != "search_results":
        return "affirm"
    if small_talk(words) is not None and context != "search_results":
        return "other"
    if context in {"confirm", "select"} and (said == "no" or _NEGATE.search(text)):
        return "negate"
    if elsewhere(text):
        return "other"
    if _REVIEW.search(text):
        return "review"
    if context == "search_results":
        return _about_results(text, said)
    if context == "confirm":
        if _LIKES.match(text) or _AGREES.match(text):
            return "affirm"
        return "search" if _MORE_RESULTS.search(text) or re.search(r"\bsearch\b", text) else "other"
    if context == "amenities" and _ASKS_FOR.match(text):
        return "amenities"
    if (topic := _topic_to_change(text)) is not None:
        return topic
    if _THANKS.search(text) and len(text.split()) < 8:
        return "other"
    if _SEARCH.search(text) or (context == "select" and _MORE_RESULTS.search(text)):
        return "search"
    if context is None and _CALLED_OFF.match(text):
        return "exit"
    return "negate" if said == "no" else "other"


def _enough(text: str, context: str | None) -> bool:
    return bool(_ENOUGH.search(text)) and (context in _AT_AN_END or bool(_PARTING.search(text)))


def _topic_to_change(text: str) -> Intent | None:
    """ "I want to change my budget": the criterion is named, its new value is not."""
    match = _CHANGE_TOPIC.search(text)
    if match is None or match.lastgroup is None:
        return None
    return _TOPIC[match.lastgroup]


def _about_results(text: str, said: str | None) -> Intent:
    if _MORE_RESULTS.search(text):
        return "search"
    if said == "no":
        return "negate"
    if said == "yes" or _LIKES.match(text):
        return "affirm"
    return "search" if re.search(r"\bsearch\b", text) else "negate" if _NEGATE.search(text) else "other"
