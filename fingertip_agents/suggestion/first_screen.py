"""First-screen baseline of track 1: recognizes the app on the first screens, and what is done in it.

The first screenshot basically tells the app (section 5.3 of the paper). Each shown screen is compared, as a
small picture, with the first screens of episodes of the training part, which tells the app. The answer is
what this person usually wants in this app at this hour and place. No model is loaded.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Self

import numpy as np

from fingertip_agents.own_agents import OWN_SUGGESTERS
from fingertip_agents.suggestion.baselines import HabitBaseline, WeightedIntents, normalize_text, rank_intents
from fingertip_dataset.errors import InputError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.pictures import open_screenshot
from fingertip_dataset.split_names import TRAIN

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from fingertip_agents.setup import AgentSetup
    from fingertip_dataset.tasks.task import SuggestionInput

MOST_SCREENS = 3
"""Most first screens of a task, by section 3.1."""

SMALL = (24, 48)
"""Width and height of a compared picture, px: letters vanish, what an app looks like stays."""

BARS = 0.05
"""Share of the height at the top and at the bottom, with the clock and the keys, that is not compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstScreenSettings:
    """Settings of `FirstScreenBaseline`.

    They, and the size of the compared pictures, were chosen while looking at answers to 4 simulated people
    with 30 episodes each, `fingertip sample --seed 5`; docs/track-1.md has figures of other people.

    Attributes:
        episodes: Most episodes of the training part that are compared with, spread evenly over it.
        scale: Difference of two pictures, 0-1, at which their likeness is 1/e.
        doubt: Weight of an intent in an app that no shown screen is like, next to 1 for the same picture.
        any_hour: Weight of an intent at any hour and place, next to 1 for this hour and place.
        sure: Likeness from which an app counts as recognized that the person never used before.
    """

    episodes: int = 4000
    scale: float = 0.03
    doubt: float = 0.02
    any_hour: float = 0.1
    sure: float = 0.6


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


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenScreens:
    """Likeness of the first screens of a task to those of known episodes, 0-1; 1 for equal pictures.

    Attributes:
        apps: App -> exp(-d / scale); d is the mean over the shown screens of the difference from its most
            similar screen.
        episodes: Episode id -> the same of its screens.
        nearest: The most similar episode.
    """

    apps: Mapping[str, float]
    episodes: Mapping[str, float]
    nearest: KnownScreens

    @property
    def app(self) -> str:
        """The most similar app; among equals that of the first episode."""
        return max(self.apps, key=self.apps.__getitem__)

    @property
    def usual(self) -> float:
        """Mean likeness of an episode."""
        return math.fsum(self.episodes.values()) / len(self.episodes)


class FirstScreenBaseline(HabitBaseline):
    """Predicts what this person usually does in the app that the first screens show.

    Each shown screen is compared with the first screens of the training part, without the task's own episode
    and this person's later ones. An earlier intent has the weight of `habit`, times the likeness of the most
    similar screens of its app, times that of its own episode; so an advertisement or a login that many apps
    share leaves the decision to the habit. An app that the person never used before brings the intent of the
    most similar episode; without a screenshot the answer is that of `habit`.

    Args:
        read: Reads the first screens of the training part, once a task shows a screen; None for tasks without
            screenshots.
        settings: Settings; None for the defaults.
        distribution: Whether to return the next texts too, each with its share of the votes (A.6.5).
    """

    name = "first-screen"
    traits = OWN_SUGGESTERS["first-screen"].traits

    def __init__(
        self,
        read: Callable[[], Sequence[KnownScreens]] | None = None,
        settings: FirstScreenSettings | None = None,
        *,
        distribution: bool = False,
    ) -> None:
        super().__init__(distribution=distribution)
        self._read = read
        self._own = settings or FirstScreenSettings()
        self._known: Sequence[KnownScreens] | None = None
        self._reading = threading.Lock()

    @classmethod
    def from_setup(cls, setup: AgentSetup) -> Self:
        """Construct the agent for a command."""
        own, dataset = FirstScreenSettings(), setup.dataset
        read = None if dataset is None else partial(read_first_screens, dataset, most=own.episodes)
        return cls(read, own, distribution=setup.distribution)

    @property
    def settings(self) -> Mapping[str, object]:
        """Settings on which its answers depend, those of the habit included."""
        return {**super().settings, **asdict(self._own), "width": SMALL[0], "height": SMALL[1]}

    def _answer(self, task_input: SuggestionInput) -> WeightedIntents:
        seen = self._compare(task_input)
        earlier = task_input.previous_intents
        if seen is None:
            return super()._answer(task_input)
        own = {name_package(intent.app) for intent in earlier}
        if not earlier or (seen.app not in own and seen.apps[seen.app] > self._own.sure):
            return ((seen.nearest.intent, 1.0),)
        votes: dict[str, list[float]] = {}
        for intent in earlier:
            in_app = self._own.doubt + seen.apps.get(name_package(intent.app), 0.0)
            # an episode outside the training part has no picture here: it counts as one of average likeness
            alike = self._own.doubt + seen.episodes.get(intent.episode_id, seen.usual)
            # the habit's kernel leaves nothing of another hour, and a picture tells more than the hour
            weight = (self._own.any_hour + self._weigh(intent, task_input)) * in_app * alike
            votes.setdefault(normalize_text(intent.text), []).append(weight)
        return rank_intents(earlier, [math.fsum(votes[normalize_text(intent.text)]) for intent in earlier])

    def recognize_app(self, task_input: SuggestionInput) -> str | None:
        """Return the package of the app that the first screens show; None without a readable screen.

        Raises:
            UsageError: No dataset was given, or its training part has no screenshot.
        """
        seen = self._compare(task_input)
        return None if seen is None else seen.app

    def _compare(self, task_input: SuggestionInput) -> SeenScreens | None:
        """The likeness of the shown screens to known ones; None without a readable screen."""
        small = map(shrink_screen, task_input.screenshots[:MOST_SCREENS])
        shown = [screen for screen in small if screen is not None]
        if not shown:
            return None
        user = task_input.task_id.partition("__")[0]
        known = self._read_known()
        # of the person's own only those that were over when the task began; among equals the latest counts
        own = [one for one in known if name_user(one) == user and one.episode_id < task_input.task_id]
        own.sort(key=lambda one: one.episode_id, reverse=True)
        known = [*own, *(one for one in known if name_user(one) != user)]
        return compare_screens(shown, known, scale=self._own.scale) if known else None

    def _read_known(self) -> Sequence[KnownScreens]:
        """The training part's first screens, read once; the agent may be asked by several threads."""
        with self._reading:
            if self._known is None:
                if self._read is None:
                    raise UsageError(f"the agent {self.name} compares with screens of a dataset: give one")
                self._known = self._read()
            return self._known


