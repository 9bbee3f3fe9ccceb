"""A run of `fingertip infer-intents`: an intent for each earlier episode, by rule or by a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import DatasetError, InputError, ModelError, UnknownNameError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import is_moments, split_name
from fingertip_dataset.tasks.history import HistoryProtocol
from fingertip_dataset.tasks.task import DatasetRow
from fingertip_models.batch_files import BatchModel, BatchResults, Waiting
from fingertip_models.chat.chat_answer import ModelAnswer, whole
from fingertip_models.failure_streak import FailureStreak
from fingertip_models.model import Model
from fingertip_models.options import ModelOptions
from fingertip_runs.line_log import SAME_CALL, LineLog
from fingertip_runs.usage import Usage
from suggestion_runner.bounded_gather import gather_bounded
from suggestion_runner.inferred import intent_prompt
from suggestion_runner.inferred.inferred_file import (
    InferenceOutcome,
    InferenceSource,
    InferredIntent,
    InferredLine,
    open_inferred,
    split_lines,
)
from suggestion_runner.inferred.intent_prompt import inference_messages, read_inferred_answer
from suggestion_runner.inferred.intent_rule import RULE, rule_intent
from suggestion_runner.suggestion_tasks import EarlierIntents

COLUMNS = ("episode_id", "app", "actions", "accessibility_trees")
"""What the rule sees of an episode: nothing that the person declared."""

MODEL_COLUMNS = (*COLUMNS, "user_id", "screenshots")
"""What a prompt is made from; of the user only the language is used."""

ALL = "all"
"""In place of a split: every episode of the dataset."""

OnProgress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inferred:
    """The result of a call.

    Attributes:
        file: The file.
        episodes: Number of episodes that were to be inferred.
        before: Number of them that were in the file before.
        outcomes: Outcome -> number of episodes, of all of them that have a line.
        waiting: Ids of episodes whose answer a batch has not returned yet.
        requests: Request files for the batch API.
        results: What was read from each results file.
        usage: Queries and tokens of all episodes that have a line.
    """

    file: Path
    episodes: int
    before: int
    outcomes: Counter[InferenceOutcome]
    waiting: tuple[str, ...] = ()
    requests: tuple[Path, ...] = ()
    results: tuple[BatchResults, ...] = ()
    usage: Usage


def earlier_episodes(
    built: BuiltDataset,
    split: str,
    *,
    history: str = "20",
    protocol: HistoryProtocol | None = None,
) -> tuple[str, ...]:
    """Ids of the episodes whose intents the tasks of a split show as earlier ones, sorted.

    Args:
        built: The dataset.
        split: Name of the split, or "all" for every episode of the dataset.
        history: The latest "20" of each task, or "all" of them.
        protocol: Episodes that they may come from; None for the dataset's own.

    Raises:
        UsageError: There is no such split, or it holds moments.
    """
    if split == ALL:
        every = (row for name in built.split_names for row in built.rows(name, columns=["episode_id"]))
        return tuple(sorted({row["episode_id"] for row in every}))
    name = split_name(split)
    if is_moments(name):
        raise UsageError(f"intents are inferred for tasks on episodes, not for moments: got the split {name}")
    if name not in built.split_names:
        raise UnknownNameError("a split", split, (*built.split_names, ALL))
    earlier = EarlierIntents(built, protocol or built.manifest.history)
    limit = 20 if history == "20" else None
    rows = built.rows(name, columns=["episode_id"])
    found = {intent.episode_id for row in rows for intent in earlier.before(row["episode_id"], limit)}
    return tuple(sorted(found))


def infer_by_rule(
    dataset: Path, out: Path, episodes: Sequence[str], *, on_progress: OnProgress | None = None
) -> Inferred:
    """Infers intents by rule, offline; episodes that are in the file are not inferred again.

    Args:
        dataset: A folder that `fingertip build` wrote.
        out: The file; missing, or of the same method.
        episodes: From `earlier_episodes`.
        on_progress: Called with (episodes in the file, episodes).

    Raises:
        UsageError: The file holds intents of another method or dataset.
        DatasetError: The dataset is broken.
        RunError: The file cannot be written.
    """
    built = BuiltDataset.open(dataset)
    source = InferenceSource(data_sha256=built.manifest.data_sha256, method=RULE, settings={})
    with open_inferred(out, source) as log:
        state = _State(log, out, episodes, on_progress)
        for row in _read_rows(built, state.left, COLUMNS):
            text = rule_intent(row)
            state.add(
                InferredIntent(
                    episode_id=row["episode_id"], text=text, outcome="answered" if text else "nothing"
                )
            )
    return state.inferred()


def infer_by_model(
    dataset: Path,
    out: Path,
    episodes: Sequence[str],
    model: Model,
    *,
    concurrency: int = 8,
    on_progress: OnProgress | None = None,
    on_stop: Callable[[int], None] | None = None,
) -> Inferred:
    """Has a model infer intents; episodes that have a line are not asked again unless their query failed.

    Args:
        dataset: As for `infer_by_rule`, like `out` and `episodes`.
        out: The file.
        episodes: Ids of the episodes.
        model: The model; the caller closes it.
        concurrency: Maximum number of queries at once.
        on_progress: Called with (episodes in the file, episodes).
        on_stop: Called, if the run stops early, with the number of queries that are awaited.

    Raises:
        UsageError: The file holds intents of another method or dataset.
        EndpointError: The endpoint is dead, or too many queries in a row failed; earlier lines are kept.
        RunError: The file cannot be written.
    """
    built = BuiltDataset.open(dataset)
    with open_inferred(out, _describe_model_source(built, model)) as log:
        state, streak = _State(log, out, episodes, on_progress), FailureStreak()
        rows = _read_rows(built, state.left, MODEL_COLUMNS)
        gather_bounded(
            (_ask(row, model, streak, built) for row in rows), state.add, most=concurrency, on_stop=on_stop
        )
    return state.inferred()


def infer_by_batch(
    dataset: Path,
    out: Path,
    episodes: Sequence[str],
    model: BatchModel,
    *,
    results: Sequence[Path] = (),
    on_progress: OnProgress | None = None,
) -> Inferred:
    """Reads result files of a batch API, writes the intents they allow, and requests for the others.

    Args:
        dataset: As for `infer_by_rule`, like `out` and `episodes`.
        out: The file.
        episodes: Ids of the episodes.
        model: Batch model; the caller closes it.
        results: Result and error files of the provider.
        on_progress: Called with (episodes in the file, episodes).

    Raises:
        UsageError: The file holds intents of another method or dataset.
        InputError: A file of results cannot be read.
        RunError: The file or a request cannot be written.
    """
    built = BuiltDataset.open(dataset)
    with open_inferred(out, _describe_model_source(built, model)) as log:
        state = _State(log, out, episodes, on_progress)
        read = tuple(model.read(file) for file in results)
        waiting: list[str] = []

        def requests() -> Iterator[tuple[str, Waiting]]:
            for row in _read_rows(built, state.left, MODEL_COLUMNS):
                try:
                    state.add(_make_line(row, model.ask(_messages(row, model.options, built))))
                except Waiting as open_request:
                    waiting.append(row["episode_id"])
                    yield row["episode_id"], open_request
                except ModelError as error:
                    state.add(_failed(row, error))

        files = model.write(requests())
    return state.inferred(waiting=tuple(waiting), requests=files, results=read)


class _State:
    """The lines of a file, those of earlier calls and those of this one."""

    def __init__(
        self, log: LineLog[InferredLine], out: Path, episodes: Sequence[str], on_progress: OnProgress | None
    ) -> None:
        self._log, self._out = log, out
        self._episodes = frozenset(episodes)
        _, lines = split_lines(log.lines, out)
        self._lines = {name: line for name, line in lines.items() if name in self._episodes}
        self._before = sum(line.outcome != "failed" for line in self._lines.values())
        self._on_progress = on_progress
        self.left = frozenset(
            name for name in episodes if name not in self._lines or self._lines[name].outcome == "failed"
        )
        self._report()

    def add(self, line: InferredIntent) -> None:
        self._log.append(line)
        self._lines[line.episode_id] = line
        self._report()

    def _report(self) -> None:
        if self._on_progress:
            self._on_progress(len(self._lines), len(self._episodes))

    def inferred(
        self,
        *,
        waiting: tuple[str, ...] = (),
        requests: tuple[Path, ...] = (),
        results: tuple[BatchResults, ...] = (),
    ) -> Inferred:
        lines = self._lines.values()
        by_model = [line for line in lines if line.output or line.prompt_tokens]
        return Inferred(
            file=self._out,
            episodes=len(self._episodes),
            before=self._before,
            outcomes=Counter(line.outcome for line in lines),
            waiting=waiting,
            requests=requests,
            results=results,
            usage=Usage.total(
                Usage(
                    agent_s=line.seconds,
                    queries=1,
                    prompt_tokens=line.prompt_tokens,
                    completion_tokens=line.completion_tokens,
                )
                for line in by_model
            ),
        )


def _describe_model_source(built: BuiltDataset, model: Model | BatchModel) -> InferenceSource:
    settings: dict[str, Any] = {
        **{name: value for name, value in model.settings().items() if name != "backend"},
        "language": model.options.language,
        "prompt": intent_prompt.VERSION,
    }
    return InferenceSource(
        data_sha256=built.manifest.data_sha256,
        method=f"{model.options.model}, prompt {intent_prompt.VERSION}",
        settings=settings,
    )


def _read_rows(built: BuiltDataset, ids: Collection[str], columns: Iterable[str]) -> Iterator[DatasetRow]:
    """The rows of episodes, in the order of the dataset, each once: an episode may be of two tests."""
    wanted, left = list(columns), set(ids)
    for split in built.split_names:
        if left:
            for row in built.rows(split, columns=wanted, config="default", ids=frozenset(left)):
                left.discard(row["episode_id"])
                yield row


def _messages(row: DatasetRow, options: ModelOptions, built: BuiltDataset) -> tuple[Any, ...]:
    return inference_messages(
        row,
        language=options.language,
        written=built.manifest.settings.language_of(row["user_id"]),
        max_pixels=options.max_pixels,
    )


async def _ask(row: DatasetRow, model: Model, streak: FailureStreak, built: BuiltDataset) -> InferredIntent:
    try:
        answer = await model.ask_async(_messages(row, model.options, built))
    except ModelError as error:
        streak.add(row["episode_id"], error, advice=SAME_CALL)
        return _failed(row, error)
    except InputError as error:
        raise DatasetError(error.message, episode_id=row["episode_id"]) from error
    streak.reset()
    return _make_line(row, answer)


def _make_line(row: DatasetRow, answer: ModelAnswer) -> InferredIntent:
    text = None if answer.cut else read_inferred_answer(answer.text)
    outcome: InferenceOutcome = "answered" if text else "cut" if answer.cut else "unreadable"
    return InferredIntent(
        episode_id=row["episode_id"],
        # never guessed: an answer that is not what was asked for gives no intent
        text=whole(text or ""),
        outcome=outcome,
        output=whole(answer.text),
        prompt_tokens=answer.prompt_tokens,
        completion_tokens=answer.completion_tokens,
        seconds=answer.seconds,
    )


def _failed(row: DatasetRow, error: ModelError) -> InferredIntent:
    return InferredIntent(
        episode_id=row["episode_id"], text="", outcome="failed", reason=whole(error.message)
    )
