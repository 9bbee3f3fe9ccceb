"""All attacks: bundles with one forged part each, and the expected kind of refusal."""

from __future__ import annotations

from board.tests.fingertip_leaderboard.attacks_on_devices import DEVICES
from board.tests.fingertip_leaderboard.attacks_on_names import NAMES
from board.tests.fingertip_leaderboard.attacks_on_schema import BOUNDS, HEAD, SCHEMA
from board.tests.fingertip_leaderboard.attacks_on_scores import FILES, JUDGES, RATERS, SCORES
from board.tests.fingertip_leaderboard.attacks_on_steps import LOG, STEPS
from board.tests.fingertip_leaderboard.attacks_on_tasks import COVERAGE, EFFORT, INPUTS, READING
from board.tests.fingertip_leaderboard.forging import together

ATTACKS = together(
    SCHEMA,
    BOUNDS,
    HEAD,
    DEVICES,
    NAMES,
    COVERAGE,
    INPUTS,
    EFFORT,
    LOG,
    STEPS,
    READING,
    JUDGES,
    RATERS,
    SCORES,
    FILES,
)
