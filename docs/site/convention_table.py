"""The table of docs/scoring.md of where paper and scripts differ: `python -m docs.site.convention_table`."""

from __future__ import annotations

import griffe

from docs.site.markdown_text import code, prose
from docs.site.page_lists import with_lists
from docs.site.site_map import DOCS, ROOT
from fingertip_dataset.markdown_table import markdown_table

PAGE = DOCS / "scoring.md"
_FILE = ROOT / "fingertip_metrics" / "conventions.py"


def conventions() -> str:
    """Make the table, a row for each constant of `conventions.py` that has a source in its docstring."""
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


if __name__ == "__main__":
    PAGE.write_text(with_lists(PAGE.read_text(encoding="utf-8"), [conventions]), encoding="utf-8")
