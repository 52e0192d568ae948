"""Closed lists of phrases that code acts on without reading language: yes, no, and small talk.

A yes from here is the only thing that authorises a booking, so it is a whole message, explicit and
unconditional; anything else is None and gets asked again. These lists are replay-sensitive: workflow code
consults them, so a change goes under a patch (workflows/release.py). Nothing is imported but the standard library.
"""

import unicodedata
from typing import Literal

SmallTalk = Literal["thanks", "greeting", "what", "repeat", "why", "help", "who_are_you", "how_are_you", "compliment"]

_SEPARATORS = frozenset(" .,!;-–—")


_LONGEST = 200
"""Characters; no phrase here is as long, whatever its punctuation."""


def _plain(text: str) -> str:
    """Lower case, single spaces, no control characters; any other mark stays, so that it matches no phrase."""
    kept: list[str] = []
    for char in unicodedata.normalize("NFC", text).replace("’", "'"):
        if char.isspace() or char in _SEPARATORS:
            kept.append(" ")
        elif unicodedata.category(char) not in {"Cc", "Cf"}:
            kept.append(char.lower())
    return " ".join("that's" if word == "thats" else word for word in "".join(kept).split())


def _listed(phrases: str) -> frozenset[str]:
    """The phrases of a block, which are separated by |."""
    return frozenset(" ".join(phrase.split()) for phrase in phrases.split("|"))


def _followed(heads: frozenset[str], tails: frozenset[str]) -> frozenset[str]:
    """Every head followed by every tail."""
    return frozenset(f"{head} {tail}" for head in heads for tail in tails)


# Asks for the booking by itself.
_BOOK = _listed("""
    book it | please book it | book it please | book it now | book it for me | go ahead |
    please go ahead | go ahead please | go ahead and book | go ahead and book it | go for it |
    please go ahead and book it | go ahead and reserve it | please go ahead and reserve it |
    go ahead and make the booking | go ahead and make the reservation | do it | please do | let's do it | lets do it |
    let's do that | lets do that | please let's do it |
    let's book it | lets book it | confirm | confirm it | please confirm | i confirm | confirmed |
    proceed | please proceed | do proceed | proceed with the booking | please proceed with the booking |
    do proceed with the booking | make the booking | make the reservation | please make the booking |
    please make the reservation | make the booking please | make the reservation please |
    confirm the booking | confirm the reservation | please confirm the booking | confirm booking |
    book the room | book this room | book that room | please book the room | book this hotel | book that |
    book this | reserve it | please reserve it | reserve the room | i want to book it |
    i'd like to book it | i would like to book it | i want it | i'll take it | i will take it |
    we'll take it | we will take it | that's a yes | that is a yes | i agree | i accept |
    please book | i confirm the booking | i'd like to proceed | i would like to proceed | i want to proceed |
    i'd like to confirm | i would like to confirm | reserve it for me | book it then | go ahead and book that |
    go ahead and book this | go ahead with the booking | go ahead with the reservation | go ahead with it |
    please go ahead with the booking | please go ahead with the reservation | i'd like to go ahead |
    i'd like to go ahead with it | i would like to go ahead | i would like to go ahead with it |
    please make the booking for me | make the booking for me | make the reservation for me |
    please make the reservation for me | please book that | please book this | please book it for me | go on then
""")

# Says yes by itself, before a wish to book, or before a second yes.
_YES = _listed("""
    hell yeah | heck yeah |
    yes | yes please | yes yes | yess | yeap | yeh | yessir | y | uh huh | mhm | affirmative | you bet |
    you got it | indeed | yeah | yeah please | yep | yup | ya | yea | aye | yes sure | yes of course |
    yes absolutely | yes definitely | yes certainly | yes indeed | yes sir | oh yes | hell yes |
    heck yes | sure | sure thing | sure please | of course | absolutely | definitely | certainly |
    for sure | definitely yes | absolutely yes | ok | okay | ok please | okay please | ok yes | okay yes
""")
_MOST_WORDS_OF_YES = max(len(phrase.split()) for phrase in _YES)
_YES_AGAIN = _listed("""
    thanks | thank you | that's right | that is right | that's correct | that is correct | that's fine |
    that is fine | correct | great | perfect | sounds good | sounds great | that sounds good |
    that works | that works for me | looks good | i do | it is | that's it | that is it | it's correct |
    those details are correct | everything is correct | everything's correct | all correct |
    that's all correct | that is all correct | looks good to me | that works great | that sounds wonderful |
    no problem | that would be great | that'd be great | i'm sure | i am sure
""")

