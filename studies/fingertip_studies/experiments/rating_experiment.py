"""Table 13 (A.6.6): people's ratings of how personal an agent acts, and Sim_2 of the same attempts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from execution_runner.scoring.run_scores import ExecutionRunScores, score_run
from fingertip_analysis.review.ratings import RatingRecord, read_ratings
from fingertip_analysis.statistics.plots import Caption, drawing, shorten
from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.problems import printable
from fingertip_dataset.shell_line import write_call
from fingertip_metrics.aggregate import Interval, bootstrap_mean
from fingertip_metrics.correlation import Correlation, RankCorrelations, mean_correlations, rank_correlations
from fingertip_metrics.published import PublishedRow, published_rows
from fingertip_runs.cells import NONE, caveat_lines, format_interval
from fingertip_runs.device_kinds import DEVICE_KINDS
from fingertip_runs.score_summary import BOOTSTRAP_SEED, CONFIDENCE, RESAMPLES, user_interval
from fingertip_studies.experiments.catalogue import Experiment
from fingertip_studies.experiments.execution_experiment import agent_name, why_nothing_published
from fingertip_studies.experiments.experiment_plot import COLOURS, LONGEST_NAME, MARKS
from fingertip_studies.experiments.experiment_table import csv_text, table_page, write_table

HEADER = ("agent", "user rating 1-5 [95 %]", "Sim_2 [95 %]", "attempts", "ratings", "by the user")
CORRELATION_HEADER = ("Sim_2 and rating", "over", "Spearman [95 %]", "Kendall tau-b [95 %]")


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedAttempt:
    """A rated attempt.

    Attributes:
        agent: Label of its row.
        task_id: The episode id.
        user_id: Id of the task's user.
        rating: Mean rating, 1-5.
        sim2: Sim_2 of the attempt; None if it is undefined.
        ratings: Number of raters.
        by_user: Number of raters who are the task's own user.
    """

    agent: str
    task_id: str
    user_id: str
    rating: float
    sim2: float | None
    ratings: int
    by_user: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRating:
    """A row of the table.

    Attributes:
        agent: Name of the agent.
        rating: Mean over rated attempts, with an interval over users.
        sim2: Mean Sim_2 over the same attempts, as far as it is defined; None if it is for none.
        attempts: Number of rated attempts.
        ratings: Number of ratings by all raters.
        by_user: Number of ratings by the tasks' own users.
    """

    agent: str
    rating: Interval
    sim2: Interval | None
    attempts: int
    ratings: int
    by_user: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlated:
    """A row of correlations, or the reason why they are undefined."""

    name: str
    over: str
    found: RankCorrelations | None
    why_none: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingResult:
    """Result of table 13.

    Attributes:
        experiment: Table 13.
        agents: Rows of the table.
        published: The paper's rows; empty if they are not comparable.
        correlations: Correlations by agent, by task and within tasks.
        notes: Caveats of the table.
        files: Written files.
    """

    experiment: Experiment
    agents: tuple[AgentRating, ...]
    published: tuple[PublishedRow, ...]
    correlations: tuple[Correlated, ...]
    notes: tuple[str, ...]
    files: tuple[Path, ...]


def compare_ratings(
    experiment: Experiment, runs: Sequence[Path], out: Path, *, protocol: str, remarks: Sequence[str] = ()
) -> RatingResult:
    """Reads the ratings of runs and writes table.csv, table.md, correlations.csv and rating.png to OUT/NAME.

    Args:
        experiment: table-13.
        runs: Folders of runs, at least one; runs without ratings are left out and named in the notes.
        out: Folder of all experiments.
        protocol: Protocol of Sim_2: "release" or "paper".
        remarks: Further notes.

    Raises:
        UsageError: Nobody has rated any of the runs.
        RunError: A run is not finished, or a file cannot be written.
    """
    attempts: list[RatedAttempt] = []
    scores, notes = [], list(remarks)
    for run in runs:
        scored = score_run(run, protocol=protocol)
        found, stale = _read_rated(scored)
        if stale:
            notes.append(f"{run.name}: {stale:,} ratings of an attempt that was made again are ignored")
        if found:
            attempts += found
            scores.append(scored)
        else:
            notes.append(f"{run.name} is left out: nobody has rated it")
    if not attempts:
        call = write_call("review", *runs, "--rate")
        raise UsageError(f"{experiment.name} needs people's ratings: `{call}` opens the page for them")
    agents = tuple(_rate_agent(name, attempts) for name in dict.fromkeys(one.agent for one in attempts))
    why = why_nothing_published(scores)
    published = published_rows(str(experiment.of)) if why is None else ()
    correlations = correlate(attempts)
    notes = [*_list_notes(experiment, scores, attempts, why), *notes]
    result = RatingResult(
        experiment=experiment,
        agents=agents,
        published=published,
        correlations=correlations,
        notes=(*notes, *_open_ones(correlations)),
        files=(),
    )
    return replace(result, files=tuple(_write(result, attempts, scores, out / experiment.name)))


def correlate(attempts: Sequence[RatedAttempt]) -> tuple[Correlated, ...]:
    """Correlation of Sim_2 and rating; attempts without Sim_2 are omitted.

    By agent: the agents' means, as in the paper. By task: each attempt is a point. Within tasks: the agents
    of one task are compared with one another, and the coefficients averaged over the tasks.
    """
    known = [one for one in attempts if one.sim2 is not None]
    sim2s, ratings = [one.sim2 or 0.0 for one in known], [one.rating for one in known]
    agents, users = [one.agent for one in known], [one.user_id for one in known]
    count = len(set(agents))
    rows = []
    if count > 2:
        found = mean_correlations(sim2s, ratings, agents, users, **_bootstrap())
        rows.append(Correlated(name="by agent", over=f"means of {count} agents", found=found))
    else:
        why = "fewer than three agents: nothing to correlate"
        rows.append(Correlated(name="by agent", over=f"means of {count} agents", found=None, why_none=why))
    over = f"{len(known):,} attempts"
    if len(known) > 1:
        found = rank_correlations(sim2s, ratings, users, **_bootstrap())
        rows.append(Correlated(name="by task", over=over, found=found))
    else:
        why = "fewer than two attempts with Sim_2"
        rows.append(Correlated(name="by task", over=over, found=None, why_none=why))
    return (*rows, _correlate_within_tasks(known))


def table_cells(
    agents: Sequence[AgentRating], published: Sequence[PublishedRow]
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and cells of the agents' table; published rows have "published" before their name."""
    rows = [
        (
            row.agent,
            format_interval(row.rating, decimals=2),
            format_interval(row.sim2),
            f"{row.attempts:,}",
            f"{row.ratings:,}",
            f"{row.by_user:,}",
        )
        for row in agents
    ]
    rows += [
        (
            f"published: {row.agent}",
            _format_published(row, "rating"),
            _format_published(row, "sim2"),
            NONE,
            NONE,
            NONE,
        )
        for row in published
    ]
    return HEADER, [tuple(map(printable, row)) for row in rows]


