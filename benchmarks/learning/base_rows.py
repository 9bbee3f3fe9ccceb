"""Rows on which the base is trained: prompts of `fingertip suggest` about strangers, with their answers."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from benchmarks.learning.strangers import EPISODES, Month, strangers
from benchmarks.learning.tiny_tokenizer import END
from fingertip_agents.suggestion_prompt import suggestion_messages
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_models.messages import Message

LONGEST_HISTORY = 20
TASKS_OF_A_MONTH = (10, 20, 40, EPISODES - 1)
"""Numbers of the intents that are asked for with the history before them."""
TASKS_WITHOUT_HISTORY = 6

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class BaseRow:
    """A chat and the spans of its characters that are learned: the answer, and each earlier intent."""

    chat: str
    learned: Spans


@dataclass(frozen=True, slots=True)
class BaseRows:
    """Rows by kind.

    Attributes:
        plain: Tasks without earlier intents.
        history: Tasks with up to 20 earlier intents.
        repeated: Tasks of made-up months in which few intents come again and again in the same words; they
            teach to look up what was wanted at this hour and place before.
        system: The system message of all rows.
    """

    plain: Sequence[BaseRow]
    history: Sequence[BaseRow]
    repeated: Sequence[BaseRow]
    system: str


def make_rows(populations: int, users: int, seed: int = 1) -> BaseRows:
    """Make the rows of strangers' months."""
    rng = random.Random(seed)  # noqa: S311 - training data
    plain, history, repeated, system = [], [], [], ""
    for month in strangers(populations, users):
        for at in rng.sample(range(EPISODES), TASKS_WITHOUT_HISTORY):
            plain.append(_row(month.task(at, history=0), month.intents[at].text))
        for at in TASKS_OF_A_MONTH:
            history.append(_row(month.task(at, history=LONGEST_HISTORY), month.intents[at].text))
        repeated += [_repeated_row(month, rng) for _ in range(2)]
        system = system or suggestion_messages(month.task(0, history=0), "zh")[0].text
    return BaseRows(plain=plain, history=history, repeated=repeated, system=system)


def _repeated_row(month: Month, rng: random.Random) -> BaseRow:
    few = rng.sample(month.intents, rng.choice((2, 3, 4, 6)))
    length = rng.choice((6, 12, LONGEST_HISTORY))
    days = sorted(rng.sample(range(1, 29), length + 1))
    intents = [
        replace(one, time=f"202503{day:02d}{one.time[8:]}") for day in days for one in [rng.choice(few)]
    ]
    task = Month(month.profile, tuple(intents)).task(length, history=length)
    return _row(task, intents[-1].text)


def _row(task: SuggestionInput, answer: str) -> BaseRow:
    chat, spans = chat_prompt(suggestion_messages(task, "zh")), list[tuple[int, int]]()
    spans += _history_spans(chat, [intent.text for intent in task.previous_intents])
    spans.append((len(chat), len(chat) + len(answer) + len(END)))
    return BaseRow(chat + answer + END, tuple(spans))


def chat_prompt(messages: Sequence[Message]) -> str:
    """A prompt in the form of the small model's chat template."""
    return "".join(f"<|{message.role}|>{message.text}" for message in messages) + "<|assistant|>"


def _history_spans(chat: str, texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Characters of each earlier intent with the quotation mark that ends it."""
    at = 0
    for text in texts:
        found = chat.find(f'"{text}"', at)
        if found >= 0:
            at = found + len(text) + 1
            yield found + 1, at + 1
