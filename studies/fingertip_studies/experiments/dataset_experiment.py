"""Experiments of the dataset itself: figure 4, figure 5 and table 7 of the paper."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fingertip_analysis.statistics import action_similarity, statistics
from fingertip_analysis.statistics.action_similarity import PAPER_POOLS, SimilarIntent
from fingertip_analysis.statistics.figures import FigureSource
from fingertip_analysis.statistics.plots import Caption, plot_table
from fingertip_analysis.statistics.statistics import (
    COLUMNS,
    EpisodeFacts,
    StatisticsTable,
    read_facts,
    write_csv,
)
from fingertip_dataset.actions import strip_answer
from fingertip_dataset.demographics import Demographics, count_people
from fingertip_dataset.errors import UsageError
from fingertip_dataset.markdown_table import markdown_table
from fingertip_dataset.paper_facts import OCCUPATIONS, VALI_NOTE
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_metrics.aggregate import bootstrap_mean
from fingertip_metrics.published import published_rows
from fingertip_metrics.similarity import sequence_similarity
from fingertip_runs.cells import NONE
from fingertip_studies.experiments.catalogue import Experiment
from fingertip_studies.experiments.dataset_plots import plot_overview, plot_pools

LEVENSHTEIN = "Levenshtein"
INTENT = action_similarity.INTENT

DIFFERENCES = ((PAPER_POOLS[0], PAPER_POOLS[2]), (PAPER_POOLS[1], PAPER_POOLS[2]))
"""Pairs of pools whose difference per query figure 5 compares."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetResult:
    """Result of an experiment on the dataset.

    Attributes:
        header: Header of the printed table.
        cells: Its rows.
        data: The rows in machine-readable form.
        notes: Caveats of the table.
        files: Written files.
        more: Further results in machine-readable form.
    """

    header: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    data: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...]
    files: tuple[Path, ...]
    more: Mapping[str, Any] = field(default_factory=dict)


def run_dataset_experiment(
    experiment: Experiment, dataset: Path, out: Path, *, seed: int = 0
) -> DatasetResult:
    """Carry an experiment out and write its files to `out/NAME`, over those of an earlier call.

    Args:
        experiment: figure-4, figure-5 or table-7.
        dataset: A folder that `fingertip build` made.
        out: Folder of all experiments.
        seed: Seed of the draw of figure 5.

    Raises:
        DatasetError: The dataset is missing or broken.
        UsageError: There is no such experiment of the dataset, the dataset lacks the required data, or `out`
            cannot be written.
        MissingExtraError: matplotlib or the font is not installed.
    """
    runs: dict[str, Callable[[_DatasetCall], DatasetResult]] = {
        "figure-4": _make_figure_4,
        "figure-5": _make_figure_5,
        "table-7": _make_table_7,
    }
    if experiment.name not in runs:
        raise UsageError(f"expected one of {', '.join(runs)}, got {experiment.name}")
    built = BuiltDataset.open(dataset)
    facts = read_facts(
        (split, row) for split in built.split_names for row in built.rows(split, columns=COLUMNS)
    )
    check_countable(experiment.name, facts, dataset)
    manifest = built.manifest
    source = FigureSource(
        dataset=str(dataset),
        provenance=manifest.provenance,
        data_sha256=manifest.data_sha256,
        settings=manifest.settings,
    )
    folder = out / experiment.name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return runs[experiment.name](_DatasetCall(experiment, built, facts, source, folder, seed))
    except OSError as error:
        raise UsageError(f"the folder cannot be written: {error.strerror or error}", file=folder) from error


def check_countable(name: str, facts: Sequence[EpisodeFacts], dataset: Path) -> None:
    """Check that the experiment has something to count, before a file is written.

    Args:
        name: Name of the experiment.
        facts: Every episode of the dataset.
        dataset: Its folder, for the message.

    Raises:
        UsageError: It would be empty; the message says what is missing.
    """
    if not facts:
        raise UsageError(f"the dataset has no episode for {name}: build it again", file=dataset)
    if name != "figure-5":
        return
    if not any(fact.category for fact in facts):
        raise UsageError(
            "figure-5 draws an episode of each intent category, and the dataset has none: "
            "give the index tables to `fingertip build`, with --tables",
            file=dataset,
        )
    if not any(fact.category and fact.actions for fact in facts):
        raise UsageError("figure-5 needs an episode with an intent category and an action", file=dataset)
    if sum(bool(fact.actions) for fact in facts) < 2:
        raise UsageError("figure-5 compares two episodes with actions; the dataset has one", file=dataset)


