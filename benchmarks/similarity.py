"""Speed of text similarity on action sequences, relative to fuzzywuzzy on difflib and bare rapidfuzz."""

from __future__ import annotations

import random
import time
import warnings
from collections.abc import Callable, Sequence

from rapidfuzz import fuzz

from fingertip_metrics import sequence_similarity, sim2, text_similarity

SEED = 20
PAIRS = 2000
SLOW_PAIRS = 200
ROUNDS = 15
DIFFLIB, BARE, OURS = "fuzzywuzzy with difflib", "bare rapidfuzz loop", "text_similarity release"
IDEOGRAPHS = [chr(0x4E00 + 7 * at) for at in range(400)]
"""About as many distinct characters as the contents of a user's apps."""


def make_sequence(draw: random.Random, actions: int = 11) -> list[str]:
    """Action strings of one episode; joined, about 490 characters as in the release."""
    sequence = []
    for _ in range(actions - 1):
        x, y, direction = draw.randrange(1080), draw.randrange(2340), draw.choice(("up", "down"))
        content = "".join(draw.choices(IDEOGRAPHS, k=draw.randint(2, 12)))
        kinds = (
            f"click(coordinates=({x}, {y}), content='{content}')",
            f"scroll(coordinates=({x}, {y}), direction='{direction}')",
            f"type(text='{content}')",
        )
        sequence += draw.choices(kinds, weights=(8, 2, 1))
    return [*sequence, "finished()"]


def measure(pairs: Sequence[tuple[list[str], list[str]]]) -> dict[str, float]:
    """Variant -> pairs per second, the best of `ROUNDS` rounds that run every variant once."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # fuzzywuzzy warns about the slow difflib, which is the baseline
        from fuzzywuzzy import fuzz as fuzzywuzzy  # type: ignore[import-untyped]  # no type stubs
    texts = [("，".join(a), "，".join(b)) for a, b in pairs]
    agents, people = [a for a, _ in pairs], [b for _, b in pairs]
    variants: dict[str, tuple[int, Callable[[], object]]] = {
        DIFFLIB: (SLOW_PAIRS, lambda: [fuzzywuzzy.ratio(a, b) for a, b in texts[:SLOW_PAIRS]]),
        BARE: (PAIRS, lambda: [fuzz.ratio(a, b) for a, b in texts]),
        OURS: (PAIRS, lambda: [text_similarity(a, b) for a, b in texts]),
        "text_similarity levenshtein": (
            PAIRS,
            lambda: [text_similarity(a, b, "levenshtein") for a, b in texts],
        ),
        "sequence_similarity tokens": (
            PAIRS,
            lambda: [sequence_similarity(a, b, "tokens") for a, b in pairs],
        ),
        "sim2, whole (2 pairs per episode)": (2 * PAIRS, lambda: sim2(agents, people, people)),
    }
    best = dict.fromkeys(variants, 0.0)
    for _ in range(ROUNDS):
        for name, (count, work) in variants.items():
            start = time.perf_counter()
            work()
            best[name] = max(best[name], count / (time.perf_counter() - start))
    return best


def main() -> None:
    """Prints pairs per second, and the ratios of text_similarity to both baselines with their goals."""
    draw = random.Random(SEED)  # noqa: S311 - sample strings, no secret
    pairs = [(make_sequence(draw), make_sequence(draw)) for _ in range(PAIRS)]
    length = sum(len("，".join(a)) for a, _ in pairs) / len(pairs)
    speeds = measure(pairs)
    print(f"{PAIRS} pairs of {length:.0f} characters, seed {SEED}, one core")
    for name, speed in speeds.items():
        print(f"{name:<34}{speed:>12,.0f} pairs/s")
    for baseline, bound in ((DIFFLIB, 50), (BARE, 0.9)):
        print(f"text_similarity / {baseline:<24}{speeds[OURS] / speeds[baseline]:>8.2f} x, goal {bound}")


if __name__ == "__main__":
    main()
