"""What tells moments with an intent from others without knowing the person: a check that it is chance.

`python -m fingertip_studies.moments.leak_check DATASET`: classifiers are trained on four fifths of the people
and tested on the rest, in turn, so that no one's habits are known. Each sees one kind of what lies in a row.
An area under the curve (AUC) of 0.5 is chance; its 95 % interval is over people. The last row is a check of
the classifier itself: it sees the time since the latest own intent, which does tell, as it should.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fingertip_dataset.markdown_table import markdown_table
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import MOMENT_SPLITS
from fingertip_dataset.tasks.moments import INTENT

FOLDS, DRAWS, SEED = 5, 500, 0
"""Parts of the people, bootstrap draws of people, and the seed of both."""
SMALL = (9, 20)
"""Width and height of the shrunken screenshots, px."""

Numbers = npt.NDArray[np.float64]
Row = Mapping[str, Any]
Describe = Callable[[Row], Mapping[str, float | str]]
"""Features of a row by name; texts are categories."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakScore:
    """How well a classifier tells moments with an intent from others.

    Attributes:
        name: What it sees.
        auc: Area under the curve; 0.5 is chance.
        low: Lower end of the 95 % interval over people.
        high: Upper end of the interval.
    """

    name: str
    auc: float
    low: float
    high: float


def describe_time(row: Row) -> dict[str, float | str]:
    """Hour, minute, second, weekday, date and place."""
    at: datetime = row["time"]
    return {
        "minute": 60 * at.hour + at.minute,
        "hour": at.hour,
        "minute of the hour": at.minute,
        "second": at.second,
        "weekday": at.weekday(),
        "date": at.toordinal(),
        "place": row["scenario"],
    }


def describe_profile(row: Row) -> dict[str, float | str]:
    """Time and place with the profile, in which they may differ."""
    profile = {
        name: value if isinstance(value, int) else str(value) for name, value in row["user_profile"].items()
    }
    return {**describe_time(row), **profile, "type": str(row["user_type"])}


def describe_record(row: Row) -> dict[str, float | str]:
    """All that a row is besides: sizes, names, counts of nulls and of history."""
    picture = row["screenshots"][0]
    seen = (
        "user_profile",
        "user_type",
        "time",
        "scenario",
        "scenario_category",
        "screenshots",
        "accessibility_trees",
    )
    return {
        "bytes": len(picture["bytes"]),
        "name": len(picture["path"]),
        "tree": len(row["accessibility_trees"][0]),
        "nulls": sum(row[name] is None for name in seen),
        "id": len(row["episode_id"]),
        "second": int(row["episode_id"][-2:]),
        "place in the file": row["place in the file"],
    }


def describe_tree(row: Row) -> dict[str, float | str]:
    """Texts of the tree and numbers of its nodes."""
    from fingertip_dataset.ui_tree.accessibility import parse_tree

    tree = parse_tree(row["accessibility_trees"][0])
    texts = [node.text for node in tree.elements if node.text]
    return {
        "nodes": len(tree.elements),
        "texts": len(texts),
        **{f"text {at}": text for at, text in enumerate(texts[:40])},
    }


def describe_screen(row: Row) -> dict[str, float | str]:
    """Brightness of the shrunken screenshot, a number a pixel."""
    from PIL import Image

    with Image.open(BytesIO(row["screenshots"][0]["bytes"])) as picture:
        small = np.asarray(picture.convert("L").resize(SMALL), dtype=float).ravel()
    return {f"pixel {at}": float(value) for at, value in enumerate(small)}


def describe_recent(row: Row) -> dict[str, float | str]:
    """Minutes since the latest own intent: history tells, as it should."""
    latest = row["previous_intents"][-1:] or [None]
    away = 1e6 if latest[0] is None else (row["time"] - latest[0]["time"]).total_seconds() / 60
    return {"minutes": away}


LOOKS: Mapping[str, Describe] = {
    "time, date and place": describe_time,
    "the same and the profile": describe_profile,
    "sizes, names, nulls, order": describe_record,
    "texts of the tree": describe_tree,
    "the screenshot": describe_screen,
    "time since the latest intent (tells)": describe_recent,
}


