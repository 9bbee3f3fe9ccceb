"""Files of `uiautomator dump` on a phone."""

from __future__ import annotations

import secrets

from fingertip_dataset.ui_tree.tree_xml import MAX_BYTES

FOLDER = "/sdcard"


class DumpFiles:
    """Names of the files of one phone's dumps: a new one each time, so that none is of an earlier screen."""

    def __init__(self) -> None:
        self._token = secrets.token_hex(4)
        self._number = 0
        self._left = ""

    def make_line(self) -> str:
        """Shell line that dumps the tree, prints its file, and deletes it and one that was left before."""
        self._number += 1
        file = f"{FOLDER}/fingertip_{self._token}_{self._number}.xml"
        line = f"uiautomator dump {file}; head -c {MAX_BYTES + 1} {file}; rm -f {file}{self._left}"
        self._left = f" {file}"
        return line

    def forget(self) -> None:
        """Note that the latest line has ended, and its file is deleted."""
        self._left = ""
