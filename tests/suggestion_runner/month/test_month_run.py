"""Months in order: what each moment shows, what the person answers, and how a stopped month goes on."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from fingertip_agents import HabitBaseline, Suggestion
from fingertip_agents.memory.memory_registry import MEMORIES
from fingertip_dataset.errors import (
    AllTasksFailedError,
    DatasetError,
    EndpointError,
    ModelError,
    RunError,
    UnreadableAnswersError,
    UsageError,
)
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import MOMENT_SPLITS, MONTH, TEST_MOMENTS
from fingertip_dataset.tasks.moments import read_patience
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_runs.targets import read_targets
from suggestion_runner import read_predictions, read_run, run_suggestions
from suggestion_runner.month.lived_month import LivedMonth, MonthPeople
from suggestion_runner.month.month_replay import replay_month
from suggestion_runner.month.month_run import open_months, run_month
from suggestion_runner.task_view import TaskView
from tests.shared_datasets import simulated_people

VIEW = TaskView(split=MONTH)
NONSENSE = "倒计时999分钟"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated_people(tmp_path_factory) / "dataset"


@pytest.fixture(scope="module")
def intents(dataset: Path) -> dict[str, str]:
    """Moment id -> what is wanted, "" for nothing."""
    return {row["episode_id"]: row["intent"] or "" for row in BuiltDataset.open(dataset).rows(MONTH)}


class Speaker:
    """Agent that records its inputs, and answers what a function of the moment's id returns or raises."""

    name = "speaker"

    def __init__(self, speak: Callable[[str], str]) -> None:
        self.settings: dict[str, object] = {}
        self.seen: list[SuggestionInput] = []
        self._speak = speak

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        self.seen.append(task_input)
        return Suggestion(text=self._speak(task_input.task_id), seconds=0.0, confidence=0.5)


class ConcurrentSpeaker(Speaker):
    """The same agent for several people at once."""

    async def suggest_async(self, task_input: SuggestionInput) -> Suggestion:
        return self.suggest(task_input)


def speak_nonsense(_: str) -> str:
    return NONSENSE


def read_lines(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "predictions.jsonl").read_text("utf-8").splitlines()]


def test_moments_come_in_order_and_show_what_is_strictly_earlier(dataset: Path, tmp_path: Path) -> None:
    agent = Speaker(speak_nonsense)
    outcome = run_month(dataset, agent, tmp_path / "run", view=VIEW)
    rows = list(BuiltDataset.open(dataset).rows(MONTH))
    assert outcome.answered == len(rows) == len(agent.seen)
    assert [seen.task_id for seen in agent.seen] == [row["episode_id"] for row in rows]
    people = MonthPeople(BuiltDataset.open(dataset), "online")
    for before, seen in zip([None, *agent.seen], agent.seen, strict=False):
        user = seen.task_id.partition("__")[0]
        if before is not None and before.task_id.startswith(f"{user}__"):
            assert before.time < seen.time
        known = people.read_person(user).count_earlier(seen.time)
        assert len(seen.previous_intents) == min(known, 20)
        assert all(intent.moment < seen.time for intent in seen.previous_intents)
        assert all(datetime.fromisoformat(offer.time) < seen.time for offer in seen.feedback)
    assert read_run(tmp_path / "run").month.model_dump() == {"feedback": True, "person": "1.1"}


@pytest.mark.parametrize("memory", [name for name, one in MEMORIES.items() if not one.needs_model])
def test_no_memory_shows_an_intent_before_its_time(
    dataset: Path, intents: dict[str, str], tmp_path: Path, memory: str
) -> None:
    agent = Speaker(lambda task_id: "")
    run_month(dataset, agent, tmp_path / "run", view=replace(VIEW, memory=memory))
    shown = 0
    for seen in agent.seen:
        user = seen.task_id.partition("__")[0]
        later = [
            text
            for task_id, text in intents.items()
            if text and task_id.startswith(f"{user}__") and task_id >= seen.task_id
        ]
        text = "\n".join([seen.memory, *(intent.text for intent in seen.previous_intents)])
        assert not [one for one in later if one in text.splitlines()]
        shown += bool(text.strip())
    assert bool(shown) == (memory not in ("none", "similar")) or memory == "similar"


def test_the_person_accepts_what_they_want(dataset: Path, intents: dict[str, str], tmp_path: Path) -> None:
    run_month(dataset, Speaker(intents.__getitem__), tmp_path / "run", view=VIEW)
    lines = read_predictions(tmp_path / "run")
    assert {line.feedback for line in lines if intents[line.task_id]} == {"accepted"}
    assert {line.feedback for line in lines if not intents[line.task_id]} == {""}
    assert {line.repeats for line in lines} == {""}


