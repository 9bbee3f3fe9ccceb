from __future__ import annotations

from pathlib import Path

import pytest

from fingertip_dataset.errors import UsageError
from fingertip_leaderboard.fingertip_sim import BASELINES, NAME, Size, build_fingertip_sim
from fingertip_leaderboard.ranking import tables
from fingertip_leaderboard.results_file import read_results

SMALL = Size(users=2, episodes=5, screen=(270, 600))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small fingertip-sim with baselines of both tracks."""
    out = tmp_path_factory.mktemp("sim") / "made"
    output: list[str] = []
    chosen = [baseline for baseline in BASELINES if baseline.name in ("habit", "recent", "imitate")]
    build_fingertip_sim(out, size=SMALL, baselines=chosen, workers=1, notify=output.append)
    assert output[2:] == ["habit", "recent", "imitate", "everything verified"]
    return out


def test_baselines_are_verified_like_any_submission(made: Path) -> None:
    results = read_results(made / "results" / "verified.json")
    assert {one.card.name for one in results.submissions} == {"habit", "recent", "imitate"}
    assert results.refused == ()
    assert [benchmark.name for benchmark in results.benchmarks] == [NAME]
    found = {one.card.name: one for one in results.submissions}
    assert found["imitate"].conditions[0].device == "simulated"
    assert found["imitate"].conditions[0].decided_by == "rule"
    assert found["imitate"].conditions[0].evidence == "success by rule, re-run"
    assert all(one.caveats for one in results.submissions), "simulated people are not the paper's"
    assert not any(table.published for table in tables(results, ("sim1", "execution")) if table.conditions)


def test_an_existing_folder_with_files_is_refused(made: Path) -> None:
    with pytest.raises(UsageError, match="the folder is not empty: give a new or an empty one"):
        build_fingertip_sim(made, size=SMALL)
