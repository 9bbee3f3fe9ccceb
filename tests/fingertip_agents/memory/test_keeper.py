"""The keeper: strictly earlier events alone, the budget to the character, saved memories, failures."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_agents.memory import memory_registry
from fingertip_agents.memory.event import Event
from fingertip_agents.memory.event_memory import EventMemory
from fingertip_agents.memory.keeper import PEOPLE, STATE, MemoryKeeper, Recall
from fingertip_agents.memory.memory import Recollection
from fingertip_agents.memory.memory_registry import MEMORIES
from fingertip_agents.memory.memory_setup import MemorySetup, OtherPerson
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import ModelError, UnknownNameError, UsageError
from fingertip_dataset.tasks.task import ExecutionInput, SuggestionInput
from tests.fingertip_agents.memory.lives import LIVES, START, make_event, make_task

OWN = [name for name, memory in MEMORIES.items() if memory.repeatable]
MARK = "Buy the future"


def show(task: SuggestionInput | ExecutionInput) -> str:
    """All that a task shows."""
    return repr(task)


def people(*events: Event) -> MemorySetup:
    """A setup with another person who wanted these things."""
    other = OtherPerson(
        user_id="8",
        profile=UserProfile(sex="女", age=31),
        language="zh",
        intents=tuple(event.intent for event in events),
    )
    return MemorySetup(read_people=lambda: (other,))


@pytest.mark.parametrize("name", OWN)
@given(life=LIVES, minute=st.integers(0, 40_000), others=LIVES)
def test_nothing_of_the_time_of_the_task_or_later_is_shown(
    name: str, life: list[Event], minute: int, others: list[Event]
) -> None:
    """The same task with and without a future: equal, whatever comes later for anybody."""
    task, moment = make_task(minute), START + timedelta(minutes=minute)
    future = [
        make_event(minute + later, f"{MARK} {later}", kind=kind)
        for later in (0, 1, 5000)
        for kind in ("episode", "never", "not_now")
    ]
    past = [event for event in life if event.time < moment]
    earlier = [event for event in others if event.time < moment and event.kind == "episode"]
    seen = MemoryKeeper(name, people(*earlier), events={"7": past}).recall("7", moment, task)
    later_others = [make_event(minute + later, f"{MARK} {later}", user="8") for later in (0, 1, 5000)]
    keeper = MemoryKeeper(name, people(*earlier, *later_others), events={"7": [*past, *future]})
    # first a later task, so that its memory has been given more
    keeper.recall("7", moment + timedelta(days=30), make_task(minute + 43_200))
    assert keeper.recall("7", moment, task) == seen
    assert MARK not in show(seen)


@pytest.mark.parametrize("name", OWN)
@given(life=LIVES, budget=st.integers(0, 400))
def test_the_budget_is_kept_to_the_character(name: str, life: list[Event], budget: int) -> None:
    recalls: list[Recall] = []
    others = [replace(event.intent, user_id="8") for event in life if event.kind == "episode"]
    setup = people(*(Event.of_episode(intent) for intent in others))
    keeper = MemoryKeeper(name, setup, budget=budget, events={"7": life}, on_recall=recalls.append)
    moment = START + timedelta(days=40)
    shown = keeper.recall("7", moment, make_task(57_600))
    recalled = Recollection(
        intents=shown.previous_intents, text=shown.memory, similar_intents=shown.similar_intents
    )
    assert recalled.size == recalls[0].characters <= budget
    assert recalls[0].events == len(life)
    task = ExecutionInput(
        task_id="7__x",
        profile=UserProfile(),
        intent="Play jazz",
        app="",
        time=None,
        scenario="",
        reference=None,
    )
    assert len(keeper.recall("7", moment, task).memory) <= budget


@pytest.mark.parametrize("name", OWN)
@given(life=LIVES, minutes=st.lists(st.integers(0, 45_000), min_size=1, max_size=4))
def test_a_saved_memory_goes_on_as_one_that_was_never_saved(
    name: str, life: list[Event], minutes: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("memory")
    whole = MemoryKeeper(name, events={"7": life})
    for minute in minutes:
        moment, task = START + timedelta(minutes=minute), make_task(minute)
        keeper = MemoryKeeper(name, events={"7": life}, folder=folder)
        assert keeper.recall("7", moment, task) == whole.recall("7", moment, task)
        keeper.close()


def test_a_memory_of_other_events_is_not_loaded(tmp_path: Path) -> None:
    life = [make_event(minute, f"Play jazz {minute}") for minute in range(5)]
    saved = MemoryKeeper("all", events={"7": life}, folder=tmp_path)
    saved.recall("7", START + timedelta(days=1), make_task(1440))
    saved.close()
    state = json.loads((tmp_path / PEOPLE / "7" / STATE).read_text(encoding="utf-8"))
    assert (state["name"], state["events"]) == ("all", 5)
    other = [make_event(minute, f"Order lunch {minute}") for minute in range(5)]
    keeper = MemoryKeeper("all", events={"7": other}, folder=tmp_path)
    shown = keeper.recall("7", START + timedelta(days=1), make_task(1440))
    assert {intent.text for intent in shown.previous_intents} == {f"Order lunch {one}" for one in range(5)}
    (tmp_path / PEOPLE / "7" / STATE).write_text("{", encoding="utf-8")
    again = MemoryKeeper("all", events={"7": life}, folder=tmp_path)
    assert len(again.recall("7", START + timedelta(days=1), make_task(1440)).previous_intents) == 5


def test_each_person_has_a_memory_of_their_own() -> None:
    keeper = MemoryKeeper("all")
    keeper.observe(make_event(1, "Play jazz"))
    keeper.observe(make_event(2, "Order lunch", user="8"))
    moment, task = START + timedelta(hours=1), make_task(60)
    assert [intent.text for intent in keeper.recall("7", moment, task).previous_intents] == ["Play jazz"]
    assert [intent.text for intent in keeper.recall("8", moment, task).previous_intents] == ["Order lunch"]
    assert keeper.recall("9", moment, task).previous_intents == ()


def test_events_out_of_order_are_refused() -> None:
    keeper = MemoryKeeper("all")
    keeper.observe(make_event(5, "Play jazz"))
    with pytest.raises(
        UsageError, match=r"^events of a person must come in the order .*\(episode 7__20250303_000400\)$"
    ):
        keeper.observe(make_event(4, "Order lunch"))


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Callable[[object], MemoryKeeper]:
    """A keeper whose memory recalls the given value, or raises it."""

    class Broken(EventMemory):
        name = "broken"

        def recall(self, task: SuggestionInput | ExecutionInput, budget: int) -> Recollection:
            if isinstance(value, BaseException):
                raise value
            return value  # type: ignore[return-value]

    value: object = None

    def make(given_value: object) -> MemoryKeeper:
        nonlocal value
        value = given_value
        monkeypatch.setattr("fingertip_agents.memory.keeper.make_memory", lambda name, setup: Broken())
        return MemoryKeeper("broken", budget=10)

    return make


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (ValueError("no\nnotes"), "the memory broken failed: ValueError: no notes (test_keeper.py, line"),
        (SystemExit(0), "the memory broken failed: SystemExit: 0 (test_keeper.py, line"),
        (Recollection(text="x" * 11), "the memory broken recalled 11 characters, more than its budget of 10"),
        ("text", "the memory broken recalled str, not a Recollection"),
        (ModelError("the server is gone"), "the server is gone"),
    ],
)
def test_a_failure_is_one_line(broken: Callable[[object], MemoryKeeper], value: object, problem: str) -> None:
    with pytest.raises(ModelError) as error:
        broken(value).recall("7", START, make_task(0))
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def test_an_unknown_memory_is_refused() -> None:
    with pytest.raises(
        UnknownNameError, match=r"^expected a memory, one of none, last-20, .*did you mean habits"
    ):
        memory_registry.check_memory_name("habbits")


def test_a_memory_that_asks_a_model_needs_one() -> None:
    with pytest.raises(UsageError, match="the memory profile needs a model: give --agent model"):
        MemoryKeeper("profile")
