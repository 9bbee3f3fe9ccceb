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

READ = [
    ("click(coordinates=(336, 1267), content='蓝色加号按钮')", Click(x=336, y=1267, content="蓝色加号按钮")),
    ("type(text='早餐店')", Type(text="早餐店")),
    ("scroll(coordinates=(137, 325), direction='down')", Scroll(x=137, y=325, direction="down")),
    ("press_back()", PressBack()),
    ("press_home()", PressHome()),
    ("press_recent()", PressRecent()),
    ("wait()", Wait()),
    ("finished()", Finished()),
    ("finish()", Finished()),
    ("finished(content='07:30')", Finished(content="07:30")),
    ("finish( content = “8,892 步” )", Finished(content="8,892 步")),
    (  # quotes inside are not escaped in the release
        "click(coordinates=(296, 737), content='English cards 'Fresh English'. ESL (free). …')",
        Click(x=296, y=737, content="English cards 'Fresh English'. ESL (free). …"),
    ),
    ('click(coordinates=(1, 2), content="it\'s")', Click(x=1, y=2, content="it's")),
    ("click(coordinates=(1, 2), content='say \"hi\"')", Click(x=1, y=2, content='say "hi"')),
    ("click(coordinates=(1, 2))", Click(x=1, y=2)),
    ("click(coordinates=(1, 2), content='a\n\nb')", Click(x=1, y=2, content="a\n\nb")),
    ("click(coordinates=(367, 1672), content='\u00a0off ')", Click(x=367, y=1672, content="\u00a0off ")),
    ("click(coordinates=(336.5, -7.25), content='x')", Click(x=336.5, y=-7.25, content="x")),
    ("click(coordinates=(1e2, .5))", Click(x=100.0, y=0.5)),
    ("  click (\tcoordinates = ( 1 ,2 )  ,content = 'a' )\n", Click(x=1, y=2, content="a")),
    ("click(\u00a0coordinates=(1,\u00a02),\u3000content='a')", Click(x=1, y=2, content="a")),
    ("click（coordinates＝（３３６，１２６７），content＝＇你好＇）", Click(x=336, y=1267, content="你好")),
    ("click(coordinates=(1, 2), content=“你好”)", Click(x=1, y=2, content="你好")),
    ("type(text=‘你好’)", Type(text="你好")),
    ("click(content='更多，(1)', coordinates=(1, 2))", Click(x=1, y=2, content="更多，(1)")),
    ("scroll(direction='up', coordinates=(1, 2))", Scroll(x=1, y=2, direction="up")),
    # only the call's name decides
    ("type(text='finished()')", Type(text="finished()")),
    ("click(coordinates=(1, 2), content='please wait()')", Click(x=1, y=2, content="please wait()")),
    (
        "click(coordinates=(1, 2), content='a', direction='up')",
        Click(x=1, y=2, content="a', direction='up"),
    ),
]

REFUSED = [
    ("", "expected one of the calls click, long_click, "),
    ("swipe(coordinates=(1, 2))", "got 'swipe'"),
    ("Click(coordinates=(1, 2))", "got 'Click'"),
    ("finished", "expected an opening bracket after the call's name, got nothing"),
    ("click(coordinates=(1, 2", "expected a closing bracket at the end, got '(coordinates=(1, 2'"),
    ("wait() and more", "expected nothing after the closing bracket, got 'and more'"),
    ("wait(2)", "expected no arguments in wait(), got '2'"),
    ("click()", "expected coordinates=(x, y), got nothing"),
    ("click(point=(1, 2))", "expected coordinates=(x, y), got 'point=(1, 2)'"),
    ("click(coordinates=[1, 2])", "expected coordinates=(x, y), got '[1, 2]'"),
    ("click(coordinates=(1, 2)", "expected coordinates=(x, y), got '(1, 2'"),
    ("click(coordinates=(1))", "expected two numbers in coordinates=(x, y), got '(1)'"),
    ("click(coordinates=(1, 2, 3))", "expected two numbers in coordinates=(x, y), got '(1, 2, 3)'"),
    ("click(coordinates=(nan, 2))", "expected a number as coordinate, got 'nan'"),
    ("click(coordinates=(0x10, 2))", "expected a number as coordinate, got '0x10'"),
    ("click(coordinates=(٣, 2))", "expected a number as coordinate, got '٣'"),
    ("click(coordinates=(1e999, 2))", "expected a coordinate of at most 1000000000 px, got 'Infinity'"),
    (
        "click(coordinates=(1, 2000000000))",
        "expected a coordinate of at most 1000000000 px, got '2.00000e+9'",
    ),
    (f"click(coordinates=({'9' * 5000}, 2))", "expected a number as coordinate, got '9999"),
    ("click(coordinates=(1, 2),)", "expected , content='...' or the end after the coordinates, got ','"),
    ("click(coordinates=(1, 2) content='a')", "expected , content='...' or the end after the coordinates"),
    ("click(coordinates=(1, 2), content=a)", "expected a quoted text after content=, got 'a'"),
    ("click(coordinates=(1, 2), content=')", "expected content to end in a quote of the kind it begins with"),
    (
        "click(coordinates=(1, 2), content='a\")",
        "expected content to end in a quote of the kind it begins with",
    ),
    ("click(content='a', coordinates=(1, 2), x)", "expected nothing after the coordinates, got ', x'"),
    ("type()", "expected text='...', got nothing"),
    ("type('a')", "expected text='...', got \"'a'\""),
    ("scroll(coordinates=(1, 2))", "expected direction up, down, left or right, got nothing"),
    ("scroll(coordinates=(1, 2), direction='Down')", "up, down, left or right, got 'Down'"),
    ("scroll(coordinates=(1, 2), direction=down)", "expected a quoted text after direction=, got 'down'"),
]


def refusal(raw: str) -> str | None:
    """Why `raw` is refused; None where it is read. Any other exception goes through."""
    try:
        parse_action(raw)
    except ActionSyntaxError as error:
        return str(error)
    return None


@pytest.mark.parametrize(("raw", "action"), READ)
def test_what_the_release_and_models_write_is_read(raw: str, action: Action) -> None:
    assert repr(parse_action(raw)) == repr(action)


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


@pytest.mark.parametrize("action", [action for _, action in READ])
def test_the_column_type_is_the_name_of_the_call(action: Action) -> None:
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
