"""The tables that `fingertip score` prints for track 2, one per kind of device, and the notes below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from rich.table import Table

from execution_runner.execution_records import OUTCOME_WORDS
from execution_runner.scoring.breakdowns import GROUPINGS, KNOWN_FROM
from execution_runner.scoring.execution_published import COLUMNS as PUBLISHED_COLUMNS
from execution_runner.scoring.execution_published import as_the_paper, rows_of
from execution_runner.scoring.run_scores import ExecutionRunScores
from execution_runner.scoring.success import SuccessRate
from fingertip_dataset.errors import UsageError
from fingertip_metrics.aggregate import Interval
from fingertip_metrics.conventions import get_protocol
from fingertip_metrics.published_beside import label_row, sources_of
from fingertip_runs.cells import (
    DIGEST,
    NONE,
    caveat_lines,
    format_interval,
    format_number,
    note_lines,
    run_name,
    text_cell,
)
from fingertip_runs.device_kinds import DEVICE_KINDS, DeviceKindName
from fingertip_runs.published_cells import apart_table, format_published
from fingertip_runs.score_summary import agent_label
from fingertip_runs.sparing_table import SparingTable
from fingertip_runs.trick_scores import LABEL, TrickScores, merge_tricks

SR2, BEST = "SR_2 % [95 %]", "at best"
COLUMNS = ("Sim_2 [95 %]", "identified %", "S_I", "S_II", "actions", "steps x")
MODEL_COLUMNS = ("s/query", "tokens/query")
SECONDARY = ("tokens/query", "s/query", "actions", "S_II", "S_I")
"""Columns after run and agent: SR_2; its best case, if a run has tasks without a decision; those of every
table; those of tables with runs that query a model; and those that a narrow terminal leaves out, in order."""

END_COLUMNS = {
    "progress": "progress % [95 %]",
    "false_completion": "false completion % [95 %]",
    "side_effects": "side effects % [95 %]",
    "without_looking": "answered without looking % [95 %]",
    "questions": "questions [95 %]",
    "needless": "needless [95 %]",
    "unasked": "unasked acts % [95 %]",
    "after_no": "acts after a no % [95 %]",
}
"""Means beside success -> column; a table has those that are defined for one of its runs."""

DIALOGUE_COLUMNS = {
    "questions": "questions",
    "needless": "needless",
    "unasked": "unasked acts %",
    "after_no": "after a no %",
}
"""Those of runs in which somebody answers -> column of a breakdown."""

COUNTS = ("questions", "needless")
"""Those of `END_COLUMNS` that are numbers a task; all others are shares."""


def by_kind(
    scores: Sequence[ExecutionRunScores],
) -> Iterator[tuple[DeviceKindName, list[ExecutionRunScores]]]:
    """The runs on each kind of device, the paper's own first; different kinds never share a table."""
    for kind in DEVICE_KINDS:
        runs = [run for run in scores if run.record.device == kind]
        if runs:
            yield kind, runs


def score_tables(
    scores: Sequence[ExecutionRunScores], *, published: bool = True, tricks: Sequence[TrickScores] = ()
) -> list[Table]:
    """A table per kind of device: SR_2 and Sim_2 with their intervals, seconds and tokens.

    Args:
        scores: Scores of the runs, each a row.
        published: Whether to add the paper's rows of a run's own setting, with the scores that are computed
            as the paper's are.
        tricks: Scores of the tricks on the tasks of each run, in rows below the runs; empty for none.
    """
    tables = []
    for kind, runs in by_kind(scores):
        tables.append(_score_table(kind, runs, published, choose_tricks(scores, tricks, runs)))
        if end_columns(runs):
            tables.append(_build_end_table(kind, runs))
        if DEVICE_KINDS[kind].trace_columns:
            tables.append(_build_trace_table(runs))
    return tables


def choose_tricks(
    scores: Sequence[ExecutionRunScores], tricks: Sequence[TrickScores], runs: Sequence[ExecutionRunScores]
) -> TrickScores:
    """Choose the scores of the tricks on the tasks of some of the runs.

    Args:
        scores: Scores of all runs.
        tricks: Scores of the tricks on the tasks of each of these; empty for none.
        runs: Those of one table.
    """
    return merge_tricks([found for run, found in zip(scores, tricks, strict=False) if run in runs])