# Says how a guest feels, not that a room is to be booked: a yes only before a wish to book.
_LIKING = _listed("""
    sounds perfect | that's perfect | that is perfect | it's perfect | that's great | excellent | wonderful |
    alright | all right | sounds good | sounds great | that sounds good | that sounds great |
    that's right | that is right | that's correct | that is correct | perfect | great | looks good |
    all good | all correct | that's all correct | that is all correct | everything is correct |
    looks great | that works | works for me | that's fine | that is fine | fine | correct
""")

_THANKS = _listed("thanks | thank you | please")
_POLITE_ENDINGS = tuple(f" {thanks}" for thanks in sorted(_THANKS))

_LIKING_AND_BOOK = _followed(_LIKING, _BOOK)

# Refusing is safe, so this list may be generous.
_NO = _listed("""
    no | nope | nah | no no | no no no | no way | heck no | hell no | oh no | not really |
    absolutely not | definitely not | certainly not | of course not | no sorry | sorry no | no thanks |
    no thank you | actually no | no actually | um no | uh no | negative | i say no | i say negative |
    i said no | my answer is no | no sir | nope thanks | nay | n | no way jose | never | no don't | false
""")
_NO_AGAIN = _listed("it isn't | it is not | it's not | i don't | i do not | sorry")
_DO_NOT = _listed("""
    don't | don't book it | do not book it | please don't book it | please do not book it | don't book |
    do not book | don't do it | please don't | don't book that | don't book that one |
    don't book this one | do not book that | don't confirm | do not confirm | don't confirm it |
    don't make the booking | don't make the reservation | don't go ahead | don't proceed |
    do not proceed | cancel | cancel it | cancel that | cancel this | please cancel | please cancel it |
    cancel the booking | cancel the reservation | stop | never mind | nevermind | forget it |
    forget that | forget about it | leave it | drop it | not now | not right now | not today | not yet |
    not at the moment | not at this time | not this time | maybe later | later | not that one |
    not this one | not that | not this | not that hotel | not this hotel | not it | not for me |
    that's wrong | that is wrong | that's not right | that is not right | that's incorrect |
    that is incorrect | wrong | incorrect | that's not correct | that is not correct | that's not it |
    that is not it | that's not what i want | that is not what i want | that's not the one |
    not what i want | not what i wanted | that's not what i wanted | i don't want it | i do not want it |
    i don't want that | i don't want this | i don't want to | i do not want to | i don't want to book |
    i don't want to book it | i do not want to book | i don't want to book now |
    i don't want to make the reservation | i don't want to make a reservation |
    i don't want to make any reservation | i don't want to make the reservation now |
    i don't want to book it now | i don't want to book anything | i changed my mind |
    i've changed my mind | i don't like it | i do not like it | i'd rather not | i would rather not |
    i won't | i don't think so | don't think so | i'll pass | i will pass | pass | hold off | hold on |
    wait | i need to think about it | i need to think | let me think | let me think about it |
    i have to think about it | i'll think about it | hold off on that | hold off on it | that's false |
    that is false
""")
_SECOND_THOUGHTS = _listed("i changed my mind | i've changed my mind | i have changed my mind")
_FOR_NOW = _listed("sorry | yet | now | for now")

_REFUSAL = (
    _NO
    | _DO_NOT
    | _followed(_NO, _DO_NOT | _NO_AGAIN)
    | _followed(_DO_NOT, _FOR_NOW)
    | _followed(_SECOND_THOUGHTS, _DO_NOT)
)


def consent(text: str) -> Literal["yes", "no"] | None:
    """An explicit, unconditional yes or no; None for all else: "yes?", "yes but ...", "yes or no", "great"."""
    if len(text) > _LONGEST:
        return None
    plain = _plain(text)
    for ending in _POLITE_ENDINGS:
        plain = plain.removesuffix(ending)
    if plain in _REFUSAL:
        return "no"
    if _is_yes(plain) and ".." not in text:  # "yes..." hesitates
        return "yes"
    return None


def _is_yes(plain: str) -> bool:
    """A yes, a wish to book, a yes before either or before a second yes, or liking it before a wish to book."""
    if plain in _BOOK or plain in _YES or plain in _LIKING_AND_BOOK:
        return True
    words = plain.split()
    for cut in range(1, min(len(words), _MOST_WORDS_OF_YES + 1)):
        head, tail = " ".join(words[:cut]), " ".join(words[cut:])
        if head in _YES and (tail in _BOOK or tail in _YES_AGAIN or tail in _LIKING_AND_BOOK):
            return True
    return False


