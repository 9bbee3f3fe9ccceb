"""Output folder of `fingertip stats`: every figure has its picture and its CSV, also without data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
from PIL import Image

from fingertip_analysis.statistics.figures import FigureSource, write_figures
from fingertip_analysis.statistics.statistics import EpisodeFacts
from fingertip_dataset.parquet.manifest import MomentCounts

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


def test_moments_have_a_table_and_a_picture_where_there_are_any(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    moments = {
        "train_moments": MomentCounts(moments=5, wanted=3, kinds={"intent": 3, "busy": 2}, users=2),
        "test_moments": MomentCounts(moments=3, wanted=2, kinds={"intent": 2, "glance": 1}, users=1),
    }
    write_figures((), out, SAMPLE, measures={"length": lambda a, b: 1.0}, interval=interval, moments=moments)
    table = pd.read_csv(out / "moments.csv").set_index("split")
    assert list(table.columns) == ["moments", "users", "intent", "glance", "busy"]
    assert list(table.loc["train_moments"]) == [5, 2, 3, 0, 2]
    assert (out / "moments.png").is_file()
    record = json.loads((out / "stats.json").read_text("utf-8"))
    assert record["moments"][1]["glance"] == 1
    assert "moments.csv" in record["files"]


def test_titles_name_the_provenance_unless_recorded() -> None:
    assert SAMPLE.title("Episodes") == "Episodes (sample data)"
    assert FigureSource(dataset="x", provenance="recorded", data_sha256="").title("Episodes") == "Episodes"
