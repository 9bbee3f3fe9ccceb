"""Check that moments with an intent are told from others by chance alone, without knowing the person.

`python -m fingertip_studies.moments.leak_check DATASET`: classifiers are trained on half of the people and
tested on the others, so that no one's habits are known. Each sees one kind of what lies in a row. An area
under the curve (AUC) of 0.5 is chance; its 95 % interval is over the people of the test. The last row is a
check of the classifier itself: it sees the time since the latest own intent, which does tell, as it should.

The halves do not take turns. If they did, chance that makes something more frequent before an intent in one
half would count against the classifier in the other: where labels were swapped at random, the AUCs of five
folds in turn spread 1.5 times as much as their interval says.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fingertip_dataset.markdown_table import markdown_table
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import MOMENT_SPLITS
from fingertip_dataset.tasks.moments import INTENT

DRAWS, SEED = 1000, 0
"""Bootstrap draws of people, and the seed of these and of the halves."""
SMALL = (9, 20)
"""Width and height of the shrunken screenshots, px."""
SHOWN = ("user_profile", "user_type", "time", "scenario", "scenario_category")
"""Columns that tasks show, but for screens and history."""

Numbers = npt.NDArray[np.float64]
Row = Mapping[str, Any]
Features = Mapping[str, float | str]
"""Features of a row by name; texts are categories."""
Describe = Callable[[Sequence[Row]], list[Features]]
"""Features of each of a person's rows of one split, which are in the order of the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Part of a row from which a classifier may tell.

    Attributes:
        name: Name of the part.
        columns: Columns that it needs.
        describe: Its features.
    """

    name: str
    columns: tuple[str, ...]
    describe: Describe


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakScore:
    """How well a classifier tells moments with an intent from others.

    Attributes:
        name: Name of the part of a row that it sees.
        moments: Number of moments of the test.
        people: Number of people of the test.
        auc: Area under the curve; 0.5 is chance.
        low: Lower end of the 95 % interval over people.
        high: Upper end of the interval.
    """

    name: str
    moments: int
    people: int
    auc: float
    low: float
    high: float


def describe_times(rows: Sequence[Row]) -> list[Features]:
    """Hour, minute, weekday, date and place."""
    return [
        {
            "minute": 60 * at.hour + at.minute,
            "hour": at.hour,
            "minute of the hour": at.minute,
            "weekday": at.weekday(),
            "date": at.toordinal(),
            "place": row["scenario"],
        }
        for row in rows
        for at in [row["time"]]
    ]


def describe_profiles(rows: Sequence[Row]) -> list[Features]:
    """Time and place with the profile, in which they may differ."""
    return [
        {
            **times,
            **{
                name: value if isinstance(value, int) else str(value)
                for name, value in row["user_profile"].items()
            },
            "type": str(row["user_type"]),
        }
        for row, times in zip(rows, describe_times(rows), strict=True)
    ]


def describe_seconds(rows: Sequence[Row]) -> list[Features]:
    """Second of the minute, and whether the time has a fraction of it."""
    return [{"second": row["time"].second, "fraction": row["time"].microsecond} for row in rows]


def describe_order(rows: Sequence[Row]) -> list[Features]:
    """Place of a row among the person's rows of a split, from 0 to 1, and whether it is even."""
    return [{"place": at / len(rows), "even": at % 2} for at in range(len(rows))]


def describe_nulls(rows: Sequence[Row]) -> list[Features]:
    """Whether each column that a task shows is null, and the length of what it says."""
    return [
        {
            f"{part} {name}": value
            for name in SHOWN
            for part, value in (("null", row[name] is None), ("length", len(str(row[name]))))
        }
        for row in rows
    ]


def describe_ids(rows: Sequence[Row]) -> list[Features]:
    """Characters of the id and its length."""
    return [
        {"length": len(name), **{f"character {at}": one for at, one in enumerate(name)}}
        for name in (row["episode_id"].split("__", 1)[-1] for row in rows)
    ]


def describe_trees(rows: Sequence[Row]) -> list[Features]:
    """All numbers and words of the tree at places that are not the same in all of the person's trees."""
    values = [re.findall(r'="([^"]*)"', row["accessibility_trees"][0]) for row in rows]
    places = [at for at, found in enumerate(zip(*values, strict=False)) if len(set(found)) > 1]
    return [
        {
            "length": len(row["accessibility_trees"][0]),
            "values": len(own),
            **{name: part for at in places for name, part in _split_text(at, own[at])},
        }
        for row, own in zip(rows, values, strict=True)
    ]


def _split_text(at: int, text: str) -> Iterator[tuple[str, float | str]]:
    """Yield the numbers in a text, and the text without them, with their names."""
    yield f"words {at}", re.sub(r"\d+", "#", text)
    for place, number in enumerate(re.findall(r"\d+", text)):
        yield f"number {at} {place}", float(number)


def describe_screens(rows: Sequence[Row]) -> list[Features]:
    """Brightness of each pixel of the shrunken screenshot, its size in bytes and the length of its name."""
    # as they are, and not less the person's mean: that is a habit of theirs, such as looking in the evening
    return [
        {
            "bytes": len(picture["bytes"]),
            "name": len(picture["path"] or ""),
            **{f"pixel {at}": float(value) for at, value in enumerate(_shrink(picture["bytes"]))},
        }
        for picture in (row["screenshots"][0] for row in rows)
    ]


