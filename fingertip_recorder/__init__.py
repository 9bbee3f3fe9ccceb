"""Demonstrations as a raw release, from a phone or from simulated people, and their replay check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_recorder.demonstration import Demonstration
    from fingertip_recorder.episode_writer import EpisodeWriter
    from fingertip_recorder.replay_check import ReplayReport, replay_release
    from fingertip_recorder.simulated_life import SampleOrder, write_sample

__all__ = [
    "Demonstration",
    "EpisodeWriter",
    "ReplayReport",
    "SampleOrder",
    "replay_release",
    "write_sample",
]


if not TYPE_CHECKING:  # a type checker would take every name for one of the package's
    __getattr__, __dir__ = lazy_names(__name__)
