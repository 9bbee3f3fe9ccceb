"""The profile that a model revises: one request a day, what it is asked, and that no request is repeated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from fingertip_agents.memory.keeper import MemoryKeeper
from fingertip_agents.memory.memory_files import MemoryFiles, read_memory_use
from fingertip_agents.memory.memory_setup import MemorySetup
from fingertip_dataset.errors import EndpointError, ModelError
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_models.chat.chat_answer import ModelAnswer
from fingertip_models.messages import Message
from fingertip_models.options import ModelOptions
from fingertip_models.prices import Prices
from tests.fingertip_agents.memory.lives import START, make_event, make_task

DAY = 24 * 60


class Scribe:
    """A model that answers with the lines that it is told, and keeps the requests."""

    options = ModelOptions(model="scribe", language="en")

    def __init__(self, *answers: str | Exception) -> None:
        self.asked: list[str] = []
        self._answers = answers

    def settings(self) -> Mapping[str, object]:
        return {"model": "scribe", "base_url": "http://localhost:1/v1"}

    def ask(self, messages: Sequence[Message]) -> ModelAnswer:
        self.asked.append(messages[1].text)
        answer = self._answers[min(len(self.asked), len(self._answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return ModelAnswer(
            text=answer, reasoning="", seconds=2.0, prompt_tokens=100, completion_tokens=10, model="scribe",
            attempts=1, finish_reason="stop",
        )  # fmt: skip

    async def ask_async(self, messages: Sequence[Message]) -> ModelAnswer:
        return self.ask(messages)

    def close(self) -> None:
        """Do nothing."""


def open_profile(model: Scribe, folder: Path, *, budget: int = 2000) -> tuple[MemoryKeeper, MemoryFiles]:
    files = MemoryFiles(folder)
    events = [
        make_event(8 * 60, "Play jazz"),
        make_event(20 * 60, "Order lunch\n# Rules"),
        make_event(DAY + 8 * 60, "Play jazz", kind="never"),
        make_event(3 * DAY + 8 * 60, "Set an alarm"),
    ]
    keeper = MemoryKeeper(
        "profile", MemorySetup(model=model, notebook=files), budget=budget, events={"7": events},
        on_recall=files.note_recall, on_close=files.close, find_language=lambda user: "en",
    )  # fmt: skip
    return keeper, files


def recall(keeper: MemoryKeeper, minute: int) -> SuggestionInput:
    return keeper.recall("7", START + timedelta(minutes=minute), make_task(minute, language="en"))


def test_each_past_day_is_one_request_with_the_notes_so_far(tmp_path: Path) -> None:
    model = Scribe("Notes:\nPlays jazz at 8\n\n", "Never wants jazz", "Sets alarms")
    keeper, _ = open_profile(model, tmp_path)
    assert recall(keeper, 21 * 60).memory == ""
    shown = recall(keeper, 3 * DAY + 9 * 60)
    assert (shown.memory, len(model.asked)) == ("Never wants jazz", 2)
    assert [intent.text for intent in shown.previous_intents][-1] == "Set an alarm"
    first, second = model.asked
    assert first.splitlines() == [
        "# The notes so far",
        "None yet.",
        "# New records (2025-03-03, oldest first)",
        '03-03 08:00, 住所, "Play jazz"',
        '03-03 20:00, 住所, "Order lunch # Rules"',
        "",
        "What are the revised notes?",
    ]
    assert second.splitlines()[:2] == ["# The notes so far", "Plays jazz at 8"]
    assert 'said "never" to "Play jazz"' in second
    assert recall(keeper, 9 * DAY).memory == "Sets alarms"


def test_no_request_is_repeated_by_the_next_call_and_its_cost_is_counted_apart(tmp_path: Path) -> None:
    model = Scribe("Plays jazz", "Never wants jazz")
    keeper, _ = open_profile(model, tmp_path)
    shown = recall(keeper, 3 * DAY)
    keeper.close()
    silent = Scribe(ModelError("must not be asked"))
    again, _ = open_profile(silent, tmp_path)
    assert recall(again, 3 * DAY) == shown
    again.close()
    assert silent.asked == []
    use = read_memory_use(tmp_path)
    assert use is not None
    assert (use.recalls, use.calls, use.model_seconds) == (1, 2, 4.0)
    assert (use.prompt_tokens, use.completion_tokens) == (200, 20)
    prices = Prices(prompt=1, completion=2, currency="CNY")
    assert use.cost(prices) == pytest.approx(240 / 1_000_000)
    assert use.describe(prices).endswith("it asked its model 2 times: 4 s, 220 tokens, cost 0.0002 CNY")


def test_an_answer_without_text_keeps_the_notes_and_a_dead_server_stops(tmp_path: Path) -> None:
    keeper, _ = open_profile(Scribe("Plays jazz", "", ModelError("too long")), tmp_path / "a")
    assert recall(keeper, 9 * DAY).memory == "Plays jazz"
    keeper, _ = open_profile(Scribe("Plays jazz", EndpointError("the server is gone")), tmp_path / "b")
    with pytest.raises(EndpointError, match="the server is gone"):
        recall(keeper, 9 * DAY)


def test_a_long_answer_is_cut_and_the_budget_holds(tmp_path: Path) -> None:
    model = Scribe("<think>well</think>" + "\n".join(f"Habit number {number}" for number in range(200)))
    keeper, _ = open_profile(model, tmp_path, budget=40)
    assert recall(keeper, 2 * DAY).memory == "Habit number 0\nHabit number 1"
    keeper, _ = open_profile(Scribe("x" * 5000), tmp_path / "b", budget=40)
    assert recall(keeper, 2 * DAY).memory == "x" * 40


def test_where_the_model_runs_is_no_setting(tmp_path: Path) -> None:
    keeper, _ = open_profile(Scribe("x"), tmp_path)
    assert (keeper.settings["model"], "base_url" in keeper.settings) == ("scribe", False)
