"""SR_1 of a track 1 run, by users, apps and categories, and the judge's agreement with people's labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_metrics.aggregate import GroupMean, Interval, by_group
from fingertip_metrics.judges.human_agreement import JudgeAgreement, judge_agreement
from fingertip_metrics.judges.human_judge import HumanJudge
from fingertip_metrics.judges.judge_check import (
    JudgeCheck,
    check_judge,
    choose_sure_pairs,
    list_judge_warnings,
)
from fingertip_metrics.judges.llm import VOTES_ALIKE, LlmJudge
from fingertip_metrics.judges.pair_labels import LABELS, read_pair_labels
from fingertip_metrics.judges.simulated_judge import SimulatedJudge, same_goal
from fingertip_metrics.judges.verdicts import IntentPair, Judge, State, Verdict
from fingertip_metrics.sr1_score import Sr1, sr1
from fingertip_runs.run_record import DatasetRecord
from fingertip_runs.score_summary import share_interval

Groups = Mapping[str, Sequence[str | None]]
"""A grouping -> the group of each task, in the order of the predictions."""


RULE = "the wordings of the people's own phones (judge simulated)"
"""The rule that knows what simulated people want, as warnings and notes name it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeChecking:
    """How a judge that is a model is checked.

    Attributes:
        pairs: Number of pairs of each kind with a known answer that it is asked about, too.
        reference: Judge that knows the answers; None without one.
    """

    pairs: int
    reference: Judge | None = None


def check_judges_data(judge: Judge | None, dataset: DatasetRecord) -> None:
    """Check that a judge that knows a dataset knows that of the run.

    Raises:
        UsageError: It was opened with another dataset.
    """
    wanted = dataset.data_sha256
    if judge is not None and judge.settings.get("data_sha256", wanted) != wanted:
        raise UsageError(f"judge {judge.name} was opened with another dataset than that of the run")


def done_value(state: State) -> float:
    """The value of a task in SR_1: 1 for the same intent, 0 in any other case, without a verdict too."""
    return float(state == "same")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRun:
    """SR_1 of a run by one judge.

    Attributes:
        result: SR_1, with one verdict per task.
        interval: SR_1 over all tasks, by bootstrap over users; one without a verdict counts as not done.
        breakdowns: A grouping -> SR_1 of each group.
        agreement: Agreement of the judge with people's labels in the run's folder; None without labels, or
            if people are the judge.
        same_goal: By the judge of simulated data, the share of tasks with the person's goal, whatever its
            arguments; None by other judges.
        check: The judge's answers to pairs with a known answer; None if it was not asked.
        reference: Agreement of the judge with the rule for simulated people; None without that rule.
        warnings: Why SR_1 must not be trusted, one sentence each, without a full stop.
        votes_alike: Whether a model's votes on each pair are one answer, though they were drawn.
    """

    result: Sr1
    interval: Interval
    breakdowns: Mapping[str, tuple[GroupMean, ...]]
    agreement: JudgeAgreement | None
    same_goal: Interval | None = None
    check: JudgeCheck | None = None
    reference: JudgeAgreement | None = None
    warnings: tuple[str, ...] = ()
    votes_alike: bool = False


def judge_run(
    targets: Sequence[TaskTarget],
    texts: Sequence[str],
    judge: Judge,
    groups: Groups,
    *,
    labels: Path | None,
    checking: JudgeChecking | None = None,
) -> JudgedRun:
    """SR_1 of a run.

    Args:
        targets: Target of each task.
        texts: Judged text of each task, the same as for Sim_1.
        judge: From `fingertip_metrics.judges`.
        groups: A grouping -> the group of each task.
        labels: The run's file of people's pair labels; None to ignore labels.
        checking: How the judge is checked; None for no check.

    Raises:
        ModelError: The judge failed.
        InputError: The labels in the folder are broken.
    """
    pairs = [(text, target.intent) for text, target in zip(texts, targets, strict=True)]
    result = sr1(texts, [intended for _, intended in pairs], judge=judge)
    states = [item.state for item in result.per_item]
    values = [done_value(state) for state in states]
    users = [target.user_id for target in targets]
    labelled = None if isinstance(judge, HumanJudge) else _measure_agreement(labels, pairs, result, users)
    check, reference = _check_judge(targets, pairs, judge, result, checking)
    return JudgedRun(
        result=result,
        interval=sr1_interval(states, users),
        breakdowns={
            name: by_group(values, of_tasks, users=users, interval=share_interval)
            for name, of_tasks in groups.items()
        },
        agreement=labelled,
        same_goal=share_interval([float(same_goal(item.reason)) for item in result.per_item], users)
        if isinstance(judge, SimulatedJudge)
        else None,
        check=check,
        reference=reference,
        warnings=tuple(
            list_judge_warnings(
                [item.state for item in result.per_item if not item.empty],
                check=check,
                agreements={RULE: reference, f"the people of {LABELS}": labelled},
            )
        )
        if checking
        else (),
        votes_alike=isinstance(judge, LlmJudge) and judge.are_votes_alike,
    )


