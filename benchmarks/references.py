"""Reference retrieval for 16,000 queries and 16,000 candidates of 384 dimensions, and by text.

The baseline is a bare loop in the same blocks: of matmul and argmax, or of rapidfuzz and argmax over the
users of the other type. Each variant runs in its own process, alternating with the baseline, so that a busy
machine slows both. The goal is at most 1.3 times the bare loop by embedding, at most 2 times by text (where
sorting, grouping and the records take a third), and at most 1 GB. Peak memory is that of the process,
including the baseline's blocks.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from fingertip_dataset.episodes import Episode, Intent, Step, UserProfile
from fingertip_dataset.tasks.references import BLOCK, find_most_similar, find_references, score_embeddings
from fingertip_dataset.times import TIME_FORMAT

EPISODES, DIMENSIONS, USERS, YOUNGER = 16_000, 384, 83, 67
TEXTS = "find_references by text, types 67:16"
REPEATS = 5


def vectors() -> NDArray[np.float32]:
    """Random unit vectors, float32 of shape (16,000, 384)."""
    drawn = np.random.default_rng(0).standard_normal((EPISODES, DIMENSIONS), dtype=np.float32)
    lengths: NDArray[np.float32] = np.sqrt((drawn**2).sum(axis=1, keepdims=True))
    return drawn / lengths


def release() -> list[Episode]:
    """16,000 episodes of 83 users; all intents differ, so that no duplicate saves work."""
    start = datetime(2025, 1, 1)
    step = Step(raw="finished()", action=None, screenshot=None, tree=None)
    episodes = []
    for number in range(EPISODES):
        moment = (start + timedelta(minutes=number)).strftime(TIME_FORMAT)
        user = str(number % USERS + 1)
        intent = Intent(user_id=user, time=moment, scenario="", app="", text=f"intent {number}")
        episodes.append(Episode(intent=intent, profile=UserProfile(), folder=Path(user), steps=(step,)))
    return episodes


def bare() -> Callable[[], object]:
    """The baseline: the best candidate of each query, without masks and ties."""
    rows = vectors()

    def run() -> None:
        for start in range(0, EPISODES, BLOCK):
            (rows[start : start + BLOCK] @ rows.T).argmax(axis=1)

    return run


def bare_texts() -> Callable[[], object]:
    """The baseline by text: the best candidate of each query among the users of the other type, both ways."""
    texts: dict[bool, list[str]] = {False: [], True: []}
    for episode in release():
        texts[int(episode.intent.user_id) > YOUNGER].append(episode.intent.text)

    def run() -> None:
        for rows, columns in ((texts[False], texts[True]), (texts[True], texts[False])):
            for start in range(0, len(rows), BLOCK):
                block = rows[start : start + BLOCK]
                scorer = Indel.normalized_similarity
                cdist(block, columns, scorer=scorer, dtype=np.float32, workers=-1).argmax(axis=1)

    return run


def every_candidate() -> Callable[[], object]:
    """`find_most_similar` as if every candidate were of another type."""
    rows = vectors()
    limits = np.full(EPISODES, EPISODES, dtype=np.intp)
    return lambda: find_most_similar(score_embeddings(rows, rows), limits)


def both_references(skip_same_task: bool, half: bool, by_text: bool = False) -> Callable[[], object]:
    """`find_references` from episodes to both references, with precomputed embeddings or by text."""
    rows, episodes = vectors(), release()
    queries = [episode.intent for episode in episodes]
    types = {str(user): 1 + (user % 2 if half else user > YOUNGER) for user in range(1, USERS + 1)}
    encode = None if by_text else lambda texts: rows[: len(texts)]
    return lambda: find_references(queries, episodes, types, encode=encode, skip_same_task=skip_same_task)


VARIANTS: dict[str, Callable[[], Callable[[], object]]] = {
    "find_most_similar, all candidates": every_candidate,
    "find_references, types 50:50": lambda: both_references(skip_same_task=False, half=True),
    "find_references, types 67:16, same task skipped": lambda: both_references(
        skip_same_task=True, half=False
    ),
    TEXTS: lambda: both_references(skip_same_task=False, half=False, by_text=True),
}


def measure(name: str) -> None:
    """Prints the best times of one variant and of the baseline in seconds, and the peak memory in MB."""
    variants = {"bare": bare_texts() if name == TEXTS else bare(), "seconds": VARIANTS[name]()}
    best = dict.fromkeys(variants, float("inf"))
    for _ in range(REPEATS):
        for variant, run in variants.items():
            start = time.perf_counter()
            run()
            best[variant] = min(best[variant], time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({**best, "peak": peak}))


def main() -> None:
    """Prints time, ratio to the baseline and peak memory of each variant."""
    print(f"{'':48}      time      bare  ratio     peak")
    for name in VARIANTS:
        command = [sys.executable, "-m", "benchmarks.references", name]
        done = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        ratio = done["seconds"] / done["bare"]
        print(
            f"{name:48} {done['seconds']:7.2f} s {done['bare']:7.2f} s  {ratio:5.2f} {done['peak']:5.0f} MB"
        )


if __name__ == "__main__":
    measure(sys.argv[1]) if len(sys.argv) > 1 else main()
