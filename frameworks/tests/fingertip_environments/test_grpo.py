# ruff: noqa: ANN401 - what TRL and torch hand over
"""`python -m fingertip_studies.grpo` in short: rewards by rule, a loss over what the model wrote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from fingertip_dataset.actions import parse_action
from fingertip_environments import PhoneCore, PhoneTools
from fingertip_studies.grpo import (
    UPDATES,
    Shown,
    Taught,
    conversation,
    make_trainer,
    short_tasks,
    taught,
    tokens,
)

pytestmark = [
    pytest.mark.soak,
    pytest.mark.filterwarnings("ignore::FutureWarning"),  # TRL calls what transformers will remove
]
STEPS, GROUP, TASKS = 4, 4, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """A training, the inputs of its losses, and what computes them."""

    trainer: Any
    rewards: list[float]
    losses_of: list[dict[str, Any]]
    compute: Any


@pytest.fixture(scope="module")
def chosen() -> list[Shown]:
    found = short_tasks(TASKS)
    assert len(found) == TASKS
    return found


@pytest.fixture(scope="module")
def student(chosen: list[Shown]) -> Taught:
    found = taught(chosen)
    assert found.loss < 1  # about 6 nats at the start: 400 tokens
    return found


@pytest.fixture(scope="module")
def training(chosen: list[Shown], student: Taught, tmp_path_factory: pytest.TempPathFactory) -> Training:
    tasks = [task for task, _ in chosen]
    trainer = make_trainer(tasks, student, tmp_path_factory.mktemp("grpo"), steps=STEPS, group=GROUP)
    seen: list[dict[str, Any]] = []
    compute = trainer.compute_loss

    def watched(model: Any, inputs: dict[str, Any], *words: Any, **options: Any) -> Any:
        seen.append(inputs)
        return compute(model, inputs, *words, **options)

    trainer.compute_loss = watched
    trainer.train()
    rewards = [line["reward"] for line in trainer.state.log_history if "reward" in line]
    return Training(trainer=trainer, rewards=rewards, losses_of=seen, compute=compute)


def test_the_rewards_are_by_rule(training: Training) -> None:
    phones = training.trainer.environments
    assert (len(training.rewards), len(phones)) == (STEPS // UPDATES, TASKS * GROUP)
    earned = []
    for phone in phones:
        core = PhoneCore(stop_at_goal=True)
        core.reset(phone._core.task)
        done = [core.step(parse_action(action)) for action in phone._core.actions]
        assert all(step.reward == 0 for step in done[:-1])
        earned.append(done[-1].reward if done else 0.0)
    assert earned == [phone.get_reward() for phone in phones]
    assert training.rewards[-1] == pytest.approx(sum(earned) / len(earned))
    assert any(phone._core.actions for phone in phones)  # the model calls tools


def hidden_runs(ids: Any, hidden: Any) -> list[Any]:
    """The ids of each stretch of tokens that the model did not write."""
    ends = [at for at in range(1, len(ids)) if hidden[at] and not hidden[at - 1]]
    return [ids[at:][: (~hidden[at:]).int().argmax() or None] for at in ends]


def test_what_the_model_did_not_write_is_the_phones_answers(training: Training, student: Taught) -> None:
    answers = 0
    for inputs in training.losses_of:
        shown, own = inputs["completion_mask"].bool(), inputs["tool_mask"].bool()
        for ids, is_hidden in zip(inputs["completion_ids"], shown & ~own, strict=True):
            for run in hidden_runs(ids, is_hidden):
                answers += 1
                text = student.tokenizer.decode(run)
                assert text.startswith("\n<|im_start|>user\n<tool_response>\n")
                assert text.endswith("\n</tool_response><|im_end|>\n<|im_start|>assistant\n")
                assert "Screen: " in text or "error" in text or "The episode is over." in text
    assert answers > 0


def test_the_loss_covers_what_the_model_wrote_alone(training: Training) -> None:
    import torch

    for inputs in training.losses_of:
        shown, own = inputs["completion_mask"].bool(), inputs["tool_mask"].bool()
        compared = inputs["ref_per_token_logps"]

        def loss(changed: Any, inputs: dict[str, Any] = inputs, compared: Any = compared) -> float:
            """The loss, with other values of the reference model at some tokens."""
            given = inputs | {"ref_per_token_logps": compared.masked_fill(changed, -9.0)}
            with torch.no_grad():
                return float(training.compute(training.trainer.model, given))

        assert (shown & ~own).any()
        assert loss(shown & ~own) == loss(torch.zeros_like(shown))
        assert loss(shown & own) != loss(torch.zeros_like(shown))


def test_imitation_learns_what_the_assistant_says(chosen: list[Shown], student: Taught) -> None:
    task, labels = chosen[0]
    tools = PhoneTools([task])
    messages = conversation(task, labels, tools)
    assert tools.get_reward() == 1
    ids, own = tokens(student.tokenizer, messages, tools)
    calls = [
        f'<tool_call>\n{{"name": "click", "arguments": {{"label": "{label}"}}}}\n</tool_call>'
        for label in labels
    ]
    head, end = "<think>\n\n</think>\n\n", "<|im_end|>\n"
    decode = student.tokenizer.decode
    assert decode([token for token in own if token >= 0]) == "".join(
        head + call + end for call in [*calls, ""]
    )
    text = decode(ids)
    assert text.count("<tool_response>") == len(labels)
    assert task.intent in text


def test_a_demonstration_ends_at_the_goal_and_shows_what_failed(chosen: list[Shown]) -> None:
    task, labels = chosen[0]
    tools = PhoneTools([task])
    wrong = conversation(task, ["no such label", *labels, "no such label"], tools)
    answers = [message["content"] for message in wrong if message["role"] == "tool"]
    assert answers[0] == str({"error": "nothing on the screen says 'no such label'"})
    assert (len(answers), answers[-1]) == (1 + len(labels), "The episode is over.")
