"""shortest-path-oracle: the shortest way to a simulated task, one action a screen, from any thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import pytest

from fingertip_agents.execution_agent import Decision, ScreenInput
from fingertip_agents.shortest_path_oracle import ShortestPathOracle
from fingertip_dataset.actions import Click, Finished, Wait
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import ExecutionInput
from simulated_phone import GoalInstance, Phone
from simulated_phone.machine.state import BEIJING
from simulated_phone.people.life import PhoneSetup
from simulated_phone.people.simulation import Simulation

Make = Callable[..., ExecutionInput]
MakeScreen = Callable[..., ScreenInput]
Follow = Callable[..., list[Decision]]

CLOCK = "com.android.deskclock"


def shown_text(*faults: str, seed: int = 5, **changes: object) -> Mapping[str, object]:
    goal = Phone(size=(360, 800), density=140).apps[CLOCK].goals[0]
    simulation = Simulation(
        setup=PhoneSetup(seed=seed, moment=datetime(2025, 3, 10, 8, 15, tzinfo=BEIJING), faults=faults),
        goal_instance=GoalInstance(package=CLOCK, goal=goal.name, arguments=goal.cases(seed)[0]),
        size=(360, 800),
    )
    return simulation.to_json() | changes


def test_it_completes_the_task_and_finishes(
    task: Make,
    screen: MakeScreen,
    followed: Follow,
) -> None:
    decisions = followed(ShortestPathOracle({"1": shown_text()}), task(task_id="1"), [screen()] * 12)
    actions = [decision.actions[0] for decision in decisions]
    first = actions.index(Finished())
    assert actions[first:] == [Finished()] * (12 - first)
    assert all(isinstance(action, Click) and action.content for action in actions[:1])
    assert decisions[0].thought.startswith("the way ")
    assert decisions[0].queries == decisions[0].prompt_tokens == 0


def test_it_does_not_wait_for_what_is_awaited_after_each_step(
    task: Make,
    screen: MakeScreen,
    followed: Follow,
) -> None:
    decisions = followed(
        ShortestPathOracle({"1": shown_text("slow_loading")}), task(task_id="1"), [screen()] * 8
    )
    assert Wait() not in [decision.actions[0] for decision in decisions]


def test_several_phones_query_it_concurrently(
    task: Make,
    screen: MakeScreen,
    followed: Follow,
) -> None:
    simulations = {str(seed): shown_text(seed=seed) for seed in range(4)}
    shared = ShortestPathOracle(simulations)

    def outputs(agent: ShortestPathOracle, name: str) -> list[str]:
        return [one.output for one in followed(agent, task(task_id=name), [screen()] * 9)]

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda name: outputs(shared, name), [*simulations] * 2))
    alone = [outputs(ShortestPathOracle(simulations), name) for name in simulations]
    assert together == alone * 2


@pytest.mark.parametrize(
    ("simulations", "words"),
    [
        (
            {"2": {}},
            r"the task does not say how its simulated phone was set up: it needs a dataset of "
            r"simulated people \(episode 1\)",
        ),
        ({"1": {}}, r"the setup of the simulated phone cannot be read: KeyError\('size'\) \(episode 1\)"),
        ({"1": shown_text(goal="fly")}, r"com.android.deskclock has no goal 'fly'; its goals are "),
        ({"1": shown_text(size=[2400, 1080])}, r"expected an upright display"),
        ({"1": shown_text(arguments={"hour": 77, "minute": 5, "repeat": "每天"})}, r"\(episode 1\)"),
    ],
)
def test_a_task_without_a_plan_is_refused(
    simulations: Mapping[str, Mapping[str, object]],
    words: str,
    task: Make,
    screen: MakeScreen,
    followed: Follow,
) -> None:
    with pytest.raises(UsageError, match=words):
        followed(ShortestPathOracle(simulations), task(task_id="1"), [screen()])
