"""SR_1 of a run: verdicts per task, interval over users, and comparison with the labels in its folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from fingertip_agents import RecentBaseline
from fingertip_dataset.errors import InputError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_metrics.embedders import Embedder
from fingertip_metrics.judges import HumanJudge, LexicalJudge, PairLabel, SimulatedJudge, Verdict
from fingertip_pages.sentences import translate
from fingertip_runs.targets import read_targets
from suggestion_runner import (
    SuggestionRunScores,
    notes,
    read_predictions,
    run_suggestions,
    score_run,
    score_table,
)
from suggestion_runner.judged_run import JudgeChecking
from suggestion_runner.scoring import scores_dict
from suggestion_runner.suggestion_tables import breakdown_table


class Mute:
    """A judge whose output cannot be read, as that of a small model."""

    name = "mute"
    settings: dict[str, object] = {}  # noqa: RUF012
    remark = why_not_comparable = None

    def judge(self, pairs: Sequence[tuple[str, str]]) -> tuple[Verdict, ...]:
        return (Verdict(state="unscored", problem="unparsable"),) * len(pairs)


def label(run: Path, answers: list[str | None], rater: str = "A") -> list[PairLabel]:
    """Function that writes labels of the run's tasks, in order; None skips a task."""
    targets = read_targets(run)
    return [
        PairLabel.model_validate(
            {
                "predicted": line.predicted_intent,
                "intended": targets[line.task_id].intent,
                "rater": rater,
                "same": same,
            }
        )
        for line, same in zip(read_predictions(run), answers, strict=True)
        if same
    ]


def write(run: Path, labels: list[PairLabel]) -> None:
    text = "".join(one.model_dump_json() + "\n" for one in labels)
    (run / "labels.jsonl").write_text(text, encoding="utf-8")


def printed(scores: SuggestionRunScores) -> list[list[str]]:
    file = StringIO()
    Console(file=file, width=200).print(score_table([scores]))
    rows = [line for line in file.getvalue().splitlines() if line[:1] in "┃│"]
    return [[cell.strip() for cell in line.replace("┃", "│").split("│")[1:-1]] for line in rows]


def test_scores_contain_sr1_and_its_dependencies(run: Path, lexical: Embedder) -> None:
    judge = LexicalJudge()
    scores = score_run(run, embedder=lexical, judge=judge)
    found = json.loads(json.dumps(scores_dict(scores)))
    lines = read_predictions(run)
    targets = read_targets(run)
    pairs = [(line.predicted_intent, targets[line.task_id].intent) for line in lines]
    expected = [
        verdict.state if pair[0] else "different"
        for pair, verdict in zip(pairs, judge.judge(pairs), strict=True)
    ]
    assert [item["sr1"]["state"] for item in found["per_item"]] == expected
    assert [item["sr1"]["empty"] for item in found["per_item"]].count(True) == 1
    sr1 = found["sr1"]
    assert sr1["mean"] == expected.count("same") / 4
    assert (sr1["n"], sr1["undefined"], sr1["clusters"], sr1["tasks"]) == (4, 0, 2, 4)
    assert sr1["low"] <= sr1["mean"] <= sr1["high"]
    assert sr1["judge"] == judge.name
    assert sr1["comparable"] is False
    assert sr1["agreement_with_labels"] is None
    assert found["depends_on"]["judge"] == judge.settings
    assert judge.why_not_comparable in found["why_not_comparable"]
    by_user = {row["group"]: row for row in found["sr1_by"]["user"]}
    assert set(by_user) == {"1", "30"}
    assert sum(row["mean"] * row["n"] for row in by_user.values()) == expected.count("same")


def test_without_a_judge_sr1_is_not_reported(run: Path, lexical: Embedder) -> None:
    scores = score_run(run, embedder=lexical)
    assert scores.sr1 is None
    text = json.dumps(scores_dict(scores))
    assert "sr1" not in text
    assert "judge" not in text
    assert "SR_1" not in " ".join([*printed(scores)[0], *notes([scores])])


def test_tasks_of_a_person_without_an_earlier_intent_are_named(run: Path, lexical: Embedder) -> None:
    lines = read_predictions(run)
    changed = [lines[0].model_copy(update={"shown_intents": 0}), *lines[1:]]
    text = "".join(line.model_dump_json() + "\n" for line in changed)
    (run / "predictions.jsonl").write_text(text, encoding="utf-8")
    scores = score_run(run, embedder=lexical)
    lacking = sum(not line.shown_intents for line in changed)
    none = f"{lacking} of 4 tasks had no earlier intent to show"
    assert f"{none}: the dataset has none of that person before the task." in notes([scores])
    assert scores.result.n == 4


def test_tasks_without_a_verdict_are_reported(run: Path, lexical: Embedder) -> None:
    labels = label(run, ["yes", None, "no", "unsure"])
    scores = score_run(run, embedder=lexical, judge=HumanJudge(labels))
    assert scores.judged is not None
    states = [item.state for item in scores.judged.result.per_item]
    unscored = states.count("unscored")
    assert unscored >= 1
    interval = scores.judged.interval
    assert interval is not None
    assert (interval.n, interval.undefined) == (4, 0)
    assert interval.mean == states.count("same") / 4
    header, row = printed(scores)
    assert header[2:4] == ["SR_1 % [95 %]", "at best"]
    assert row[2].startswith(f"{100 * interval.mean:.1f} [")
    high = f"{100 * (states.count('same') + unscored) / 4:.1f}"
    assert row[3] == high
    output = f"{unscored} of 4 tasks have no verdict: they count as not done; SR_1 is {high} % at best"
    assert f"{output}, with them as done." in notes([scores])
    assert "SR_1 by judge human (1 person)." in notes([scores])


