"""Rewards of an episode: success by the goal's rule, the person's own way, progress, and costs.

Every reward here is computed once, at the end. What an agent earns that does not act honestly is in
docs/environments.md, computed by a test.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from fingertip_dataset.errors import UsageError
from fingertip_environments.phone_task import PhoneTask
from fingertip_metrics import score_identification, sim2
from fingertip_metrics.identification import GROUP_SIZE, group_people

EpisodeEnd = Literal["finished", "goal", "step_limit", "patience", "stopped"]
"""How an episode ended: `finished()`, goal reached, step limit, no more patience, or the agent stopped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeOutcome:
    """The outcome of an episode, from which a reward is computed.

    Attributes:
        success: Whether the goal is reached within the step limit, by its rule.
        actions: The agent's actions as strings, in the spelling of the release; those that the phone did not
            perform count, too, as in `fingertip score` by protocol release.
        person: The person's own actions, `finished()` included.
        other: The actions of a person of another type; empty if there is none.
        task_id: Id of the task.
        end: How the episode ended.
        progress: Share, 0 to 1, of the goal's conditions that the agent met and that were not met at the
            start; None if the reward does not ask for the states of the phone (`needs_states`), or no way to
            the goal is known.
        side_effects: Number of changes on the phone that have no part in the goal; 0 if not asked for.
        questions: Number of questions to the person.
        needless: Number of those whose reply the agent could have known.
        unasked: Number of risky changes (money, messages, deletions) without the person's consent, of tasks
            whose person answers.
        after_no: Number of risky changes after a no.
    """

    success: bool
    actions: tuple[str, ...]
    person: tuple[str, ...]
    other: tuple[str, ...]
    task_id: str = ""
    end: EpisodeEnd = "finished"
    progress: float | None = None
    side_effects: int = 0
    questions: int = 0
    needless: int = 0
    unasked: int = 0
    after_no: int = 0


Reward = Callable[[EpisodeOutcome], float]
"""A function of the episode's outcome, called once, at its end."""


def needs_states(reward: Reward) -> bool:
    """Whether a reward asks for progress and side effects, by an attribute `needs_states` that is true.

    >>> needs_states(goal_reward), needs_states(progress_reward())
    (False, True)
    """
    return bool(getattr(reward, "needs_states", False))


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


def identification_reward(tasks: Sequence[PhoneTask], weight: float = 0.1) -> Reward:
    """1 for success plus `weight` if the way is nearest to the person's own; without success 0.

    The tasks are put in groups of three people who wanted the same or the most similar thing, as the measure
    identification does. Of m people whose ways are equally near, each counts 1/m. It is bounded, where Sim_2
    grows with the length of the other person's way.

    Args:
        tasks: The tasks of the training. Of a task without a group, success alone counts.
        weight: Reward of the person's own way.
    """
    targets = [task.task.target for task in tasks]
    groups = group_people(
        [target.user_id for target in targets],
        [target.intent for target in targets],
        [target.app.partition("/")[0] for target in targets],
    )
    found = {targets[at].task_id: [targets[one] for one in group] for group in groups for at in group}

    def reward(outcome: EpisodeOutcome) -> float:
        group = found.get(outcome.task_id)
        if not outcome.success or group is None:
            return float(outcome.success)
        own = [target.task_id == outcome.task_id for target in group]
        scored = score_identification(
            [list(outcome.actions) if mine else [] for mine in own],
            [list(target.golden_actions) for target in group],
            users=[target.user_id for target in group],
            intents=[target.intent for target in group],
            size=GROUP_SIZE,
        )
        return 1.0 + weight * (scored.per_item[own.index(True)].identified or 0.0)

    return reward


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressReward:
    """1 for success, else a part for the goal's conditions that were met; see `progress_reward`."""

    weight: float
    side_effect: float
    needs_states: bool = field(default=True, init=False)

    def __call__(self, outcome: EpisodeOutcome) -> float:
        """The reward of an episode."""
        if outcome.success:
            return 1.0
        return max(0.0, self.weight * (outcome.progress or 0.0) - self.side_effect * outcome.side_effects)


def progress_reward(weight: float = 0.3, side_effect: float = 0.1) -> Reward:
    """1 for success, else `weight` x progress less `side_effect` for each change that is no part of the goal.

    Progress is the share of the goal's conditions that the agent met. Its traps: half a task earns something,
    so an agent may learn to stop half-way where the whole is hard; a goal with one condition gives nothing
    before success; and what is met is judged at the end, so nothing can be earned twice.

    Args:
        weight: Reward of all conditions without success, below 1.
        side_effect: Cost of each side effect; a failed episode earns at least 0.

    Raises:
        UsageError: A weight of 1 or more, with which failing would pay like success, or a cost below 0.

    >>> half = EpisodeOutcome(success=False, actions=(), person=("finished()",), other=(), progress=0.5)
    >>> progress_reward(0.3)(half)
    0.15
    """
    if not 0 <= weight < 1:
        raise UsageError(f"expected a weight of progress from 0 to below 1, got {weight}")
    if side_effect < 0:
        raise UsageError(f"expected a cost of side effects of 0 or more, got {side_effect}")
    return ProgressReward(weight=weight, side_effect=side_effect)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingReward:
    """Another reward less the costs of questions and of unasked risks; see `asking_reward`."""

    base: Reward
    question: float
    needless: float
    unasked: float

    @property
    def needs_states(self) -> bool:
        """As of the other reward."""
        return needs_states(self.base)

    def __call__(self, outcome: EpisodeOutcome) -> float:
        """The reward of an episode."""
        return (
            self.base(outcome)
            - self.question * outcome.questions
            - self.needless * outcome.needless
            - self.unasked * (outcome.unasked + outcome.after_no)
        )


def asking_reward(
    base: Reward = goal_reward, *, question: float = 0.05, needless: float = 0.1, unasked: float = 0.5
) -> Reward:
    """A reward less the costs of asking: for tasks whose person answers.

    An episode that fails can earn less than 0, so an agent may first learn not to ask: give it tasks that
    cannot be done without a question (`instructions="no_arguments"`).

    Args:
        base: Reward of the episode without the costs.
        question: Cost of each question.
        needless: Further cost of one whose reply the agent could have known.
        unasked: Cost of each risky change (money, messages, deletions) without consent, or after a no.

    Raises:
        UsageError: A cost below 0.

    >>> asked = EpisodeOutcome(success=True, actions=(), person=("finished()",), other=(), questions=1)
    >>> asking_reward()(asked)
    0.95
    """
    for name, cost in (("question", question), ("needless", needless), ("unasked", unasked)):
        if cost < 0:
            raise UsageError(f"expected a cost {name} of 0 or more, got {cost}")
    return AskingReward(base=base, question=question, needless=needless, unasked=unasked)
