"""A tap beside the element that it was meant for."""

from __future__ import annotations

import pytest

from fingertip_analysis.why.screen_targets import ScreenTarget, missed, tree_targets, tree_touched
from fingertip_dataset.actions import Click
from fingertip_dataset.ui_tree.accessibility import parse_tree

ICON = ScreenTarget(labels=frozenset({"闹钟"}), box=(100, 100, 200, 200))
OTHER = ScreenTarget(labels=frozenset({"音乐"}), box=(220, 100, 420, 200))
ALL = (ICON, OTHER)


@pytest.mark.parametrize(
    ("action", "touched", "meant"),
    [
        pytest.param(Click(x=150, y=150), ICON, None, id="hit"),
        pytest.param(Click(x=90, y=150), None, ICON, id="nothing hit, near"),
        pytest.param(Click(x=90, y=900), None, None, id="nothing hit, far"),
        pytest.param(Click(x=225, y=150), OTHER, ICON, id="another's edge"),
        pytest.param(Click(x=320, y=150), OTHER, None, id="another's centre"),
        pytest.param(Click(x=225, y=150, content="音乐"), OTHER, None, id="meant the other"),
        pytest.param(Click(x=320, y=150, content="闹钟"), OTHER, ICON, id="named the icon"),
        pytest.param(Click(x=90, y=900, content=" 闹钟 "), None, ICON, id="named the icon, far"),
        pytest.param(Click(x=90, y=150, content="a blue bell"), None, ICON, id="a label of no element"),
    ],
)
def test_a_miss_is_told_from_a_choice(
    action: Click, touched: ScreenTarget | None, meant: ScreenTarget | None
) -> None:
    assert missed(action, [ICON], touched, ALL, width=1000) == meant


def test_elements_have_the_labels_of_what_they_contain() -> None:
    row = '<node clickable="true" bounds="[0,0][100,50]"><node text="七点" bounds="[0,0][50,50]"/>{}</node>'
    switch = '<node clickable="true" content-desc="开关" bounds="[60,0][100,50]"/>'
    tree = parse_tree(f"<hierarchy>{row.format(switch)}</hierarchy>", screen=(100, 50))
    outer, inner = tree_targets(tree)
    assert (outer.labels, inner.labels) == (frozenset({"七点"}), frozenset({"开关"}))
    assert tree_touched(tree, 80, 20) == inner
    assert tree_touched(tree, 20, 20) == outer
    assert tree_touched(None, 20, 20) is None
