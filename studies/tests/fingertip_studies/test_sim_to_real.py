"""The table of a model that learned simulated people alone, at recorded steps of others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from fingertip_studies.learning.learning_cells import Cell
from tests.shared_datasets import simulated_people

if TYPE_CHECKING:
    from fingertip_studies.learning.sim_to_real import EpisodeScores


def make_scores(name: str, values: dict[str, float]) -> EpisodeScores:
    from fingertip_studies.learning.sim_to_real import EpisodeScores

    return EpisodeScores(Cell(name=name), {"right steps": values})


def test_intervals_are_over_episodes_where_there_are_few_people() -> None:
    from fingertip_studies.learning.sim_to_real import show

    shares = {f"{user}__2025031{day}_081500": (user == 1) * 0.5 for user in (1, 5) for day in range(4)}
    own, other = make_scores("own", shares), make_scores("other", dict.fromkeys(shares, 0.0))
    text = show([other, own], steps=30, with_tree=20)
    assert text.startswith(
        "8 episodes of 2 people, 30 steps of which 20 have a tree; intervals over episodes"
    )
    over = own.interval("right steps", sorted(shares))
    # of two people every resample would have 0, 0.25 or 0.5
    assert over.mean == 0.25
    assert 0 < over.low < over.mean < over.high < 0.5
    assert "| own over other | +25.0 [+" in text

    many = {f"{user}__20250310_081500": 0.5 for user in range(10)}
    assert "intervals over people" in show([make_scores("one", many), make_scores("two", many)], 9, 9)


def test_the_model_of_a_run_is_the_base_its_adapter_or_whole_weights(tmp_path: Path) -> None:
    from fingertip_studies.learning.sim_to_real import AT_RANDOM, TRAINED, UNTRAINED, RealScreens

    small = RealScreens(real=tmp_path, work=tmp_path, splits=())
    assert small.list_model_options(AT_RANDOM) == ["--agent", "random"]
    assert tmp_path / "untrained" in small.list_model_options(UNTRAINED)
    assert tmp_path / "trained" in small.list_model_options(TRAINED)
    large = RealScreens(real=tmp_path, work=tmp_path, splits=(), base="Qwen/Qwen3-8B")
    whole = large.list_model_options(TRAINED)
    assert whole[whole.index("--model") + 1] == tmp_path / "trained"
    (tmp_path / "trained").mkdir()
    (tmp_path / "trained" / "adapter_config.json").write_text("{}")
    tuned, plain = large.list_model_options(TRAINED), large.list_model_options(UNTRAINED)
    assert tuned[tuned.index("--model") + 1] == plain[plain.index("--model") + 1] == "Qwen/Qwen3-8B"
    assert tuned[tuned.index("--adapter") + 1] == tmp_path / "trained"
    assert "--adapter" not in plain


@pytest.mark.install
def test_a_pretrained_model_is_trained_on_simulated_people_and_asked_for_steps(
    tmp_path_factory: pytest.TempPathFactory, text_model: Path, tmp_path: Path
) -> None:
    from fingertip_studies.learning.sim_to_real import AT_RANDOM, TRAINED, UNTRAINED, main

    dataset, work = simulated_people(tmp_path_factory) / "dataset", tmp_path / "work"
    call = [
        str(dataset), "--work", str(work), "--limit", "1", "--base", str(text_model), "--sim", str(dataset),
        "--rank", "2", "--episodes", "1", "--setting", "max_steps=1", "--setting", "checkpoints=1",
    ]  # fmt: skip
    done = CliRunner().invoke(main, call, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert "1 episodes of 1 people" in done.output
    assert f"| {TRAINED} over {UNTRAINED} |" in done.output
    assert set(json.loads((work / "sim-to-real.json").read_text())["seconds"]) == {
        "training", AT_RANDOM, UNTRAINED, TRAINED,
    }  # fmt: skip
