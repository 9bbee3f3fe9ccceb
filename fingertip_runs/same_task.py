"""References that are not the task itself (A.6.7): a judge decides on candidates, most similar first.

The paper asks a model whether the retrieved task and the current one are the same, and takes the first that
differs. Candidates follow the rules of the dataset's own references: the same user's, strictly earlier, most
similar first. Each verdict is a line of same_task.jsonl in the run's folder, so a resumed run queries no pair
with a verdict twice. Our choices: a candidate without a verdict is skipped like one that is the same, and a
judge that has no verdict on the first candidate of any task is an error: the references would say nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import Field

from fingertip_dataset.actions import canonical
from fingertip_dataset.episodes import Intent
from fingertip_dataset.errors import ModelError, UsageError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import TRAIN
from fingertip_dataset.tasks.references import Encode, Reference, normalized_task, rank_same_user
from fingertip_dataset.tasks.task import ReferenceSequence
from fingertip_dataset.times import BEIJING_OFFSET, now_text, offset_of
from fingertip_metrics.judges.verdicts import Judge, State, Verdict
from fingertip_models.prices import Prices
from fingertip_runs.line_log import LineLog, read_lines, validate_json
from fingertip_runs.score_summary import total

SAME_TASK = "same_task.jsonl"
"""File of the verdicts in the run's folder."""

AT_ONCE = 16
"""Pairs judged before their verdicts are written: the most that a killed run queries again."""

LEAST_JUDGED = 0.5
"""Share of a run's pairs that need a verdict for its references to say anything."""

TEXT = "text"
"""Name of text similarity in a dataset's manifest."""


class NoVerdictsError(ModelError):
    """A judge of references gave no verdict at all."""


class SameTaskRecord(FrozenModel):
    """A verdict: whether a candidate reference is the same task as the one to carry out.

    Attributes:
        task_id: Episode id of the task.
        candidate_id: Episode id of the candidate.
        rank: Rank of the candidate for this task, 1 for the most similar.
        similarity: Similarity of the two intents, at most 1.
        state: The judge's verdict; "unscored" for none.
        reason: The judge's reason in words.
        prompt_tokens: Tokens read; None if the judge does not report them, 0 for a cached pair.
        completion_tokens: Tokens written; None if the judge does not report them, 0 for a cached pair.
        at: Time of the verdict, ISO 8601 with time zone.
    """

    version: Literal[1] = 1
    task_id: str
    candidate_id: str
    rank: int = Field(ge=1)
    similarity: float
    state: State
    reason: str
    prompt_tokens: int | None
    completion_tokens: int | None
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SameTaskCounts:
    """Counts of a run's verdicts.

    Attributes:
        queried: Number of judged pairs of a task and a candidate.
        same: Number of pairs that are the same task.
        unscored: Number of pairs without a verdict.
        moved: Number of tasks whose most similar candidate was skipped.
        prompt_tokens: Total tokens read; None if the judge does not report them.
        completion_tokens: Total tokens written; None if the judge does not report them.
        cost: Cost of the tokens; None without prices or token counts.
    """

    queried: int
    same: int
    unscored: int
    moved: int
    prompt_tokens: int | None
    completion_tokens: int | None
    cost: float | None

    def find_fault(self) -> str | None:
        """Why the references say nothing, in words: too few verdicts; None if there are enough."""
        if self.queried - self.unscored >= LEAST_JUDGED * self.queried:
            return None
        return f"the judge gave no verdict on {self.unscored:,} of {self.queried:,} pairs of tasks"

    def in_words(self, prices: Prices | None) -> str:
        """The counts as one line; `prices` names the currency of the cost."""
        unscored = f", {self.unscored:,} without a verdict" if self.unscored else ""
        counts = (
            f"references: {self.moved:,} tasks whose most similar task was skipped; "
            f"{self.queried:,} pairs judged, {self.same:,} the same task{unscored}"
        )
        if self.prompt_tokens is None or self.completion_tokens is None:
            return counts
        cost = "" if self.cost is None or prices is None else f", {self.cost:.4f} {prices.currency}"
        tokens = f"the judge read {self.prompt_tokens:,} tokens and wrote {self.completion_tokens:,}"
        return f"{counts}; {tokens}{cost}"


