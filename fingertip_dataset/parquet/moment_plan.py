"""Plan of the moments of a build: their splits by time, their rows, and the files that no task shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.parquet.dataset_rows import Row, make_moment_row
from fingertip_dataset.parquet.manifest import MomentCounts
from fingertip_dataset.release.moment_files import Moment
from fingertip_dataset.release.settings import ReleaseSettings
from fingertip_dataset.split_names import MOMENT_SPLITS, TEST_MOMENTS, TRAIN_MOMENTS, VALI_MOMENTS
from fingertip_dataset.tasks.history import History, release_order
from fingertip_dataset.tasks.moments import INTENT, OddsRecord, PatienceRecord

MOMENTS_A_SHARD = 5000
"""Moments of a shard, about 100 MB."""


def split_moments(moments: Iterable[Moment], intents: Iterable[Intent]) -> dict[str, tuple[Moment, ...]]:
    """Split the moments of each user by time, as rule A.5 does with the user's episodes.

    A border lies in the middle between two episodes: at an episode itself, the first moment of a split would
    always be one with an intent.

    Args:
        moments: The moments, by user and time.
        intents: Intents of all usable episodes, in any order.
    """
    episodes: dict[str, list[datetime]] = {}
    for intent in sorted(intents, key=release_order):
        episodes.setdefault(intent.user_id, []).append(intent.moment)
    borders = {user: _find_borders(own) for user, own in episodes.items()}
    parts: dict[str, list[Moment]] = {split: [] for split in MOMENT_SPLITS}
    for moment in moments:
        first, second = borders.get(moment.at.user_id, (None, None))
        when = moment.at.moment
        is_train = first is not None and when < first
        is_vali = second is not None and when < second
        parts[TRAIN_MOMENTS if is_train else VALI_MOMENTS if is_vali else TEST_MOMENTS].append(moment)
    return {split: tuple(part) for split, part in parts.items()}


def _find_borders(episodes: Sequence[datetime]) -> tuple[datetime | None, datetime | None]:
    """Beginnings of the middle and the last part of a user's moments; None before everything."""
    count = len(episodes)
    return _find_middle(episodes, 3 * count // 5), _find_middle(episodes, count - max(1, count // 5))


def _find_middle(episodes: Sequence[datetime], number: int) -> datetime | None:
    if not number:
        return None
    before, after = episodes[number - 1 : number + 1]
    return before + (after - before) / 2


def make_row(
    moment: Moment,
    *,
    profile: UserProfile,
    user_type: int | None,
    history: History,
    settings: ReleaseSettings,
) -> Row:
    """Return the row of a moment, whose history ends strictly before it."""
    return make_moment_row(
        moment,
        profile=profile,
        user_type=user_type,
        previous=history.before(moment.at),
        settings=settings,
    )


def count_moments(parts: Mapping[str, Sequence[Moment]]) -> dict[str, MomentCounts]:
    """Count the moments of each split."""
    return {split: _count(part) for split, part in parts.items()}


def _count(moments: Sequence[Moment]) -> MomentCounts:
    kinds = [moment.kind for moment in moments]
    return MomentCounts(
        moments=len(moments),
        wanted=kinds.count(INTENT),
        kinds={kind: kinds.count(kind) for kind in sorted(set(kinds))},
        users=len({moment.at.user_id for moment in moments}),
    )


def write_odds(moments: Iterable[Moment]) -> str:
    """Return the content of `ODDS_FILE`."""
    records = (
        OddsRecord(moment_id=moment.moment_id, wanted=moment.odds.wanted, right=moment.odds.right)
        for moment in moments
    )
    return "".join(record.model_dump_json() + "\n" for record in records)


def write_patience(patience: Mapping[str, int], drifts: Mapping[str, tuple[str, ...]]) -> str:
    """Return the content of `PATIENCE_FILE`."""
    records = (
        PatienceRecord(user_id=user, patience=number, drifts=drifts.get(user, ()))
        for user, number in patience.items()
    )
    return "".join(record.model_dump_json() + "\n" for record in records)
