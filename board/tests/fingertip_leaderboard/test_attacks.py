"""Every forged bundle is refused because of its forged part."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from board.tests.fingertip_leaderboard.attacks import ATTACKS
from board.tests.fingertip_leaderboard.bundle_factory import Workshop
from board.tests.fingertip_leaderboard.forging import Attack
from fingertip_leaderboard import verify_bundle

LATER = datetime.now(UTC) + timedelta(hours=1)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_a_forged_bundle_is_refused_with_the_place_and_kind(
    workshop: Workshop, attack: Attack, tmp_path: Path
) -> None:
    parts = workshop.parts(attack.seed)
    attack.forge(parts)
    report = verify_bundle(parts.write(tmp_path / "bundle"), workshop.dataset_of(attack.seed), now=LATER)
    kinds = {problem.kind for problem in report.problems}
    assert attack.kind in kinds, [str(problem) for problem in report.problems]
    assert kinds <= {attack.kind, *attack.also}, [str(problem) for problem in report.problems]
    first = next(problem for problem in report.problems if problem.kind == attack.kind)
    assert first.file.startswith(attack.file)
    assert first.line == (attack.line if attack.task is None else parts.line(attack.task, attack.step))
    assert first.reason
    assert "\n" not in first.reason
    assert not report.accepted
    assert report.scores is None


def test_there_are_at_least_60_different_attacks() -> None:
    assert len(ATTACKS) >= 60
    assert all(count == 1 for count in Counter((one.name, one.seed) for one in ATTACKS).values())
