"""Orders of agents by embedders: known answers, areas against a slow count, and the printed tables."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_agents import HabitBaseline
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_metrics import get_embedder
from fingertip_studies.embedder_order import (
    OTHER_CASE,
    OTHER_GOAL,
    REWORDED,
    JudgedAnswer,
    collect_answers,
    measure_area,
    measure_forms,
    print_language,
)
from fingertip_studies.model_judge import choose_answers
from suggestion_runner import run_suggestions


def make_answer(number: int, goal: bool) -> JudgedAnswer:
    return JudgedAnswer(
        agent="a", task_id=str(number), user=str(number % 3), language="zh", app="x", text=f"听歌{number}",
        intent=f"打车{number}", right=goal, goal=goal,
    )  # fmt: skip


@pytest.fixture(scope="module")
def answers(people: Path, tmp_path_factory: pytest.TempPathFactory) -> list[JudgedAnswer]:
    run = tmp_path_factory.mktemp("order") / "run"
    run_suggestions(people, HabitBaseline(), run, limit=6)
    return collect_answers(BuiltDataset.open(people), [run])


def test_known_answers_are_judged_as_they_were_made(answers: list[JudgedAnswer]) -> None:
    def shares(agent: str) -> tuple[float, float]:
        own = [one for one in answers if one.agent == agent]
        assert own
        return sum(one.goal for one in own) / len(own), sum(one.right for one in own) / len(own)

    assert shares(REWORDED)[0] == 1
    assert shares(REWORDED)[1] > 0.6
    assert shares(OTHER_CASE)[1] == 0
    assert shares(OTHER_CASE)[0] > 0.6
    assert shares(OTHER_GOAL)[1] == 0
    assert all(one.text != one.intent for one in answers if one.agent == OTHER_GOAL)


def test_tables_name_all_agents_and_refuse_no_lexical_embedder(
    answers: list[JudgedAnswer], capsys: pytest.CaptureFixture[str]
) -> None:
    print_language("zh", answers, {"lexical": get_embedder("lexical")})
    out = capsys.readouterr().out
    assert all(f"| {one.agent} |" in out for one in answers)
    assert "| lexical | " in out


def test_forms_are_bounded_and_an_equal_text_is_first(answers: list[JudgedAnswer]) -> None:
    forms = measure_forms(get_embedder("lexical"), answers)
    assert all(len(values) == len(answers) for values in forms.values())
    assert all(np.abs(values).max() < 1.000001 for values in forms.values())
    equal = [at for at, one in enumerate(answers) if one.text == one.intent]
    assert all(forms["cosine"][at] == pytest.approx(1) for at in equal)


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=20))
def test_an_area_is_the_share_of_ordered_pairs(rows: list[tuple[int, bool]]) -> None:
    given_answers = [make_answer(number, goal) for number, (_, goal) in enumerate(rows)]
    values = np.array([value for value, _ in rows], dtype=float)
    pairs = [(one, other) for one, goal in rows if goal for other, wrong in rows if not wrong]
    if not pairs:
        return
    slow = sum((one > other) + 0.5 * (one == other) for one, other in pairs) / len(pairs)
    assert measure_area(values, given_answers, resamples=9).value == pytest.approx(slow)


def test_half_of_the_chosen_answers_are_right() -> None:
    chosen = choose_answers([make_answer(number, number % 5 == 0) for number in range(100)], 20)
    assert sum(one.right for one in chosen) == 10
    assert chosen == choose_answers([make_answer(number, number % 5 == 0) for number in range(100)], 20)


def test_a_run_of_another_dataset_is_refused(sample: Path, people: Path, tmp_path: Path) -> None:
    run_suggestions(sample, HabitBaseline(), tmp_path / "run")
    with pytest.raises(UsageError, match="the run is of another dataset"):
        collect_answers(BuiltDataset.open(people), [tmp_path / "run"])


def write_bundle(file: Path, built: BuiltDataset, sha256: str, answers: dict[str, str]) -> Path:
    head = {"card": {"name": "小模型"}, "run": {"dataset": {"data_sha256": sha256}}}
    lines = [{"task_id": task, "predicted_intent": text} for task, text in answers.items()]
    with ZipFile(file, "w") as archive:
        archive.writestr("bundle.json", json.dumps(head))
        archive.writestr("predictions.jsonl", "\n".join(map(json.dumps, lines)))
    return file


def test_answers_of_a_bundle_stand_beside_those_of_runs(
    people: Path, answers: list[JudgedAnswer], tmp_path: Path
) -> None:
    built, first = BuiltDataset.open(people), answers[0]
    run_suggestions(people, HabitBaseline(), tmp_path / "run", limit=6)
    mine = write_bundle(
        tmp_path / "a.zip", built, built.manifest.data_sha256, {first.task_id: first.intent, "no": "x"}
    )
    found = collect_answers(built, [tmp_path / "run"], [mine])
    (added,) = [one for one in found if one.agent == "小模型"]
    assert (added.task_id, added.right) == (first.task_id, True)
    assert len(found) == len(answers) + 1
    other = write_bundle(tmp_path / "b.zip", built, "0" * 64, {})
    with pytest.raises(UsageError, match="the bundle is of another dataset"):
        collect_answers(built, [tmp_path / "run"], [other])
    with pytest.raises(UsageError, match="this is no zip file of a bundle of track 1"):
        collect_answers(built, [tmp_path / "run"], [tmp_path / "run"])


@pytest.mark.install
@pytest.mark.parametrize("module", ["embedder_order", "model_judge"])
def test_the_commands_have_help(module: str) -> None:
    command = [sys.executable, "-m", f"fingertip_studies.{module}", "--help"]
    assert b"--run" in subprocess.run(command, check=True, capture_output=True).stdout
