"""Agents that ask, or not: each reaches exactly what the rule says that it can know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice, product
from typing import Any

import pytest

from execution_runner.devices.in_process_device import begin_in_process
from execution_runner.environments.dialogue_session import DialogueSession
from execution_runner.environments.environment import RuleResult
from execution_runner.environments.simulated import simulation_of
from fingertip_agents.asking_agents import AskAll, AskOracle, HabitElseAsk, NeverAsk
from fingertip_agents.execution_agent import ExecutionAgent, PastStep, ScreenInput
from fingertip_dataset.actions import Ask, Finished, format_action
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import ExecutionInput, ExecutionTask, TaskTarget
from fingertip_runs.instructed_tasks import InstructedTasks
from fingertip_runs.task_answerers import PeopleByRule
from simulated_phone import GoalInstance, Phone
from simulated_phone.apps import list_apps
from simulated_phone.dialogue.asking import (
    is_refusal,
    read_told_values,
    write_consent_question,
    write_questions,
)
from simulated_phone.dialogue.consent import pick_risks
from simulated_phone.dialogue.knowledge import needs_asking
from simulated_phone.dialogue.person_answers import PersonAnswers
from simulated_phone.dialogue.slots import list_slots
from simulated_phone.dialogue.vague_task import describe_tasks, find_task_goal
from simulated_phone.machine.state import BEIJING
from simulated_phone.people.goal_ways import goal_ways
from simulated_phone.people.life import PhoneSetup
from simulated_phone.people.simulation import Simulation

SIZE = (360, 800)
SCREEN = ScreenInput(screenshot=b"", tree=None, size=SIZE, package="")
SEED = 5
AGENTS = (NeverAsk, AskAll, HabitElseAsk, AskOracle)
BEGIN = datetime(2025, 3, 10, 8, 15, tzinfo=BEIJING)
KINDS = ("usual", "unusual", "new")


def make_record(seed: int, locale: str, aim: GoalInstance, day: int) -> dict[str, Any]:
    setup = PhoneSetup(seed=seed, moment=BEGIN + timedelta(days=day), locale=locale)
    return dict(Simulation(setup=setup, goal_instance=aim, size=SIZE).to_json())


def draw_people(number: int) -> Iterator[tuple[str, dict[str, dict[str, Any]]]]:
    """Id of each task, with the setups of its person: a usual, an unusual or a new wish in each language."""
    for at, kind in islice(product(range(number), KINDS), number):
        # a person for each goal: patience, wording and the world of the phone differ
        seed, locale = SEED + at, ("en", "zh")[at % 2]
        goals = [
            (app, goal)
            for app in list_apps(locale)
            for goal in app.goals
            if list_slots(goal, seed) and len(goal.cases(seed)) > 2
        ]
        app, goal = goals[at * 37 % len(goals)]
        first, last = goal.cases(seed)[1], goal.cases(seed)[-1]
        past = () if kind == "new" else (first,) * 3
        wanted = first if kind == "usual" else last
        aims = [GoalInstance(package=app.package, goal=goal.name, arguments=case) for case in (*past, wanted)]
        records = {
            f"{kind}{at}__{day:02}": make_record(seed, locale, aim, day) for day, aim in enumerate(aims)
        }
        yield f"{kind}{at}__{len(past):02}", records


@dataclass(frozen=True)
class Drawn:
    tasks: tuple[ExecutionTask, ...]
    simulations: Mapping[str, Mapping[str, Any]]
    instructed: InstructedTasks


def make_task(task_id: str, intent: str, locale: str, *, can_ask: bool = True) -> ExecutionTask:
    shown = ExecutionInput(
        task_id=task_id, profile=UserProfile(), intent=intent, app="", time=None, scenario="", reference=None,
        language=locale, can_ask=can_ask,
    )  # fmt: skip
    target = TaskTarget(task_id=task_id, user_id="1", app="", intent=intent, intent_category=None)
    return ExecutionTask(input=shown, target=target)


@pytest.fixture(
    scope="module", params=[30, pytest.param(300, marks=pytest.mark.install)], ids="{} tasks".format
)
def drawn(request: pytest.FixtureRequest) -> Drawn:
    """Tasks of goals in two languages, each wanted as usual, otherwise than usual, and for the first time."""
    people = list(draw_people(request.param))
    simulations = {key: record for _, records in people for key, record in records.items()}
    described = describe_tasks(simulations, "no_arguments", {task_id: ("", ()) for task_id, _ in people})
    instructed = InstructedTasks(level="no_arguments", answered_by="simulated", tasks=described)
    tasks = [
        make_task(task_id, described[task_id].text, simulations[task_id].get("locale", "zh"))
        for task_id, _ in people
    ]
    return Drawn(tuple(tasks), simulations, instructed)


def carry_out(
    agent: ExecutionAgent, task: ExecutionTask, simulation: Simulation, instructed: InstructedTasks
) -> RuleResult:
    """An attempt without pictures, which these agents do not look at."""
    inner = begin_in_process(simulation, Phone(size=simulation.size))
    session = DialogueSession(inner, inner.do, PeopleByRule(tasks=instructed)(task, simulation), simulation)
    past: list[PastStep] = []
    shown = task.input
    for _ in range(60):
        (action,) = agent.act(shown, SCREEN, past).actions
        done = session.step(action)
        text = format_action(action)
        past.append(PastStep(action=action, written=text, output=text, thought="", screenshot=b""))
        if isinstance(action, Ask):
            assert done.reply is not None
            shown = replace(shown, dialogue=(*shown.dialogue, (action.text, done.reply.text)))
        if done.end is not None or isinstance(action, Finished):
            break
    return session.evaluate()


def carry_out_all(agent: ExecutionAgent, drawn: Drawn, *, can_ask: bool = True) -> dict[str, RuleResult]:
    return {
        task.task_id: carry_out(
            agent,
            replace(task, input=replace(task.input, can_ask=can_ask)),
            simulation_of(drawn.simulations, task.task_id),
            drawn.instructed,
        )
        for task in drawn.tasks
    }


def list_needing_asking(drawn: Drawn) -> set[str]:
    return {
        task.task_id for task in drawn.tasks if needs_asking(drawn.instructed.tasks[task.task_id].sources)
    }


def list_questions(drawn: Drawn) -> set[str]:
    """Tasks that ask a question: two things asked about may have the same answer."""
    simulations = {task.task_id: simulation_of(drawn.simulations, task.task_id) for task in drawn.tasks}
    return {task_id for task_id, one in simulations.items() if find_task_goal(one)[1].question is not None}


def list_risky(drawn: Drawn) -> set[str]:
    return {
        task.task_id
        for task in drawn.tasks
        if any(map(pick_risks, goal_ways(simulation_of(drawn.simulations, task.task_id)).ways))
    }


def test_who_never_asks_fails_exactly_what_only_asking_tells(drawn: Drawn) -> None:
    found = carry_out_all(NeverAsk(drawn.simulations), drawn)
    needs = list_needing_asking(drawn)
    failed = {task_id for task_id, result in found.items() if not result.success}
    assert needs - list_questions(drawn) <= failed <= needs
    assert {task_id.rstrip("0123456789_") for task_id in needs} == {"unusual", "new"}
    records = {task_id: result.dialogue for task_id, result in found.items()}
    assert {task_id for task_id, record in records.items() if record and record.unasked} == list_risky(drawn)
    assert all(
        record and record.questions == record.agreed == record.after_no == 0 for record in records.values()
    )


@pytest.mark.parametrize("agent", [AskAll, AskOracle], ids=lambda agent: agent.name)
def test_who_asks_for_what_is_not_known_does_every_task(
    agent: type[AskAll | AskOracle], drawn: Drawn
) -> None:
    found = carry_out_all(agent(drawn.simulations), drawn)
    assert [task_id for task_id, result in found.items() if not result.success] == []
    records = {task_id: result.dialogue for task_id, result in found.items() if result.dialogue}
    assert all(record.not_understood == 0 and not record.unasked for record in records.values())
    assert {task_id for task_id, record in records.items() if record.agreed} == list_risky(drawn)
    needless = {task_id for task_id, record in records.items() if record.needless}
    usual = {task.task_id for task in drawn.tasks if task.task_id.startswith("usual")}
    assert (needless >= usual) if agent is AskAll else not needless


def test_who_trusts_habits_fails_only_where_somebody_wants_something_else(drawn: Drawn) -> None:
    found = carry_out_all(HabitElseAsk(drawn.simulations), drawn)
    failed = {task_id for task_id, result in found.items() if not result.success}
    unusual = {task.task_id for task in drawn.tasks if task.task_id.startswith("unusual")}
    assert unusual - list_questions(drawn) <= failed <= unusual
    # who is asked for consent with the wrong arguments says no, and nothing is done
    assert all(result.dialogue and not result.dialogue.unasked for result in found.values())


def test_without_somebody_who_answers_nobody_asks(drawn: Drawn) -> None:
    alone = carry_out_all(AskAll(drawn.simulations), drawn, can_ask=False)
    never = carry_out_all(NeverAsk(drawn.simulations), drawn)
    assert [result.success for result in alone.values()] == [result.success for result in never.values()]
    assert not any(result.dialogue and result.dialogue.questions for result in alone.values())


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_real_phones_and_unknown_tasks_are_refused(agent: type[NeverAsk]) -> None:
    with pytest.raises(UsageError, match=f"the agent {agent.name} needs tasks on simulated phones"):
        agent({})
    ((_, records),) = draw_people(1)
    task = make_task("nobody__1", "", "en")
    with pytest.raises(UsageError, match="does not say how its simulated phone was set up"):
        agent(records).act(task.input, SCREEN, ())


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_every_slot_is_asked_for_in_words_that_people_understand(locale: str) -> None:
    for app in list_apps(locale):
        for goal in app.goals:
            slots, cases = list_slots(goal, SEED), goal.cases(SEED)
            names = tuple(slot.name for slot in slots)
            case = cases[len(cases) // 2]
            person = PersonAnswers(
                goal=goal,
                case=case,
                sources=dict.fromkeys(names, "ask"),
                locale=locale,
                seed=SEED,
                patience=99,
            )
            heard: dict[str, tuple[object, ...]] = {}
            for question in write_questions(names, names, locale) if names else ():
                reply = person.answer(question.text)
                wanted = [slot for name in question.slots for slot in slots if slot.name == name]
                heard |= read_told_values(goal, wanted, reply.text, seed=SEED, locale=locale)
            assert heard == {slot.name: slot.value(case) for slot in slots}, (app.english, goal.name)
            consent = person.answer(write_consent_question(slots, case, locale))
            assert consent.kind == "yes", (app.english, goal.name, consent)
            assert not is_refusal(consent.text, locale)
            other = next((one for one in cases if one != case), None)
            if other is not None and slots:
                refused = person.answer(write_consent_question(slots, other, locale))
                assert refused.kind == "no", (app.english, goal.name, refused)
                assert is_refusal(refused.text, locale)


def test_values_are_read_in_the_order_of_the_question_and_not_within_longer_ones() -> None:
    goal = next(app for app in list_apps("en") if app.english == "Contacts").goal("share_card")
    slots = list_slots(goal, SEED)
    case = goal.cases(SEED)[0]
    reply = ", ".join(str(case[slot.name]) for slot in slots)
    found = read_told_values(goal, slots, reply, seed=SEED, locale="en")
    assert found == {slot.name: slot.value(case) for slot in slots}
    longer = f"{case['contact']}ville and {case['friend']}son"
    assert read_told_values(goal, slots, longer, seed=SEED, locale="en") == {}
