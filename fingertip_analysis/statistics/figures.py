"""Output files of `fingertip stats`: every figure as a PNG with the CSV behind it, and stats.json."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fingertip_analysis.statistics import action_similarity, statistics
from fingertip_analysis.statistics.action_similarity import (
    PoolMean,
    Queries,
    SimilarityFunction,
    SimilarityInterval,
)
from fingertip_analysis.statistics.plots import (
    Bar,
    Caption,
    Estimate,
    plot_bars,
    plot_columns,
    plot_estimates,
    plot_table,
)
from fingertip_analysis.statistics.statistics import EpisodeFacts, StatisticsTable, write_csv
from fingertip_dataset.english_names import english_app, english_category
from fingertip_dataset.parquet.manifest import MomentCounts
from fingertip_dataset.release.settings import PUBLISHED, ReleaseSettings
from fingertip_dataset.tasks.splits import PUBLIC_RELEASE

STATS_VERSION = 1

TOP = 20
"""Number of names in a picture; the rest is summed up as "other"."""

OWN_COLUMNS = 6
"""Number of columns of the table of splits that are counted here; published counts come after them."""

ALL_USERS = 100
"""Number of users in a picture; the rest is summed up as "other"."""

LONGEST = 60
"""Greatest number of actions with a column of its own; longer episodes share the last column."""

ALL_CATEGORIES = 40
"""Number of categories in a picture, the paper's number of intent categories."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureSource:
    """Dataset of the figures.

    Attributes:
        dataset: Its path, as the user wrote it.
        provenance: "recorded", "sample", "simulated", or several joined with "+".
        data_sha256: SHA-256 of the built dataset.
        settings: Settings of the release: its time zone, and English names of its own.
    """

    dataset: str
    provenance: str
    data_sha256: str
    settings: ReleaseSettings = PUBLISHED

    @property
    def clock(self) -> str:
        """Whose time hours are in."""
        return self.settings.clock

    def title(self, text: str) -> str:
        """The title of a figure, with the provenance unless the data were recorded from people."""
        return text if self.provenance == "recorded" else f"{text} ({self.provenance} data)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The tables and figures that were written.

    Attributes:
        tables: Name -> table; each is `<name>.csv`, and `<name>.png` if it has a picture.
        queries: How the queries of the action similarity were chosen.
        source: Dataset of the figures.
    """

    tables: Mapping[str, StatisticsTable]
    queries: str
    source: FigureSource


def write_figures(
    facts: Sequence[EpisodeFacts],
    out: Path,
    source: FigureSource,
    *,
    measures: Mapping[str, SimilarityFunction],
    interval: Callable[[Sequence[float], Sequence[str]], SimilarityInterval],
    queries: int = 200,
    seed: int = 0,
    moments: Mapping[str, MomentCounts] | None = None,
) -> Figures:
    """Writes every table and figure into `out`; a figure without data states that in words.

    Args:
        facts: From `statistics.read_facts`.
        out: An existing folder; files of the same names in it are replaced.
        source: Dataset named in the titles and in stats.json.
        measures: Name -> similarity of two action sequences; one or two measures.
        interval: (values, users) -> mean with its interval.
        queries: Maximum number of queries of the action similarity.
        seed: Seed of their sample.
        moments: Split of moments -> its counts; None without moments, which have no table then.

    Raises:
        MissingExtraError: matplotlib or the font is not installed.
    """
    counted = f"{len(facts):,} episodes of {len({fact.user_id for fact in facts}):,} users"
    tables = [
        _plot_splits(facts, out, source),
        _plot_users(facts, out, source, counted),
        *_list_names(facts, out, source, counted),
        *_plot_counts(facts, out, source, counted),
    ]
    chosen = action_similarity.choose_queries(facts, limit=queries, seed=seed)
    matches = action_similarity.find_matches(facts, chosen.episodes, measures)
    means = action_similarity.pool_means(matches, tuple(measures), interval)
    tables += [
        _plot_similarity(means, out, source, chosen),
        action_similarity.matches_table(matches, tuple(measures)),
    ]
    if moments is not None:
        tables.append(_plot_moments(moments, out, source))
    for table in tables:
        write_csv(table, out / f"{table.name}.csv")
    figures = Figures(tables={table.name: table for table in tables}, queries=chosen.method, source=source)
    _write_json(out / "stats.json", facts, figures)
    return figures


def _plot_splits(facts: Sequence[EpisodeFacts], out: Path, source: FigureSource) -> StatisticsTable:
    """Table 7. Counts that are published only for all splits together stand below the title."""
    table = statistics.splits_table(facts)
    columns = list(zip(table.columns, *table.rows, strict=True))
    counted, published = columns[:OWN_COLUMNS], columns[OWN_COLUMNS:]
    shown = [column for column in published if sum(value is not None for value in column[1:]) > 1]
    totals = "; ".join(
        f"{_published_name(name)} {values[-1]:,}"
        for name, *values in (column for column in published if column not in shown)
        if values[-1] is not None
    )
    header = [*(name.replace("_", "\n") for name, *_ in counted)]
    header += [f"{_published_name(name).replace(' ', chr(10), 1)}*" for name, *_ in shown]
    rows = list(
        zip(*([_format_cell(value) for value in values] for _, *values in (*counted, *shown)), strict=True)
    )
    caption = Caption(
        title=source.title("Table 7: the splits, beside the paper and the public release"),
        note="Distinct episodes; 'all' counts each once.  * as published: paper, table 7 and section 1; "
        f"index tables of the release.\nPublished for all splits together: {totals}",
    )
    plot_table(header, rows, caption, out / f"{table.name}.png")
    return table


def _plot_moments(moments: Mapping[str, MomentCounts], out: Path, source: FigureSource) -> StatisticsTable:
    table = statistics.moments_table(moments)
    caption = Caption(
        title=source.title("Moments: looks at the phone, by kind"),
        note="Something is wanted at those of the kind intent alone.",
    )
    rows = [[_format_cell(value) for value in row] for row in table.rows]
    plot_table([name.replace("_", "\n") for name in table.columns], rows, caption, out / f"{table.name}.png")
    return table


def _published_name(column: str) -> str:
    """A column with published counts in words.

    >>> _published_name("public_release_users_published")
    'release users'
    """
    return column.removesuffix("_published").removeprefix("public_").replace("_", " ")


def _plot_users(
    facts: Sequence[EpisodeFacts], out: Path, source: FigureSource, counted: str
) -> StatisticsTable:
    table = statistics.users_table(facts)
    bars = top_bars(table, ALL_USERS, noun="users", count=2)
    caption = Caption(title=source.title("Episodes per user"), note=counted, axis="episodes")
    plot_columns(bars, caption, out / f"{table.name}.png", label="user id")
    return table


def _list_names(
    facts: Sequence[EpisodeFacts], out: Path, source: FigureSource, counted: str
) -> list[StatisticsTable]:
    apps = statistics.apps_table(facts)
    caption = Caption(
        title=source.title("Episodes per app"), note=f"{counted}, {len(apps.rows):,} apps", axis="episodes"
    )
    bars = with_english(top_bars(apps, TOP, noun="apps"), lambda app: english_app(app, source.settings))
    plot_bars(bars, caption, out / f"{apps.name}.png")

    categories = statistics.categories_table(facts)
    listed = sum(row[0] is not None for row in categories.rows)
    caption = Caption(
        title=source.title("Episodes per intent category"),
        note=f"{counted}, {listed} categories",
        axis="episodes",
    )
    bars = with_english(
        top_bars(categories, ALL_CATEGORIES, noun="categories", none="in no index table"),
        lambda category: english_category(category, source.settings),
    )
    plot_bars(bars, caption, out / f"{categories.name}.png")

    scenarios = statistics.scenarios_table(facts)
    caption = Caption(
        title=source.title("Episodes per scenario"),
        note=f"{counted}, {len(scenarios.rows):,} scenarios as written; in brackets the paper's English name",
        axis="episodes",
    )
    english = {str(row[0]): f"{row[0]} ({row[1]})" for row in scenarios.rows if row[1] != "other"}
    bars = [
        Bar(label=english.get(bar.label, bar.label), value=bar.value, muted=bar.muted)
        for bar in top_bars(scenarios, TOP, noun="scenarios", count=2)
    ]
    plot_bars(bars, caption, out / f"{scenarios.name}.png")
    return [apps, categories, scenarios]


def _plot_counts(
    facts: Sequence[EpisodeFacts], out: Path, source: FigureSource, counted: str
) -> list[StatisticsTable]:
    lengths = statistics.lengths_table(facts)
    total = sum(len(fact.actions) for fact in facts)
    mean = f", {total / len(facts):.1f} on average" if facts else ""
    caption = Caption(
        title=source.title("Actions per episode"),
        note=f"{counted}, {total:,} actions{mean}; finished() counts as one",
        axis="episodes",
    )
    plot_columns(length_bars(facts), caption, out / f"{lengths.name}.png", label="actions")

    types = statistics.types_table(facts)
    caption = Caption(
        title=source.title("Types of action"),
        note=f"{total:,} actions of {counted}",
        axis="actions",
        empty="no actions",
    )
    plot_bars(table_bars(types), caption, out / f"{types.name}.png")

    hours = statistics.hours_table(facts)
    caption = Caption(title=source.title("Episodes per hour of the day"), note=counted, axis="episodes")
    plot_columns(
        table_bars(hours), caption, out / f"{hours.name}.png", label=f"hour of the day, {source.clock}"
    )
    return [lengths, types, hours]


def _plot_similarity(
    means: Sequence[PoolMean], out: Path, source: FigureSource, chosen: Queries
) -> StatisticsTable:
    table = action_similarity.means_table(means, len(chosen.episodes))
    estimates = [
        Estimate(group=mean.pool, series=mean.measure, mean=mean.mean, low=mean.low, high=mean.high)
        for mean in means
    ]
    caption = Caption(
        title=source.title("Action similarity: with the episode of the most similar intent"),
        note=f"{len(chosen.episodes)} queries ({chosen.method}); mean, 95 % interval by bootstrap over users",
        axis="similarity (0-1)",
        empty="no episode has another to be compared with",
    )
    plot_estimates(estimates, caption, out / f"{table.name}.png", groups=action_similarity.POOLS)
    return table


def with_english(bars: Sequence[Bar], english: Callable[[str], str]) -> list[Bar]:
    """Bars whose labels have the English name in brackets behind the name, where one is known.

    Args:
        bars: The bars.
        english: Gives the English name of a label, or the label itself.
    """
    named = ((bar, english(bar.label)) for bar in bars)
    return [bar if name == bar.label else replace(bar, label=f"{bar.label} ({name})") for bar, name in named]


def top_bars(table: StatisticsTable, limit: int, *, noun: str, count: int = 1, none: str = "") -> list[Bar]:
    """The first `limit` rows as bars and one grey bar for the rest.

    Args:
        table: Rows with the name in column 0.
        limit: Number of rows with a bar of their own.
        noun: Plural noun for the rows, in the label of the last bar.
        count: Index of the column of the value.
        none: Label of a row whose name is None.
    """
    bars = [
        Bar(label=none if row[0] is None else str(row[0]), value=_whole(row[count]), muted=row[0] is None)
        for row in table.rows
    ]
    rest = bars[limit:]
    other = Bar(label=f"other ({len(rest):,} {noun})", value=sum(bar.value for bar in rest), muted=True)
    return [*bars[:limit], *([other] if rest else [])]


def length_bars(facts: Sequence[EpisodeFacts]) -> list[Bar]:
    """A column for each length from the shortest to the longest episode, including empty columns."""
    lengths = Counter(min(len(fact.actions), LONGEST + 1) for fact in facts)
    spread = range(min(lengths), max(lengths) + 1) if lengths else range(0)
    return [
        Bar(label=str(n) if n <= LONGEST else f"over {LONGEST}", value=lengths[n], muted=n > LONGEST)
        for n in spread
    ]


def table_bars(table: StatisticsTable) -> list[Bar]:
    """Name and value of each row."""
    return [Bar(label=str(row[0]), value=_whole(row[1])) for row in table.rows]


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _format_cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else str(value)


def _write_json(path: Path, facts: Sequence[EpisodeFacts], figures: Figures) -> None:
    """Writes the numbers of the figures, and the dataset they were counted from."""
    source = figures.source
    record: dict[str, Any] = {
        "version": STATS_VERSION,
        "dataset": source.dataset,
        "provenance": source.provenance,
        "data_sha256": source.data_sha256,
        "episodes": len(facts),
        "actions": sum(len(fact.actions) for fact in facts),
        "published": {"paper": statistics.PAPER, "public_release": PUBLIC_RELEASE},
        "similarity_queries": figures.queries,
        "splits": _records(figures.tables["splits"]),
        "action_similarity": _records(figures.tables["action_similarity"]),
        **({"moments": _records(figures.tables["moments"])} if "moments" in figures.tables else {}),
        "files": sorted(f"{name}.csv" for name in figures.tables),
    }
    path.write_text(json.dumps(record, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _records(table: StatisticsTable) -> list[dict[str, object]]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]
