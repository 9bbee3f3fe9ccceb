"""Reward of answers at moments, for TRL: hits less the cost of speaking where nothing is wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fingertip_agents.moments.moment_answer import read_moment
from fingertip_dataset.errors import UsageError
from fingertip_metrics.judges import Judge, LexicalJudge

MomentReward = Callable[..., list[float]]
"""A function of TRL's `reward_funcs`: `completions`, and the column `answer` with the right answers."""


def moment_reward(penalty: float = 1.0, judge: Judge | None = None) -> MomentReward:
    """The utility of each answer: 1 for the right offer, -penalty for one where nothing is wanted, else 0.

    The rows are those of `fingertip export --track moments --format trl` with the column `completion` renamed
    to `answer`, as TRL generates the completions. Silence earns 0, so an agent may learn to be silent: a base
    that was trained on moments first is right often enough to go on from there.

    Args:
        penalty: Cost of a false trigger, in hits, as of the score `utility`.
        judge: Judge of offers where something is wanted; None for the lexical one.

    Raises:
        UsageError: A penalty below 0.

    >>> said, wanted = ['{"wanted": 1, "intent": "打车"}', "", "打车"], ["打车", "打车", ""]
    >>> moment_reward()(completions=said, answer=wanted)
    [1.0, 0.0, -1.0]
    """
    if penalty < 0:
        raise UsageError(f"expected a penalty of 0 or more, got {penalty}")
    chosen = judge or LexicalJudge()

    def moment_rewards(completions: Sequence[Any], answer: Sequence[Any], **_row: object) -> list[float]:
        offers = [read_moment(_read_text(one)).intent for one in completions]
        wanted = [read_moment(_read_text(one)).intent for one in answer]
        pairs = [(offer, intent) for offer, intent in zip(offers, wanted, strict=True) if offer and intent]
        verdicts = iter(chosen.judge(pairs) if pairs else ())
        rewards = []
        for offer, intent in zip(offers, wanted, strict=True):
            if offer and intent:
                rewards.append(float(next(verdicts).state == "same"))
            else:
                rewards.append(-penalty if offer else 0.0)
        return rewards

    return moment_rewards


def _read_text(answer: Any) -> str:  # noqa: ANN401 - a text, or a conversation of TRL
    """The text of an answer, which may be a message or a list of parts."""
    if isinstance(answer, str):
        return answer
    if isinstance(answer, dict):
        return _read_text(answer.get("content") or answer.get("text") or "")
    return "".join(_read_text(part) for part in answer)
