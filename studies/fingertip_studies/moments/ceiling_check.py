"""How good the odds of moments are: the share of intents at each level, and what the best decision reaches.

`python -m fingertip_studies.moments.ceiling_check DATASET`: if the probabilities are right, the share of
moments with an intent is the mean probability in each row.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fingertip_dataset.markdown_table import markdown_table
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import MOMENT_SPLITS
from fingertip_dataset.tasks.moments import INTENT, MomentOdds, read_moment_odds

LEVELS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsLevel:
    """Moments of about one probability.

    Attributes:
        low: Least probability that something is wanted; the most is 1 / `LEVELS` above it.
        moments: Number of moments.
        stated: Mean probability.
        wanted: Share of moments with an intent.
    """

    low: float
    moments: int
    stated: float
    wanted: float


def list_levels(odds: Mapping[str, MomentOdds], kinds: Mapping[str, str]) -> Iterator[OddsLevel]:
    """Yield the levels that have moments, the lowest first.

    Args:
        odds: Moment id -> its probabilities.
        kinds: Moment id -> its kind.
    """
    for level in range(LEVELS):
        own = [name for name, one in odds.items() if min(int(one.wanted * LEVELS), LEVELS - 1) == level]
        if own:
            yield OddsLevel(
                low=level / LEVELS,
                moments=len(own),
                stated=sum(odds[name].wanted for name in own) / len(own),
                wanted=sum(kinds[name] == INTENT for name in own) / len(own),
            )


def find_right_decisions(odds: Mapping[str, MomentOdds], kinds: Mapping[str, str]) -> float:
    """Share of moments at which speaking above a probability of one half is right."""
    return sum((one.wanted > 0.5) == (kinds[name] == INTENT) for name, one in odds.items()) / len(odds)


def main(arguments: Sequence[str]) -> None:
    """Print a table of `list_levels` and the share of right decisions for a dataset."""
    built = BuiltDataset.open(Path(arguments[0]))
    odds = read_moment_odds(built)
    rows = (row for split in MOMENT_SPLITS for row in built.rows(split, columns=["episode_id", "kind"]))
    kinds = {row["episode_id"]: row["kind"] for row in rows}
    header = ("probability", "moments", "mean probability", "share with an intent")
    cells = [
        (
            f"{one.low:.1f} to {one.low + 1 / LEVELS:.1f}",
            f"{one.moments:,}",
            f"{one.stated:.3f}",
            f"{one.wanted:.3f}",
        )
        for one in list_levels(odds, kinds)
    ]
    print(markdown_table(header, cells))
    right = [odds[name].right for name, kind in kinds.items() if kind == INTENT]
    print(f"right decisions: {find_right_decisions(odds, kinds):.3f}")
    print(f"right intents where something is wanted: {sum(right) / len(right):.3f}")


if __name__ == "__main__":
    main(sys.argv[1:])
