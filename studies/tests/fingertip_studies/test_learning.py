"""The learning benchmark's base: its rows are prompts of `suggest`, and it is a checkpoint like any other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from execution_runner.execution_log import read_attempts
from execution_runner.run_plan import EXECUTION_COLUMNS, plan_task
from fingertip_agents.registry import make_model_format
from fingertip_agents.suggestion.suggestion_prompt import make_suggestion_messages
from fingertip_dataset import BuiltDataset
from fingertip_models.local import LocalModel
from fingertip_models.options import ModelOptions
from fingertip_studies.learning.learning_cells import Cell, LearnedScores, command, run_folder
from fingertip_studies.learning.strangers import FIRST_POPULATION, StrangerMonth, strangers
from fingertip_studies.learning.table import gains, table
from fingertip_training.dropped_steps import DroppedSteps
from fingertip_training.execution_samples import episode_samples, execution_samples
from fingertip_training.finetune.base_model import check_base
from tests.shared_datasets import simulated_people

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

    from fingertip_studies.learning.execution_rows import ExecutionLessons
    from fingertip_studies.learning.tiny_base import TokenRow


@pytest.fixture(scope="module")
def month() -> StrangerMonth:
    return next(strangers(1, 1))


def test_a_row_learns_each_earlier_intent_and_the_answer(month: StrangerMonth) -> None:
    from fingertip_studies.learning.base_rows import make_rows
    from fingertip_studies.learning.tiny_base import token_row
    from fingertip_studies.learning.tiny_tokenizer import END, make_tokenizer

    rows = make_rows(1, 8)
    tokenizer = make_tokenizer([row.chat for row in rows.history], rows.system, 600)
    row, at = rows.history[1], 20

    learned = _learned(tokenizer, token_row(tokenizer, row.chat, row.learned))

    texts = [intent.text for intent in month.intents[:at]]
    assert all(text in learned for text in texts)
    assert learned.endswith(month.intents[at].text + END)
    assert "手机主人" not in learned


def test_the_chat_template_writes_the_rows_prompt(month: StrangerMonth) -> None:
    from fingertip_studies.learning.tiny_tokenizer import chat_prompt, make_tokenizer

    messages = make_suggestion_messages(month.task(12, history=5), "zh")
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


def test_a_base_of_a_few_steps_answers(tmp_path: Path, month: StrangerMonth) -> None:
    from fingertip_studies.learning.base_rows import SuggestionBase, SuggestionLessons
    from fingertip_studies.learning.tiny_base import make_base

    order = SuggestionBase(
        steps=3, populations=1, users=2, vocabulary=600, layers=1, hidden=32, heads=1, head_size=16
    )
    make_base(order, SuggestionLessons(order), tmp_path / "base")

    model = LocalModel(ModelOptions(model=str(tmp_path / "base"), max_tokens=4))
    answer = model.ask(make_suggestion_messages(month.task(3, history=3), "zh"))
    model.close()

    assert answer.completion_tokens == 4 or answer.finish_reason == "stop"
    assert check_base(str(tmp_path / "base"), with_pictures=False)


def test_rows_of_track_2_are_the_prompts_of_recorded_people(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The same population recorded with pictures, built, and exported."""
    from fingertip_studies.learning.execution_rows import AGENT, LANGUAGE
    from fingertip_studies.learning.stranger_episodes import SIZE, stranger_population

    people = simulated_people(tmp_path_factory, users=2, episodes=3, seed=FIRST_POPULATION, size=SIZE)
    built = BuiltDataset.open(people / "dataset")
    population, format = stranger_population(0, users=2, episodes=3), make_model_format(AGENT)

    for split in built.manifest.splits:
        rows_of_split = built.rows(split, columns=["episode_id", "user_id"])
        episodes = {row["episode_id"]: row["user_id"] for row in rows_of_split}
        exported = list(
            execution_samples(built, split, episodes, DroppedSteps(), format=format, language=LANGUAGE)
        )
        rows = [
            sample
            for episode_id, user in episodes.items()
            for sample in episode_samples(
                population.task(episode_id, "same_user"), user, population.episodes[episode_id].steps,
                DroppedSteps(), format=format, language=LANGUAGE,
            )
        ]  # fmt: skip
        assert rows == exported


