"""Tricks of track 1: a constant answer, and echoes of the person's earlier intents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fingertip_agents.suggestion.baselines import FrequentBaseline, RecentBaseline
from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_dataset.tasks.task import SuggestionInput, SuggestionTask
from fingertip_metrics.embedders import Embedder
from fingertip_metrics.judges.lexical import LexicalJudge
from fingertip_metrics.judges.simulated_judge import SimulatedJudge
from fingertip_metrics.judges.verdicts import Judge
from fingertip_metrics.sim1_score import sim1
from fingertip_metrics.sr1_score import sr1
from fingertip_runs.report_base import open_run_dataset
from fingertip_runs.score_summary import user_interval
from fingertip_runs.trick_scores import TrickScore, TrickScores
from suggestion_runner.judged_run import sr1_interval
from suggestion_runner.scoring import PARTS, SuggestionRunScores
from suggestion_runner.suggestion_tasks import ShownParts, show_tasks

MOST_LIKED = 500
"""Most intents among which the constant is chosen: each is compared with each."""


def list_trick_answers(tasks: Sequence[SuggestionInput]) -> dict[str, tuple[str, ...]]:
    """List the answers of each trick; "" for a task without an earlier intent.

    The echoes are those of the agents `recent` and `frequent`. The constant is the answer of `frequent` to
    the last intents of all people, `MOST_LIKED` at most; no target of a task is used.

    Args:
        tasks: What an agent is shown of each task.
    """
    last, frequent = RecentBaseline(), FrequentBaseline()
    latest = {one.episode_id: one for task in tasks for one in task.previous_intents[-1:]}
    every = list(latest.values())[:: len(latest) // MOST_LIKED + 1]
    constant = frequent.suggest(replace(tasks[0], previous_intents=tuple(every))).text if tasks else ""
    return {
        "constant": (constant,) * len(tasks),
        "last_intent": tuple(last.suggest(task).text for task in tasks),
        "frequent_intent": tuple(frequent.suggest(task).text for task in tasks),
    }


def score_answer_tricks(
    scores: SuggestionRunScores, *, embedder: Embedder, judge: Judge | None, slow: bool = False
) -> TrickScores:
    """Score all tricks on the tasks of a run, as the run was scored.

    Args:
        scores: Scores of the run.
        embedder: Its embedder.
        judge: Its judge; SR_1 is left out with a judge that asks a model or people, and without one.
        slow: Whether to use a judge that asks nobody but takes minutes: the one of simulated people.

    Raises:
        ModelError: The embedder failed.
    """
    try:
        tasks = _read_tasks(scores)
    except (DatasetError, UsageError) as error:
        return TrickScores(remarks=(f"Chance and tricks need the run's dataset: {error}",))
    rules = (LexicalJudge, SimulatedJudge) if slow else LexicalJudge
    used = judge if isinstance(judge, rules) else None
    users = [task.target.user_id for task in tasks]
    wanted = [task.target.intent for task in tasks]
    rows = []
    for name, texts in list_trick_answers([task.input for task in tasks]).items():
        found = sim1(
            texts,
            wanted,
            embedder=embedder,
            protocol=scores.result.protocol,
            similarity=scores.result.similarity,
            check_tokens=False,
        )
        means = {part: user_interval([getattr(one, part) for one in found.per_item], users) for part in PARTS}
        if used is not None:
            states = [item.state for item in sr1(texts, wanted, judge=used).per_item]
            means["sr1"] = sr1_interval(states, users)
        rows.append(TrickScore(name=name, n=len(texts), means=means))
    return TrickScores(rows=tuple(rows), remarks=_explain_no_sr1(judge, used))


def _explain_no_sr1(judge: Judge | None, used: Judge | None) -> tuple[str, ...]:
    if judge is None or used is not None:
        return ()
    if isinstance(judge, SimulatedJudge):
        return ("Chance and tricks have no SR_1 by this judge, which would take longer: --tricks adds it",)
    return ("Chance and tricks have no SR_1 by this judge: a model or people would have to be asked",)


def _read_tasks(scores: SuggestionRunScores) -> list[SuggestionTask]:
    """The scored tasks, each with the earlier intents that the paper's agents are shown."""
    built = open_run_dataset(scores.record)
    shown = ShownParts.of(scores.record)
    parts = replace(shown, screenshots=0, history="20", without=(), inferred=None)
    return list(show_tasks(built, parts, frozenset(scores.task_ids).__contains__))
