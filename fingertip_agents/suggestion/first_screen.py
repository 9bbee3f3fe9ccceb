"""First-screen baseline of track 1: recognizes the app on the first screens, and what is done in it.

The first screenshot basically tells the app (section 5.3 of the paper). Each shown screen is compared, as a
small picture, with the same screen of episodes of the training part; the most similar ones vote for the app. The
answer is what this person usually wants in this app at this hour and place. No model is trained or loaded.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np

from fingertip_agents.formats.pictures import open_screenshot
from fingertip_agents.suggestion.baselines import HabitBaseline, WeightedIntents, normalize_text, rank_intents
from fingertip_agents.traits import AgentTraits
from fingertip_dataset.errors import InputError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import TRAIN

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from fingertip_agents.setup import AgentSetup
    from fingertip_dataset.tasks.task import SuggestionInput

MOST_SCREENS = 3
"""Most first screens of a task, by section 3.1."""

SMALL = (12, 24)
"""Width and height of a compared picture, px: letters vanish, what an app looks like stays."""

BARS = 0.05
"""Share of the height at the top and at the bottom, with the clock and the keys, that is not compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstScreenSettings:
    """Settings of `FirstScreenBaseline`, set manually and not tuned on any split.

    Attributes:
        neighbours: Number of most similar episodes that vote for the app.
        episodes: Most episodes of the training part that are compared with, spread evenly over it.
        scale: Difference of two pictures, 0-1, at which a vote has 1/e of its weight.
    """

    neighbours: int = 5
    episodes: int = 4000
    scale: float = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownScreens:
    """First screens of an episode of the training part.

    Attributes:
        episode_id: Its id.
        app: Its app, without an activity.
        intent: Its intent.
        screens: Its first screens; None for one that is missing or cannot be read.
    """

    episode_id: str
    app: str
    intent: str
    screens: tuple[NDArray[np.float32] | None, ...]


class FirstScreenBaseline(HabitBaseline):
    """Predicts what this person usually does in the app that the first screens show.

    The app is that of the most similar first screens in the training part, the task's own episode and this
    person's later ones left out. Of the person's earlier intents in this app the habit of the hour and place
    decides, each weighed by how similar the first screens of its episode are. Without an earlier intent in this
    app it answers with the intent of the most similar episode; without a screenshot as `habit` does.

    Args:
        dataset: The built dataset, whose training part it reads once a task shows a screen; None for tasks
            without screenshots.
        settings: Settings; None for the defaults.
        distribution: Whether to return the next texts too, each with its share of the votes (A.6.5).
    """

    name = "first-screen"
    traits = AgentTraits(
        tracks=("suggestion",),
        deterministic=True,
        summary="What the person wanted before in the app that the first screens show.",
        needs="screenshots: --screenshots 1 to 3",
    )

    def __init__(
        self,
        dataset: Path | None = None,
        settings: FirstScreenSettings | None = None,
        *,
        distribution: bool = False,
    ) -> None:
        super().__init__(distribution=distribution)
        self._dataset = dataset
        self._own = settings or FirstScreenSettings()
        self._known: tuple[KnownScreens, ...] | None = None
        self._reading = threading.Lock()

    @classmethod
    def from_setup(cls, setup: AgentSetup) -> Self:
        """Construct the agent for a command."""
        return cls(setup.dataset, distribution=setup.distribution)

    @property
    def settings(self) -> Mapping[str, object]:
        """Settings on which its answers depend, those of the habit included."""
        return {**super().settings, **asdict(self._own), "width": SMALL[0], "height": SMALL[1]}

    def _answer(self, task_input: SuggestionInput) -> WeightedIntents:
        shown = [shrink_screen(picture) for picture in task_input.screenshots[:MOST_SCREENS]]
        near = self._rank(shown, task_input) if any(one is not None for one in shown) else []
        if not near:
            return super()._answer(task_input)
        app = self._recognize(near)
        earlier = tuple(intent for intent in task_input.previous_intents if name_package(intent.app) == app)
        if not earlier:
            return ((near[0][1].intent, 1.0),)
        likeness = {known.episode_id: self._weigh_picture(distance) for distance, known in near}
        # an episode outside the training part has no picture here: it counts as one of average likeness
        usual = math.fsum(likeness.values()) / len(likeness)
        narrowed = replace(task_input, previous_intents=earlier)
        votes: dict[str, list[float]] = {}
        for intent in earlier:
            weight = self._weigh(intent, narrowed) * likeness.get(intent.episode_id, usual)
            votes.setdefault(normalize_text(intent.text), []).append(weight)
        return rank_intents(earlier, [math.fsum(votes[normalize_text(intent.text)]) for intent in earlier])

    def recognize_app(self, task_input: SuggestionInput) -> str | None:
        """Return the package of the app that the first screens show; None without a readable screen.

        Raises:
            UsageError: No dataset was given, or its training part has no screenshot.
        """
        shown = [shrink_screen(picture) for picture in task_input.screenshots[:MOST_SCREENS]]
        near = self._rank(shown, task_input) if any(one is not None for one in shown) else []
        return self._recognize(near) if near else None

    def _rank(
        self, shown: Sequence[NDArray[np.float32] | None], task_input: SuggestionInput
    ) -> list[tuple[float, KnownScreens]]:
        """The episodes with their differences from the shown screens, the most similar first."""
        user = task_input.task_id.partition("__")[0]
        found = []
        for known in self._read_known():
            # the person's own are compared as far as they were over when the task began
            if known.episode_id.partition("__")[0] == user and known.episode_id >= task_input.task_id:
                continue
            distance = measure_difference(shown, known.screens)
            if distance is not None:
                found.append((distance, known))
        return sorted(found, key=lambda one: (one[0], one[1].episode_id))

    def _recognize(self, near: Sequence[tuple[float, KnownScreens]]) -> str:
        votes: dict[str, float] = {}
        for distance, known in near[: self._own.neighbours]:
            votes[known.app] = votes.get(known.app, 0.0) + self._weigh_picture(distance)
        # the first of equal votes is that of the most similar episode
        return max(votes, key=votes.__getitem__)

    def _weigh_picture(self, distance: float) -> float:
        return math.exp(-distance / self._own.scale)

    def _read_known(self) -> tuple[KnownScreens, ...]:
        """The training part's first screens, read once; the agent may be asked by several threads."""
        with self._reading:
            if self._known is None:
                if self._dataset is None:
                    raise UsageError(
                        f"the agent {self.name} compares with screens of a dataset: none is given"
                    )
                self._known = read_first_screens(BuiltDataset.open(self._dataset), most=self._own.episodes)
            return self._known