@pytest.fixture(scope="module")
def execution_lessons() -> ExecutionLessons:
    from fingertip_studies.learning.execution_rows import ExecutionBase, ExecutionLessons

    order = ExecutionBase(
        steps=1, populations=1, users=2, episodes=8, vocabulary=1500, batch=3, drill_shares=(0.0, 0.0)
    )
    return ExecutionLessons(order, processes=1)


def test_drills_show_the_label_that_is_asked_for_once(execution_lessons: ExecutionLessons) -> None:
    drills = execution_lessons.drills
    for make in (drills.lookup, drills.name_in_task, drills.next_step):
        for _ in range(20):
            row = make()
            answers = [at for at, weight in enumerate(row.weights) if weight == 1.0]
            assert answers
            assert all(row.tokens[: answers[0]].count(row.tokens[at]) == 1 for at in answers[:1])
            drills.grow()


def test_a_step_counts_the_right_tokens_of_answers_alone() -> None:
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    from fingertip_studies.learning.tiny_base import TokenRow, scored

    torch.manual_seed(0)
    model = Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=3, hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=1,
            num_key_value_heads=1, head_dim=8,
        )
    )  # fmt: skip
    texts = [[1, 2, 0, 1, 1, 2], [2, 2, 1], [0, 1, 2, 0]]
    rows = [TokenRow(text, [0.0, *([1.0, 0.1] * 3)[: len(text) - 1]]) for text in texts]
    right = []
    for text in texts:
        chosen = model(torch.tensor([text])).logits[0].argmax(dim=-1).tolist()
        right += [chosen[at - 1] == text[at] for at in range(1, len(text), 2)]

    assert 0 < sum(right) < len(right)
    assert scored(model, rows, pad=0)[1] == pytest.approx(sum(right) / len(right))


