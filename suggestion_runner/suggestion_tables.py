"""Tables that `fingertip score` prints for track 1: a row per run, breakdowns, and the notes below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table

from fingertip_dataset.errors import UsageError
from fingertip_metrics.published import PublishedRow
from fingertip_metrics.published_beside import label_row, sources_of
from fingertip_runs.cells import (
    DIGEST,
    NONE,
    caveat_lines,
    format_interval,
    format_number,
    format_seconds,
    note_lines,
    run_name,
    text_cell,
)
from fingertip_runs.published_cells import format_published
from fingertip_runs.sparing_table import SparingTable
from fingertip_runs.trick_scores import LABEL, NO_TRICKS, TrickScores
from suggestion_runner.acceptance import acceptance_notes
from suggestion_runner.human.rater_agreement import agreement_notes
from suggestion_runner.judged_run import list_judged_notes
from suggestion_runner.scoring import GROUPINGS, SuggestionRunScores
from suggestion_runner.suggestion_published import as_the_paper, rows_of

SR1 = "SR_1 % [95 %]"
DOUBTFUL = " !"
"""Mark of an SR_1 whose judge must not be trusted; a warning below the table says why."""

BEST = "at best"
"""Column with SR_1 if each task without a verdict were done; only if a run has such tasks."""

ACCEPTED = "accepted % [95 %]"
"""Column with the share of suggestions that people accept; only if people judged those of a run."""

OTHER_TEXT = "of the other text"
"""Column with Sim_1 of the text that is not scored, if the two texts of some answer differ."""

COLUMNS = ("Sim_1 [95 %]", "cosine", "text", "n", "unanswered", "s/query", "tokens/query")
SECONDARY = ("tokens/query", "s/query", "text", "cosine", OTHER_TEXT)
"""Columns that a narrow terminal leaves out, the first one first."""

DISTRIBUTION_NOTE = (
    "Sim_1 distr. (A.6.5): cosine of the answer to everything that the same person wants in that hour of the "
    "day in the whole dataset, later intents too; no agent is shown this target. transport: our own variant, "
    "with what they want within half an hour"
)


def score_table(
    scores: Sequence[SuggestionRunScores], *, published: bool = True, tricks: TrickScores = NO_TRICKS
) -> Table:
    """A row per run: SR_1 with a judge, Sim_1 with its interval, its parts, seconds and tokens.

    Args:
        scores: Scores of the runs.
        published: Whether to add the paper's rows of a run's own setting, with the scores that are computed
            as the paper's are.
        tricks: Scores of answers without a look at the task, in rows below the runs.
    """
    title = "Track 1, proactive suggestion: what does this person want next?"
    table = SparingTable(title=title, secondary=SECONDARY)
    for name in ("run", "agent"):
        table.add_column(name, overflow="fold")
    both = any(run.differing for run in scores)
    by_people = _choose_judged_columns(scores)
    for name in (*by_people, COLUMNS[0], *((OTHER_TEXT,) if both else ()), *COLUMNS[1:]):
        table.add_column(name, justify="right", no_wrap=True)
    mixed = _differ(scores)
    if mixed:
        table.add_column("data, split", overflow="fold")
    for run in scores:
        table.add_row(*map(text_cell, _format_cells(run, by_people, both, mixed)))
    _add_tricks(table, tricks, by_people, both)
    if published:
        _add_published(table, [run for run in scores if not run.record.distribution], by_people, both)
    return table


def _choose_judged_columns(scores: Sequence[SuggestionRunScores]) -> tuple[str, ...]:
    """The columns that a judge's verdicts or people's judgements bring: SR_1, its best case, acceptance."""
    present = {
        SR1: any(run.judged for run in scores),
        BEST: any(run.sr1.unscored and not run.sr1.lacks_verdicts for run in scores if run.sr1),
        ACCEPTED: any(run.acceptance for run in scores),
    }
    return tuple(name for name, shown in present.items() if shown)


def _format_cells(run: SuggestionRunScores, judged: Sequence[str], both: bool, mixed: bool) -> list[str]:
    """The cells of a run; `judged` are the columns of `_choose_judged_columns`."""
    result, record = run.result, run.record
    cells = [
        run_name(run),
        _name_agent(run),
        *map(_format_judged_cells(run).__getitem__, judged),
        format_interval(run.intervals["sim1"]),
        *([f"{run.other_sim1.mean:.3f}"] if both else []),
        f"{result.cosine:.3f}",
        f"{result.levenshtein:.3f}",
        f"{result.n:,} of {record.tasks:,}" if run.partial else f"{result.n:,}",
        f"{result.empty:,}",
        format_seconds(run.per_query.seconds),
        format_number(run.per_query.tokens, ",.0f"),
    ]
    return [*cells, f"{record.dataset.data_sha256[:DIGEST]}, {record.split}"] if mixed else cells


def _name_agent(run: SuggestionRunScores) -> str:
    """Name of the agent, and of its model."""
    model = run.record.agent.settings.get("model")
    return f"{run.record.agent.name} {model}" if isinstance(model, str) else run.record.agent.name


def _format_judged_cells(run: SuggestionRunScores) -> dict[str, str]:
    """Column of `_choose_judged_columns` -> the run's cell."""
    judged, acceptance = run.judged, run.acceptance
    if judged and judged.result.lacks_verdicts:
        judged = None
    return {
        SR1: format_interval(judged.interval if judged else None, decimals=1, factor=100)
        + (DOUBTFUL if judged and judged.warnings else ""),
        BEST: NONE if judged is None else f"{100 * judged.result.best:.1f}",
        ACCEPTED: format_interval(acceptance.accepted if acceptance else None, decimals=1, factor=100),
    }


