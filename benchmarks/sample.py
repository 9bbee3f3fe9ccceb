"""Speed of simulating and recording people's months, and growth of memory."""

from __future__ import annotations

import resource
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

from fingertip_recorder.look_writer import write_looks
from fingertip_recorder.simulated_life import SampleOrder, record_month
from simulated_phone.people.life import Life
from simulated_phone.people.person import make_person
from simulated_phone.phone import Phone
from simulated_phone.screens.drawing.picture_cache import Pictures

RELEASE = 21_000
"""Number of episodes for which the time is projected."""

EPISODES, PEOPLE, WARM, CORES = 25, 10, 7, 2
FULL, REDUCED = (1080, 2400), (360, 800)


def months(size: tuple[int, int]) -> tuple[float, float, float]:
    """CPU seconds per episode, peak memory (MiB), and its growth (MiB) after the first `WARM` people."""
    with tempfile.TemporaryDirectory() as folder:
        order = SampleOrder(out=Path(folder), users=PEOPLE, episodes=EPISODES, seed=0, size=size)
        for number in range(WARM):
            record_month(order, number)
        warm, start = peak_mib(), time.process_time()
        for number in range(WARM, PEOPLE):
            record_month(order, number)
        seconds = time.process_time() - start
    return seconds / EPISODES / (PEOPLE - WARM), peak_mib(), peak_mib() - warm


def looks(size: tuple[int, int]) -> tuple[float, float, float]:
    """The measures of `months` for the moments alone, which are a part of it: two an episode."""
    warm, seconds = 0.0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        order = SampleOrder(out=Path(folder), users=PEOPLE, episodes=EPISODES, seed=0, size=size)
        for number in range(PEOPLE):
            person = make_person(number, 0)
            life = Life(person, Phone(seed=person.seed, size=size), Pictures())
            episodes = [replace(one, frames=()) for one in life.month(EPISODES)]
            own, start = Path(folder) / person.user_id, time.process_time()
            own.mkdir()
            write_looks(own, life, episodes, order.settings)
            if number < WARM:
                warm = peak_mib()
            else:
                seconds += time.process_time() - start
    return seconds / EPISODES / (PEOPLE - WARM), peak_mib(), peak_mib() - warm


def months_without_pictures(size: tuple[int, int]) -> tuple[float, float, float]:
    """The measures of `months` for simulation alone: no pictures, no files."""
    warm, start = peak_mib(), time.process_time()
    for number in range(WARM, PEOPLE):
        person = make_person(number, 0)
        phone = Phone(seed=person.seed, size=size)
        for _ in Life(person, phone).month(EPISODES):
            pass
    seconds = time.process_time() - start
    return seconds / EPISODES / (PEOPLE - WARM), peak_mib(), peak_mib() - warm


def peak_mib() -> float:
    """Peak resident memory of this process, MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Print CPU time per episode as a ratio to simulation alone, and the projected time of a release."""
    cases = (
        ("simulated, no pictures", months_without_pictures, FULL),
        ("recorded at 1080x2400", months, FULL),
        ("recorded at 360x800", months, REDUCED),
        ("moments of these alone", looks, REDUCED),
    )
    base = 0.0
    head = f"{RELEASE} on {CORES} cores"
    print(
        f"{'one process':30}{'CPU ms':>8}{'ratio':>7}{'a second':>10}{'peak MiB':>10}{'added':>7}{head:>18}"
    )
    for name, work, size in cases:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            seconds, peak, added = pool.submit(work, size).result()
        base = base or seconds
        projected = f"{RELEASE * seconds / CORES / 60:.0f} min"
        numbers = f"{1000 * seconds:8.1f}{seconds / base:7.2f}{1 / seconds:10.1f}{peak:10.0f}{added:7.0f}"
        print(f"{name:30}{numbers}{projected:>18}", flush=True)


if __name__ == "__main__":
    main()
