"""Samples of moments and preference pairs of months: prompts, answers, rows of frameworks, refusals."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_agents.moments.moment_answer import read_moment
from fingertip_agents.suggestion.suggestion_agent import Suggestion
from fingertip_agents.suggestion.suggestion_prompt import make_suggestion_messages
from fingertip_dataset import BuiltDataset
from fingertip_dataset.errors import DatasetError, RunError, UsageError
from fingertip_dataset.split_names import MONTH, TRAIN_MOMENTS, VALI_MOMENTS
from fingertip_dataset.tasks.feedback import Feedback
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_dataset.times import parse_time
from fingertip_training import ExportOrder, ExportRecord, check_export, export_samples
from fingertip_training.pair_rule import pair_answers
from fingertip_training.sample_export import reuse_export
from suggestion_runner.month.month_replay import replay_month
from suggestion_runner.month.month_run import run_month
from suggestion_runner.task_view import TaskView

FORMATS = ("trl", "llama-factory", "ms-swift")
SILENCE = {"intent": "", "wanted": 0}
STRANGE = "订一张去火星的船票"
"""An offer that no person of the data ever wants."""


class Scripted:
    """An agent that offers what is wanted, something strange, something else, or nothing, in turn."""

    name = "scripted"

    def __init__(self, wanted: Mapping[str, str]) -> None:
        self._wanted = wanted
        self._turns = {True: 0, False: 0}

    @property
    def settings(self) -> Mapping[str, object]:
        return {}

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        known = self._wanted[task_input.task_id]
        past = task_input.previous_intents[0].text if task_input.previous_intents else STRANGE
        answers = (STRANGE, known, "", past) if known else ("", STRANGE, past)
        text = answers[self._turns[bool(known)] % len(answers)]
        self._turns[bool(known)] += 1
        return Suggestion(text=text, seconds=0, outcome="answered" if text else "silent")


@pytest.fixture(scope="module")
def month(people: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = BuiltDataset.open(people)
    wanted = {row["episode_id"]: row["intent"] or "" for row in built.rows(MONTH, config="moments")}
    out = tmp_path_factory.mktemp("month") / "run"
    run_month(people, Scripted(wanted), out, view=TaskView(split=MONTH))
    return out


@pytest.fixture
def export(people: Path, tmp_path: Path) -> Callable[..., Path]:
    def make(name: str, **order: Any) -> Path:  # noqa: ANN401 - fields of an order
        export_samples(people, tmp_path / name, ExportOrder(track="moments", **order))
        return tmp_path / name

    return make


def rows(folder: Path, name: str = "train") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def test_every_moment_is_a_sample_and_half_of_them_want_nothing(
    export: Callable[..., Path], people: Path
) -> None:
    folder = export("all", validation=True)
    built = BuiltDataset.open(people)
    for name, split in (("train", TRAIN_MOMENTS), ("vali", VALI_MOMENTS)):
        known = {row["episode_id"]: row["intent"] for row in built.rows(split, config="text")}
        samples = rows(folder, name)
        assert [row["episode_id"] for row in samples] == list(known)
        for row in samples:
            text = row["completion"][0]["content"]
            intent = known[row["episode_id"]] or ""
            assert json.loads(text) == {"intent": intent, "wanted": 1 if intent else 0}
            answer = read_moment(text)
            assert (answer.intent, answer.confidence) == (intent, float(bool(intent)))
            assert (answer.outcome == "silent") == (not intent)
    record = ExportRecord.read(folder)
    assert [split.split for split in record.splits] == [TRAIN_MOMENTS, VALI_MOMENTS]
    assert str(record.agents["suggestion"].settings["prompt"]).startswith("moments")


def test_the_prompt_is_that_of_the_agent_model_and_shows_no_later_intent(
    export: Callable[..., Path], people: Path
) -> None:
    from suggestion_runner.suggestion_tasks import ShownParts, show_tasks

    parts = ShownParts(
        split=TRAIN_MOMENTS, screenshots=0, history="20", protocol="online",
        history_source="previous_intents", without=(),
    )  # fmt: skip
    built = BuiltDataset.open(people)
    tasks = {task.input.task_id: task.input for task in show_tasks(built, parts, lambda _: True)}
    for row in rows(export("prompts")):
        task = tasks[row["episode_id"]]
        sent = make_suggestion_messages(task, "zh", moments=True)
        assert [(one["role"], one["content"]) for one in row["prompt"]] == [
            (message.role, message.text) for message in sent
        ]
        assert all(parse_time(intent.time) < task.time for intent in task.previous_intents)


def test_pairs_follow_what_the_person_said_and_did(
    export: Callable[..., Path], people: Path, month: Path
) -> None:
    assert "missed" not in {row["kind"] for row in rows(export("few", pairs=(str(month),)))}
    folder = export("pairs", pairs=(str(month),), missed=True)
    lived = {one.task.input.task_id: one for one in replay_month(month, dataset=people)}
    found = rows(folder)
    kinds = Counter(row["kind"] for row in found)
    assert set(kinds) == {"false trigger", "wrong offer", "missed", "accepted"}
    for row in found:
        one = lived[row["episode_id"]]
        assert one.split == TRAIN_MOMENTS
        better, worse = (json.loads(row[name][0]["content"]) for name in ("chosen", "rejected"))
        offer, wanted = one.prediction.predicted_intent, one.task.target.intent
        sent = make_suggestion_messages(one.task.input, "zh", moments=True)
        assert [one["content"] for one in row["prompt"]] == [message.text for message in sent]
        if row["kind"] == "false trigger":
            assert (better, worse) == (SILENCE, {"intent": offer, "wanted": 1})
        elif row["kind"] == "missed":
            assert (better, worse) == ({"intent": wanted, "wanted": 1}, SILENCE)
        elif row["kind"] == "wrong offer":
            assert (better["intent"], worse["intent"]) == (wanted, offer)
            assert one.prediction.feedback in {"never", "not_now"}
        else:
            assert one.prediction.feedback == "accepted"
            assert (better["intent"], worse["intent"]) in {(offer, STRANGE), (offer, "")}
    record = ExportRecord.read(folder)
    assert record.pairs is not None
    assert record.pairs.kinds == dict(kinds)
    assert record.pairs.runs[0].agent.name == "scripted"


def test_the_rows_of_the_frameworks_hold_the_same_pairs(export: Callable[..., Path], month: Path) -> None:
    trl, llama, swift = (export(name, pairs=(str(month),), format=name) for name in FORMATS)
    for one, other, third in zip(rows(trl), rows(llama), rows(swift), strict=True):
        assert other["messages"] == one["prompt"]
        assert [other["chosen"]] == one["chosen"]
        assert [other["rejected"]] == one["rejected"]
        assert third["messages"] == [*one["prompt"], *one["chosen"]]
        assert third["rejected_response"] == one["rejected"][0]["content"]
    (entry,) = json.loads((llama / "dataset_info.json").read_text(encoding="utf-8")).values()
    assert entry["ranking"] is True
    assert {"chosen", "rejected"} <= set(entry["columns"])
    embedded = export("parquet", pairs=(str(month),), embed=True)
    assert check_export(embedded) == check_export(trl)


def test_datasets_and_trl_read_the_pairs(
    export: Callable[..., Path], month: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from datasets import load_dataset
    from trl.data_utils import is_conversational

    folder = export("trl", pairs=(str(month),), validation=True)
    monkeypatch.chdir(tmp_path)
    loaded = load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))
    assert {name: len(part) for name, part in loaded.items()} == {
        name: len(rows(folder, name)) for name in ("train", "vali")
    }
    assert all(is_conversational(row) for row in loaded["train"])


def test_a_number_of_moments_and_some_people(export: Callable[..., Path], month: Path, people: Path) -> None:
    built = BuiltDataset.open(people)
    users = sorted({row["user_id"] for row in built.rows(TRAIN_MOMENTS, columns=["user_id"])})
    few = rows(export("few", pairs=(str(month),), episodes=4))
    assert len(few) == 4
    assert len({row["episode_id"].partition("__")[0] for row in few}) == min(4, len(users))
    own = rows(export("own", users=(users[0],)))
    assert {row["episode_id"].partition("__")[0] for row in own} == {users[0]}
    with pytest.raises(UsageError, match=r"there are \d+ moments to choose from, too few for --episodes 999"):
        export("many", episodes=999)


def test_what_cannot_be_exported_is_one_line(
    export: Callable[..., Path], month: Path, people: Path, tmp_path: Path, sample: Path
) -> None:
    pairs = (str(month),)
    with pytest.raises(UsageError, match="the dataset has no moments: recordings of real people do not say"):
        export_samples(sample, tmp_path / "real", ExportOrder(track="moments"))
    with pytest.raises(UsageError, match="--pairs needs --track moments"):
        ExportOrder(track="suggestion", pairs=pairs)
    with pytest.raises(UsageError, match="leave out --history, or give it to `fingertip suggest --month`"):
        ExportOrder(track="moments", pairs=pairs, history="none")
    with pytest.raises(UsageError, match="--exclude unseen leaves out episodes"):
        ExportOrder(track="moments", exclude_unseen=True)
    with pytest.raises(RunError):
        export("none", pairs=(str(tmp_path),))
    with pytest.raises(UsageError, match="the run is given twice"):
        export("twice", pairs=(str(month), str(month.parent / "." / month.name)))
    for settings, message in (
        ({"language": "en"}, "the run asked its model in en, .*: add --language en"),
        (
            {"prompt_text": "file own.txt"},
            "the run asked its model with file own.txt, and pairs have our prompt",
        ),
    ):
        copied = shutil.copytree(month, tmp_path / next(iter(settings)))
        run = json.loads((copied / "run.json").read_text())
        run["agent"]["settings"] = settings
        (copied / "run.json").write_text(json.dumps(run))
        with pytest.raises(UsageError, match=message):
            export("words", pairs=(str(copied),))
    other = tmp_path / "other"
    run_month(people, Scripted(_wants(people)), other, view=TaskView(split=MONTH, memory="none"))
    with pytest.raises(UsageError, match="the run shows other parts of a moment"):
        export("both", pairs=(*pairs, str(other)))


def _wants(people: Path) -> dict[str, str]:
    built = BuiltDataset.open(people)
    return {row["episode_id"]: row["intent"] or "" for row in built.rows(MONTH, config="moments")}


def test_an_export_of_pairs_is_used_again_only_while_its_run_is_the_same(
    people: Path, month: Path, tmp_path: Path
) -> None:
    run, out = tmp_path / "run", tmp_path / "rows"
    run_month(people, Scripted(_wants(people)), run, view=TaskView(split=MONTH, limit=20))
    order = ExportOrder(track="moments", pairs=(str(run),))
    assert reuse_export(people, out, order) == reuse_export(people, out, order)
    lines = (run / "predictions.jsonl").read_text().splitlines()
    (run / "predictions.jsonl").write_text("\n".join(lines[:-1]) + "\n")
    with pytest.raises(RunError, match="a month run has other suggestions now"):
        reuse_export(people, out, order)


def test_broken_pairs_are_found(export: Callable[..., Path], month: Path) -> None:
    for name, message in (("trl", "two different answers"), ("ms-swift", "two different answers")):
        folder = export(name, pairs=(str(month),), format=name)
        file = folder / "train.jsonl"
        first, *others = rows(folder)
        if name == "trl":
            broken = [{**first, "rejected": first["chosen"]}, {**first, "rejected": []}]
        else:
            broken = [{**first, "rejected_response": one} for one in (first["messages"][-1]["content"], " ")]
        for row in broken:
            file.write_text("\n".join(json.dumps(one) for one in (row, *others)) + "\n")
            with pytest.raises(DatasetError, match=message):
                check_export(folder)
        del first["rejected" if name == "trl" else "rejected_response"]
        file.write_text("\n".join(json.dumps(one) for one in (first, *others)) + "\n")
        with pytest.raises(DatasetError, match="the row has no worse answer"):
            check_export(folder)


TEXTS = st.sampled_from(["", "打开地图", "打车回家", " "])
FEEDBACK = st.sampled_from(["accepted", "not_now", "never", "ignored", ""])


@given(offered=TEXTS, wanted=TEXTS, feedback=FEEDBACK, refused=TEXTS)
def test_a_pair_has_two_answers_of_which_the_better_fits_the_moment(
    offered: str, wanted: str, feedback: Feedback, refused: str
) -> None:
    pair = pair_answers(offered=offered, wanted=wanted, feedback=feedback, refused=refused)
    if pair is None:
        return
    assert pair.better != pair.worse
    assert bool(pair.better) == bool(wanted.strip())
    assert pair.better in {"", wanted.strip(), offered.strip()}
