"""What is drawn fits, and picture and tree come from one source."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from PIL import Image, ImageChops

from simulated_phone import Phone, Pictures
from simulated_phone.app_definition import generator
from simulated_phone.apps import APPS
from simulated_phone.screens import fonts
from simulated_phone.screens.icons import GLYPHS, mask
from simulated_phone.screens.layout import Card, ColumnLayout, GridLayout, RowLayout, ScrollLayout
from simulated_phone.screens.lists import Chips, ListRow
from simulated_phone.screens.nodes import Fill, Node, PixelBox, Words, action_ref
from simulated_phone.screens.paint import paint
from simulated_phone.screens.screen import DisplayedScreen, Window
from simulated_phone.screens.theme import Theme
from simulated_phone.screens.tree import write_tree
from simulated_phone.screens.widgets import Button, Field, Icon, Space, Text
from tests.simulated_phone.walks import node, small, touch, walk

LOOK = Theme(density=160)
WORDS = st.text(alphabet="天气abc W…，i\n", max_size=60)


@given(WORDS, st.integers(6, 60), st.integers(0, 400))
@settings(deadline=None)
def test_cut_text_fits_and_is_a_beginning(text: str, size: int, width: int) -> None:
    shown = fonts.cut(text, size, width)
    assert fonts.text_width(shown, size) <= width
    assert shown == text or shown == "" or text.startswith(shown.removesuffix("…"))


@given(WORDS, st.integers(6, 40), st.integers(60, 400), st.integers(1, 6))
@settings(deadline=None)
def test_wrapped_text_keeps_its_words_in_its_lines(text: str, size: int, width: int, lines: int) -> None:
    found = fonts.wrap(text, size, width, lines)
    assert 1 <= len(found) <= lines
    assert all(fonts.text_width(line, size) <= width for line in found)
    kept = "".join(found).replace(" ", "")
    if "…" not in kept:
        assert kept == text.replace("\n", "").replace(" ", "")


def test_every_icon_is_drawn_and_every_app_has_one() -> None:
    for name in GLYPHS:
        assert 100 < sum(mask(name, 48).histogram()[128:]) < 48 * 48, name
    assert {app.glyph for app in APPS} <= set(GLYPHS)


@pytest.mark.parametrize(
    ("size", "density", "rotated"),
    [((540, 1200), 210, False), ((1080, 2400), 420, False), ((540, 1200), 210, True)],
)
def test_no_words_leave_their_box_or_the_screen(size: tuple[int, int], density: int, rotated: bool) -> None:
    phone = Phone(seed=4, size=size, density=density, faults=["rotation"] if rotated else [])
    for _ in walk(phone, generator("words", density), 150):
        frame = phone.screen().frame
        for window in phone.screen().windows:
            for mark in (mark for found in window.root.walk() for mark in found.marks):
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
def test_children_lie_inside_their_parents_without_overlap(width: int, columns: int, count: int) -> None:
    cells = [Button(f"按钮{number}", action_ref("x")) for number in range(count)]
    widget = ColumnLayout(
        [GridLayout(cells, columns), RowLayout([Text("标题"), Icon("add")], [None, 48]), Space(4)],
        gap=6,
        pad=8,
    )
    box = PixelBox(0, 10, width, 10 + widget.height(width, LOOK))
    placed = widget.place(box, LOOK)
    for found in placed.walk():
        assert found.box.clip(box) == found.box
        for one, other in zip(found.children, found.children[1:], strict=False):
            assert one.box.clip(other.box).empty
    assert sum(found.clickable for found in placed.walk()) == count


def test_a_scrolled_list_shows_a_part_and_says_how_much_there_is() -> None:
    rows = [ListRow(f"第{number}行", tap=action_ref("open", row=number)) for number in range(30)]
    look = Theme(density=160, scroll={"list": 100})
    placed = ScrollLayout("list", rows).place(PixelBox(0, 50, 400, 450), look)
    assert placed.scroll is not None
    assert placed.scroll.offset == 100
    assert placed.scroll.extent == 30 * 54 + 16 - 400
    assert all(found.box.top >= 50 and found.box.bottom <= 450 for found in placed.walk())
    assert "第0行" not in [found.text for found in placed.walk()]


def test_a_focused_field_is_scrolled_into_sight() -> None:
    fields = [Field(f"f{number}", "x") for number in range(20)]
    for name in ("f0", "f9", "f19"):
        placed = ScrollLayout("list", fields).place(PixelBox(0, 0, 300, 200), Theme(density=160, focus=name))
        box = next(found.box for found in placed.walk() if found.focused)
        assert box.height == 44


def test_chips_wrap_and_long_ones_stay_in_the_line() -> None:
    chips = Chips([(word, action_ref("x"), False) for word in ("天", "很长" * 40, "气", "晴天" * 3)], pad=0)
    placed = chips.place(PixelBox(0, 0, 200, chips.height(200, LOOK)), LOOK)
    assert max(found.box.right for found in placed.walk()) <= 200
    assert placed.children[-1].box.bottom <= placed.box.bottom


def test_a_change_of_one_switch_changes_pixels_only_in_its_node() -> None:
    phone = small(2)
    phone.start("com.android.deskclock")
    switch = next(found for found in phone.screen().nodes() if found.checkable)
    card = next(found for found in phone.screen().nodes() if switch in found.children)
    before = phone.screenshot()
    phone.tap(*switch.box.centre)
    changed = ImageChops.difference(before, phone.screenshot()).getbbox()
    assert changed is not None
    assert PixelBox(*changed).clip(card.box) == PixelBox(*changed)


def test_a_dialog_dims_the_page_and_takes_it_out_of_the_tree() -> None:
    phone = small(2)
    phone.start("com.android.deskclock")
    corner = (270, 700)
    before, label = phone.screenshot().getpixel(corner), "添加闹钟"
    first = next(found for found in phone.screen().nodes() if found.hold)
    phone.long_press(*first.box.centre)
    after = phone.screenshot().getpixel((20, 300))
    assert isinstance(after, tuple)
    assert isinstance(before, tuple)
    assert max(after) < max(before) // 2
    assert label not in phone.tree()
    assert node(phone, "取消").clickable


@given(st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc", "Cn")), max_size=20))
@settings(deadline=None, max_examples=50)
def test_both_dialects_are_xml_and_say_the_same(text: str) -> None:
    row = Node(box=PixelBox(5, 5, 40, 20), text=text + "\n\t", view_id="row", tap=action_ref("x"))
    root = Node(box=PixelBox(0, 0, 50, 500), children=(row,))
    frame = PixelBox(0, 0, 50, 100)
    trees = [
        write_tree([("a.b", root)], frame, 0, dialect).encode() for dialect in ("uiautomator", "release")
    ]
    plain, release = ([dict(found.attrib) for found in etree.fromstring(tree).iter("node")] for tree in trees)
    assert [found["bounds"] for found in plain] == [found["bounds"] for found in release]
    assert plain[0]["bounds"] == "[0,0][50,100]"
    assert plain[1]["text"] == release[1]["text"] == text + "\n\t"
    assert plain[1]["resource-id"] == release[1]["view_id"] == "a.b:id/row"
    assert plain[1]["clickable"] == release[1]["clickable"] == "true"
    assert "hint" not in plain[1]
    assert release[1]["visible"] == "true"


def test_passwords_are_dots_in_the_picture_and_no_text_in_the_tree() -> None:
    field = Field("secret", "密码", password=True)
    placed = field.place(PixelBox(0, 0, 300, 44), Theme(density=160, fields={"secret": "geheim"}))
    assert "•" * 6 in [mark.text for mark in placed.marks if isinstance(mark, Words)]
    for dialect in ("uiautomator", "release"):
        assert "geheim" not in write_tree([("a.b", placed)], PixelBox(0, 0, 300, 44), 0, dialect)


def test_a_gradient_meets_its_colours_inside_round_corners() -> None:
    canvas = Image.new("RGB", (60, 100), "#ffffff")
    box = PixelBox(0, 0, 60, 100)
    paint(canvas, Node(box=box, marks=(Fill(box=box, color="#102030", to="#c0b0a0", radius=10),)))
    for y, color in ((0, (16, 32, 48)), (99, (192, 176, 160))):
        found = canvas.getpixel((30, y))
        assert isinstance(found, tuple)
        assert all(abs(a - b) <= 1 for a, b in zip(found, color, strict=True))
    assert canvas.getpixel((0, 0)) == (255, 255, 255)


def test_kept_pictures_stay_within_their_limit_and_are_drawn_once() -> None:
    pictures = Pictures(limit=200_000)
    for number in range(10):
        box = PixelBox(0, 0, 100, 200)
        root = Node(box=box, marks=(Fill(box=box, color=f"#{number:06x}"),))
        screen = DisplayedScreen(size=(100, 200), rotation=0, windows=(Window(package="a.b", root=root),))
        pictures.draw(screen)
        assert pictures.encode(screen, "PNG") is pictures.encode(screen, "PNG")
        assert pictures.size <= 200_000


def test_a_card_takes_the_taps_of_what_does_nothing_in_it() -> None:
    card = Card([Text("标题"), Icon("add", "加", action_ref("add"))], tap=action_ref("open"))
    box = PixelBox(0, 0, 300, card.height(300, LOOK))
    screen = DisplayedScreen(
        size=(300, 600), rotation=0, windows=(Window(package="a.b", root=card.place(box, LOOK)),)
    )
    title, plus = screen.touched(20, 20), screen.touched(150, box.bottom - 30)
    assert title is not None
    assert plus is not None
    assert (title.tap, plus.tap) == (action_ref("open"), action_ref("add"))
    assert screen.touched(299, 599) is None


def test_the_keyboards_keys_follow_the_field() -> None:
    phone = small()
    phone.start("com.netease.cloudmusic")
    touch(phone, "搜索歌曲、歌手、歌单")
    assert not [found for found in phone.screen().nodes() if found.text == "q"]
    touch(phone, "搜索歌曲、歌手")
    enter = [found for found in phone.screen().nodes() if found.text == "搜索" and found.clickable]
    assert len(enter) == 1
    assert node(phone, "q").box.top > node(phone, "搜索歌曲、歌手").box.bottom
    phone.settings["secure"]["default_input_method"] = phone.imes[1]
    assert "com.android.adbkeyboard" in phone.tree()