def read_first_screens(dataset: Path, *, most: int) -> tuple[KnownScreens, ...]:
    """Read the first screens of episodes of the training part, made small.

    Args:
        dataset: The built dataset.
        most: Most episodes, spread evenly over the training part.

    Raises:
        DatasetError: The dataset is missing, or a file of it is broken.
        UsageError: The training part has no screenshot.
    """
    built = BuiltDataset.open(dataset)
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
    """Return a screenshot as a small picture without its bars and its mean colour; None if it cannot be read.

    Args:
        screenshot: A PNG or JPEG file.

    Returns:
        RGB less the mean of each channel, -1 to 1, shape (48, 24, 3).
    """
    from PIL import Image

    try:
        picture = open_screenshot(screenshot)
    except InputError:
        return None
    width, height = picture.size
    box = (0, BARS * height, width, (1 - BARS) * height)
    small = picture.resize(SMALL, Image.Resampling.BOX, box=box)
    pixels = np.asarray(small, dtype=np.float32) / np.float32(255)
    # a light and a dark design of one app differ most in the mean
    centred: NDArray[np.float32] = (pixels - pixels.mean(axis=(0, 1), keepdims=True)).astype(np.float32)
    return centred


def compare_screens(
    shown: Sequence[NDArray[np.float32]], known: Sequence[KnownScreens], *, scale: float
) -> SeenScreens:
    """Compare screens with those of known episodes, each with the most similar one of an episode or an app.

    Args:
        shown: At least one screen of `shrink_screen`.
        known: At least one episode with a screen.
        scale: As in `FirstScreenSettings`.
    """
    of_episode = np.array([index for index, one in enumerate(known) for _ in _list_readable(one)])
    screens = np.stack([screen for one in known for screen in _list_readable(one)])
    differences = np.full((len(shown), len(known)), np.inf)
    for number, screen in enumerate(shown):
        np.minimum.at(differences[number], of_episode, np.abs(screens - screen).mean(axis=(1, 2, 3)))
    apps: dict[str, list[int]] = {}
    for index, one in enumerate(known):
        apps.setdefault(one.app, []).append(index)
    # the mean before the exponential: a screen that only one app has decides, whatever the others share
    likeness = np.exp(-differences.mean(axis=0) / scale)
    return SeenScreens(
        apps={
            app: float(np.exp(-differences[:, members].min(axis=1).mean() / scale))
            for app, members in apps.items()
        },
        episodes={one.episode_id: float(like) for one, like in zip(known, likeness, strict=True)},
        nearest=known[int(likeness.argmax())],
    )


def _list_readable(known: KnownScreens) -> list[NDArray[np.float32]]:
    return [screen for screen in known.screens if screen is not None]


def name_user(known: KnownScreens) -> str:
    """Return the id of the user of an episode."""
    return known.episode_id.partition("__")[0]


def name_package(app: str) -> str:
    """Return the package of an app, without the activity that may follow it.

    >>> name_package("com.android.deskclock/.DeskClock")
    'com.android.deskclock'
    """
    return app.partition("/")[0].strip()
