"""Drills before the base of track 2 learns strangers' steps: to find a label on a screen and answer its id.

A small model that begins with real rows learns where the elements of fixed pages are, and hardly to look a
label up. Drills are rows of random labels: first few elements and few labels, more when these are learned.
The longer ones ask for the element that the task names, or for that of the reference's next step.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from transformers import PreTrainedTokenizerFast, Qwen3ForCausalLM

from fingertip_studies.learning.screen_tokenizer import BEGIN, IDS, TAP
from fingertip_studies.learning.tiny_base import LOGGED, WARMUP, Learner, TokenRow
from fingertip_studies.learning.tiny_tokenizer import END

FEWEST, MOST = 3, 18
"""Elements of a screen in the first and in the last drills."""
FIRST_LABELS, MORE_LABELS = 16, 1.5
"""Labels that are drawn from in the first drills, and the factor by which they grow with each element."""
LEARNED, MEMORY = 0.85, 0.8
"""Share of right ids at which drills grow, and the weight of the steps before in its running mean. The loss
is no guide: it falls while ids are guessed better, and stays high where few are not found."""
NAMED_IN_TASK, WITH_REFERENCE = 4, 10
"""Elements from which on a task names the label, and from which on there is a reference."""
WORDS, LINES = 9, 9
"""Words of the longest task, and steps of the longest reference."""
ROWS, RATE = 64, 1e-3
"""Rows of a step, and the rate of AdamW. At three times the rate nothing was learned (tried)."""
HALVED = 12
"""Elements from which on a step has half as many rows."""
ASIDE = 0.3
"""Weight in the loss of the past steps."""
QUERIES = 8
"""Most labels of a screen that a lookup asks for."""
GAPS = 0.1
"""Share of the elements after which ids are left out, as the tokenizer leaves elements out."""


class Drills:
    """Rows of random labels.

    Args:
        tokenizer: Tokenizer of screens.
        like: A row of a recorded step, whose fixed parts a drill has.
        headings: Tokens of its headings of the task, the reference, the past steps and the screen.
        seed: Seed of the rows.
    """

    def __init__(
        self,
        tokenizer: PreTrainedTokenizerFast,
        like: TokenRow,
        headings: tuple[int, int, int, int],
        seed: int,
    ) -> None:
        self._rng = random.Random(seed)  # noqa: S311 - training data
        self._task, self._similar, self._past, self._screen = headings
        answer = like.weights.index(1.0)
        # system message and role; question and role
        self._begin, self._end = like.tokens[:3], like.tokens[answer - 2 : answer]
        self._ids = _known(tokenizer, [str(number) for number in range(IDS)])
        self._numbers = _known(tokenizer, [f"\n{number}." for number in range(1, LINES + 2)])
        self._answer, self._tap, self._over, self._finished = _known(tokenizer, (BEGIN, TAP, END, "finished"))
        fixed = {*self._ids, *self._numbers, *tokenizer.get_added_vocab().values()}
        self._labels = [token for token in range(len(tokenizer)) if token not in fixed]
        self._rng.shuffle(self._labels)
        self.elements, self._drawn_from = FEWEST, float(FIRST_LABELS)

    def draw(self) -> TokenRow:
        """Draw a row of any kind."""
        return self._rng.choice((self.lookup, self.name_in_task, self.next_step))()

    def grow(self) -> None:
        """Make the drills harder: another element, and more labels."""
        self.elements = min(self.elements + 1, MOST)
        self._drawn_from *= MORE_LABELS

    def lookup(self) -> TokenRow:
        """A screen, and some of its labels, each with its id."""
        screen, ids = self._show(self._draw(self.elements))
        tokens = [*self._begin, *screen, *self._end]
        weights = [0.0] * len(tokens)
        for label in self._rng.sample(list(ids), min(self.elements, QUERIES)):
            tokens += [label, ids[label]]
            weights += [0.0, 1.0]
        return TokenRow(tokens, weights)

    def name_in_task(self) -> TokenRow:
        """A task of which one word is a label of the screen."""
        labels = self._draw(self.elements + self._rng.randint(2, WORDS - 1))
        shown, words = labels[: self.elements], labels[self.elements - 1 :]
        # the last label shown is the first word: both are in random order afterwards
        wanted = words[0]
        self._rng.shuffle(shown)
        self._rng.shuffle(words)
        return self._make_prompt([*self._begin, self._task, *words], shown, wanted)

    def next_step(self) -> TokenRow:
        """A reference whose first steps are done, and a screen with the label of the next."""
        length = self._rng.randint(2, min(LINES, self.elements + 1))
        labels = self._draw(self.elements + length - 1)
        reference, others = labels[:length], labels[length:]
        done = self._rng.randrange(length)
        shown = [*others, reference[done]]
        self._rng.shuffle(shown)
        steps = [token for step in zip(self._numbers, reference, strict=False) for token in step]
        before = [*self._begin, self._similar, *steps, self._numbers[length], self._finished, self._past]
        return self._make_prompt([*before, *steps[: 2 * done]], shown, reference[done], past=done)

    def _make_prompt(
        self, before: Sequence[int], labels: Sequence[int], wanted: int, *, past: int = 0
    ) -> TokenRow:
        """A prompt that ends with a screen, and the answer; the last `past` steps before it are learned."""
        screen, ids = self._show(labels)
        tokens = [*before, *screen, *self._end, self._answer, ids[wanted], self._tap, self._over]
        weights = [0.0] * len(tokens)
        weights[-3] = 1.0
        for step in range(past):
            weights[len(before) - 1 - 2 * step] = ASIDE
        return TokenRow(tokens, weights)

    def _draw(self, number: int) -> list[int]:
        drawn_from = max(int(self._drawn_from), number)
        return self._rng.sample(self._labels[:drawn_from], number)

    def _show(self, labels: Sequence[int]) -> tuple[list[int], dict[int, int]]:
        """Tokens of a screen with these labels, and the id of each."""
        tokens, ids, at = [self._screen], dict[int, int](), 0
        for label in labels:
            ids[label] = self._ids[at]
            tokens += [ids[label], label]
            at += 1 if self._rng.random() >= GAPS else self._rng.randint(2, 5)
        return tokens, ids


def drill(model: Qwen3ForCausalLM, drills: Drills, steps: int, pad: int) -> None:
    """Train the model on drills, which grow with what it has learned."""
    learner = Learner(model, RATE, lambda step: min(1.0, (step + 1) / WARMUP))
    begun, right = time.process_time(), 0.0
    for step in range(1, steps + 1):
        make = drills.lookup
        if step % 2 and drills.elements >= NAMED_IN_TASK:
            make = drills.name_in_task
        elif step % 4 == 0 and drills.elements >= WITH_REFERENCE:
            make = drills.next_step
        rows = ROWS if drills.elements < HALVED else ROWS // 2
        learned = learner.learn([make() for _ in range(rows)], pad)
        if make == drills.lookup:
            right = MEMORY * right + (1 - MEMORY) * learned.right
        if right > LEARNED:
            drills.grow()
            right = 0.0
        if step % LOGGED == 0:
            cpu = time.process_time() - begun
            print(
                f"drills: step {step} of {steps}, {drills.elements} elements, {100 * right:.0f} % right, "
                f"{cpu:.0f} s",
                flush=True,
            )


def _known(tokenizer: PreTrainedTokenizerFast, texts: Sequence[str]) -> list[int]:
    return [int(tokenizer.convert_tokens_to_ids(text)) for text in texts]
