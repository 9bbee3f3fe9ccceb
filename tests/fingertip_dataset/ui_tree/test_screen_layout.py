"""Layout of a screen: headings, neighbours, captions, kinds of controls, and growth with the tree."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from fingertip_dataset.ui_tree.accessibility import Element, parse_tree
from fingertip_dataset.ui_tree.screen_layout import Control, ScreenLayout

SIZE = (1000, 2000)
PAGE = """<hierarchy><node bounds="[0,0][1000,2000]" package="a">
<node bounds="[0,50][1000,200]"><node text="转账" bounds="[200,50][800,200]"/></node>
<node bounds="[0,300][1000,500]" clickable="true"><node text="张三" bounds="[0,300][500,500]"/>
<node text="昨天" bounds="[500,300][1000,500]"/></node>
<node bounds="[0,600][1000,700]"><node text="免密" bounds="[0,600][500,700]"/>
<node class="android.widget.Switch" checkable="true" clickable="true" bounds="[800,600][1000,700]"/></node>
<node text="金额" bounds="[0,800][1000,900]"/>
<node class="android.widget.EditText" bounds="[0,900][1000,1000]"/>
<node bounds="[0,1100][1000,1200]"><node text="密码" bounds="[0,1100][300,1200]"/>
<node class="android.widget.EditText" bounds="[300,1100][1000,1200]"/></node>
<node class="android.view.View" text="收藏" clickable="true" bounds="[0,1850][500,2000]"/>
<node text="客服" clickable="true" bounds="[0,1300][300,1400]"/></node>
<node text="09:41" package="com.android.systemui" bounds="[0,0][100,40]"/></hierarchy>"""


def layout(xml: str) -> ScreenLayout:
    others = frozenset({"com.android.systemui"})
    return ScreenLayout(tree=parse_tree(xml, screen=SIZE), size=SIZE, other_packages=others)


def named(screen: ScreenLayout, text: str) -> Element:
    return next(e for e in screen.tree.elements if e.text == text)


def test_headings_and_statics_are_the_apps_own() -> None:
    screen = layout(PAGE)
    assert [e.text for e in screen.headings] == ["转账"]
    assert [e.text for e in screen.statics] == ["转账", "免密", "金额", "密码"]
    assert not screen.is_dialog


def test_texts_beside_an_element_and_captions_of_fields() -> None:
    screen = layout(PAGE)
    switch = next(e for e in screen.tree.elements if e.checkable)
    assert screen.near(switch) == ("免密",)
    assert [screen.caption(field) for field in screen.fields] == [("金额",), ("密码",)]


def test_a_page_is_nothing_that_stands_beside_an_element() -> None:
    rows = "".join(f'<node text="行{n}" bounds="[0,{n * 90}][1000,{n * 90 + 80}]"/>' for n in range(20))
    screen = layout(
        f'<node bounds="[0,0][1000,2000]">{rows}<node clickable="true" bounds="[0,0][9,9]"/></node>'
    )
    assert screen.near(screen.tree.elements[-1]) == ()


@pytest.mark.parametrize(
    ("text", "kind"), [("收藏", Control.BUTTON), ("客服", Control.ITEM), ("张三", Control.ROW)]
)
def test_kinds_of_controls(text: str, kind: Control) -> None:
    screen = layout(PAGE)
    owner = screen.owner(named(screen, text))
    assert owner is not None
    assert screen.control(screen.tree.elements[owner]) is kind


def test_a_dialog_has_nothing_in_the_bars_of_the_screen() -> None:
    dialog = '<node bounds="[100,800][900,1200]"><node text="删除？" bounds="[100,800][900,1000]"/>{}</node>'
    button = '<node text="好" clickable="true" bounds="[100,1000][900,1200]"/>'
    screen = layout(dialog.format(button))
    assert screen.is_dialog
    assert screen.near(named(screen, "好")) == ("删除？",)
    assert screen.control(named(screen, "好")) is Control.BUTTON


OVER = """<hierarchy><node bounds="[0,0][1000,2000]" package="a">
<node text="聊天" bounds="[0,50][1000,200]"/><node text="很多话" bounds="[0,300][1000,1900]"/>{inside}</node>
{window}
<node text="09:41" package="com.android.systemui" bounds="[0,0][100,40]"/></hierarchy>"""
QUESTION = """<node resource-id="a:id/{name}" package="a" bounds="[100,800][900,1200]">
<node text="退出群聊？" bounds="[100,800][900,1000]"/>
<node text="好" clickable="true" bounds="[100,1000][900,1200]"/></node>"""


def test_what_lies_over_the_page_has_a_heading_of_its_own() -> None:
    window = layout(OVER.format(inside="", window=QUESTION.format(name="x")))
    assert [e.text for e in window.headings] == ["聊天", "退出群聊？"]
    assert window.is_dialog
    sheet = layout(OVER.format(inside=QUESTION.format(name="design_bottom_sheet"), window=""))
    assert [e.text for e in sheet.headings] == ["聊天", "退出群聊？"]
    row = layout(OVER.format(inside=QUESTION.format(name="row"), window=""))
    assert [e.text for e in row.headings] == ["聊天"]
    assert not row.is_dialog


def test_a_tall_container_with_texts_is_a_page() -> None:
    screen = layout(
        '<node text="注销账号" bounds="[0,0][1000,2000]"><node text="后果" bounds="[0,0][1000,90]"/></node>'
    )
    assert screen.is_page(screen.tree.elements[0])
    assert not screen.is_page(screen.tree.elements[1])
    drawn = layout('<node text="支付" bounds="[0,0][1000,2000]"><node bounds="[0,0][1000,90]"/></node>')
    assert not drawn.is_page(drawn.tree.elements[0])


def test_the_only_switch_of_a_page() -> None:
    switch = '<node checkable="true" bounds="[0,{0}][900,{0}9]"/>'
    one = layout(f'<node bounds="[0,0][1000,2000]">{switch.format(100)}</node>')
    two = layout(f'<node bounds="[0,0][1000,2000]">{switch.format(100)}{switch.format(300)}</node>')
    assert one.is_only_switch(one.tree.elements[1])
    assert not two.is_only_switch(two.tree.elements[1])


def calls(function: Callable[[], object]) -> int:
    """Number of calls of functions, which grows with the work and not with the machine's load."""
    count = 0

    def profile(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        function()
    finally:
        sys.setprofile(before)
    return count


def test_the_work_grows_with_the_tree_and_not_with_its_square() -> None:
    def work(size: int) -> int:
        fields = '<node class="android.widget.EditText" hint="x" bounds="[0,0][1000,90]"/>' * size
        texts = '<node text="支付" bounds="[0,0][1000,2000]" clickable="true"/>' * size
        screen = layout(f'<node bounds="[0,0][1000,2000]">{fields}{texts}</node>')

        def read() -> None:
            for field in screen.fields:
                screen.caption(field)
            for element in screen.tree.elements[-5:]:
                screen.near(element)
                screen.control(element)
            assert screen.headings or screen.statics == ()

        return calls(read)

    assert work(2000) < 5 * work(500)
