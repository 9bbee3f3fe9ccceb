"""Page of the simulated benchmark's baselines in Markdown: no time, path or hash of a run, so equal bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from fingertip_dataset.markdown_table import markdown_table
from fingertip_leaderboard.paired import compare_all
from fingertip_leaderboard.ranking import find_place
from fingertip_leaderboard.score_columns import ScoreColumn, list_columns
from fingertip_leaderboard.task_lists import TaskList
from fingertip_leaderboard.verified_records import (
    SIMULATED_SPLITS,
    GroupRow,
    Score,
    ScoreKind,
    Submission,
    VerifiedResults,
)
from fingertip_runs.cells import DIGEST, NONE

BASELINES_PAGE = "baselines.md"
"""Name of the page beside the verified results."""

KINDS: Mapping[TaskList, ScoreKind] = MappingProxyType(
    {"execution": "execution", "asking": "asking", "suggestion": "sim1", "moments": "moments"}
)
TITLES: Mapping[TaskList, str] = MappingProxyType(
    {
        "execution": "Track 2: carry out an intent",
        "asking": "Track 2, ask or know: the need alone, and a person who answers",
        "suggestion": "Track 1: suggest an intent",
        "moments": "Track 1, moments: when to speak",
    }
)
SPLITS: Mapping[TaskList, Sequence[str]] = MappingProxyType(
    {
        "execution": SIMULATED_SPLITS,
        "asking": SIMULATED_SPLITS,
        "suggestion": SIMULATED_SPLITS,
        "moments": ("kind", "language"),
    }
)
"""Groupings of each list of tasks that have tables."""

HEAD = """\
# Baselines of fingertip-sim

{made_of}. {versions}; data {data}.

`make leaderboard` makes this page again, byte for byte with the versions of constraints.txt. People and
phones are simulated: nothing here can be compared with the paper's numbers. The verifier made every score
again; intervals (95 %) are over people, shares in percent. Steps of the shortest path include `finished()`;
trouble is what the person's phone had in the way, `several` more than one of these; the tasks of track 2 are
drawn so that each kind has a tenth of them. Sim_1, by the lexical embedder, is higher in English for any two
intents: languages are not to be compared by it.
"""


def baselines_page(results: VerifiedResults, made_of: str) -> str:
    """Render the page.

    Args:
        results: Verified results on one dataset.
        made_of: Description of the people and their phones, one sentence without its full stop.
    """
    (data,) = results.benchmarks
    versions = sorted({of.versions for one in results.submissions for of in one.conditions})
    lines = [HEAD.format(made_of=made_of, versions="; ".join(versions), data=data.data_sha256[:DIGEST])]
    for name, kind in KINDS.items():
        shown = [one for one in results.submissions if one.conditions[0].task_list == name]
        if shown:
            lines += _render_track(name, list_columns(kind, simulated=True), shown, data.task_ids[name])
    return "\n".join(lines) + "\n"


def _render_track(
    name: TaskList, columns: Sequence[ScoreColumn], shown: Sequence[Submission], task_ids: Sequence[str]
) -> Iterator[str]:
    first, tested = columns[0].name, [column for column in columns if column.tested]
    ranked = sorted(shown, key=lambda one: one.card.name)
    ranked.sort(key=lambda one: find_place(one, columns) or (0.0, 0.0), reverse=True)
    users = [task_id.partition("__")[0] for task_id in task_ids]
    yield from (f"## {TITLES[name]}", "")
    ceiling = shown[0].conditions[0].ceiling
    best = "" if ceiling is None else f" The ceiling of utility is {ceiling:.3f}."
    # instructions leave some tasks out
    whose = [user for user, value in zip(users, shown[0].values[first], strict=True) if value is not None]
    yield from (f"{len(whose)} tasks of {len(set(whose))} people.{best}", "")
    filled = [column for column in columns if any(map(partial(_has_score, column=column), ranked))]
    yield from _render_table(
        ("agent", *(column.title for column in filled)),
        [
            (one.card.name, *(_write_cell(one.scores.get(column.name), column) for column in filled))
            for one in ranked
        ],
    )
    for split in SPLITS[name]:
        for column in tested:
            yield from _render_split(ranked, column, split)
    for column in tested:
        yield from _render_differences(ranked, column, users)


def _has_score(one: Submission, column: ScoreColumn) -> bool:
    score = one.scores.get(column.name)
    return score is not None and score.mean is not None


def _render_split(ranked: Sequence[Submission], column: ScoreColumn, split: str) -> Iterator[str]:
    """Table of one score by group; nothing without the grouping."""
    groups = [row.group for row in ranked[0].by.get(split, ()) if row.group is not None]
    if not groups:
        return
    sizes = {row.group: row.tasks for row in ranked[0].by[split]}
    rows = []
    for one in ranked:
        found: dict[str | None, GroupRow] = {row.group: row for row in one.by[split]}
        rows.append(
            (one.card.name, *(_write_cell(found[group].scores.get(column.name), column) for group in groups))
        )
    yield from (f"### {column.title} by {split}", "")
    yield from _render_table(("agent", *(f"{group} (n = {sizes[group]})" for group in groups)), rows)


def _render_differences(
    ranked: Sequence[Submission], column: ScoreColumn, users: Sequence[str]
) -> Iterator[str]:
    """Table of all differences, task by task on the same tasks; nothing for a single agent."""
    pairs = compare_all([one.values[column.name] for one in ranked], users)
    rows = []
    for pair in pairs:
        # the better one first
        turned = pair.difference < 0
        one, other = (pair.other, pair.one) if turned else (pair.one, pair.other)
        low, high = sorted((-pair.low, -pair.high)) if turned else (pair.low, pair.high)
        rows.append(
            (
                f"{ranked[one].card.name} over {ranked[other].card.name}",
                _write_interval(abs(pair.difference), low, high, column),
                f"{max(pair.adjusted, 0.0001):.2g}",
            )
        )
    if rows:
        yield from (f"### Differences in {column.title}", "")
        yield "Paired bootstrap over people; p corrected by Holm for all pairs of this table."
        yield ""
        yield from _render_table(("pair", "difference", "p"), rows)


def _write_cell(score: Score | None, column: ScoreColumn) -> str:
    if score is None or score.mean is None:
        return NONE
    return _write_interval(score.mean, score.low, score.high, column)


def _write_interval(mean: float, low: float | None, high: float | None, column: ScoreColumn) -> str:
    if low is None or high is None:
        return _number(mean, column)
    return f"{_number(mean, column)} [{_number(low, column)}, {_number(high, column)}]"


def _number(value: float, column: ScoreColumn) -> str:
    """A share in percent, without its sign."""
    return f"{value * 100:.1f}" if column.percent else f"{value:.3f}"


def _render_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield markdown_table(head, rows)
    yield ""
