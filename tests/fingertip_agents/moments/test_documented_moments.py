"""The table of answers in docs/moments.md."""

from __future__ import annotations

import re
from pathlib import Path

from fingertip_agents.moments.moment_answer import read_moment

PAGE = Path(__file__).parents[3] / "docs" / "moments.md"
HEAD = "| answer | intent | confidence | `outcome` |\n"


def test_answers_are_read_as_the_page_says() -> None:
    table = PAGE.read_text(encoding="utf-8").partition(HEAD)[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[1:]]
    assert len(rows) > 9
    for answers, intent, confidence, outcome in rows:
        for answer in re.findall("`([^`]+)`", answers):
            found = read_moment(answer)
            stated = "none" if found.confidence is None else f"{found.confidence:g}"
            assert (found.intent, stated) == (intent, confidence.partition(":")[0])
            assert found.outcome == outcome.partition(":")[0]
