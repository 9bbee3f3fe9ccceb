"""Scores of A.6.5: the person's distribution, top-3 SR_1, and answers with a single intent."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from rich.text import Text

from fingertip_agents import get_agent
from fingertip_agents.setup import AgentSetup
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_metrics.embedders import get_embedder
from fingertip_metrics.intent_distribution import (
    IntentDistribution,
    cluster_intents,
    compute_distribution_cosine,
    sim1_between,
)
from fingertip_metrics.judges.human_judge import HumanJudge
from fingertip_metrics.judges.lexical import LexicalJudge
from fingertip_metrics.judges.pair_labels import PairLabel
from fingertip_runs.targets import read_targets
from suggestion_runner.distribution_scores import (
    NO_INTENTS,
    distribution_dict,
    score_distributions,
    top_sr1,
)
from suggestion_runner.prediction_log import read_predictions, read_run
from suggestion_runner.scoring import score_run, scores_dict, write_scores
from suggestion_runner.suggestion_records import Prediction, SuggestionRun
from suggestion_runner.suggestion_run import run_suggestions
from suggestion_runner.suggestion_tables import distribution_table, notes

LEXICAL = get_embedder("lexical")

MORNINGS = ("打开闹钟", "听歌", "听歌。")
"""Intents of user 1 at eight, in the training and test splits; the one without a folder is not included."""


@pytest.fixture(scope="module")
def run(small_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "recent"
    run_suggestions(small_dataset, get_agent("recent"), folder)
    return folder


@pytest.fixture
def record(run: Path) -> SuggestionRun:
    return read_run(run)


@pytest.fixture
def targets(run: Path) -> dict[str, TaskTarget]:
    return read_targets(run)


@pytest.fixture
def morning(run: Path) -> Prediction:
    """The task of user 1 on 7 March at eight, with the intent 听歌."""
    (found,) = [task for task in read_predictions(run) if task.task_id == "1__20250307_080000"]
    return found


def answered(task: Prediction, *alternatives: tuple[str, float]) -> Prediction:
    first = alternatives[0][0] if alternatives else ""
    return task.model_copy(update={"predicted_intent": first, "alternatives": alternatives})


def judged(*pairs: tuple[str, str, str]) -> HumanJudge:
    return HumanJudge(
        [PairLabel(predicted=p, intended=i, rater="A", same=s) for p, i, s in pairs]  # type: ignore[arg-type]
    )


def test_the_persons_distribution_has_all_intents_of_that_hour(
    record: SuggestionRun, morning: Prediction, targets: Mapping[str, TaskTarget]
) -> None:
    alternatives = (("打车回家", 0.5), ("听歌", 0.3), ("打开闹钟", 0.2))
    scores = score_distributions(record, [answered(morning, *alternatives)], targets, embedder=LEXICAL)
    actual = cluster_intents(MORNINGS, LEXICAL)
    output = IntentDistribution.of(alternatives)
    item = scores.per_item[0]
    assert item.sim1 == pytest.approx(compute_distribution_cosine(output, actual, embedder=LEXICAL))
    assert item.transport == pytest.approx(sim1_between(output, actual, embedder=LEXICAL))
    assert (scores.per_item[0].person_intents, scores.per_item[0].intents) == (3, 3)
    assert scores.with_alternatives == 1


def test_a_clock_hour_is_not_a_window_around_the_time(
    record: SuggestionRun, morning: Prediction, targets: Mapping[str, TaskTarget]
) -> None:
    # the person's three intents are at exactly eight o'clock
    clocks = ("07:45", "08:59", "08:30")
    tasks = [morning.model_copy(update={"task_id": clock}) for clock in clocks]
    moments = {
        clock: targets[morning.task_id].model_copy(
            update={"task_id": clock, "time": f"2025-03-07T{clock}:00+08:00"}
        )
        for clock in clocks
    }
    scores = score_distributions(record, tasks, moments, embedder=LEXICAL)
    assert [item.person_intents for item in scores.per_item] == [0, 3, 3]
    assert [item.sim1 is None for item in scores.per_item] == [True, False, False]
    assert [item.transport is None for item in scores.per_item] == [False, True, False]


def test_the_persons_own_distribution_scores_one(
    record: SuggestionRun, morning: Prediction, targets: Mapping[str, TaskTarget]
) -> None:
    own = [(share.text, share.probability) for share in cluster_intents(MORNINGS, LEXICAL).shares]
    scores = score_distributions(record, [answered(morning, *own)], targets, embedder=LEXICAL)
    assert scores.sim1 is not None
    assert scores.sim1.mean == pytest.approx(1)


def test_a_single_intent_is_a_distribution_with_probability_one(
    record: SuggestionRun, morning: Prediction, targets: Mapping[str, TaskTarget]
) -> None:
    sure = answered(morning, ("听歌", 1.0))
    plain = sure.model_copy(update={"alternatives": ()})
    values = [
        score_distributions(record, [task], targets, embedder=LEXICAL).per_item[0].sim1
        for task in (sure, plain)
    ]
    assert values[0] == values[1]


def test_an_empty_answer_is_scored_as_empty_text(
    record: SuggestionRun, morning: Prediction, targets: Mapping[str, TaskTarget]
) -> None:
    scores = score_distributions(record, [answered(morning)], targets, embedder=LEXICAL, judge=LexicalJudge())
    assert scores.per_item[0].sim1 == 0
    assert scores.per_item[0].top3 == "different"
    assert scores.top3 is not None
    assert scores.top3.empty == 1


@pytest.mark.parametrize(
    ("says", "state"),
    [
        (("no", "no", "yes", "no"), "same"),
        (("unsure", "no", "yes", "no"), "same"),
        (("no", "no", "no", "yes"), "different"),
        (("no", "unsure", "no", "yes"), "unscored"),
    ],
)
def test_only_the_three_likeliest_intents_count(
    morning: Prediction, targets: Mapping[str, TaskTarget], says: Sequence[str], state: str
) -> None:
    texts = ("打车", "看小说", "听音乐", "听歌")
    judge = judged(*((text, "听歌。", reply) for text, reply in zip(texts, says, strict=True)))
    # not in the order of their probabilities
    output = list(zip(texts, (0.4, 0.3, 0.2, 0.1), strict=True))[::-1]
    result = top_sr1([answered(morning, *output)], targets, judge)
    assert result.per_item[0].state == state
    assert (result.worst, result.best) == {"same": (1, 1), "different": (0, 0), "unscored": (0, 1)}[state]


def test_a_missing_dataset_is_reported_and_the_rest_is_scored(
    small_dataset: Path, tmp_path: Path, morning: Prediction, targets: Mapping[str, TaskTarget]
) -> None:
    shutil.copytree(small_dataset, tmp_path / "dataset")
    run_suggestions(tmp_path / "dataset", get_agent("recent"), tmp_path / "run")
    shutil.rmtree(tmp_path / "dataset")
    task = answered(morning, ("打车", 0.6), ("听歌", 0.4))
    scores = score_distributions(
        read_run(tmp_path / "run"), [task], targets, embedder=LEXICAL, judge=LexicalJudge()
    )
    assert (scores.sim1, scores.transport, scores.per_item[0].sim1) == (None, None, None)
    assert scores.why_no_sim1 is not None
    assert "no built dataset: `fingertip build` makes one" in scores.why_no_sim1
    found = distribution_dict(scores)
    assert (found["sim1"], found["top3_sr1"]["mean"], found["per_item"][0]["top3"]) == (None, 1, "same")


def test_tasks_at_hours_without_an_intent_have_no_sim1_and_a_reason(
    record: SuggestionRun, morning: Prediction, targets: Mapping[str, TaskTarget]
) -> None:
    night = targets[morning.task_id].model_copy(update={"time": "2025-03-07T03:00:00+08:00"})
    scores = score_distributions(record, [morning], {morning.task_id: night}, embedder=LEXICAL)
    assert (scores.sim1, scores.transport) == (None, None)
    assert scores.why_no_sim1 == NO_INTENTS
    json.dumps(distribution_dict(scores))


def test_a_run_with_distributions_has_their_scores(small_dataset: Path, run: Path, tmp_path: Path) -> None:
    agent = get_agent("habit", AgentSetup(distribution=True))
    run_suggestions(small_dataset, agent, tmp_path / "habit", distribution=True)
    several = score_run(tmp_path / "habit", embedder=LEXICAL, judge=LexicalJudge())
    plain = score_run(run, embedder=LEXICAL)
    assert several.distributions is not None
    assert several.distributions.sim1 is not None
    found = json.loads(write_scores(several).read_text(encoding="utf-8"))["distribution"]
    assert found["sim1"]["mean"] == several.distributions.sim1.mean
    assert found["conventions"]["sim1"].startswith("A.6.5: cosine")
    assert found["conventions"]["transport"].startswith("ours: ")
    assert [item["task_id"] for item in found["per_item"]] == list(several.task_ids)
    assert plain.distributions is None
    assert "distribution" not in scores_dict(plain)
    assert distribution_table([plain]) is None
    table = distribution_table([plain, several])
    assert table is not None
    assert list(table.columns[0].cells) == [Text("habit")]
    assert any("that the same person wants" in note for note in notes([plain, several]))
