"""Layout and drawing of screens, and agreement of picture and tree."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from PIL import Image, ImageChops

from phone.tests.simulated_phone.random_use import node, random_actions, small, touch
from simulated_phone import Phone, Pictures
from simulated_phone.apps import APPS
from simulated_phone.goals.app_definition import generator
from simulated_phone.screens.drawing import fonts
from simulated_phone.screens.drawing.icons import GLYPHS, mask
from simulated_phone.screens.drawing.paint import paint
from simulated_phone.screens.layouts.layout import Card, ColumnLayout, GridLayout, RowLayout, ScrollLayout
from simulated_phone.screens.layouts.lists import Chips, ListRow
from simulated_phone.screens.layouts.widgets import Button, Field, Icon, Space, Text
from simulated_phone.screens.nodes import Fill, Node, PixelBox, Words, action_ref
from simulated_phone.screens.screen import DisplayedScreen, Window
from simulated_phone.screens.theme import Theme
from simulated_phone.screens.tree import write_tree
from tests.examples import examples

THEME = Theme(density=160)
TEXTS = st.text(alphabet="天气abc W…，i\n", max_size=60)


@given(TEXTS, st.integers(6, 60), st.integers(0, 400))
@settings(deadline=None)
def test_cut_text_fits_and_is_a_prefix(text: str, size: int, width: int) -> None:
    cut = fonts.cut(text, size, width)
    assert fonts.text_width(cut, size) <= width
    assert cut == text or cut == "" or text.startswith(cut.removesuffix("…"))


@given(TEXTS, st.integers(6, 40), st.integers(60, 400), st.integers(1, 6))
@settings(deadline=None)
def test_wrapped_text_fits_and_keeps_its_characters(text: str, size: int, width: int, lines: int) -> None:
    item = fonts.wrap(text, size, width, lines)
    assert 1 <= len(item) <= lines
    assert all(fonts.text_width(line, size) <= width for line in item)
    joined = "".join(item).replace(" ", "")
    if "…" not in joined:
        assert joined == text.replace("\n", "").replace(" ", "")


def test_every_icon_is_drawn_and_every_app_has_an_icon() -> None:
    for name in GLYPHS:
        assert 100 < sum(mask(name, 48).histogram()[128:]) < 48 * 48, name
    assert {app.glyph for app in APPS} <= set(GLYPHS)


@pytest.mark.parametrize(
    ("size", "density", "rotated"),
    [((540, 1200), 210, False), ((1080, 2400), 420, False), ((540, 1200), 210, True)],
)
def test_text_stays_inside_its_box_and_the_screen(size: tuple[int, int], density: int, rotated: bool) -> None:
    phone = Phone(seed=4, size=size, density=density, faults=["rotation"] if rotated else [])
    for _ in random_actions(phone, generator("words", density), 150):
        frame = phone.screen().frame
        for window in phone.screen().windows:
            for mark in (mark for item in window.root.walk() for mark in item.marks):
                if isinstance(mark, Words) and mark.text.strip() and not window.behind:
                    count = (
                        1
                        if mark.lines == 1
                        else len(fonts.wrap(mark.text, mark.size, mark.box.width, mark.lines))
                    )
                    assert count * fonts.line_height(mark.size) <= mark.box.height + mark.size * 0.4, mark
                    assert mark.box.left >= frame.left, mark
                    assert mark.box.right <= frame.right, mark


@given(st.integers(320, 2000), st.integers(1, 5), st.integers(0, 9))
@settings(deadline=None)
def test_children_are_inside_their_parents_without_overlap(width: int, columns: int, count: int) -> None:
    cells = [Button(f"按钮{number}", action_ref("x")) for number in range(count)]
    widget = ColumnLayout(
        [GridLayout(cells, columns), RowLayout([Text("标题"), Icon("add")], [None, 48]), Space(4)],
        gap=6,
        pad=8,
    )
    box = PixelBox(0, 10, width, 10 + widget.height(width, THEME))
    placed = widget.place(box, THEME)
    for item in placed.walk():
        assert item.box.clip(box) == item.box
        for one, other in zip(item.children, item.children[1:], strict=False):
            assert one.box.clip(other.box).empty
    assert sum(item.clickable for item in placed.walk()) == count


def test_a_scrolled_list_has_the_visible_rows_offset_and_extent() -> None:
    rows = [ListRow(f"第{number}行", tap=action_ref("open", row=number)) for number in range(30)]
    theme = Theme(density=160, scroll={"list": 100})
    placed = ScrollLayout("list", rows).place(PixelBox(0, 50, 400, 450), theme)
    assert placed.scroll is not None
    assert placed.scroll.offset == 100
    assert placed.scroll.extent == 30 * 54 + 16 - 400
    assert all(item.box.top >= 50 and item.box.bottom <= 450 for item in placed.walk())
    assert "第0行" not in [item.text for item in placed.walk()]


def test_a_focused_field_is_scrolled_into_view() -> None:
    fields = [Field(f"f{number}", "x") for number in range(20)]
    for name in ("f0", "f9", "f19"):
        placed = ScrollLayout("list", fields).place(PixelBox(0, 0, 300, 200), Theme(density=160, focus=name))
        box = next(item.box for item in placed.walk() if item.focused)
        assert box.height == 44


def test_chips_wrap_and_long_ones_are_cut_to_the_line() -> None:
    chips = Chips([(word, action_ref("x"), False) for word in ("天", "很长" * 40, "气", "晴天" * 3)], pad=0)
    placed = chips.place(PixelBox(0, 0, 200, chips.height(200, THEME)), THEME)
    assert max(item.box.right for item in placed.walk()) <= 200
    assert placed.children[-1].box.bottom <= placed.box.bottom


def test_toggling_a_switch_changes_pixels_of_its_card_only() -> None:
    phone = small(2)
    phone.start("com.android.deskclock")
    switch = next(item for item in phone.screen().nodes() if item.checkable)
    card = next(item for item in phone.screen().nodes() if switch in item.children)
    before = phone.screenshot()
    phone.tap(*switch.box.centre)
    changed = ImageChops.difference(before, phone.screenshot()).getbbox()
    assert changed is not None
    assert PixelBox(*changed).clip(card.box) == PixelBox(*changed)


def test_a_dialog_dims_the_page_and_removes_it_from_the_tree() -> None:
    phone = small(2)
    phone.start("com.android.deskclock")
    corner = (270, 700)
    before, label = phone.screenshot().getpixel(corner), "添加闹钟"
    first = next(item for item in phone.screen().nodes() if item.hold)
    phone.long_press(*first.box.centre)
    after = phone.screenshot().getpixel((20, 300))
    assert isinstance(after, tuple)
    assert isinstance(before, tuple)
    assert max(after) < max(before) // 2
    assert label not in phone.tree()
    assert node(phone, "取消").clickable


@given(st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc", "Cn")), max_size=20))
@settings(deadline=None, max_examples=examples(50))
def test_both_dialects_are_valid_xml_with_equal_content(text: str) -> None:
    row = Node(box=PixelBox(5, 5, 40, 20), text=text + "\n\t", view_id="row", tap=action_ref("x"))
    root = Node(box=PixelBox(0, 0, 50, 500), children=(row,))
    frame = PixelBox(0, 0, 50, 100)
    trees = [
        write_tree([("a.b", root)], frame, 0, dialect).encode() for dialect in ("uiautomator", "release")
    ]
    plain, release = ([dict(item.attrib) for item in etree.fromstring(tree).iter("node")] for tree in trees)
    assert [item["bounds"] for item in plain] == [item["bounds"] for item in release]
    assert plain[0]["bounds"] == "[0,0][50,100]"
    assert plain[1]["text"] == release[1]["text"] == text + "\n\t"
    assert plain[1]["resource-id"] == release[1]["view_id"] == "a.b:id/row"
    assert plain[1]["clickable"] == release[1]["clickable"] == "true"
    assert "hint" not in plain[1]
    assert release[1]["visible"] == "true"


def test_passwords_are_dots_in_the_picture_and_absent_from_the_tree() -> None:
    field = Field("secret", "密码", password=True)
    placed = field.place(PixelBox(0, 0, 300, 44), Theme(density=160, fields={"secret": "geheim"}))
    assert "•" * 6 in [mark.text for mark in placed.marks if isinstance(mark, Words)]
    for dialect in ("uiautomator", "release"):
        assert "geheim" not in write_tree([("a.b", placed)], PixelBox(0, 0, 300, 44), 0, dialect)


def test_a_gradient_has_exact_edge_colours_with_round_corners() -> None:
    canvas = Image.new("RGB", (60, 100), "#ffffff")
    box = PixelBox(0, 0, 60, 100)
    paint(canvas, Node(box=box, marks=(Fill(box=box, color="#102030", to="#c0b0a0", radius=10),)))
    for y, color in ((0, (16, 32, 48)), (99, (192, 176, 160))):
        item = canvas.getpixel((30, y))
        assert isinstance(item, tuple)
        assert all(abs(a - b) <= 1 for a, b in zip(item, color, strict=True))
    assert canvas.getpixel((0, 0)) == (255, 255, 255)


def test_cached_pictures_stay_within_the_limit_and_are_encoded_once() -> None:
    pictures = Pictures(limit=200_000)
    for number in range(10):
        box = PixelBox(0, 0, 100, 200)
        root = Node(box=box, marks=(Fill(box=box, color=f"#{number:06x}"),))
        screen = DisplayedScreen(size=(100, 200), rotation=0, windows=(Window(package="a.b", root=root),))
        pictures.draw(screen)
        assert pictures.encode(screen, "PNG") is pictures.encode(screen, "PNG")
        assert pictures.size <= 200_000


def test_a_card_takes_taps_on_its_inert_children() -> None:
    card = Card([Text("标题"), Icon("add", "加", action_ref("add"))], tap=action_ref("open"))
    box = PixelBox(0, 0, 300, card.height(300, THEME))
    screen = DisplayedScreen(
        size=(300, 600), rotation=0, windows=(Window(package="a.b", root=card.place(box, THEME)),)
    )
    title, plus = screen.touched(20, 20), screen.touched(150, box.bottom - 30)
    assert title is not None
    assert plus is not None
    assert (title.tap, plus.tap) == (action_ref("open"), action_ref("add"))
    assert screen.touched(299, 599) is None


def test_the_keyboard_opens_with_the_fields_enter_key() -> None:
    phone = small()
    phone.start("com.netease.cloudmusic")
    touch(phone, "搜索歌曲、歌手、歌单")
    assert not [item for item in phone.screen().nodes() if item.text == "q"]
    touch(phone, "搜索歌曲、歌手")
    enter = [item for item in phone.screen().nodes() if item.text == "搜索" and item.clickable]
    assert len(enter) == 1
    assert node(phone, "q").box.top > node(phone, "搜索歌曲、歌手").box.bottom
    phone.settings["secure"]["default_input_method"] = phone.imes[1]
    assert "com.android.adbkeyboard" in phone.tree("windows")
