"""Caveats on the selection of earlier intents (A.6.3): the selecting model, and unparsable selections."""

from __future__ import annotations

from pathlib import Path

import pytest

from fingertip_agents import HabitBaseline
from fingertip_metrics.embedders import get_embedder
from fingertip_metrics.sim1_score import sim1
from suggestion_runner import read_predictions, read_run, run_suggestions
from suggestion_runner.caveats import caveats_of


@pytest.fixture(scope="module")
def run(small_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "run"
    run_suggestions(small_dataset, HabitBaseline(), folder)
    return folder


def caveats(run: Path, settings: dict[str, object], *outcomes: str, history: str = "relevant") -> list[str]:
    record = read_run(run)
    agent = record.agent.model_copy(update={"settings": settings})
    lines = [
        line.model_copy(update={"outcome": outcome})
        for line, outcome in zip(read_predictions(run), (*outcomes, *["answered"] * 4), strict=False)
    ]
    result = sim1(["a"] * len(lines), ["a"] * len(lines), embedder=get_embedder("lexical"))
    changed = record.model_copy(update={"history": history, "agent": agent})
    return list(caveats_of(changed, lines, result, None, answers="raw", differing=0))


@pytest.mark.parametrize(
    ("settings", "output"),
    [
        ({"model": "m"}, ["earlier intents picked by the model itself, m: the paper's is DeepSeek-V3"]),
        (
            {"model": "m", "history_model": {"model": "p"}},
            ["earlier intents picked by --history-model p: the paper's is DeepSeek-V3"],
        ),
        ({"model": "m", "history_model": {"model": "deepseek-ai/DeepSeek-V3-0324"}}, []),
        ({"model": "DeepSeek-V3"}, []),
        (
            {"model": "m", "history_model": {"model": "deepseek-v3.1"}},
            ["earlier intents picked by --history-model deepseek-v3.1: the paper's is DeepSeek-V3"],
        ),
    ],
)
def test_the_model_that_selects_earlier_intents_is_a_caveat(
    run: Path, settings: dict[str, object], output: list[str]
) -> None:
    assert [line for line in caveats(run, settings) if "picked by" in line] == output
    assert not any("picked by" in line for line in caveats(run, settings, history="20"))


def test_a_selection_that_could_not_be_read_left_the_latest_20(run: Path) -> None:
    assert (
        "2 of 4 tasks were asked with the latest 20 earlier intents, because the selection could not be read"
        in caveats(run, {"model": "m"}, "answered, selection unreadable", "cut, selection cut")
    )
    assert not any("latest 20 earlier" in line for line in caveats(run, {"model": "m"}, "cut"))