def test_the_person_says_not_now_to_a_habit_at_another_time(
    dataset: Path, intents: dict[str, str], tmp_path: Path
) -> None:
    habits = {task_id.partition("__")[0]: text for task_id, text in intents.items() if text}

    def offer_habit(task_id: str) -> str:
        return "" if intents[task_id] else habits[task_id.partition("__")[0]]

    run_month(dataset, Speaker(offer_habit), tmp_path / "run", view=VIEW)
    lines = [line for line in read_predictions(tmp_path / "run") if line.feedback]
    assert {line.feedback for line in lines} <= {"not_now", "ignored"}
    days = Counter()
    for line in lines:
        day = line.task_id[:-7]
        assert line.repeats == ("not_now" if days[day] else "")
        days[day] += 1


def test_the_person_says_never_until_patience_ends_each_day(dataset: Path, tmp_path: Path) -> None:
    run_month(dataset, Speaker(speak_nonsense), tmp_path / "run", view=VIEW)
    patience, lines = read_patience(BuiltDataset.open(dataset)), read_predictions(tmp_path / "run")
    days: dict[str, list[str]] = {}
    for line in lines:
        days.setdefault(line.task_id[:-7], []).append(line.feedback)
    for day, answers in days.items():
        rejected = min(patience[day.partition("__")[0]], len(answers))
        assert answers == ["never"] * rejected + ["ignored"] * (len(answers) - rejected)
    first = {line.task_id.partition("__")[0]: line for line in reversed(lines)}
    assert {line.repeats for line in first.values()} == {""}
    assert {line.repeats for line in lines if line not in first.values()} == {"never"}


def test_agent_and_memory_get_the_answers_only_with_feedback(dataset: Path, tmp_path: Path) -> None:
    view = replace(VIEW, memory="all")
    with_answers, without = Speaker(speak_nonsense), Speaker(speak_nonsense)
    run_month(dataset, with_answers, tmp_path / "with", view=view)
    run_month(dataset, without, tmp_path / "without", view=view, feedback=False)
    assert [offer.text for offer in with_answers.seen[3].feedback] == [NONSENSE] * 3
    assert NONSENSE in with_answers.seen[3].memory
    assert {seen.feedback for seen in without.seen} == {()}
    assert not any(NONSENSE in seen.memory for seen in without.seen)
    # the person answers all the same, and so the two can be compared
    assert [line.feedback for line in read_predictions(tmp_path / "with")] == [
        line.feedback for line in read_predictions(tmp_path / "without")
    ]


def test_hidden_parts_are_hidden_in_feedback_too(dataset: Path, tmp_path: Path) -> None:
    agent = Speaker(speak_nonsense)
    run_month(dataset, agent, tmp_path / "run", view=replace(VIEW, without=("time", "scenario"), limit=9))
    last = agent.seen[-1]
    assert (last.time, last.scenario) == (None, "")
    assert {(offer.time, offer.scenario) for offer in last.feedback} == {("", "")}
    assert {(intent.time, intent.scenario) for intent in last.previous_intents} <= {("", "")}