_CALLING_OFF = _listed("""
    cancel | cancel it | cancel that | cancel this | please cancel | please cancel it | cancel the booking |
    cancel the reservation | cancel my booking | cancel my reservation | please cancel the booking |
    please cancel the reservation | please cancel my booking | please cancel my reservation | i want to cancel |
    i want to cancel it | i'd like to cancel | i would like to cancel | i'd like to cancel it |
    i would like to cancel it | i want to cancel my booking | i'd like to cancel my booking |
    i would like to cancel my booking | don't book it | do not book it | please don't book it |
    please do not book it | call it off | please call it off
""")
_CALL_OFF = _CALLING_OFF | _followed(_CALLING_OFF, _THANKS)
_HESITATION = _listed("""
    wait | hold off | hold off on that | hold off on it | hold on | later | maybe later |
    not now | not right now | not yet | not at the moment |
    i need to think about it | i need to think | let me think | let me think about it | i have to think about it |
    i'll think about it
""")


def calls_off(text: str, *, asked: bool) -> bool:
    """Whether the guest takes back a yes while nobody knows yet what became of it.

    Naming it always does: "cancel it". Any other no does unless it answers something that was `asked`
    since, and unless it only asks for patience: "wait".
    """
    if len(text) > _LONGEST:
        return False
    plain = _plain(text)
    return plain in _CALL_OFF or (not asked and consent(text) == "no" and plain not in _HESITATION)


_RIGHT = _listed("that's right | that is right | right | correct | that's correct | that is correct | it's right")


def agrees(text: str) -> bool:
    """Whether the guest confirms what was read back: "that is right", or a yes. Books nothing."""
    return _plain(text) in _RIGHT or consent(text) == "yes"


_TAKING = _listed("take it | take that | please take it | please take that | do that | exactly | that's it | note it")


def accepts(text: str) -> bool:
    """Whether the guest agrees to what the desk proposes to note: "yes", "sounds good", "take it". Books nothing."""
    return agrees(text) or (".." not in text and "?" not in text and _plain(text) in _LIKING | _TAKING)


_SMALL_TALK: dict[SmallTalk, frozenset[str]] = {
    "thanks": _listed("""
    thanks | thank you | thanks a lot | thank you very much | thank you so much | thanks so much |
    many thanks | thx | ty | cheers | much appreciated | i appreciate it | thanks for your help |
    thank you for your help | thanks for the help | ok thanks | okay thanks | ok thank you |
    great thanks | great thank you | perfect thanks | thanks very much
"""),
    "greeting": _listed("""
    hi | hello | hey | hi there | hello there | hey there | hiya | good morning | good afternoon |
    good evening | good day | greetings | howdy | yo
"""),
    "what": _listed("""
    what | huh | pardon | sorry | excuse me | come again | what do you mean | what does that mean |
    i don't understand | i do not understand | i don't get it | i didn't get that | i didn't understand |
    i'm confused | i am confused | eh | sorry what | what was that | not sure what you mean
"""),
    "repeat": _listed("""
    repeat | repeat that | please repeat | please repeat that | repeat that please | say that again |
    say again | can you repeat that | could you repeat that | can you say that again |
    could you say that again | what did you say | can you repeat | could you repeat the question |
    repeat the question | say it again
"""),
    "why": _listed("""
    why | why do you ask | why do you need that | why do you need to know | why do you want to know |
    why do you need this | why are you asking | what for | what do you need that for |
    why is that important | why does that matter
"""),
    "help": _listed("""
    help | help me | please help | can you help me | can you help | i need help | what can you do |
    what can i do | what can i say | how does this work | how can you help | how can you help me |
    how do i use this | what are my options | what should i say | what can i ask | what do you do
"""),
    "who_are_you": _listed("""
    who are you | what are you | are you a robot | are you a bot | are you human | are you a human |
    are you real | are you an ai | am i talking to a robot | am i talking to a bot |
    am i talking to a human | is this a bot | is this a robot | are you a person | are you a real person |
    what's your name | what is your name | who is this
"""),
    "how_are_you": _listed("""
    how are you | how are you doing | how's it going | how is it going | how are things | what's up |
    how do you do | hi how are you | hello how are you | hey how are you | how are you today
"""),
    "compliment": _listed("""
    good job | well done | nice work | great job | you're great | you are great | you're awesome |
    you are awesome | nice | cool | awesome | that's great | great | perfect | wonderful |
    you've been very helpful | very helpful | good bot
"""),
}


def greets(text: str) -> bool:
    """Whether the message is a greeting or begins with one: "hi, I need a hotel"."""
    plain = f"{_plain(text.replace('?', ' ')[:_LONGEST])} "
    return any(plain.startswith(f"{phrase} ") for phrase in _SMALL_TALK["greeting"])


def small_talk(text: str) -> SmallTalk | None:
    """The kind of small talk that the whole message is, if it is any; a question mark makes no difference."""
    if len(text) > _LONGEST:
        return None
    plain = _plain(text.replace("?", " "))
    return next((kind for kind, phrases in _SMALL_TALK.items() if plain in phrases), None)
