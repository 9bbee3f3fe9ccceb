"""Why the answers of a run of track 1 failed: reasons of each, and their counts with intervals over users."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fingertip_agents.suggestion.baselines import normalize_text
from fingertip_dataset.errors import UsageError
from fingertip_metrics.judges.verdicts import State
from fingertip_runs.reason_counts import ReasonCount, TaskReasons, count_reasons
from suggestion_runner.answer_text import answer_text
from suggestion_runner.prediction_log import read_predictions
from suggestion_runner.scoring import SuggestionRunScores
from suggestion_runner.suggestion_records import Prediction, SuggestionRun
from suggestion_runner.why.intent_reasons import (
    INTENT_REASONS,
    NOT_ASKED,
    AnswerReasons,
    IntentReason,
    IntentReasonName,
    sort_reasons,
)
from suggestion_runner.why.intent_rules import IntentRules
from suggestion_runner.why.person_habits import RULES
from suggestion_runner.why.reason_judge import JudgedReason, ReasonJudge
from suggestion_runner.why.reason_question import FailedAnswer
from suggestion_runner.why.task_past import TaskPast

WHY_VERSION = 1

BY_RULE = "simulated (goal and case on the person's own simulated phone)"
"""Name of the judge whose rule decides about simulated people where no judge is named."""

SIMULATED = "simulated"
"""Provenance of datasets of simulated people."""

NEEDS_JUDGE = (
    "--why on recorded people needs --judge MODEL: no rule knows their goals, so a model says whether and "
    "why an answer is wrong"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WhySuggestions:
    """Why answers of a run failed.

    Attributes:
        folder: Folder of the run.
        record: Record of the run.
        tasks: Number of tasks that have an answer.
        attempts: The answers that are not the person's intent, in the order of the run.
        counts: Reason -> its counts, in the order of `INTENT_REASONS`; those that occur.
        success: Name of the judge that decided which answers failed.
        judge: Settings of the model that was asked for reasons; None without one.
        caveats: Caveats of the run's scores.
    """

    folder: Path
    record: SuggestionRun
    tasks: int
    attempts: tuple[AnswerReasons, ...]
    counts: Mapping[IntentReasonName, ReasonCount]
    success: str
    judge: Mapping[str, object] | None = None
    caveats: tuple[str, ...] = ()


def explain_answers(scores: SuggestionRunScores, *, judge: ReasonJudge | None = None) -> WhySuggestions:
    """The reasons of every answer of a run that is not the person's intent.

    An answer is right if the judge of SR_1 says so; without one, on simulated people, if the rule of judge
    "simulated" does. An answer without a verdict is not right, and is not judged unless a rule applies.

    Args:
        scores: The scores of the run.
        judge: Model that is asked where no rule can say: about recorded people.

    Raises:
        UsageError: The people are recorded and the run has no verdicts, or the dataset is another one.
        DatasetError: The run's dataset is gone or broken.
        ModelError: The model does not answer.
    """
    past = TaskPast(scores.record)
    if scores.judged is None and not past.is_simulated:
        raise UsageError(NEEDS_JUDGE, file=scores.folder)
    explained = _Explained(scores, past)
    found = explained.explain(None if past.is_simulated else judge)
    by_task = {one.task_id: one for one in found}
    users = {task_id: past.intent(task_id).user_id for task_id in scores.task_ids}
    return WhySuggestions(
        folder=scores.folder,
        record=scores.record,
        tasks=len(scores.task_ids),
        attempts=found,
        counts=count_reasons(
            INTENT_REASONS,
            [_list_names(users[task_id], by_task.get(task_id)) for task_id in scores.task_ids],
        ),
        success=scores.judged.result.judge if scores.judged else BY_RULE,
        judge=judge.settings if judge is not None and not past.is_simulated else None,
        caveats=scores.caveats,
    )


def why_dict(why: WhySuggestions) -> dict[str, Any]:
    """The reasons as JSON."""
    return {
        "version": WHY_VERSION,
        "tasks": why.tasks,
        "failed": len(why.attempts),
        "success": why.success,
        "judge": why.judge,
        "rules": asdict(RULES),
        "counts": {name: asdict(count) for name, count in why.counts.items()},
        "attempts": [asdict(attempt) for attempt in why.attempts],
    }


class _Explained:
    """Collects the reasons of a run's answers: by rule first, then by the model in one call."""

    def __init__(self, scores: SuggestionRunScores, past: TaskPast) -> None:
        self._scores = scores
        self._past = past
        self._rules = IntentRules(past)
        self._lines = {line.task_id: line for line in read_predictions(scores.folder)}
        judged = scores.judged.result.per_item if scores.judged else ()
        self._states: Mapping[str, State] = {
            task_id: item.state for task_id, item in zip(scores.task_ids, judged, strict=False)
        }

    def explain(self, judge: ReasonJudge | None) -> tuple[AnswerReasons, ...]:
        """The reasons of the answers that failed, in the order of the run."""
        by_rule = self._find_by_rule()
        open_tasks = [
            task_id
            for task_id, reasons in by_rule.items()
            if judge is not None and not reasons and self._state(task_id) == "different"
        ]
        named = dict(zip(open_tasks, self._ask(judge, open_tasks), strict=True))
        return tuple(
            self._make_reasons(task_id, reasons, named.get(task_id), judge)
            for task_id, reasons in by_rule.items()
        )

    def _find_by_rule(self) -> dict[str, list[IntentReason]]:
        """Task id of each answer that failed -> its reasons by rule; none where no rule can say."""
        found: dict[str, list[IntentReason]] = {}
        # one phone after the other: the wordings of all people would fill the memory
        order = sorted(self._scores.task_ids, key=lambda task_id: self._past.intent(task_id).user_id)
        for task_id in order:
            if self._state(task_id) != "same":
                found[task_id] = list(self._apply_rules(task_id))
        return {task_id: found[task_id] for task_id in self._scores.task_ids if task_id in found}

    def _state(self, task_id: str) -> State:
        if self._scores.judged is not None:
            return self._states[task_id]
        return "same" if self._rules.is_right(task_id, self._text(task_id)) else "different"

    def _text(self, task_id: str) -> str:
        several = self._scores.record.distribution
        return answer_text(self._lines[task_id], self._scores.answers, distribution=several)

    def _apply_rules(self, task_id: str) -> Sequence[IntentReason]:
        line, text = self._lines[task_id], self._text(task_id)
        if (without := _explain_no_intent(line, text)) is not None:
            return [without]
        if self._state(task_id) == "unscored":
            return []
        if self._past.is_simulated:
            return list(self._rules.find_reasons(task_id, text))
        last = self._past.shown(task_id)[-1:]
        if last and normalize_text(last[0].text) == normalize_text(text):
            return [IntentReason(name="copied_last", words=f"the intent of {last[0].moment:%Y-%m-%d %H:%M}")]
        return []

    def _ask(self, judge: ReasonJudge | None, task_ids: Sequence[str]) -> Sequence[JudgedReason]:
        if judge is None or not task_ids:
            return ()
        return judge.find_reasons(
            [
                FailedAnswer(
                    predicted=self._text(task_id),
                    task=self._past.intent(task_id),
                    earlier=self._past.shown(task_id),
                )
                for task_id in task_ids
            ]
        )

    def _make_reasons(
        self,
        task_id: str,
        by_rule: Sequence[IntentReason],
        judged: JudgedReason | None,
        judge: ReasonJudge | None,
    ) -> AnswerReasons:
        reasons, by = list(by_rule), "rule"
        if judged is not None and judged.name is not None and judge is not None:
            reasons, by = [IntentReason(name=judged.name, words=judged.words)], judge.name
        elif not reasons:
            words = (judged.words if judged else "") or _explain_not_judged(self._state(task_id))
            reasons = [IntentReason(name="not_judged", words=words)]
        found = sort_reasons(reasons)
        return AnswerReasons(
            task_id=task_id,
            user_id=self._past.intent(task_id).user_id,
            primary=found[0].name,
            reasons=found,
            by=by,
        )


def _explain_no_intent(line: Prediction, text: str) -> IntentReason | None:
    """The reason of a task without an intent in its answer; None for an answer with a text."""
    if line.failed:
        return IntentReason(name="agent_error", words=line.reason)
    if line.cut:
        return IntentReason(name="unreadable_answer", words="the answer was cut")
    if not text.strip():
        return IntentReason(name="unreadable_answer", words="no intent")
    return None


def _explain_not_judged(state: State) -> str:
    return "no verdict whether it is right" if state == "unscored" else NOT_ASKED


def _list_names(user_id: str, reasons: AnswerReasons | None) -> TaskReasons:
    if reasons is None:
        return TaskReasons(user_id=user_id)
    names = [reason.name for reason in reasons.reasons]
    return TaskReasons(user_id=user_id, primary=reasons.primary, names=names)