def _check_judge(
    targets: Sequence[TaskTarget],
    pairs: Sequence[IntentPair],
    judge: Judge,
    result: Sr1,
    checking: JudgeChecking | None,
) -> tuple[JudgeCheck | None, JudgeAgreement | None]:
    """Ask a judge about pairs with a known answer, and compare its verdicts with those of the rule."""
    if checking is None:
        return None, None
    sure = choose_sure_pairs({target.intent: target.app for target in targets}, checking.pairs)
    check, rule = check_judge(judge, sure), checking.reference
    places = [place for place, item in enumerate(result.per_item) if not item.empty]
    if rule is None or not places:
        return check, None
    given = [Verdict(state=result.per_item[place].state) for place in places]
    known = rule.judge([pairs[place] for place in places])
    users = [targets[place].user_id for place in places]
    return check, judge_agreement(given, known, clusters=users)


def sr1_interval(states: Sequence[State], users: Sequence[str]) -> Interval:
    """SR_1 over all tasks, 0-1, with its interval over users."""
    return share_interval([done_value(state) for state in states], users)


def dump_judged(judged: JudgedRun) -> dict[str, Any]:
    """SR_1 as in scores.json: the mean with its interval, and the judge."""
    result = judged.result
    interval = asdict(judged.interval)
    names = ("unscored", "unparsable", "worst", "best", "empty", "judge", "comparable", "why_not_comparable")
    fields = {
        name: getattr(result, name) for name in (*names, "remark", "prompt_tokens", "completion_tokens")
    }
    agreement = asdict(judged.agreement) if judged.agreement else None
    goal = {"same_goal": asdict(judged.same_goal)} if judged.same_goal else {}
    checked: dict[str, Any] = {"check": asdict(judged.check)} if judged.check else {}
    if judged.reference:
        checked["agreement_with_simulated"] = asdict(judged.reference)
    if judged.warnings:
        checked["warnings"] = list(judged.warnings)
    return {**interval, "tasks": result.n, **fields, **goal, "agreement_with_labels": agreement, **checked}


def list_judged_notes(judged: JudgedRun) -> list[str]:
    """Caveats of an SR_1 value, one sentence each, without a full stop."""
    result, agreement = judged.result, judged.agreement
    lines = [f"SR_1 by judge {result.judge}"]
    if result.remark:
        lines[0] += f": {result.remark}"
    if judged.same_goal:
        lines.append(
            f"Answers that name the person's goal, whatever its details: {_format_percent(judged.same_goal)}"
        )
    if result.unscored:
        unparsable = f", {result.unparsable} of them could not be read" if result.unparsable else ""
        failed = [item.reason for item in result.per_item if item.problem == "failed"]
        queries = f", {len(failed):,} of them because the query failed ({failed[0]})" if failed else ""
        none = f"{result.unscored:,} of {result.n:,} tasks have no verdict{unparsable}{queries}: "
        if result.lacks_verdicts:
            lines.append(f"{none}the judge gave none at all, so SR_1 is not shown")
        else:
            lines.append(
                f"{none}they count as not done; SR_1 is {100 * result.best:.1f} % at best, with them as done"
            )
    if judged.votes_alike:
        lines.append(f"Warning: {VOTES_ALIKE}")
    if judged.check:
        lines.append(f"The judge on {judged.check.describe()}")
    if judged.reference:
        lines.append(f"Agreement of the judge with {RULE}: {_describe_agreement(judged.reference)}")
    if agreement:
        lines.append(f"Agreement of the judge with the people of {LABELS}: {_describe_agreement(agreement)}")
    return lines


def _measure_agreement(
    file: Path | None, pairs: Sequence[IntentPair], result: Sr1, users: Sequence[str]
) -> JudgeAgreement | None:
    """Agreement over non-empty predictions: an empty answer needs no judgement."""
    if file is None or not file.is_file():
        return None
    places = [place for place, item in enumerate(result.per_item) if not item.empty]
    if not places:
        return None
    labels = HumanJudge(read_pair_labels(file)).judge([pairs[place] for place in places])
    given = [Verdict(state=result.per_item[place].state) for place in places]
    return judge_agreement(given, labels, clusters=[users[place] for place in places])


def _format_percent(interval: Interval) -> str:
    if interval.low is None or interval.high is None:
        return f"{100 * interval.mean:.1f} %"
    return f"{100 * interval.mean:.1f} % [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"


def _describe_agreement(agreement: JudgeAgreement) -> str:
    found = agreement.kappa
    if found is None:
        return "no answer that both judged"
    if found.kappa is None:
        value = f"kappa undefined ({found.why})"
    elif found.low is None or found.high is None:
        value = f"kappa {found.kappa:.2f} ({found.why})"
    else:
        value = f"kappa {found.kappa:.2f} [{found.low:.2f}, {found.high:.2f}]"
    warning = f" ({found.warning})" if found.warning else ""
    return f"{value}, the same answer to {100 * found.agreement:.0f} % of {found.n:,}{warning}"
