"""What an agent that answers with numbers can point at."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_agents.execution_agent import ScreenInput
from fingertip_agents.formats.appagent import list_marks
from fingertip_agents.formats.autodroid_list import list_entries
from fingertip_agents.screens.elements import find_visible_box, label_elements, list_reacting, read_tree
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, Box, parse_tree
from fingertip_dataset.ui_tree.screen_description import ScreenDescriber, describe_screen
from tests.examples import examples

SCREEN = (1080, 2400)


def tree_of(*nodes: str) -> AccessibilityTree:
    return parse_tree(f'<node bounds="[0,0][1080,2400]">{"".join(nodes)}</node>', screen=SCREEN)


def test_either_dialect_shows_which_elements_react() -> None:
    tree = tree_of(
        '<node text="release" clickable="true" bounds="[0,0][10,10]"/>',
        '<node text="held" long-clickable="true" bounds="[0,10][10,20]"/>',
        '<node hint="field" editable="true" bounds="[0,20][10,30]"/>',
        '<node class="a.EditText" bounds="[0,30][10,40]"/>',
        '<node scrollable="true" bounds="[0,40][10,50]"/>',
        '<node checkable="true" bounds="[0,50][10,60]"/>',
        '<node text="plain" clickable="false" bounds="[0,60][10,70]"/>',
    )
    assert [element.index for element in list_reacting(tree)] == [1, 2, 3, 4, 5, 6]


def test_untouchable_elements_are_left_out() -> None:
    tree = tree_of(
        '<node clickable="true" visible="false" bounds="[0,0][10,10]"/>',
        '<node clickable="true" enabled="false" bounds="[0,0][10,10]"/>',
        '<node clickable="true" bounds="[1080,0][2160,10]"/>',
        '<node clickable="true" bounds="[10,10][0,0]"/>',
        '<node clickable="true" bounds="[5,5][5,5]"/>',
        '<node clickable="true"/>',
    )
    assert list_reacting(tree) == ()


def test_the_inner_of_two_elements_with_one_box_counts() -> None:
    tree = tree_of(
        '<node clickable="true" bounds="[0,0][9,9]">',
        '<node text="in" clickable="true" bounds="[0,0][9,9]"/></node>',
    )
    assert [element.text for element in list_reacting(tree)] == ["in"]


def test_an_element_is_touched_in_the_middle_of_what_can_be_seen_of_it() -> None:
    tree = tree_of('<node clickable="true" bounds="[-100,2300][500,2900]"/>')
    (element,) = list_reacting(tree)
    assert find_visible_box(element, tree) == Box(left=0, top=2300, right=500, bottom=2400)


def test_words_come_from_within_but_not_from_what_reacts_itself() -> None:
    tree = tree_of(
        '<node clickable="true" bounds="[0,0][900,90]">',
        '<node text="07:00" bounds="[0,0][90,40]"/><node content_desc="起床\n吧" bounds="[0,40][90,80]"/>',
        '<node text="删除" clickable="true" bounds="[800,0][890,90]"/></node>',
    )
    elements = list_reacting(tree)
    assert list(label_elements(tree, elements).values()) == ["07:00 起床 吧", "删除"]


def test_a_page_that_can_be_clicked_is_not_called_by_all_its_texts() -> None:
    texts = "".join(f'<node text="t{n}" bounds="[0,{n}][90,{n + 1}]"/>' for n in range(5))
    tree = tree_of(f'<node clickable="true" bounds="[0,0][1080,2000]">{texts}</node>')
    assert list(label_elements(tree, list_reacting(tree)).values()) == [""]


def test_a_tree_that_cannot_be_read_is_none() -> None:
    for tree in (None, "", "<html/>", "<node"):
        assert read_tree(ScreenInput(screenshot=b"", tree=tree, size=SCREEN, package="")) is None


def test_on_real_screens_everything_that_is_listed_can_be_touched(real_release: Path) -> None:
    listed = 0
    for file in sorted(real_release.rglob("*.xml")):
        screen = ScreenInput(screenshot=b"", tree=file.read_text(encoding="utf-8"), size=SCREEN, package="")
        entries = list_entries(screen)
        touched = [mark.box.center for mark in list_marks(screen)] + [entry.point for entry in entries]
        assert all(0 <= x < SCREEN[0] and 0 <= y < SCREEN[1] for x, y in touched)
        assert all("\n" not in entry.line(0) for entry in entries)
        listed += len(entries)
    assert listed > 1000


EDGES = st.integers(-3000, 3000)


@given(
    st.lists(
        st.tuples(EDGES, EDGES, EDGES, EDGES, st.booleans(), st.sampled_from(["", "a", "b"])), max_size=8
    )
)
@settings(max_examples=examples(200))
def test_no_list_points_off_the_screen_whatever_the_bounds(
    nodes: list[tuple[int, int, int, int, bool, str]],
) -> None:
    tree = "".join(
        f'<node text="{text}" clickable="{str(able).lower()}" bounds="[{left},{top}][{right},{bottom}]"/>'
        for left, top, right, bottom, able, text in nodes
    )
    xml = f'<node bounds="[0,0][1080,2400]">{tree}</node>'
    screen = ScreenInput(screenshot=b"", tree=xml, size=SCREEN, package="")
    described = describe_screen(parse_tree(xml, screen=SCREEN))
    assert described == ScreenDescriber().describe(xml, screen=SCREEN)
    points = [(int(x), int(y)) for x, y in re.findall(r"\((-?\d+), (-?\d+)\)", described)]
    points += [entry.point for entry in list_entries(screen)] + [
        mark.box.center for mark in list_marks(screen)
    ]
    assert [(x, y) for x, y in points if not (0 <= x < 1080 and 0 <= y < 2400)] == []
