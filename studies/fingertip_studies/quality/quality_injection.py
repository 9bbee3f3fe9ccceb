"""Flaws that simulated people do not have, injected with known place into a copy of a simulated release."""

from __future__ import annotations

import io
import json
import random
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType

from PIL import Image

from fingertip_dataset.actions import Click, format_action, parse_action
from fingertip_dataset.pictures import read_picture_size
from fingertip_dataset.times import format_time, parse_time
from fingertip_studies.quality.flaw_kinds import FlawKind

ACTIONS, SURVEY, SCREENS = "action.jsonl", "survey_result.json", "Screenshots"

LATER = timedelta(minutes=3)
"""Time between an episode and its injected duplicate."""

JITTER = 2
"""Pixels by which the touches of an inexact duplicate differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Injected:
    """An injected flaw.

    Attributes:
        injection: Name of the injection, one of `INJECTIONS`.
        kind: Kind of flaw that has to be found.
        episode_id: Episode that has it.
        step: Index of the step at which it has to be found; None for the whole episode.
        brings: Another kind that the episode then has, too; None if there is none.
    """

    injection: str
    kind: FlawKind
    episode_id: str
    step: int | None
    brings: FlawKind | None = None


@dataclass(slots=True, kw_only=True)
class EpisodeFiles:
    """Files of one episode of a raw release, changed in place.

    Attributes:
        folder: Folder of the episode.
        lines: (name of the screenshot, action) of each step.
    """

    folder: Path
    lines: list[tuple[str, str]]

    @classmethod
    def open(cls, folder: Path) -> EpisodeFiles:
        """Read the actions of an episode."""
        lines = []
        for line in (folder / ACTIONS).read_text(encoding="utf-8").splitlines():
            ((name, action),) = json.loads(line).items()
            lines.append((name, action))
        return cls(folder=folder, lines=lines)

    @property
    def episode_id(self) -> str:
        """`{user_id}__{time}`."""
        return f"{self.folder.parent.name}__{self.folder.name}"

    def picture(self, step: int) -> Path:
        """Path of a step's screenshot."""
        return self.folder / SCREENS / self.lines[step][0]

    def tree(self, step: int) -> Path:
        """Path of a step's tree."""
        name = self.lines[step][0].removesuffix(".jpg")
        return self.folder / SCREENS / f"tree_{name}.xml"

    def insert(self, at: int, steps: list[int]) -> None:
        """Insert copies of steps before step `at`; the times of the screens from there on move."""
        pictures = [self.picture(step).read_bytes() for step in range(len(self.lines))]
        trees = [self.tree(step).read_text(encoding="utf-8") for step in range(len(self.lines))]
        order = [*range(at), *steps, *range(at, len(self.lines))]
        begin = int(self.lines[0][0].removesuffix(".jpg"))
        actions = [self.lines[step][1] for step in order]
        shutil.rmtree(self.folder / SCREENS)
        (self.folder / SCREENS).mkdir()
        self.lines = [(f"{begin + 1500 * number}.jpg", action) for number, action in enumerate(actions)]
        for number, step in enumerate(order):
            self.picture(number).write_bytes(pictures[step])
            self.tree(number).write_text(trees[step], encoding="utf-8")
        self.write()

    def write(self) -> None:
        """Write the actions."""
        lines = (json.dumps({name: action}, ensure_ascii=False) + "\n" for name, action in self.lines)
        (self.folder / ACTIONS).write_text("".join(lines), encoding="utf-8")


Inject = Callable[[EpisodeFiles, int, random.Random], Injected | None]
"""Function (episode, step from 1 on, generator) that changes the files; None where it does not fit."""


def _of_step(injection: str, kind: FlawKind, episode: EpisodeFiles, step: int) -> Injected:
    return Injected(injection=injection, kind=kind, episode_id=episode.episode_id, step=step)


def black_screenshot(episode: EpisodeFiles, step: int, rng: random.Random) -> Injected:
    """Paint a screenshot black."""
    size = read_picture_size(episode.picture(step).read_bytes())
    Image.new("RGB", size).save(episode.picture(step), "JPEG")
    return _of_step("black screenshot", FlawKind.BLACK_SCREENSHOT, episode, step)


def missing_screenshot(episode: EpisodeFiles, step: int, rng: random.Random) -> Injected:
    """Delete a screenshot."""
    episode.picture(step).unlink()
    return _of_step("missing screenshot", FlawKind.MISSING_SCREENSHOT, episode, step)


def missing_tree(episode: EpisodeFiles, step: int, rng: random.Random) -> Injected:
    """Delete a tree."""
    episode.tree(step).unlink()
    return _of_step("missing tree", FlawKind.MISSING_TREE, episode, step)


def unreadable_screenshot(episode: EpisodeFiles, step: int, rng: random.Random) -> Injected:
    """Damage the pixels of a screenshot between a valid header and its end, as PNG."""
    stream = io.BytesIO()
    with Image.open(episode.picture(step)) as image:
        image.save(stream, "PNG")
    content = bytearray(stream.getvalue())
    begin = content.index(b"IDAT") + 4
    content[begin : begin + 400] = bytes(rng.randrange(256) for _ in range(400))
    episode.picture(step).write_bytes(content)
    return _of_step("damaged screenshot", FlawKind.UNREADABLE_SCREENSHOT, episode, step)


def freeze_screenshot(episode: EpisodeFiles, step: int, rng: random.Random) -> Injected | None:
    """Repeat the screenshot of the step before; the tree goes on."""
    if _same_tree(episode, step):
        return None
    shutil.copyfile(episode.picture(step - 1), episode.picture(step))
    return _of_step("frozen screenshot", FlawKind.TREE_OUT_OF_STEP, episode, step)


