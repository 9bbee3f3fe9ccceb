"""Whether an action is the recorded one; the points by hand on a drawn screen, the rest by Hypothesis."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.actions import (
    Action,
    Click,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    Scroll,
    Type,
    Wait,
    format_action,
)
from fingertip_metrics.action_matching import NEAR, ActionMatch, matches, readable_tree

SIZE = (1000, 2000)
TREE = readable_tree(
    """<hierarchy><node bounds="[0,0][1000,2000]" class="Frame">
      <node bounds="[0,100][1000,300]" clickable="true" text="">
        <node bounds="[20,120][400,280]" text="晴天"/>
        <node bounds="[800,120][980,280]" clickable="true" content-desc="更多"/>
      </node>
      <node bounds="[0,300][1000,500]" clickable="true"><node bounds="[20,320][400,480]" text="稻香"/></node>
      <node bounds="[0,600][1000,1900]" clickable="true" class="Map"/>
      <node bounds="[100,1920][200,1980]" text="not clickable"/>
    </node></hierarchy>""",
    SIZE,
)
UP = "scroll(coordinates=(1, 2), direction='up')"

points = st.builds(Click, x=st.integers(0, 999), y=st.integers(0, 1999), content=st.none() | st.text())
actions: st.SearchStrategy[Action] = st.one_of(
    points,
    st.builds(LongClick, x=st.integers(0, 999), y=st.integers(0, 1999)),
    st.builds(Type, text=st.text()),
    st.builds(
        Scroll, x=st.integers(0, 999), y=st.integers(0, 1999), direction=st.sampled_from(["up", "left"])
    ),
    st.sampled_from([PressBack(), PressHome(), Wait(), Finished()]),
)


@pytest.mark.parametrize(
    ("x", "y", "same"),
    [
        (30, 130, True),  # on the words
        (600, 290, True),  # elsewhere on the same row
        (900, 200, False),  # a button on the row
        (30, 330, False),  # the next row, 150 px away
        (30, 50, False),  # beside all
    ],
)
def test_a_click_is_on_the_same_element(x: int, y: int, same: bool) -> None:
    match = matches("click(coordinates=(210, 200), content='晴天')", Click(x=x, y=y), TREE, SIZE)
    assert (match.type, match.target, match.same) == (True, same, same)


def test_a_large_element_does_not_show_where_it_was_touched() -> None:
    golden = Click(x=500, y=1000)
    assert matches(golden, Click(x=500 + 139, y=1000), TREE, SIZE).same
    assert not matches(golden, Click(x=500, y=1300), TREE, SIZE).same


def test_what_does_not_react_is_an_element_too() -> None:
    assert matches(Click(x=110, y=1930), Click(x=190, y=1970), TREE, SIZE).same
    assert not matches(Click(x=110, y=1930), Click(x=210, y=1970), TREE, SIZE).same


def test_without_a_tree_nearness_counts() -> None:
    assert matches(Click(x=500, y=500), Click(x=500 + NEAR * 1000, y=500), None, SIZE).same
    assert not matches(Click(x=500, y=500), Click(x=600, y=600), None, SIZE).same


@pytest.mark.parametrize(
    ("golden", "action", "match"),
    [
        ("click(coordinates=(30, 130))", LongClick(x=30, y=130), ActionMatch(type=False, target=False)),
        ("long_click(coordinates=(30, 130))", LongClick(x=40, y=140), ActionMatch(type=True, target=True)),
        ("click(coordinates=(30, 130))", Finished(), ActionMatch(type=False, target=False)),
        ("type(text='ＡＢＣ')", Type(text=" ABC\n"), ActionMatch(type=True, text=True)),
        ("type(text='abc')", Type(text="ABC"), ActionMatch(type=True, text=False)),
        ("type(text='abc')", PressBack(), ActionMatch(type=False, text=False)),
        (UP, Scroll(x=900, y=3, direction="up"), ActionMatch(type=True, direction=True)),
        (UP, Scroll(x=1, y=2, direction="down"), ActionMatch(type=True, direction=False)),
        ("finish()", Finished(), ActionMatch(type=True)),
        ("press_back()", PressHome(), ActionMatch(type=False)),
        ("no action", Wait(), ActionMatch(type=False)),
    ],
)  # fmt: skip
def test_compared_fields_depend_on_the_action_type(golden: str, action: Action, match: ActionMatch) -> None:
    assert matches(golden, action, TREE, SIZE) == match
    assert match.same == (match.type and False not in (match.target, match.text, match.direction))


@given(actions, st.booleans())
def test_every_action_is_the_same_as_itself(action: Action, seen: bool) -> None:
    tree = TREE if seen else None
    assert matches(action, action, tree, SIZE).same
    if not isinstance(action, Type | Click):  # a text may end in what its spelling strips
        assert matches(format_action(action), action, tree, SIZE).same


@given(actions, actions)
def test_the_kind_decides_first(one: Action, other: Action) -> None:
    match = matches(one, other, TREE, SIZE)
    assert match.type == (type(one) is type(other))
    assert match.type or not match.same


rows = st.builds(Click, x=st.integers(0, 999), y=st.integers(100, 499))


@given(rows, rows)
def test_matching_is_symmetric(one: Click, other: Click) -> None:
    assert matches(one, other, TREE, SIZE) == matches(other, one, TREE, SIZE)


# a player's row of buttons as a music app draws it: the counts are siblings of the pictures below them
BUTTONS = readable_tree(
    """<hierarchy><node bounds="[0,0][1000,2000]" clickable="true">
      <node bounds="[0,1600][1000,1700]">
        <node bounds="[50,1600][150,1700]" clickable="true" content-desc="sing"/>
        <node bounds="[130,1610][145,1640]" text="1"/>
        <node bounds="[250,1600][350,1700]" clickable="true" content-desc="download"/>
      </node>
    <node bounds="[0,0][1000,2000]" class="an overlay that lets touches through"/>
    </node></hierarchy>""",
    SIZE,
)


@pytest.mark.parametrize(
    ("golden", "x", "y", "same"),
    [
        ((137, 1625), 129, 1625, True),  # the button below its words
        ((137, 1625), 60, 1690, True),
        ((137, 1625), 300, 1650, False),  # the next button
        ((137, 1625), 200, 1650, False),  # between the two, on nothing
        ((60, 1690), 137, 1625, True),  # from the button to its words
    ],
)
def test_words_drawn_on_a_button_are_the_button(golden: tuple[int, int], x: int, y: int, same: bool) -> None:
    assert matches(Click(x=golden[0], y=golden[1]), Click(x=x, y=y), BUTTONS, SIZE).same is same


BARE = readable_tree(
    """<hierarchy><node bounds="[0,0][1000,2000]" clickable="true">
      <node bounds="[0,300][1000,400]">
        <node bounds="[50,310][200,390]" text="Wi-Fi"/>
        <node bounds="[210,300][330,400]" clickable="true" checkable="true"/>
      </node>
      <node bounds="[0,500][1000,600]">
        <node bounds="[20,510][100,590]" text="two"/>
        <node bounds="[110,500][200,600]" clickable="true"/>
        <node bounds="[210,500][300,600]" clickable="true"/>
      </node>
      <node bounds="[0,700][1000,900]">
        <node bounds="[20,700][500,900]" text="a paragraph before a small link"/>
        <node bounds="[510,780][600,820]" clickable="true" text="link"/>
      </node>
    </node></hierarchy>""",
    SIZE,
)


@pytest.mark.parametrize(
    ("golden", "x", "y", "same"),
    [
        ((100, 350), 270, 350, True),  # the switch of its row
        ((100, 350), 155, 550, False),  # one of another row, as near
        ((100, 350), 190, 380, True),  # elsewhere on the words
        ((60, 550), 155, 550, False),  # of two buttons nobody knows which
        ((400, 800), 530, 800, False),  # a paragraph is no label of a link in it
        ((270, 350), 100, 350, False),  # the words react to nothing: they are no button
    ],
)
def test_words_stand_for_the_only_button_of_their_row(
    golden: tuple[int, int], x: int, y: int, same: bool
) -> None:
    assert matches(Click(x=golden[0], y=golden[1]), Click(x=x, y=y), BARE, SIZE).same is same


def test_a_real_tap_beside_the_words_on_a_button_is_the_same_and_no_other_button_is(
    real_release: Path,
) -> None:
    folder = real_release / "raw" / "1" / "20211123_104820" / "Screenshots"
    tree = readable_tree((folder / "tree_1637635724523.xml").read_text(encoding="utf-8"), (1080, 2280))
    golden = "click(coordinates=(157, 1672), content='1')"
    assert tree is not None
    assert matches(golden, Click(x=149, y=1672), tree, (1080, 2280)).same
    buttons = [element for element in tree.elements if element.clickable and element.view_id[-2:] != "jp"]
    others = [Click(x=one.box.center[0], y=one.box.center[1]) for one in buttons if one.box]
    assert len(others) > 5
    assert not any(matches(golden, other, tree, (1080, 2280)).same for other in others)


def test_an_unreadable_tree_is_none() -> None:
    assert readable_tree("<node", SIZE) is None
    assert readable_tree(None, SIZE) is None
