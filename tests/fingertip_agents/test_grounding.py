"""The element that says a label, on a screen that is not the recorded one."""

from __future__ import annotations

import pytest

from fingertip_agents.grounding import find_element
from fingertip_dataset.ui_tree.accessibility import parse_tree


def node(box: str, *inside: str, **attributes: str) -> str:
    output = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<node {output} bounds="{box}">{"".join(inside)}</node>'


def found(label: str, *nodes: str, near: tuple[int, int] = (0, 0)) -> tuple[int, int] | None:
    tree = parse_tree(f"<hierarchy>{''.join(nodes)}</hierarchy>", screen=(360, 800))
    element = find_element(tree, label, near)
    return None if element is None or element.box is None else element.box.center


A, B, C = "[0,0][100,40]", "[0,40][100,80]", "[0,80][100,120]"


@pytest.mark.parametrize(
    ("label", "nodes", "place"),
    [
        ("闹钟", [node(A, text="添加闹钟"), node(B, text="闹钟")], (50, 60)),  # equal before within
        ("闹钟", [node(A, text="时钟"), node(B, content_desc="闹钟")], (50, 60)),
        ("搜索歌曲", [node(A, hint="搜索歌曲")], (50, 20)),
        ("QQ音乐", [node(A, text=" ＱＱ音乐 ")], (50, 20)),
        ("闹钟", [node(A, text="时钟"), node(B, text="添加闹钟")], (50, 60)),
        ("今天的日程安排都在这", [node(A, text="今天的日程安排都在那")], (50, 20)),  # 9 of 10 letters
        ("4", [node(A, text="14:00")], None),  # one letter is in too many labels
        ("第33章", [node(A, text="第12章")], None),
        ("闹钟", [], None),
        ("  ", [node(A, text="闹钟")], None),
    ],
)
def test_equal_then_within_then_alike(label: str, nodes: list[str], place: tuple[int, int] | None) -> None:
    assert found(label, *nodes) == place


def test_of_equal_ones_the_nearest() -> None:
    rows = [node(A, text="开启"), node(B, text="开启"), node(C, text="开启")]
    assert [found("开启", *rows, near=(50, y)) for y in (0, 65, 400)] == [(50, 20), (50, 60), (50, 100)]


def test_what_can_be_touched_goes_before_what_is_nearer() -> None:
    title, button = node(A, text="收藏"), node(C, text="收藏", clickable="true")
    assert found("收藏", title, button, near=(50, 20)) == (50, 100)
    words_in_a_button = node(C, node("[10,90][50,110]", text="收藏"), clickable="true")
    assert found("收藏", title, words_in_a_button, near=(50, 20)) == (30, 100)
    covered = [node(A, text="收藏", clickable="true"), node(C, text="收藏", clickable="true")]
    cover = node("[0,70][360,800]", clickable="true")
    assert found("收藏", *covered, cover, near=(50, 100)) == (50, 20)


@pytest.mark.parametrize(
    "hidden",
    [
        node("[0,0][0,40]", text="闹钟"),
        node("[0,900][100,940]", text="闹钟"),
        node(A, text="闹钟", visible="false"),
        '<node text="闹钟"/>',
    ],
)
def test_what_is_not_on_the_screen_is_not_found(hidden: str) -> None:
    assert found("闹钟", hidden) is None
