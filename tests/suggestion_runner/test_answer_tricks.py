"""Tricks of track 1: what they answer, and that they are scored as the run is."""

from __future__ import annotations

from pathlib import Path

import pytest

from fingertip_agents import FrequentBaseline, RecentBaseline
from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_metrics.embedders import get_embedder
from fingertip_metrics.judges import LexicalJudge
from suggestion_runner import run_suggestions, score_run
from suggestion_runner.answer_tricks import list_trick_answers, score_answer_tricks
from suggestion_runner.suggestion_tables import notes, score_table


def task(user: str, *texts: str) -> SuggestionInput:
    earlier = [
        Intent(
            user_id=user,
            time=f"2025-03-0{day} 08:00:00",
            scenario="家",
            app="com.x",
            text=text,
            category=None,
        )
        for day, text in enumerate(texts, start=1)
    ]
    return SuggestionInput(
        task_id=user, profile=UserProfile(), time=None, scenario="", previous_intents=tuple(earlier)
    )


def test_answers_come_from_the_history_alone() -> None:
    tasks = [task("1", "听歌", "听歌", "打车去公司"), task("2", "点外卖", "打车去公司"), task("3")]
    assert list_trick_answers(tasks) == {
        "constant": ("打车去公司",) * 3,
        "last_intent": ("打车去公司", "打车去公司", ""),
        "frequent_intent": ("听歌", "打车去公司", ""),
    }
    assert list_trick_answers([task("3")])["constant"] == ("",)
    assert list_trick_answers([])["constant"] == ()


@pytest.mark.parametrize(
    ("agent", "name"), [(RecentBaseline, "last_intent"), (FrequentBaseline, "frequent_intent")]
)
def test_an_echo_scores_as_the_agent_that_does_it(
    small_dataset: Path, tmp_path: Path, agent: type[RecentBaseline], name: str
) -> None:
    run_suggestions(small_dataset, agent(), tmp_path / "run")
    embedder, judge = get_embedder("lexical"), LexicalJudge()
    scores = score_run(tmp_path / "run", embedder=embedder, judge=judge)
    tricks = score_answer_tricks(scores, embedder=embedder, judge=judge)
    found = {row.name: row for row in tricks.rows}
    assert found[name].means["sim1"] == scores.intervals["sim1"]
    assert scores.judged is not None
    assert found[name].means["sr1"] == scores.judged.interval
    assert found["constant"].n == scores.result.n
    table = score_table([scores], tricks=tricks)
    assert [*map(str, table.columns[0].cells)][1:4] == ["chance and tricks"] * 3
    assert len(table.columns) == len(score_table([scores]).columns)


def test_without_the_dataset_a_line_says_why(small_dataset: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved"
    moved.symlink_to(small_dataset)
    run_suggestions(moved, RecentBaseline(), tmp_path / "run")
    moved.unlink()
    scores = score_run(tmp_path / "run", embedder=get_embedder("lexical"))
    tricks = score_answer_tricks(scores, embedder=get_embedder("lexical"), judge=None)
    assert tricks.rows == ()
    assert "Chance and tricks need the run's dataset: no built dataset" in tricks.remarks[0]


def test_a_run_of_one_answer_is_warned_of(small_dataset: Path, tmp_path: Path) -> None:
    class Constant(RecentBaseline):
        def _answer(self, task_input: SuggestionInput) -> tuple[tuple[str, float], ...]:
            return (("听歌", 1.0),)

    run_suggestions(small_dataset, Constant(), tmp_path / "run")
    scores = score_run(tmp_path / "run", embedder=get_embedder("lexical"))
    count = scores.result.n
    assert notes([scores])[0] == f"WARNING: {count} of {count} answers are the same."
