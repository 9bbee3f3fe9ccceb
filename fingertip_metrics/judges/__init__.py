"""Judges of SR_1: are the predicted and the true intent the same?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_metrics.judges.human_agreement import JudgeAgreement, judge_agreement
    from fingertip_metrics.judges.human_judge import HumanJudge
    from fingertip_metrics.judges.lexical import LexicalJudge
    from fingertip_metrics.judges.llm import LlmJudge
    from fingertip_metrics.judges.named import open_judge
    from fingertip_metrics.judges.pair_labels import PairLabel, read_pair_labels
    from fingertip_metrics.judges.simulated_judge import SimulatedJudge
    from fingertip_metrics.judges.verdicts import Judge, Verdict

__all__ = [
    "HumanJudge",
    "Judge",
    "JudgeAgreement",
    "LexicalJudge",
    "LlmJudge",
    "PairLabel",
    "SimulatedJudge",
    "Verdict",
    "judge_agreement",
    "open_judge",
    "read_pair_labels",
]

if not TYPE_CHECKING:  # a type checker would accept any name from a module-level __getattr__
    __getattr__, __dir__ = lazy_names(__name__)
