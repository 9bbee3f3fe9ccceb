"""Chance: an agent of each track that draws its answer, the floor that every other agent has to pass."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from fingertip_agents.execution_agent import Decision, PastStep, ScreenInput
from fingertip_agents.own_agents import OWN_EXECUTORS, OWN_SUGGESTERS
from fingertip_agents.screens.elements import find_visible_box, label_elements, list_reacting, read_tree
from fingertip_agents.suggestion.baselines import SuggestionBaseline, WeightedIntents
from fingertip_dataset.actions import Action, Click, Finished, PressBack, Scroll, Type, format_action
from fingertip_dataset.tasks.task import ExecutionInput, SuggestionInput
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree

if TYPE_CHECKING:
    from fingertip_agents.setup import AgentSetup

ENDS, RETURNS, SCROLLS, TYPES = 0.1, 0.1, 0.1, 0.5
"""Probabilities of `RandomTouches`: of `finished()`, `press_back()` and a scroll in each step, and of typing
in a step with a focused field."""


PROBABILITIES: Mapping[str, object] = MappingProxyType(
    {"finished": ENDS, "press_back": RETURNS, "scroll": SCROLLS, "type": TYPES}
)
"""Name of a kind of step -> its probability, as the run's record has them."""


class _Drawing:
    """Agent whose draws depend on a seed."""

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed

    @classmethod
    def from_setup(cls, setup: AgentSetup) -> Self:
        """Construct the agent for a command."""
        return cls(setup.seed)


class RandomIntent(_Drawing, SuggestionBaseline):
    """Answers with one of the earlier intents, each as probable as the others; the task's id is the seed.

    Args:
        seed: Number that stands before the task's id in the seed; None for the id alone.
    """

    name = "random"
    traits = OWN_SUGGESTERS["random"].traits

    @property
    def settings(self) -> Mapping[str, object]:
        """The seed, if one was given."""
        return _list_seed(self._seed)

    def _answer(self, task_input: SuggestionInput) -> WeightedIntents:
        earlier = task_input.previous_intents
        rng = _make_generator(self._seed, task_input.task_id)
        return ((rng.choice(earlier).text, 1.0),) if earlier else ()


class RandomTouches(_Drawing):
    """Touches any element that reacts, each as probable as the others, until it declares the task done.

    In some steps it presses back, scrolls up or down, or types the intent into the focused field instead. The
    seed of a step is the task's id with the number of steps before; without a readable tree it touches any
    point. It is blind to the task: what it reaches, chance reaches.

    Args:
        seed: Number that stands before the task's id in the seed; None for the id alone.
    """

    name = "random"
    traits = OWN_EXECUTORS["random"].traits

    @property
    def settings(self) -> Mapping[str, object]:
        """The probabilities, and the seed if one was given."""
        return {**PROBABILITIES, **_list_seed(self._seed)}

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        """Draw the next step."""
        start = time.perf_counter()
        rng = _make_generator(self._seed, task_input.task_id, len(past))
        action = _draw_action(task_input.intent, screen, rng)
        return Decision(output=format_action(action), actions=(action,), seconds=time.perf_counter() - start)


def _list_seed(seed: int | None) -> dict[str, object]:
    return {} if seed is None else {"seed": seed}


def _make_generator(seed: int | None, *names: object) -> random.Random:
    parts = names if seed is None else (seed, *names)
    return random.Random("/".join(map(str, parts)))  # noqa: S311 - chance, not a secret


def _draw_action(intent: str, screen: ScreenInput, rng: random.Random) -> Action:
    """The action of one step; the numbers are drawn in a fixed order."""
    kind, (width, height) = rng.random(), screen.size
    if kind < ENDS:
        return Finished()
    if kind < ENDS + RETURNS:
        return PressBack()
    if kind < ENDS + RETURNS + SCROLLS:
        return Scroll(x=width // 2, y=height // 2, direction=rng.choice(("up", "down")))
    tree = read_tree(screen)
    if tree is None:
        return Click(x=rng.randrange(width), y=rng.randrange(height))
    if any(element.focused for element in tree.elements) and rng.random() < TYPES:
        return Type(text=intent)
    return _draw_touch(tree, rng) or PressBack()


def _draw_touch(tree: AccessibilityTree, rng: random.Random) -> Click | None:
    """A touch in the middle of one of the elements that react; None if there are none."""
    elements = list_reacting(tree)
    if not elements:
        return None
    element = rng.choice(elements)
    x, y = find_visible_box(element, tree).center
    return Click(x=x, y=y, content=label_elements(tree, elements)[element.index])
