"""Steps a second of the simulated phone as an environment, beside a bare Pillow redraw of the same screens.

Environment time alone: the actions are prepared, by a policy that mostly touches what can be touched. Whole
pictures are not cached; pages, their layouts and parts of pictures (text, icons) are. So each row has two
speeds: on worlds seen before, as when a task is tried many times, and on new ones, as at the start of
training, with the process warm from others. CPU time of one thread, so that a busy machine slows all rows
alike; the best of three runs of the same actions where they can be repeated.
"""

from __future__ import annotations

import io
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from simulated_phone import Phone
from simulated_phone.screens.drawing.frame_buffer import FrameBuffer
from simulated_phone.screens.screen import DisplayedScreen

SIZES = ((540, 1200), (1080, 2400))
STEPS, PER_TASK, WORLDS = 600, 30, 4
NEW_WORLDS = 1000
"""Seed of the first of the worlds that are measured the first time that they are seen."""
REPEATS = 3
RESETS = 400
PHONES = (10, 100, 1000)

Action = tuple[str, tuple[int | str, ...]]


def prepared(size: tuple[int, int], first: int = 0) -> list[Action]:
    """The actions of a random policy on a few worlds from `first` on, with a reset before each task."""
    rng, actions = random.Random(first), list[Action]()  # noqa: S311 - a policy, not a secret
    phone = Phone(size=size)
    width, height = phone.size
    for number in range(STEPS):
        if number % PER_TASK == 0:
            actions.append(("reset", (first + number // PER_TASK % WORLDS,)))
            do(phone, actions[-1])
        chance = rng.random()
        nodes = [node for node in phone.screen().nodes() if node.clickable]
        action: Action = ("tap", rng.choice(nodes).box.centre if nodes else (1, 1))
        if chance < 0.09:
            action = ("press_key", ("KEYCODE_BACK" if chance < 0.06 else "KEYCODE_HOME",))
        elif chance < 0.14:
            action = ("swipe", (width // 2, height * 3 // 4, width // 2, height // 4))
        elif chance < 0.17:
            action = ("type_text", ("晴天",))
        do(phone, action)
        actions.append(action)
    return actions


def do(phone: Phone, action: Action) -> None:
    """Carry out a prepared action."""
    getattr(phone, action[0])(*action[1])


def steps_a_second(phone: Phone, actions: list[Action], observe: Callable[[], object]) -> float:
    """Steps a second of CPU time, resets included, with an observation after each step."""
    began = time.process_time()
    for action in actions:
        do(phone, action)
        observe()
    return STEPS / (time.process_time() - began)


def encoded(screen: DisplayedScreen, kind: str) -> bytes:
    """A screen drawn anew and encoded by Pillow, as a bare redraw does."""
    stream = io.BytesIO()
    options = {"compress_level": 1} if kind == "PNG" else {"quality": 70}
    screen.picture().save(stream, kind, **options)
    return stream.getvalue()


def speeds(size: tuple[int, int], new_worlds: Iterator[list[Action]]) -> None:
    """Print the rows of one size: the environment on worlds seen before and new, and Pillow's bare redraw."""
    phone = Phone(size=size)
    frames, actions = FrameBuffer(size), prepared(size)
    rows: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "array and tree": (
            lambda: (frames.draw(phone.screen()).copy(), phone.tree()),
            lambda: (np.asarray(phone.screen().picture()), phone.tree()),
        ),
        "array in place, tree": (
            lambda: (frames.draw(phone.screen()), phone.tree()),
            lambda: (np.asarray(phone.screen().picture()), phone.tree()),
        ),
        "PNG": (
            lambda: frames.png(phone.screen()),
            lambda: encoded(phone.screen(), "PNG"),
        ),
        "tree": (phone.tree, phone.tree),
    }
    print(f"{size[0]}x{size[1]}: steps a second of CPU time")
    for name, (ours, bare) in rows.items():
        steps_a_second(phone, actions, ours)
        seen = max(steps_a_second(phone, actions, ours) for _ in range(REPEATS))
        new = steps_a_second(phone, next(new_worlds), ours)
        redraw = steps_a_second(phone, actions, bare)
        print(
            f"  {name:20} seen worlds {seen:6.0f}   new worlds {new:6.0f}   bare redraw {redraw:6.0f}"
            f"   ratio {seen / redraw:5.1f}",
            flush=True,
        )


def resets() -> None:
    """Print resets a second, alone and with the first screen's layout and tree."""
    phone = Phone(size=SIZES[0])
    first = 2 * NEW_WORLDS
    for name, seeds in (
        ("the same seed", [0] * RESETS),
        ("a new seed", range(first, first + RESETS)),
    ):
        for observed in (False, True):
            began = time.process_time()
            for seed in seeds:
                phone.reset(seed + RESETS * observed)
                if observed:
                    phone.tree()
            speed = RESETS / (time.process_time() - began)
            print(f"resets to {name}{', with the first tree' * observed}: {speed:.0f} a second")


def memory_mb() -> float:
    """Resident memory of this process, MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


def growth() -> None:
    """Print the memory of N phones in use, each with its last screen laid out and written."""
    began, phones = memory_mb(), list[Phone]()
    for number in PHONES:
        while len(phones) < number:
            phone = Phone(seed=len(phones), size=SIZES[0])
            node = next(node for node in phone.screen().nodes() if node.clickable)
            phone.tap(*node.box.centre)
            phone.tree()
            phones.append(phone)
        print(f"{number} phones: {(memory_mb() - began) / number:.2f} MB a phone", flush=True)


def main() -> None:
    """Prints speeds, resets and memory."""
    # actions on new worlds are prepared in a process of their own, so that this one has not seen them
    with ProcessPoolExecutor(1, get_context("spawn")) as other:
        for size in SIZES:
            sets = (other.submit(prepared, size, NEW_WORLDS + 10 * number).result() for number in count())
            speeds(size, sets)
    resets()
    # in a process that has cached nothing
    with ProcessPoolExecutor(1, get_context("spawn")) as other:
        other.submit(growth).result()


if __name__ == "__main__":
    main()
