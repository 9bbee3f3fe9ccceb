"""How far TRL's GRPO raises the reward of a tiny model on simulated phones.

A language model of two layers first learns from demonstrations of which most touches are right, so that it
calls tools and sometimes succeeds. Then GRPO trains it on phones, with the goal's rule as the only reward.
"""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fingertip_dataset.actions import Click, parse_action
from fingertip_environments import PhoneTask, PhoneTools, live_tasks, phone_tools, prompt_rows
from fingertip_environments.trl_attempt import OVER

TASKS, GROUP, STEPS, IMITATION = 4, 16, 48, 150
PEOPLE = 90
"""People whose tasks are searched for short ones."""
PARTS = 6
"""Parts of the training whose mean rewards are printed."""
RIGHT = 0.7
"""Share of the touches of a demonstration that are the right ones."""
DEMONSTRATIONS = 60
"""Demonstrations a task."""
UPDATES = 2
"""Steps of the optimizer on each batch of episodes."""
CALLS = 3
"""Tool calls that a model may make in an episode."""
MARKS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
FRAME = (
    *("assistant\n", "user\n", "<think>\n\n</think>\n\n", "\n<tool_response>\n", "\n</tool_response>"),
    *('<tool_call>\n{"name": "click", "arguments": {"label": "', '"}}\n</tool_call>'),
    *("Screen: ", " / ", OVER, "{'error': \"nothing on the screen says '", "'\"}"),
    *("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>"),
)
"""What each conversation repeats; a token each, which makes conversations short."""

Shown = tuple[PhoneTask, list[str]]
"""A task and the labels whose touches carry it out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taught:
    """A model that has learned from demonstrations.

    Attributes:
        model: The model.
        tokenizer: Its tokenizer.
        loss: The last loss on demonstrations, nats a token of the assistant.
    """

    model: Any
    tokenizer: Any
    loss: float


def tap(task: PhoneTask) -> list[str]:
    """The labels that the person touched; empty if the person did anything else."""
    actions = [parse_action(action) for action in task.task.target.golden_actions[:-1]]
    if not all(isinstance(action, Click) and action.content for action in actions):
        return []
    return [action.content for action in actions if isinstance(action, Click) and action.content]


def carry_out(task: PhoneTask, labels: Sequence[str]) -> bool:
    """Whether touches of these labels, and nothing else, reach the goal."""
    tools = PhoneTools([task])
    tools.reset(task_id=task.task_id)
    try:
        for label in labels:
            tools.click(label)
    except ValueError:  # the label names another element
        return False
    return tools.get_reward() == 1


def short_tasks(count: int = TASKS) -> list[Shown]:
    """Tasks of some people that at most three touches by label carry out, each by other touches."""
    found: dict[tuple[str, ...], Shown] = {}
    for number in range(PEOPLE):
        for task in live_tasks(first=number, people=1, episodes=20, size=(360, 800)):
            labels = tap(task)
            if 1 <= len(labels) <= CALLS and tuple(labels) not in found and carry_out(task, labels):
                found[tuple(labels)] = task, labels
                if len(found) == count:
                    return list(found.values())
    raise SystemExit(f"expected {count} tasks of at most {CALLS} touches, got {len(found)}: raise PEOPLE")


def conversation(task: PhoneTask, labels: Sequence[str], tools: PhoneTools) -> list[dict[str, Any]]:
    """A demonstration as messages: the screen, a touch, the next screen, ..."""
    screen = tools.reset(task_id=task.task_id)
    messages: list[dict[str, Any]] = [{"role": "user", "content": task.intent + screen}]
    for label in labels:
        call = {"type": "function", "function": {"name": "click", "arguments": {"label": label}}}
        messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
        try:
            answer = tools.click(label)
        except ValueError as error:
            answer = str({"error": str(error)})
        messages.append({"role": "tool", "name": "click", "content": answer})
        if tools.get_reward():
            break
    messages.append({"role": "assistant", "content": ""})
    return messages


def tool_methods(tools: PhoneTools) -> list[Any]:
    """The tools as TRL finds them."""
    names = [name for name in dir(tools) if not name.startswith("_") and name not in ("reset", "get_reward")]
    return [getattr(tools, name) for name in names]


def tiny_tokenizer(words: Sequence[str], tools: PhoneTools) -> Any:  # noqa: ANN401 - transformers is late
    """A tokenizer of bytes; labels, intents, the frame, and the description of the tools are tokens."""
    import trl
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = {letter: place for place, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    made = Tokenizer(models.BPE(vocab=letters, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([AddedToken(mark, special=True) for mark in MARKS])
    template = Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja"
    found = PreTrainedTokenizerFast(
        tokenizer_object=made,
        eos_token=MARKS[2],
        pad_token=MARKS[0],
        padding_side="left",
        chat_template=template.read_text(encoding="utf-8"),
    )
    text = found.apply_chat_template(
        [{"role": "user", "content": ""}], tools=tool_methods(tools), tokenize=False
    )
    described = text[text.index("# Tools") : text.index(MARKS[2])]
    found.add_tokens([AddedToken(word, normalized=False) for word in (described, *FRAME, *words)])
    return found


def tiny_model(tokenizer: Any) -> Any:  # noqa: ANN401 - transformers is imported late
    """A Qwen3 of two layers with random weights."""
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    torch.manual_seed(0)
    return Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=len(tokenizer),
            hidden_size=64,
            intermediate_size=128,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=4,
            head_dim=16,
            max_position_embeddings=4096,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    )


def tokens(
    tokenizer: Any,  # noqa: ANN401 - transformers is imported late
    messages: Sequence[dict[str, Any]],
    tools: PhoneTools,
) -> tuple[list[int], list[int]]:
    """A demonstration in the template that TRL trains with.

    Returns:
        The ids of the tokens, and of each the id where the assistant wrote it, else -100.
    """
    from trl.chat_template_utils import get_training_chat_template

    found = tokenizer.apply_chat_template(
        list(messages),
        tools=tool_methods(tools),
        chat_template=get_training_chat_template(tokenizer),
        return_dict=True,
        return_assistant_tokens_mask=True,
    )
    ids = list(found["input_ids"])
    return ids, [own if mine else -100 for own, mine in zip(ids, found["assistant_masks"], strict=True)]


def imitate(
    model: Any,  # noqa: ANN401 - torch is imported late
    shown: Sequence[tuple[list[int], list[int]]],
    steps: int,
) -> float:
    """Train on demonstrations, on the assistant's tokens alone; returns the last loss."""
    import torch
    from torch.nn.utils.rnn import pad_sequence

    rng = random.Random(0)  # noqa: S311 - demonstrations, not a secret
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    loss = 0.0
    for _ in range(steps):
        batch = rng.sample(list(shown), 8)
        ids = pad_sequence([torch.tensor(own) for own, _ in batch], batch_first=True)
        labels = pad_sequence([torch.tensor(own) for _, own in batch], batch_first=True, padding_value=-100)
        # padding is on the right, where causal attention does not see it
        result = model(input_ids=ids, labels=labels)
        optimizer.zero_grad()
        result.loss.backward()
        optimizer.step()
        loss = result.loss.item()
    return float(loss)


