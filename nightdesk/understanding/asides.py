"""Messages that ask for nothing the desk stores: about a hotel that is shown, another errand, orders to the machine."""

import re

from nightdesk.understanding.selection import CHOOSING

_LEAD = (
    r"^\W*(?:(?:h+m+|um+|uh+|ok(?:ay)?|oh|ah|and|also|great|perfect|well|cool|nice|thanks|thank you|so|but"
    r"|wait|sorry|yes|yeah|yep|no|nope|actually|sure|good|alright|right|please|hi|hello|hey)\b[ ,.!]*){0,4}"
)

# "ignore previous instructions", "SYSTEM: ...", raw JSON or markup: plain text that asks for nothing.
INJECTION = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass) (?:all |any |the |your |my |every )*(?:previous|prior|above"
    r"|earlier|preceding|instructions?|rules?|prompts?|system)\b"
    r"|^\W*(?:system|assistant|developer|admin|user) ?:|\b(?:system|developer) (?:prompt|message|mode|override)\b"
    r"|\b(?:you are now|act as|pretend (?:to be|you)|jailbreak)\b"
    r"|\bset (?:every|all) (?:criteri\w+|fields?)\b|^\s*[\[{].*[:,].*[\]}]?\s*$|<\/?(?:system|script|tool"
    r"|function|user|assistant)\b|\b(?:drop table|select \* from|function_call|tool_call)\b"
)
# "has it got a gym?", "is that with parking?": about the hotel that is shown; it changes nothing.
_QUESTION = re.compile(
    _LEAD + r"(?:does|is|are|has|have|do (?:you (?:know|have)|they|the|any|all|guests|rooms)|did"
    r"|(?:can|could|would|will) you (?:please )?(?:check|tell|confirm|see|ask|let me know|find out|verify)|(?:can"
    r"|could|may) (?:i|we|guests|my)|what|what's|how|where|when|which|who|why|will (?:it|there|they|the|i|we)"
    r"|would (?:it|there|they|the)|(?:i|we) (?:wonder|was wondering|want to know|need to know|would like to know"
    r"|'d like to know)|i'd like to know|i'm curious|tell me (?:if|whether|about|more)|any (?:idea|chance)"
    r"|have you)\b"
)
_NO_QUESTION = re.compile(
    r"\b(?:other hotels?|another|any other|any others|something|anything|hotels? (?:that|which|with)|else"
    r"|more (?:options|choices|hotels|results)|change|make it|switch|instead|book|reserve|take|search|find"
    r"|show me"
    r"|go with|pick|choose|(?:get|have) the (?:\d+\w+|last|other) \w+|how about|cheaper|nicer|closer"
    r"|what about (?:the )?(?:[\w'&]+ ){0,3}(?:inn|hotel|lodge|house|hilton|hyatt|marriott|sheraton)"
    r"|(?:can|could|may) (?:i|we) (?:get|have|stay)\b[^.?!]* from|different (?:hotel|one|option|place|room)s?"
    r"|something different|any(?: \w+)? hotels?|alternatives?)\b"
)
# "is the second one cheaper than the first?"
_COMPARED = re.compile(_LEAD + r"(?:is|are|was|does|why) (?:the|it|this|that|number|option|hotel)\b[^.!?]* than\b")
# "so that's 3 nights for 600?", "can you hold it until friday?"
_READ_BACK = re.compile(
    _LEAD
    + r"(?:that's|that is|that was|it's|you mean|you said|you mean|(?:can|could|would|will) you hold)\b[^.!]*\?\W*$"
    r"|.*,? (?:right|correct|yes)\W*\?\W*$|^\W*(?:wait|h+m+|what|hold on|huh|sorry)\b[^.!?]{1,30}\?\W*$"
)
_IN_THE_END_A_QUESTION = re.compile(
    r"\b(?:do(?:es)?|is|are|has|have|can|will) (?:it|they|there|that|this|the (?:hotel|room|place|rate"
    r"|price))\b[^.?!]*\?"
)