@dataclass(frozen=True, slots=True)
class _DatasetCall:
    experiment: Experiment
    built: BuiltDataset
    facts: tuple[EpisodeFacts, ...]
    source: FigureSource
    folder: Path
    seed: int

    @property
    def counted(self) -> str:
        """Description of the data behind the numbers."""
        users = len({fact.user_id for fact in self.facts})
        return f"{len(self.facts):,} episodes of {users:,} users, {self.source.provenance} data"

    def finish(
        self, table: StatisticsTable, notes: Sequence[str], files: Sequence[Path], **more: object
    ) -> DatasetResult:
        """Write table.csv, table.md and result.json beside the files that exist already."""
        data = tuple(dict(zip(table.columns, row, strict=True)) for row in table.rows)
        header = tuple(name.replace("_", " ") for name in table.columns)
        cells = tuple(tuple(_format_cell(value) for value in row) for row in table.rows)
        notes = (*notes, f"Counted from {self.counted}; data sha256 {self.source.data_sha256[:12]}.")
        write_csv(table, self.folder / "table.csv")
        (self.folder / "table.md").write_text(
            _render_markdown(self.experiment.heading, header, cells, notes), encoding="utf-8"
        )
        record = {"experiment": self.experiment.name, "rows": data, "notes": notes, **more}
        (self.folder / "result.json").write_text(
            json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
        )
        own = [self.folder / name for name in ("table.csv", "table.md", "result.json")]
        return DatasetResult(
            header=header, cells=cells, data=data, notes=notes, files=(*own, *files), more=more
        )


def _make_figure_4(call: _DatasetCall) -> DatasetResult:
    facts = call.facts
    tables = [
        statistics.users_table(facts),
        statistics.apps_table(facts),
        statistics.categories_table(facts),
        statistics.scenarios_table(facts),
        statistics.hours_table(facts),
        statistics.lengths_table(facts),
        statistics.types_table(facts),
    ]
    files = [call.folder / f"{table.name}.csv" for table in tables] + [call.folder / "figure-4.png"]
    for table, file in zip(tables, files, strict=False):
        write_csv(table, file)
    caption = Caption(title=call.source.title("Figure 4: statistics of the dataset"), note=call.counted)
    plot_overview(facts, tables, caption, files[-1], call.source.settings)
    days = {(fact.user_id, fact.time.date()) for fact in facts}
    actions = sum(len(fact.actions) for fact in facts)
    rows: list[tuple[object, ...]] = [
        ("episodes", len(facts)),
        ("users", len(tables[0].rows)),
        ("apps", len(tables[1].rows)),
        ("intent categories", sum(row[0] is not None for row in tables[2].rows)),
        ("scenarios", len(tables[3].rows)),
        ("episodes a user", _ratio(len(facts), len(tables[0].rows))),
        ("episodes a user and day with any", _ratio(len(facts), len(days))),
        ("actions", actions),
        ("actions an episode", _ratio(actions, len(facts))),
    ]
    published = {
        name: value
        for row in published_rows("totals")
        for name, value in row.values.items()
        if isinstance(value, int | float)
    }
    rows = [(what, value, published.get(str(what))) for what, value in rows]
    notes = (
        "The paper's figure 4 has no numbers in its text; the totals beside ours are those of its section 1.",
        "An action is a line of action.jsonl, the finished() that the authors added included; hours are "
        f"{call.source.clock}.",
    )
    return call.finish(
        StatisticsTable(name="table", columns=("what", "here", "paper"), rows=tuple(rows)), notes, files
    )


