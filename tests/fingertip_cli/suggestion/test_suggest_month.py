"""`fingertip suggest --month`, and what scores and shows its run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import fingertip
from tests.shared_datasets import simulated_people


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated_people(tmp_path_factory) / "dataset"


@pytest.fixture(scope="module")
def months(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of the habit with and without feedback."""
    folder = tmp_path_factory.mktemp("months")
    for name, more in (("with", ()), ("without", ("--no-feedback",))):
        done = fingertip("suggest", dataset, "--month", "--agent", "always", *more, "--out", folder / name)
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines()[-1] == f"next: fingertip score {folder / name}"
    return folder


def test_score_prints_the_curves_of_a_month(months: Path) -> None:
    done = fingertip("score", months / "with", "--embedder", "lexical", "--by", "day", "--notes")
    assert done.returncode == 0, done.stderr
    shown = " ".join(done.stdout.split())
    for part in ("A month in order: with", "days 1 to 7", "history 5 to 19", "new: history below 5"):
        assert part in shown
    assert "with by day of the month" in shown
    assert "Memory last-20. Answers of the people: " in shown


def test_several_months_are_compared_and_their_scores_written(months: Path) -> None:
    done = fingertip("score", months / "with", months / "without", "--embedder", "lexical", "--json")
    first, second = json.loads(done.stdout)["runs"]
    assert (first["month"]["feedback"], second["month"]["feedback"]) == (True, False)
    assert first["month"]["memory"] == "last-20"
    written = json.loads((months / "with" / "scores.json").read_text(encoding="utf-8"))
    assert written["month"] == first["month"]
    (whole,) = written["month"]["curves"]["all"]
    assert whole["moments"] == written["n"]
    assert whole["scores"]["utility"]["mean"] == pytest.approx(written["utility"]["mean"])
    answers = written["month"]["answers"]
    assert sum(answers.values()) == written["spoken"] > 0
    compared = fingertip("score", months / "with", months / "without", "--embedder", "lexical")
    assert "A month in order: repeats %" in compared.stdout


def test_a_month_without_offers_says_why(dataset: Path, tmp_path: Path) -> None:
    warned = {}
    for agent in ("always", "never"):
        done = fingertip(
            "suggest", dataset, "--month", "--agent", agent, "--memory", "none", "--out", tmp_path / agent
        )
        assert done.returncode == 0, done.stderr
        warned[agent] = [line for line in done.stderr.splitlines() if line.startswith("warning: no offer")]
    (line,) = warned["always"]
    assert line.endswith(
        "moments, and none showed an earlier intent, by --memory none. An agent without a model offers what "
        "was done before: take --memory last-20, with another --out"
    )
    assert warned["never"] == [], "it is silent whatever it sees"


def test_the_report_draws_the_month(months: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    done = fingertip("report", months / "with", months / "without", "--embedder", "lexical", "--out", page)
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    assert 'id="month"' in text
    for key in ("month.chart_history", "month.chart_repeat_rate", "moments.days"):
        assert key in text


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (("--month", "--split", "test_moments"), "--month takes no --split"),
        (("--month", "--history", "all"), "--month takes no --history"),
        (("--month", "--sample", "3"), "--month takes no --sample"),
        (("--no-feedback",), "--feedback and --no-feedback need --month"),
        (("--month", "--agent", "human"), "--month needs an agent that answers by itself"),
        (("--month", "--agent", "model", "--model", "m", "--backend", "batch"), "which batch files cannot"),
        (("--month", "--memory", "nobody"), "nobody"),
    ],
)
def test_what_does_not_fit_a_month_is_refused_in_a_line(
    dataset: Path, tmp_path: Path, call: tuple[str, ...], message: str
) -> None:
    agent = () if "--agent" in call else ("--agent", "habit")
    done = fingertip("suggest", dataset, *agent, *call, "--out", tmp_path / "run")
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) <= 2
    assert not (tmp_path / "run").exists()
