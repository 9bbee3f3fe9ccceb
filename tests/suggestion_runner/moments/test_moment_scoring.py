"""Scores of runs of moments: each number counted again, the ceiling, breakdowns, and what is refused."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from fingertip_agents import HabitBaseline
from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import TRAIN_MOMENTS
from fingertip_dataset.tasks.moments import read_moment_odds
from fingertip_metrics import get_embedder, sim1
from fingertip_metrics.judges import LexicalJudge
from suggestion_runner import read_predictions, run_suggestions, score_run
from suggestion_runner.moments.moment_facts import MOMENT_FACTS, MOMENT_GROUPINGS
from suggestion_runner.moments.moment_run_scores import (
    RIGHT,
    MomentRunScores,
    list_moment_values,
    moment_scores_dict,
    write_moment_scores,
)
from suggestion_runner.moments.moment_scoring import score_moment_run
from tests.suggestion_runner.moments.conftest import OTHER, Answer

LEXICAL = get_embedder("lexical")


def expect_outcome(intent: str, offer: str) -> str:
    if not offer:
        return "missed" if intent else "silent"
    return "false_trigger" if not intent else "hit" if offer == intent else "other_offer"


def test_scores_are_those_of_a_count(
    scores: list[MomentRunScores], intents: dict[str, str], answers: dict[str, Answer]
) -> None:
    result = scores[0].result
    outcomes = {task_id: expect_outcome(intent, answers[task_id][0]) for task_id, intent in intents.items()}
    assert [item.outcome for item in result.per_item] == [outcomes[task_id] for task_id in scores[0].task_ids]
    counts = Counter(outcomes.values())
    assert set(counts) == {"hit", "other_offer", "missed", "false_trigger", "silent"}
    wanted = sum(map(bool, intents.values()))
    assert result.scores["false_trigger_rate"] == counts["false_trigger"] / (len(intents) - wanted)
    assert result.scores["missed_rate"] == counts["missed"] / wanted
    assert result.scores["sr1"] == counts["hit"] / (counts["hit"] + counts["other_offer"])
    utility = (counts["hit"] - counts["false_trigger"]) / len(intents)
    assert result.scores["utility"] == pytest.approx(utility)
    assert scores[0].judge is not None
    assert scores[0].judge.startswith("simulated")
    kinds = [
        row["kind"] for row in BuiltDataset.open(Path(scores[0].record.dataset.path)).rows(TRAIN_MOMENTS)
    ]
    assert {group.group: group.n for group in result.by_kind} == Counter(kinds)


def test_ceiling_is_by_the_odds_of_the_same_moments(scores: list[MomentRunScores], people: Path) -> None:
    odds = read_moment_odds(BuiltDataset.open(people))
    ceiling = scores[0].ceiling
    assert ceiling is not None
    gains = [
        max(0.0, odds[task_id].wanted * odds[task_id].right - (1 - odds[task_id].wanted))
        for task_id in scores[0].task_ids
    ]
    assert ceiling.scores["utility"] == pytest.approx(sum(gains) / len(gains))
    assert ceiling.n == scores[0].result.n
    assert scores[1].ceiling == ceiling


def test_breakdowns_have_every_moment_and_sum_to_the_whole(scores: list[MomentRunScores]) -> None:
    run = scores[0]
    assert set(run.breakdowns) == set(MOMENT_GROUPINGS)
    for groups in run.breakdowns.values():
        assert sum(group.n for group in groups) == run.result.n
        false = sum((group.false_triggers.mean or 0) * group.false_triggers.n for group in groups)
        missed = sum((group.missed.mean or 0) * group.missed.n for group in groups)
        assert (round(false), round(missed)) == (run.result.false_triggers, run.result.missed)
    conditions = {group.group for group in run.breakdowns["condition"]}
    assert conditions <= {None, "day", "place", "done", "ended"}
    assert {group.group for group in run.breakdowns["language"]} == {"zh"}
    hours = {line.split("T")[1][:2] for line in (target.time for target in run.targets)}
    assert {group.group for group in run.breakdowns["hour"]} == hours


def test_silence_throughout_has_no_offer_to_score(scores: list[MomentRunScores]) -> None:
    result = scores[1].result
    assert (result.scores["false_trigger_rate"], result.scores["missed_rate"]) == (0.0, 1.0)
    assert (result.scores["utility"], result.scores["precision"], scores[1].judged) == (0.0, None, None)
    assert result.why_undefined["brier"] == "the answers have no confidence"


def test_sim1_is_of_offers_where_something_is_wanted(
    mixed: Path, intents: dict[str, str], answers: dict[str, Answer]
) -> None:
    found = score_moment_run(mixed, embedder=LEXICAL, protocol="paper")
    pairs = [(answers[one][0], intent) for one, intent in intents.items() if intent and answers[one][0]]
    expected = sim1(*map(list, zip(*pairs, strict=True)), embedder=LEXICAL, protocol="paper")
    assert found.result.scores["sim1"] == expected.sim1
    assert found.embedder == LEXICAL.name


def test_another_judge_decides_instead_of_the_rule(mixed: Path) -> None:
    lenient = score_moment_run(mixed, judge=LexicalJudge(threshold=0))
    assert lenient.result.scores["sr1"] == 1.0
    assert lenient.judge == LexicalJudge(threshold=0).name


def test_the_file_has_every_score_and_no_nan(mixed: Path, tmp_path: Path) -> None:
    shutil.copytree(mixed, tmp_path / "run")
    scores = score_moment_run(tmp_path / "run")
    content = json.loads(write_moment_scores(scores).read_text("utf-8"))
    assert content == json.loads(json.dumps(moment_scores_dict(scores), allow_nan=False))
    assert content["metric"] == "fingertip_moments"
    assert content["utility"]["mean"] == scores.result.scores["utility"]
    assert content["sim1"] is None
    assert content["why_undefined"]["sim1"] == "no embedder was named"
    assert (content["comparable"], content["ceiling"]["n"]) == (False, scores.result.n)
    assert [item["outcome"] for item in content["per_item"]] == [
        item.outcome for item in scores.result.per_item
    ]
    assert content["depends_on"]["judge"]["kind"] == "simulated"


def test_without_its_dataset_a_run_has_counts_but_no_hits_and_no_ceiling(mixed: Path, tmp_path: Path) -> None:
    shutil.copytree(mixed, tmp_path / "run")
    record = json.loads((mixed / "run.json").read_text("utf-8"))
    record["dataset"]["path"] = str(tmp_path / "gone")
    (tmp_path / "run" / "run.json").write_text(json.dumps(record), encoding="utf-8")
    scores = score_moment_run(tmp_path / "run")
    assert scores.ceiling is None
    assert "gone" in str(scores.why_no_ceiling)
    assert scores.result.scores["false_trigger_rate"] is not None
    assert scores.result.scores["utility"] is None
    assert set(scores.breakdowns) == {"kind", "hour", "user"}
    assert scores.why_no_facts is not None
    assert scores.why_no_facts.startswith(f"scores by {', '.join(MOMENT_FACTS)} need the run's dataset: ")


def test_failed_queries_and_cut_answers_are_silence(mixed: Path, tmp_path: Path) -> None:
    shutil.copytree(mixed, tmp_path / "run")
    lines = [line.model_dump(mode="json") for line in read_predictions(mixed)]
    spoken = [line for line in lines if line["predicted_intent"]]
    spoken[0] |= {"outcome": "failed", "predicted_intent": "", "confidence": None}
    spoken[1] |= {"outcome": "cut", "calls": 1, "output": "half an answ"}
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "run" / "predictions.jsonl").write_text(text, encoding="utf-8")
    scores, before = score_moment_run(tmp_path / "run"), score_moment_run(mixed)
    assert scores.result.spoken == before.result.spoken - 2
    assert (scores.failed, scores.unread) == (1, 0)
    assert scores.result.n == before.result.n
    assert [line.offer for line in read_predictions(tmp_path / "run")].count(OTHER) <= scores.result.spoken


def test_unfinished_runs_are_refused_unless_a_part_may_be_scored(mixed: Path, tmp_path: Path) -> None:
    shutil.copytree(mixed, tmp_path / "run")
    lines = (mixed / "predictions.jsonl").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "run" / "predictions.jsonl").write_text("".join(lines[:3]), encoding="utf-8")
    with pytest.raises(RunError, match=rf"not finished \(3 of {len(lines)} moments\)"):
        score_moment_run(tmp_path / "run")
    scores = score_moment_run(tmp_path / "run", partial=True)
    assert (scores.partial, scores.result.n) == (True, 3)
    assert scores.caveats[-1] == f"3 of the run's {len(lines)} moments"
    (tmp_path / "run" / "predictions.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(RunError, match="no answers yet"):
        score_moment_run(tmp_path / "run", partial=True)


@pytest.mark.parametrize("kind", ["", "siesta", "intent"])
def test_targets_without_a_kind_that_fits_are_refused(mixed: Path, tmp_path: Path, kind: str) -> None:
    shutil.copytree(mixed, tmp_path / "run")
    lines = [json.loads(line) for line in (mixed / "targets.jsonl").read_text("utf-8").splitlines()]
    next(line for line in lines if not line["intent"])["kind"] = kind
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "run" / "targets.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(
        RunError, match=r"expected a kind of intent, glance, .* exactly where there is an intent"
    ):
        score_moment_run(tmp_path / "run")


def test_runs_of_episodes_and_judges_of_other_data_are_refused(
    mixed: Path, people: Path, tmp_path: Path
) -> None:
    run_suggestions(people, HabitBaseline(), tmp_path / "run")
    with pytest.raises(RunError, match="on split test_suggestion, which has no moments"):
        score_moment_run(tmp_path / "run")

    class Elsewhere(LexicalJudge):
        @property
        def settings(self) -> dict[str, object]:
            return {"data_sha256": "0" * 64}

    with pytest.raises(UsageError, match="opened with another dataset than that of the run"):
        score_moment_run(mixed, judge=Elsewhere())
    with pytest.raises(UsageError, match="a run of moments has other scores"):
        score_run(mixed, embedder=LEXICAL)


def test_values_for_repeated_runs_tell_right_decisions(scores: list[MomentRunScores]) -> None:
    values = list_moment_values(scores[0])
    right = sum(item.outcome in ("hit", "silent") for item in scores[0].result.per_item)
    assert sum(value or 0 for value in values[RIGHT].values()) == right
    assert {len(column) for column in values.values()} == {scores[0].result.n}