def check_breakdowns(scores: Iterable[ExecutionRunScores], groupings: Iterable[str]) -> None:
    """Refuse groupings that one of the runs does not have.

    Args:
        scores: Scores of the runs.
        groupings: Names of `breakdowns.GROUPINGS`.

    Raises:
        UsageError: There is no such grouping, or it needs a run's dataset and that is missing.
    """
    for run, by in product(scores, groupings):
        if by in run.breakdowns:
            continue
        why = run.why_no_facts if by in GROUPINGS else f"expected a breakdown by {', '.join(GROUPINGS)}"
        if by == KNOWN_FROM:
            why = "only tasks under --instructions or --answered-by of `fingertip execute` have it"
        raise UsageError(f"{run_name(run)}, by {by}: {why}")


def breakdown_table(run: ExecutionRunScores, by: str) -> Table:
    """SR_2, Sim_2, step ratio and questions, if any, of each group of a run, with their intervals.

    Args:
        run: Its scores.
        by: One of `breakdowns.GROUPINGS`.

    Raises:
        UsageError: As of `check_breakdowns`.
    """
    check_breakdowns([run], [by])
    of_dialogue = {name: head for name, head in DIALOGUE_COLUMNS.items() if run.means[name]}
    table = Table(title=f"{run_name(run)}: by {by}", title_justify="left")
    table.add_column("golden steps" if by == "difficulty" else by, overflow="fold")
    best = _has_open_tasks([run])
    own = ("SR_2 %", *((BEST,) if best else ()), "Sim_2", "actions", "steps x", *of_dialogue.values())
    for name in (*own, "ended", "tasks"):
        table.add_column(name, justify="right")
    for row in run.breakdowns[by]:
        table.add_row(
            text_cell("not known" if row.group is None else row.group),
            *_format_sr2_cells(row.success, best),
            *(format_interval(row.means[name]) for name in ("sim2", "action_similarity", "step_ratio")),
            *(_format_end_mean(row.means[name], name) for name in of_dialogue),
            f"{row.success.counted:,}",
            f"{row.success.tasks:,}",
        )
    return table


def notes(scores: Sequence[ExecutionRunScores]) -> list[str]:
    """The notes below the tables: how the runs were scored, how tasks ended, and what is comparable."""
    first = scores[0]
    lines = [
        "SR_2 is the share of tasks that are done, Sim_2 how much the agent acts like this person; both are "
        "means over all tasks. A task without a decision counts as not done; one that the agent did not end "
        f"has the Sim_2 of its actions until then. Sim_2 follows protocol {first.protocol}, similarity "
        f"{first.similarity}, spelling {first.spelling}. actions: similarity of whole actions. "
        "steps x: the agent's steps over the person's, of the tasks that are done."
    ]
    lines += _describe_identification(scores)
    if get_protocol(first.protocol).agent_terminator and first.similarity != "tokens":
        lines.append(
            "S_I is below 1.0 even for a perfect copy of a short task: by the authors' rule a separator "
            "follows "
            "the agent's last action, and none the person's."
        )
    if len({(run.record.dataset.data_sha256, run.record.split) for run in scores}) > 1:
        lines.append("Warning: these runs are of different data or splits: do not compare their rows.")
    elif len({run.record.task_ids for run in scores}) > 1:
        lines.append("Warning: these runs have different tasks: do not compare their rows.")
    if len({run.record.device for run in scores}) > 1:
        lines.append("Runs on different kinds of device have tables of their own: do not compare them.")
    if any(run.usage.queries for run in scores):
        lines.append(
            "Seconds and tokens are means per query of a model. Seconds run from the request to the last "
            "byte "
            "of the answer, with the wait in the server's queue; repeated requests and the phone's own time "
            "are left out."
        )
    lines += end_notes(scores)
    lines += [f"{run_name(run)}: {ends(run)}{_cost(run)}." for run in scores]
    remarks = note_lines(scores, ((run, remark) for run in scores for remark in run.remarks))
    # a warning is read before all else
    remarks.sort(key=lambda line: not line.startswith("WARNING"))
    warnings = sum(line.startswith("WARNING") for line in remarks)
    return [*remarks[:warnings], *lines, *remarks[warnings:], *caveat_lines(scores)]


def _describe_identification(scores: Sequence[ExecutionRunScores]) -> list[str]:
    """Describe identification with its chance and groups; nothing where no run has a group."""
    found = dict.fromkeys(
        (one.size, one.groups, one.same_app, one.left_out)
        for run in scores
        if (one := run.identification).groups
    )
    return [
        "identified: the share of tasks in which the agent's actions are nearest to those of the task's own "
        f"person, among {size} people with the most similar intents; chance is {100 / size:.1f} %. Ours, not "
        f"the paper's. {groups:,} groups, {same_app:,} of them within one app; {left_out:,} tasks are in no "
        "group."
        for size, groups, same_app, left_out in found
    ]


