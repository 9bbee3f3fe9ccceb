from __future__ import annotations

import json
from pathlib import Path

import pytest

from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_metrics.judges import SimulatedJudge, Verdict, open_judge
from fingertip_metrics.judges.simulated_judge import OTHER_CASE, OTHER_GOAL, SAME, same_goal
from tests.shared_datasets import built_sample, simulated_people


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated_people(tmp_path_factory) / "dataset"


def intents_of(dataset: Path) -> dict[str, str]:
    built = BuiltDataset.open(dataset)
    rows = [row for split in ("train", "vali", "test_suggestion") for row in built.rows(split)]
    return {row["episode_id"]: row["intent"] for row in rows}


def test_verdicts_agree_with_the_recorded_goals_on_all_pairs_of_a_persons_intents(dataset: Path) -> None:
    intents = intents_of(dataset)
    recorded = [json.loads(line) for line in (dataset / "simulations.jsonl").read_text("utf-8").splitlines()]
    goals = {line["episode_id"]: line["simulation"] for line in recorded}
    judge = SimulatedJudge.of_dataset(BuiltDataset.open(dataset))
    by_goal = SimulatedJudge.of_dataset(BuiltDataset.open(dataset), criterion="goal")
    seen = set()
    for one, intended in intents.items():
        for other, predicted in intents.items():
            if one.split("__")[0] != other.split("__")[0]:
                continue
            (case,), (goal,) = (of.judge([(predicted, intended)]) for of in (judge, by_goal))
            parts = [[goals[own][part] for part in ("package", "goal")] for own in (one, other)]
            arguments = goals[one]["arguments"] == goals[other]["arguments"]
            assert goal.state == ("same" if parts[0] == parts[1] else "different")
            assert case.state == ("same" if parts[0] == parts[1] and arguments else "different")
            assert same_goal(case.reason) == (goal.state == "same")
            seen.add(case.reason)
    assert seen >= {SAME, OTHER_GOAL}


def test_a_goal_with_another_argument_is_the_same_goal_only(dataset: Path) -> None:
    pair = ("倒计时999分钟", next(iter(intents_of(dataset).values())))
    (verdict,) = SimulatedJudge.of_dataset(BuiltDataset.open(dataset)).judge([pair])
    assert verdict.state == "different"
    assert verdict.reason in (OTHER_CASE, OTHER_GOAL)


def test_recorded_verdicts_are_checked_by_repeating_the_rule(dataset: Path) -> None:
    pair = (next(iter(intents_of(dataset).values())),) * 2
    check = SimulatedJudge.of_dataset(BuiltDataset.open(dataset)).check([pair])
    assert check(pair, Verdict(state="same")) == ""
    assert check(pair, Verdict(state="different")) == "expected same by the judge's rule, got different"


def test_the_judge_names_its_criterion_and_dataset(dataset: Path) -> None:
    with open_judge("simulated-goal", dataset=dataset) as judge:
        assert judge.name == "simulated (goal on the person's own simulated phone)"
        assert judge.settings["data_sha256"] == BuiltDataset.open(dataset).manifest.data_sha256
        assert judge.why_not_comparable is not None


def test_real_data_no_dataset_and_foreign_intents_are_refused_in_a_line(
    dataset: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    sample = built_sample(tmp_path_factory)
    with pytest.raises(UsageError, match="judge simulated is for simulated data"):
        SimulatedJudge.of_dataset(BuiltDataset.open(sample))
    with pytest.raises(UsageError, match="judge simulated needs the built dataset"), open_judge("simulated"):
        pass
    with pytest.raises(UsageError, match="knows the intents of its dataset only, got another: '打车'"):
        SimulatedJudge.of_dataset(BuiltDataset.open(dataset)).judge([("听歌", "打车")])
