"""The tables of docs/developers/trees.md: real accessibility trees, clean and rough ones of phones.

python -m docs.site.tree_page [RELEASE]

writes the tables of the simulated phone again, and with the folder of a release of real screens also the
figures of the real trees, which are not in this project.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean, median

import numpy as np

from docs.site.page_lists import with_lists
from docs.site.tree_figures import (
    FIGURES,
    KINDS,
    AgentFigures,
    Observed,
    agent_figures,
    observed,
    pages,
    summary,
)
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, parse_tree

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "developers" / "trees.md"
PEOPLE, EPISODES = 20, 15
FACTOR = 1.3
"""Largest ratio of a rough figure to the real one, and of the real one to it."""

NUMBERS = {
    "description": "characters of the screen description (generalist)",
    "lines": "elements in it",
    "autodroid": "characters of AutoDroid's list",
    "entries": "elements in it",
    "marks": "numbers drawn by AppAgent",
}
SHARES = {
    "true_entries": "AutoDroid's elements whose touch point reaches an element",
    "listed": "touched elements that are in AutoDroid's list at a true touch point",
    "found": "touched elements that `imitate` finds by their label",
    "first": "touched elements that the first node with exactly their label reaches",
}


def real_trees(release: Path) -> list[AccessibilityTree]:
    """The trees of a release, without empty ones."""
    trees = [parse_tree(path.read_bytes()) for path in sorted(release.rglob("*.xml"))]
    return [tree for tree in trees if tree.elements]


def real_table(trees: Sequence[AccessibilityTree]) -> str:
    """The figures of real trees."""
    day = datetime.now(UTC).date().isoformat()
    rows = [f"| {FIGURES[name]} | {_pair(values)} |" for name, values in summary(trees).items()]
    note = f"{len(trees)} real trees, measured on {day}."
    return "\n".join([note, "", "| median / 90th percentile | real |", "|---|---|", *rows])


def recorded_real(page: str) -> dict[str, tuple[float, float]]:
    """The figures of real trees that the page records, by name."""
    block = page.partition("<!-- real -->")[2].partition("<!-- /real -->")[0]
    found = dict(re.findall(r"^\| (.+?) \| ([\d.]+ / [\d.]+) \|$", block, re.MULTILINE))
    return {name: _read(found[words]) for name, words in FIGURES.items()}


def simulated_table(real: dict[str, tuple[float, float]], screens: Sequence[Observed]) -> str:
    """The figures of clean and rough trees, one for each page of each phone, beside the real ones."""
    first = pages(screens)
    clean, rough = (summary(parse_tree(seen.release[kind]) for seen in first) for kind in KINDS)
    rows = [
        f"| {words} | {_pair(real[name])} | {_pair(clean[name])} | {_pair(rough[name])} |"
        f" {_ratio(rough[name][0], real[name][0])} / {_ratio(rough[name][1], real[name][1])} |"
        for name, words in FIGURES.items()
    ]
    note = f"{len(first)} pages of {PEOPLE} simulated phones."
    head = ["| median / 90th percentile | real | simulated, clean | simulated, rough | rough : real |"]
    return "\n".join([note, "", *head, "|---|---|---|---|---|", *rows])


def agents_table(screens: Sequence[Observed]) -> str:
    """List what agents that read trees get from clean and from rough trees."""
    known = {kind: [agent_figures(seen, kind) for seen in screens] for kind in KINDS}
    rows = [
        f"| {words} | {' | '.join(_pair(_spread(known[kind], name)) for kind in KINDS)} |"
        for name, words in NUMBERS.items()
    ]
    rows += [
        f"| {words} | {' | '.join(f'{100 * fmean(_known(known[kind], name)):.1f} %' for kind in KINDS)} |"
        for name, words in SHARES.items()
    ]
    touched = len(_known(known["clean"], "found"))
    note = f"{len(screens)} simulated screens; on {touched} the person touched an element with a label."
    head = ["| median / 90th percentile, or share | clean | rough |", "|---|---|---|"]
    return "\n".join([note, "", *head, *rows])


def _known(figures: Sequence[AgentFigures], name: str) -> list[float]:
    return [float(value) for one in figures if (value := getattr(one, name)) is not None]


def _spread(figures: Sequence[AgentFigures], name: str) -> tuple[float, float]:
    values = _known(figures, name)
    return median(values), float(np.percentile(values, 90))


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 2 else f"{value:.3f}"


def _pair(values: tuple[float, float]) -> str:
    return " / ".join(map(_number, values))


def _read(pair: str) -> tuple[float, float]:
    low, _, high = pair.partition(" / ")
    return float(low), float(high)


def _ratio(ours: float, real: float) -> str:
    return f"{ours / real:.2f}" if real else "-"


def main(release: Path | None) -> None:
    """Write the tables."""
    page = PAGE.read_text(encoding="utf-8")
    if release is not None:
        table = real_table(real_trees(release))

        def real() -> str:
            return table

        page = with_lists(page, [real])
    screens = observed(PEOPLE, EPISODES)

    def simulated() -> str:
        return simulated_table(recorded_real(page), screens)

    def agents() -> str:
        return agents_table(screens)

    PAGE.write_text(with_lists(page, [simulated, agents]), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