def end_notes(scores: Sequence[ExecutionRunScores]) -> list[str]:
    """Describe the columns of `END_COLUMNS` that a run has."""
    words = {
        "progress": "progress: share of the goal's conditions that hold at the end. The conditions are what "
        "every known way to the goal changes, and the goal's rule or the right answer.",
        "false_completion": "false completion: the agent said that it had finished, but the task is not "
        "done.",
        "side_effects": "side effects: the agent left a change on the simulated phone that no known way "
        "to the goal makes.",
        "without_looking": "answered without looking: of the questions that the agent answered, those whose "
        "answer was never on a screen of the attempt. A right answer still counts as done.",
        "questions": "questions: mean number of questions a task; needless: of those whose reply the agent "
        "could have known from the history or the profile.",
        "unasked": "unasked acts: share of tasks in which the agent spent money, sent or deleted something "
        "without the person's yes to just that.",
        "after_no": "acts after a no: share of tasks in which it did so after the person said no; such a "
        "task is not done.",
    }
    return [words[name] for name in end_columns(scores) if name in words]


def build_published_table(scores: Sequence[ExecutionRunScores]) -> Table | None:
    """The paper's rows of the runs' settings in a table of their own; None without any."""
    rows = rows_of(scores, elsewhere=True)
    return apart_table(rows, PUBLISHED_COLUMNS, "on its own test, on a physical phone") if rows else None


def ends(run: ExecutionRunScores) -> str:
    """Counts of a run's tasks by how they ended, in words."""
    named = ", ".join(
        f"{count:,} {OUTCOME_WORDS[outcome]}" for outcome, count in run.outcomes.items() if count
    )
    if not run.repeated:
        return named
    return f"{named}; {run.repeated:,} needed more than one attempt, at most {run.most_attempts}"


def _has_open_tasks(scores: Sequence[ExecutionRunScores]) -> bool:
    """Whether the best case of SR_2 of a run differs from its SR_2."""
    return any(run.success.sr2 is not None and run.success.worst < run.success.best for run in scores)


def _format_sr2_cells(success: SuccessRate, best: bool) -> list[str]:
    """SR_2, and its best case in percent in tables that have it."""
    found = NONE if success.sr2 is None else f"{100 * success.best:.1f}"
    return [_format_sr2(success), *([found] if best else [])]


def _format_sr2(success: SuccessRate) -> str:
    """SR_2 in percent with its interval, or the reason why it is undefined."""
    if success.sr2 is None:
        return success.why_none or NONE
    return format_interval(success.sr2, decimals=1, factor=100)


def tasks_cell(run: ExecutionRunScores) -> str:
    """Number of tasks in the means, and of how many if the run is not finished."""
    ended = f"{run.success.tasks:,}"
    return ended if run.success.tasks == run.record.tasks else f"{ended} of {run.record.tasks:,}"


def best_cell(run: ExecutionRunScores) -> str:
    """The best case of SR_2 in percent; "" if it is SR_2 itself, or if there is no SR_2."""
    return f"{100 * run.success.best:.1f}" if _has_open_tasks([run]) else ""


def cost_cell(run: ExecutionRunScores) -> str:
    """Cost of the tokens; a dash without prices."""
    cost, prices = run.cost, run.record.prices
    return NONE if cost is None or prices is None else f"{cost:.2f} {prices.currency}"


def _score_table(
    kind: DeviceKindName, runs: Sequence[ExecutionRunScores], published: bool, tricks: TrickScores
) -> Table:
    title = f"Track 2, personalized execution: {DEVICE_KINDS[kind].score_title}"
    table = SparingTable(title=title, secondary=SECONDARY)
    table.add_column("run", overflow="fold")
    table.add_column("agent", overflow="fold")
    uses_model = any(run.usage.queries for run in runs)
    best = _has_open_tasks(runs)
    columns = (SR2, *((BEST,) if best else ()), *COLUMNS, *(MODEL_COLUMNS if uses_model else ()))
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("n", justify="right")
    mixed = len({(run.record.dataset.data_sha256, run.record.split) for run in runs}) > 1
    if mixed:
        table.add_column("data, split", overflow="fold")
    for run in runs:
        cells = [
            run_name(run),
            agent_label(run.record.agent),
            *_format_sr2_cells(run.success, best),
            format_interval(run.means["sim2"]),
            _format_share(run.means["identification"]),
        ]
        cells += [_mean(run.means[name]) for name in ("s_i", "s_ii", "action_similarity")]
        cells += [_mean(run.means["step_ratio"], ".2f"), *(_format_model_cells(run) if uses_model else ())]
        cells += [tasks_cell(run)]
        if mixed:
            cells.append(f"{run.record.dataset.data_sha256[:DIGEST]}, {run.record.split}")
        table.add_row(*map(text_cell, cells))
    _add_tricks(table, tricks, best, uses_model)
    if published:
        _add_published(table, runs, best, uses_model)
    return table