@pytest.mark.parametrize("memory", ["last-20", "habits"])
def test_a_month_that_stops_anywhere_ends_like_one_that_does_not(
    dataset: Path, tmp_path: Path, memory: str
) -> None:
    view, whole, stopped = replace(VIEW, memory=memory), tmp_path / "whole", tmp_path / "stopped"
    run_month(dataset, HabitSpeaker(), whole, view=view)
    tasks = len(read_predictions(whole))
    for most in (1, 5, tasks // 2):
        with pytest.raises(KeyboardInterrupt):
            run_month(dataset, HabitSpeaker(most), stopped, view=view)
    assert len(read_predictions(stopped)) == 6 + tasks // 2 < tasks
    # as if killed between the last line of the first person and the end of their month
    shutil.rmtree(stopped / "memory")
    run_month(dataset, HabitSpeaker(), stopped, view=view)
    for name in ("predictions.jsonl", "targets.jsonl"):
        assert (stopped / name).read_bytes() == (whole / name).read_bytes()
    saved = sorted(path.relative_to(whole) for path in (whole / "memory" / "people").rglob("*.*"))
    assert saved
    for path in saved:
        assert (stopped / path).read_bytes() == (whole / path).read_bytes()


class HabitSpeaker:
    """The habit without its seconds; after `most` answers it is interrupted."""

    name = "habit"

    def __init__(self, most: int | None = None) -> None:
        self.settings: dict[str, object] = {}
        self._habit, self._most = HabitBaseline(), most

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        if self._most == 0:
            raise KeyboardInterrupt
        self._most = None if self._most is None else self._most - 1
        return replace(self._habit.suggest(task_input), seconds=0.25)


def test_several_people_at_once_get_the_same_as_one_after_another(dataset: Path, tmp_path: Path) -> None:
    run_month(dataset, Speaker(speak_nonsense), tmp_path / "one", view=VIEW)
    run_month(dataset, ConcurrentSpeaker(speak_nonsense), tmp_path / "several", view=VIEW, concurrency=2)
    lines = {line["task_id"]: line for line in read_lines(tmp_path / "several")}
    assert lines == {line["task_id"]: line for line in read_lines(tmp_path / "one")}
    again = run_month(dataset, ConcurrentSpeaker(speak_nonsense), tmp_path / "several", view=VIEW)
    assert again.queried == 0


@pytest.mark.parametrize("kind", [Speaker, ConcurrentSpeaker])
def test_a_failed_query_is_silence_and_the_month_goes_on(
    dataset: Path, tmp_path: Path, kind: type[Speaker]
) -> None:
    ids = [row["episode_id"] for row in BuiltDataset.open(dataset).rows(MONTH)]

    def fail_at_two(task_id: str) -> str:
        if task_id in (ids[2], ids[-1]):
            raise ModelError("status 400: refused")
        return NONSENSE

    agent = kind(fail_at_two)
    outcome = run_month(dataset, agent, tmp_path / "run", view=VIEW)
    assert outcome.answered == len(ids)
    assert outcome.failed.keys() == {ids[2], ids[-1]}
    failed = [line for line in read_predictions(tmp_path / "run") if line.failed]
    assert [(line.predicted_intent, line.feedback) for line in failed] == [("", ""), ("", "")]
    assert len(agent.seen[3].feedback) == 2
    again = kind(speak_nonsense)
    assert run_month(dataset, again, tmp_path / "run", view=VIEW).queried == 0
    assert again.seen == []


def test_a_dead_endpoint_loses_no_moment(dataset: Path, tmp_path: Path) -> None:
    ids = [row["episode_id"] for row in BuiltDataset.open(dataset).rows(MONTH)]
    whole, run = tmp_path / "whole", tmp_path / "run"
    run_month(dataset, Speaker(speak_nonsense), whole, view=VIEW)

    def die_after_three(task_id: str) -> str:
        if task_id in ids[:3]:
            return NONSENSE
        raise ModelError("status 500: no")

    with pytest.raises(EndpointError, match="10 tasks in a row"):
        run_month(dataset, Speaker(die_after_three), run, view=VIEW)
    assert [line["task_id"] for line in read_lines(run)] == ids[:3]
    run_month(dataset, Speaker(speak_nonsense), run, view=VIEW)
    assert read_lines(run) == read_lines(whole)


def test_a_month_without_any_answer_leaves_nothing(dataset: Path, tmp_path: Path) -> None:
    def fail(_: str) -> str:
        raise ModelError("status 400: no")

    with pytest.raises(AllTasksFailedError, match="no moment of the run has an answer"):
        run_month(dataset, Speaker(fail), tmp_path / "run", view=replace(VIEW, limit=3))
    assert read_predictions(tmp_path / "run") == ()


def test_a_broken_memory_stops_the_month_in_a_line_and_loses_nothing(
    dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fingertip_agents.memory.event_memory import WholeMemory

    run, recall = tmp_path / "run", WholeMemory.recall

    def break_later(self: WholeMemory, task: SuggestionInput, budget: int) -> object:
        if len(self.intents) > 2:
            raise ZeroDivisionError("no way")
        return recall(self, task, budget)

    view = replace(VIEW, memory="all")
    with monkeypatch.context() as patch:
        patch.setattr(WholeMemory, "recall", break_later)
        with pytest.raises(ModelError, match=r"the memory all failed: .*no way"):
            run_month(dataset, Speaker(speak_nonsense), run, view=view)
    kept = read_lines(run)
    assert kept
    run_month(dataset, Speaker(speak_nonsense), run, view=view)
    assert read_lines(run)[: len(kept)] == kept


def test_a_replay_shows_each_moment_as_the_agent_saw_it(dataset: Path, tmp_path: Path) -> None:
    agent = Speaker(speak_nonsense)
    run_month(dataset, agent, tmp_path / "run", view=replace(VIEW, memory="habits"))
    lived = list(replay_month(tmp_path / "run"))
    assert [one.task.input for one in lived] == agent.seen
    assert tuple(one.prediction for one in lived) == read_predictions(tmp_path / "run")
    assert {one.split for one in lived} == set(MOMENT_SPLITS)
    run_suggestions(dataset, Speaker(speak_nonsense), tmp_path / "other", split=TEST_MOMENTS)
    with pytest.raises(UsageError, match="the run is no month in order"):
        list(replay_month(tmp_path / "other"))


def test_a_month_with_a_memory_of_another_package_is_not_replayed(dataset: Path, tmp_path: Path) -> None:
    run_month(dataset, Speaker(speak_nonsense), tmp_path, view=replace(VIEW, memory="all", limit=2))
    file = tmp_path / "run.json"
    file.write_text(file.read_text("utf-8").replace('"name": "all"', '"name": "own"'), encoding="utf-8")
    words = "of another package: make the month with one of none, last-20, all, habits, similar "
    with pytest.raises(UsageError, match=words):
        list(replay_month(tmp_path))


def test_the_first_moments_and_chosen_people_can_be_run(dataset: Path, tmp_path: Path) -> None:
    users = sorted({row["user_id"] for row in BuiltDataset.open(dataset).rows(MONTH, columns=["user_id"])})
    agent = Speaker(speak_nonsense)
    run_month(dataset, agent, tmp_path / "run", view=replace(VIEW, users=users[1:], limit=3))
    assert [seen.task_id.partition("__")[0] for seen in agent.seen] == [users[1]] * 3
    targets = read_targets(tmp_path / "run", [seen.task_id for seen in agent.seen])
    assert {target.kind for target in targets.values()} - {""}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"split": TEST_MOMENTS}, "expected a view of the split month"),
        ({"sample": 3}, "a month has no sample"),
        ({"history": "all"}, "in a month a memory shows the earlier intents"),
        ({"users": ("9",)}, "the dataset has no user '9'"),
    ],
)
def test_views_that_a_month_cannot_have_are_refused(
    dataset: Path, tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        run_month(dataset, Speaker(speak_nonsense), tmp_path / "run", view=replace(VIEW, **changes))


def test_a_month_is_no_split_of_an_ordinary_run(dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the split month is lived through in order: give --month"):
        run_suggestions(dataset, Speaker(speak_nonsense), tmp_path / "run", split=MONTH)


def test_recorded_data_have_no_months(sample: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="recordings of real people do not say when nothing was wanted"):
        run_month(sample, Speaker(speak_nonsense), tmp_path / "run", view=VIEW)


def test_another_setting_needs_another_folder(dataset: Path, tmp_path: Path) -> None:
    view = replace(VIEW, limit=2)
    run_month(dataset, Speaker(speak_nonsense), tmp_path / "run", view=view)
    with pytest.raises(RunError, match="month"):
        run_month(dataset, Speaker(speak_nonsense), tmp_path / "run", view=view, feedback=False)


def test_moments_out_of_order_are_refused(dataset: Path, tmp_path: Path) -> None:
    built = BuiltDataset.open(dataset)
    run_month(dataset, Speaker(speak_nonsense), tmp_path / "run", view=replace(VIEW, limit=2))
    user, tasks = next(open_months(built, read_run(tmp_path / "run")))
    first, second = tasks
    month = LivedMonth(person=MonthPeople(built, "online").read_person(user), keeper=None, feedback=True)
    month.begin_moment(second)
    with pytest.raises(DatasetError, match=r"in the order of time, got one of .* after one of"):
        month.begin_moment(first)


@pytest.mark.parametrize("kind", [Speaker, ConcurrentSpeaker])
def test_moments_whose_answers_cannot_be_read_are_asked_again(
    dataset: Path, tmp_path: Path, kind: type[Speaker]
) -> None:
    class Mumbler(kind):  # type: ignore[misc, valid-type]
        def suggest(self, task_input: SuggestionInput) -> Suggestion:
            self.seen.append(task_input)
            return Suggestion(text="", seconds=0.0, output="hm", outcome="unreadable", calls=1)

    run, whole = tmp_path / "run", tmp_path / "whole"
    mumbler = Mumbler(speak_nonsense)
    with pytest.raises(UnreadableAnswersError):
        run_month(dataset, mumbler, run, view=VIEW)
    assert len(mumbler.seen) == 10
    assert read_predictions(run) == ()
    again = kind(speak_nonsense)
    run_month(dataset, again, run, view=VIEW)
    run_month(dataset, Speaker(speak_nonsense), whole, view=VIEW)
    lines = {line.task_id: line for line in read_predictions(run)}
    assert lines == {line.task_id: line for line in read_predictions(whole)}
