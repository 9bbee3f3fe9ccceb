"""Versions of the simulated phone, of the suite of goals and of the simulated people, with content hashes."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Any

from simulated_phone.phone_errors import PhoneSetupError


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationVersions:
    """Versions of phone, suite and people that simulated data were made with.

    Attributes:
        phone: Version of the phone: layout, accessibility trees, what gestures do.
        suite: Version of the apps' data, goals, cases, rules and strategies.
        people: Version of the persons, their routines, wordings, habits and slips.
    """

    phone: str
    suite: str
    people: str

    def to_json(self) -> dict[str, str]:
        """As in survey files and simulations.jsonl."""
        return asdict(self)

    @classmethod
    def of_simulation(cls, record: Mapping[str, Any]) -> SimulationVersions:
        """The versions in a simulation's record; `UNVERSIONED` if it has none.

        Raises:
            LookupError, TypeError: A part is missing or no text.
        """
        versions = record.get("versions")
        if not versions:
            return UNVERSIONED
        parts = {name: versions[name] for name in PARTS}
        if not all(isinstance(part, str) for part in parts.values()):
            raise TypeError(f"versions must be texts: {parts!r}")
        return cls(**parts)


PARTS = ("phone", "suite", "people")
VERSIONS_FILE = files("simulated_phone") / "versions.toml"
UNVERSIONED = SimulationVersions(phone="0", suite="0", people="0")
"""Versions of data that were simulated before versions were recorded."""


def content_hashes() -> dict[str, dict[str, str]]:
    """Part -> version -> sha256 of the content, the current version last."""
    return tomllib.loads(VERSIONS_FILE.read_text(encoding="utf-8"))


def _read_current() -> SimulationVersions:
    hashes = content_hashes()
    return SimulationVersions(**{part: list(hashes[part])[-1] for part in PARTS})


CURRENT = _read_current()
"""Versions of this code."""


def write_suite_name() -> str:
    """Name of the online benchmark: its version and the first digits of its content hashes.

    >>> write_suite_name().startswith(f"fingertip-sim {CURRENT.suite} (")
    True
    """
    hashes = content_hashes()
    digits = "-".join(list(hashes[part].values())[-1][:8] for part in PARTS)
    return f"fingertip-sim {CURRENT.suite} ({digits})"


def check_suite(versions: SimulationVersions) -> None:
    """Refuse tasks of another suite than this code's.

    Raises:
        PhoneSetupError: They are.
    """
    if versions.suite != CURRENT.suite:
        theirs = "no suite" if versions == UNVERSIONED else f"suite {versions.suite}"
        raise PhoneSetupError(
            f"the tasks are of {theirs}, this phone has suite {CURRENT.suite}: simulate the people again, or "
            "install the release of fingertip-20k that has their suite"
        )