def test_a_judge_without_a_verdict_has_no_sr1_but_a_line(run: Path, lexical: Embedder) -> None:
    """As a model whose output is never a verdict: 0 % would be a number that means nothing."""
    scores = score_run(run, embedder=lexical, judge=Mute())
    assert scores.judged is not None
    assert scores.judged.result.lacks_verdicts
    header, row = printed(scores)
    # one of the four answers is empty, which needs no judge
    assert header[2:4] == ["SR_1 % [95 %]", "Sim_1 [95 %]"]
    assert row[2] == "–"
    none = "3 of 4 tasks have no verdict, 3 of them could not be read"
    line = f"{none}: the judge gave none at all, so SR_1 is not shown"
    assert f"{line}." in notes([scores])
    assert "SR_1" not in str(breakdown_table(scores, "user").title)
    assert "因此不显示 SR_1" in str(translate(line))
    # the record keeps the worst and the best case
    assert scores_dict(scores)["sr1"]["mean"] == 0
    assert scores_dict(scores)["sr1"]["best"] == 0.75


def test_a_judge_that_says_nothing_on_the_worst_tasks_does_not_raise_sr1(
    run: Path, lexical: Embedder
) -> None:
    """The attack: the verdicts on tasks that would be different are left out."""
    honest = score_run(run, embedder=lexical, judge=HumanJudge(label(run, ["yes", "no", "yes", "no"])))
    forged = score_run(run, embedder=lexical, judge=HumanJudge(label(run, ["yes", None, "yes", None])))
    assert honest.judged is not None
    assert forged.judged is not None
    assert forged.judged.interval == honest.judged.interval
    assert forged.judged.breakdowns == honest.judged.breakdowns
    assert forged.judged.result.sr1 == honest.judged.result.sr1


def test_a_cut_answer_is_no_answer(run: Path, lexical: Embedder) -> None:
    """An answer that was cut at the output limit is not done, whatever its text says."""
    targets = read_targets(run)
    outcomes = ("cut", "answered", "cut, selection cut", "answered")
    lines = [
        line.model_copy(update={"predicted_intent": targets[line.task_id].intent, "outcome": outcome})
        for line, outcome in zip(read_predictions(run), outcomes, strict=True)
    ]
    text = "".join(line.model_dump_json() + "\n" for line in lines)
    (run / "predictions.jsonl").write_text(text, encoding="utf-8")
    scores = score_run(run, embedder=lexical, judge=LexicalJudge())
    assert scores.sr1 is not None
    assert (scores.sr1.sr1, scores.sr1.best, scores.result.empty) == (0.5, 0.5, 2)
    assert [item.sim1 for item in scores.result.per_item] == [0, 1, 0, 1]


def test_labels_in_the_folder_are_compared_with_the_judge(run: Path, lexical: Embedder) -> None:
    write(run, label(run, ["yes", "no", "yes", "no"]))
    scores = score_run(run, embedder=lexical, judge=LexicalJudge())
    agreement = scores_dict(scores)["sr1"]["agreement_with_labels"]
    assert agreement["kappa"]["n"] + agreement["unscored"] + agreement["unlabelled"] == 3, "one has no answer"
    assert any(
        "Agreement of the judge with the people of labels.jsonl: kappa" in line for line in notes([scores])
    )
    human = score_run(run, embedder=lexical, judge=HumanJudge.read(run / "labels.jsonl"))
    assert human.judged is not None
    assert human.judged.agreement is None
    (run / "labels.jsonl").write_text("x\n", encoding="utf-8")
    with pytest.raises(InputError, match="the label is not valid"):
        score_run(run, embedder=lexical, judge=LexicalJudge())


def test_runs_with_and_without_a_judge_share_a_table(
    small_dataset: Path, run: Path, lexical: Embedder
) -> None:
    run_suggestions(small_dataset, RecentBaseline(), run.parent / "two")
    scores = [
        score_run(run, embedder=lexical, judge=LexicalJudge()),
        score_run(run.parent / "two", embedder=lexical),
    ]
    file = StringIO()
    Console(file=file, width=200).print(score_table(scores))
    assert "–" in next(line for line in file.getvalue().splitlines() if "two" in line)
    assert any(line.startswith("SR_1 by judge lexical") and line.endswith("(run).") for line in notes(scores))


def test_a_model_judge_is_compared_with_the_rule_for_simulated_people(
    people: Path, tmp_path: Path, lexical: Embedder
) -> None:
    run_suggestions(people, RecentBaseline(), tmp_path / "run")
    rule = SimulatedJudge.of_dataset(BuiltDataset.open(people))
    checking = JudgeChecking(pairs=3, reference=rule)
    mute = score_run(tmp_path / "run", embedder=lexical, judge=Mute(), checking=checking)
    assert mute.judged is not None
    assert mute.judged.check is not None
    assert mute.judged.check.unscored == mute.judged.check.same + mute.judged.check.different
    assert any(
        warning.endswith("take a judge that answers as it is asked to") for warning in mute.judged.warnings
    )
    first = notes([mute])[0]
    assert first.startswith("WARNING: this judge cannot tell apart")
    assert translate(first).startswith("警告：")
    good = score_run(tmp_path / "run", embedder=lexical, judge=rule, checking=checking)
    assert good.judged is not None
    assert good.judged.warnings == ()
    reference = scores_dict(good)["sr1"]["agreement_with_simulated"]
    assert reference["kappa"]["agreement"] == 1
