"""The checks of a bundle of track 1 in order, and the recomputed scores."""

from __future__ import annotations

from pathlib import Path

from fingertip_dataset.errors import FingerTipError, MetricInputError, RunError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.bundle.bundle_files import BUNDLE, VERDICTS
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.bundle.schema import MomentClaims, SuggestionClaims
from fingertip_leaderboard.verify.check_outcome import CheckOutcome, Embedders
from fingertip_leaderboard.verify.checks.check_golden import remark_true_intents
from fingertip_leaderboard.verify.checks.check_inputs import (
    check_settings,
    check_suggestion_input,
)
from fingertip_leaderboard.verify.checks.check_labels import check_verdicts
from fingertip_leaderboard.verify.checks.check_own_suggesters import remark_own_suggester
from fingertip_leaderboard.verify.checks.check_scores import (
    check_moment_scores,
    check_suggestion_scores,
    find_scored_text,
    score_moment_bundle,
    score_suggestion_bundle,
)
from fingertip_leaderboard.verify.checks.check_usage import (
    check_suggestion_usage,
    remark_unmeasured,
)
from fingertip_leaderboard.verify.checks.coverage import check_tasks
from fingertip_leaderboard.verify.restored_targets import (
    restore_suggestion_targets,
)
from fingertip_leaderboard.verify.suggestion_reading import check_suggestions, names_run_again
from suggestion_runner.moments.moment_run_scores import MomentRunScores
from suggestion_runner.prediction_log import PREDICTIONS
from suggestion_runner.scoring import SuggestionRunScores
from suggestion_runner.suggestion_records import SuggestionRun


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
    if not whole or not isinstance(claimed, SuggestionClaims | MomentClaims):
        return None
    for one in read.suggestions:
        target = targets[one.record.task_id]
        check_suggestion_input(one.record, one.line, target, run.screenshots, found)
        check_suggestion_usage(one.record, one.line, found)
    remark_unmeasured(read, found)
    rules = embedders.keep_rules(built)
    check_suggestions(read, targets, rules, found)
    intents = {task: one.target.intent for task, one in targets.items()}
    lines = {one.record.task_id: find_scored_text(read, one.record) for one in read.suggestions}
    pairs = {task: (lines[task], intent) for task, intent in intents.items()}
    check_verdicts(read, pairs, rules, found)
    if run.agent.name not in names_run_again(run):  # they are run again, or refused
        remark_true_intents(read, intents, found)
        remark_own_suggester(read, targets, rules, found)
    try:
        embedder = embedders.get(claimed.embedder)
    except FingerTipError as error:
        # says nothing about other bundles, which may name another embedder
        reason = f"not scored: this verifier cannot load the embedder {claimed.embedder}: {error.message}"
        found.refuse(RefusalKind.NO_EMBEDDER, reason, BUNDLE)
        return CheckOutcome(scores=None, right=intents)
    scores: SuggestionRunScores | MomentRunScores
    try:
        if isinstance(claimed, MomentClaims):
            scores = score_moment_bundle(read, run, targets, rules, embedder, place)
            check_moment_scores(claimed, scores, found)
        else:
            scores = score_suggestion_bundle(read, run, targets, embedder, place)
            check_suggestion_scores(claimed, scores, found)
    except (RunError, MetricInputError) as error:
        found.refuse(RefusalKind.CONTRADICTION, f"the run cannot be scored: {error.message}", PREDICTIONS)
        return CheckOutcome(scores=None, right=intents)
    return CheckOutcome(scores=scores, right=intents)
