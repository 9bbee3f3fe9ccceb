"""Rows on which the base is trained: prompts of `fingertip suggest` about strangers, with their answers."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from transformers import PreTrainedModel, PreTrainedTokenizerFast

from fingertip_agents.suggestion.suggestion_prompt import make_suggestion_messages
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_models.messages import Message
from fingertip_studies.learning.strangers import EPISODES, StrangerMonth, strangers
from fingertip_studies.learning.tiny_base import BaseOrder, TokenRow, token_row
from fingertip_studies.learning.tiny_tokenizer import END, chat_prompt, make_tokenizer

LONGEST_HISTORY = 20
TASKS_OF_A_MONTH = (10, 20, 40, EPISODES - 1)
"""Numbers of the intents that are asked for with the history before them."""
TASKS_WITHOUT_HISTORY = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionBase(BaseOrder):
    """How the base of track 1 is made; of rows without history a step has four times as many.

    Attributes:
        plain_share: Share of the steps with rows without history.
        repeated_share: Share of the other steps with repeated rows; it falls with the training.
    """

    users: int = 50
    vocabulary: int = 2500
    plain_share: float = 0.2
    repeated_share: float = 0.4


@dataclass(frozen=True, slots=True)
class BaseRow:
    """A chat and the spans of its characters that are learned: the answer, and each earlier intent."""

    chat: str
    learned: tuple[tuple[int, int, float], ...]


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
            plain.append(suggestion_row(month.task(at, history=0), month.intents[at].text))
        for at in TASKS_OF_A_MONTH:
            history.append(suggestion_row(month.task(at, history=LONGEST_HISTORY), month.intents[at].text))
        repeated += [_make_repeated_row(month, rng) for _ in range(2)]
        system = system or make_suggestion_messages(month.task(0, history=0), "zh")[0].text
    return BaseRows(plain=plain, history=history, repeated=repeated, system=system)


def _make_repeated_row(month: StrangerMonth, rng: random.Random) -> BaseRow:
    few = rng.sample(month.intents, rng.choice((2, 3, 4, 6)))
    length = rng.choice((6, 12, LONGEST_HISTORY))
    days = sorted(rng.sample(range(1, 29), length + 1))
    intents = [
        replace(one, time=f"202503{day:02d}{one.time[8:]}") for day in days for one in [rng.choice(few)]
    ]
    task = StrangerMonth(month.profile, tuple(intents)).task(length, history=length)
    return suggestion_row(task, intents[-1].text)


def suggestion_row(
    task: SuggestionInput, answer: str, prompt: Callable[[Sequence[Message]], str] = chat_prompt
) -> BaseRow:
    """Row of a task; `prompt` writes messages as the chat template does."""
    chat, spans = prompt(make_suggestion_messages(task, "zh")), list[tuple[int, int, float]]()
    spans += _find_history_spans(chat, [intent.text for intent in task.previous_intents])
    spans.append((len(chat), len(chat) + len(answer) + len(END), 1.0))
    return BaseRow(chat + answer + END, tuple(spans))


def _find_history_spans(chat: str, texts: Sequence[str]) -> Iterator[tuple[int, int, float]]:
    """Characters of each earlier intent with the quotation mark that ends it."""
    at = 0
    for text in texts:
        found = chat.find(f'"{text}"', at)
        if found >= 0:
            at = found + len(text) + 1
            yield found + 1, at + 1, 1.0


class SuggestionLessons:
    """Rows of track 1 as the base learns them.

    Args:
        order: How the base is made.
    """

    def __init__(self, order: SuggestionBase) -> None:
        begun = time.process_time()
        rows = make_rows(order.populations, order.users)
        chats = [row.chat for row in rows.history[:1500]]
        self.tokenizer: PreTrainedTokenizerFast = make_tokenizer(chats, rows.system, order.vocabulary)
        self._order = order
        self._plain, self._history, self._repeated = (
            [token_row(self.tokenizer, row.chat, row.learned) for row in kind]
            for kind in (rows.plain, rows.history, rows.repeated)
        )
        seconds = time.process_time() - begun
        print(f"base: {len(self._history)} rows, {len(self.tokenizer)} tokens, {seconds:.0f} s", flush=True)

    def prepare(self, model: PreTrainedModel) -> None:
        """Nothing has to be learned before."""

    def draw(self, rng: random.Random, done: float) -> Sequence[TokenRow]:
        """Draw the rows of a step."""
        order = self._order
        fading = max(0.2, 1 - 1.5 * done)
        if rng.random() < order.plain_share:
            return rng.sample(self._plain, 4 * order.batch)
        repeated = rng.random() < order.repeated_share * fading
        return rng.sample(self._repeated if repeated else self._history, order.batch)
