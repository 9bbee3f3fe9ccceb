"""The people of the published benchmark fingertip-sim: their size, their seed, and the hash of their data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from simulated_phone.language.language import CHINESE

if TYPE_CHECKING:
    from fingertip_dataset.parquet.manifest import Manifest
    from fingertip_recorder.simulated_life import SampleOrder

NAME, SEED = "fingertip-sim", 20
"""Name of the benchmark, and of the folder of its dataset, and the seed of its people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Size of a simulated benchmark.

    Attributes:
        users: Number of simulated people.
        episodes: Number of episodes per person.
        screen: Width and height of their phones, px.
        locales: Their languages, by turns; see `SampleOrder`.
    """

    users: int
    episodes: int
    screen: tuple[int, int]
    locales: tuple[str, ...] = (CHINESE,)

    @property
    def words(self) -> str:
        """The size as text.

        >>> PUBLISHED.words
        '100 simulated people (zh and en by turns), 60 episodes each, phones of 360x800'
        """
        width, height = self.screen
        turns = " by turns" if len(self.locales) > 1 else ""
        return (
            f"{self.users} simulated people ({' and '.join(self.locales)}{turns}), {self.episodes} episodes "
            f"each, phones of {width}x{height}"
        )

    def order(self, out: Path, *, seed: int = SEED) -> SampleOrder:
        """The order of a sample of this size.

        Args:
            out: Folder of the sample.
            seed: Seed of the people.
        """
        from fingertip_recorder.simulated_life import SampleOrder

        return SampleOrder(
            out=out,
            users=self.users,
            episodes=self.episodes,
            seed=seed,
            size=self.screen,
            locales=self.locales,
        )


PUBLISHED = Size(users=100, episodes=60, screen=(360, 800), locales=(CHINESE, "en"))

DATA_SHA256 = "d5a591f05ed2ec7cca8e65f9e2f7ccf193311e21300215a42333a5e897821c38"
"""Hash over all files of the built dataset, as docs/baselines.md has its first digits."""

SIMULATIONS_SHA256 = "675e56face7c034d23e39b40b43c9aff063cdb222f239745950cac89d01c04c0"
"""Hash of its simulations.jsonl alone: people, intents and phones, in text that no package writes."""

MOMENTS_SHA256 = "aebf6e1133a062d08c340307f12ba72088c6c457d17d5328038f7a045fb586b0"
"""Hash of the files of its moments, version 1.0, which `DATA_SHA256` leaves out."""

VERSIONS: Mapping[str, str] = MappingProxyType({"phone": "1.3", "suite": "2.0", "people": "2.0"})
"""Versions of the simulated phone, the suite and the people that it was made with."""

PACKAGES: Mapping[str, str] = MappingProxyType(
    {"lxml": "6.1.3", "numpy": "2.4.6", "pillow": "12.3.0", "pyarrow": "26.0.1", "rapidfuzz": "3.14.6"}
)
"""Versions of the packages that wrote its pictures and Parquet files."""


def explain_difference(manifest: Manifest, versions: Mapping[str, str]) -> str | None:
    """Say in one phrase how a built dataset differs from the published one; None if it is the published one.

    Args:
        manifest: Its manifest.
        versions: Versions of phone, suite and people that it was made with; empty for recorded data.
    """
    from fingertip_dataset.parquet.simulations import SIMULATIONS

    if manifest.data_sha256 == DATA_SHA256:
        return None
    others = _list_differences(versions, VERSIONS)
    if not versions or others:
        return f"its people are of {others}" if versions else "its people are not simulated"
    hashes = {entry.file: entry.sha256 for entry in manifest.files}
    if hashes.get(SIMULATIONS) != SIMULATIONS_SHA256:
        return "it has other people or other tasks"
    packages = _list_differences(manifest.source.packages, PACKAGES)
    if packages:
        return f"it has the same people and tasks, but its files were written by {packages}"
    return "it has the same people and tasks, but the bytes of its files differ"


def has_published_moments(manifest: Manifest) -> bool:
    """Check whether a built dataset has the moments of the published one.

    Args:
        manifest: Its manifest.
    """
    return manifest.moments is not None and manifest.moments.data_sha256 == MOMENTS_SHA256


def _list_differences(found: Mapping[str, str], wanted: Mapping[str, str]) -> str:
    return " and ".join(
        f"{name} {found.get(name, 'none')} ({version} in the published one)"
        for name, version in wanted.items()
        if found.get(name) != version
    )
