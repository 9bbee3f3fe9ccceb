"""Why suggestions failed: mistakes planted in planned lives, and a model judge about recorded people."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fingertip_agents import FrequentBaseline, HabitBaseline, RecentBaseline
from fingertip_agents.suggestion.suggestion_agent import Suggestion
from fingertip_dataset import BuiltDataset
from fingertip_dataset.errors import DatasetError, ModelError, UsageError
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_metrics.embedders import get_embedder
from fingertip_metrics.judges import LexicalJudge, SimulatedJudge
from fingertip_runs.reason_counts import SHOWN_TASKS
from fingertip_studies.why_suggestions_fail import MISTAKES, KnownLife, explain_mistakes, table
from suggestion_runner import read_predictions, run_suggestions, score_run
from suggestion_runner.scoring import SuggestionRunScores
from suggestion_runner.why.intent_reason_tables import why_lines, why_notes, why_table
from suggestion_runner.why.reason_judge import open_reason_judge
from suggestion_runner.why.why_suggestions import WhySuggestions, explain_answers, why_dict

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

CERTAIN = (
    "says nothing",
    "chats",
    "lists several intents",
    "repeats the last intent",
    "takes other arguments",
    "takes another goal of the app",
    "says what most people do",
    "invents something rare",
)
"""Agents whose mistakes leave hardly any doubt."""
OF_HABITS = (
    "takes a habit of another hour",
    "takes a habit of another place",
    "takes another habit of now",
)
"""Agents whose mistakes depend on what a person happened to do before."""


class AnswerAgent:
    """Answers a task by a function of its input."""

    def __init__(self, answer: Callable[[SuggestionInput], str]) -> None:
        self.name = "answers"
        self.settings: Mapping[str, object] = {}
        self._answer = answer

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        return Suggestion(text=self._answer(task_input), seconds=0)


def known(locale: str) -> dict[str, KnownLife]:
    lives = [KnownLife.draw(number, 11, locale) for number in range(4)]
    return {life.person.user_id: life for life in lives}


def planted(
    dataset: Path, folder: Path, locale: str, names: tuple[str, ...], limit: int | None = None
) -> Iterator[tuple[str, WhySuggestions]]:
    lives = known(locale)
    return explain_mistakes(dataset, lives, folder, split="test_suggestion", names=names, limit=limit)


@pytest.fixture(scope="module")
def found(lives: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, WhySuggestions]:
    """An explained run of each agent with a mistake, about people who write Chinese."""
    folder = tmp_path_factory.mktemp("runs")
    certain = planted(lives, folder / "certain", "zh", CERTAIN, limit=16)
    return {**dict(certain), **dict(planted(lives, folder / "of-habits", "zh", OF_HABITS))}


@pytest.mark.parametrize("name", CERTAIN + OF_HABITS)
def test_a_planted_mistake_is_named(found: dict[str, WhySuggestions], name: str) -> None:
    why = found[name]
    primary = Counter(attempt.primary for attempt in why.attempts)
    assert len(why.attempts) >= 3
    assert primary[MISTAKES[name][0]] >= (0.9 if name in CERTAIN else 0.7) * len(why.attempts)
    assert {attempt.by for attempt in why.attempts} == {"rule"}


def test_mistakes_are_named_in_english_too(english_lives: Path, tmp_path: Path) -> None:
    for name, why in planted(english_lives, tmp_path, "en", CERTAIN[4:6], limit=8):
        primary = Counter(attempt.primary for attempt in why.attempts)
        assert primary[MISTAKES[name][0]] >= 0.9 * len(why.attempts) > 0


def test_counts_are_of_all_tasks_with_intervals_over_users(found: dict[str, WhySuggestions]) -> None:
    why = found["takes other arguments"]
    count = why.counts["other_arguments"]
    assert (count.primary, count.share.n) == (len(why.attempts), why.tasks)
    assert count.share.mean == len(why.attempts) / why.tasks
    assert sum(one.primary for one in why.counts.values()) == len(why.attempts)
    written = json.loads(json.dumps(why_dict(why)))
    assert (written["failed"], written["judge"]) == (len(why.attempts), None)
    assert written["attempts"][0]["reasons"][0]["words"].count(" instead of ") >= 1
    assert why_table(why).row_count == len(why.counts)
    assert len(list(why_lines(why))) == min(SHOWN_TASKS + 1, len(why.attempts))


def test_the_study_prints_recall_and_precision(found: dict[str, WhySuggestions]) -> None:
    lines = list(table([found, found]))
    assert sum(line.startswith(f"| {name} |") for line in lines for name in found) == len(found)
    (cells,) = [line.split(" | ") for line in lines if line.startswith("| copied_last | ")]
    assert cells[2] == "1.00 (1.00-1.00)"


def test_no_success_has_a_reason(lives: Path, tmp_path: Path) -> None:
    run_suggestions(lives, FrequentBaseline(), tmp_path / "run")
    judge = SimulatedJudge.of_dataset(BuiltDataset.open(lives))
    by_rule = explain_answers(scored(tmp_path / "run"))
    scores = scored(tmp_path / "run", judge=judge)
    why = explain_answers(scores)
    assert scores.judged is not None
    wrong = [
        task_id
        for task_id, item in zip(scores.task_ids, scores.judged.result.per_item, strict=True)
        if item.state != "same"
    ]
    assert [attempt.task_id for attempt in why.attempts] == wrong
    assert (by_rule.attempts, by_rule.success) == (why.attempts, why.success)


def test_a_right_answer_that_another_judge_calls_wrong_is_unexplained(lives: Path, tmp_path: Path) -> None:
    rows = BuiltDataset.open(lives).rows("test_suggestion", columns=("episode_id", "intent"))
    intents = {row["episode_id"]: row["intent"] for row in rows}
    agent = AnswerAgent(lambda task: f"今天{intents[task.task_id]}，麻烦你了谢谢")
    run_suggestions(lives, agent, tmp_path / "run")
    why = explain_answers(scored(tmp_path / "run", judge=LexicalJudge()))
    (words,) = {one.reasons[0].words for one in why.attempts if one.primary == "unexplained"}
    assert words == "the rules read the person's own intent"


def test_a_failed_query_is_an_error_of_the_agent(lives: Path, tmp_path: Path) -> None:
    def answer(task: SuggestionInput) -> str:
        if task.task_id == first:
            raise ModelError("status 400: refused")
        return ""

    first = next(BuiltDataset.open(lives).rows("test_suggestion", columns=("episode_id",)))["episode_id"]
    run_suggestions(lives, AnswerAgent(answer), tmp_path / "run", concurrency=1)
    why = explain_answers(scored(tmp_path / "run"))
    assert Counter(attempt.primary for attempt in why.attempts) == {
        "agent_error": 1,
        "unreadable_answer": why.tasks - 1,
    }
    (error,) = [one for one in why.attempts if one.primary == "agent_error"]
    assert (error.task_id, error.reasons[0].words) == (first, "status 400: refused")


def test_an_agent_that_sees_no_history_copies_nothing(lives: Path, tmp_path: Path) -> None:
    rows = BuiltDataset.open(lives).rows("test_suggestion", columns=("episode_id", "previous_intents"))
    latest = {row["episode_id"]: row["previous_intents"][-1]["intent"] for row in rows}
    agent = AnswerAgent(lambda task: latest[task.task_id])
    run_suggestions(lives, agent, tmp_path / "shown")
    run_suggestions(lives, agent, tmp_path / "hidden", history="none")
    assert explain_answers(scored(tmp_path / "shown")).counts["copied_last"].any > 0
    assert "copied_last" not in explain_answers(scored(tmp_path / "hidden")).counts


def scored(run: Path, judge: object = None) -> SuggestionRunScores:
    return score_run(run, embedder=get_embedder("lexical"), judge=judge)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def recorded(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of `habit` about people who are not simulated."""
    run = tmp_path_factory.mktemp("recorded") / "run"
    run_suggestions(sample, HabitBaseline(), run)
    return run


