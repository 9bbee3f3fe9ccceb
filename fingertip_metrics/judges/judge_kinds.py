"""All kinds of judges of SR_1, by the kind in their settings.

A new judge is one file and an entry in `JUDGES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from fingertip_metrics.judges.human_judge import HumanJudge
from fingertip_metrics.judges.lexical import LexicalJudge
from fingertip_metrics.judges.llm import LlmJudge
from fingertip_metrics.judges.simulated_judge import SimulatedJudge
from fingertip_metrics.judges.verdicts import Judge, JudgeInputs, VerdictCheck

JUDGES: Mapping[str, type[LexicalJudge | HumanJudge | SimulatedJudge | LlmJudge]] = MappingProxyType(
    {judge.kind: judge for judge in (LexicalJudge, HumanJudge, SimulatedJudge, LlmJudge)}
)
"""Kind, as `settings["kind"]` of a judge gives it -> class."""

WITHOUT_MODEL: Mapping[str, Callable[[JudgeInputs], Judge]] = MappingProxyType(
    {kind: judge.open for kind, judge in JUDGES.items() if not issubclass(judge, LlmJudge)}
    | {f"{SimulatedJudge.kind}-goal": SimulatedJudge.open_by_goal}
)
"""Name in `open_judge` -> constructor, for judges that query no model."""


def verdict_check(settings: Mapping[str, object]) -> VerdictCheck | None:
    """Check of verdicts that a judge of these settings has recorded.

    Args:
        settings: Recorded settings of the judge, possibly foreign: no type in them is certain.

    Returns:
        The check that the judge's class declares; None for an unknown kind of judge, and if a verdict does
        not follow from what is recorded.

    >>> verdict_check({"kind": "human", "raters": ["A"]}) is None
    True
    """
    judge = JUDGES.get(str(settings.get("kind")))
    return judge.verdict_check(settings) if judge else None
