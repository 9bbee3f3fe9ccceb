"""What a memory recalls for a task of track 2: seen as the agent does, within the budget, and recorded."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from execution_runner.execution_view import EQUATION_2, ExecutionView
from execution_runner.recalled_task import recall_task, record_memory
from fingertip_agents.formats.prompt_wording import make_task_text
from fingertip_agents.memory.event import Event
from fingertip_agents.memory.keeper import MemoryKeeper
from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.tasks.task import ExecutionInput, ExecutionTask, TaskTarget
from fingertip_dataset.times import format_time, parse_time

NOW = parse_time("20250310_200000")
TASK = ExecutionTask(
    input=ExecutionInput(
        task_id="7__20250310_200000", profile=UserProfile(), intent="Set an alarm", app="com.clock", time=NOW,
        scenario="residence", reference=None, language="en",
    ),
    target=TaskTarget(
        task_id="7__20250310_200000", user_id="7", time=NOW.isoformat(), app="com.clock",
        intent="Set an alarm", intent_category=None,
    ),
)  # fmt: skip


def live(*hours: int) -> list[Event]:
    """Episodes of the person, hours after the task if positive."""
    moments = [NOW + timedelta(hours=hour) for hour in sorted(hours)]
    return [
        Event.of_episode(
            Intent(user_id="7", time=format_time(one), scenario="office", app="", text=f"Play {hour}")
        )
        for hour, one in zip(sorted(hours), moments, strict=True)
    ]


def test_what_is_strictly_earlier_is_in_a_section_of_the_prompt() -> None:
    keeper = MemoryKeeper("last-20", events={"7": live(-26, -2, 0, 3)})
    shown = EQUATION_2.show_task(recall_task(keeper, EQUATION_2, TASK).input)
    assert shown.memory.splitlines() == ['03-09 18:00, office, "Play -26"', '03-10 18:00, office, "Play -2"']
    text = make_task_text(shown, None, "en")
    assert f"# What the phone remembers of the owner\n{shown.memory}" in text
    assert "remembers" not in make_task_text(TASK.input, None, "en")


def test_a_hidden_time_is_hidden_from_the_memory() -> None:
    """Of 20 mornings and 20 evenings the latest are shown, or those of such an hour."""
    events = live(*range(-480, 0, 12))
    seen = [
        recall_task(MemoryKeeper("habits", events={"7": events}), view, TASK).input.memory
        for view in (EQUATION_2, ExecutionView(more=("time",)))
    ]
    assert seen[0] != seen[1]
    moved = replace(TASK, input=replace(TASK.input, time=NOW + timedelta(hours=8)))
    keeper = MemoryKeeper("habits", events={"7": events})
    assert recall_task(keeper, EQUATION_2, moved).input.memory == seen[0]


def test_the_record_has_name_settings_and_budget() -> None:
    record = record_memory(MemoryKeeper("last-20", budget=80))
    assert (record.name, record.settings, record.budget) == ("last-20", {"intents": 20}, 80)
    assert record.describe() == "last-20, at most 80 characters"