def _make_figure_5(call: _DatasetCall) -> DatasetResult:
    queries = action_similarity.one_of_each_category(call.facts, seed=call.seed)
    matches = action_similarity.find_matches(
        call.facts,
        queries.episodes,
        {LEVENSHTEIN: lambda a, b: sequence_similarity(a, b, "levenshtein")},
        pools=PAPER_POOLS,
    )
    rows = [_make_pool_row(pool, matches, len(queries.episodes)) for pool in PAPER_POOLS]
    rows += [
        _make_difference_row(first, second, matches, len(queries.episodes)) for first, second in DIFFERENCES
    ]
    files = (call.folder / "figure-5.png", call.folder / "matches.csv")
    caption = Caption(
        title=call.source.title("Figure 5: similarity of action sequences for the most similar intent"),
        note=f"{len(queries.episodes)} queries, {queries.method}; mean with its 95 % interval over users",
        axis="Levenshtein similarity (0-100)",
        empty="no episode with an intent category and an action",
    )
    values = {(match.query.category or "", match.pool): 100 * match.values[LEVENSHTEIN] for match in matches}
    means = {str(row[0]): row[1:4] for row in rows[: len(PAPER_POOLS)] if row[1] is not None}
    plot_pools(values, means, caption, files[0])
    write_csv(_list_drawn(matches), files[1])
    columns = ("pool", "mean", "low_95", "high_95", "intent_similarity", "queries", "users", "without_match")
    notes = (
        f"{call.experiment.what_is_published()}.",
        f"Queries: {queries.method}; another seed draws others. Values 0-100.",
        "Levenshtein similarity of the two sequences as one text each: 1 - distance / length of the longer "
        "one.",
        *list_normalised(matches),
        "Most intent-similar: by the normalized Indel similarity of the two intents; the paper does not name "
        "its measure. The query itself is in no pool, a later episode of the same user may be; 'same type' "
        "leaves the same user out.",
        f"Types: {call.built.manifest.user_types}.",
        "A difference is taken query by query, where both pools have a match; an interval above 0 says that "
        "the first is more alike.",
    )
    table = StatisticsTable(name="table", columns=columns, rows=tuple(rows))
    return call.finish(table, notes, files, queries=len(queries.episodes), seed=call.seed)


def list_normalised(matches: Sequence[SimilarIntent]) -> list[str]:
    """A note for each change to the compared sequences, with the number of comparisons that it changes."""
    answered = spelled = 0
    for match in matches:
        pair = (match.query, match.reference)
        answered += any(strip_answer(action) != action for fact in pair for action in fact.actions)
        spelled += any(fact.respelled for fact in pair)
    of = f"of {len(matches):,} comparisons"
    notes = []
    if answered:
        notes.append(
            f"Normalized in {answered:,} {of}: finished(content='...') counts as finished(), as the paper's "
            "last action has no answer."
        )
    if spelled:
        notes.append(
            f"Normalized in {spelled:,} {of}: spaces and quotes of actions, in the canonical spelling."
        )
    return notes


def _make_pool_row(pool: str, matches: Sequence[SimilarIntent], queries: int) -> tuple[object, ...]:
    found = [match for match in matches if match.pool == pool]
    values = [100 * match.values[LEVENSHTEIN] for match in found]
    alike = sum(100 * match.intent_similarity for match in found) / len(found) if found else None
    users = [match.query.user_id for match in found]
    return (
        pool,
        *_compute_interval(values, users),
        _round(alike),
        len(found),
        len(set(users)),
        queries - len(found),
    )


def _make_difference_row(
    first: str, second: str, matches: Sequence[SimilarIntent], queries: int
) -> tuple[object, ...]:
    """The mean of the differences of the queries that have a match in both pools."""
    by_pool = {
        pool: {match.query.episode_id: match for match in matches if match.pool == pool}
        for pool in (first, second)
    }
    both = [key for key in by_pool[first] if key in by_pool[second]]
    values = [
        100 * (by_pool[first][key].values[LEVENSHTEIN] - by_pool[second][key].values[LEVENSHTEIN])
        for key in both
    ]
    users = [by_pool[first][key].query.user_id for key in both]
    name = f"{first} less {second}"
    return (name, *_compute_interval(values, users), None, len(both), len(set(users)), queries - len(both))


def _compute_interval(values: Sequence[float], users: Sequence[str]) -> tuple[float | None, ...]:
    if not values:
        return None, None, None
    interval = bootstrap_mean(values, users)
    return _round(interval.mean), _round(interval.low), _round(interval.high)


def _list_drawn(matches: Sequence[SimilarIntent]) -> StatisticsTable:
    columns = ("intent_category", "pool", "episode_id", "reference", "intent_similarity", "levenshtein")
    rows = tuple(
        (
            match.query.category,
            match.pool,
            match.query.episode_id,
            match.reference.episode_id,
            _round(100 * match.intent_similarity),
            _round(100 * match.values[LEVENSHTEIN]),
        )
        for match in matches
    )
    return StatisticsTable(name="matches", columns=columns, rows=rows)


