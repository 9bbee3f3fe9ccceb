"""The base of the table `history`: a small LFM2 that looks lines up before it learns what strangers want.

A model that begins with real prompts learns to write sentences, and not to copy from the earlier intents. So
the answer begins as a line of the history does, and the first rows are drills: lines of random words in which
the same hour and place have the same words. They show few routines of few words at first, and more of more
words when these are looked up. A person never words an intent twice the same way, so the next rows are months
in which few intents are repeated in ever new words: what was wanted has to be looked up, not the sentence.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from transformers import PreTrainedModel, PreTrainedTokenizerFast

from fingertip_agents.suggestion.suggestion_prompt import make_suggestion_messages
from fingertip_studies.learning.base_rows import LONGEST_HISTORY, BaseRow, suggestion_row
from fingertip_studies.learning.strangers import EPISODES, REPEATED, StrangerMonth, stranger_months
from fingertip_studies.learning.tiny_base import LOGGED, WARMUP, BaseOrder, Learner, TokenRow, token_row
from fingertip_studies.learning.tiny_tokenizer import LINE_END, line_prompt, make_tokenizer

TASKS_OF_A_MONTH = (20, 40, EPISODES - 1)
"""Numbers of the intents that are asked for with the history before them: all of a month are learned."""
TASKS_WITHOUT_HISTORY = 2
REPEATED_MONTHS = 2
LEAST_REPEATED, FALL = 0.2, 1.2
"""Least share of repeated months, and by how much it falls in a training that it begins above it."""
LEARNED_FROM = 1500
"""Rows from which the tokenizer is made."""
FEWEST, MOST = 3, 8
"""Routines of a drill, first and last."""
FIRST_WORDS = 32
"""Words that are drawn from in the first drills; twice as many each time that drills grow."""
DRILLS_OF_A_STEP = 16
LONGEST = 4
"""Words of the longest line of a drill."""
LOOKED_UP, MEMORY = 0.4, 0.9
"""Loss, nats, at which drills grow, and the weight of the steps before in its running mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryBase(BaseOrder):
    """How the base is made; of rows without history a step has four times as many.

    Attributes:
        drills: Steps of drills before.
        plain_share: Share of the steps with rows without history.
        repeated_share: Share of the other steps with rows of repeated months, at the beginning; it falls
            to `LEAST_REPEATED`.
    """

    users: int = 50
    vocabulary: int = 4000
    layers: int = 4
    hidden: int = 128
    batch: int = 8
    learning_rate: float = 3e-3
    convolutions: bool = True
    drills: int = 300
    plain_share: float = 0.1
    repeated_share: float = 0.8


class LineDrills:
    """Lines of random words: the same hour and place has the same words.

    Args:
        tokenizer: Tokenizer of lines.
        seed: Seed of the rows.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerFast, seed: int) -> None:
        self._rng = random.Random(seed)  # noqa: S311 - training data
        texts = {token: str(tokenizer.decode([token])) for token in range(len(tokenizer))}

        def like(pattern: str) -> list[int]:
            return [token for token, text in texts.items() if re.fullmatch(pattern, text)]

        self._hours, self._days, self._places = like(r"[012]\d"), like("星期.；"), like('[^"]*；"')
        (self._end,) = like(LINE_END)
        fixed = {*self._hours, *self._days, *self._places, self._end, *tokenizer.get_added_vocab().values()}
        self._words = [token for token in texts if token not in fixed]
        self._rng.shuffle(self._words)
        self.routines, self._drawn_from = FEWEST, FIRST_WORDS

    def draw(self) -> TokenRow:
        """Draw a row; what is learned are the words of lines that came before, in the same words."""
        rng, tokens, weights, seen = self._rng, list[int](), list[float](), set[int]()
        words = self._words[: self._drawn_from]
        routines = [
            (rng.choice(self._hours), rng.choice(self._places), rng.choices(words, k=rng.randint(1, LONGEST)))
            for _ in range(self.routines)
        ]
        for _ in range(2 * self.routines + 2):
            number = rng.randrange(self.routines)
            hour, place, intent = routines[number]
            tokens += [self._end, hour, rng.choice(self._days), place, *intent]
            weights += [0.0] * 4 + [float(number in seen)] * len(intent)
            seen.add(number)
        return TokenRow(tokens, weights)

    def grow(self) -> None:
        """Make the drills harder: another routine, and twice as many words."""
        self.routines = min(self.routines + 1, MOST)
        self._drawn_from = min(2 * self._drawn_from, len(self._words))


class HistoryLessons:
    """Rows of track 1 as the base learns them.

    Args:
        order: How the base is made.
    """

    def __init__(self, order: HistoryBase) -> None:
        begun, rng = time.process_time(), random.Random(order.seed)  # noqa: S311 - training data
        kinds = history, plain, repeated = list[BaseRow](), list[BaseRow](), list[BaseRow]()
        for months in stranger_months(
            order.populations, order.users, repeated=REPEATED_MONTHS, seed=order.seed
        ):
            month, *others = months
            history += [_row(month, at, LONGEST_HISTORY) for at in TASKS_OF_A_MONTH]
            plain += [_row(month, at, 0) for at in rng.sample(range(EPISODES), TASKS_WITHOUT_HISTORY)]
            repeated += [_row(other, REPEATED - 1, LONGEST_HISTORY) for other in others]
        system = make_suggestion_messages(month.task(0, history=0), "zh")[0].text
        chats = [row.chat for row in history[:LEARNED_FROM]]
        self.tokenizer: PreTrainedTokenizerFast = make_tokenizer(chats, system, order.vocabulary, lines=True)
        self._order = order
        self._history, self._plain, self._repeated = (
            [token_row(self.tokenizer, row.chat, row.learned) for row in kind] for kind in kinds
        )
        tokens = sum(len(row.tokens) for row in self._history) / len(self._history)
        seconds = time.process_time() - begun
        print(f"base: {len(history)} rows of {tokens:.0f} tokens, {seconds:.0f} s", flush=True)

    def prepare(self, model: PreTrainedModel) -> None:
        """Train the new model on drills."""
        order, drills = self._order, LineDrills(self.tokenizer, self._order.seed)
        learner = Learner(model, order.learning_rate, lambda step: min(1.0, (step + 1) / WARMUP))
        begun, mean = time.process_time(), 1.0
        for step in range(1, order.drills + 1):
            rows = [drills.draw() for _ in range(DRILLS_OF_A_STEP)]
            loss = learner.learn(rows, int(self.tokenizer.pad_token_id)).loss
            mean = MEMORY * mean + (1 - MEMORY) * loss
            if mean < LOOKED_UP:
                drills.grow()
                mean = 1.0
            if step % LOGGED == 0:
                cpu = time.process_time() - begun
                done = f"drills: step {step}, {drills.routines} routines, loss {mean:.2f}"
                print(f"{done}, {cpu:.0f} s", flush=True)

    def draw(self, rng: random.Random, done: float) -> Sequence[TokenRow]:
        """Draw the rows of a step."""
        if rng.random() < self._order.plain_share:
            return rng.sample(self._plain, 4 * self._order.batch)
        share = max(LEAST_REPEATED, self._order.repeated_share - FALL * done)
        return rng.sample(self._repeated if rng.random() < share else self._history, self._order.batch)


def _row(month: StrangerMonth, at: int, length: int) -> BaseRow:
    return suggestion_row(month.task(at, history=length), month.intents[at].text, line_prompt)
