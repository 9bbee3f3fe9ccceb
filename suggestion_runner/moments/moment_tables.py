"""Tables that `fingertip score` prints for runs of moments, and the notes below them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from rich.table import Table

from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.moments import MOMENT_KINDS
from fingertip_metrics.aggregate import GroupMean, Interval
from fingertip_metrics.moment_ceiling import MomentCeiling
from fingertip_metrics.moment_columns import SHARES
from fingertip_metrics.moment_scores import MomentScores
from fingertip_runs.cells import (
    DIGEST,
    NONE,
    caveat_lines,
    format_interval,
    format_number,
    format_spread,
    note_lines,
    run_name,
    text_cell,
)
from fingertip_runs.sparing_table import SparingTable
from suggestion_runner.judged_run import list_judged_notes
from suggestion_runner.moments.moment_facts import MOMENT_GROUPINGS
from suggestion_runner.moments.moment_run_scores import MomentGroup, MomentRunScores
from suggestion_runner.month.month_scores import MonthScores
from suggestion_runner.month.month_tables import (
    DAY,
    MONTH_WORDS,
    OF_FITTED,
    describe_month,
    make_day_table,
    month_tables,
)
from suggestion_runner.remembered import read_run_memory

MAYBE_SILENCE = "The utility may be that of silence, 0"
"""Beginning of the note on a run whose people are too few to tell it from silence."""

CEILING = "ceiling"
"""Name of the row of the best decision by the odds."""

HEADS: Mapping[str, str] = MappingProxyType(
    {
        "false_trigger_rate": "false triggers % [95 %]",
        "missed_rate": "missed % [95 %]",
        "precision": "precision % [95 %]",
        "recall": "recall % [95 %]",
        "utility": "utility [95 %]",
        "sr1": "SR_1 % [95 %]",
        "hit_rate": "hits % [95 %]",
        "sim1": "Sim_1 [95 %]",
        "risk_area": "risk area [95 %]",
        "brier": "Brier [95 %]",
        "calibration_error": "calibration error",
        "auroc": "AUROC [95 %]",
    }
)
"""Name of a score -> head of its column."""

TIMING = ("false_trigger_rate", "missed_rate", "precision", "utility")
OFFERS = ("sr1", "hit_rate", "sim1")
CONFIDENCE = ("brier", "auroc", "risk_area", "calibration_error")
"""Scores of each table."""

BARE = ("calibration_error",)
"""Scores whose interval only --json has."""

KIND_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "intent": "intent",
        "glance": "glance",
        "notification": "notification",
        "just_done": "just done",
        "false_routine": "false routine",
        "busy": "busy",
    }
)
"""Kind -> head of its column."""

OF_TIMING = (
    "False triggers: share of the moments at which nothing is wanted where the agent spoke",
    "Missed: share of the moments with an intent where the agent was silent",
    "Precision: share of the offers that are made at a moment with an intent",
)
OF_OFFERS = (
    "SR_1 and Sim_1 are of the offers at moments with an intent. Hits: share of the moments with an intent "
    "that got the right offer",
    "The people are simulated: these are rates on routines that a program drew, not on people",
)
"""Notes for every table of moments."""

OF_RISK = "Risk area: mean share of wrong offers when the most confident are made first, 0 at best"

OF_CONFIDENCE = (
    OF_RISK,
    "Brier: mean squared distance of the confidence from 1 (something is wanted) or 0. 0 is best, a constant "
    "0.5 has 0.25",
    "AUROC: chance that a moment with an intent has a higher confidence than one without",
    "Calibration error: distance of confidence and share of moments with an intent, over 10 bins",
)
"""Notes for runs with confidences."""

OF_CEILING = (
    "Ceiling: the expected scores of the best decision of one who knows each person's routine, by the "
    "probabilities that the moments were drawn with. On one sample an agent may exceed it by luck"
)


def moment_tables(scores: Sequence[MomentRunScores]) -> list[Table]:
    """Make the tables of runs of moments: when they spoke, by kind, what they offered, their confidence.

    Args:
        scores: Scores of the runs.
    """
    # a column that repeats the names of the runs would cost a narrow terminal an interval
    agents = any(run_name(run) != name_agent(run) for run in scores)
    title = "Track 1, moments: when should an assistant speak?"
    tables = [
        _make_score_table(title, scores, TIMING, agents=agents, first=True),
        _make_kind_table(scores),
        _make_score_table("What it offered, where something was wanted", scores, OFFERS),
    ]
    if any(not run.result.why_undefined.get("brier") for run in scores):
        tables.append(_make_score_table("Confidence that something is wanted", scores, CONFIDENCE))
    return [*tables, *month_tables([(run_name(run), month) for run, month in _list_months(scores)])]


def moment_breakdown_table(run: MomentRunScores, by: str) -> Table:
    """Make the table of a run's scores by group, with intervals over people.

    Args:
        run: Scores of the run.
        by: One of `MOMENT_GROUPINGS`, or `DAY` for a run through people's months.

    Raises:
        UsageError: There is no such grouping, or it needs the run's dataset and that is missing.
    """
    if by == DAY:
        if run.month is None:
            raise UsageError(f"{run_name(run)}, by {by}: only a run of `fingertip suggest --month` has days")
        return make_day_table(run_name(run), run.month)
    if by not in run.breakdowns:
        if by in MOMENT_GROUPINGS and run.why_no_facts:
            raise UsageError(run.why_no_facts)
        raise UsageError(f"runs of moments are grouped by {', '.join(MOMENT_GROUPINGS)}; got {by}")
    table = Table(title=f"{run_name(run)} by {by}", title_justify="left")
    table.add_column(by, overflow="fold")
    for name in ("false_trigger_rate", "missed_rate", "utility"):
        table.add_column(HEADS[name], justify="right", no_wrap=True)
    table.add_column("n", justify="right")
    for group in order_groups(run.breakdowns[by], by):
        if by == "condition" and group.group is None:
            # only a false routine lacks a condition
            continue
        cells = [
            group.group or NONE,
            _format_share(group.false_triggers),
            _format_share(group.missed),
            format_spread(group.utility.interval if group.utility else None),
            f"{group.n:,}",
        ]
        table.add_row(*map(text_cell, cells))
    return table


def order_groups(groups: Sequence[MomentGroup], by: str) -> Sequence[MomentGroup]:
    """Order groups for a table: kinds as they are defined, others as they are.

    Args:
        groups: Scores of the groups of a run.
        by: The grouping.
    """
    if by != "kind":
        return groups
    order: Sequence[str | None] = MOMENT_KINDS
    return sorted(groups, key=lambda group: order.index(group.group))


def moment_notes(scores: Sequence[MomentRunScores]) -> list[str]:
    """List the notes below the tables: definitions, caveats, and what each run lacks.

    Args:
        scores: Scores of the runs.
    """
    penalties = sorted({run.result.penalty for run in scores})
    weights = " or ".join(f"{penalty:g}" for penalty in penalties)
    lines = [
        *OF_TIMING,
        f"Utility: right offers less {weights} x false triggers, by moment. Silence throughout has 0",
        *OF_OFFERS,
        *(OF_CONFIDENCE if any(run.result.reliability for run in scores) else ()),
        *([OF_CEILING] if any(run.ceiling for run in scores) else []),
    ]
    months = list(_list_months(scores))
    if months:
        lines += MONTH_WORDS
    found = [(run, describe_month(month)) for run, month in months]
    found += [(run, OF_FITTED) for run, _ in months if "learned_from" in run.record.agent.settings]
    for run in scores:
        found += [(run, note) for note in _list_run_notes(run)]
    return [*(f"{line}." for line in lines), *note_lines(scores, found), *caveat_lines(scores)]


def list_ceilings(scores: Sequence[MomentRunScores]) -> Iterator[tuple[str, MomentCeiling]]:
    """List the ceiling of the runs with its name; one for runs of the same moments.

    Args:
        scores: Scores of the runs.
    """
    of_moments: dict[tuple[object, ...], list[MomentRunScores]] = {}
    for run in scores:
        if run.ceiling:
            key = (run.record.dataset.moments_sha256, frozenset(run.task_ids))
            of_moments.setdefault(key, []).append(run)
    for runs in of_moments.values():
        several = len(of_moments) > 1
        name = f"{CEILING} ({', '.join(map(run_name, runs))})" if several else CEILING
        if runs[0].ceiling:
            yield name, runs[0].ceiling


def _list_months(scores: Sequence[MomentRunScores]) -> Iterator[tuple[MomentRunScores, MonthScores]]:
    """The runs through people's months, with what only they have."""
    for run in scores:
        if run.month is not None:
            yield run, run.month


