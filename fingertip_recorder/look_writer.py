"""Writer of a simulated person's moments: their lines, and the screen of each as files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fingertip_dataset.release.moment_files import MomentLine, MomentsHead, write_moments
from fingertip_dataset.release.settings import ReleaseSettings
from fingertip_dataset.release.user_folders import MOMENTS_FILE, MOMENTS_FOLDER
from fingertip_dataset.tasks.moments import MOMENTS_VERSION
from fingertip_dataset.times import format_time
from fingertip_recorder.place_words import write_place
from simulated_phone.people.life import Life, SimulatedEpisode
from simulated_phone.people.look_odds import LookOdds
from simulated_phone.people.looks import PhoneLook, draw_patience


def write_looks(
    folder: Path, life: Life, episodes: Sequence[SimulatedEpisode], settings: ReleaseSettings
) -> None:
    """Write moments.jsonl and the screens of the moments, of every kind in the same way.

    Args:
        folder: The person's folder in the release.
        life: The person's life, on whose phone the screens are drawn.
        episodes: The episodes of the month, the earliest first; at least one.
        settings: Settings of the release.
    """
    screens = folder / MOMENTS_FOLDER
    screens.mkdir()
    head = MomentsHead(
        version=MOMENTS_VERSION,
        patience=draw_patience(episodes[0].person),
        drifts=tuple(day.isoformat() for day in life.list_drift_dates()),
    )
    lines = []
    for look, odds, frame in life.see_looks(episodes):
        line = _make_line(look, odds, episodes, settings)
        if frame.screenshot is not None:
            (screens / f"{line.time}.jpg").write_bytes(frame.screenshot)
        (screens / f"{line.time}.xml").write_bytes(frame.tree.encode())
        lines.append(line)
    (folder / MOMENTS_FILE).write_text(write_moments(head, lines), encoding="utf-8")


def _make_line(
    look: PhoneLook, odds: LookOdds, episodes: Sequence[SimulatedEpisode], settings: ReleaseSettings
) -> MomentLine:
    person = episodes[0].person
    after = None if look.number is None else episodes[look.number].setup.moment
    episode = None if after is None else format_time(after, settings.zone)
    return MomentLine(
        time=format_time(look.moment, settings.zone),
        scenario=write_place(look.place, person.locale),
        kind=look.kind,
        condition=look.missing,
        episode=episode,
        wanted=odds.wanted,
        right=odds.right,
    )
