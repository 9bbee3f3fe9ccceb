"""Trees out of whatever phones print around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import AccessibilityTreeError, EndlessOutputError
from fingertip_dataset.ui_tree.dump_output import find_reason, read_dump
from fingertip_dataset.ui_tree.tree_xml import MAX_BYTES

BARE = '<hierarchy rotation="0"><node text="支付" bounds="[0,0][9,9]" /></hierarchy>'
TREE = f"<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>{BARE}"
DUMPED = "UI hierchary dumped to: /sdcard/w.xml\n"
TRACE = """java.io.FileNotFoundException: /data/system/theme_config/compatibility.xml: open failed: ENOENT
\tat libcore.io.IoBridge.open(IoBridge.java:496)
\tat java.io.FileInputStream.<init>(FileInputStream.java:160)
\tat com.android.internal.os.ZygoteInit.<clinit>(ZygoteInit.java:99)
Caused by: android.system.ErrnoException: open failed: ENOENT (No such file or directory)
"""
NAMED = (
    "\n</hierarchy> closed",
    "\n<hierarchy></hierarchy>",
    "\n<hierarchy> read",
    "\n<hierarchy <x/></hierarchy>",
)
"""Words behind a tree that name its element."""


@pytest.mark.parametrize("tree", [TREE, BARE, TREE.replace(" ?>", "?>\n")])
@pytest.mark.parametrize(
    "before", ["", DUMPED, TRACE, TRACE + DUMPED, "<?xml> in a log\n", "<hierarchy> is next\n"]
)
@pytest.mark.parametrize("behind", ["", "\n", DUMPED, "\n" + TRACE, "</node>", "\0\0", *NAMED])
def test_a_tree_is_read_whatever_is_around_it(before: str, tree: str, behind: str) -> None:
    assert read_dump((before + tree + behind).encode()) == tree


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ("", "none"),
        (TRACE, "none"),
        ("</hierarchy>", "one that is cut off"),
        (TREE[:-5], "one that is cut off"),
        ('<hierarchy rotation="0" />', "an empty one"),
        ('<hierarchy rotation="0"></hierarchy>', "an empty one"),
        (TREE.replace("/></", "></"), "expected a well-formed accessibility tree"),
    ],
)
def test_what_is_no_tree_is_named(output: str, why: str) -> None:
    with pytest.raises(AccessibilityTreeError, match=why):
        read_dump(output.encode())


def test_a_tree_that_is_too_large_is_not_parsed() -> None:
    with pytest.raises(EndlessOutputError, match="one of more than 16777216 bytes"):
        read_dump(f"<hierarchy>{'x' * MAX_BYTES}</hierarchy>".encode())


def test_halves_and_cut_characters_are_mended() -> None:
    tree = TREE.replace("支付", "&#55357;&#56832;~\x01").encode().replace(b"~", b"\xe6\x94")
    assert read_dump(tree) == TREE.replace("支付", "😀\ufffd\ufffd")


@given(st.binary(max_size=60), st.binary(max_size=60))
def test_anything_around_a_tree_is_a_tree_or_an_error_of_ours(before: bytes, behind: bytes) -> None:
    assert read_dump(before + TREE.encode() + behind).endswith(BARE)


def test_words_of_the_phone_are_the_reason() -> None:
    gone = b"head: /sdcard/fingertip_1_1.xml: No such file or directory\n"
    assert (
        find_reason(b"", b"ERROR: could not get idle state.\n" + gone) == "ERROR: could not get idle state."
    )
    assert find_reason(DUMPED.encode(), gone) == ""
    assert find_reason(b"Killed\n", b"") == "Killed"