def choose_references(
    folder: Path,
    built: BuiltDataset,
    tasks: Sequence[Intent],
    judge: Judge,
    *,
    encode: Encode | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> dict[str, ReferenceSequence | None]:
    """The most similar reference of each task that is not the same task; None if all candidates are.

    Args:
        folder: Folder of the run; stores the verdicts.
        built: The dataset.
        tasks: Intents of tasks of the dataset (`task_intent`).
        judge: Decides whether two intents are the same task.
        encode: The embedder by which the dataset found its references; None for text similarity.
        on_progress: Called with (number of tasks decided so far, number of tasks).

    Returns:
        Episode id -> reference.

    Raises:
        UsageError: The dataset's references were found by an embedder, and `encode` is None.
        ModelError: The judge does not answer; verdicts so far are kept, and the same call resumes.
        NoVerdictsError: The judge has no verdict on the most similar candidate of any task.
        RunError: The verdicts cannot be written or read.
    """
    candidates = _Candidates(built, tasks, encode)
    with LineLog(folder / SAME_TASK, _read, sync=True) as log:
        # a pair without a verdict is judged again: the judge may have been mended
        known = {(line.task_id, line.candidate_id): line for line in log.lines if line.state != "unscored"}
        chosen: dict[str, ReferenceSequence | None] = {}
        if on_progress:
            on_progress(0, len(tasks))
        # a round judges one candidate of each task that is still open
        while pairs := candidates.open_pairs(known, chosen):
            for start in range(0, len(pairs), AT_ONCE):
                for line in _judge_candidates(judge, pairs[start : start + AT_ONCE]):
                    log.append(line)
                    known[line.task_id, line.candidate_id] = line
            _check_verdicts(judge, known.values())
            if on_progress:
                on_progress(len(chosen), len(tasks))
    return chosen


def _check_verdicts(judge: Judge, lines: Collection[SameTaskRecord]) -> None:
    if all(line.state == "unscored" for line in lines):
        reason = next((line.reason for line in lines if line.reason), "")
        raise NoVerdictsError(
            f"judge {judge.name} gave no verdict on any of {len(lines):,} pairs of tasks, so no reference "
            f"can be chosen{f' ({reason})' if reason else ''}: give another --judge, and another --out"
        )


def task_intent(user_id: str, episode_id: str, text: str, moment: datetime | None = None) -> Intent:
    """The intent of an episode, with the fields by which references are ranked.

    Args:
        user_id: Id of the person.
        episode_id: Id of the episode, whose end is its local time.
        text: The intent.
        moment: Time of the episode, for its offset; None for Beijing's.
    """
    return Intent(
        user_id=user_id,
        time=episode_id.rpartition("__")[2],
        scenario="",
        app="",
        text=text,
        offset=BEIJING_OFFSET if moment is None else offset_of(moment),
    )


def check_similarity(built: BuiltDataset, encode: Encode | None) -> None:
    """Check that references are compared as the dataset's own are.

    Args:
        built: The dataset.
        encode: The embedder; None for text similarity.

    Raises:
        UsageError: The dataset's references were found by an embedder, and `encode` is None, or the reverse.
    """
    method = built.manifest.references
    if (method.similarity == TEXT) != (encode is None):
        raise UsageError(
            f"expected the similarity by which the dataset found its references, {method.similarity}, "
            f"got {'an embedder' if encode else 'text similarity'}",
            file=built.path,
        )


def nearest_references(
    built: BuiltDataset, tasks: Sequence[Intent], *, encode: Encode | None = None
) -> dict[str, ReferenceSequence | None]:
    """The most similar earlier reference of each task by its text here, whatever the dataset says it wanted.

    Args:
        built: The dataset.
        tasks: Intents of tasks of the dataset (`task_intent`), in any words.
        encode: As in `choose_references`.

    Returns:
        Episode id -> reference; None if the user has no earlier episode.

    Raises:
        UsageError: As of `choose_references`.
    """
    return _Candidates(built, tasks, encode).first()


def same_task_counts(folder: Path, prices: Prices | None = None) -> SameTaskCounts | None:
    """Counts of the verdicts in a run's folder; None without any.

    Args:
        folder: Folder of the run.
        prices: Prices of the judge's tokens.

    Raises:
        RunError: A line is broken.
    """
    file = folder / SAME_TASK
    if not file.exists():
        return None
    judged = read_lines(file, _read)
    # the last line of a pair counts, as of one that was judged again
    lines = {(line.task_id, line.candidate_id): line for line in judged}.values()
    read = total(line.prompt_tokens for line in judged)
    written = total(line.completion_tokens for line in judged)
    cost = None
    if prices is not None and read is not None and written is not None:
        cost = prices.cost(read, written)
    return SameTaskCounts(
        queried=len(lines),
        same=sum(line.state == "same" for line in lines),
        unscored=sum(line.state == "unscored" for line in lines),
        moved=sum(line.rank == 1 and line.state != "different" for line in lines),
        prompt_tokens=read,
        completion_tokens=written,
        cost=cost,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _TaskPair:
    """A task and a candidate without a verdict."""

    task_id: str
    intent: str
    candidate: Reference
    candidate_intent: str
    rank: int


class _Candidates:
    """The earlier episodes of the tasks' users, ranked by similarity to each task."""

    def __init__(self, built: BuiltDataset, tasks: Sequence[Intent], encode: Encode | None) -> None:
        check_similarity(built, encode)
        self._tasks = tasks
        self._skips_same_text = built.manifest.references.skip_same_task
        self._actions: dict[str, tuple[str, ...]] = {}
        intents, train_ids = self._read(built, {task.user_id for task in tasks})
        self._intents = {intent.episode_id: intent.text for intent in intents}
        self._ranked = rank_same_user(
            tasks, intents, encode=encode, protocol=built.manifest.history, train_ids=train_ids
        )

    def _read(self, built: BuiltDataset, users: set[str]) -> tuple[list[Intent], set[str]]:
        """The recorded intents of the users, and the ids of the training part."""
        found: dict[str, Intent] = {}
        train: set[str] = set()
        for split in built.split_names:
            for row in built.rows(split, columns=("episode_id", "user_id", "time", "intent", "actions")):
                episode_id = row["episode_id"]
                if split == TRAIN:
                    train.add(episode_id)
                actions = tuple(step["raw"] for step in row["actions"] if step["raw"])
                # an episode without actions cannot be a reference
                if row["user_id"] in users and actions:
                    found[episode_id] = task_intent(row["user_id"], episode_id, row["intent"], row["time"])
                    self._actions[episode_id] = actions
        return list(found.values()), train

    def first(self) -> dict[str, ReferenceSequence | None]:
        """The most similar candidate of each task."""
        best = {task.episode_id: next(self._rank_for(task), None) for task in self._tasks}
        return {name: None if one is None else self._sequence(one) for name, one in best.items()}

    def open_pairs(
        self,
        known: Mapping[tuple[str, str], SameTaskRecord],
        chosen: dict[str, ReferenceSequence | None],
    ) -> list[_TaskPair]:
        """The next pair of each task without a reference; adds the decided tasks to `chosen`."""
        pairs = []
        for task in self._tasks:
            task_id = task.episode_id
            if task_id in chosen:
                continue
            for rank, candidate in enumerate(self._rank_for(task), start=1):
                verdict = known.get((task_id, candidate.episode_id))
                if verdict is None:
                    pairs.append(
                        _TaskPair(
                            task_id=task_id,
                            intent=task.text,
                            candidate=candidate,
                            candidate_intent=self._intents[candidate.episode_id],
                            rank=rank,
                        )
                    )
                    break
                if verdict.state == "different":
                    chosen[task_id] = self._sequence(candidate)
                    break
            else:
                chosen[task_id] = None
        return pairs

    def _rank_for(self, task: Intent) -> Iterator[Reference]:
        """A task's candidates, without identical texts if the dataset's own references skip these as well."""
        own = normalized_task(task.text)
        for candidate in self._ranked[task.episode_id]:
            text = self._intents[candidate.episode_id]
            if not (self._skips_same_text and normalized_task(text) == own):
                yield candidate

    def _sequence(self, candidate: Reference) -> ReferenceSequence:
        return ReferenceSequence(
            episode_id=candidate.episode_id,
            intent=self._intents[candidate.episode_id],
            similarity=candidate.similarity,
            actions=tuple(canonical(action) for action in self._actions[candidate.episode_id]),
            written=self._actions[candidate.episode_id],
        )


def _judge_candidates(judge: Judge, pairs: Sequence[_TaskPair]) -> Iterator[SameTaskRecord]:
    verdicts = judge.judge([(pair.candidate_intent, pair.intent) for pair in pairs])
    for pair, verdict in zip(pairs, verdicts, strict=True):
        yield _record(pair, verdict)


def _record(pair: _TaskPair, verdict: Verdict) -> SameTaskRecord:
    return SameTaskRecord(
        task_id=pair.task_id,
        candidate_id=pair.candidate.episode_id,
        rank=pair.rank,
        similarity=pair.candidate.similarity,
        state=verdict.state,
        reason=verdict.reason,
        prompt_tokens=verdict.prompt_tokens,
        completion_tokens=verdict.completion_tokens,
        at=now_text("milliseconds"),
    )


def _read(text: bytes, file: Path, line: int) -> SameTaskRecord:
    return validate_json(SameTaskRecord, text, file, line)
