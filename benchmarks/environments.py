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
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

import numpy as np

from fingertip_dataset.actions import Click
from fingertip_environments import PhoneCore, PhoneEnv, PhoneTask, PhoneVectorEnv, ScreenPictures, live_tasks
from fingertip_environments.picture_tools import PictureTools, write_answer
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
VECTOR, ROUND = 8, 10
"""Phones of a vector, and steps between two resets."""
PICTURES = 64
"""Phones that return pictures in one process."""

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


def live_long_tasks(count: int) -> list[PhoneTask]:
    """Tasks whose step limit a round does not reach."""
    tasks = live_tasks(people=count // 4, episodes=8, size=SIZES[0])
    long = [task for task in tasks if task.task.target.step_limit > ROUND]
    return long[:count]


def list_rounds(tasks: Sequence[PhoneTask]) -> list[tuple[list[str], list[list[str]]]]:
    """Rounds of a vector: a task a phone, and a touch a phone in each step."""
    rng = random.Random(1)  # noqa: S311 - a policy, not a secret
    width, height = SIZES[0]
    found = []
    for first in range(0, len(tasks), VECTOR):
        names = [task.task_id for task in tasks[first : first + VECTOR]]
        touches = [
            [f"click(coordinates=({rng.randrange(width)}, {rng.randrange(height)}))" for _ in names]
            for _ in range(ROUND)
        ]
        found.append((names, touches))
    return found


def vector() -> None:
    """Print steps a second of a vector of phones with pixels beside the same phones one by one."""
    tasks = live_long_tasks(4 * VECTOR)
    singles = [PhoneEnv(tasks, observations=("array",)) for _ in range(VECTOR)]
    phones = PhoneVectorEnv(VECTOR, tasks, observations=("array",))
    rounds = list_rounds(tasks)
    steps = VECTOR * ROUND * len(rounds)

    held: list[object] = [None] * VECTOR

    def go_in_turn() -> None:
        for names, touches in rounds:
            for number, name in enumerate(names):
                held[number] = singles[number].reset(options={"task": name})
            for step in touches:
                for number, touch in enumerate(step):
                    held[number] = singles[number].step(touch)

    def go_one_by_one() -> None:
        for names, touches in rounds:
            for number, name in enumerate(names):
                held[number] = singles[number].reset(options={"task": name})
                for step in touches:
                    held[number] = singles[number].step(step[number])

    def go_together() -> None:
        for names, touches in rounds:
            held[0] = phones.reset(options={"tasks": names})
            for step in touches:
                held[0] = phones.step(step)

    best: dict[str, float] = {}
    ways = {"in turn": go_in_turn, "one by one": go_one_by_one, "as a vector": go_together}
    for _ in range(REPEATS + 1):  # the first time, nothing was seen before
        for name, go in ways.items():
            held[:] = [None] * VECTOR
            began = time.process_time()
            go()
            best[name] = max(best.get(name, 0.0), steps / (time.process_time() - began))
    vector, speeds = best["as a vector"], ", ".join(f"{speed:.0f} {name}" for name, speed in best.items())
    print(
        f"{VECTOR} phones with pixels, steps/s: {speeds}; the vector has {vector / best['in turn']:.2f}"
        f" x the steps in turn (goal 0.9), {vector / best['one by one']:.2f} x those one by one",
        flush=True,
    )


def picture_memory(kind: str) -> None:
    """Print the memory of many phones that return pictures: of a vector, or as tools of TRL."""
    tasks = live_long_tasks(PICTURES)
    rng = random.Random(2)  # noqa: S311 - a policy, not a secret
    width, height = SIZES[0]
    if kind == "TRL":
        screens = ScreenPictures(format="qwen3-vl", processor=None, max_completion_length=1)
        frames = FrameBuffer(SIZES[0])
        tools = [PictureTools(tasks, PhoneCore(frames=frames), screens) for _ in range(PICTURES)]
        held: list[object] = [tool.reset(task.task_id) for tool, task in zip(tools, tasks, strict=True)]
        for _ in range(ROUND):
            for number, tool in enumerate(tools):
                touch = Click(x=rng.randrange(width), y=rng.randrange(height))
                held[number] = tool.act(write_answer(tool, touch) or "")
    else:
        phones = PhoneVectorEnv(PICTURES, tasks, observations=("array",), copy=kind == "vector")
        seen, _ = phones.reset(options={"tasks": [task.task_id for task in tasks]})
        for _ in range(ROUND):
            touches = [Click(x=rng.randrange(width), y=rng.randrange(height)) for _ in range(PICTURES)]
            seen, *_ = phones.step(touches)
        held = [seen]
    print(
        f"{PICTURES} phones of {width}x{height} with pictures, {kind}: {memory_mb():.0f} MB (goal 600), "
        f"at most {getrusage(RUSAGE_SELF).ru_maxrss * 1024 / 1e6:.0f} MB",
        flush=True,
    )


def main() -> None:
    """Prints speeds, resets and memory."""
    # actions on new worlds are prepared in a process of their own, so that this one has not seen them
    with ProcessPoolExecutor(1, get_context("spawn")) as other:
        for size in SIZES:
            sets = (other.submit(prepared, size, NEW_WORLDS + 10 * number).result() for number in count())
            speeds(size, sets)
    resets()
    vector()
    # each in a process that has cached nothing
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as other:
        other.submit(growth).result()
        for kind in ("TRL", "vector", "vector without a copy"):
            other.submit(picture_memory, kind).result()


if __name__ == "__main__":
    main()