def freeze_screen(episode: EpisodeFiles, step: int, rng: random.Random) -> Injected | None:
    """Repeat screenshot and tree of the step before: nothing changed after its action."""
    if episode.lines[step - 1][1].startswith("wait"):
        return None
    shutil.copyfile(episode.picture(step - 1), episode.picture(step))
    shutil.copyfile(episode.tree(step - 1), episode.tree(step))
    return _of_step("frozen screen", FlawKind.UNCHANGED_SCREEN, episode, step - 1)


def shift_trees(episode: EpisodeFiles, step: int, rng: random.Random) -> Injected | None:
    """Give each step from `step` on the tree of the step before."""
    if _same_tree(episode, step):
        return None
    for later in range(len(episode.lines) - 1, step - 1, -1):
        shutil.copyfile(episode.tree(later - 1), episode.tree(later))
    kind = FlawKind.TREE_OUT_OF_STEP
    return Injected(injection="shifted trees", kind=kind, episode_id=episode.episode_id, step=None)


def repeat_action(episode: EpisodeFiles, step: int, rng: random.Random) -> Injected | None:
    """Make the action of a step twice, the first time without effect."""
    if not episode.lines[step][1].startswith(("click", "scroll", "long_click", "press")):
        return None
    episode.insert(step, [step])
    return Injected(
        injection="repeated action",
        kind=FlawKind.REPEATED_ACTION,
        episode_id=episode.episode_id,
        step=step + 1,
        brings=FlawKind.UNCHANGED_SCREEN,
    )


def loop(episode: EpisodeFiles, step: int, rng: random.Random) -> Injected | None:
    """Go through three steps twice; the person is back where they began."""
    begin = max(step - 3, 0)
    again = list(range(begin, begin + 3))
    if begin + 3 >= len(episode.lines):
        return None
    if any("press_home" in episode.lines[one][1] or "press_recent" in episode.lines[one][1] for one in again):
        return None
    if len({episode.picture(one).read_bytes() for one in again}) < 3:
        return None
    episode.insert(begin + 3, again)
    return _of_step("three steps twice", FlawKind.SCREEN_AGAIN, episode, begin)


def exact_duplicate(episode: EpisodeFiles, step: int, rng: random.Random) -> Injected | None:
    """Record the same episode again three minutes later."""
    return _duplicate(episode, "exact duplicate", 0)


def inexact_duplicate(episode: EpisodeFiles, step: int, rng: random.Random) -> Injected | None:
    """Record the episode again three minutes later, each touch up to two pixels away."""
    return _duplicate(episode, "inexact duplicate", JITTER)


def _duplicate(episode: EpisodeFiles, injection: str, jitter: int) -> Injected | None:
    time = format_time(parse_time(episode.folder.name) + LATER)
    folder = episode.folder.with_name(time)
    if folder.exists():
        return None
    shutil.copytree(episode.folder, folder)
    survey = json.loads((folder / SURVEY).read_text(encoding="utf-8"))
    (folder / SURVEY).write_text(json.dumps(survey | {"time": time}, ensure_ascii=False), encoding="utf-8")
    copy = EpisodeFiles.open(folder)
    copy.lines = [(name, _find_beside(action, jitter)) for name, action in copy.lines]
    copy.write()
    return Injected(injection=injection, kind=FlawKind.DUPLICATE, episode_id=copy.episode_id, step=None)


def _find_beside(raw: str, jitter: int) -> str:
    action = parse_action(raw)
    if not isinstance(action, Click):
        return raw
    return format_action(Click(x=action.x + jitter, y=action.y - jitter, content=action.content))


def _same_tree(episode: EpisodeFiles, step: int) -> bool:
    return episode.tree(step).read_bytes() == episode.tree(step - 1).read_bytes()


INJECTIONS: Mapping[str, Inject] = MappingProxyType(
    {
        "black screenshot": black_screenshot,
        "missing screenshot": missing_screenshot,
        "damaged screenshot": unreadable_screenshot,
        "missing tree": missing_tree,
        "frozen screenshot": freeze_screenshot,
        "shifted trees": shift_trees,
        "frozen screen": freeze_screen,
        "repeated action": repeat_action,
        "three steps twice": loop,
        "exact duplicate": exact_duplicate,
        "inexact duplicate": inexact_duplicate,
    }
)
"""Name -> injection."""


def inject_flaws(raw: Path, *, share: float, seed: int) -> tuple[Injected, ...]:
    """Inject at most one flaw into each episode of a raw release, in place.

    Args:
        raw: Folder of the release; a copy that may be changed.
        share: Share of the episodes that get a flaw, spread evenly over the injections.
        seed: Seed of the choice of episodes, injections and steps.
    """
    rng = random.Random(seed)  # noqa: S311 - a choice, no secret
    names = list(INJECTIONS)
    found: list[Injected] = []
    # listed before any is changed: a duplicate adds a folder
    for folder in sorted(path.parent for path in raw.glob(f"*/*/{ACTIONS}")):
        if rng.random() >= share:
            continue
        episode = EpisodeFiles.open(folder)
        if len(episode.lines) < 5:
            continue
        step = rng.randrange(1, len(episode.lines) - 1)
        flaw = INJECTIONS[names[len(found) % len(names)]](episode, step, rng)
        if flaw is not None:
            found.append(flaw)
    return tuple(found)
