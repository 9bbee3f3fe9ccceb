"""Convert the scores of a run into the claims of a bundle; a verifier recomputes them with the same code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from types import MappingProxyType

from execution_runner.scoring.run_scores import ExecutionRunScores
from fingertip_leaderboard.bundle.schema import (
    Claims,
    Embedding,
    ExecutionClaims,
    MomentClaims,
    SuggestionClaims,
)
from fingertip_metrics.moment_columns import MOMENT_SCORES
from fingertip_metrics.moment_scores import MomentScores
from fingertip_metrics.sim1_score import Sim1
from fingertip_metrics.sr1_score import Sr1
from suggestion_runner.answer_text import AnswerText
from suggestion_runner.scoring import PARTS

OF_OFFERS: Mapping[str, str] = MappingProxyType({"sr1": "offer_sr1", "sim1": "offer_sim1"})
"""Score of moments -> its name in claims and on the board, where track 1 has a score of the same name."""


def make_suggestion_claims(
    result: Sim1, embedder: Embedding, sr1: Sr1 | None, answers: AnswerText
) -> SuggestionClaims:
    """Claims of a bundle of track 1.

    Args:
        result: Sim_1 of the run.
        embedder: Name of the embedder for `get_embedder`.
        sr1: SR_1 of the run; None without a judge.
        answers: Text of the answers that was scored.
    """
    return SuggestionClaims.model_validate(
        {
            "protocol": result.protocol,
            "embedder": embedder,
            "answers": answers,
            "n": result.n,
            "unanswered": result.empty,
            **{part: getattr(result, part) for part in PARTS if part in SuggestionClaims.model_fields},
            "sr1": sr1.sr1 if sr1 else None,
            "unscored": sr1.unscored if sr1 else None,
        }
    )


def average_claims(tries: Sequence[Claims]) -> Claims:
    """Means of the scores of several tries; counts, and scores that a try lacks, are those of the first.

    Args:
        tries: Claims of each try, at least one.
    """
    first = tries[0]
    means = {}
    for name in type(first).model_fields:
        values = [getattr(one, name) for one in tries]
        if len(tries) > 1 and all(isinstance(value, float) for value in values):
            means[name] = fmean(values)
    return first.model_copy(update=means)


def make_moment_claims(result: MomentScores, embedder: Embedding, protocol: str) -> MomentClaims:
    """Claims of a bundle of moments.

    Args:
        result: Scores of the run, with hits by the rule.
        embedder: Name of the embedder for `get_embedder`.
        protocol: Scoring protocol of Sim_1.
    """
    counts = ("n", "with_intent", "spoken", "hits", "false_triggers", "missed")
    return MomentClaims.model_validate(
        {
            "protocol": protocol,
            "embedder": embedder,
            **{name: getattr(result, name) for name in counts},
            **{OF_OFFERS.get(name, name): result.scores[name] for name in MOMENT_SCORES},
        }
    )


def make_execution_claims(scores: ExecutionRunScores) -> ExecutionClaims:
    """Claims of a bundle of track 2."""
    means = {name: interval.mean if interval else None for name, interval in scores.means.items()}
    success = scores.success
    return ExecutionClaims.model_validate(
        {
            "protocol": scores.protocol,
            "n": success.tasks,
            "counted": success.counted,
            "decided": success.decided,
            "successes": success.successes,
            "sr2": success.sr2.mean if success.sr2 else None,
            # only means that this version of the file format has; newer ones are not claimed
            **{name: mean for name, mean in means.items() if name in ExecutionClaims.model_fields},
        }
    )
