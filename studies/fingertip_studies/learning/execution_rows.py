"""Rows on which the base of track 2 is trained: prompts of `execute` about strangers, and answers."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from transformers import PreTrainedTokenizerFast, Qwen3ForCausalLM

from fingertip_agents.registry import make_model_format
from fingertip_models.messages import Language
from fingertip_studies.learning.drills import Drills, drill
from fingertip_studies.learning.screen_tokenizer import make_screen_tokenizer
from fingertip_studies.learning.stranger_episodes import stranger_population
from fingertip_studies.learning.tiny_base import BaseOrder, TokenRow, token_row
from fingertip_studies.learning.tiny_tokenizer import END, chat_prompt
from fingertip_training.dropped_steps import DroppedSteps
from fingertip_training.execution_samples import episode_samples
from fingertip_training.training_sample import TrainingSample

AGENT = "autodroid"
"""Agent of track 2 whose prompts have no picture."""
LANGUAGE: Language = "zh"
REFERENCES = {"same_user": 13, "other_type": 4, "none": 3}
"""Kind of the reference in a stranger's prompt -> its weight in the draw."""
ASIDE = 0.1
"""Weight in the loss of the tokens of the reference and the past steps; those of the answer have 1."""
FEWER_DRILLS = 0.6
"""Share of the training after which there are fewer drills."""
BEFORE = 2
"""Sections of a prompt before the reference, or before the past steps where there is no reference."""
ALIKE = 4
"""Batches that are drawn together and divided by length: less padding."""
_HEADING = re.compile("^# ", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionBase(BaseOrder):
    """How the base of track 2 is made.

    Attributes:
        episodes: Episodes of each stranger.
        drills: Steps of drills before.
        drill_shares: Share of the steps with drills among the first three fifths of the others, and the rest.
    """

    users: int = 8
    episodes: int = 40
    drills: int = 1200
    drill_shares: tuple[float, float] = (0.15, 0.05)
    vocabulary: int = 3500
    layers: int = 4
    batch: int = 16
    learning_rate: float = 2e-3


class ExecutionLessons:
    """Rows of track 2 as the base learns them.

    Args:
        order: How the base is made.
        processes: Processes that simulate strangers.
    """

    def __init__(self, order: ExecutionBase, processes: int) -> None:
        begun = time.perf_counter()
        numbers = range(order.populations)
        counts = [[count] * order.populations for count in (order.users, order.episodes)]
        if processes > 1:
            with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
                found = list(pool.map(stranger_samples, numbers, *counts))
        else:
            found = list(map(stranger_samples, numbers, *counts))
        samples = [sample for population in found for sample in population]
        if not samples:
            people = f"{order.users} users with {order.episodes} episodes in {order.populations} populations"
            raise ValueError(f"{AGENT} can express no episode of {people} whole: simulate more")
        random.Random(order.seed).shuffle(samples)  # noqa: S311 - training data
        chats = [chat_of(sample) for sample in samples]
        system = samples[0].messages[0].text
        self.tokenizer: PreTrainedTokenizerFast = make_screen_tokenizer(chats, system, order.vocabulary)
        self._order = order
        self._batches: list[list[TokenRow]] = []
        self._rows = [self.row(sample) for sample in samples]
        self.drills = self._make_drills(samples)
        tokens = sum(len(row.tokens) for row in self._rows) / len(self._rows)
        seconds = time.perf_counter() - begun
        print(f"base: {len(self._rows)} rows of {tokens:.0f} tokens on average, {seconds:.0f} s", flush=True)

    def row(self, sample: TrainingSample) -> TokenRow:
        """Tokens of a sample."""
        chat = chat_of(sample)
        return token_row(self.tokenizer, chat, _find_learned(chat, sample))

    def prepare(self, model: Qwen3ForCausalLM) -> None:
        """Train the new model on drills."""
        drill(model, self.drills, self._order.drills, int(self.tokenizer.pad_token_id))

    def draw(self, rng: random.Random, done: float) -> Sequence[TokenRow]:
        """Draw the rows of a step."""
        batch, shares = self._order.batch, self._order.drill_shares
        if rng.random() < shares[done > FEWER_DRILLS]:
            return [self.drills.draw() for _ in range(batch)]
        if not self._batches:
            self._batches = self._draw(rng)
        return self._batches.pop()

    def _draw(self, rng: random.Random) -> list[list[TokenRow]]:
        """Several batches, each of rows of about the same length, in random order."""
        batch = self._order.batch
        rows = sorted(
            rng.sample(self._rows, min(ALIKE * batch, len(self._rows))), key=lambda row: len(row.tokens)
        )
        batches = [rows[at : at + batch] for at in range(0, len(rows), batch)]
        rng.shuffle(batches)
        return batches

    def _make_drills(self, samples: Sequence[TrainingSample]) -> Drills:
        """Drills with the headings of the sample that has most: one with a reference."""
        lines = max(
            (
                [line for line in text.split("\n") if line.startswith("# ")]
                for text in (sample.messages[1].text for sample in samples)
            ),
            key=len,
        )
        _, task, similar, past, screen = map(int, self.tokenizer.convert_tokens_to_ids(lines))
        return Drills(self.tokenizer, self._rows[0], (task, similar, past, screen), self._order.seed)


def stranger_samples(number: int, users: int, episodes: int) -> list[TrainingSample]:
    """Samples of the population `number` (from 0), of the episodes that the agent's format can express whole.

    What it cannot express, such as a long press, would stand among the past steps as what the model has done.
    """
    population, rng = stranger_population(number, users, episodes), random.Random(number)  # noqa: S311
    format, samples = make_model_format(AGENT), list[TrainingSample]()
    for episode_id, episode in population.episodes.items():
        (kind,) = rng.choices(list(REFERENCES), list(REFERENCES.values()))
        task, dropped = population.task(episode_id, kind), DroppedSteps()
        user = episode.intent.user_id
        own = list(episode_samples(task, user, episode.steps, dropped, format=format, language=LANGUAGE))
        samples += [] if dropped.kinds() else own
    return samples


def chat_of(sample: TrainingSample) -> str:
    """The sample as the chat template writes it."""
    return chat_prompt(sample.messages) + sample.answer + END


def _find_learned(chat: str, sample: TrainingSample) -> tuple[tuple[int, int, float], ...]:
    """The reference and the past steps, and the answer."""
    text = sample.messages[1].text
    begin = chat.index(text)
    headings = [begin + found.start() for found in _HEADING.finditer(text)]
    return (
        (headings[BEFORE], headings[-1], ASIDE),
        (len(chat) - len(sample.answer) - len(END), len(chat), 1.0),
    )
