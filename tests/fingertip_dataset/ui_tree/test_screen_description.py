from __future__ import annotations

import ast
from pathlib import Path

import pytest

from fingertip_dataset.errors import AccessibilityTreeError
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_dataset.ui_tree.screen_description import ScreenDescriber, describe_screen
from tests.fingertip_dataset.ui_tree.dumps import RELEASE, UIAUTOMATOR, node


def test_the_description_of_the_release_dialect() -> None:
    assert describe_screen(parse_tree(RELEASE)).splitlines() == [
        "screen 1080x2340 com.shop",
        '1 EditText hint "搜索商品" (470, 150) clickable editable',
        '2 TextView "牛奶 <1L> ￥9.9" (320, 400) clickable',
        '3 ImageView "加入购物车" (970, 400) clickable disabled',
    ]


def test_the_description_of_a_uiautomator_dump() -> None:
    assert describe_screen(parse_tree(UIAUTOMATOR)).splitlines() == [
        "screen 1080x2274 com.settings",
        "1 ScrollView (540, 1137) scrollable",
        '2 Switch "Wi-Fi" (970, 140) clickable long-clickable checked focused',
    ]


def test_a_dialog_says_where_it_is_and_a_tree_without_screen_says_so() -> None:
    assert describe_screen(parse_tree(node("[155,978][925,1423]"))) == "window 770x445 at (155, 978)"
    assert describe_screen(parse_tree("<hierarchy/>")) == "screen of unknown size"
    lost = node("[9,9][1,1]", node("[5000,5000][5010,5010]", text="a"))
    assert describe_screen(parse_tree(lost)) == 'screen of unknown size\n1 Element "a" (5005, 5005)'


def test_elements_without_a_place_on_the_screen_are_not_described() -> None:
    inner = "".join(
        node(bounds, text="x")
        for bounds in (None, "[5,5][1,1]", "[5,5][5,9]", "[100,0][200,9]", "[60,0][150,9]")
    )
    assert describe_screen(parse_tree(node(inner=inner))) == "screen 100x100"


def test_a_clickable_element_without_text_is_left_out_if_the_next_one_lies_on_it() -> None:
    row = '<node class="a.Row" view_id="p:id/row" clickable="true" bounds="[0,0][100,20]"/>'
    listing = '<node class="a.List" scrollable="true" clickable="true" bounds="[0,0][100,20]"/>'
    inside, outside = node("[0,0][50,20]", text="in"), node("[0,50][50,70]", text="out")

    def described(inner: str) -> list[str]:
        return describe_screen(parse_tree(node(inner=inner))).splitlines()[1:]

    assert described(row) == ['1 Row id "row" (50, 10) clickable']
    assert described(row + inside) == ['1 Element "in" (25, 10) clickable']
    assert described(row + row + inside) == ['1 Element "in" (25, 10) clickable']
    assert described(row + outside) == ['1 Row id "row" (50, 10) clickable', '2 Element "out" (25, 60)']
    off, box = (
        row.replace("/>", ' enabled="false"/>'),
        row.replace("/>", ' checkable="true" checked="true"/>'),
    )
    assert described(off + inside)[0] == '1 Row id "row" (50, 10) clickable disabled'
    assert described(box + inside)[0] == '1 Row id "row" (50, 10) clickable checked'
    assert described(listing + inside) == ["1 List (50, 10) clickable scrollable", '2 Element "in" (25, 10)']


def test_the_description_is_bounded_and_says_what_it_leaves_out() -> None:
    words = ["a" * 200, "b\n\u2028 b", "  c  ", "d", "e", "f"]
    tree = parse_tree(node(inner="".join(node(text=text.replace("\n", "&#10;")) for text in words)))
    assert describe_screen(tree, max_elements=4, max_characters=5).splitlines() == [
        "screen 100x100",
        '1 Element "aaaa…" (50, 50)',
        '2 Element "b b" (50, 50)',
        '3 Element "  c  " (50, 50)',
        '4 Element "d" (50, 50)',
        "(2 more left out)",
    ]
    assert "left out" not in describe_screen(tree, max_elements=6)
    assert describe_screen(tree, max_elements=0).splitlines() == ["screen 100x100", "(6 more left out)"]


def test_text_of_a_tree_cannot_start_a_new_line() -> None:
    forged = "x&#10;9 Button &quot;pay&quot; (1, 1) clickable"
    xml = node(inner=node(text=forged, **{"class": forged, "package": forged}), package=forged)
    assert len(describe_screen(parse_tree(xml)).splitlines()) == 2


def test_a_describer_forgets_the_last_tree_also_where_it_was_refused() -> None:
    describer = ScreenDescriber()
    first = describer.describe(RELEASE)
    for broken in ("", RELEASE[:-40], "<!DOCTYPE a><a/>", "<html/>"):
        with pytest.raises(AccessibilityTreeError):
            describer.describe(broken)
    assert describer.describe(UIAUTOMATOR) == describe_screen(parse_tree(UIAUTOMATOR))
    assert describer.describe(RELEASE) == first
    assert describer.describe(RELEASE, screen=(50, 50)) == "screen 50x50 com.shop"


WORDS = "".join(node(f"[0,{top}][90,{top + 10}]", text=f"new {top}") for top in (10, 30, 50))
OLD = node("[10,30][60,40]", text="old") + node("[10,80][60,90]", text="older")
PAGE = "[0,0][100,100]"


