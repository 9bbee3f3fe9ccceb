"""Agreement of raters over the tasks that several of them answered, part of a human run's scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

from fingertip_dataset.errors import RunError
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_metrics.aggregate import Interval
from fingertip_metrics.embedders import Embedder
from fingertip_metrics.judges.human_judge import HumanJudge
from fingertip_metrics.judges.verdicts import Judge
from fingertip_metrics.sim1_score import sim1
from fingertip_metrics.sr1_score import Sr1, sr1
from fingertip_runs.score_summary import user_interval
from suggestion_runner.human.rater_answers import ANSWERS, RaterAnswer, read_answers


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterAgreement:
    """Agreement of the raters of a human run.

    Attributes:
        raters: Number of people who answered.
        answers: Number of answers, the last one of each rater to each task.
        seconds: Mean seconds per answer for which its task was in view.
        tasks: Number of tasks that several raters answered.
        pairs: Number of pairs of answers to the same task.
        sim1: Mean over these tasks of the mean Sim_1 of a task's pairs, with its interval over users; None
            without such a task.
        same: Share of the pairs that the judge calls the same intent, 0-1, of those with a verdict; None
            without a judge, for a judge who knows labels of other pairs alone, or without a verdict.
        unscored: Number of pairs without a verdict; None without a judge.
        judge: Name of the judge; None without one.
    """

    raters: int
    answers: int
    seconds: float
    tasks: int
    pairs: int
    sim1: Interval | None
    same: float | None
    unscored: int | None
    judge: str | None


def rater_agreement(
    run: Path,
    targets: Sequence[TaskTarget],
    *,
    embedder: Embedder,
    protocol: str,
    judge: Judge | None = None,
) -> RaterAgreement | None:
    """The agreement of a run's raters; None for a run that people did not answer.

    Args:
        run: Its folder.
        targets: Targets of the tasks that have a prediction.
        embedder: Embedder of Sim_1.
        protocol: "release" or "paper".
        judge: Judges each pair; the earlier rater's answer takes the prediction's place.

    Raises:
        RunError: The answers are broken, or of another run.
        ModelError: The embedder failed, or the judge does not answer.
    """
    if not (run / ANSWERS).is_file():
        return None
    answers = read_answers(run)
    users = {target.task_id: target.user_id for target in targets}
    if not answers or any(answer.task_id not in users for answer in answers):
        raise RunError(
            "the people's answers are not those of predictions.jsonl: one of the two files was changed",
            file=run / ANSWERS,
        )
    pairs = _pair_answers(answers)
    pair_judge = judge if pairs and not isinstance(judge, HumanJudge) else None
    texts = [one.text for one, _ in pairs], [other.text for _, other in pairs]
    judged = sr1(*texts, judge=pair_judge) if pair_judge else None
    return RaterAgreement(
        raters=len({answer.rater for answer in answers}),
        answers=len(answers),
        seconds=fmean(answer.seconds for answer in answers),
        tasks=len({one.task_id for one, _ in pairs}),
        pairs=len(pairs),
        sim1=_measure_similarity(pairs, users, embedder, protocol),
        same=_share_same(judged) if judged else None,
        unscored=judged.unscored if judged else None,
        judge=judged.judge if judged else None,
    )


def agreement_dict(found: RaterAgreement) -> dict[str, Any]:
    """The agreement as in scores.json; raters are not named."""
    return asdict(found)


def agreement_notes(found: RaterAgreement) -> list[str]:
    """Notes under the table, one sentence each, without a full stop."""
    people = "1 person" if found.raters == 1 else f"{found.raters:,} people"
    lines = [f"Answered by {people}, {found.seconds:.1f} s on screen for each answer"]
    if found.sim1 is None:
        lines.append("No task was answered by several people: their agreement is unknown")
        return lines
    low, high = found.sim1.low, found.sim1.high
    interval = "one user" if low is None or high is None else f"{low:.3f}, {high:.3f}"
    same = ""
    if found.judge is not None:
        share = "none with a verdict" if found.same is None else f"{100 * found.same:.1f} % the same intent"
        unscored = f", {found.unscored:,} without a verdict" if found.unscored else ""
        same = f"; {share} by judge {found.judge}{unscored}"
    lines.append(
        f"Agreement of people over {found.tasks:,} tasks that several answered: mean Sim_1 of two answers "
        f"{found.sim1.mean:.3f} [{interval}]{same}"
    )
    return lines


def _pair_answers(answers: Sequence[RaterAnswer]) -> list[tuple[RaterAnswer, RaterAnswer]]:
    """Each pair of answers of different raters to one task, once."""
    of_task: dict[str, list[RaterAnswer]] = {}
    for answer in answers:
        of_task.setdefault(answer.task_id, []).append(answer)
    return [pair for given in of_task.values() for pair in combinations(given, 2)]


def _share_same(judged: Sr1) -> float | None:
    """Share of the same intent among the pairs with a verdict: agreement of people, not a score of tasks."""
    scored = judged.n - judged.unscored
    return sum(item.state == "same" for item in judged.per_item) / scored if scored else None


def _measure_similarity(
    pairs: Sequence[tuple[RaterAnswer, RaterAnswer]],
    users: dict[str, str],
    embedder: Embedder,
    protocol: str,
) -> Interval | None:
    if not pairs:
        return None
    found = sim1(
        [one.text for one, _ in pairs],
        [other.text for _, other in pairs],
        embedder=embedder,
        protocol=protocol,
    )
    of_task: dict[str, list[float]] = {}
    for (one, _), item in zip(pairs, found.per_item, strict=True):
        of_task.setdefault(one.task_id, []).append(item.sim1)
    return user_interval([fmean(values) for values in of_task.values()], [users[task] for task in of_task])