def taught(chosen: Sequence[Shown], steps: int = IMITATION) -> Taught:
    """A tiny model that has learned from demonstrations of these tasks."""
    tools = PhoneTools([task for task, _ in chosen])
    words = list(dict.fromkeys(label for _, labels in chosen for label in labels))
    seen = [
        label
        for task, own in chosen
        for message in conversation(task, own, tools)
        for label in message["content"].partition("Screen: ")[2].split(" / ")
    ]
    known = list(dict.fromkeys([*words, *filter(None, seen), *(task.intent for task, _ in chosen)]))
    tokenizer, rng = tiny_tokenizer(known, tools), random.Random(0)  # noqa: S311 - demonstrations
    shown = [
        tokens(
            tokenizer,
            conversation(
                task, [label if rng.random() < RIGHT else rng.choice(words) for label in labels], tools
            ),
            tools,
        )
        for task, labels in chosen
        for _ in range(DEMONSTRATIONS)
    ]
    model = tiny_model(tokenizer)
    return Taught(model=model, tokenizer=tokenizer, loss=imitate(model, shown, steps))


def make_trainer(
    tasks: Sequence[PhoneTask], student: Taught, folder: Path, *, steps: int = STEPS, group: int = GROUP
) -> Any:  # noqa: ANN401 - trl is imported late
    """A GRPOTrainer of the student on phones with these tasks: in each step a group of episodes a task.

    The student is saved under the folder, from where the trainer takes it, and its reference model too.
    """
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    start = folder / "student"
    student.model.save_pretrained(start)
    settings = GRPOConfig(
        output_dir=str(folder / "training"),
        max_steps=steps,
        per_device_train_batch_size=len(tasks) * group,
        num_generations=group,
        max_completion_length=400,
        max_tool_calling_iterations=CALLS,
        learning_rate=1e-3,
        beta=0.02,
        num_iterations=UPDATES,
        lr_scheduler_type="constant",
        use_cpu=True,
        bf16=False,
        gradient_checkpointing=False,
        report_to="none",
        save_strategy="no",
        logging_steps=1,
        disable_tqdm=True,
        seed=0,
    )
    return GRPOTrainer(
        model=str(start),
        args=settings,
        train_dataset=Dataset.from_list(prompt_rows(tasks)),
        processing_class=student.tokenizer,
        environment_factory=phone_tools(tasks),
    )


def rewards_of_training(trainer: Any) -> list[float]:  # noqa: ANN401 - trl is imported late
    """Trains; returns the mean reward of each batch of episodes."""
    trainer.train()
    return [float(line["reward"]) for line in trainer.state.log_history if "reward" in line]


def main() -> None:
    """Prints the mean reward of each sixth of the training, and the ratio of the last to the first."""
    import torch

    torch.set_num_threads(1)
    began = time.process_time()
    chosen = short_tasks()
    student = taught(chosen)
    print(f"loss of imitation {student.loss:.3f}; {time.process_time() - began:.0f} s of CPU", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        rewards = rewards_of_training(make_trainer([task for task, _ in chosen], student, Path(folder)))
    part = max(1, len(rewards) // PARTS)
    means = [statistics.fmean(rewards[start : start + part]) for start in range(0, len(rewards), part)]
    print("mean reward by sixths:", " ".join(f"{mean:.2f}" for mean in means))
    print(
        f"last to first: {means[-1] / max(means[0], 0.01):.1f} x; {time.process_time() - began:.0f} s of CPU"
    )


if __name__ == "__main__":
    main()