def _add_tricks(table: Table, tricks: TrickScores, judged: Sequence[str], both: bool) -> None:
    """Adds a row per trick; a dash for what it does not have."""
    table.add_section()
    for row in tricks.rows:
        sr1 = format_interval(row.means.get("sr1"), decimals=1, factor=100)
        cells = [LABEL, row.words, *[sr1 if name == SR1 else NONE for name in judged]]
        cells += [format_interval(row.means["sim1"]), *([NONE] if both else [])]
        cells += [format_number(row.means[part].mean) for part in ("cosine", "levenshtein")]
        table.add_row(*map(text_cell, (*cells, f"{row.n:,}", NONE, NONE, NONE)), style="dim")


def _add_published(
    table: Table, scores: Sequence[SuggestionRunScores], judged: Sequence[str], both: bool
) -> None:
    """Adds the paper's rows of the runs' setting; a dash for a score that is computed otherwise."""
    rows, comparable = rows_of(scores), as_the_paper(scores)
    if not rows or not comparable:
        return
    table.add_section()
    for row in rows:
        shown = {
            name: format_published(row, name) if name in comparable else NONE for name in ("sr1", "sim1")
        }
        cells = ["published", label_row(row), *[shown["sr1"] if name == SR1 else NONE for name in judged]]
        cells += [shown["sim1"], *[NONE] * (5 if both else 4)]
        cells += [format_published(row, "seconds"), format_published(row, "tokens")]
        table.add_row(*map(text_cell, cells), style="dim")
    _add_caption(table, rows)


def _add_caption(table: Table, rows: Sequence[PublishedRow]) -> None:
    table.caption = f"published: {sources_of(rows)}"
    table.caption_justify = "left"


def distribution_table(scores: Sequence[SuggestionRunScores], *, published: bool = True) -> Table | None:
    """A row of A.6.5 scores per run whose answers are distributions; None without such a run.

    Args:
        scores: Scores of the runs.
        published: Whether to add the paper's row of table 12 below runs of its setting.
    """
    distributing = [(run, run.distributions) for run in scores if run.distributions]
    if not distributing:
        return None
    table = Table(title="Answers with several intents and their probabilities (A.6.5)", title_justify="left")
    table.add_column("run", overflow="fold")
    for name in ("SR_1 % top 3 [95 %]", "Sim_1 distr. [95 %]", "transport", "n", "with several intents"):
        table.add_column(name, justify="right", no_wrap=True)
    for run, several in distributing:
        lacks = several.top3 is not None and several.top3.lacks_verdicts
        top3 = format_interval(None if lacks else several.top3_interval, decimals=1, factor=100)
        transport = format_number(several.transport.mean if several.transport else None)
        cells = [run_name(run), top3, format_interval(several.sim1), transport, f"{several.n:,}"]
        table.add_row(*map(text_cell, [*cells, f"{several.with_alternatives:,}"]))
    if published:
        _add_published_distribution(table, [run for run, _ in distributing])
    return table


def _add_published_distribution(table: Table, scores: Sequence[SuggestionRunScores]) -> None:
    """Adds the paper's row of table 12; a dash for a score that is computed otherwise."""
    rows, comparable = rows_of(scores), as_the_paper(scores)
    if not rows or not comparable:
        return
    table.add_section()
    for row in rows:
        shown = [format_published(row, name) if name in comparable else NONE for name in ("sr1", "sim1")]
        table.add_row(*map(text_cell, (f"published: {row.agent}", *shown, NONE, NONE, NONE)), style="dim")
    _add_caption(table, rows)


