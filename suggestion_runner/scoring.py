"""Scores of a run of track 1, their dependencies, and whether they are comparable with the paper's."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fingertip_agents.memory.memory_files import MemoryUse
from fingertip_dataset.errors import UsageError
from fingertip_dataset.kept_files import read_file
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_metrics.aggregate import GroupMean, Interval, by_group
from fingertip_metrics.conventions import get_protocol
from fingertip_metrics.embedders import Embedder
from fingertip_metrics.judges.pair_labels import LABELS
from fingertip_metrics.judges.verdicts import Judge
from fingertip_metrics.sim1_score import Sim1, sim1
from fingertip_metrics.sr1_score import Sr1
from fingertip_runs.run_folder import SCORES, write_json
from fingertip_runs.score_summary import (
    bootstrap_settings,
    data_caveats,
    scoring_source,
    user_interval,
)
from fingertip_runs.targets import read_targets
from fingertip_runs.task_facts import FACTS, TaskFacts, read_task_facts
from fingertip_runs.trick_scores import warn_of_same
from fingertip_runs.usage import Usage
from suggestion_runner.acceptance import Acceptance, acceptance_dict, acceptance_of, read_acceptance
from suggestion_runner.answer_text import ANSWER_TEXTS, DEFAULT, AnswerText, answer_text
from suggestion_runner.caveats import (
    COMPLETE,
    PAPER_HUMAN_TASKS,
    PAPERS_SPLIT,
    PUBLIC_TASKS,
    caveats_of,
    is_sampled_as_people,
)
from suggestion_runner.distribution_scores import (
    DistributionScores,
    distribution_dict,
    score_distributions,
)
from suggestion_runner.human.rater_agreement import RaterAgreement, agreement_dict, rater_agreement
from suggestion_runner.judged_run import (
    Groups,
    JudgeChecking,
    JudgedRun,
    check_judges_data,
    dump_judged,
    judge_run,
)
from suggestion_runner.outputs import Outputs, outputs_of
from suggestion_runner.per_query import PerQuery, per_query, usage_of
from suggestion_runner.prediction_log import PREDICTIONS, check_finished, read_predictions, read_run
from suggestion_runner.remembered import read_run_memory
from suggestion_runner.suggestion_records import FAILED, Prediction, SuggestionRun

SCORES_VERSION = 2
"""Version of scores.json; 2 added the scored text of an answer and the intervals of groups."""

GROUPINGS = ("user", "app", "category", *FACTS)
"""Groupings of a breakdown; those of `FACTS` need the run's dataset."""

EMBEDDER_PACKAGES = ("scikit-learn", "sentence-transformers", "torch", "transformers")
"""Packages whose version affects a score, in addition to the dataset's."""

