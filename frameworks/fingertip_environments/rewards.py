"""Rewards of an episode: success by the goal's rule, and how much the actions are the person's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fingertip_metrics import sim2


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeOutcome:
    """The outcome of an episode, from which a reward is computed.

    Attributes:
        success: Whether the goal is reached within the step limit, by its rule.
        actions: The agent's actions as strings, in the spelling of the release; those that the phone did not
            perform count, too, as in `fingertip score` by protocol release.
        person: The person's own actions, `finished()` included.
        other: The actions of a person of another type; empty if there is none.
    """

    success: bool
    actions: tuple[str, ...]
    person: tuple[str, ...]
    other: tuple[str, ...]


Reward = Callable[[EpisodeOutcome], float]
"""A function of the episode's outcome, called once, at its end."""


def goal_reward(outcome: EpisodeOutcome) -> float:
    """1 for success, 0 otherwise."""
    return float(outcome.success)


def sim2_reward(outcome: EpisodeOutcome) -> float:
    """Sim_2 of the episode by the protocol "release": above 1, the actions are more like the person's own.

    It says nothing about success.
    """
    score = sim2([outcome.actions], [outcome.person], [outcome.other]).sim2
    return 0.0 if score is None else score


def personal_reward(weight: float = 0.1) -> Reward:
    """1 for success plus `weight` x Sim_2; without success 0, so that imitation alone earns nothing.

    >>> done = ("press_home()", "finished()")
    >>> outcome = EpisodeOutcome(success=True, actions=done, person=done, other=())
    >>> round(personal_reward(0.1)(outcome), 3)
    1.245
    """

    def reward(outcome: EpisodeOutcome) -> float:
        return 1.0 + weight * sim2_reward(outcome) if outcome.success else 0.0

    return reward
