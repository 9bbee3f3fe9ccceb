"""A small release in English and another time zone goes through every command (docs/collect-your-own.md)."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from fingertip_analysis.review.acceptance import AcceptanceSession
from fingertip_dataset import BuiltDataset
from fingertip_dataset.release.settings import parse_settings
from fingertip_dataset.split_names import SPLITS
from tests.command_line import fingertip

ZONE = "America/New_York"
PAGE = Path(__file__).parents[1] / "docs" / "collect-your-own.md"
RAW = ("boston/raw", "--tables", "boston/tables")
DATA, HABIT, IMITATE = "boston-data", "boston-runs/habit", "boston-runs/imitate"


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the commands of the page have run: a sample, its dataset, a run of each track."""
    folder = tmp_path_factory.mktemp("work")
    (block,) = re.findall(r"```bash\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    for line in block.splitlines():
        run(folder, *shlex.split(line)[1:])
    return folder


def run(folder: Path, *arguments: object) -> CompletedProcess[str]:
    done = fingertip(*arguments, cwd=folder)
    assert done.returncode == 0, (arguments, done.stdout, done.stderr)
    return done


def test_the_settings_that_the_page_shows_are_valid() -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    stated = parse_settings(block)
    assert (stated.language, stated.time_zone, stated.listed_places["home"]) == ("en", ZONE, "residence")


def test_local_times_places_and_words_of_the_release(work: Path) -> None:
    shown = run(work, "check", *RAW).stdout
    assert f"release.toml: Simulated people; language en; {ZONE}; 12 places" in shown
    dataset = BuiltDataset.open(work / DATA)
    assert dataset.manifest.settings.time_zone == ZONE
    rows = [row for split in SPLITS for row in dataset.rows(split)]
    # clocks were set forward on 9 March 2025
    assert {row["time"].isoformat()[-6:] for row in rows} == {"-05:00", "-04:00"}
    assert all(row["episode_id"].endswith(row["time"].strftime("%Y%m%d_%H%M%S")) for row in rows)
    assert {row["scenario_category"] for row in rows} == {row["scenario"] for row in rows}
    assert all(row["app_en"] != row["app"] for row in rows)
    # people are asleep at night, by the clocks there
    assert min(row["time"].hour for row in rows) >= 5
    text = json.dumps([row["intent"] + row["scenario"] + row["user_profile"]["occupation"] for row in rows])
    assert text.isascii()
    assert {setup["zone"] for setup in dataset.simulations().values()} == {ZONE}


def test_agents_and_people_read_english_with_local_time(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(work, "export", DATA, "--track", "joint", "--format", "trl", "--out", "export")
    samples = (work / "export" / "train.jsonl").read_text("utf-8")
    assert "Owner of the phone" in samples
    assert "手机主人" not in samples
    first = next(BuiltDataset.open(work / DATA).rows("train"))
    assert f"# Now\\ntime: {first['time']:%Y-%m-%d %H:%M:%S}" in samples
    # a run names its dataset as it was given
    monkeypatch.chdir(work)
    rows = list(BuiltDataset.open(work / DATA).rows("test_suggestion"))
    with AcceptanceSession([Path(HABIT)]) as session:
        for row in rows:
            assert f"time: {row['time']:%Y-%m-%d %H:%M:%S}" in session.situation(row["episode_id"])["en"]
