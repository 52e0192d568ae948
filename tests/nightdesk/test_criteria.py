"""Each owner's judgement: the seed's invariants, half answers, clearing, and what guests see of it."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from nightdesk.criteria import BY_NAME, CRITERIA
from nightdesk.criteria.amenities import AMENITIES, Amenities, CaptureAmenities
from nightdesk.criteria.budget import BUDGET, Budget, CaptureBudget
from nightdesk.criteria.dates import DATES, CaptureDates, Dates
from nightdesk.criteria.distance import DISTANCE, CaptureDistance, Distance
from nightdesk.criteria.room_type import ROOM_TYPE, CaptureRoomType, RoomType
from nightdesk.vocabulary import AMENITY_WORDS

TODAY = date(2026, 1, 15)


def august(check_in: int, check_out: int | None = None) -> Dates:
    """A stay in August 2027, or only its first day."""
    return Dates(check_in=date(2027, 8, check_in), check_out=date(2027, 8, check_out) if check_out else None)


@pytest.mark.parametrize(
    ("saved", "given_", "value"),
    [
        (None, {"check_in": "2027-08-03", "check_out": "2027-08-09"}, august(3, 9)),
        (None, {"check_in": "2027-08-03"}, august(3)),
        (None, {"nights": 3}, Dates(nights=3)),
        (august(12), {"nights": 3}, august(12, 15)),
        (Dates(nights=3), {"check_in": "2027-08-12"}, august(12, 15)),
        (Dates(nights=3), {"check_out": "2027-08-12"}, august(9, 12)),
        (august(3, 9), {"check_out": "2027-08-08"}, august(3, 8)),
        (august(3, 9), {"check_in": "2027-08-05"}, august(5, 9)),
        (august(3, 9), {"check_in": "2027-08-20"}, august(20)),
    ],
)
def test_dates_join_what_is_saved(saved: Dates | None, given_: dict[str, Any], value: Dates) -> None:
    assert DATES.judge(saved, CaptureDates(**given_), TODAY).value == value


@pytest.mark.parametrize(
    ("given_", "words"),
    [
        ({"check_in": "2027-02-30", "check_out": "2027-03-05"}, "February 30, 2027"),
        ({"check_in": "2025-08-01", "check_out": "2025-08-08"}, "in the past"),
        ({"check_in": "2026-01-15", "check_out": "2026-01-16"}, "is today"),
        ({"check_in": "2027-08-09", "check_out": "2027-08-03"}, "not after check-in"),
        ({"check_in": "2027-08-09", "check_out": "2027-08-09"}, "not after check-in"),
        ({"check_in": "2027-08-03", "nights": 0}, "1 to 365"),
        ({"check_in": "2027-08-03", "nights": 10**9}, "1 to 365"),
        ({"check_in": "2027-01-01", "check_out": "2029-01-01"}, "365 nights"),
        ({"check_in": "9999-12-30", "nights": 30}, "calendar"),
        ({"check_in": "next tuesday"}, "next tuesday"),
    ],
)
def test_dates_refuse_and_ask_again(given_: dict[str, Any], words: str) -> None:
    judged = DATES.judge(None, CaptureDates(**given_), TODAY)
    assert judged.value is None
    assert words in judged.problems[0].text
    assert judged.problems[0].asks


def test_dates_that_were_saved_can_pass() -> None:
    saved = Dates(check_in=date(2026, 1, 16), check_out=date(2026, 1, 18))
    assert DATES.issues(saved, TODAY) == ()
    assert DATES.issues(saved, date(2026, 1, 16)) != ()


@pytest.mark.parametrize(
    ("saved", "given_", "value"),
    [
        (None, {"max": 700}, Budget(max=Decimal(700))),
        (Budget(max=Decimal(700)), {"min": 200}, Budget(min=Decimal(200), max=Decimal(700))),
        (Budget(min=Decimal(200), max=Decimal(700)), {"max": 500}, Budget(min=Decimal(200), max=Decimal(500))),
        (Budget(min=Decimal(200), max=Decimal(700)), {"max": 500, "no_preference": True}, Budget(max=Decimal(500))),
        (Budget(max=Decimal(700)), {"no_preference": True}, Budget()),
        (None, {"max": 612.9}, Budget(max=Decimal("612.90"))),
        (None, {"min": 0, "max": 0}, Budget(min=Decimal(0), max=Decimal(0))),
    ],
)
def test_budget_keeps_what_is_not_given_and_clears_only_when_told(
    saved: Budget | None, given_: dict[str, Any], value: Budget
) -> None:
    assert BUDGET.judge(saved, CaptureBudget(**given_), TODAY).value == value


@pytest.mark.parametrize(
    "given_", [{"min": 800, "max": 500}, {"max": -1}, {"max": float("inf")}, {"max": float("nan")}, {"min": 1e300}]
)
def test_budget_refuses_and_saves_nothing(given_: dict[str, Any]) -> None:
    judged = BUDGET.judge(Budget(max=Decimal(700)), CaptureBudget(**given_), TODAY)
    assert judged.value is None
    assert judged.problems


def test_a_new_maximum_below_the_saved_minimum_is_refused() -> None:
    assert BUDGET.judge(Budget(min=Decimal(600)), CaptureBudget(max=500), TODAY).value is None


@pytest.mark.parametrize("given_", [{"airport_miles": -5}, {"city_center_miles": float("inf")}, {"airport_miles": 1e9}])
def test_distance_refuses_what_is_no_distance(given_: dict[str, Any]) -> None:
    judged = DISTANCE.judge(None, CaptureDistance(**given_), TODAY)
    assert judged.value is None
    assert judged.problems


def test_distance_clears_one_limit_when_told() -> None:
    saved = Distance(airport=5, city_center=3)
    judged = DISTANCE.judge(saved, CaptureDistance(airport_miles=2, no_preference=True), TODAY)
    assert judged.value == Distance(airport=2)


def test_room_types_come_from_a_closed_list() -> None:
    assert ROOM_TYPE.judge(None, CaptureRoomType(room_type=" Two_Beds "), TODAY).value == RoomType(room_type="two beds")
    refused = ROOM_TYPE.judge(None, CaptureRoomType(room_type="igloo"), TODAY)
    assert refused.value is None
    assert "igloo" in refused.problems[0].text


def test_amenities_are_used_in_part_and_the_rest_is_named_back() -> None:
    judged = AMENITIES.judge(None, CaptureAmenities(amenities=["freeWiFi", "pool", "balcony", "kitchen"]), TODAY)
    assert judged.value == Amenities(amenities=("freeWiFi", "kitchen"))
    assert [problem.asks for problem in judged.problems] == [True, False]
    assert "indoor pool or outdoor pool" in judged.problems[0].text
    assert "balcony" in judged.problems[1].text


def test_an_unknown_amenity_alone_answers_nothing() -> None:
    assert AMENITIES.judge(None, CaptureAmenities(amenities=["balcony"]), TODAY).value is None


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda criterion: criterion.name)
def test_no_preference_is_an_answer_for_all_but_dates(criterion: Any) -> None:
    if criterion is DATES:
        with pytest.raises(ValidationError):
            criterion.arguments_type(no_preference=True)
        return
    judged = criterion.judge(None, criterion.arguments_type(no_preference=True), TODAY)
    assert criterion.answered(judged.value)
    assert criterion.words(judged.value) == "no preference"


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda criterion: criterion.name)
def test_nothing_said_changes_nothing(criterion: Any) -> None:
    judged = criterion.judge(None, criterion.arguments_type(), TODAY)
    assert (judged.value, judged.problems) == (None, ())


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda criterion: criterion.name)
@given(data=st.data())
def test_no_arguments_of_a_model_can_raise_or_save_what_validation_refuses(criterion: Any, data: st.DataObject) -> None:
    words = st.text(max_size=10) | st.sampled_from(list(AMENITY_WORDS))
    anything = {
        "str | None": st.none() | st.text(max_size=30) | st.dates().map(str),
        "int | None": st.none() | st.integers(),
        "float | None": st.none() | st.floats() | st.integers(-10, 2000).map(float),
        "bool | None": st.none() | st.booleans(),
        "list[str] | None": st.none() | st.lists(words, max_size=5),
    }
    fields = criterion.arguments_type.model_fields
    arguments = criterion.arguments_type(
        **{name: data.draw(anything[str(field.annotation)]) for name, field in fields.items()}
    )
    judged = criterion.judge(None, arguments, TODAY)
    if judged.value is not None and criterion.answered(judged.value):
        assert criterion.issues(judged.value, TODAY) == ()
        assert criterion.words(judged.value)
        assert criterion.from_state({"answered": True, **criterion.state(judged.value)}) == judged.value


def test_each_criterion_is_found_by_its_name() -> None:
    assert list(BY_NAME) == ["dates", "budget", "room_type", "amenities", "distance"]
