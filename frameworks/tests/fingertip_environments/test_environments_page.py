"""docs/environments.md: its blocks of code run as they stand."""

from __future__ import annotations

import re

import pytest

from tests.test_architecture import ROOT

PAGE = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_page_has_its_blocks() -> None:
    assert len(BLOCKS) == 5


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_a_block_runs(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    exec(compile(block, "docs/environments.md", "exec"), names)  # noqa: S102 - our own page
    printed = capsys.readouterr().out
    if "done.reward" in block:
        assert printed.startswith("True 1.")
    if "get_reward" in block:
        assert printed == "Screen: " + printed.split(" ", 1)[1]