PARTS = ("sim1", "cosine", "levenshtein")
"""Sim_1 and its parts, each with an interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionRunScores:
    """Content of scores.json.

    Attributes:
        folder: Folder of the run.
        record: Its run.json.
        predictions_sha256: SHA-256 of the scored predictions.jsonl.
        answers: Text of an answer that is scored: "raw" or "read".
        result: Sim_1 of that text with its parts, and a value per task.
        sim1_of: "raw", "read" -> Sim_1 of that text with its interval; equal if no answer differs.
        other_values: Sim_1 per task of the text that is not scored, in the order of `task_ids`.
        differing: Number of answers whose raw text and read intent differ.
        intervals: "sim1", "cosine", "levenshtein" -> the mean with its interval by bootstrap over users.
        breakdowns: Name of a grouping, of `GROUPINGS` -> mean Sim_1 of each group.
        why_no_facts: Reason in words if the groupings of `FACTS` are missing; else None.
        usage: Seconds, queries and tokens.
        per_query: Seconds and tokens per query.
        caveats: Reasons why the numbers are not comparable with the paper's; empty if they are.
        task_ids: Task ids of the values per task, in the same order.
        outputs: Counts of the kinds of model output.
        judged: SR_1; None without a judge.
        distributions: Scores of A.6.5; None if the answers are single intents.
        raters: Agreement of the raters; None if people did not answer.
        acceptance: Acceptance of the suggestions; None if nobody has judged them.
        without_history: Number of tasks that showed no earlier intent, though the run shows them.
        same_answers: Warning that (nearly) all answers are the same; "" for none.
    """

    folder: Path
    record: SuggestionRun
    predictions_sha256: str
    answers: AnswerText
    result: Sim1
    sim1_of: Mapping[AnswerText, Interval]
    other_values: tuple[float, ...]
    differing: int
    intervals: Mapping[str, Interval]
    breakdowns: Mapping[str, tuple[GroupMean, ...]]
    why_no_facts: str | None
    usage: Usage
    per_query: PerQuery
    caveats: tuple[str, ...]
    task_ids: tuple[str, ...]
    outputs: Outputs
    judged: JudgedRun | None = None
    distributions: DistributionScores | None = None
    raters: RaterAgreement | None = None
    acceptance: Acceptance | None = None
    without_history: int = 0
    same_answers: str = ""

    @property
    def memory(self) -> MemoryUse | None:
        """Size and cost of the run's memory; None without one, or where its files are not at hand."""
        return read_run_memory(self.folder, self.record)

    @property
    def partial(self) -> bool:
        """Whether some tasks of the run have no prediction yet."""
        return self.result.n < self.record.tasks

    @property
    def answered(self) -> int:
        """Number of tasks whose query did not fail, at least 1: what seconds and tokens per task are of."""
        # a failed query reports neither, and counted as 0 it would make the agent look cheaper
        return max(1, self.result.n - self.outputs.outcomes.get(FAILED, 0))

    @property
    def seconds(self) -> float:
        """Mean seconds per task; of tasks whose query did not fail."""
        return (self.usage.agent_s or 0.0) / self.answered

    @property
    def on_papers_test(self) -> bool:
        """Whether (nearly) all of the authors' test is scored, or for people a sample as large as theirs."""
        wanted = PAPER_HUMAN_TASKS if is_sampled_as_people(self.record) else PUBLIC_TASKS
        whole = self.result.n >= COMPLETE * wanted
        return whole and self.record.split == PAPERS_SPLIT and not data_caveats(self.record.dataset)

    @property
    def other_sim1(self) -> Interval:
        """Sim_1 of the text that is not scored."""
        return next(interval for which, interval in self.sim1_of.items() if which != self.answers)

    @property
    def sr1(self) -> Sr1 | None:
        """SR_1 without its interval; None where no judge was named."""
        return self.judged.result if self.judged else None


@accept_path_texts
def score_run(
    run: Path,
    *,
    embedder: Embedder,
    protocol: str = "release",
    answers: AnswerText = DEFAULT,
    partial: bool = False,
    judge: Judge | None = None,
    checking: JudgeChecking | None = None,
) -> SuggestionRunScores:
    """Scores a run and writes nothing; see `write_scores`.

    Args:
        run: The run's folder.
        embedder: From `fingertip_metrics.embedders.get_embedder`.
        protocol: "release" or "paper".
        answers: Text that Sim_1 and SR_1 score: "raw", the answer as given, or "read", the intent that our
            reader extracts from it. Sim_1 of the other text is added.
        partial: Whether to score the predictions of an unfinished run.
        judge: Judge of SR_1; None for Sim_1 alone.
        checking: How the judge is checked, which asks it about more pairs; None for no check.

    Raises:
        RunError: The run is missing, broken, or not finished.
        UsageError: Unknown protocol or text, or a judge of another dataset.
        ModelError: The embedder or the judge failed.
    """
    # refuses a wrong name before files are read
    get_protocol(protocol)
    record, predictions = read_run(run), read_predictions(run)
    if record.of_moments:
        raise UsageError(
            "a run of moments has other scores: fingertip score, or score_moment_run of "
            "suggestion_runner.moments.moment_scoring, computes them",
            file=run,
        )
    check_finished(run, record, predictions, partial=partial)
    check_judges_data(judge, record.dataset)
    return score_predictions(
        run,
        record,
        predictions,
        read_targets(run, [prediction.task_id for prediction in predictions]),
        embedder=embedder,
        protocol=protocol,
        answers=answers,
        judge=judge,
        predictions_sha256=hashlib.sha256(read_file(run / PREDICTIONS)).hexdigest(),
        people=True,
        checking=checking,
    )


