"""Tasks in fewer words whose person answers: the core, Gymnasium, OpenEnv and TRL."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fingertip_agents.asking_agents import AskAll
from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_dataset.actions import Ask, Finished, format_action
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_environments.gymnasium_env import PhoneEnv
from fingertip_environments.phone_core import CoreStep, PhoneCore
from fingertip_environments.phone_task import PhoneTask, load_tasks
from fingertip_environments.trl_tools import AskingTools, PhoneTools, phone_tools, prompt_rows
from simulated_phone.dialogue.vague_task import begin_at_home

SPLIT = "test_execution"


@pytest.fixture(scope="module")
def asking(people: Path) -> tuple[PhoneTask, ...]:
    return load_tasks(people, split=SPLIT, instructions="no_arguments", can_ask=True)


def carry_out(core: PhoneCore, task: PhoneTask, agent: AskAll) -> CoreStep:
    core.reset(task)
    screen = ScreenInput(screenshot=b"", tree=None, size=task.simulation.size, package="")
    past: list[PastStep] = []
    while True:
        shown = replace(task.shown_input, dialogue=core.spoken)
        (action,) = agent.act(shown, screen, past).actions
        done = core.step(action)
        text = format_action(action)
        past.append(PastStep(action=action, written=text, output=text, thought="", screenshot=b""))
        if done.over:
            return done


def test_an_agent_that_asks_does_every_task(people: Path, asking: tuple[PhoneTask, ...]) -> None:
    agent = AskAll(begin_at_home(BuiltDataset.open(people).simulations()))
    core = PhoneCore()
    for task in asking:
        assert task.start == "home"
        assert task.task.input.reference is None
        done = carry_out(core, task, agent)
        assert done.success, task.task_id
        assert core.spoken
        assert not any(action.startswith("ask(") for action in core.actions)


def test_patience_ends_an_episode_and_no_question_counts_as_a_step(asking: tuple[PhoneTask, ...]) -> None:
    core = PhoneCore()
    core.reset(asking[0])
    done = core.step(Ask(text="?"))
    replies = [done.reply]
    while not done.over:
        done = core.step(Ask(text="?"))
        replies.append(done.reply)
    assert (done.terminated, done.truncated, done.success, done.reward) == (False, True, False, 0.0)
    assert 3 < len(replies) <= 7
    assert core.actions == ()
    with pytest.raises(UsageError, match="the episode is over"):
        core.step(Finished())


def test_gymnasium_gives_the_reply_in_its_information(asking: tuple[PhoneTask, ...]) -> None:
    env = PhoneEnv(tasks=asking, start="home", observations=("tree",))
    seen, _ = env.reset(options={"task": asking[0].task_id})
    assert seen["intent"] == asking[0].intent != asking[0].task.target.intent
    _, reward, terminated, truncated, info = env.step("ask(text='What?')")
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert info["reply"]
    assert info["dialogue"] == (("What?", info["reply"]),)


def test_tools_of_trl_have_a_question_only_where_somebody_answers(
    people: Path, asking: tuple[PhoneTask, ...]
) -> None:
    tools = phone_tools(asking, start="home")()
    assert isinstance(tools, AskingTools)
    tools.reset(asking[0].task_id)
    assert tools.ask("What?")
    assert "ask(text=" in prompt_rows(asking)[0]["prompt"][0]["content"]
    paper = load_tasks(people, split=SPLIT)
    assert type(phone_tools(paper)()) is PhoneTools
    assert not hasattr(PhoneTools, "ask")


def test_a_question_in_a_task_of_the_paper_is_refused_in_words(people: Path) -> None:
    (task, *_) = load_tasks(people, split=SPLIT)
    core = PhoneCore()
    core.reset(task)
    done = core.step(Ask(text="Which one?"))
    assert not done.performed
    assert "nobody answers" in done.note
    assert done.reply == ""


def test_unknown_levels_are_refused(people: Path) -> None:
    with pytest.raises(UsageError, match="a level of instructions"):
        load_tasks(people, split=SPLIT, instructions="vague")
