"""How far TRL's GRPO raises the reward of a tiny model that sees: screens as pictures, answers with points.

A vision model of random weights (two layers, Qwen2.5-VL's architecture) first learns from demonstrations of
which some touches are right. Then GRPO trains a LoRA adapter of its language part on simulated phones, with
the goal's rule and shaped progress as the reward. Seeds change demonstrations, weights of the adapter, and
sampling. The tasks are of one or two touches; the same ones are trained and measured.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fingertip_dataset.actions import Click, parse_action
from fingertip_environments import (
    PhoneCore,
    PhoneTask,
    ScreenPictures,
    live_tasks,
    phone_tools,
    progress_reward,
    prompt_rows,
)
from fingertip_environments.picture_tools import PictureTools, write_answer
from fingertip_studies.grpo_pictures import make_trainer

SIZE, FORMAT, PIXELS = (360, 800), "qwen2.5-vl", 24 * 28 * 28
"""Screen, px; the model's format, whose points are px of its picture; pixels of a picture."""
TASKS, GROUP, STEPS, SEEDS = 4, 16, 30, 3
TOUCHES, SCREENS, TOKENS = 2, 3, 120
"""Most touches of a task; most screens and tokens of an attempt."""
DEMONSTRATIONS, IMITATION, RIGHT = 40, 200, 0.6
"""Demonstrations a task, steps of imitation, and the share of touches that are right."""
PEOPLE = 60
"""People whose tasks are searched for short ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """A model and how it sees."""

    model: Any
    screens: ScreenPictures


def find_touches(task: PhoneTask) -> list[Click]:
    """The person's touches; empty if the person did anything else, or too much."""
    actions = [parse_action(action) for action in task.task.target.golden_actions[:-1]]
    touches = [action for action in actions if isinstance(action, Click)]
    return touches if len(touches) == len(actions) <= TOUCHES else []


def choose_tasks() -> list[PhoneTask]:
    """Short tasks of some people, each with other touches, which reach the goal in the model's pixels."""
    found: dict[tuple[str | None, ...], PhoneTask] = {}
    blind = ScreenPictures(format=FORMAT, processor=None, max_completion_length=1, max_pixels=PIXELS)
    for number in range(PEOPLE):
        for task in live_tasks(first=number, people=1, episodes=20, size=SIZE):
            touches = find_touches(task)
            label = tuple(touch.content for touch in touches)
            if touches and label not in found and record(task, touches, blind)[1] == 1:
                found[label] = task
                if len(found) == TASKS:
                    return list(found.values())
    raise SystemExit(f"expected {TASKS} tasks of at most {TOUCHES} touches, got {len(found)}: raise PEOPLE")


def record(
    task: PhoneTask, touches: Sequence[Click], screens: ScreenPictures
) -> tuple[list[dict[str, Any]], float]:
    """The conversation of these touches, and what they earn."""
    tools = PictureTools([task], PhoneCore(stop_at_goal=True), screens)
    (row,) = prompt_rows([task], screens=screens)
    messages = [*row["prompt"][:-1], {"role": "user", "content": tools.reset(task_id=task.task_id)}]
    for touch in touches:
        written = write_answer(tools, touch) or ""
        messages.append(make_answer(written))
        shown = tools.act(written)
        if isinstance(shown, str):
            break
        messages.append({"role": "user", "content": shown})
    if messages[-1]["role"] == "user":
        messages.pop()
    return messages, tools.get_reward() or 0.0


def make_answer(text: str) -> dict[str, Any]:
    """A message of the assistant."""
    return {"role": "assistant", "content": [{"type": "text", "text": text}]}


def make_learner(folder: Path, tasks: Sequence[PhoneTask]) -> Learner:
    """A model of random weights whose tokenizer has a token for each repeated text."""
    from tokenizers import AddedToken
    from transformers import AutoModelForImageTextToText, AutoProcessor

    from tests.tiny_models import write_model

    write_model("qwen2_5_vl", folder)
    processor = AutoProcessor.from_pretrained(folder, trust_remote_code=True)
    screens = ScreenPictures(
        format=FORMAT, processor=processor, most=SCREENS, max_completion_length=TOKENS, max_pixels=PIXELS
    )
    texts = {"assistant\n": None, "user\n": None, "system\n": None}
    for task in tasks:
        messages, _ = record(task, find_touches(task), screens)
        for message in messages:
            for text in (part["text"] for part in message["content"] if part["type"] == "text"):
                pieces = re.split(r"\d", text) if message["role"] == "assistant" else [text]
                texts |= dict.fromkeys(piece for piece in pieces if len(piece) > 1)
    processor.tokenizer.add_tokens([AddedToken(text, normalized=False) for text in texts])
    model = AutoModelForImageTextToText.from_pretrained(folder)
    model.resize_token_embeddings(len(processor.tokenizer), mean_resizing=False)
    return Learner(model=model, screens=screens)


