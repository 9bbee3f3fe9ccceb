"""The accessibility tree in what a phone prints when uiautomator dumps it.

The words and the exit status of uiautomator say little: MIUI prints a Java stack trace on either stream,
before or behind the usual line, and may end with status 1, while the file is whole (AppAgent 101,
agent-device 322). Others end with status 0 and write nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fingertip_dataset.errors import AccessibilityTreeError, EndlessOutputError
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_dataset.ui_tree.tree_xml import MAX_BYTES, mend_characters

NO_TREE = "none"
"""Message of the error where nothing of a tree was printed: the phone's words say why."""

_START, _END = b"<hierarchy", b"</hierarchy>"
_MOST_TREES = 4
"""Number of elements named hierarchy that are looked at, from the last one back."""

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
    refused: AccessibilityTreeError | None = None
    for found in _find_trees(output):
        # half a character may be at the end of a text that an app has cut
        tree = mend_characters(found).decode(errors="replace")
        try:
            parse_tree(tree)
        except AccessibilityTreeError as error:
            refused = refused or error
        else:
            # while windows change, uiautomator may dump a hierarchy without nodes
            if "<node" in tree:
                return tree
            refused = refused or AccessibilityTreeError("an empty one")
    if refused is not None:
        raise refused
    what = "an empty one" if _EMPTY.search(output) else "one that is cut off"
    raise AccessibilityTreeError(what if _START in output or _END in output else NO_TREE)


def _find_trees(output: bytes) -> Iterator[bytes]:
    """Yield what may be a tree, the last one first: words behind it may name the element, too."""
    before = len(output)
    for _ in range(_MOST_TREES):
        # no attribute holds a raw "<", so the first end behind a start is that of its element
        start = output.rfind(_START, 0, before)
        if start < 0:
            return
        end = output.find(_END, start, before)
        if end >= 0:
            declared = _DECLARATION.search(output, max(0, start - 200), start)
            yield output[declared.start() if declared else start : end + len(_END)]
        before = start


def find_reason(output: bytes, errors: bytes) -> str:
    """Words of uiautomator in place of a tree, in one line; "" for nothing."""
    words = (errors + b"\n" + output).decode(errors="replace")
    return " ".join(_DUMPED.sub(" ", words).split())
