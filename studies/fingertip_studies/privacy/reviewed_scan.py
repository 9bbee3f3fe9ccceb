"""Gain of people's review over a scan for private parts: recall and precision after simulated raters.

`python -m fingertip_studies.privacy.reviewed_scan [PEOPLE] [EPISODES]`: values are planted into simulated
recordings, the scan looks for them, and simulated raters with a stated error rate decide on its finds and
draw the boxes that it missed on the screens they see. They stand for no people: what people reach is known
only from people. Recall is over all places of all known values, found as any kind; finds of doubtful texts
are not counted.
"""

from __future__ import annotations

import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import get_args

from fingertip_dataset.release.read_release import read_release
from fingertip_privacy.find_decisions import DecisionRule
from fingertip_privacy.finds import Find, read_finds
from fingertip_privacy.planted.known_secrets import KnownSecret, find_secrets_of_episode
from fingertip_privacy.planted.plant_release import plant_release
from fingertip_privacy.planted.scan_score import covers, score_scan
from fingertip_privacy.planted.simulated_rater import review_finds, simulate_decisions
from fingertip_privacy.scan.scan import scan
from fingertip_recorder.simulated_life import SampleOrder, write_sample

PEOPLE, EPISODES, SEED = 2, 3, 5
SIZE = (1080, 2400)
ERROR_RATES = (0.0, 0.05, 0.2)
RATERS = (1, 3)

Neutral = Mapping[str, frozenset[str]]
"""Episode -> texts that count neither as right nor as wrong."""


def truth_of(
    finds: Sequence[Find], secrets: Sequence[KnownSecret], neutral: Neutral
) -> tuple[dict[str, bool], list[KnownSecret]]:
    """Id of a find -> whether it is private, without doubtful ones; and the secrets that no find covers."""
    private = {}
    for find in finds:
        # one at a time, so that the score tells of each whether it is right, wrong or doubtful
        for cell in score_scan([find], secrets, neutral).values():
            if cell.finds:
                private[find.id] = bool(cell.right)
    found: dict[object, list[Find]] = defaultdict(list)
    for find in finds:
        found[_place(find)].append(find)
    return private, [secret for secret in secrets if not covers(secret, found[_place(secret)])]


def _place(one: Find | KnownSecret) -> object:
    return one.place, one.file, one.field, one.step


def figures(finds: Iterable[Find], secrets: Sequence[KnownSecret], neutral: Neutral) -> str:
    """Recall and precision in words."""
    cells = score_scan(finds, secrets, neutral).values()
    known, covered = sum(cell.secrets for cell in cells), sum(cell.found_as_any for cell in cells)
    shown, right = sum(cell.finds for cell in cells), sum(cell.right for cell in cells)
    return (
        f"recall {100 * covered / known:5.1f} % of {known}, precision {100 * right / shown:5.1f} % of {shown}"
    )


def main(people: int = PEOPLE, episodes: int = EPISODES) -> None:
    """Plants, scans, reviews by simulation, and prints a line for each setting."""
    with tempfile.TemporaryDirectory(prefix="fingertip-privacy-review-") as name:
        folder = Path(name)
        write_sample(
            SampleOrder(out=folder / "sample", users=people, episodes=episodes, seed=SEED, size=SIZE)
        )
        raw = folder / "sample" / "raw"
        secrets = plant_release(raw, seed=SEED)
        scan(raw, folder / "report")
        finds = [*read_finds(folder / "report")]
        release = read_release(raw)
        neutral = {
            episode.episode_id: frozenset(find_secrets_of_episode(release.root, str(episode.folder)).neutral)
            for episode in release.episodes
        }
    private, missed = truth_of(finds, secrets, neutral)
    print(f"{people} simulated people, {episodes} episodes each, {SIZE[0]}x{SIZE[1]} px, seed {SEED}")
    print(f"{'scan alone':<34} {figures(finds, secrets, neutral)}")
    for error_rate in ERROR_RATES:
        for raters in RATERS:
            lines = [
                line
                for number in range(raters)
                for line in simulate_decisions(
                    finds, private, missed, rater=f"simulated {number}", error_rate=error_rate, seed=SEED
                )
            ]
            for rule in get_args(DecisionRule) if raters > 1 else ("any",):
                setting = f"{raters} simulated, {100 * error_rate:2.0f} % errors, {rule}"
                print(f"{setting:<34} {figures(review_finds(finds, lines, rule), secrets, neutral)}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
