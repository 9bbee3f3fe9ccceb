"""Tasks that ask a question: the answer is judged by its form and by the phone's state at the start."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from execution_runner.devices.in_process_device import begin_in_process
from execution_runner.environments.environment import RuleResult
from fingertip_agents.shortest_path_oracle import ShortestPathOracle
from fingertip_dataset.actions import Finished, parse_action
from fingertip_dataset.times import BEIJING
from fingertip_environments import PhoneCore, PhoneTask, live_tasks
from fingertip_environments.spaces import to_action
from fingertip_environments.trl_tools import PhoneTools
from simulated_phone import APPS, GesturePlayer, GoalInstance, Phone
from simulated_phone.people.life import PhoneSetup
from simulated_phone.people.person import make_person
from simulated_phone.people.routine import plan_month
from simulated_phone.people.simulation import Simulation

SIZE = (360, 800)
HEALTH = next(app for app in APPS if app.english == "Health")


def simulation(goal: str = "ask_steps") -> Simulation:
    aim = GoalInstance(package=HEALTH.package, goal=goal, arguments=HEALTH.goal(goal).cases(4)[0])
    setup = PhoneSetup(seed=4, moment=datetime(2025, 3, 12, 19, 5, tzinfo=BEIJING))
    return Simulation(setup=setup, goal_instance=aim, size=SIZE, answer_form="form")


def phone() -> Phone:
    return Phone(size=SIZE, density=160)


def judged(answer: str | None, *, looked: bool = False) -> RuleResult:
    own, question = phone(), simulation()
    session = begin_in_process(question, own)
    if looked:
        GesturePlayer(own).play(HEALTH.goal("ask_steps").strategies[0].steps({}))
    assert session.step(Finished(content=answer)).end is not None
    return session.evaluate()


def steps() -> int:
    found: int = HEALTH.fresh(4)["steps"][-1]
    return found


@pytest.mark.parametrize("looked", [False, True])
def test_the_right_answer_is_success_and_every_condition(looked: bool) -> None:
    for answer in (str(steps()), f"{steps():,} 步", f" {steps()}steps"):
        found = judged(answer, looked=looked)
        assert found.success is True
        assert found.state.met == found.state.conditions
        assert found.state.side_effects == ()
        assert found.state.answer_seen is looked


@pytest.mark.parametrize(
    "answer", [None, "", "many", "今天走了一万步", str(steps() + 1), f"{steps()} km", "7:30"]
)
def test_a_wrong_missing_or_ill_typed_answer_is_no_success(answer: str | None) -> None:
    found = judged(answer)
    assert found.success is False
    assert found.state.met < found.state.conditions


def test_the_answer_is_that_of_the_start() -> None:
    """Steps that are walked while the agent works do not change the right answer."""
    own = phone()
    session = begin_in_process(simulation(), own)
    own.data["apps"][HEALTH.package]["steps"][-1] += 5
    session.step(Finished(content=str(steps())))
    assert session.evaluate().success is True


def test_the_oracle_looks_and_answers() -> None:
    question = simulation("ask_medicine_time")
    oracle, own = ShortestPathOracle({"1": question.to_json()}), phone()
    session = begin_in_process(question, own)
    actions, _words = oracle._make_plan("1")
    assert len(actions) > 1
    for action in actions:
        end = session.step(action).end
    assert end is not None
    found = session.evaluate()
    assert found.success is True
    assert found.state.answer_seen is True


def test_goals_without_a_question_say_nothing_of_an_answer() -> None:
    goal = next(goal for goal in HEALTH.goals if goal.question is None)
    aim = GoalInstance(package=HEALTH.package, goal=goal.name, arguments=goal.cases(4)[0])
    session = begin_in_process(replace(simulation(), goal_instance=aim, answer_form=""), phone())
    session.step(Finished())
    state = session.evaluate().state
    assert state.answer_seen is None
    assert "answer_seen" not in state.model_dump(mode="json")


@pytest.fixture(scope="module")
def task() -> PhoneTask:
    """A question that a simulated person asks within a month, as a task."""
    apps = [app for app in APPS if app.goals]
    for number in range(20):
        if any(intent.goal.question for intent in plan_month(make_person(number, 0), apps, 8)):
            lived = live_tasks(people=1, episodes=8, first=number, size=SIZE)
            if question := [task for task in lived if task.task.input.answer_form]:
                return question[0]
    raise AssertionError("nobody asks a question")


def test_people_ask_questions_and_their_last_action_answers(task: PhoneTask) -> None:
    last = parse_action(task.task.target.golden_actions[-1])
    assert isinstance(last, Finished)
    assert last.content
    assert task.intent == f"{task.task.input.intent} [{task.task.input.answer_form}]"
    assert task.simulation == Simulation.from_json(task.simulation.to_json())


def test_environments_reward_the_answer(task: PhoneTask) -> None:
    core, last = PhoneCore(), parse_action(task.task.target.golden_actions[-1])
    assert isinstance(last, Finished)
    fields: dict[str, Any] = {"call": 8, "point": (0, 0), "direction": 0, "text": last.content}
    for action, reward in ((to_action(fields, SIZE), 1.0), (to_action({**fields, "text": ""}, SIZE), 0.0)):
        core.reset(task)
        end = core.step(action)
        assert (end.reward, end.terminated, end.success) == (reward, True, reward == 1.0)
        assert end.answer_seen is False
    tools = PhoneTools([task])
    for answer, reward in ((str(last.content), 1.0), ("no answer at all", 0.0)):
        tools.reset(task.task_id)
        tools.finished(answer)
        assert tools.get_reward() == reward
