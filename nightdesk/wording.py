"""What guests are told, apart from each criterion's own words: short, plain, and what can be done next.

Never an internal name, a stack trace, or markup. Facts come from the rows they are given.
"""

from collections.abc import Iterable, Sequence

from nightdesk import money
from nightdesk.booking import Cancelled, Confirmed, Offer, RefusalReason, Refused
from nightdesk.boundaries import Shown
from nightdesk.conversation import Outcome, Reservation
from nightdesk.criteria import BY_NAME, AnyCriterion
from nightdesk.criteria.amenities import listed
from nightdesk.hotels import Hotel, SearchRequest
from nightdesk.refusals import Refusal
from nightdesk.snapshot import Snapshot
from nightdesk.stay import long_date, nights_words
from nightdesk.understanding.reading import Remark
from nightdesk.vocabulary import AMENITY_WORDS

CAN_DO = (
    "I can help you book a hotel room in Portland, Oregon, in English: tell me your dates, budget, room type, "
    "amenities and distance, in any order."
)
HELLO = "Hello."
WELCOME = "Hello, and welcome: I book hotel rooms in Portland, Oregon."
WHO = "I am Nightdesk, a program that books hotel rooms in Portland, Oregon."
SEARCH_OR_CHANGE = 'Say "search" to see hotels, or tell me what to change.'
WHICH_HOTEL = "Which one would you like? Say its number or name, or tell me what to change."
ALL_I_KNOW = "This is all I know about them beside the prices:"
PRICE_NOT_CONFIRMED = "The hotel does not confirm the price that the search shows, so I cannot offer it."
AS_IT_WAS = "All right, that stays as it was."
NOT_NOTED = "All right, I have not noted that."
NO_NAME_YET = (
    "To book, I need your name and e-mail address, and this conversation was started without them: what I have here "
    "cannot be booked until you start one with both."
)
NO_MATCH = (
    "No hotel fits all of that. Your answers are kept: change one of them, such as the budget, and then say "
    '"search" again.'
)
SEARCH_IS_OUT = 'I cannot reach the hotel search right now. Your answers are kept: say "search" to try again.'
ONE_CORRECTION = (
    "Before I search I want to be sure that I have this right. Please tell me the one thing to change, or say "
    '"that is right".'
)
NO_OFFER = "There is nothing to confirm right now."
NOT_BOOKED = "All right, nothing was booked. The hotels are still here."
OFFER_EXPIRED = "That offer has expired, so I looked again."
STILL_THERE = "These are still there:"
ONLY_ONE = "That was the only one shown."
UNSEEN_TERMS = "Your message crossed with new terms, so it is no yes to them. This is what I can offer now:"
_SAY_YES = 'To book exactly this, say "yes"; otherwise say "no", or tell me what to change.'
STILL_CHECKING = (
    "I cannot see yet whether your booking went through. I am checking, and I will not book anything else "
    "meanwhile. I will tell you as soon as I know."
)
WILL_CANCEL = "I am still checking whether your booking went through. As soon as I know, I will cancel it."
ENDING_AFTER_CHECK = "I will close this conversation as soon as I know what became of your booking."
EMPTY = "I received an empty message. Please write what you would like."
TOO_LONG = "That message is longer than 4,000 characters, which is more than I can read. Please say it more shortly."
UNUSABLE = "I could not read that message. Please write what you would like as plain text."
TOO_MANY = "That is more than I can take in at once, so I did not read this message. Please say it again in a moment."
TROUBLE = "Something went wrong while I worked on that, and nothing was changed. Please say it again."

_ANOTHER_ROOM = "To book another room, please start a new conversation."

_REFUSALS: dict[RefusalReason, str] = {
    "not_signed_in": (
        "Nothing was booked: I do not know who you are, and a reservation needs a name and an e-mail address. Please "
        "start a conversation as a guest with both."
    ),
    "offer_altered": "Nothing was booked: those are not the terms I offered. Please choose a hotel again.",
    "offer_expired": "Nothing was booked: that offer had expired.",
    "price_changed": "Nothing was booked: the price has changed since I offered it.",
    "sold_out": "Nothing was booked: that room has just been sold for one of your nights.",
    "date_passed": (
        "Nothing was booked: your check-in date is no longer in the future at the hotel. Please give me new dates."
    ),
    "over_limit": (
        "Nothing was booked: the total is more than one reservation may cost here. A cheaper hotel or a shorter stay "
        "may fit."
    ),
    "already_booked": (
        f"Nothing more was booked: this conversation had a reservation when you said yes. {_ANOTHER_ROOM}"
    ),
    # Whatever those other terms came to still stands, so "nothing was booked" might be untrue.
    "key_reused": "Nothing more was booked: that message had been used for other terms. Please choose a hotel again.",
    "hotel_unknown": "Nothing was booked: the hotel no longer offers that room. Please choose another.",
    "voided": "Nothing was booked: that booking was called off.",
}


