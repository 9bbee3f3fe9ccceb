"""How a simulated phone was set up for an episode and what was wanted: enough to do it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from simulated_phone.app_definition import GoalInstance
from simulated_phone.people.life import PhoneSetup


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """One simulated episode's world.

    Attributes:
        start: What the phone was like when the person took it up.
        aim: What the person wanted, by the app's own rule.
        size: Width and height of the screen, px.
        way: The name of the way the person took.
        slips: What went wrong and was put right.
    """

    start: PhoneSetup
    aim: GoalInstance
    size: tuple[int, int]
    way: str = ""
    slips: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """As it stands in a survey file under "simulation"."""
        return {
            "seed": self.start.seed,
            "moment": self.start.moment.isoformat(),
            "recent": list(self.start.recent),
            "faults": list(self.start.faults),
            "package": self.aim.package,
            "goal": self.aim.goal,
            "arguments": dict(self.aim.arguments),
            "size": list(self.size),
            "way": self.way,
            "slips": list(self.slips),
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Simulation:
        """Read it back.

        Raises:
            LookupError: A field is missing.
            TypeError, ValueError: A field is not what it should be.
        """
        width, height = record["size"]
        return cls(
            start=PhoneSetup(
                seed=int(record["seed"]),
                moment=datetime.fromisoformat(record["moment"]),
                recent=tuple(record.get("recent", ())),
                faults=tuple(record.get("faults", ())),
            ),
            aim=GoalInstance(
                package=record["package"], goal=record["goal"], arguments=dict(record["arguments"])
            ),
            size=(int(width), int(height)),
            way=str(record.get("way", "")),
            slips=tuple(record.get("slips", ())),
        )
