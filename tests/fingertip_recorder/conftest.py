"""Fixtures of the recorder's tests: a simulated phone behind a real adb."""

from __future__ import annotations

from tests.phone_bench import adb_port, bench

__all__ = ["adb_port", "bench"]