def name_agent(run: MomentRunScores) -> str:
    """Name of the agent, and of its model."""
    model = run.record.agent.settings.get("model")
    return f"{run.record.agent.name} {model}" if isinstance(model, str) else run.record.agent.name


def format_score(scores: MomentScores | MomentCeiling, name: str) -> str:
    """Format a score as a cell: a share in percent, with its interval over people; a dash if undefined.

    Args:
        scores: Scores of a run, or their ceiling.
        name: Name of `MOMENT_SCORES`.
    """
    factor, decimals = (100, 1) if name in SHARES else (1, 3)
    interval: Interval | None = scores.intervals.get(name)
    if interval is None or name in BARE:
        value = scores.scores[name]
        return NONE if value is None else f"{value * factor:.{decimals}f}"
    return format_spread(interval, decimals=decimals, factor=factor)


def _make_score_table(
    title: str,
    scores: Sequence[MomentRunScores],
    names: Sequence[str],
    *,
    agents: bool = False,
    first: bool = False,
) -> Table:
    """A row per run, and one per ceiling; the first table has the agents, numbers of moments, and data."""
    table = SparingTable(title=title, secondary=(HEADS["precision"], HEADS["calibration_error"]))
    for head in ("run", "agent") if agents else ("run",):
        table.add_column(head, overflow="fold")
    for name in names:
        table.add_column(HEADS[name], justify="right", no_wrap=True)
    # the moments are the same in each table: one column of their number is enough
    if first:
        table.add_column("n", justify="right", no_wrap=True)
    mixed = len({(run.record.dataset.moments_sha256, run.record.split) for run in scores}) > 1
    if mixed and first:
        table.add_column("moments, split", overflow="fold")
    for run in scores:
        n = f"{run.result.n:,} of {run.record.tasks:,}" if run.partial else f"{run.result.n:,}"
        cells = [run_name(run), *([name_agent(run)] if agents else [])]
        cells += [*(format_score(run.result, name) for name in names), *([n] if first else [])]
        if mixed and first:
            cells.append(f"{run.record.dataset.moments_sha256[:DIGEST]}, {run.record.split}")
        table.add_row(*map(text_cell, cells))
    table.add_section()
    for label, ceiling in list_ceilings(scores):
        cells = [label, *([NONE] if agents else [])]
        cells += [format_score(ceiling, name) for name in names]
        cells += [f"{ceiling.n:,}", *([""] if mixed else [])] if first else []
        table.add_row(*map(text_cell, cells), style="dim")
    return table