def score_predictions(
    run: Path,
    record: SuggestionRun,
    predictions: Sequence[Prediction],
    targets: Mapping[str, TaskTarget],
    *,
    embedder: Embedder,
    protocol: str,
    answers: AnswerText,
    judge: Judge | None,
    predictions_sha256: str,
    people: bool,
    checking: JudgeChecking | None = None,
) -> SuggestionRunScores:
    """Scores the predictions of a run or of a submission; raises the errors of `score_run`.

    Args:
        run: The run's folder or bundle.
        record: Its run.json.
        predictions: Its predictions, at least one.
        targets: Task id -> its target.
        embedder: Embedder of Sim_1.
        protocol: "release" or "paper".
        answers: Text that Sim_1 and SR_1 score, "raw" or "read".
        judge: Judge of SR_1; None for Sim_1 alone.
        predictions_sha256: SHA-256 of the file of the predictions.
        people: Whether to read the people's answers and labels in the folder.
        checking: As for `score_run`.
    """
    texts = _list_texts(record, predictions, answers)
    given = [targets[prediction.task_id] for prediction in predictions]
    wanted = [target.intent for target in given]
    result = sim1(texts[answers], wanted, embedder=embedder, protocol=protocol)
    facts = read_task_facts(record.dataset, record.split)
    groups = _group_tasks(given, facts)
    people_at = run if people else None
    judged = _judge_texts(people_at, given, texts[answers], judge, groups, checking)
    values = {part: [getattr(item, part) for item in result.per_item] for part in PARTS}
    users = [target.user_id for target in given]
    other, differing = _score_other_text(result, texts, answers, wanted, embedder)
    sim1_of = {which: values["sim1"] if which == answers else other for which in ANSWER_TEXTS}
    return SuggestionRunScores(
        folder=run,
        record=record,
        predictions_sha256=predictions_sha256,
        answers=answers,
        result=result,
        sim1_of={which: user_interval(of_text, users) for which, of_text in sim1_of.items()},
        other_values=tuple(other),
        differing=differing,
        intervals={part: user_interval(values[part], users) for part in PARTS},
        breakdowns={
            name: by_group(values["sim1"], of_tasks, users=users, interval=user_interval)
            for name, of_tasks in groups.items()
        },
        why_no_facts=facts.why_none,
        usage=usage_of(predictions),
        per_query=per_query(record, predictions),
        caveats=caveats_of(record, predictions, result, judged, answers=answers, differing=differing),
        task_ids=tuple(prediction.task_id for prediction in predictions),
        outputs=outputs_of(predictions, record.prices, record.history_prices),
        judged=judged,
        distributions=_score_answers_as_distributions(
            record, predictions, targets, embedder, protocol, judge
        ),
        raters=rater_agreement(run, given, embedder=embedder, protocol=protocol, judge=judge)
        if people
        else None,
        acceptance=acceptance_of(read_acceptance(run), given, texts["raw"]) if people else None,
        without_history=0
        if record.history == "none"
        else sum(not prediction.shown_intents for prediction in predictions),
        same_answers=warn_of_same(texts[answers], "answers"),
    )


def _judge_texts(
    folder: Path | None,
    targets: Sequence[TaskTarget],
    texts: Sequence[str],
    judge: Judge | None,
    groups: Groups,
    checking: JudgeChecking | None,
) -> JudgedRun | None:
    """SR_1 of the texts; None without a judge. People's labels are in the folder, unless it is None."""
    if judge is None:
        return None
    labels = folder / LABELS if folder else None
    return judge_run(targets, texts, judge, groups, labels=labels, checking=checking)


def write_scores(scores: SuggestionRunScores) -> Path:
    """Writes RUN/scores.json: the scores, everything they depend on, and a value per task.

    Raises:
        RunError: The file cannot be written.
    """
    file = scores.folder / SCORES
    write_json(file, scores_dict(scores))
    return file


