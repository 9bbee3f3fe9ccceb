"""The table of answers in docs/track-1.md."""

from __future__ import annotations

import re
from pathlib import Path

from fingertip_agents.suggestion.intent_answer import read_intent

PAGE = Path(__file__).parents[3] / "docs" / "track-1.md"
ROW = re.compile(r"\| `(?P<answer>[^|]+)` \| (?:`(?P<intent>[^|]+)` )?\| (?P<outcome>\w+)[^|]*\|")


def test_answers_are_read_as_the_page_says() -> None:
    page = PAGE.read_text(encoding="utf-8")
    section = page.partition("## How an answer is read\n")[2].partition("\n## ")[0]
    rows = [ROW.fullmatch(line) for line in section.splitlines() if line.startswith("| `")]
    assert len(rows) > 9
    for row in rows:
        assert row is not None
        answer = read_intent(row["answer"].replace(" ⏎ ", "\n"))
        assert (answer.intent, answer.outcome) == (row["intent"] or "", row["outcome"])