def _make_kind_table(scores: Sequence[MomentRunScores]) -> Table:
    """Share of the moments of each kind at which each run spoke; false triggers but for the first kind."""
    table = Table(
        title="Spoke at % of the moments of each kind; only at intents it should", title_justify="left"
    )
    table.add_column("run", overflow="fold")
    for kind in MOMENT_KINDS:
        table.add_column(KIND_WORDS[kind], justify="right")
    for run in scores:
        of_kind = {group.group: group.mean for group in run.result.by_kind}
        cells = [
            format_number(None if (share := of_kind.get(kind)) is None else 100 * share, ".1f")
            for kind in MOMENT_KINDS
        ]
        table.add_row(*map(text_cell, [run_name(run), *cells]))
    counts = {group.group: group.n for group in scores[0].result.by_kind}
    table.add_section()
    cells = [f"{counts.get(kind, 0):,}" for kind in MOMENT_KINDS]
    table.add_row(*map(text_cell, ["moments", *cells]), style="dim")
    return table


def _format_share(group: GroupMean) -> str:
    return format_interval(group.interval, decimals=1, factor=100)


def _list_run_notes(run: MomentRunScores) -> Iterator[str]:
    """Notes on one run, without a full stop."""
    result = run.result
    if run.judged:
        yield from list_judged_notes(run.judged)
    elif run.judge is None:
        yield "What was offered is not judged: --judge NAME does it"
    if run.embedder is None:
        yield "No Sim_1 without an embedder"
    if run.same_answers:
        yield run.same_answers
    if run.failed:
        yield f"{run.failed:,} of {result.n:,} queries failed: they count as silence"
    if run.unread:
        yield f"{run.unread:,} of {result.n:,} answers could not be read: they count as silence"
    utility = result.intervals.get("utility")
    ends = (utility.low, utility.high) if utility else (None, None)
    if utility and ends[0] is not None and ends[1] is not None and ends[0] <= 0 <= ends[1]:
        yield (
            f"{MAYBE_SILENCE}: the interval over {utility.clusters:,} people holds it, and more people make "
            "it narrower"
        )
    lacking = result.without_confidence
    if 0 < lacking < result.n:
        yield (f"{lacking:,} of {result.n:,} answers have no confidence: an offer counts as 1, silence as 0")
    if run.without_history:
        yield f"{run.without_history:,} of {result.n:,} moments had no earlier intent to show"
    if use := read_run_memory(run.folder, run.record):
        yield use.describe(run.record.prices)
    if run.why_no_ceiling:
        yield f"No ceiling: {run.why_no_ceiling}"
    reasons: dict[str, list[str]] = {}
    for name, reason in result.why_undefined.items():
        if name != "sim1" or run.embedder:
            reasons.setdefault(reason, []).append(HEADS[name].partition(" %")[0].partition(" [")[0])
    for reason, names in reasons.items():
        yield f"Undefined, as {reason}: {', '.join(names)}"
    if run.per_query.saying():
        yield run.per_query.saying()
    if run.outputs.saying():
        yield f"Answers: {run.outputs.saying()}"
