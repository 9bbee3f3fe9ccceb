"""Validating `fingertip quality`: precision and recall of each kind of flaw, with intervals over people.

`python -m fingertip_studies.quality.flaw_agreement [--users N] [--episodes N] [--seed N] [--json]`.
Simulated people slip, and each episode states which slips happened: typing corrected, a wrong tap undone,
an advertisement closed. Flaws that they do not have are injected into a copy of the same release with known
place. The seed is none of those with which the checks were written (3 and 11). A flaw found where none is
known counts as false, although people may do by intent what a slip looks like.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType

from fingertip_dataset import build
from fingertip_metrics import Interval, bootstrap_mean
from fingertip_recorder import SampleOrder, write_sample
from fingertip_studies.quality.flaw_kinds import FlawKind
from fingertip_studies.quality.measure_dataset import EpisodeQuality, measure_dataset
from fingertip_studies.quality.quality_injection import INJECTIONS, Injected, inject_flaws
from simulated_phone.machine.faults import ADVERTISEMENT
from simulated_phone.people.slips import TYPO, WRONG_TAP

HELD_OUT_SEED = 20261123

SLIP_KINDS: Mapping[str, FlawKind] = MappingProxyType(
    {
        TYPO: FlawKind.TYPING_CORRECTED,
        WRONG_TAP: FlawKind.UNDONE_ACTION,
        ADVERTISEMENT: FlawKind.ADVERTISEMENT,
    }
)
"""Slip of simulated people -> kind of flaw that shows it."""

SHARE = 0.7
"""Share of episodes with an injected flaw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How well a kind of flaw is found.

    Attributes:
        truth: Slip or injection.
        kind: Kind of flaw.
        known: Number of episodes that have it.
        found: Number of these in which it was found.
        false: Number of episodes in which the kind was found and none is known.
        placed: Share of the found ones that cover the known step; None if no step is known.
        recall: Share of the known ones that were found, with its interval over people.
        precision: Share of the episodes found to have the kind that have it, with its interval; for
            injections of the same kind, any of them.
    """

    truth: str
    kind: FlawKind
    known: int
    found: int
    false: int
    placed: float | None
    recall: Interval | None
    precision: Interval | None


def measured(dataset: Path, parts: Path, workers: int) -> list[EpisodeQuality]:
    """Every episode of a dataset, measured."""
    return measure_dataset(dataset, parts, workers=workers).ordered()


def slip_agreements(
    episodes: Sequence[EpisodeQuality], slips: Mapping[str, Sequence[str]]
) -> list[Agreement]:
    """Compare flaws with the slips that happened.

    Args:
        episodes: Measured episodes.
        slips: Episode id -> its slips.
    """
    return [
        _measure_agreement(slip, kind, episodes, {name for name, known in slips.items() if slip in known})
        for slip, kind in SLIP_KINDS.items()
    ]


def injection_agreements(episodes: Sequence[EpisodeQuality], injected: Sequence[Injected]) -> list[Agreement]:
    """Compare flaws with injected ones."""
    found = []
    by_kind = {
        kind: {one.episode_id for one in injected if kind in (one.kind, one.brings)}
        for kind in {one.kind for one in injected}
    }
    for name in INJECTIONS:
        own = {one.episode_id: one for one in injected if one.injection == name}
        if not own:
            continue
        kind = next(iter(own.values())).kind
        # an episode with another injection of the same kind is neither this one's nor a false one
        others = by_kind[kind] - own.keys()
        rest = [episode for episode in episodes if episode.episode_id not in others]
        row = _measure_agreement(name, kind, rest, set(own))
        steps = {one.episode_id: one.step for one in own.values() if one.step is not None}
        found.append(_count_placed(row, rest, steps))
    return found


def _measure_agreement(
    truth: str, kind: FlawKind, episodes: Sequence[EpisodeQuality], true: Collection[str]
) -> Agreement:
    known = [episode for episode in episodes if episode.episode_id in true]
    positive = [episode for episode in episodes if episode.counts[kind]]
    hits = [episode for episode in known if episode.counts[kind]]
    return Agreement(
        truth=truth,
        kind=kind,
        known=len(known),
        found=len(hits),
        false=len(positive) - len(hits),
        placed=None,
        recall=_compute_share([float(bool(one.counts[kind])) for one in known], known),
        precision=_compute_share([float(one.episode_id in true) for one in positive], positive),
    )


def _count_placed(row: Agreement, episodes: Sequence[EpisodeQuality], steps: Mapping[str, int]) -> Agreement:
    from dataclasses import replace

    hits = [one for one in episodes if one.episode_id in steps and one.counts[row.kind]]
    if not hits:
        return row
    placed = [
        any(flaw.kind is row.kind and flaw.covers(steps[one.episode_id]) for flaw in one.flaws)
        for one in hits
    ]
    return replace(row, placed=sum(placed) / len(placed))


def _compute_share(values: Sequence[float], episodes: Sequence[EpisodeQuality]) -> Interval | None:
    if not values:
        return None
    return bootstrap_mean(values, [episode.user_id for episode in episodes], share=True)


def validate(
    *, users: int, episodes: int, seed: int, folder: Path, workers: int = 1
) -> tuple[list[Agreement], list[Agreement]]:
    """Simulate people, inject flaws into a copy, and measure both.

    Returns:
        Agreement with slips, and with injected flaws.
    """
    sample, copy = folder / "sample", folder / "injected"
    write_sample(
        SampleOrder(out=sample, users=users, episodes=episodes, seed=seed, size=(270, 600)), workers=workers
    )
    built = build(sample / "raw", folder / "dataset", tables=sample / "tables", workers=workers)
    assert built.episodes.kept == users * episodes  # noqa: S101 - the benchmark's own data
    measurement = measure_dataset(folder / "dataset", folder / "parts", workers=workers)
    slips = {name: tuple(one["slips"]) for name, one in measurement.built.simulations().items()}
    by_slips = slip_agreements(measurement.ordered(), slips)
    shutil.copytree(sample / "raw", copy)
    injected = inject_flaws(copy, share=SHARE, seed=seed)
    build(copy, folder / "injected_dataset", workers=workers)
    found = measured(folder / "injected_dataset", folder / "injected_parts", workers)
    return by_slips, injection_agreements(found, injected)


def _describe(interval: Interval | None) -> str:
    if interval is None:
        return "–"
    if interval.low is None or interval.high is None:
        return f"{interval.mean:.0%}"
    return f"{interval.mean:.0%} [{interval.low:.0%}, {interval.high:.0%}]"


def _print(title: str, rows: Sequence[Agreement]) -> None:
    print(f"\n{title}")
    heads = f"{'recall [95 %]':<20}{'precision [95 %]':<20}at step"
    print(f"{'truth':<20}{'kind':<23}{'known':>6}{'false':>6}  {heads}")
    for row in rows:
        placed = "–" if row.placed is None else f"{row.placed:.0%}"
        print(
            f"{row.truth:<20}{row.kind.value:<23}{row.known:>6}{row.false:>6}  {_describe(row.recall):<20}"
            f"{_describe(row.precision):<20}{placed}"
        )


def main() -> None:
    """Print the agreement with slips and with injected flaws."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=16)
    parser.add_argument("--episodes", type=int, default=40)
    parser.add_argument("--seed", type=int, default=HELD_OUT_SEED)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    run = partial(validate, users=options.users, episodes=options.episodes, seed=options.seed)
    with tempfile.TemporaryDirectory(prefix="fingertip-quality-") as folder:
        by_slips, by_injection = run(folder=Path(folder), workers=options.workers)
    if options.json:
        rows = {"slips": by_slips, "injected": by_injection}
        print(json.dumps({name: [asdict(row) for row in own] for name, own in rows.items()}))
        return
    print(f"{options.users} simulated people, {options.episodes} episodes each, seed {options.seed}")
    _print("slips of simulated people", by_slips)
    _print(f"injected into {SHARE:.0%} of the episodes of a copy", by_injection)


if __name__ == "__main__":
    main()