def read_first_screens(built: BuiltDataset, *, most: int) -> tuple[KnownScreens, ...]:
    """Read the first screens of episodes of the training part, made small.

    Args:
        built: The dataset.
        most: Most episodes, spread evenly over the training part.

    Raises:
        DatasetError: A file of the dataset is broken.
        UsageError: The training part has no screenshot.
    """
    columns = ("episode_id", "app", "intent")
    facts = {row["episode_id"]: row for row in built.rows(TRAIN, columns=columns)}
    names = list(facts)
    if len(names) > most:
        names = [names[number * len(names) // most] for number in range(most)]
    chosen = frozenset(names)
    known = []
    for row in built.rows(TRAIN, columns=("episode_id", "screenshots"), config="default", ids=chosen):
        if row["episode_id"] not in chosen:
            continue
        files = [step["bytes"] if step else None for step in row["screenshots"][:MOST_SCREENS]]
        screens = tuple(None if file is None else shrink_screen(file) for file in files)
        if any(screen is not None for screen in screens):
            fact = facts[row["episode_id"]]
            known.append(
                KnownScreens(
                    episode_id=row["episode_id"],
                    app=name_package(fact["app"]),
                    intent=fact["intent"],
                    screens=screens,
                )
            )
    if not known:
        raise UsageError(
            "the agent first-screen compares with screens of the training part, and it has none",
            file=built.path,
        )
    return tuple(known)


def shrink_screen(screenshot: bytes) -> NDArray[np.float32] | None:
    """Return a screenshot as a small picture without its bars; None if it cannot be read.

    Args:
        screenshot: A PNG or JPEG file.

    Returns:
        RGB, 0-1, shape (24, 12, 3).
    """
    from PIL import Image

    try:
        picture = open_screenshot(screenshot)
    except InputError:
        return None
    width, height = picture.size
    box = (0, BARS * height, width, (1 - BARS) * height)
    small = picture.resize(SMALL, Image.Resampling.BOX, box=box)
    return np.asarray(small, dtype=np.float32) / 255


def measure_difference(
    shown: Sequence[NDArray[np.float32] | None], known: Sequence[NDArray[np.float32] | None]
) -> float | None:
    """Return the mean absolute difference of two rows of pictures, 0-1, over those that both have.

    >>> one = np.zeros((24, 12, 3), dtype=np.float32)
    >>> measure_difference([one, None], [one + 0.5, one]), measure_difference([None], [one])
    (0.5, None)
    """
    pairs = [
        (one, other)
        for one, other in zip(shown, known, strict=False)
        if one is not None and other is not None
    ]
    if not pairs:
        return None
    return math.fsum(float(np.abs(one - other).mean()) for one, other in pairs) / len(pairs)


def name_package(app: str) -> str:
    """Return the package of an app, without the activity that may follow it.

    >>> name_package("com.android.deskclock/.DeskClock")
    'com.android.deskclock'
    """
    return app.partition("/")[0].strip()
