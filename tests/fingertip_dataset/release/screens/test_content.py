"""Screens come as they are, broken ones as None, and what is kept can be decoded and parsed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fingertip_dataset.errors import AccessibilityTreeError
from fingertip_dataset.release.problems import Problem
from fingertip_dataset.release.screens.content import StepContent, read_content
from fingertip_dataset.ui_tree.accessibility import parse_tree
from tests.examples import examples
from tests.stored_pictures import StoredPicture

if TYPE_CHECKING:
    from tests.fingertip_dataset.conftest import RawMaker

BOMB = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "'
    + "a" * 1000
    + '">'
    + "".join(f'<!ENTITY a{i} "{f"&a{i - 1 if i else str()};" * 10}">' for i in range(9))
    + ']><hierarchy><node text="&a8;"/></hierarchy>'
)

UPRIGHT = "expected an upright screenshot, got EXIF orientation {}: it is read as 90x160"


def content(maker: RawMaker) -> tuple[tuple[StepContent, ...], tuple[Problem, ...]]:
    release = maker.read()
    return read_content(release.root, release.episodes[0])


def damaged(maker: RawMaker) -> dict[str, bytes]:
    return {
        "empty": b"",
        "truncated": maker.jpeg[:-2],
        "half": maker.jpeg[: len(maker.jpeg) // 2],
        "zeros": b"\0" * 5000,
        "gif": maker.picture(format="GIF"),
        "webp": maker.picture(format="WEBP"),
        "text": b"<html>404</html>",
    }


@pytest.mark.parametrize("kind", ["empty", "truncated", "half", "zeros", "gif", "webp", "text"])
def test_a_corrupt_screenshot_is_none_and_named(maker: RawMaker, kind: str) -> None:
    maker.episode(images={"11.jpg": damaged(maker)[kind], "12.jpg": maker.jpeg})
    steps, (problem,) = content(maker)
    assert [step.screenshot is None for step in steps] == [True, False]
    assert (problem.kind.value, problem.file) == (
        "corrupt_screenshot",
        "3/20250310_081530/Screenshots/11.jpg",
    )
    maker.check(corrupt_screenshot=1)


def test_a_huge_file_is_refused_unread(maker: RawMaker) -> None:
    path = maker.episode() / "Screenshots"
    for name in ("11.jpg", "tree_12.xml"):
        with (path / name).open("wb") as file:
            file.truncate(2**40)
    maker.check(corrupt_screenshot=1, broken_tree=1)


def test_another_format_than_the_name_says_is_kept_and_named(maker: RawMaker) -> None:
    png = maker.picture(format="PNG")
    maker.episode(images={"11.jpg": png, "12.JPEG": maker.jpeg})
    steps, (problem,) = content(maker)
    assert steps[0].screenshot == png
    assert (problem.kind.value, problem.detail) == (
        "screenshot_format",
        "expected the format of its name, got png",
    )


@pytest.mark.parametrize(
    "tree", ["<hierarchy/>", "<node/>", "<!-- x --><hierarchy><node/></hierarchy>", "\ufeff<node a='&lt;'/>"]
)
def test_a_tree_is_its_text_without_bom(maker: RawMaker, tree: str) -> None:
    maker.episode(trees={"11.xml": tree.encode(), "12.xml": maker.tree})
    steps, problems = content(maker)
    assert (steps[0].tree, problems) == (tree.removeprefix("\ufeff"), ())


@pytest.mark.parametrize(
    "tree",
    [
        b"",
        b"<hierarchy>",
        b"<hierarchy><node text='\xff'/></hierarchy>",
        b"<html><body/></html>",
        "<hierarchy/>".encode("utf-16"),
        BOMB.encode(),
        b"<node>" * 5000 + b"</node>" * 5000,
        b"<node text='" + b"x" * (17 * 2**20) + b"'/>",
    ],
)
def test_a_broken_tree_is_none_and_named(maker: RawMaker, tree: bytes) -> None:
    maker.episode(trees={"11.xml": tree, "12.xml": maker.tree})
    steps, (problem,) = content(maker)
    assert [step.tree is None for step in steps] == [True, False]
    assert (problem.kind.value, problem.file) == ("broken_tree", "3/20250310_081530/Screenshots/11.xml")
    assert problem.detail.startswith("expected ")
    maker.check(broken_tree=1)


@pytest.mark.parametrize("head", ["<?xml version='1.0' encoding='UTF-8'?>", "<!-- x -->"])
@pytest.mark.parametrize(
    ("written", "read"),
    [(b"&#55357;&#56832;", "😀"), (b"\x01", "\ufffd"), (b"\xed\xa0\xbd", "\ufffd"), (b"&#8;", "\ufffd")],
)
def test_a_tree_with_refused_characters_is_mended_and_named(
    maker: RawMaker, head: str, written: bytes, read: str
) -> None:
    tree = f"{head}<hierarchy><node text='晴a'/></hierarchy>"
    maker.episode(trees={"11.xml": tree.encode().replace(b"a'", written + b"'"), "12.xml": maker.tree})
    steps, (problem,) = content(maker)
    assert steps[0].tree == tree.replace("a'", f"{read}'")
    assert (problem.kind.value, problem.file) == ("mended_tree", "3/20250310_081530/Screenshots/11.xml")
    assert f"at byte {len(head) + 26}" in problem.detail
    maker.check(mended_tree=1)


PIECES = [
    *["<hierarchy>", "</hierarchy>", "<hierarchy/>", "<node>", "</node>", "<b/>"],
    *["&amp;", "&a;", "x", "\ufeff", "&#8;", "\x01"],
    *(" ", "<node text='a'/>", "<!-- <node -->", "<![CDATA[<node ]]>", "<?pi x?>", "<!DOCTYPE a>"),
    *(f"<?xml version='1.0'{encoding}?>" for encoding in ("", " encoding='UTF-16'", " encoding='GBK'")),
]
XML = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)


@settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(300)
)
@given(tree=XML)
def test_a_tree_is_kept_if_and_only_if_it_parses(maker: RawMaker, tree: str) -> None:
    path = maker.raw / "3/20250310_081530/Screenshots/tree_11.xml"
    if not path.exists():
        maker.episode()
    path.write_bytes(tree.encode())
    text = content(maker)[0][0].tree
    if text is None:
        with pytest.raises(AccessibilityTreeError):
            parse_tree(tree.removeprefix("\ufeff"))
    else:
        parse_tree(text)


@pytest.mark.parametrize(
    ("x", "y", "off"),
    [(0, 0, 0), (89, 159, 0), (90, 0, 1), (0, 160, 1), (-1, 5, 1), (89.5, 5, 0), (5, 1e9, 1)],
)
def test_an_action_off_its_screen_is_named(maker: RawMaker, x: float, y: float, off: int) -> None:
    maker.episode(lines=[{"11.jpg": f"click(coordinates=({x}, {y}))"}, {"12.jpg": "finished()"}])
    _, problems = content(maker)
    assert [problem.kind.value for problem in problems] == ["action_off_screen"] * off


@pytest.mark.parametrize(
    ("fields", "problems"),
    [
        ({"orientation": 1}, {}),
        (
            {"orientation": 6},
            {"rotated_screenshot": UPRIGHT.format(6)},
        ),
        (
            {"orientation": 2},
            {"rotated_screenshot": UPRIGHT.format(2)},
        ),
        ({"mode": "CMYK"}, {"cmyk_screenshot": "expected RGB, got CMYK: it is read as RGB"}),
        ({"mode": "L"}, {"grey_screenshot": "expected RGB, got grey: it is read as RGB"}),
        (
            {"format": "PNG", "mode": "L 16"},
            {
                "grey_screenshot": "expected RGB, got grey: it is read as RGB",
                "sixteen_bit_screenshot": "expected 8 bits a colour, got 16: the upper eight are read",
            },
        ),
        (
            {"format": "PNG", "mode": "RGBA 16"},
            {"sixteen_bit_screenshot": "expected 8 bits a colour, got 16: the upper eight are read"},
        ),
        ({"format": "PNG", "mode": "RGBA"}, {}),
        ({"format": "PNG", "mode": "P"}, {}),
    ],
)
def test_a_picture_that_readers_show_differently_is_kept_and_named(
    maker: RawMaker, fields: dict[str, Any], problems: dict[str, str]
) -> None:
    stored = StoredPicture(**{"format": "JPEG", "size": (90, 160), **fields})
    name = "11.jpg" if stored.format == "JPEG" else "11.png"
    # the lower right corner of the upright picture, beyond a lying one
    lines = [{name: "click(coordinates=(89, 159))"}, {"12.jpg": "finished()"}]
    maker.episode(lines=lines, images={name: stored.write(), "12.jpg": maker.jpeg})
    steps, found = content(maker)
    assert steps[0].screenshot == stored.write()
    assert {problem.kind.value: problem.detail for problem in found} == problems
    assert {problem.file for problem in found} <= {f"3/20250310_081530/Screenshots/{name}"}


def test_files_that_vanish_or_change_after_the_scan(maker: RawMaker) -> None:
    path = maker.episode() / "Screenshots"
    release = maker.read()
    (path / "11.jpg").unlink()
    (path / "tree_11.xml").unlink()
    os.mkfifo(path / "tree_11.xml")
    (path / "12.jpg").unlink()
    (path / "12.jpg").mkdir()
    steps, problems = read_content(release.root, release.episodes[0])
    assert steps == (StepContent(None, None), StepContent(None, maker.tree.decode()))
    assert [problem.kind.value for problem in problems] == [
        "corrupt_screenshot",
        "broken_tree",
        "corrupt_screenshot",
    ]