def scores_dict(scores: SuggestionRunScores) -> dict[str, Any]:
    """The scores in the form of scores.json."""
    result, judged, memory = scores.result, scores.judged, scores.memory
    verdicts = [{"sr1": asdict(item)} for item in judged.result.per_item] if judged else [{}] * result.n
    return {
        "version": SCORES_VERSION,
        "metric": "fingertip_sim1",
        "comparable": not scores.caveats,
        "why_not_comparable": list(scores.caveats),
        "partial": scores.partial,
        "tasks": scores.record.tasks,
        "n": result.n,
        "unanswered": result.empty,
        **({"same_answers": scores.same_answers} if scores.same_answers else {}),
        **({"unknown_tokens": asdict(result.unknown)} if result.unknown else {}),
        **{part: asdict(interval) for part, interval in scores.intervals.items()},
        **({"sr1": {"answers": scores.answers, **dump_judged(judged)}} if judged else {}),
        "answers": {
            "scored": scores.answers,
            "differing": scores.differing,
            "sim1": {which: asdict(interval) for which, interval in scores.sim1_of.items()},
        },
        **({"distribution": distribution_dict(scores.distributions)} if scores.distributions else {}),
        **({"raters": agreement_dict(scores.raters)} if scores.raters else {}),
        **({"acceptance": acceptance_dict(scores.acceptance)} if scores.acceptance else {}),
        "seconds_per_task": scores.seconds,
        "per_query": asdict(scores.per_query),
        "prompt_tokens": scores.usage.prompt_tokens,
        "completion_tokens": scores.usage.completion_tokens,
        **({"outputs": asdict(scores.outputs)} if scores.outputs.calls else {}),
        **({"memory": memory.to_json(scores.record.prices)} if memory else {}),
        "depends_on": {
            "run": scores.record.model_dump(mode="json"),
            "predictions_sha256": scores.predictions_sha256,
            "embedder": result.embedder,
            **({"embedder_settings": dict(result.embedder_settings)} if result.embedder_settings else {}),
            **({"judge": dict(judged.result.judge_settings)} if judged else {}),
            "protocol": asdict(get_protocol(result.protocol)) | {"similarity": result.similarity},
            "bootstrap": bootstrap_settings(),
            "source": scoring_source(EMBEDDER_PACKAGES),
        },
        "by": _groups(scores.breakdowns),
        "why_no_facts": scores.why_no_facts,
        **({"sr1_by": _groups(judged.breakdowns)} if judged else {}),
        "per_item": [
            {"task_id": task_id, **asdict(item), **verdict}
            for task_id, item, verdict in zip(scores.task_ids, result.per_item, verdicts, strict=True)
        ],
    }


def _score_answers_as_distributions(
    record: SuggestionRun,
    predictions: Sequence[Prediction],
    targets: Mapping[str, TaskTarget],
    embedder: Embedder,
    protocol: str,
    judge: Judge | None,
) -> DistributionScores | None:
    if not record.distribution:
        return None
    return score_distributions(
        record, predictions, targets, embedder=embedder, protocol=protocol, judge=judge
    )


def _list_texts(
    record: SuggestionRun, predictions: Sequence[Prediction], answers: AnswerText
) -> dict[AnswerText, list[str]]:
    if answers not in ANSWER_TEXTS:
        raise UsageError(f"expected answers {' or '.join(ANSWER_TEXTS)}, got {answers!r}")
    return {
        which: [answer_text(line, which, distribution=record.distribution) for line in predictions]
        for which in ANSWER_TEXTS
    }


def _score_other_text(
    scored: Sim1,
    texts: Mapping[AnswerText, Sequence[str]],
    answers: AnswerText,
    wanted: Sequence[str],
    embedder: Embedder,
) -> tuple[list[float], int]:
    """Sim_1 per task of the text that is not scored, and the number of tasks whose two texts differ."""
    (other,) = (of_text for which, of_text in texts.items() if which != answers)
    # only these: scoring all texts twice would double the time of the embedder
    changed = [row for row, text in enumerate(texts[answers]) if text != other[row]]
    values = [item.sim1 for item in scored.per_item]
    if changed:
        rescored = sim1(
            [other[row] for row in changed],
            [wanted[row] for row in changed],
            embedder=embedder,
            protocol=scored.protocol,
            # of a few answers: the embedder has read all intents before
            check_tokens=False,
        )
        for row, item in zip(changed, rescored.per_item, strict=True):
            values[row] = item.sim1
    return values, len(changed)


def _group_tasks(targets: Sequence[TaskTarget], facts: TaskFacts) -> Groups:
    groups: dict[str, list[str | None]] = {
        "user": [target.user_id for target in targets],
        "app": [target.app for target in targets],
        "category": [target.intent_category for target in targets],
    }
    if facts.why_none is None:
        task_ids = [target.task_id for target in targets]
        groups |= {fact: facts.groups(fact, task_ids) for fact in FACTS}
    return groups


def _groups(breakdowns: Mapping[str, tuple[GroupMean, ...]]) -> dict[str, list[dict[str, Any]]]:
    return {name: [asdict(group) for group in groups] for name, groups in breakdowns.items()}
