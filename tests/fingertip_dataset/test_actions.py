from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fingertip_dataset.actions import (
    MAX_COORDINATE,
    MAX_LENGTH,
    Action,
    Click,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
    Scroll,
    Type,
    Wait,
    canonical,
    format_action,
    list_action_fields,
    parse_action,
)
from fingertip_dataset.errors import ActionSyntaxError
from tests.examples import examples
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)
READ = VECTORS["read"]

REFUSED = [
    *VECTORS["refused"],
    (f"click(coordinates=({'9' * 5000}, 2))", "expected a number as coordinate, got '9999"),
]


def refusal(raw: str) -> str | None:
    """Why `raw` is refused; None where it is read. Any other exception goes through."""
    try:
        parse_action(raw)
    except ActionSyntaxError as error:
        return str(error)
    return None


@pytest.mark.parametrize(("raw", "action"), READ)
def test_what_the_release_and_models_write_is_read(raw: str, action: str) -> None:
    assert repr(parse_action(raw)) == action


@pytest.mark.parametrize(("raw", "why"), REFUSED)
def test_invalid_actions_are_refused_with_the_reason(raw: str, why: str) -> None:
    message = refusal(raw)
    assert message is not None
    assert why in message
    assert len(message) < 200
    assert message.isprintable()


# every character, half surrogates included: JSON may hold them
ANY_TEXT = st.text(st.characters(exclude_categories=()))
HOSTILE_PIECES = [*"'\"’”()（），=\n ", ", ", "content=", "', direction='up')"]
HOSTILE_TEXT = st.lists(st.sampled_from(HOSTILE_PIECES)).map("".join)
TEXTS = ANY_TEXT | HOSTILE_TEXT
COORDINATES = st.integers(-MAX_COORDINATE, MAX_COORDINATE) | st.floats(-MAX_COORDINATE, MAX_COORDINATE)
ACTIONS = st.one_of(
    st.builds(Click, x=COORDINATES, y=COORDINATES, content=st.none() | TEXTS),
    st.builds(LongClick, x=COORDINATES, y=COORDINATES, content=st.none() | TEXTS),
    st.builds(Type, text=TEXTS),
    st.builds(
        Scroll, x=COORDINATES, y=COORDINATES, direction=st.sampled_from(["up", "down", "left", "right"])
    ),
    st.sampled_from([PressBack(), PressHome(), PressRecent(), Wait(), Finished()]),
)


@given(ACTIONS)
@settings(deadline=None, max_examples=examples(500))
@example(Click(x=1, y=2, content="'"))
@example(Click(x=1, y=2, content='"'))
@example(Click(x=1, y=2, content="a')"))
@example(Click(x=1, y=2, content="', direction='up')"))
@example(Click(x=1, y=2, content="', coordinates=(3, 4)"))
@example(Click(x=1, y=2, content=" a "))
@example(Click(x=1, y=2, content=""))
@example(Click(x=1, y=2, content=None))
@example(Click(x=1.0, y=-0.0, content="，"))
@example(Click(x=5e-324, y=999999999.9999999))
@example(Type(text="finished()"))
@example(Finished())
@example(Finished(content=""))
@example(Finished(content="7:30, it's 'late' (really)"))
@example(Type(text="\ud800"))
def test_what_is_written_is_read_back(action: Action) -> None:
    # repr tells 1 from 1.0 and 0.0 from -0.0, which == does not
    assert repr(parse_action(format_action(action))) == repr(action)
    assert parse_action(format_action(action)) == action


PIECES = [
    *["click", "long_click", "type", "scroll", "wait", "finish"],
    *["coordinates", "content", "text", "direction", "up", "-2.5", "1e9", "nan"],
    *"()（）,，=＝'\"‘”1 \n\u00a0中\ud800\x00",
    *("coordinates=(1, 2)", "content='", "')"),
]


@given(ANY_TEXT | st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
@settings(deadline=None, max_examples=examples(1000))
def test_any_text_is_an_action_or_an_error_of_ours_and_canonical_is_stable(raw: str) -> None:
    if refusal(raw) is None:
        assert canonical(raw) == format_action(parse_action(raw))
        assert canonical(canonical(raw)) == canonical(raw)
    else:
        assert canonical(raw) == raw


@given(ACTIONS, st.data())
@settings(deadline=None, max_examples=examples(300))
def test_a_damaged_action_is_an_action_or_an_error_of_ours(action: Action, data: st.DataObject) -> None:
    raw = format_action(action)
    start = data.draw(st.integers(0, len(raw)))
    end = data.draw(st.integers(start, len(raw)))
    refusal(raw[:start] + data.draw(st.sampled_from(["", *PIECES])) + raw[end:])


HUGE = pytest.param(10**5000, id="5001 digits")


@pytest.mark.parametrize("coordinate", [math.nan, math.inf, -math.inf, 1e300, MAX_COORDINATE + 1, HUGE])
def test_a_point_that_no_screen_has_cannot_be_made(coordinate: float) -> None:
    with pytest.raises(ActionSyntaxError, match="expected a coordinate of at most 1000000000 px, got '"):
        Click(x=coordinate, y=0)
    with pytest.raises(ActionSyntaxError, match="expected a coordinate of at most 1000000000 px, got '"):
        Scroll(x=0, y=coordinate, direction="up")


def test_a_text_up_to_the_limit_is_read_back_and_one_beyond_is_refused() -> None:
    longest = Type(text="中" * (MAX_LENGTH - len("type(text='')")))
    assert parse_action(format_action(longest)) == longest
    with pytest.raises(
        ActionSyntaxError, match="expected at most 100000 characters, got '100001 characters'"
    ):
        parse_action(format_action(longest).replace("中')", "中中')"))


def test_a_row_of_the_dataset_holds_every_field() -> None:
    raw = "scroll(coordinates=(5,6),direction='up')"
    assert list_action_fields(parse_action(raw), raw) == {
        "type": "scroll",
        "x": 5.0,
        "y": 6.0,
        "direction": "up",
        "text": None,
        "content": None,
        "raw": raw,
    }
    assert isinstance(list_action_fields(parse_action(raw), raw)["x"], float)
    assert list_action_fields(Click(x=1, y=2, content=""), "c")["content"] == ""
    assert list_action_fields(Type(text="a"), "t")["text"] == "a"
    unparsable = list_action_fields(None, "I am done")
    assert unparsable["type"] == "unparsable"
    assert [key for key, value in unparsable.items() if value is not None] == ["type", "raw"]


@pytest.mark.parametrize("raw", [raw for raw, _ in READ])
def test_the_column_type_is_the_name_of_the_call(raw: str) -> None:
    action = parse_action(raw)
    assert format_action(action).startswith(f"{list_action_fields(action, '')['type']}(")


def test_every_action_of_the_real_release_is_read_and_written_as_it_was(real_release: Path) -> None:
    lines = [
        raw
        for file in sorted(real_release.glob("raw/**/action.jsonl"))
        for line in file.read_text(encoding="utf-8-sig").splitlines()
        for raw in json.loads(line).values()
    ]
    assert len(lines) > 100
    assert [canonical(raw) for raw in lines] == lines
    assert [format_action(parse_action(raw)) for raw in lines] == lines