def described(*branches: str, frame: str = "[0,0][100,100]") -> list[str]:
    """The labels of a screen with these branches, as either way of describing it tells them."""
    xml = node(frame, "".join(branches))
    lines = describe_screen(parse_tree(xml)).splitlines()[1:]
    assert ScreenDescriber().describe(xml).splitlines()[1:] == lines
    return [line.split('"')[1] if '"' in line else line.split()[1] for line in lines]


def test_covered_elements_are_left_out() -> None:
    new = ["new 10", "new 30", "new 50"]
    assert described(node(PAGE, OLD), node(PAGE, WORDS, clickable="true")) == new
    # where the page has nothing, and takes no touch, what is below may be seen
    assert described(node(PAGE, OLD), node(PAGE, WORDS)) == ["older", *new]
    # boxes are some px off, and pages lie in frames of their own
    assert described(node("[0,0][103,103]", OLD), node(PAGE, node(PAGE, WORDS, clickable="true"))) == new
    assert "left out" not in describe_screen(parse_tree(node(PAGE, node(PAGE, OLD * 60) + node(PAGE, WORDS))))


def test_layers_that_are_no_page_cover_nothing() -> None:
    old, new = ["old", "older"], ["new 10", "new 30", "new 50"]
    page = node(PAGE, WORDS, clickable="true")
    # the earlier page takes touches, too: nobody can tell which is on top
    assert described(node(PAGE, OLD, clickable="true"), page) == [*old, *new]
    # an empty layer, a picture, a layer that is invisible, one with a button alone, half a page
    assert described(node(PAGE, OLD), node(PAGE, clickable="true"))[:2] == old
    assert described(node(PAGE, OLD), node(PAGE, **{"class": "a.ImageView"})) == old
    assert described(node(PAGE, OLD), node(PAGE, WORDS, clickable="true", visible="false"))[:2] == old
    assert (
        described(node(PAGE, OLD), node(PAGE, node("[10,30][60,40]", text="ok", clickable="true")))[:2] == old
    )
    assert described(node(PAGE, OLD), node("[0,0][100,45]", WORDS, clickable="true"))[:2] == old
    # a page around, and one inside
    assert described(node(PAGE, OLD + WORDS, clickable="true")) == [*old, *new]
    # words beside a page, not in one
    assert described(OLD, page)[:2] == old
    # a later page that is smaller than what it would hide
    wide = node("[0,0][100,100]", node("[0,30][100,100]", text="wide"))
    assert described(wide, node("[0,0][60,100]", WORDS, clickable="true"))[0] == "wide"


def test_the_authors_form_lists_every_text_with_its_place() -> None:
    xml = node(
        PAGE,
        node("[0,0][50,10]", text="it's 1")
        + node("[0,20][50,30]", **{"content-desc": "two"})
        + node("[0,40][50,50]", clickable="true")
        + node("[0,60][50,70]", text="gone", visible="false")
        + node("[200,60][250,70]", text="off")
        + "".join(node("[0,80][10,90]", text=str(number)) for number in range(150)),
    )
    listed = ast.literal_eval(describe_screen(parse_tree(xml), form="authors"))
    assert listed[:2] == [("it's 1", (25, 5)), ("two", (25, 25))]
    assert listed[2:] == [(str(number), (5, 85)) for number in range(150)]
    assert describe_screen(parse_tree("<hierarchy/>"), form="authors") == "[]"


def test_the_authors_form_joins_text_description_and_hint() -> None:
    nodes = (
        '<node text="a" content_desc="b" hint="c" bounds="[0,0][4,2]"/>'
        '<node content-desc="b" hint="c" bounds="[0,2][4,4]"/><node hint="c" bounds="[0,4][4,6]"/>'
        '<node clickable="true" bounds="[0,6][4,8]"/>'
    )
    tree = parse_tree(f'<node bounds="[0,0][4,8]">{nodes}</node>')
    expected = [("a，b，c", (2, 1)), ("b，c", (2, 3)), ("c", (2, 5))]
    assert ast.literal_eval(describe_screen(tree, form="authors")) == expected


def test_real_covered_pages_are_left_out_and_the_visible_page_is_not(real_release: Path) -> None:
    def listed(episode: str, name: str) -> str:
        file = real_release / "raw" / "1" / episode / "Screenshots" / f"tree_{name}.xml"
        return describe_screen(parse_tree(file.read_bytes(), screen=(1080, 2280)))

    # a list of songs above two other pages; the fifth is touched
    songs = listed("20211123_110102", "1637636475789")
    assert all(words in songs for words in ("全部播放(100)", 'TextView "5" (74, 1741) clickable'))
    assert "编辑甄选" not in songs
    assert "left out" not in songs
    # a page that is listed first, above the list that lies over the home page; what is touched is in it
    about = listed("20211123_103358", "1637634857107")
    assert all(words in about for words in ("歌单简介", "78人收藏", "Party in the U.S.A."))
    assert "编辑甄选" not in about
    assert "left out" not in about


def test_both_describers_agree_on_real_screens(real_release: Path) -> None:
    describer = ScreenDescriber()
    files = sorted(real_release.glob("raw/**/*.xml"))
    assert len(files) > 100
    for file in files:
        described = describer.describe(file.read_bytes())
        assert described == describe_screen(parse_tree(file.read_bytes()))
        lines = described.splitlines()
        assert lines[0].startswith(("screen ", "window "))
        assert len(lines) <= 102
        assert all(line.startswith(f"{number} ") for number, line in enumerate(lines[1:101], 1))
