"""Benchmarks of speed and memory as ratios to a named baseline of the same run.

`python -m benchmarks` runs all, `python -m benchmarks.NAME` one.
"""