def test_recorded_people_need_a_judge(recorded: Path) -> None:
    with pytest.raises(UsageError, match="--why on recorded people needs --judge MODEL"):
        explain_answers(scored(recorded))


def test_without_a_model_recorded_people_are_judged_by_text_alone(sample: Path, tmp_path: Path) -> None:
    run_suggestions(sample, RecentBaseline(), tmp_path / "run")
    why = explain_answers(scored(tmp_path / "run", judge=LexicalJudge()))
    empty = {line.task_id for line in read_predictions(tmp_path / "run") if not line.predicted_intent}
    for attempt in why.attempts:
        named = "unreadable_answer" if attempt.task_id in empty else "copied_last"
        assert attempt.primary == named
    run_suggestions(sample, HabitBaseline(), tmp_path / "habit")
    why = explain_answers(scored(tmp_path / "habit", judge=LexicalJudge()))
    assert why.counts["not_judged"].primary > 0
    asks = "are not judged, for example: no model was asked; `fingertip score --why --judge MODEL` asks one."
    assert any(asks in note for note in why_notes([why]))


def test_a_model_is_asked_only_about_answers_that_a_judge_calls_wrong(
    openai_server: OpenAIServer, recorded: Path, tmp_path: Path
) -> None:
    def reply(query: ReceivedRequest) -> Reply:
        data = json.loads(query.text.split("\n")[1])
        kind = "stale_habit" if query.number % 2 else "it is sad"
        return openai_server.says(json.dumps({"code": data["code"], "reason": "因为", "kind": kind}))

    openai_server.replies = reply
    scores = scored(recorded, judge=LexicalJudge())
    options = {"base_url": openai_server.base_url, "cache": tmp_path / "judge.jsonl"}
    with open_reason_judge("m", **options, concurrency=1) as judge:  # type: ignore[arg-type]
        why = explain_answers(scores, judge=judge)
        assert why.judge == judge.settings
    by_text = explain_answers(scores)
    open_tasks = [one.task_id for one in by_text.attempts if one.primary == "not_judged"]
    assert len(openai_server.requests) == len(open_tasks) > 1
    judged = [one for one in why.attempts if one.task_id in open_tasks]
    assert [(one.primary, one.by) for one in judged] == [
        ("stale_habit", "why-judge:m@zh-1") if number % 2 else ("not_judged", "rule")
        for number in range(len(open_tasks))
    ]
    assert any("some primary reasons are by why-judge:m@zh-1" in note for note in why_notes([why]))


def test_the_dataset_must_be_that_of_the_run(recorded: Path, lives: Path, tmp_path: Path) -> None:
    scores = scored(recorded, judge=LexicalJudge())
    for path, error in ((lives, UsageError), (tmp_path / "gone", DatasetError), ("", UsageError)):
        data = scores.record.dataset.model_copy(update={"path": str(path)})
        record = scores.record.model_copy(update={"dataset": data})
        changed = SuggestionRunScores(
            **{name: getattr(scores, name) for name in scores.__slots__} | {"record": record}
        )
        with pytest.raises(error):
            explain_answers(changed)
