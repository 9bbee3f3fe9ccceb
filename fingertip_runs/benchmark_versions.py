"""Versions of what the scores of a run depend on; docs/developers/versioning.md says when each changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.errors import DatasetError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.simulations import list_heads

if TYPE_CHECKING:
    from simulated_phone.versions import SimulationVersions

HARNESS = "2.1"
"""Version of the runners: prompts, readings of answers, step limits, references and metrics."""


EARLIER_HARNESSES: tuple[str, ...] = ("1.0", "2.0")
"""Versions of the harness before this one: their runs can still be read, but have no rank on the board."""


class BenchmarkVersions(FrozenModel):
    """Versions of a run.

    Attributes:
        harness: Version of the runners.
        phone: Version of the simulated phone: of the one that carried the tasks out, else of the one that the
            people were simulated on; None for recorded data on other devices.
        suite: Version of the goals of simulated people; None for recorded data.
        people: Version of the simulated people; None for recorded data.
    """

    harness: str
    phone: str | None = None
    suite: str | None = None
    people: str | None = None

    @classmethod
    def of(cls, built: BuiltDataset, *, on_phone: bool = False) -> BenchmarkVersions:
        """The versions of a run that starts now.

        Args:
            built: Dataset of its tasks.
            on_phone: Whether simulated phones carry the tasks out.

        Raises:
            DatasetError: The dataset's people were simulated with different versions.
        """
        # a scorer reads records without the phone
        from simulated_phone.versions import CURRENT

        data = _find_data_versions(built)
        parts = {} if data is None else data.to_json()
        if on_phone:
            parts["phone"] = CURRENT.phone
        return cls(harness=HARNESS, **parts)

    def words(self) -> str:
        """As in tables.

        >>> BenchmarkVersions(harness="1.0", suite="1.0", people="1.1").words()
        'harness 1.0, suite 1.0, people 1.1'
        """
        return ", ".join(f"{name} {version}" for name, version in self if version is not None)


def is_outdated(versions: BenchmarkVersions | None) -> bool:
    """Whether a run is of an earlier harness, or of before versions were recorded.

    >>> is_outdated(None), is_outdated(BenchmarkVersions(harness=HARNESS))
    (True, False)
    """
    return versions is None or versions.harness != HARNESS


def _find_data_versions(built: BuiltDataset) -> SimulationVersions | None:
    """Versions of a dataset's simulated people; None without such people."""
    from simulated_phone.versions import SimulationVersions

    found = {SimulationVersions.of_simulation(one) for one in list_heads(built.simulations())}
    if len(found) > 1:
        texts = " and ".join(sorted(", ".join(f"{k} {v}" for k, v in one.to_json().items()) for one in found))
        raise DatasetError(
            f"the dataset holds people of different versions ({texts}): build one dataset for each",
            file=built.path,
        )
    return next(iter(found), None)
