"""The suggestions of a finished run of track 1, and who accepts which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from fingertip_dataset.tasks.task import TaskTarget
from fingertip_metrics.judges.verdicts import Judge
from fingertip_runs.targets import read_targets
from suggestion_runner.acceptance import AcceptanceLabel, read_acceptance
from suggestion_runner.answer_text import DEFAULT, answer_text
from suggestion_runner.prediction_log import read_predictions, read_run

JUDGE, PEOPLE = "judge", "people"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSuggestion:
    """A suggestion, and how it was judged before anything was carried out.

    Attributes:
        target: What the person wanted.
        text: The suggestion, as the agent gave it; "" for no answer.
        accepted: Whether it was accepted; a suggestion that nobody has judged was not.
        undecided: Whether nobody has decided on it.
        right: Whether it is what the person wanted, by the judge.
        reason: The judge's reason.
    """

    target: TaskTarget
    text: str
    accepted: bool
    undecided: bool
    right: bool
    reason: str

    @property
    def task_id(self) -> str:
        """The episode id."""
        return self.target.task_id


def read_suggestions(run: Path) -> list[tuple[TaskTarget, str]]:
    """The target and the suggestion of each task of a finished run, in the order of its log.

    Raises:
        RunError: The run is missing or broken.
    """
    record, lines = read_run(run), read_predictions(run)
    targets = read_targets(run, [line.task_id for line in lines])
    return [
        (targets[line.task_id], answer_text(line, DEFAULT, distribution=record.distribution).strip())
        for line in lines
    ]


def judge_suggestions(run: Path, judge: Judge, *, accepts: str) -> list[JudgedSuggestion]:
    """Decide for each suggestion whether it is right, and whether it is accepted.

    Args:
        run: A finished run of track 1.
        judge: Decides whether a suggestion is what the person wanted.
        accepts: "judge": what is right is accepted. "people": by the run's judgements of people who did not
            see what was wanted, by majority; a tie accepts nothing.

    Raises:
        RunError: The run is missing or broken.
        ModelError: The judge does not answer.
    """
    found = read_suggestions(run)
    pairs = [(text, target.intent) for target, text in found if text]
    verdicts = iter(judge.judge(pairs)) if pairs else iter(())
    votes = _read_votes(read_acceptance(run)) if accepts == PEOPLE else {}
    judged = []
    for target, text in found:
        verdict = next(verdicts) if text else None
        right = verdict is not None and verdict.state == "same"
        if accepts == PEOPLE:
            share = votes.get((target.task_id, text))
        else:
            share = None if verdict is None or verdict.state == "unscored" else float(right)
        judged.append(
            JudgedSuggestion(
                target=target,
                text=text,
                accepted=bool(text) and (share or 0) > 0.5,
                undecided=bool(text) and share is None,
                right=right,
                reason="no answer" if verdict is None else verdict.reason,
            )
        )
    return judged


def _read_votes(labels: Sequence[AcceptanceLabel]) -> Mapping[tuple[str, str], float]:
    """(task id, suggestion) -> share of its raters who accept it."""
    found: dict[tuple[str, str], list[bool]] = {}
    for label in labels:
        found.setdefault((label.task_id, label.predicted.strip()), []).append(label.accepted)
    return {key: fmean(accepted) for key, accepted in found.items()}