def joined(parts: Iterable[str]) -> str:
    """One reply out of its parts."""
    return "\n".join(part for part in parts if part)


def saved(snapshot: Snapshot, changed: Sequence[str]) -> str:
    """What was just saved, in absolute form, so that a misreading shows."""
    return joined(
        f"{BY_NAME[name].title.capitalize()}: {snapshot.words(BY_NAME[name])}." for name in BY_NAME if name in changed
    )


def summary(snapshot: Snapshot) -> str:
    """All criteria, and what to do next."""
    lines = "\n".join(f"- {line}" for line in snapshot.lines())
    return f"This is what I have:\n{lines}"


def remark(criterion: AnyCriterion, made: Remark) -> str:
    """What was understood to be about a criterion, but cannot be saved: named, with what is needed."""
    quote = f'"{made.quote[:60]}"'
    match made.code:
        case "impossible_date":
            return f"{quote} is not a date in the calendar. Which date do you mean?"
        case "past_date":
            return f"{quote} is in the past. Which dates would you like?"
        case "reversed_dates":
            return f"In {quote} the check-out is not after the check-in. Which dates do you mean?"
        case "weekday_mismatch":
            return f"In {quote} the weekday and the date do not fit together. Which date do you mean?"
        case "nights_mismatch":
            return f"In {quote} the dates and the number of nights do not fit together. Which dates do you mean?"
        case "ambiguous" if made.options:
            options = " or ".join(AMENITY_WORDS.get(option, option.replace("_", " ")) for option in made.options)
            return f"By {quote}, do you mean {options}?"
        case "unsupported":
            return f"I cannot search by {quote}."
        case "currency":
            return f"You wrote {quote}; prices here are in US dollars. What is that in dollars per night?"
        case "about":
            return f"You said {quote}. What is the most you would pay per night, in dollars?"
        case "total":
            return f"You said {quote}. I need the limit for one night: what is the most you would pay per night?"
        case "level":
            return f"You said {quote}. In dollars, what is the most you would pay per night?"
        case "near":
            return f"You said {quote}. How many miles at most?"
        case "negative":
            return f"{quote} cannot be negative. {criterion_hint(criterion)}"
        case _:
            return f"I am not sure what you mean by {quote} about the {criterion.title}. {criterion_hint(criterion)}"


def criterion_hint(criterion: AnyCriterion) -> str:
    """An answer that works."""
    return f'For example: "{criterion.example}".'


def not_caught(criterion: AnyCriterion) -> str:
    """The message was about this criterion, but nothing could be read."""
    return f"I did not catch the {criterion.title}. {criterion_hint(criterion)}"


def not_all(criterion: AnyCriterion) -> str:
    """Some of what was said about this criterion could not be used."""
    return f"I could not use all that you said about the {criterion.title}."


def menu(criterion: AnyCriterion | None) -> str:
    """After three misunderstandings in a row: what works, with examples."""
    if criterion is None:
        return joined(
            [
                "Let us try it this way. You can say, for example:",
                '- "search" to see hotels',
                '- "show my criteria" to see what I have',
                '- "change the budget to $300" or any other change',
                '- "bye" to leave',
            ]
        )
    lines = [
        f"Let us try it this way. I am asking about the {criterion.title}, because {criterion.reason}. You can say:",
        f'- "{criterion.example}"',
    ]
    if criterion.name != "dates":
        lines.append('- "no preference"')
    return joined([*lines, '- "show my criteria" to see what I have', '- "bye" to leave'])


def why(criterion: AnyCriterion | None) -> str:
    """Why the open question is asked."""
    return f"I ask about the {criterion.title} because {criterion.reason}." if criterion else CAN_DO


def nightly_range(hotel: Hotel) -> str:
    """ "$612.90 a night", or "$612.90 to $655 a night"."""
    prices = [night.price for night in hotel.nightly]
    low, high = min(prices), max(prices)
    if low == high:
        return f"{money.words(low, hotel.currency)} a night"
    return f"{money.words(low, hotel.currency)} to {money.words(high, hotel.currency)} a night"


def hotel_line(shown: Shown) -> str:
    """One hotel of the list: nightly range and total."""
    hotel = shown.hotel
    return (
        f"{shown.number}. {hotel.name}: {hotel.room_type}, {nightly_range(hotel)}, "
        f"{money.words(hotel.total, hotel.currency)} in total for {nights_words(len(hotel.nightly))}"
    )


