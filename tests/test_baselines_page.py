"""docs/baselines.md is that of the published people and versions, and the README repeats its numbers."""

from __future__ import annotations

import re
from pathlib import Path

from fingertip_recorder.published_sample import DATA_SHA256, PUBLISHED, SEED, VERSIONS
from fingertip_runs.benchmark_versions import HARNESS
from simulated_phone.versions import CURRENT

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "baselines.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
AGAIN = "stale: make leaderboard && cp build/fingertip-sim/results/baselines.md docs/"


def first_table(section: str) -> dict[str, dict[str, str]]:
    """First cell of each row -> title -> cell."""
    lines = section.split("\n| ", 1)[1].split("\n\n", 1)[0].split("\n")
    head, _, *rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]
    return {row[0]: dict(zip(head, row, strict=True)) for row in rows}


def of_track(page: str, track: int) -> dict[str, dict[str, str]]:
    return first_table(re.split(rf"^## Track {track}: ", page, maxsplit=1, flags=re.MULTILINE)[1])


def test_the_page_is_of_the_published_people_and_versions() -> None:
    versions = f"harness {HARNESS}, phone {CURRENT.phone}, suite {CURRENT.suite}, people {CURRENT.people}"
    assert f"\n{PUBLISHED.words}, seed {SEED}. {versions}; data " in PAGE, AGAIN
    assert f"; data {DATA_SHA256[:8]}.\n" in PAGE, "published_sample.py has another hash"
    assert dict(VERSIONS) == CURRENT.to_json(), "published_sample.py: publish the benchmark again"
    assert PAGE.count(f"\n{PUBLISHED.users} tasks of {PUBLISHED.users} people.\n") == 1, AGAIN


def test_the_readme_repeats_the_page() -> None:
    section = README.split("### The simulated benchmark", 1)[1]
    shown = first_table(section)
    page = {**of_track(PAGE, 2), **{f"{name} (track 1)": row for name, row in of_track(PAGE, 1).items()}}
    assert shown
    for name, cells in shown.items():
        known = page[name.replace("`", "")]
        for title, cell in cells.items():
            if title in known:
                assert cell.replace("`", "") == known[title], (name, title, AGAIN)
    assert {"SR_2", "Sim_2"} <= set(next(iter(shown.values())))


def test_the_published_ranking_is_apart() -> None:
    """Own over shortest over a stranger's way, with intervals apart at one task a person."""
    table = of_track(PAGE, 2)

    def ends(name: str) -> tuple[float, float]:
        low, high = re.findall(r"\[([\d.]+), ([\d.]+)\]", table[name]["Sim_2"])[0]
        return float(low), float(high)

    assert ends("imitate")[0] > ends("shortest-path-oracle")[1]
    assert ends("shortest-path-oracle")[0] > ends("imitate a stranger")[1]
    apart = re.search(
        r"^\| imitate over shortest-path-oracle \| ([\d.]+) \[([-\d.]+), ",
        PAGE.split("Differences in identified")[1],
        re.M,
    )
    assert apart
    assert float(apart[2]) > 0
