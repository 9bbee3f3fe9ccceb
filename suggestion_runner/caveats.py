"""Differences in setting between the scores of a track 1 run and the paper's table 3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fingertip_dataset.split_names import TEST_SUGGESTION
from fingertip_metrics.judges.llm import PAPERS_JUDGE, is_papers_model
from fingertip_metrics.sim1_score import Sim1
from fingertip_runs.score_summary import data_caveats, model_caveats
from suggestion_runner.answer_text import AnswerText
from suggestion_runner.context_limits import context_signs, cut_before_limit
from suggestion_runner.judged_run import JudgedRun
from suggestion_runner.suggestion_records import HUMAN, Prediction, SuggestionRun

PAPERS_SPLIT = TEST_SUGGESTION

PAPER_TASKS, PUBLIC_TASKS = 1000, 996
"""Tasks of test_suggestion by the paper's table 7; distinct episodes in the public table of that name."""

PAPER_HUMAN_TASKS = 400
"""Number of test episodes that people answered for the paper's table 3."""

COMPLETE = 0.9
"""Minimum share of the public tasks for a mean to count as the test's: some episodes are incomplete."""

UNREAD = ("selection cut", "selection unreadable")
"""Suffixes of the outcome if the selection of earlier intents was unparsable: the latest 20 were shown."""


def caveats_of(
    record: SuggestionRun,
    predictions: Sequence[Prediction],
    result: Sim1,
    judged: JudgedRun | None,
    *,
    answers: AnswerText,
    differing: int,
) -> tuple[str, ...]:
    """Reasons why the numbers are not comparable with the paper's table 3; empty if they are.

    Args:
        record: Record of the run.
        predictions: Scored predictions.
        result: Their Sim_1.
        judged: Their SR_1; None without a judge.
        answers: Form of the scored text.
        differing: Number of answers whose raw text and parsed intent differ.
    """
    found = [result.why_not_comparable, judged.result.why_not_comparable if judged else None]
    if answers == "read" and differing:
        found.append(
            f"answers are scored as our parser reads them: the authors score them as given, and "
            f"{differing:,} of "
            f"{result.n:,} differ"
        )
    found += [*setting_caveats(record, result.n), *model_caveats(record.agent.settings, hidden_terms(record))]
    found += _list_answer_caveats(record, predictions)
    return tuple(caveat for caveat in found if caveat)


def setting_caveats(record: SuggestionRun, scored: int) -> Iterator[str]:
    """Differences of data, tasks and task view from the paper's, whatever the model and its answers.

    Args:
        record: Record of the run.
        scored: Number of scored tasks.
    """
    yield from data_caveats(record.dataset)
    yield from _list_task_caveats(record, scored)
    yield from input_caveats(record)
    if record.protocol != "online":
        yield f"earlier intents by protocol {record.protocol}: the authors take them from any earlier episode"


def hidden_terms(record: SuggestionRun) -> tuple[str, ...]:
    """Terms of the paper's equation (1) that a run hides, by the names of `SUGGESTION_TERMS`."""
    names = {"scenario": "place"}
    hidden = tuple(names.get(part, part) for part in record.without)
    return (*hidden, "intents") if record.history == "none" else hidden


def history_model(record: SuggestionRun) -> str | None:
    """Id of the model that selects earlier intents: the history model, or else the agent's own."""
    if record.history != "relevant":
        return None
    settings = record.agent.settings
    second = settings.get("history_model")
    named = second.get("model") if isinstance(second, Mapping) else settings.get("model")
    return named if isinstance(named, str) else None


def is_sampled_as_people(record: SuggestionRun) -> bool:
    """Whether people answered a random sample of the test at least as large as the paper's, or nearly so."""
    drawn = record.selection
    return (
        record.agent.name == HUMAN
        and drawn is not None
        and drawn.kind == "sample"
        and drawn.of >= COMPLETE * PUBLIC_TASKS
        and record.tasks >= COMPLETE * PAPER_HUMAN_TASKS
    )