def _shrink(screenshot: bytes) -> Numbers:
    """Grey pixels of a JPEG screenshot at `SMALL`."""
    from PIL import Image

    with Image.open(BytesIO(screenshot)) as picture:
        # the decoder itself makes it an eighth as large, which takes a sixth of the time
        picture.draft("L", SMALL)
        return np.asarray(picture.convert("L").resize(SMALL, Image.Resampling.BOX), dtype=float).ravel()


def describe_recent(rows: Sequence[Row]) -> list[Features]:
    """Minutes since the latest own intent: history tells, as it should."""
    return [{"minutes": _find_minutes(row["time"], row["previous_intents"][-1:])} for row in rows]


def _find_minutes(now: datetime, latest: Sequence[Mapping[str, Any]]) -> float:
    return (now - latest[0]["time"]).total_seconds() / 60 if latest else 1e6


EVIDENCE = (
    Evidence(name="hour, weekday, date and place", columns=("time", "scenario"), describe=describe_times),
    Evidence(
        name="the same and the profile",
        columns=("time", "scenario", "user_profile", "user_type"),
        describe=describe_profiles,
    ),
    Evidence(name="seconds", columns=("time",), describe=describe_seconds),
    Evidence(name="order of the rows", columns=(), describe=describe_order),
    Evidence(name="nulls and lengths of columns", columns=SHOWN, describe=describe_nulls),
    Evidence(name="characters of the id", columns=("episode_id",), describe=describe_ids),
    Evidence(name="numbers and words of the tree", columns=("accessibility_trees",), describe=describe_trees),
    Evidence(name="pixels and size of the screenshot", columns=("screenshots",), describe=describe_screens),
    Evidence(
        name="time since the latest intent (tells)",
        columns=("time", "previous_intents"),
        describe=describe_recent,
    ),
)


def check_leak(evidence: Evidence, rows: Iterable[Row]) -> LeakScore:
    """Score how well a part of a row tells moments with an intent from others.

    Args:
        evidence: The part.
        rows: Rows of the config "moments" of at least two people with its columns, "user_id" and "kind";
            a person's rows of a split stand together.
    """
    names: list[str] = []
    kinds: list[bool] = []
    features: list[Features] = []
    for user, group in groupby(rows, key=lambda row: str(row["user_id"])):
        own = list(group)
        names += [user] * len(own)
        kinds += [row["kind"] == INTENT for row in own]
        features += evidence.describe(own)
    people, wanted = np.array(names), np.array(kinds)
    tested = _choose_half(people)
    scores = _predict_others(_make_table(features), wanted, tested)
    people, wanted = people[tested], wanted[tested]
    aucs = sorted(find_auc(scores[chosen], wanted[chosen]) for chosen in _draw_people(people))
    low, high = (aucs[round(share * (len(aucs) - 1))] for share in (0.025, 0.975))
    return LeakScore(
        name=evidence.name,
        moments=len(wanted),
        people=len(set(people)),
        auc=find_auc(scores, wanted),
        low=low,
        high=high,
    )


def find_auc(scores: Numbers, wanted: npt.NDArray[np.bool_]) -> float:
    """Probability that a moment with an intent has a higher score than one without; a tie counts half."""
    from scipy.stats import rankdata

    positive = int(wanted.sum())
    ranks = rankdata(scores)[wanted].sum()
    return float((ranks - positive * (positive + 1) / 2) / (positive * (len(wanted) - positive)))


def _make_table(features: Sequence[Features]) -> Numbers:
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


def _predict_others(table: Numbers, wanted: npt.NDArray[np.bool_], tested: npt.NDArray[np.bool_]) -> Numbers:
    """Score the moments of the test by a classifier that has seen those of other people alone."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(
        max_iter=100, learning_rate=0.05, max_leaf_nodes=15, min_samples_leaf=40, random_state=SEED
    )
    scores: Numbers = model.fit(table[~tested], wanted[~tested]).predict_proba(table[tested])[:, 1]
    return scores


def _choose_half(people: npt.NDArray[np.str_]) -> npt.NDArray[np.bool_]:
    """Rows of half of the people, drawn at random."""
    names = np.unique(people)
    chosen = np.random.default_rng(SEED).permutation(names)[: len(names) // 2]
    return np.isin(people, chosen)


def _draw_people(people: npt.NDArray[np.str_]) -> Iterator[npt.NDArray[np.int64]]:
    """Yield the rows of people drawn with replacement."""
    rng = np.random.default_rng(SEED)
    names = np.unique(people)
    own = [np.flatnonzero(people == name) for name in names]
    for _ in range(DRAWS):
        yield np.concatenate([own[at] for at in rng.integers(len(names), size=len(names))])


def read_rows(built: BuiltDataset, columns: Sequence[str]) -> Iterator[Row]:
    """Read these columns of all moments of a dataset, with "user_id" and "kind".

    Raises:
        UsageError: The dataset has no moments.
    """
    names = list(dict.fromkeys(("user_id", "kind", *columns)))
    for split in MOMENT_SPLITS:
        yield from built.rows(split, config="moments", columns=names)


def main(arguments: Sequence[str]) -> None:
    """Print a table of `check_leak` for a dataset, each row as soon as it is known."""
    built = BuiltDataset.open(Path(arguments[0]))
    header = ("part of a row that a classifier sees", "AUC", "95 % interval over people")
    print(markdown_table(header, []), flush=True)
    score = None
    for evidence in EVIDENCE:
        score = check_leak(evidence, read_rows(built, evidence.columns))
        print(f"| {score.name} | {score.auc:.3f} | {score.low:.3f} to {score.high:.3f} |", flush=True)
    if score is not None:
        print(f"\ntested on {score.moments} moments of {score.people} people")


if __name__ == "__main__":
    main(sys.argv[1:])
