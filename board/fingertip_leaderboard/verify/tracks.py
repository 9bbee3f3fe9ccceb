"""The checks of each track in order, and the recomputed scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from execution_runner.execution_records import STEPS, ExecutionRun
from execution_runner.scoring.run_scores import ExecutionRunScores as ExecutionScores
from fingertip_agents.registry import baseline_names
from fingertip_dataset.errors import FingerTipError, MetricInputError, RunError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.bundle.bundle_files import BUNDLE, VERDICTS
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.bundle.schema import Embedding, ExecutionClaims, SuggestionClaims
from fingertip_leaderboard.verify.checks.check_golden import remark_errors, remark_golden, remark_true_intents
from fingertip_leaderboard.verify.checks.check_inputs import (
    check_execution_input,
    check_settings,
    check_suggestion_input,
)
from fingertip_leaderboard.verify.checks.check_labels import check_labels, check_verdicts
from fingertip_leaderboard.verify.checks.check_own_agents import remark_own_executor, remark_own_suggester
from fingertip_leaderboard.verify.checks.check_replay import check_recorded
from fingertip_leaderboard.verify.checks.check_scores import (
    check_execution_scores,
    check_suggestion_scores,
    find_scored_text,
    score_execution_bundle,
    score_suggestion_bundle,
)
from fingertip_leaderboard.verify.checks.check_steps import check_attempt, check_step_times
from fingertip_leaderboard.verify.checks.check_success import check_success
from fingertip_leaderboard.verify.checks.check_usage import (
    check_step_usage,
    check_suggestion_usage,
    remark_unmeasured,
)
from fingertip_leaderboard.verify.checks.coverage import check_tasks
from fingertip_leaderboard.verify.checks.moments import Clock
from fingertip_leaderboard.verify.repeat_decisions import make_deterministic_agent
from fingertip_leaderboard.verify.restored_targets import (
    restore_execution_targets,
    restore_suggestion_targets,
)
from fingertip_leaderboard.verify.step_reading import check_steps_read
from fingertip_leaderboard.verify.suggestion_reading import check_suggestions
from fingertip_metrics.embedders import Embedder, get_embedder
from suggestion_runner.prediction_log import PREDICTIONS
from suggestion_runner.scoring import SuggestionRunScores as SuggestionScores
from suggestion_runner.suggestion_records import SuggestionRun

LATER = "call again once it is in this computer's cache"
"""Advice on an embedder that cannot be loaded: the bundle names it, and no option names another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutcome:
    """Result of checking a bundle that has a line for every task.

    Attributes:
        scores: Recomputed scores; None if the run cannot be scored.
        right: Task id -> target, the intent or the golden actions.
    """

    scores: SuggestionScores | ExecutionScores | None
    right: Mapping[str, str]


@dataclass(slots=True)
class Embedders:
    """Embedders by the names that bundles may use, each loaded once.

    Attributes:
        while_loading: Makes the context in which an embedder is loaded.
    """

    while_loading: Callable[[], AbstractContextManager[object]] = nullcontext
    loaded: dict[Embedding, Embedder | FingerTipError] = field(default_factory=dict)

    def get(self, name: Embedding) -> Embedder:
        """The embedder of that name; raises the errors of `get_embedder`, and the same each time."""
        if name not in self.loaded:
            with self.while_loading():
                try:
                    self.loaded[name] = get_embedder(name, advice=LATER)
                except FingerTipError as error:
                    # the next bundle that names it does not wait for it again
                    self.loaded[name] = error
        found = self.loaded[name]
        if isinstance(found, FingerTipError):
            raise found
        return found