def breakdown_table(run: SuggestionRunScores, by: str) -> Table:
    """Mean Sim_1 of each group of a run with its interval, and its SR_1 with a judge.

    Args:
        run: Scores of the run.
        by: One of `scoring.GROUPINGS`.

    Raises:
        UsageError: There is no such grouping, or it needs the run's dataset and that is missing.
    """
    if by not in run.breakdowns:
        why = run.why_no_facts if by in GROUPINGS else f"expected a breakdown by {', '.join(GROUPINGS)}"
        raise UsageError(f"{run_name(run)}, by {by}: {why}")
    shown = run.judged and not run.judged.result.lacks_verdicts
    table = Table(title=f"{run_name(run)}: {'SR_1 and ' if shown else ''}Sim_1 by {by}", title_justify="left")
    table.add_column(by, overflow="fold")
    judged = run.judged.breakdowns[by] if run.judged and shown else ()
    for name in (*((SR1,) if judged else ()), "Sim_1 [95 %]", "users", "n"):
        table.add_column(name, justify="right", no_wrap=True)
    for number, group in enumerate(run.breakdowns[by]):
        shares = [
            format_interval(row.interval, decimals=1, factor=100) for row in judged[number : number + 1]
        ]
        users = f"{group.interval.clusters:,}" if group.interval else NONE
        cells = [*shares, format_interval(group.interval), users, f"{group.n:,}"]
        table.add_row(text_cell("not known" if group.group is None else group.group), *cells)
    return table


def notes(scores: Sequence[SuggestionRunScores]) -> list[str]:
    """The notes below the table: how the runs were scored, and which numbers are comparable."""
    first = scores[0].result
    how = f"the mean of a text similarity ({first.similarity}) and the cosine of {first.embedder}"
    lines = [f"Sim_1 by protocol {first.protocol}: {how}.", f"{_describe_scored_text(scores)}."]
    if _differ(scores):
        lines.append("Warning: these runs are of different data or splits: do not compare their rows.")
    query_notes = [(run, saying) for run in scores if (saying := run.per_query.saying())]
    outputs = [(run, saying) for run in scores if (saying := run.outputs.saying())]
    sayings = ((run, saying) for run in scores if run.judged for saying in list_judged_notes(run.judged))
    people = ((run, saying) for run in scores if run.raters for saying in agreement_notes(run.raters))
    accepted = ((run, line) for run in scores if run.acceptance for line in acceptance_notes(run.acceptance))
    unknown = [(run, saying) for run in scores for saying in run.result.list_notes()]
    lacking = [(run, _describe_history(run)) for run in scores if run.without_history]
    memories = [(run, memory.describe(run.record.prices)) for run in scores if (memory := run.memory)]
    run_notes = [
        *unknown,
        *lacking,
        *memories,
        *query_notes,
        *outputs,
        *sayings,
        *accepted,
        *people,
        *_describe_distributions(scores),
    ]
    doubts = [(run, f"WARNING: {why}") for run in scores if run.judged for why in run.judged.warnings]
    doubts += [(run, run.same_answers) for run in scores if run.same_answers]
    return [*note_lines(scores, doubts), *lines, *note_lines(scores, run_notes), *caveat_lines(scores)]


def _describe_scored_text(scores: Sequence[SuggestionRunScores]) -> str:
    """Text of the answers that the scores are of."""
    words = {"raw": "the answer as given", "read": "the intent that our parser found in the answer"}
    which = scores[0].answers
    several = any(run.record.distribution for run in scores)
    line = f"Scored text: {words[which]}{'; for a distribution, its likeliest intent' if several else ''}"
    differing = [run for run in scores if run.differing]
    if not differing:
        return line
    counts = ", ".join(
        f"{run.differing:,} of {run.result.n:,} answers of {run_name(run)}" for run in differing
    )
    other = words["read" if which == "raw" else "raw"]
    return f"{line}. For {counts} {other} differs: its Sim_1 is in column '{OTHER_TEXT}'"


def _describe_history(run: SuggestionRunScores) -> str:
    none = f"{run.without_history:,} of {run.result.n:,} tasks had no earlier intent to show"
    return f"{none}: the dataset has none of that person before the task"


def _describe_distributions(
    scores: Sequence[SuggestionRunScores],
) -> Iterator[tuple[SuggestionRunScores, str]]:
    for run in scores:
        if run.distributions:
            yield run, run.distributions.why_no_sim1 or DISTRIBUTION_NOTE


def _differ(scores: Sequence[SuggestionRunScores]) -> bool:
    return len({(run.record.dataset.data_sha256, run.record.split) for run in scores}) > 1
