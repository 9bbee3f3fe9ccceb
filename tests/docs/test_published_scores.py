"""Pages that repeat a score of the published benchmark have the number of docs/baselines.md."""

from __future__ import annotations

import re

import pytest

from docs.site.site_map import DOCS, ROOT

BASELINES = (DOCS / "baselines.md").read_text(encoding="utf-8")
SIM_2 = re.compile(r"\d\.\d{3} \[\d\.\d{3}, \d\.\d{3}\]")
OTHER_NAMES = {
    "imitate, own reference": "imitate",
    "imitate, other type's reference": "imitate a stranger",
}
"""Name of an agent in docs/reference/people.md -> its name in docs/baselines.md."""


@pytest.mark.parametrize("page", ["README.md", "README.zh.md", "docs/reference/people.md"])
def test_sim_2_of_an_agent_is_the_published_one(page: str) -> None:
    published = read_scores(BASELINES)
    shown = read_scores((ROOT / page).read_text(encoding="utf-8"))
    repeated = {OTHER_NAMES.get(name, name): score for name, score in shown.items()}
    repeated = {name: score for name, score in repeated.items() if name in published}
    assert {"imitate", "shortest-path-oracle"} <= repeated.keys()
    assert repeated == {name: published[name] for name in repeated}


def read_scores(text: str) -> dict[str, str]:
    """Agent -> its first Sim_2 with an interval, in the first table that has one for the agent."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        name = line.strip("| ").partition("|")[0].strip("` ")
        if line.startswith("|") and (score := SIM_2.search(line)):
            found.setdefault(name, score.group())
    return found
