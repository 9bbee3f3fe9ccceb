"""Evidence: what each score of a submission rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal, get_args

from execution_runner.execution_records import ExecutionRun
from fingertip_leaderboard.bundle.schema import Bundle, JudgeRecord
from fingertip_metrics.judges import LexicalJudge, SimulatedJudge
from fingertip_runs.device_kinds import DEVICE_KINDS

Evidence = Literal["run by the board", "success by rule, re-run", "recomputed", "on the submitter's word"]
"""Kind of evidence, strongest first; see `LEGEND`."""

EVIDENCE: tuple[Evidence, ...] = get_args(Evidence)
"""All kinds of evidence, strongest first."""

LEGEND: Mapping[Evidence, str] = MappingProxyType(
    {
        "run by the board": "the maintainers ran the agent themselves",
        "success by rule, re-run": "the recorded actions were carried out again, and a rule decided",
        "recomputed": "made again from the recorded outputs with the verifier's own targets",
        "on the submitter's word": "nobody else can make it again: labels of people, verdicts of a model, "
        "times, tokens, the device",
    }
)
"""Kind of evidence -> its meaning."""

BY_BOARD, RERUN, RECOMPUTED, WORD = EVIDENCE


def weakest(evidence: Iterable[Evidence]) -> Evidence:
    """The weakest of several kinds of evidence, at least one.

    >>> weakest(["recomputed", "success by rule, re-run"])
    'recomputed'
    """
    return max(evidence, key=EVIDENCE.index)


def evidence_of(bundle: Bundle, scores: Iterable[str]) -> dict[str, Evidence]:
    """Evidence of the scores of a verified bundle.

    Args:
        bundle: The bundle.
        scores: Names of its scores, such as "sim1"; see `score_columns.SCORES`.

    Returns:
        Name of a score, and "seconds", "tokens" and on track 2 "device" -> evidence. Seconds and tokens are
        always on the submitter's word: a verifier sees only whether they are plausible.
    """
    found: dict[str, Evidence] = dict.fromkeys(scores, RECOMPUTED)
    run = bundle.run
    if isinstance(run, ExecutionRun):
        kind = DEVICE_KINDS[run.device]
        success = RERUN if kind.success_by_rule else WORD
        # the step ratio is over the successes; the replay gives the phone's state at the end
        by_success = (
            *("sr2", "step_ratio", "progress", "false_completion", "side_effects", "without_looking"),
            *("questions", "needless", "unasked", "after_no"),
        )
        found |= {name: success for name in by_success if name in found}
        if run.answered_by in ("model", "human"):
            # nobody can make their replies again, and everything the agent did may rest on them
            found = dict.fromkeys(found, WORD)
        found["device"] = RERUN if kind.simulated else RECOMPUTED if kind.recorded else WORD
    elif "sr1" in found:
        found["sr1"] = WORD if bundle.judge is None else judge_evidence(bundle.judge)
    return {**found, "seconds": WORD, "tokens": WORD}


def judge_evidence(judge: JudgeRecord) -> Evidence:
    """Evidence of verdicts: a rule can be applied again, but the output of a model can be made up."""
    rules = (LexicalJudge.kind, SimulatedJudge.kind)
    return RECOMPUTED if judge.settings.get("kind") in rules else WORD
