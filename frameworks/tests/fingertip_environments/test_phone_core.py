"""The core: what people do earns the reward, as `fingertip execute` judges it; limits and bad calls."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from PIL import Image

from execution_runner.environments.open_environments import open_environments
from execution_runner.execution_log import read_attempts
from execution_runner.execution_run import run_execution
from fingertip_agents.imitate import Imitate
from fingertip_dataset.actions import Finished, Wait, parse_action
from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_environments import (
    CoreStep,
    EpisodeOutcome,
    PhoneCore,
    PhoneTask,
    goal_reward,
    live_tasks,
    load_tasks,
    personal_reward,
    sim2_reward,
)
from fingertip_environments.phone_core import check_kinds
from fingertip_environments.phone_task import find_task
from fingertip_metrics import sim2
from simulated_phone import GoalInstance
from simulated_phone.versions import UNVERSIONED


def played(core: PhoneCore, task: PhoneTask, actions: tuple[str, ...]) -> CoreStep:
    core.reset(task)
    for action in actions[:-1]:
        assert not core.step(parse_action(action)).over
    return core.step(parse_action(actions[-1]))


def test_the_persons_own_actions_reach_each_goal(tasks: tuple[PhoneTask, ...]) -> None:
    core = PhoneCore()
    for task in tasks:
        end = played(core, task, task.task.target.golden_actions)
        assert (end.reward, end.success, end.terminated, end.truncated) == (1.0, True, True, False)
    # a phone that was used before begins each task alike
    assert played(core, tasks[0], tasks[0].task.target.golden_actions).success


def test_an_episode_begins_in_its_app_or_on_the_home_screen(tasks: tuple[PhoneTask, ...]) -> None:
    core = PhoneCore()
    for task in tasks:
        core.reset(task)
        front = task.task.input.app if task.start == "app" else core.phone.launcher.package
        assert core.phone.data["front"] == front
    assert {task.start for task in tasks} == {"app", "several apps"}
    (home,) = live_tasks(people=1, episodes=1, size=tasks[0].simulation.size, start="home")
    core.reset(home)
    assert (home.start, core.phone.data["front"]) == ("home", core.phone.launcher.package)
    assert played(core, home, home.task.target.golden_actions).success


def test_a_dataset_with_another_start_is_refused(simulated_dataset: Path) -> None:
    with pytest.raises(UsageError, match=r"whose episodes begin in their app, got home: add --start app"):
        load_tasks(simulated_dataset, start="home")


def test_success_is_that_of_execute(simulated_dataset: Path, adb_port: int, tmp_path: Path) -> None:
    """The same actions, over adb and in this process, end in the same state of the phone."""
    built = BuiltDataset.open(simulated_dataset)
    with open_environments(["simulated"], built, server_port=adb_port) as environments:
        run_execution(simulated_dataset, Imitate(), environments, tmp_path / "run")
    found = {task.task_id: task for task in load_tasks(simulated_dataset, split="test_execution")}
    attempts = read_attempts(tmp_path / "run")
    assert {attempt.end.task_id for attempt in attempts} == set(found)
    core = PhoneCore()
    for attempt in attempts:
        task = found[attempt.end.task_id]
        core.reset(task)
        for step in attempt.steps:
            done = core.step(parse_action(step.action))
            assert core.phone.state_sha256() == step.state_sha256
        assert done.over
        assert done.truncated == (attempt.end.outcome == "truncated")
        assert done.success == (attempt.end.success is True and not done.truncated)


def test_an_episode_ends_beyond_the_step_limit_without_success(tasks: tuple[PhoneTask, ...]) -> None:
    task, core = tasks[0], PhoneCore()
    limit = int(task.task.target.step_limit)
    own = task.task.target.golden_actions[:-1]
    core.reset(task)
    for action in (*map(parse_action, own), *[Wait()] * (limit - len(own))):
        assert not core.step(action).over
    end = core.step(Finished())
    assert (end.truncated, end.terminated, end.success, end.reward) == (True, False, False, 0.0)
    with pytest.raises(UsageError, match=r"the episode is over.*call reset\(\) first"):
        core.step(Wait())


def test_an_episode_can_end_at_the_goal(tasks: tuple[PhoneTask, ...]) -> None:
    core = PhoneCore(stop_at_goal=True)
    for task in tasks:
        core.reset(task)
        ends = []
        for action in map(parse_action, task.task.target.golden_actions):
            ends.append(core.step(action))
            if ends[-1].over:
                break
        assert ends[-1].success
        assert ends[-1].reward == 1.0
        assert len(ends) < len(task.task.target.golden_actions)  # `finished()` was not needed


def test_pictures_and_trees_are_those_of_the_phone(tasks: tuple[PhoneTask, ...]) -> None:
    core = PhoneCore()
    core.reset(tasks[0])
    for action in map(parse_action, tasks[0].task.target.golden_actions):
        expected = np.asarray(core.phone.screenshot())
        assert np.array_equal(core.array(), expected)
        assert np.array_equal(np.asarray(Image.open(io.BytesIO(core.png()))), expected)
        jpeg = Image.open(io.BytesIO(core.jpeg()))
        assert (jpeg.format, jpeg.size) == ("JPEG", core.phone.size)
        assert core.tree() == core.phone.tree()
        core.step(action)


def test_a_phone_without_a_tree_gives_an_empty_one(tasks: tuple[PhoneTask, ...]) -> None:
    core = PhoneCore(faults=["no_tree"])
    core.reset(tasks[0])
    assert core.tree() == ""


def test_rewards() -> None:
    own, other = ("press_home()", "finished()"), ("press_back()", "finished()")
    like = EpisodeOutcome(success=True, actions=own, person=own, other=other)
    unlike = EpisodeOutcome(success=True, actions=other, person=own, other=other)
    failed = EpisodeOutcome(success=False, actions=own, person=own, other=other)
    assert [goal_reward(one) for one in (like, unlike, failed)] == [1.0, 1.0, 0.0]
    assert sim2_reward(like) == sim2([own], [own], [other]).sim2
    assert sim2_reward(like) > 1 > sim2_reward(unlike)
    reward = personal_reward(0.5)
    assert reward(like) > reward(unlike) > 1
    assert reward(failed) == 0.0


def test_a_reward_is_called_once_with_the_outcome(tasks: tuple[PhoneTask, ...]) -> None:
    outcomes: list[EpisodeOutcome] = []

    def reward(outcome: EpisodeOutcome) -> float:
        outcomes.append(outcome)
        return 7.5

    golden = tasks[1].task.target.golden_actions
    end = played(PhoneCore(reward=reward), tasks[1], golden)
    assert end.reward == 7.5
    task_id = tasks[1].task_id
    assert outcomes == [
        EpisodeOutcome(success=True, actions=golden, person=golden, other=(), task_id=task_id)
    ]


def test_lived_tasks_are_reproducible() -> None:
    size = (360, 800)
    one, same, other = (live_tasks(people=1, episodes=2, seed=seed, size=size) for seed in (3, 3, 4))
    assert one == same
    assert one != other


def test_bad_calls_have_one_line(tasks: tuple[PhoneTask, ...], built_sample: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no task 'x'; there are 1001__.* and 3 more"):
        find_task(tasks, "x")
    with pytest.raises(UsageError, match="no observation 'video'; there are array, tree, png, jpeg"):
        check_kinds(["array", "video"])
    with pytest.raises(UsageError, match="an observation is named twice"):
        check_kinds(["tree", "tree"])
    with pytest.raises(UsageError, match=r"have no simulated person, .* `fingertip sample people` makes"):
        load_tasks(built_sample, split="train")
    with pytest.raises(UsageError, match="expected a split"):
        load_tasks(built_sample, split="tarin")
    with pytest.raises(UsageError, match="at least 1 person"):
        live_tasks(people=0)
    with pytest.raises(UsageError, match="expected a start of app, home, got 'bed'"):
        live_tasks(people=1, episodes=1, start=cast(Any, "bed"))
    with pytest.raises(UsageError, match="expected an upright display"):
        live_tasks(size=(540, 5000))
    with pytest.raises(UsageError, match="the fault rotation turns the screen"):
        PhoneCore(faults=["rotation"])
    with pytest.raises(UsageError, match="call reset"):
        PhoneCore().array()


def test_a_task_of_another_suite_or_of_an_unknown_goal_is_refused_in_one_line(
    tasks: tuple[PhoneTask, ...],
) -> None:
    simulation, core = tasks[0].simulation, PhoneCore()
    package = simulation.goal_instance.package
    for changed, problem in (
        ({"versions": UNVERSIONED}, r"^the tasks are of no suite, this phone has suite [0-9.]+: simulate"),
        (
            {"goal_instance": GoalInstance(package="com.none", goal="x")},
            "^the phone has no app 'com.none'; app",
        ),
        (
            {"goal_instance": GoalInstance(package=package, goal="fly")},
            f"^the app {package} has no goal 'fly'",
        ),
    ):
        with pytest.raises(DatasetError, match=problem) as caught:
            core.reset(replace(tasks[0], simulation=replace(simulation, **changed)))
        assert "Error(" not in str(caught.value)


def test_a_size_is_two_numbers() -> None:
    with pytest.raises(UsageError, match=r"^expected a size as \(width, height\) in px.*, got '540x1200'$"):
        live_tasks(people=1, episodes=1, size="540x1200")  # type: ignore[arg-type]


def test_actions_that_were_not_performed_count_as_written(tasks: tuple[PhoneTask, ...]) -> None:
    outcomes: list[EpisodeOutcome] = []
    core = PhoneCore(reward=lambda outcome: outcomes.append(outcome) or sim2_reward(outcome))
    core.reset(tasks[0])
    lost = core.step(parse_action("type(text='nowhere')"))  # no field has the focus
    core.step(parse_action("press_home()"))
    core.step(parse_action("finished()"))
    assert not lost.performed
    assert core.actions == ("type(text='nowhere')", "press_home()", "finished()")
    assert [outcome.actions for outcome in outcomes] == [core.actions]


def test_a_phone_that_fails_interrupts_its_episode_alone(tasks: tuple[PhoneTask, ...]) -> None:
    outcomes: list[EpisodeOutcome] = []
    core = PhoneCore(reward=lambda outcome: outcomes.append(outcome) or 1.0)
    core.reset(tasks[0])
    core.step(Wait())
    core.phone.data["front"] = "no.such.app"  # a page that the phone cannot make
    lost = core.step(parse_action("click(coordinates=(100, 100))"))
    assert (lost.interrupted, lost.truncated, lost.reward, lost.success) == (True, True, 0.0, False)
    assert lost.note.startswith("the phone failed: ")
    assert "\n" not in lost.note
    assert core.actions == ("wait()",)
    assert core.tree()
    with pytest.raises(UsageError, match="the episode is over"):
        core.step(Wait())
    assert outcomes == []
    assert played(core, tasks[0], tasks[0].task.target.golden_actions).success


def test_an_agent_that_does_no_more_earns_by_the_rule(tasks: tuple[PhoneTask, ...]) -> None:
    outcomes: list[EpisodeOutcome] = []
    core = PhoneCore(reward=lambda outcome: outcomes.append(outcome) or goal_reward(outcome))
    core.reset(tasks[0])
    end = core.stop()
    assert (end.over, end.truncated, end.success, end.reward) == (True, True, False, 0.0)
    with pytest.raises(UsageError, match="the episode is over"):
        core.stop()
    assert [(outcome.end, outcome.actions) for outcome in outcomes] == [("stopped", ())]
    assert played(core, tasks[0], tasks[0].task.target.golden_actions).success
    assert outcomes[-1].end == "finished"


def test_what_the_agent_wrote_is_compared(tasks: tuple[PhoneTask, ...]) -> None:
    outcomes: list[EpisodeOutcome] = []
    core = PhoneCore(reward=lambda outcome: outcomes.append(outcome) or 0.0)
    core.reset(tasks[0])
    core.step(Wait(), written="I do not know")
    core.step(Finished())
    assert outcomes[0].actions == ("I do not know", "finished()")
    assert core.actions == ("wait()", "finished()")
