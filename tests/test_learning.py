"""The learning benchmark's base: its rows are prompts of `suggest`, and it is a checkpoint like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.learning.base_model import IGNORED, BaseOrder, make_base, token_row
from benchmarks.learning.base_rows import chat_prompt, make_rows
from benchmarks.learning.cells import Cell, CellScores
from benchmarks.learning.strangers import FIRST_POPULATION, Month, strangers
from benchmarks.learning.table import gains, table
from benchmarks.learning.tiny_tokenizer import END, make_tokenizer
from fingertip_agents.suggestion_prompt import suggestion_messages
from fingertip_models.local import LocalModel
from fingertip_models.options import ModelOptions


@pytest.fixture(scope="module")
def month() -> Month:
    return next(strangers(1, 1))


def test_a_row_learns_each_earlier_intent_and_the_answer(month: Month) -> None:
    rows = make_rows(1, 8)
    tokenizer = make_tokenizer([row.chat for row in rows.history], rows.system, 600)
    row, at = rows.history[1], 20

    tokens, labels = token_row(tokenizer, row)

    learned = tokenizer.decode([label for label in labels if label != IGNORED])
    texts = [intent.text for intent in month.intents[:at]]
    assert all(text in learned for text in texts)
    assert learned.endswith(month.intents[at].text + END)
    assert all(label in (IGNORED, token) for token, label in zip(tokens, labels, strict=True))
    assert "手机主人" not in learned


def test_the_chat_template_writes_the_rows_prompt(month: Month) -> None:
    messages = suggestion_messages(month.task(12, history=5), "zh")
    tokenizer = make_tokenizer([chat_prompt(messages)], messages[0].text, 600)
    chat = [{"role": message.role, "content": message.text} for message in messages]

    written = tokenizer.apply_chat_template(chat, add_generation_prompt=True, tokenize=False)

    assert written == chat_prompt(messages)
    assert tokenizer(messages[0].text, add_special_tokens=False)["input_ids"][1:] == []


def test_strangers_are_other_people_than_any_sample_has() -> None:
    # `fingertip sample` takes any seed; the benchmark's own is 0
    assert FIRST_POPULATION > 0
    months = list(strangers(2, 2))
    assert len({month.intents for month in months}) == 4


def test_a_base_of_a_few_steps_answers(tmp_path: Path, month: Month) -> None:
    order = BaseOrder(
        steps=3, populations=1, users=2, vocabulary=600, layers=1, hidden=32, heads=1, head_size=16
    )
    make_base(order, tmp_path / "base")

    model = LocalModel(ModelOptions(model=str(tmp_path / "base"), max_tokens=4))
    answer = model.ask(suggestion_messages(month.task(3, history=3), "zh"))
    model.close()

    assert answer.completion_tokens == 4 or answer.finish_reason == "stop"


def test_a_table_has_scores_and_paired_gains() -> None:
    def scored(name: str, *values: float) -> CellScores:
        by_task = dict(zip(("1001__a", "1001__b", "1002__a"), values, strict=True))
        return CellScores(
            Cell(name=name), dict.fromkeys(("Sim_1", "same goal", "same goal and case"), by_task)
        )

    base, better = scored("base", 0.0, 0.5, 0.5), scored("all r4", 0.25, 0.75, 0.75)
    tasks = sorted(base.values["Sim_1"])

    assert "| base | 0.333 [0.250, 0.500] | 33.3 [25.0, 50.0] |" in table([base, better], tasks)
    assert "| all r4 over base | +0.250 [-, -] | +25.0 [-, -] |" in gains([(better, base)], tasks)