def test_teacher_forced_scores_are_the_shares_of_recorded_steps(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    from fingertip_studies.learning.learned_execution import SPLIT, LearnedCell, is_right, score_forced

    dataset, script = simulated_people(tmp_path_factory) / "dataset", tmp_path / "script.json"
    rows = BuiltDataset.open(dataset).rows(SPLIT, columns=EXECUTION_COLUMNS)
    targets = (plan_task(row, "same_user", {}).target for row in rows)
    recorded = {target.task_id: target.golden_actions for target in targets}
    first, *_ = recorded
    # of the first task all steps, of each other the first two and the last
    actions = {
        task: [
            action if task == first or at < 2 or at == len(steps) - 1 else "press_back()"
            for at, action in enumerate(steps)
        ]
        for task, steps in recorded.items()
    }
    script.write_text(json.dumps(actions), encoding="utf-8")
    cell = LearnedCell(name="scripted")
    run = run_folder(cell.row("teacher-forced"), SPLIT, tmp_path)
    command(
        "execute", dataset, "--split", SPLIT, "--agent", "scripted", "--script", script,
        "--device", "teacher-forced", "--out", run,
    )  # fmt: skip

    values = score_forced(cell, tmp_path).values

    assert len(recorded) > 1
    assert values["right steps"] == pytest.approx(
        {task: 1 if task == first else 3 / len(steps) for task, steps in recorded.items()}
    )
    assert values["all steps right"] == {task: float(task == first) for task in recorded}
    step = read_attempts(run)[0].steps[0]
    assert is_right(step)
    # logged as a wait, which is right where the person waited
    assert not is_right(step.model_copy(update={"problem": "no action"}))


def _learned(tokenizer: PreTrainedTokenizerFast, row: TokenRow) -> str:
    """Text of the learned tokens."""
    return str(
        tokenizer.decode([token for token, weight in zip(row.tokens, row.weights, strict=True) if weight])
    )


def test_a_person_is_scored_by_their_own_adapter_and_by_those_of_the_others() -> None:
    from fingertip_studies.learning.own import OWN, STRANGERS, better_for, own_and_strangers

    def scored(user: str, *values: float) -> LearnedScores:
        tasks = ("1__a", "1__b", "2__a", "3__a", "9__a")
        by_task = dict(zip(tasks, values, strict=True))
        return LearnedScores(Cell(name=user), {"Sim_1": by_task, "same goal": by_task})

    adapters = {
        "1": scored("1", 1.0, 0.5, 0.25, 0.0, 0.0),
        "2": scored("2", 0.0, 0.5, 0.75, 0.5, 0.0),
        "3": scored("3", 0.5, 0.5, 0.25, 0.25, 0.0),
    }
    scores = own_and_strangers(adapters)
    own, strangers = (scores[name].values["Sim_1"] for name in (OWN, STRANGERS))

    # the tasks of others than these people do not count
    assert own == {"1__a": 1.0, "1__b": 0.5, "2__a": 0.75, "3__a": 0.25}
    assert strangers == {"1__a": 0.25, "1__b": 0.5, "2__a": 0.25, "3__a": 0.25}
    counted = better_for(scores[OWN], scores[STRANGERS])
    assert counted.startswith("Of 3 people,")
    assert counted.endswith("2 by Sim_1, 2 by same goal.")


def test_people_with_the_most_recorded_episodes_come_first(tmp_path_factory: pytest.TempPathFactory) -> None:
    from fingertip_studies.learning.own import most_recorded

    dataset = simulated_people(tmp_path_factory) / "dataset"
    people, least = most_recorded(dataset)
    users = [row["user_id"] for row in BuiltDataset.open(dataset).rows("train", columns=["user_id"])]
    assert sorted(people) == sorted(set(users))
    counts = [users.count(user) for user in people]
    assert counts == sorted(counts, reverse=True)
    assert least == min(counts)


def test_a_table_has_scores_and_paired_gains() -> None:
    def scored(name: str, *values: float) -> LearnedScores:
        by_task = dict(zip(("1001__a", "1001__b", "1002__a"), values, strict=True))
        return LearnedScores(
            Cell(name=name), dict.fromkeys(("Sim_1", "same goal", "same goal and case"), by_task)
        )

    base, better = scored("base", 0.0, 0.5, 0.5), scored("all r4", 0.25, 0.75, 0.75)
    tasks = sorted(base.values["Sim_1"])

    assert "| base | 0.333 [0.250, 0.500] | 33.3 [25.0, 50.0] |" in table([base, better], tasks)
    assert "| all r4 over base | +0.250 [n/a, n/a] | +25.0 [n/a, n/a] |" in gains([(better, base)], tasks)


def test_the_answer_begins_as_a_line_of_the_history(month: StrangerMonth) -> None:
    from fingertip_studies.learning.tiny_tokenizer import line_prompt, make_tokenizer

    messages = make_suggestion_messages(month.task(12, history=5), "zh")
    tokenizer = make_tokenizer([line_prompt(messages)], messages[0].text, 600, lines=True)
    chat = [{"role": message.role, "content": message.text} for message in messages]
    now, text = month.intents[12], messages[1].text

    written = tokenizer.apply_chat_template(chat, add_generation_prompt=True, tokenize=False)
    answered = tokenizer.apply_chat_template(
        [*chat, {"role": "assistant", "content": now.text}], tokenize=False
    )
    unknown = [chat[0], {"role": "user", "content": text.partition("# 此刻")[0]}]

    assert written == line_prompt(messages)
    assert written.endswith(f'{now.moment:%Y-%m-%d %H:%M:%S} {_day(text)}；{now.scenario}；"')
    assert answered == written + now.text + "<|end|>"
    assert tokenizer.apply_chat_template(unknown, add_generation_prompt=True, tokenize=False).endswith(
        "<|assistant|>"
    )


def _day(prompt: str) -> str:
    """Day of the week of now in a prompt."""
    return prompt.partition("时间：")[2].split(" ")[2]


def test_a_repeated_month_has_few_intents_in_ever_new_words() -> None:
    from fingertip_studies.learning.strangers import FEW, REPEATED, stranger_months

    for planned, *repeated in stranger_months(1, 3, repeated=2, seed=0):
        assert len(repeated) == 2
        for one in repeated:
            assert one.profile == planned.profile
            assert len({intent.text for intent in one.intents}) == len(one.intents) == REPEATED
            known = {(intent.time[9:], intent.scenario, intent.app) for intent in planned.intents}
            few = {(intent.time[9:], intent.scenario, intent.app) for intent in one.intents}
            assert few <= known
            assert len(few) <= max(FEW)
            assert [intent.moment for intent in one.intents] == sorted(
                intent.moment for intent in one.intents
            )