def hotel_list(hotels: Sequence[Shown], matched: int) -> str:
    """Code's own rendering of the saved hotels."""
    count = len(hotels)
    if matched > count:
        head = f"{matched} hotels fit; these are the {count} with the lowest total:"
    else:
        head = "One hotel fits:" if count == 1 else f"{count} hotels fit:"
    return joined([head, *(hotel_line(shown) for shown in hotels)])


def noticed(made: Remark) -> str:
    """What the guest asked for by a name that is not this desk's."""
    match made.code:
        case "other_city":
            return f"I book hotels in Portland, Oregon, only, so I have nothing in {made.quote}."
        case "not_shown":
            return f"{made.quote} is not one of the hotels shown."
        case _:
            return f'I know no hotel here by the name of "{made.quote}".'


def hotel_facts(hotel: Hotel) -> str:
    """All that the search says about a hotel, for a question about it."""
    amenities = listed(hotel.amenities) or "no listed amenities"
    return (
        f"This is all I know: {hotel.name}, {hotel.address}, offers: {amenities}. It is {hotel.miles.airport:g} miles "
        f"from the airport and {hotel.miles.city_center:g} miles from the city center. Your room: {hotel.room_type}, "
        f"{nightly_range(hotel)}, {money.words(hotel.total, hotel.currency)} in total."
    )


def hotel_brief(shown: Shown) -> str:
    """What the search says about one of several hotels."""
    hotel = shown.hotel
    return (
        f"{shown.number}. {hotel.name}: {listed(hotel.amenities) or 'no listed amenities'}; "
        f"{hotel.miles.airport:g} miles to the airport, {hotel.miles.city_center:g} to the city center"
    )


def terms(offer: Offer) -> str:
    """The exact terms of an offer: what a yes agrees to."""
    nights = zip(offer.stay.nights, offer.nightly, strict=True)
    nightly = ", ".join(f"{night:%b} {night.day}: {money.words(price, offer.currency)}" for night, price in nights)
    return joined(
        [
            f"{offer.name}, {offer.room_type}",
            f"{long_date(offer.check_in)} to {long_date(offer.check_out)}, {nights_words(len(offer.nightly))}",
            f"Per night: {nightly}",
            f"Total: {money.words(offer.total, offer.currency)}",
        ]
    )


def choose_shown(hotels: Sequence[Shown]) -> str:
    """The choice was none of those shown, or could not be told."""
    shown = [item.number for item in hotels]
    # A room that has gone leaves a gap: the others keep their numbers.
    unbroken = len(shown) > 2 and shown == list(range(shown[0], shown[-1] + 1))
    numbers = f"{shown[0]} to {shown[-1]}" if unbroken else " or ".join(map(str, shown))
    return f"Please choose one of the hotels shown, by its number ({numbers}) or its name."


def gone(name: str) -> str:
    """Looked at again, this hotel is no longer among what fits."""
    return f"{name} is sold out by now, or no longer fits what you asked for."


def confirmed(row: Confirmed) -> str:
    """From the committed row."""
    return f"Booked. Your confirmation number is {row.confirmation_number}: {_booked(row)}. Have a good stay!"


def _booked(row: Confirmed) -> str:
    """What a reservation is: hotel, dates, total."""
    return (
        f"{row.hotel_name}, {row.room_type}, {long_date(row.check_in)} to {long_date(row.check_out)}, "
        f"{money.words(row.total, row.currency)} in total"
    )


def search_refused(why: Refusal, request: SearchRequest) -> str:
    """Why the hotel server will never take this search, and which answer to change."""
    match why.reason:
        case "check_in_passed":
            now = f"it is already {long_date(why.today)} there" if why.today else "that day has come or passed there"
            day = f"{request.check_in:%B} {request.check_in.day}, {request.check_in.year}"
            return f"The hotel no longer takes a check-in on {day}: {now}. Please give me new dates."
        case "check_out_not_after":
            return "The hotel takes only a check-out after the check-in. Please give me new dates."
        case "too_many_nights":
            most = f": it takes at most {nights_words(why.most_nights)}" if why.most_nights else ""
            nights = nights_words((request.check_out - request.check_in).days)
            return f"The hotel does not take a stay of {nights}{most}. Please give me new dates."
        case "room_type_unknown":
            return f'The hotels here have no "{request.room_type}". Which other type of room would you like?'
        case "amenity_unknown":
            return (
                f"The hotels here cannot be searched by all of these: {listed(request.amenities)}. Which amenities do "
                "you need?"
            )
        case "budget_negative":
            return "The hotels here do not take a budget below zero. What is the most you would pay per night?"
        case "budget_reversed":
            return (
                "The hotels here do not take a budget whose minimum is more than its maximum. Which limits would you "
                "like per night?"
            )
        case "distance_negative":
            return "The hotels here do not take a distance below zero. How many miles may it be?"
        case "other":
            return f"The hotels here do not take a search like this. Your answers are kept. {SEARCH_OR_CHANGE}"


