"""Hints on the steps of a demonstration, for the person who decides whether it is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from fingertip_recorder.transcript import DemonstratedStep, TimedObservation

FindHints = Callable[[Sequence[DemonstratedStep], TimedObservation], Mapping[int, Sequence[str]]]
"""Function of the steps and the last screen; it returns index of a step, from 0 -> lines about it."""