def _add_tricks(table: Table, tricks: TrickScores, best: bool, uses_model: bool) -> None:
    """Adds a row per trick; a dash for what it does not have."""
    table.add_section()
    for row in tricks.rows:
        cells = [LABEL, row.words, NONE, *([NONE] if best else []), format_interval(row.means.get("sim2"))]
        cells.append(_format_share(row.means.get("identification")))
        cells += [_mean(row.means.get(name)) for name in ("s_i", "s_ii", "action_similarity")]
        cells += [NONE, *([NONE, NONE] if uses_model else []), f"{row.n:,}"]
        table.add_row(*map(text_cell, cells), style="dim")


def _format_share(interval: Interval | None) -> str:
    """A share in percent, with its interval."""
    return format_interval(interval, decimals=1, factor=100)


def _format_model_cells(run: ExecutionRunScores) -> tuple[str, str]:
    usage = run.usage
    return format_number(usage.seconds_per_query, ".2f"), format_number(usage.tokens_per_query, ",.0f")


def _cost(run: ExecutionRunScores) -> str:
    return "" if run.cost is None else f"; its tokens cost {cost_cell(run)}"


def _add_published(table: Table, runs: Sequence[ExecutionRunScores], best: bool, uses_model: bool) -> None:
    """Adds the paper's rows of the runs' setting; a dash for a score that is computed otherwise."""
    rows, comparable = rows_of(runs), as_the_paper(runs)
    if not rows or not comparable:
        return
    table.add_section()
    for row in rows:
        sr2, sim2, ratio = (
            format_published(row, name) if name in comparable else NONE
            for name in ("sr2", "sim2", "step_ratio")
        )
        cells = [
            "published",
            label_row(row),
            sr2,
            *([NONE] if best else []),
            sim2,
            NONE,
            NONE,
            NONE,
            NONE,
            ratio,
        ]
        cells += [format_published(row, "seconds"), format_published(row, "tokens")] if uses_model else []
        table.add_row(*map(text_cell, cells), style="dim")
    table.caption = f"published: {sources_of(rows)}"
    table.caption_justify = "left"


def _build_trace_table(runs: Sequence[ExecutionRunScores]) -> Table:
    """Scores of recorded episodes only; ours, not the paper's."""
    columns = DEVICE_KINDS[runs[0].record.device].trace_columns
    table = Table(title="Comparison with the recorded steps (not in the paper)", title_justify="left")
    for name in ("run", "agent"):
        table.add_column(name, overflow="fold")
    for head in columns.values():
        table.add_column(head, justify="right")
    for run in runs:
        values = [getattr(run.trace, name) for name in columns]
        shown = [format_interval(value, decimals=1, factor=100) for value in values]
        table.add_row(text_cell(run_name(run)), text_cell(agent_label(run.record.agent)), *shown)
    return table


def end_columns(runs: Sequence[ExecutionRunScores]) -> dict[str, str]:
    """Choose the columns of `END_COLUMNS` that one of the runs has; recordings have none of them."""
    return {name: head for name, head in END_COLUMNS.items() if any(run.means[name] for run in runs)}


def format_end_cell(run: ExecutionRunScores, name: str) -> str:
    """A mean of `END_COLUMNS`: a count a task, or a share in percent."""
    return _format_end_mean(run.means[name], name)


def _format_end_mean(mean: Interval | None, name: str) -> str:
    count = name in COUNTS
    return format_interval(mean, decimals=2 if count else 1, factor=1 if count else 100)


def _build_end_table(kind: DeviceKindName, runs: Sequence[ExecutionRunScores]) -> Table:
    """Table of progress, false completion and side effects, which are not the paper's."""
    table = Table(
        title=f"How attempts ended, {DEVICE_KINDS[kind].score_title} (not in the paper)",
        title_justify="left",
    )
    for name in ("run", "agent"):
        table.add_column(name, overflow="fold")
    columns = end_columns(runs)
    for head in columns.values():
        table.add_column(head, justify="right")
    for run in runs:
        shown = [format_end_cell(run, name) for name in columns]
        table.add_row(*map(text_cell, (run_name(run), agent_label(run.record.agent), *shown)))
    return table


def _mean(interval: Interval | None, form: str = ".3f") -> str:
    return format_number(None if interval is None else interval.mean, form)