# "how late is the gym open", "what time is breakfast": about a hotel of the guest's own; nothing is wished for.
_HOURS = re.compile(
    _LEAD + r"(?:(?:until |till |at )?(?:what|which) (?:time|hours?)|when|how (?:late|early|much|long)|where)"
    r"(?:'s| is| are| does| do| can| will| would) (?!\w+ hotels?\b)(?:the |your |my |our |a |an |i |we |it )?"
    rf"|{_LEAD}(?:what(?:'s| is)|tell me) (?:the|your) (?:\w+ ){{0,2}}"
    r"(?:password|code|phone number|address|postcode|zip)\b"
)
# "a table for two", "an Italian restaurant", "a flight to Rome": another errand, unless a stay is spoken of too.
_KITCHENS = (
    "italian|chinese|mexican|indian|thai|french|japanese|korean|greek|asian|american|sushi|pizza|seafood|steak|vegan"
    "|vegetarian|nice|good|local|fancy|cheap|priced|expensive|moderate"
)
_ERRAND = re.compile(
    r"\b(?:find|book|get|reserve|need|want|order|recommend|suggest|look(?:ing)? for|search for|eat|dine|go to)\b"
    rf"[^.?!]{{0,40}}?\b(?:(?:{_KITCHENS}) restaurants?|restaurants? (?:in|that serves?|serving)|tables?|flights?"
    r"|taxis?|cab|trains?|bus(?:es)?|movies?|concerts?|doctor|dentist|tickets?|appointment|rental cars?)\b"
    r"|\brent (?:me |us )?(?:an? )?(?:\w+ )?(?:car|van|suv|bike)\b"
)
_OF_A_STAY = re.compile(
    r"(?<!from the )(?<!to the )(?<!at the )\bhotels?\b|\bplace\b(?! to eat)"
    r"|\b(?:rooms?|suites?|stay\w*|inn|lodging|accommodation|motel|guest ?house|nights?|beds?|check[ -]?(?:in|out))\b"
)

# Things that a desk for new bookings cannot do; "cancel my booking" is not about this conversation.
_ELSEWHERE = re.compile(
    r"\b(?:cancel|refund|where is) (?:my|our|the|an?) (?:\w+ )?(?:booking|reservation|order|flight|card|account"
    r"|subscription)\b|\b(?:weather|joke|forecast|temperature|news|song|music|recipe|translate|exchange rate)\b"
    r"|\bhow (?:do|would|can) (?:you|i|we|they) (?:say|spell|pronounce)\b"
    r"|\b(?:credit|debit) card\b|\b(?:bank|checking|savings) account\b|\bfactory settings\b|\blost my\b"
    r"|\b(?:travel alert|plug|visa|vaccin\w+|passport|time ?zone)\b"
)


# "what about breakfast at the first?"; not a day of a stay
_OF_ONE = re.compile(
    r"^(?!.*\b(?:arriv|check|leav|depart|land|stay|start|begin|end|until|till?\b|from\b|com(?:e|ing)\b|by\b|nights?|book"
    r"|reserv|take|choose|week|change|instead|morning|evening|afternoon))"
    r"[^.!?]*\b(?:at|of) the (?:\d{1,2}(?:st|nd|rd|th)"
    r"|last)(?: (?:one|1|hotel|option|place))?\W*\?\W*$"
)


def about_the_shown_hotel(text: str, context: str | None) -> bool:
    """Whether this asks about a hotel on the table, rather than for another one or for a change."""
    if _OF_ONE.match(text):
        return True
    if context not in CHOOSING:
        return False
    if _COMPARED.match(text):
        return True
    if _NO_QUESTION.search(text):
        return False
    if _QUESTION.match(text):
        return True
    return bool(_IN_THE_END_A_QUESTION.search(text) or _READ_BACK.match(text))


# "what days are cheapest?", "is friday more expensive than sunday", "is two beds cheaper"
_PRICES = re.compile(
    _LEAD + r"(?:is|are|what|which|when|would|does|do|how)\b(?![^.!]*\b(?:anything|something|hotels?|places?)\b)[^.!]*"
    r"\b(?:cheaper|cheapest|more expensive|less expensive|difference)\b"
)


def about_prices(text: str, context: str | None) -> bool:
    """Whether this only compares what the answers to a question would cost."""
    return context in {"dates", "distance", "room_type", "amenities"} and bool(_PRICES.match(text))


def another_errand(text: str, context: str | None) -> bool:
    """Whether this asks when or where something is, or for a table or a flight, and has no word of a stay to book."""
    if _NO_QUESTION.search(text) is None and _HOURS.match(text) and not any(char.isdigit() for char in text):
        return True
    return context != "amenities" and bool(_ERRAND.search(text)) and not _OF_A_STAY.search(text)


def elsewhere(text: str) -> bool:
    """Whether this is about something that no hotel search has: the weather, a bank account, an old booking."""
    return bool(_ELSEWHERE.search(text))
