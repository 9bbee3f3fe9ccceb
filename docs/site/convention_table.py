"""The table of the differences between the paper and the authors' scripts, from their constants."""

from __future__ import annotations

import griffe

from docs.site.markdown_text import code, prose
from docs.site.site_map import ROOT
from fingertip_dataset.markdown_table import markdown_table

_FILE = ROOT / "fingertip_metrics" / "conventions.py"


def convention_table() -> str:
    """A row per constant of `conventions.py` that has a source in its docstring."""
    module = griffe.visit("conventions", _FILE, _FILE.read_text(encoding="utf-8"))
    rows = []
    for name, member in module.members.items():
        if (
            isinstance(member, griffe.Attribute)
            and member.docstring
            and name.startswith(("RELEASE_", "PAPER_"))
        ):
            # the colon after "Release" and "Paper" says whose choice it is; the name says the same
            rows.append((code(name), code(str(member.value)), prose(member.docstring.value)))
    return markdown_table(("constant", "value", "source and reason"), rows)