def check_suggestion(
    read: ReadBundle,
    run: SuggestionRun,
    built: BuiltDataset,
    embedders: Embedders,
    place: Path,
    found: Refusals,
) -> CheckOutcome | None:
    """Check a bundle of track 1 on its dataset; None if it does not have exactly one line per task."""
    targets = restore_suggestion_targets(built, run)
    check_settings(read.bundle, [one.target.intent for one in targets.values()], (), found)
    whole = check_tasks(
        ((one.line, one.record.task_id) for one in read.suggestions), targets, found, PREDICTIONS
    )
    if read.bundle.judge is not None:
        ids = ((one.line, one.record.task_id) for one in read.verdicts)
        whole &= check_tasks(ids, targets, found, VERDICTS)
    claimed = read.bundle.scores
    if not whole or not isinstance(claimed, SuggestionClaims):
        return None
    for one in read.suggestions:
        target = targets[one.record.task_id]
        check_suggestion_input(one.record, one.line, target, run.screenshots, found)
        check_suggestion_usage(one.record, one.line, found)
    remark_unmeasured(read, found)
    check_suggestions(read, targets, found)
    intents = {task: one.target.intent for task, one in targets.items()}
    lines = {one.record.task_id: find_scored_text(read, one.record) for one in read.suggestions}
    pairs = {task: (lines[task], intent) for task, intent in intents.items()}
    check_verdicts(read, pairs, built, found)
    if run.agent.name not in baseline_names("suggestion"):  # they are run again, or refused
        remark_true_intents(read, intents, found)
        remark_own_suggester(read, targets, found)
    try:
        embedder = embedders.get(claimed.embedder)
    except FingerTipError as error:
        # says nothing about other bundles, which may name another embedder
        reason = f"not scored: this verifier cannot load the embedder {claimed.embedder}: {error.message}"
        found.refuse(RefusalKind.NO_EMBEDDER, reason, BUNDLE)
        return CheckOutcome(scores=None, right=intents)
    try:
        scores = score_suggestion_bundle(read, run, targets, embedder, place)
    except (RunError, MetricInputError) as error:
        found.refuse(RefusalKind.CONTRADICTION, f"the run cannot be scored: {error.message}", PREDICTIONS)
        return CheckOutcome(scores=None, right=intents)
    check_suggestion_scores(claimed, scores, found)
    return CheckOutcome(scores=scores, right=intents)


def check_execution(
    read: ReadBundle, run: ExecutionRun, built: BuiltDataset, clock: Clock, place: Path, found: Refusals
) -> CheckOutcome | None:
    """Check a bundle of track 2 on its dataset; see `check_suggestion`."""
    targets = restore_execution_targets(built, run)
    golden = {task_id: task.target.golden_actions for task_id, task in targets.items()}
    check_settings(read.bundle, (), golden.values(), found)
    if set(run.task_ids) != {one.record.end.task_id for one in read.executions}:
        reason = "the run's task ids are not those of its lines"
        found.refuse(RefusalKind.CONTRADICTION, reason, BUNDLE)
    whole = check_tasks(
        ((one.line, one.record.end.task_id) for one in read.executions), targets, found, STEPS
    )
    check_labels(read, clock, found)
    claimed = read.bundle.scores
    if not whole or not isinstance(claimed, ExecutionClaims):
        return None
    for one in read.executions:
        task = targets[one.record.end.task_id]
        check_attempt(one.record, one.line, run, task.target.step_limit, found)
        check_execution_input(one.record, one.line, task, run, found)
        check_step_times(one.record, one.line, clock, found)
        # of an attached agent neither seconds nor tokens are known; `check_attached` refuses others
        for number, step in enumerate(() if run.attached else one.record.steps, start=1):
            check_step_usage(step, one.line, number, found)
    check_steps_read(read, targets, found)
    agent = make_deterministic_agent(run, built.simulations(), found)
    replayed = check_success(read, run, built, targets, agent, found)
    recorded = check_recorded(read, run, built, targets, agent, found)
    if not (replayed or recorded):
        remark_golden(read, golden, found)
    if agent is None:
        remark_own_executor(read, run, built, targets, found)
    remark_errors(read, found)
    right = {task_id: "\n".join(actions) for task_id, actions in golden.items()}
    try:
        scores = score_execution_bundle(read, run, targets, place)
    except (RunError, MetricInputError) as error:
        found.refuse(RefusalKind.CONTRADICTION, f"the run cannot be scored: {error.message}", STEPS)
        return CheckOutcome(scores=None, right=right)
    check_execution_scores(claimed, scores, found)
    return CheckOutcome(scores=scores, right=right)