def list_demonstrations(
    tasks: Sequence[PhoneTask], learner: Learner, rng: random.Random
) -> list[list[dict[str, Any]]]:
    """Conversations in which some touches are beside their element, each until its end."""
    found = []
    for task in tasks:
        for _ in range(DEMONSTRATIONS):
            touches = [
                touch if rng.random() < RIGHT else Click(x=rng.randrange(SIZE[0]), y=rng.randrange(SIZE[1]))
                for touch in find_touches(task)
            ]
            found.append(record(task, touches, learner.screens)[0])
    return found


def make_batch(learner: Learner, conversations: Sequence[list[dict[str, Any]]]) -> dict[str, Any]:
    """Inputs of the model, with the assistant's tokens as labels."""
    processor = learner.screens.processor
    texts = [processor.apply_chat_template(one, tokenize=False) for one in conversations]
    pictures = [
        [part["image"] for message in one for part in message["content"] if part["type"] == "image"]
        for one in conversations
    ]
    found = dict(
        processor(text=texts, images=pictures, padding=True, padding_side="right", return_tensors="pt")
    )
    words = processor.tokenizer
    begin, end = words.convert_tokens_to_ids(["assistant\n", "<|im_end|>"])
    labels = found["input_ids"].clone()
    for row in labels:
        own = False
        for place, token in enumerate(row.tolist()):
            row[place] = token if own else -100
            own = token == begin or (own and token != end)
    return {**found, "labels": labels}


def imitate(learner: Learner, conversations: Sequence[list[dict[str, Any]]], rng: random.Random) -> float:
    """Train on the assistant's tokens; returns the last loss, nats a token."""
    import torch

    optimizer = torch.optim.AdamW(learner.model.parameters(), lr=3e-3)
    learner.model.train()
    loss = 0.0
    for _ in range(IMITATION):
        result = learner.model(**make_batch(learner, rng.sample(conversations, 8)))
        optimizer.zero_grad()
        result.loss.backward()
        optimizer.step()
        loss = float(result.loss.item())
    return loss


def train(tasks: Sequence[PhoneTask], learner: Learner, folder: Path, seed: int, steps: int) -> list[float]:
    """Train by GRPO; returns the mean reward of each batch of attempts."""
    from transformers import PrinterCallback

    learner.model.save_pretrained(folder / "start")
    settings = {
        "max_steps": steps, "per_device_train_batch_size": TASKS * GROUP, "num_generations": GROUP,
        "learning_rate": 1e-3, "beta": 0.0, "lr_scheduler_type": "constant",
        "use_cpu": True, "bf16": False, "report_to": "none", "save_strategy": "no", "logging_steps": 1,
        "disable_tqdm": True, "seed": seed,
    }  # fmt: skip
    trainer = make_trainer(
        str(folder / "start"),
        tasks,
        learner.screens,
        progress_reward(),
        rank=16,
        out=folder / "training",
        grpo=settings,
    )
    trainer.remove_callback(PrinterCallback)
    trainer.train()
    return [float(line["reward"]) for line in trainer.state.log_history if "reward" in line]


def run_seed(tasks: Sequence[PhoneTask], seed: int, steps: int) -> tuple[float, float]:
    """Train with a seed; returns the mean rewards of the first and the last third of the steps."""
    began, rng = time.process_time(), random.Random(seed)  # noqa: S311 - demonstrations, not a secret
    with tempfile.TemporaryDirectory() as name:
        learner = make_learner(Path(name) / "base", tasks)
        phone_tools(tasks, screens=learner.screens)  # sets the processor up
        loss = imitate(learner, list_demonstrations(tasks, learner, rng), rng)
        taught = time.process_time() - began
        rewards = train(tasks, learner, Path(name), seed, steps)
    third = max(1, len(rewards) // 3)
    first, last = statistics.fmean(rewards[:third]), statistics.fmean(rewards[-third:])
    print(
        f"seed {seed}: mean reward of the first third {first:.2f}, of the last third {last:.2f}; loss of "
        f"imitation {loss:.2f}; {time.process_time() - began:.0f} s of CPU, {taught:.0f} s of it imitation",
        flush=True,
    )
    return first, last


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the rewards of each seed, and fails if one did not rise."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.grpo_pictures", description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--steps", type=int, default=STEPS)
    given = parser.parse_args(argv)
    import torch

    torch.set_num_threads(1)
    tasks = choose_tasks()
    print(f"{len(tasks)} tasks: {', '.join(task.task.target.intent for task in tasks)}", flush=True)
    ends = [run_seed(tasks, seed, given.steps) for seed in range(given.seeds)]
    if not all(last > first for first, last in ends):
        sys.exit("the last third is not above the first third in every seed")


if __name__ == "__main__":
    main()
