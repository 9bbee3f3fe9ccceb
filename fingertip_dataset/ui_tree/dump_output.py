"""The accessibility tree in what a phone prints when uiautomator dumps it.

The words and the exit status of uiautomator say little: MIUI prints a Java stack trace on either stream,
before or behind the usual line, and may end with status 1, while the file is whole (AppAgent 101,
agent-device 322). Others end with status 0 and write nothing.
"""

from __future__ import annotations

import re

from fingertip_dataset.errors import AccessibilityTreeError, EndlessOutputError
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_dataset.ui_tree.tree_xml import MAX_BYTES, mend_characters

NO_TREE = "none"
"""Message of the error where nothing of a tree was printed: the phone's words say why."""

_END = b"</hierarchy>"
_EMPTY = re.compile(rb"<hierarchy\b[^<>]*/>")
_DECLARATION = re.compile(rb"<\?xml[^<>]*\?>\s*\Z")
_DUMPED = re.compile(r"UI hier\w+ dumped to: \S+|(?:cat|head|rm): /.*", re.IGNORECASE)


def read_dump(output: bytes) -> str:
    """The tree in the output of a dump: words of uiautomator and of the vendor, the file, more words.

    Raises:
        AccessibilityTreeError: There is none, it is empty, cut off or malformed.
        EndlessOutputError: It is too large.
    """
    if len(output) > MAX_BYTES:
        # it would be as large the next time
        raise EndlessOutputError(f"one of more than {MAX_BYTES} bytes")
    end = output.rfind(_END)
    # no attribute holds a raw "<", so the last one before the end begins the tree
    start = output.rfind(b"<hierarchy", 0, max(end, 0))
    if start < 0:
        what = "an empty one" if _EMPTY.search(output) else "one that is cut off"
        raise AccessibilityTreeError(what if b"<hierarchy" in output or end >= 0 else NO_TREE)
    declared = _DECLARATION.search(output, max(0, start - 200), start)
    found = output[declared.start() if declared else start : end + len(_END)]
    # half a character may be at the end of a text that an app has cut
    tree = mend_characters(found).decode(errors="replace")
    parse_tree(tree)
    # while windows change, uiautomator may dump a hierarchy without nodes
    if "<node" not in tree:
        raise AccessibilityTreeError("an empty one")
    return tree


def find_reason(output: bytes, errors: bytes) -> str:
    """Words of uiautomator in place of a tree, in one line; "" for nothing."""
    words = (errors + b"\n" + output).decode(errors="replace")
    return " ".join(_DUMPED.sub(" ", words).split())
