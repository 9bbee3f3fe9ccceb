"""Demonstrations as a raw release: of a person's phone, and of simulated people; and their replay check."""

from __future__ import annotations

from fingertip_recorder.demonstration import Demonstration
from fingertip_recorder.episode_writer import EpisodeWriter
from fingertip_recorder.replay_check import ReplayReport, replay_release

__all__ = ["Demonstration", "EpisodeWriter", "ReplayReport", "replay_release"]