TABLE_7 = ("episodes", "screens", "apps", "categories")
"""Columns of the paper's table 7."""


def _make_table_7(call: _DatasetCall) -> DatasetResult:
    screens = {split: call.built.screens(split) for split in call.built.split_names}
    screens["all"] = {episode: count for counts in screens.values() for episode, count in counts.items()}
    published = {row.setting["splits"][0]: row for row in published_rows("table 7")}
    rows: list[tuple[object, ...]] = []
    for split, part in statistics.split_members(call.facts).items():
        if split == "both tests":
            continue
        count = sum(screens[split].values())
        rows.append(
            (
                split,
                "here",
                len(part),
                count,
                _ratio(count, len(part)),
                len({fact.app for fact in part}),
                len({fact.category for fact in part if fact.category}),
                len({fact.user_id for fact in part}),
            )
        )
        if split in published:
            paper = published[split].values
            episodes, shown, apps, categories = (paper[name] for name in TABLE_7)
            rows.append((split, "paper", episodes, shown, None, apps, categories, None))
    totals = {name: value for row in published_rows("totals") for name, value in row.values.items()}
    rows.append(
        ("all", "paper", totals.get("episodes"), None, None, totals.get("apps"), None, totals.get("users"))
    )
    people = _list_people(count_people({fact.user_id: fact.profile for fact in call.facts}.values()))
    columns = ("split", "whose", "episodes", "screens", "screens_an_episode", "apps", "categories", "users")
    table = StatisticsTable(name="table", columns=columns, rows=tuple(rows))
    files = (call.folder / "table-7.png", call.folder / "people.csv")
    caption = Caption(
        title=call.source.title("Table 7: the splits, beside the paper's"),
        note="rows 'paper' are as published (table 7; all: section 1); distinct episodes; "
        "a screen is a step with its screenshot",
    )
    plot_table(
        [name.replace("_", "\n", 1).replace("_", " ") for name in columns],
        [[_format_cell(value) for value in row] for row in rows],
        caption,
        files[0],
    )
    write_csv(StatisticsTable(name="people", columns=("what", "here", "paper"), rows=people), files[1])
    notes = (
        f"Splits here: {call.built.manifest.split_method}. Published: table 7, section A.5; all: section 1.",
        VALI_NOTE,
        "Screens an episode: of the rows 'here' alone; the paper prints no such column.",
        *(
            f"{what}: {_stated(here)} here, {_stated(paper)} in the paper (A.3)."
            for what, here, paper in people
        ),
    )
    listed = [dict(zip(("what", "here", "paper"), row, strict=True)) for row in people]
    return call.finish(table, notes, files, people=listed)


def _list_people(found: Demographics) -> tuple[tuple[object, ...], ...]:
    """(what, here, paper) of users, sex, age and occupation; None if one of them has no value."""
    (row,) = published_rows("demographics")
    (total,) = {row.values["users"] for row in published_rows("totals") if "users" in row.values}
    sexes = {"male": row.values["men"], "female": row.values["women"]}
    span = f"{found.ages[0]} to {found.ages[-1]}" if found.ages else None
    mean = None if found.mean_age is None else round(found.mean_age, 1)
    rows: list[tuple[object, ...]] = [("users", found.users, total)]
    rows += [(f"sex {sex}", count, sexes.get(sex)) for sex, count in found.sexes.items()]
    rows += [
        ("age in years", span, f"{row.values['age_lowest']} to {row.values['age_highest']}"),
        ("mean age", mean, row.values["age_mean"]),
    ]
    groups = dict.fromkeys((*OCCUPATIONS, *found.occupations))
    rows += [
        (f"occupation {group}", found.occupations.get(group, 0), "a third" if group in OCCUPATIONS else None)
        for group in groups
    ]
    return tuple(rows)


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _ratio(total: Any, count: Any) -> float | None:  # noqa: ANN401 - published numbers are int or float
    return round(total / count, 2) if total is not None and count else None


def _format_cell(value: object) -> str:
    if value is None:
        return NONE
    if isinstance(value, float):
        return f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _stated(value: object) -> str:
    return "not stated" if value is None else str(value)


def _render_markdown(
    heading: str, header: Sequence[str], cells: Sequence[Sequence[str]], notes: Sequence[str]
) -> str:
    lines = [f"# {heading}", "", markdown_table(header, cells)]
    return "\n".join([*lines, "", *(f"- {note}" for note in notes)]) + "\n"
