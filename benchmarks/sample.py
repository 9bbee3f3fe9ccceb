"""How fast simulated people's months are played and recorded, and whether memory stays flat."""

from __future__ import annotations

import resource
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from fingertip_recorder.simulated_life import SampleOrder, record_month
from simulated_phone.people.life import Life
from simulated_phone.people.person import make_person
from simulated_phone.phone import Phone
from simulated_phone.screens.theme import usual_density

RELEASE = 21_000
"""Episodes to which the speed is projected."""

EPISODES, PEOPLE, WARM, CORES = 25, 10, 7, 2
FULL, REDUCED = (1080, 2400), (360, 800)


def months(size: tuple[int, int]) -> tuple[float, float, float]:
    """CPU seconds of an episode, the peak of memory in MiB, and how much of it the last people added."""
    with tempfile.TemporaryDirectory() as folder:
        order = SampleOrder(out=Path(folder), users=PEOPLE, episodes=EPISODES, seed=0, size=size)
        for number in range(WARM):
            record_month(order, number)
        warm, start = peak_mib(), time.process_time()
        for number in range(WARM, PEOPLE):
            record_month(order, number)
        seconds = time.process_time() - start
    return seconds / EPISODES / (PEOPLE - WARM), peak_mib(), peak_mib() - warm


def undrawn(size: tuple[int, int]) -> tuple[float, float, float]:
    """The same of playing alone: no picture, no file."""
    warm, start = peak_mib(), time.process_time()
    for number in range(WARM, PEOPLE):
        person = make_person(number, 0)
        phone = Phone(seed=person.seed, size=size, density=usual_density(size[0]))
        for _ in Life(person, phone).month(EPISODES):
            pass
    seconds = time.process_time() - start
    return seconds / EPISODES / (PEOPLE - WARM), peak_mib(), peak_mib() - warm


def peak_mib() -> float:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Prints the CPU time of an episode as a ratio to playing it undrawn, and what a release would take."""
    cases = (
        ("played alone, nothing drawn", undrawn, FULL),
        ("recorded at 1080x2400", months, FULL),
        ("recorded at 360x800", months, REDUCED),
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