def check_leaks(rows: Sequence[Row], looks: Mapping[str, Describe] = LOOKS) -> Iterator[LeakScore]:
    """Yield how well each kind of what lies in a row tells moments with an intent from others.

    Args:
        rows: Rows of the config "moments" of at least `FOLDS` people.
        looks: Name of what a classifier sees -> its features.
    """
    people = np.array([row["user_id"] for row in rows])
    wanted = np.array([row["kind"] == INTENT for row in rows])
    for name, look in looks.items():
        scores = _predict_by_others(_make_table([look(row) for row in rows]), wanted, people)
        aucs = sorted(find_auc(scores[chosen], wanted[chosen]) for chosen in _draw_people(people))
        low, high = (aucs[round(share * (len(aucs) - 1))] for share in (0.025, 0.975))
        yield LeakScore(name=name, auc=find_auc(scores, wanted), low=low, high=high)


def find_auc(scores: Numbers, wanted: npt.NDArray[np.bool_]) -> float:
    """Probability that a moment with an intent has a higher score than one without; a tie counts half."""
    from scipy.stats import rankdata

    positive = int(wanted.sum())
    ranks = rankdata(scores)[wanted].sum()
    return float((ranks - positive * (positive + 1) / 2) / (positive * (len(wanted) - positive)))


def _make_table(features: Sequence[Mapping[str, float | str]]) -> Numbers:
    """Features as numbers: texts by their number among all texts of the feature, missing ones as NaN."""
    names = list(dict.fromkeys(name for one in features for name in one))
    columns = []
    for name in names:
        values = [one.get(name) for one in features]
        texts = {text: at for at, text in enumerate(sorted({one for one in values if isinstance(one, str)}))}
        columns.append(
            [np.nan if one is None else float(texts[one] if isinstance(one, str) else one) for one in values]
        )
    return np.array(columns, dtype=float).T


def _predict_by_others(
    table: Numbers, wanted: npt.NDArray[np.bool_], people: npt.NDArray[np.str_]
) -> Numbers:
    """Score each moment by a classifier that has seen other people alone."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.model_selection import GroupKFold

    scores = np.zeros(len(wanted))
    for train, test in GroupKFold(FOLDS).split(table, wanted, people):
        model = HistGradientBoostingClassifier(
            max_iter=100, learning_rate=0.05, max_leaf_nodes=15, min_samples_leaf=40, random_state=SEED
        )
        scores[test] = model.fit(table[train], wanted[train]).predict_proba(table[test])[:, 1]
    return scores


def _draw_people(people: npt.NDArray[np.str_]) -> Iterator[npt.NDArray[np.int64]]:
    """Yield the rows of people drawn with replacement."""
    rng = np.random.default_rng(SEED)
    names = np.unique(people)
    own = [np.flatnonzero(people == name) for name in names]
    for _ in range(DRAWS):
        yield np.concatenate([own[at] for at in rng.integers(len(names), size=len(names))])


def read_rows(dataset: Path) -> list[Row]:
    """Read all moments of a dataset, each with its place among the person's in its file, from 0 to 1.

    Raises:
        UsageError: The dataset has no moments.
    """
    built = BuiltDataset.open(dataset)
    rows: list[Row] = []
    for split in MOMENT_SPLITS:
        own: dict[str, list[dict[str, Any]]] = {}
        for row in built.rows(split, config="moments"):
            own.setdefault(row["user_id"], []).append(row)
        for moments in own.values():
            rows += [row | {"place in the file": at / len(moments)} for at, row in enumerate(moments)]
    return rows


def main(arguments: Sequence[str]) -> None:
    """Print a table of `check_leaks` for a dataset."""
    rows = read_rows(Path(arguments[0]))
    header = ("what a classifier sees", "AUC", "95 % interval over people")
    cells = [(one.name, f"{one.auc:.3f}", f"{one.low:.3f} to {one.high:.3f}") for one in check_leaks(rows)]
    print(f"{len(rows)} moments of {len({row['user_id'] for row in rows})} people")
    print(markdown_table(header, cells))


if __name__ == "__main__":
    main(sys.argv[1:])