def _list_task_caveats(record: SuggestionRun, scored: int) -> Iterator[str]:
    tasks = record.tasks
    if record.split != PAPERS_SPLIT:
        yield f"split {record.split}: the paper's is {PAPERS_SPLIT}"
    if record.selection is not None:
        yield from _list_selection_caveats(record)
    elif record.split == PAPERS_SPLIT and tasks < COMPLETE * PUBLIC_TASKS:
        yield f"{tasks} tasks: the paper's test has {PAPER_TASKS:,}, the public table {PUBLIC_TASKS}"
    if scored < tasks:
        yield f"{scored} of the run's {tasks} tasks"


def _list_selection_caveats(record: SuggestionRun) -> Iterator[str]:
    """In the paper people answered a part of the test, all other agents the whole of it."""
    if record.selection is None:
        return
    selection = record.selection.describe(record.tasks)
    if record.agent.name != HUMAN:
        yield f"{selection}: the paper's agents answer all of the test"
    elif not is_sampled_as_people(record):
        yield f"{selection}: the paper's people answered {PAPER_HUMAN_TASKS} episodes of the test"


def input_caveats(record: SuggestionRun) -> Iterator[str]:
    """Differences of the task view from the paper's table 3; the paper's other tables vary just that."""
    if record.screenshots:
        screens = f"{record.screenshots} screenshot{'s' if record.screenshots > 1 else ''}"
        yield f"{screens}: the paper's agents see none in table 3"
    if record.has_own_memory and record.memory is not None:
        yield f"memory {record.memory.describe()}: the paper's agents see the latest 20 earlier intents"
    elif record.history != "20":
        yield f"earlier intents shown: {record.history}; the paper's agents see the latest 20"
    if record.inferred is not None:
        inferred = record.inferred
        left_out = f", {inferred.without:,} of {inferred.episodes:,} episodes without one are left out"
        yield (
            f"earlier intents inferred by {inferred.method} from what was done"
            f"{left_out if inferred.without else ''}: the paper's are what the users declared"
        )
    if record.without:
        yield f"without {', '.join(record.without)}: the paper's agents get it"
    if record.distribution:
        yield "agents are asked for several intents with probabilities: in the paper's table 3 for one intent"


def _list_answer_caveats(record: SuggestionRun, predictions: Sequence[Prediction]) -> Iterator[str]:
    """List caveats of the answers: selections that were not the paper's, cut answers, failed queries."""
    yield from _list_picking_caveats(record, predictions)
    cut = sum(prediction.cut for prediction in predictions)
    if cut > cut_before_limit(predictions, record.agent.settings):
        yield (f"{cut:,} answers were cut off at the output limit and count as no answer: raise --max-tokens")
    elif cut:
        yield f"{cut:,} answers were cut off and count as no answer"
    yield from context_signs(predictions, record.agent.settings)
    failed = sum(prediction.failed for prediction in predictions)
    if failed:
        yield f"{failed:,} {'tasks' if failed > 1 else 'task'} whose query failed count as no answer"


def _list_picking_caveats(record: SuggestionRun, predictions: Sequence[Prediction]) -> Iterator[str]:
    """Which model selected the relevant earlier intents (A.6.3), and for how many tasks none did."""
    picker = history_model(record)
    if picker is not None and not is_papers_model(picker):
        second = record.agent.settings.get("history_model")
        who = f"--history-model {picker}" if second else f"the model itself, {picker}"
        yield f"earlier intents picked by {who}: the paper's is {PAPERS_JUDGE}"
    unread = sum(prediction.outcome.endswith(UNREAD) for prediction in predictions)
    if unread:
        yield (
            f"{unread:,} of {len(predictions):,} tasks were asked with the latest 20 earlier intents, "
            "because the selection could not be read"
        )
