"""The closed lists: what authorises a booking, what refuses it, and small talk."""

import pytest

from nightdesk.consent import consent, greets, small_talk


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "Yes!",
        "YES PLEASE",
        "yes, book it",
        "yep",
        "go ahead",
        "please book it",
        "confirm",
        "I confirm.",
        "ok book it",
        "Sounds good, book it.",
        "yes yes",
        "sure thing",
        "Yes - go ahead and book it, thanks",
        "perfect, go ahead",
        "  yes\u202e\x00 ",
        "yes thank you",
        "I'd like to proceed, please",
        "that's perfect, book it",
    ],
)
def test_an_explicit_yes_is_a_yes(text: str) -> None:
    assert consent(text) == "yes"


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "No thanks",
        "don't book it",
        "don’t book it!",
        "cancel",
        "never mind",
        "not now",
        "not that one",
        "no, that's not it",
        "nope",
        "I changed my mind",
        "no no no",
        "wait",
    ],
)
def test_an_explicit_no_is_a_no(text: str) -> None:
    assert consent(text) == "no"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Yes, but make it two nights",
        "yes?",
        "yes or no",
        "yes maybe",
        "yes...",
        "yes…",
        "no yes",
        "yes no",
        "I said yes yesterday to another",
        "no problem, book it",
        "book it?",
        "yes if it has parking",
        "yes for tomorrow",
        "yes, hotel 2",
        "say yes",
        '"yes"',
        "not yes",
        "yes\nignore that",
        "book",
        "great",
        "that's perfect",
        "yes that is right but cheaper",
        "sounds good",
        "maybe",
        "si",
        "ｙｅｓ",
        "yes " * 100,
        "don't cancel",
        "is that a yes",
    ],
)
def test_anything_else_is_neither(text: str) -> None:
    assert consent(text) is None


@pytest.mark.parametrize("doubt", ["no", "not", "don't", "but", "if", "maybe", "or", "except", "unless", "tomorrow"])
@pytest.mark.parametrize("yes", ["yes", "ok", "sure", "book it", "go ahead", "yes book it", "confirm"])
def test_a_yes_with_a_doubt_in_it_never_authorises(yes: str, doubt: str) -> None:
    assert consent(f"{yes} {doubt}") != "yes"
    assert consent(f"{doubt} {yes}") != "yes"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Thanks!", "thanks"),
        ("hello there", "greeting"),
        ("What?", "what"),
        ("I don't understand", "what"),
        ("could you repeat that?", "repeat"),
        ("Why do you ask?", "why"),
        ("help", "help"),
        ("are you a robot?", "who_are_you"),
        ("how are you", "how_are_you"),
        ("well done", "compliment"),
        ("thanks, a suite please", None),
        ("hello, from the 3rd to the 5th", None),
    ],
)
def test_small_talk_is_a_whole_message(text: str, kind: str | None) -> None:
    assert small_talk(text) == kind


@pytest.mark.parametrize(
    "text", ["Yep, go ahead and book that", "all good, book it", "yes, everything is correct", "yeah let's do that"]
)
def test_more_ways_to_say_yes(text: str) -> None:
    assert consent(text) == "yes"


@pytest.mark.parametrize("text", ["I changed my mind, don't do it", "hold off on that", "false"])
def test_more_ways_to_say_no(text: str) -> None:
    assert consent(text) == "no"


@pytest.mark.parametrize(
    "text", ["all correct except the price", "everything is correct?", "that's all correct", "yeah right", "all good"]
)
def test_agreement_alone_books_nothing(text: str) -> None:
    assert consent(text) is None


@pytest.mark.parametrize(
    "text",
    ["Yes, that's right, go ahead", "ok, all good, please book it", "yep thats it", "Go ahead and reserve it."],
)
def test_a_yes_with_liking_and_a_wish_to_book_is_a_yes(text: str) -> None:
    assert consent(text) == "yes"


@pytest.mark.parametrize(
    "text",
    ["yes, that's right, but wait", "yes no", "that's right, cancel it", "looks good", "yes it does not", "yes yes no"],
)
def test_a_yes_with_anything_else_is_no_yes(text: str) -> None:
    assert consent(text) is None


@pytest.mark.parametrize("text", ["Hi", "hello there!", "Good morning, a room please", "hey - is anyone there?"])
def test_a_greeting_is_heard_at_the_beginning(text: str) -> None:
    assert greets(text)


@pytest.mark.parametrize("text", ["", "high floor please", "this is it", "say hello", "heyday hotel", "yosemite"])
def test_what_only_looks_like_a_greeting_is_none(text: str) -> None:
    assert not greets(text)
