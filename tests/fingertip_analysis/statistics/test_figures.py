"""Output folder of `fingertip stats`: every figure has its picture and its CSV, also without data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from PIL import Image

from fingertip_analysis.statistics.figures import LONGEST, TOP, FigureSource, write_figures
from fingertip_analysis.statistics.statistics import EpisodeFacts, read_facts
from fingertip_dataset.times import BEIJING

PICTURES = {
    "splits",
    "episodes_per_user",
    "episodes_per_app",
    "episodes_per_category",
    "scenarios",
    "actions_per_episode",
    "action_types",
    "hours",
    "action_similarity",
}
SAMPLE = FigureSource(dataset="some/folder", provenance="sample", data_sha256="ab" * 32)


def interval(values: Sequence[float], users: Sequence[str]) -> SimpleNamespace:
    return SimpleNamespace(mean=sum(values) / len(values), low=min(values), high=max(values))


def write(facts: Sequence[EpisodeFacts], out: Path, source: FigureSource = SAMPLE) -> None:
    out.mkdir()
    measures = {"length": lambda a, b: min(len(a), len(b)) / max(len(a), len(b))}
    write_figures(facts, out, source, measures=measures, interval=interval)


def crowd(size: int) -> tuple[EpisodeFacts, ...]:
    rows = []
    for number in range(size):
        time = datetime(2025, 3, 1, tzinfo=BEIJING) + timedelta(hours=7 * number)
        rows.append(
            {
                "episode_id": f"{number % 9}__{time:%Y%m%d_%H%M%S}",
                "user_id": str(number % 9),
                "user_type": 1 + number % 2,
                "time": time,
                "scenario": f"地点{number % 50}",
                "scenario_category": "other",
                "app": f"com.app{number % 30}",
                "intent": f"打开{number % 7}",
                "intent_category": None if number % 3 else f"类{number % 60}",
                "actions": [{"type": "wait", "raw": "wait()"}] * (1 + number % (LONGEST + 30)),
            }
        )
    return read_facts([("train", row) for row in rows])


def assert_everything_is_there(out: Path) -> None:
    assert {path.stem for path in out.glob("*.png")} == PICTURES
    assert {path.stem for path in out.glob("*.csv")} == PICTURES | {"action_similarity_matches"}
    for path in out.glob("*.csv"):
        assert len(pd.read_csv(path).columns) >= 2
    for path in out.glob("*.png"):
        with Image.open(path) as image:
            image.load()
            assert image.width < 4000


def test_every_figure_exists_without_data(tmp_path: Path) -> None:
    write((), tmp_path / "out")
    assert_everything_is_there(tmp_path / "out")


@pytest.mark.soak
def test_csv_lists_the_rows_that_the_picture_sums_up(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(crowd(120), out)
    assert_everything_is_there(out)
    apps = pd.read_csv(out / "episodes_per_app.csv")
    assert len(apps) == 30 > TOP
    assert apps["episodes"].sum() == 120
    assert pd.read_csv(out / "actions_per_episode.csv")["actions"].max() == LONGEST + 30
    assert pd.read_csv(out / "splits.csv").set_index("split").loc["all", "episodes"] == 120
    record = json.loads((out / "stats.json").read_text(encoding="utf-8"))
    assert record["version"] == 1
    assert (record["provenance"], record["data_sha256"]) == ("sample", "ab" * 32)
    assert record["similarity_queries"] == "all episodes"
    assert record["splits"][-1]["episodes"] == 120
    assert sorted(record["files"]) == sorted(path.name for path in out.glob("*.csv"))


@pytest.mark.soak
def test_another_provenance_has_other_titles_over_the_same_numbers(tmp_path: Path) -> None:
    write(crowd(1), tmp_path / "a")
    write(crowd(1), tmp_path / "b", FigureSource(dataset="x", provenance="recorded", data_sha256=""))
    assert_everything_is_there(tmp_path / "a")
    for path in (tmp_path / "a").iterdir():
        same = path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()
        assert same is (path.suffix == ".csv")


def test_titles_name_the_provenance_unless_recorded() -> None:
    assert SAMPLE.title("Episodes") == "Episodes (sample data)"
    assert FigureSource(dataset="x", provenance="recorded", data_sha256="").title("Episodes") == "Episodes"