def refusal(reason: RefusalReason) -> str:
    """Why nothing was booked, and what can be done."""
    return _REFUSALS[reason]


def refused(outcome: Refused) -> str:
    """Why nothing was booked, what the same message had come to before, and the reservation that stands."""
    row, earlier = outcome.existing, outcome.earlier
    match outcome.reason, earlier:
        case "already_booked", _ if row:
            return (
                f"Nothing more was booked: this conversation already has a reservation, {row.confirmation_number}: "
                f"{_booked(row)}. {_ANOTHER_ROOM}"
            )
        case "key_reused", Confirmed():
            return (
                f"That message has already booked {_booked(earlier)}, as {earlier.confirmation_number}; nothing more "
                f"was booked. {_ANOTHER_ROOM}"
            )
        case _, Cancelled(confirmation_number=str(number)):
            why = f"That message had booked {number}, which has been cancelled since. Nothing more was booked."
        case "key_reused", Cancelled():
            why = refusal("voided")
        case "key_reused", Refused():
            why = f"I have answered that message before, and the answer stands. {refusal(earlier.reason)}"
        case _:
            why = refusal(outcome.reason)
    return joined([why, _standing(row) if row else ""])


def _standing(row: Confirmed) -> str:
    return f"This conversation has a reservation, {row.confirmation_number}: {_booked(row)}."


def cancelled(confirmation_number: str | None, existing: Confirmed | None = None) -> str:
    """The guest called a booking off while its outcome was unknown; `existing` is what another yes had booked."""
    if confirmation_number:
        said = f"The booking had gone through as {confirmation_number}; it is cancelled now, and nothing is owed."
        return joined([said, _standing(existing) if existing else ""])
    said = "The booking had not gone through, and it cannot any more."
    return f"{said} {_standing(existing) if existing else 'Nothing is booked.'}"


def none_of_these(*, reset: bool) -> str:
    """No to all that is shown. A run that goes on from a reset does not know what was booked after that point."""
    return f"All right, none of these. {'Nothing more was' if reset else 'Nothing is'} booked."


def say_yes(*, reset: bool) -> str:
    """After the terms. A run that goes on from a reset does not know what was booked after that point."""
    return _SAY_YES if reset else f"Nothing is booked yet. {_SAY_YES}"


def still_offered(offer: Offer, *, reset: bool) -> str:
    """Where the terms were not just stated: what a yes would agree to, by name."""
    return (
        f"My offer is still {offer.name}, {offer.room_type}, {nights_words(len(offer.nightly))} from "
        f"{long_date(offer.check_in)}, {money.words(offer.total, offer.currency)} in total. {say_yes(reset=reset)}"
    )


def goodbye(reservation: Reservation | None, *, reset: bool, idle: bool = False) -> str:
    """The last words, when the conversation closes without a confirmed booking."""
    opening = "I have not heard from you for a while, so I am closing this conversation." if idle else "Goodbye."
    # These two refusals say that there may be a reservation which this run knows nothing of (a reset).
    unsure = reservation is not None and reservation.reason in ("already_booked", "key_reused")
    if reservation and reservation.existing:
        truth = _besides(reservation.existing)
    else:
        truth = "Nothing more was booked" if unsure or reset else "Nothing is booked"
    return f"{opening} {truth}; start a new conversation whenever you like."


def _besides(row: Confirmed) -> str:
    """True also when the hotel has cancelled it since, which nobody tells the conversation."""
    return f"Besides {row.confirmation_number} ({_booked(row)}) nothing was booked"


def closed(outcome: Outcome | None, reservation: Reservation | None) -> str:
    """For a message that arrives while the conversation closes."""
    if outcome == "booked" and reservation and reservation.confirmation_number:
        return (
            f"This conversation is closed: your booking is {reservation.confirmation_number}. Please start a new one "
            "for anything else."
        )
    if reservation and reservation.existing:
        return f"This conversation is closed. {_besides(reservation.existing)}. Please start a new one."
    return "This conversation is closed. Please start a new one."
