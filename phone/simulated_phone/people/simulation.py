"""Setup of the phone and goal of a simulated episode: what is needed to replay and check it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self, get_args

from simulated_phone.goals.app_definition import GoalInstance
from simulated_phone.language.language import CHINESE, check_language
from simulated_phone.language.zones import CHINA, find_zone
from simulated_phone.people.life import EpisodeStart, PhoneSetup, SimulatedEpisode
from simulated_phone.screens.skin import PLAIN, skin
from simulated_phone.versions import CURRENT, SimulationVersions

ANSWER_FORM = "answer_form"
"""Key of the answer's form in a simulation's JSON."""
START, HOME = "start", "home"
"""Key of where the episode begins, and its value where the JSON has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """Setup and goal of one simulated episode.

    Attributes:
        setup: State of the phone at the beginning of the episode.
        goal_instance: The person's goal; its rule tells whether it is reached.
        size: Width and height of the screen, px.
        strategy: Name of the strategy by which the person reached the goal.
        slips: Names of the slips that happened and were corrected.
        versions: What the episode was simulated with.
        answer_form: The answer's form in words, for the agent; "" for a goal that asks no question.
    """

    setup: PhoneSetup
    goal_instance: GoalInstance
    size: tuple[int, int]
    strategy: str = ""
    slips: tuple[str, ...] = ()
    versions: SimulationVersions = CURRENT
    answer_form: str = ""

    @classmethod
    def of_episode(cls, episode: SimulatedEpisode) -> Self:
        """Record of a simulated episode: all that a replay of it needs."""
        return cls(
            setup=episode.setup,
            goal_instance=episode.goal_instance,
            size=episode.size,
            strategy=episode.strategy,
            slips=episode.slips,
            answer_form=episode.answer_form,
        )

    def to_json(self) -> dict[str, object]:
        """The value under "simulation" in a survey file."""
        language = {} if self.setup.locale == CHINESE else {"locale": self.setup.locale}
        design = {} if self.setup.design == PLAIN else {"design": self.setup.design}
        dark = {"dark": True} if self.setup.dark else {}
        zone = {} if self.setup.zone == CHINA else {"zone": self.setup.zone}
        icons = {"icons": list(self.setup.icons)} if self.setup.icons else {}
        start = {} if self.setup.start == HOME else {START: self.setup.start}
        return {
            "seed": self.setup.seed,
            "moment": self.setup.moment.isoformat(),
            "recent": list(self.setup.recent),
            "faults": list(self.setup.faults),
            **language,
            **design,
            **dark,
            **icons,
            **zone,
            **start,
            "package": self.goal_instance.package,
            "goal": self.goal_instance.goal,
            "arguments": dict(self.goal_instance.arguments),
            "size": list(self.size),
            "way": self.strategy,
            "slips": list(self.slips),
            "versions": self.versions.to_json(),
            **({ANSWER_FORM: self.answer_form} if self.answer_form else {}),
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Simulation:
        """Read the value written by `to_json`.

        Raises:
            LookupError: A field is missing.
            TypeError, ValueError: A field has the wrong type or form.
        """
        width, height = record["size"]
        start = check_start(record.get(START, HOME))
        return cls(
            setup=PhoneSetup(
                seed=int(record["seed"]),
                moment=datetime.fromisoformat(record["moment"]),
                recent=tuple(record.get("recent", ())),
                faults=tuple(record.get("faults", ())),
                locale=check_language(record.get("locale", CHINESE)),
                design=skin(record.get("design", PLAIN)).design,
                dark=_check_flag(record.get("dark", False)),
                icons=tuple(map(str, record.get("icons", ()))),
                zone=_check_zone(record.get("zone", CHINA)),
                front=record["package"] if start == "app" else "",
                several_apps=start == "several apps",
            ),
            goal_instance=GoalInstance(
                package=record["package"], goal=record["goal"], arguments=dict(record["arguments"])
            ),
            size=(int(width), int(height)),
            strategy=str(record.get("way", "")),
            slips=tuple(record.get("slips", ())),
            versions=SimulationVersions.of_simulation(record),
            answer_form=str(record.get(ANSWER_FORM, "")),
        )


def check_start(value: object) -> EpisodeStart:
    """Where an episode begins, as its JSON says.

    Raises:
        ValueError: It is none of `EpisodeStart`.
    """
    for known in get_args(EpisodeStart):
        if value == known:
            found: EpisodeStart = known
            return found
    raise ValueError(f"expected {', '.join(get_args(EpisodeStart))} under {START!r}, got {value!r}")


def _check_zone(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected the name of a time zone under 'zone', got {value!r}")
    find_zone(value)
    return value


def _check_flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"expected true or false under 'dark', got {value!r}")
    return value
