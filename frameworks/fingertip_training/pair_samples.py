"""Preference pairs of month runs: two answers to a moment, the better one first.

The prompt of a pair is that of `fingertip suggest --month` at this moment, with what the memory recalled.
Moments of the test become no pairs, because a trained model is measured on them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fingertip_agents.suggestion.suggestion_prompt import make_suggestion_messages
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import SuggestionTask
from fingertip_models.messages import Language
from fingertip_training.export_record import ExportedPairs, PairRun
from fingertip_training.moment_samples import write_answer
from fingertip_training.pair_rule import AnswerPair, pair_answers
from fingertip_training.training_sample import TrainingSample
from suggestion_runner.prediction_log import PREDICTIONS, read_run
from suggestion_runner.suggestion_records import SuggestionRun


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedMoment:
    """A moment of a month run with its pair.

    Attributes:
        task: The moment as the agent was shown it.
        pair: The pair.
    """

    task: SuggestionTask
    pair: AnswerPair


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRuns:
    """Month runs of one dataset that show moments in the same way.

    Attributes:
        folders: Their folders.
        records: Their records.
    """

    folders: tuple[Path, ...]
    records: tuple[SuggestionRun, ...]

    @classmethod
    def open(cls, folders: Sequence[str], built: BuiltDataset) -> PairRuns:
        """Read the records of the runs.

        Raises:
            UsageError: A run is no month run or of another dataset, or the runs show different parts.
            RunError: A run is missing or broken.
        """
        paths = tuple(map(Path, folders))
        records = tuple(map(read_run, paths))
        for path, record in zip(paths, records, strict=True):
            if record.month is None:
                raise UsageError(
                    "preference pairs need a run of `fingertip suggest --month`: only there people answer to "
                    "suggestions",
                    file=path,
                )
            if record.dataset.data_sha256 != built.manifest.data_sha256:
                raise UsageError("the run is of another dataset than the one to export", file=path)
            if _list_shown(record) != _list_shown(records[0]):
                raise UsageError(
                    f"the run shows other parts of a moment than {paths[0]}: export them apart", file=path
                )
        return cls(folders=paths, records=records)

    @property
    def with_pictures(self) -> bool:
        """Whether a prompt can have a picture."""
        return self.records[0].screenshots > 0

    def list_pairs(self, built: BuiltDataset, split: str) -> Iterator[PairedMoment]:
        """The pairs of a split of moments, run after run, in the order that was lived."""
        from suggestion_runner.month.month_replay import replay_month

        for folder in self.folders:
            refused: dict[str, str] = {}
            for lived in replay_month(folder, dataset=built.path):
                user, line = lived.task.target.user_id, lived.prediction
                pair = pair_answers(
                    offered=line.predicted_intent,
                    wanted=lived.task.target.intent,
                    feedback=line.feedback,
                    refused=refused.get(user, ""),
                )
                if line.feedback == "never":
                    refused[user] = line.predicted_intent
                if pair is not None and lived.split == split:
                    yield PairedMoment(task=lived.task, pair=pair)

    def describe(self, kinds: Mapping[str, int]) -> ExportedPairs:
        """Describe the runs for the record of an export.

        Args:
            kinds: Number of pairs, by kind.
        """
        first = self.records[0]
        return ExportedPairs(
            runs=tuple(
                PairRun(
                    path=str(path),
                    agent=record.agent,
                    predictions_sha256=hashlib.sha256((path / PREDICTIONS).read_bytes()).hexdigest(),
                )
                for path, record in zip(self.folders, self.records, strict=True)
            ),
            kinds=dict(sorted(kinds.items())),
            screenshots=first.screenshots,
            memory=first.memory,
            protocol=first.protocol,
            without=first.without,
        )


def pair_samples(
    paired: Iterator[PairedMoment],
    moments: Collection[str],
    *,
    language: Language,
    max_pixels: int | None = None,
) -> Iterator[TrainingSample]:
    """Yield a sample per pair.

    Args:
        paired: Moments with their pairs.
        moments: Ids of the moments that are wanted.
        language: Language of the prompt.
        max_pixels: Maximum pixels of a screenshot; None for no limit.

    Raises:
        InputError: A screenshot has to be scaled and is no picture.
    """
    for one in paired:
        if one.task.input.task_id not in moments:
            continue
        yield TrainingSample(
            track="suggestion",
            episode_id=one.task.input.task_id,
            user_id=one.task.target.user_id,
            step=0,
            messages=make_suggestion_messages(one.task.input, language, max_pixels=max_pixels, moments=True),
            answer=write_answer(one.pair.better),
            rejected=write_answer(one.pair.worse),
            kind=one.pair.kind,
        )


def _list_shown(record: SuggestionRun) -> tuple[object, ...]:
    return record.screenshots, record.memory, record.protocol, record.without