def correlation_cells(
    correlations: Sequence[Correlated],
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and cells of the correlations."""
    rows: list[tuple[str, ...]] = []
    for row in correlations:
        cells = (NONE, NONE)
        if row.found is not None:
            cells = (_format_coefficient(row.found.spearman), _format_coefficient(row.found.kendall))
        rows.append((row.name, row.over, *cells))
    return CORRELATION_HEADER, rows


def result_data(result: RatingResult) -> list[dict[str, Any]]:
    """The rows in machine-readable form, published ones last."""
    return _dump_rows(result.agents, result.published)


def correlation_data(correlations: Sequence[Correlated]) -> list[dict[str, Any]]:
    """The correlations in machine-readable form."""
    return [
        {
            "name": row.name,
            "over": row.over,
            "spearman": asdict(row.found.spearman) if row.found else None,
            "kendall": asdict(row.found.kendall) if row.found else None,
            "why_none": row.why_none,
        }
        for row in correlations
    ]


def _bootstrap() -> dict[str, Any]:
    return {"seed": BOOTSTRAP_SEED, "resamples": RESAMPLES, "confidence": CONFIDENCE}


def _read_rated(scores: ExecutionRunScores) -> tuple[list[RatedAttempt], int]:
    """The rated attempts of a run, and the number of ratings of attempts that are not final."""
    given: dict[tuple[str, int], list[RatingRecord]] = {}
    for rating in read_ratings(scores.folder):
        given.setdefault((rating.task_id, rating.attempt), []).append(rating)
    found = []
    for task in scores.tasks:
        ratings = given.pop((task.task_id, task.attempt), None)
        if ratings and task.counted:
            found.append(
                RatedAttempt(
                    agent=agent_name(scores.record),
                    task_id=task.task_id,
                    user_id=task.user_id,
                    rating=fmean(one.rating for one in ratings),
                    sim2=task.sim2.sim2 if task.sim2 else None,
                    ratings=len(ratings),
                    by_user=sum(one.rater_user_id == task.user_id for one in ratings),
                )
            )
    return found, sum(map(len, given.values()))


def _rate_agent(name: str, attempts: Sequence[RatedAttempt]) -> AgentRating:
    own = [one for one in attempts if one.agent == name]
    users = [one.user_id for one in own]
    defined = any(one.sim2 is not None for one in own)
    return AgentRating(
        agent=name,
        rating=user_interval([one.rating for one in own], users),
        sim2=user_interval([one.sim2 for one in own], users) if defined else None,
        attempts=len(own),
        ratings=sum(one.ratings for one in own),
        by_user=sum(one.by_user for one in own),
    )


def _correlate_within_tasks(known: Sequence[RatedAttempt]) -> Correlated:
    """Mean coefficients over the tasks whose agents differ in both scores."""
    tasks: dict[str, list[RatedAttempt]] = {}
    for one in known:
        tasks.setdefault(one.task_id, []).append(one)
    both: list[tuple[str, RankCorrelations]] = []
    for own in tasks.values():
        if len(own) > 1:
            sim2s, ratings = [one.sim2 or 0.0 for one in own], [one.rating for one in own]
            # a single user, because only the value is needed, not its interval
            both.append((own[0].user_id, rank_correlations(sim2s, ratings, [""] * len(own))))
    defined = [(user, found) for user, found in both if found.kendall.value is not None]
    over = f"{len(defined):,} of {len(tasks):,} tasks"
    if not defined:
        why = "no task whose agents differ in both"
        return Correlated(name="within tasks", over=over, found=None, why_none=why)
    users = [user for user, _ in defined]
    means = [
        _average_correlation([getattr(found, name).value for _, found in defined], users, len(both))
        for name in ("spearman", "kendall")
    ]
    return Correlated(
        name="within tasks", over=over, found=RankCorrelations(spearman=means[0], kendall=means[1])
    )


def _average_correlation(values: Sequence[float | None], users: Sequence[str], tasks: int) -> Correlation:
    mean = bootstrap_mean(values, users, **_bootstrap())
    return Correlation(
        value=mean.mean,
        low=mean.low,
        high=mean.high,
        n=mean.n,
        clusters=mean.clusters,
        undefined=tasks - len(values),
        why_none=mean.why_no_interval,
    )


def _list_notes(
    experiment: Experiment,
    scores: Sequence[ExecutionRunScores],
    attempts: Sequence[RatedAttempt],
    why: str | None,
) -> list[str]:
    own, given = sum(one.by_user for one in attempts), sum(one.ratings for one in attempts)
    tasks = len({one.task_id for one in attempts})
    of_all = len({(run.folder, task.task_id) for run in scores for task in run.tasks if task.counted})
    notes = [
        f"Varied: {experiment.varies}.",
        "Rating: how much an attempt resembles the person's own style, 1 to 5, whether or not it succeeded; "
        "the mean over the raters of an attempt. Sim_2 is over the rated attempts only.",
        f"{given:,} ratings of {len(attempts):,} of {of_all:,} attempts at {tasks:,} tasks; {own:,} by the "
        "task's own user.",
        "In words: in the paper the rating rises with Sim_2, over four models.",
    ]
    if why is None:
        notes.append(f"Published: numbers of {experiment.of}, section {experiment.section}.")
    else:
        notes.append(f"The published rows of {experiment.of} are not shown: {why}.")
    if own < given:
        notes.append("In the paper every rater is the task's own user: fingertip review --rater-is-user USER")
    return [*notes, *experiment.notes, *caveat_lines(scores)]


def _open_ones(correlations: Sequence[Correlated]) -> Iterator[str]:
    """Reasons why coefficients or their intervals are missing."""
    for row in correlations:
        why = row.why_none or (row.found.kendall.why_none if row.found else None)
        if why is not None:
            yield f"Correlation {row.name}: {why}."


def _dump_rows(agents: Sequence[AgentRating], published: Sequence[PublishedRow]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for row in agents:
        rows.append({"kind": "measured", "agent": row.agent, **_dump_ends("rating", row.rating)})
        rows[-1] |= _dump_ends("sim2", row.sim2)
        rows[-1] |= {"attempts": row.attempts, "ratings": row.ratings, "by_user": row.by_user, "remark": ""}
    for paper in published:
        values = {name: paper.values.get(name) for name in ("rating", "sim2")}
        rows.append(
            {"kind": "published", "agent": paper.agent, "rating": values["rating"], "rating_low": None}
            | {"rating_high": None, "sim2": values["sim2"], "sim2_low": None, "sim2_high": None}
            | {"attempts": None, "ratings": None, "by_user": None, "remark": paper.source}
        )
    return rows


def _dump_ends(name: str, interval: Interval | None) -> dict[str, float | None]:
    if interval is None:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    return {name: interval.mean, f"{name}_low": interval.low, f"{name}_high": interval.high}


def _format_published(row: PublishedRow, name: str) -> str:
    value = row.values.get(name)
    return NONE if value is None else f"{value:g}"


def _format_coefficient(found: Correlation) -> str:
    if found.value is None:
        return NONE
    if found.low is None or found.high is None:
        return f"{found.value:.2f}"
    return f"{found.value:.2f} [{found.low:.2f}, {found.high:.2f}]"


def _write(
    result: RatingResult, attempts: Sequence[RatedAttempt], scores: Sequence[ExecutionRunScores], folder: Path
) -> list[Path]:
    heading = result.experiment.heading
    first = table_page(heading, *table_cells(result.agents, result.published), ())
    second = table_page("Correlation", *correlation_cells(result.correlations), result.notes)
    flat = [
        {"name": row["name"], "over": row["over"], "why_none": row["why_none"]}
        | {
            f"{name}{end}": (row[name] or {}).get(key)
            for name in ("spearman", "kendall")
            for end, key in (("", "value"), ("_low", "low"), ("_high", "high"))
        }
        for row in correlation_data(result.correlations)
    ]
    texts = {
        "table.csv": csv_text(result_data(result)),
        "correlations.csv": csv_text(flat),
        "table.md": f"{first}#{second}",
    }
    with write_table(folder, texts) as files:
        files.append(folder / "rating.png")
        _plot(result, attempts, scores, files[-1])
    return files


def _plot(
    result: RatingResult,
    attempts: Sequence[RatedAttempt],
    scores: Sequence[ExecutionRunScores],
    picture: Path,
) -> None:
    """Plot rating over Sim_2: a faint point per attempt, a mark with intervals per agent."""
    record = scores[0].record
    device = DEVICE_KINDS[record.device].score_title
    note = f"{len(attempts):,} rated attempts, {device}, {record.dataset.provenance} data"
    drawn = [(row, row.sim2) for row in result.agents if row.sim2 is not None]
    caption = Caption(title=result.experiment.heading, note=note, empty="no Sim_2 of a rated attempt")
    with drawing(caption, picture, width=8.5, height=5.4, empty=not drawn) as axes:
        for number, (row, sim2) in enumerate(drawn):
            colour, mark = COLOURS[number % len(COLOURS)], MARKS[number % len(MARKS)]
            own = [one for one in attempts if one.agent == row.agent]
            points = [(one.sim2, one.rating) for one in own if one.sim2 is not None]
            axes.plot(
                *zip(*points, strict=True), linestyle="", marker="o", markersize=4, alpha=0.3, color=colour
            )
            rating = row.rating
            if sim2.low is not None and sim2.high is not None:
                axes.plot([sim2.low, sim2.high], [rating.mean] * 2, color=colour, linewidth=1.2)
            if rating.low is not None and rating.high is not None:
                axes.plot([sim2.mean] * 2, [rating.low, rating.high], color=colour, linewidth=1.2)
            name = shorten(row.agent, LONGEST_NAME)
            middle = [sim2.mean], [rating.mean]
            axes.plot(*middle, linestyle="", marker=mark, markersize=8, color=colour, label=name)
        if drawn:
            axes.set_ylim(0.8, 5.2)
            axes.set_xlabel("Sim_2, 95 % over users")
            axes.set_ylabel("rating, 1 to 5, 95 % over users")
            axes.grid(alpha=0.25)
            columns = min(len(drawn), 3)
            axes.legend(frameon=False, ncols=columns, loc="upper center", bbox_to_anchor=(0.5, -0.13))
