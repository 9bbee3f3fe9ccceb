"""Preference pairs of month runs: two answers to a moment, the better one first.

The prompt of a pair is that of `fingertip suggest --month` at this moment, with what the memory recalled.
Moments of the test become no pairs, because a trained model is measured on them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fingertip_agents.suggestion.suggestion_prompt import make_suggestion_messages
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import SuggestionTask
from fingertip_models.messages import Language
from fingertip_runs.targets import read_targets
from fingertip_training.export_record import ExportedPairs, PairRun
from fingertip_training.moment_samples import write_answer
from fingertip_training.pair_rule import MISSED, NOTHING, AnswerPair, pair_answers
from fingertip_training.training_sample import TrainingSample
from suggestion_runner.month.month_replay import replay_month
from suggestion_runner.prediction_log import PREDICTIONS, read_predictions, read_run
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
        missed: Whether silence where something was wanted gives a pair, too.
    """

    folders: tuple[Path, ...]
    records: tuple[SuggestionRun, ...]
    missed: bool = False
    _paired: dict[Path, Mapping[str, AnswerPair]] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def open(
        cls, folders: Sequence[str], built: BuiltDataset, language: Language, *, missed: bool = False
    ) -> PairRuns:
        """Read the records of the runs.

        Args:
            folders: Folders of the runs.
            built: The dataset.
            language: Language of the prompts of the pairs.
            missed: Whether silence where something was wanted gives a pair, too.

        Raises:
            UsageError: A run is given twice, is no month run or of another dataset, it asked a model in
                other words, or the runs show different parts.
            RunError: A run is missing or broken.
        """
        paths = tuple(map(Path, folders))
        records = tuple(map(read_run, paths))
        for place, (path, record) in enumerate(zip(paths, records, strict=True)):
            if path.resolve() in {earlier.resolve() for earlier in paths[:place]}:
                raise UsageError("the run is given twice: each of its pairs would count twice", file=path)
            if record.month is None:
                raise UsageError(
                    "preference pairs need a run of `fingertip suggest --month`: only there people answer to "
                    "suggestions",
                    file=path,
                )
            if record.dataset.data_sha256 != built.manifest.data_sha256:
                raise UsageError("the run is of another dataset than the one to export", file=path)
            _check_words(path, record, language)
            if _list_shown(record) != _list_shown(records[0]):
                raise UsageError(
                    f"the run shows other parts of a moment than {paths[0]}: export them apart", file=path
                )
        return cls(folders=paths, records=records, missed=missed)

    @property
    def with_pictures(self) -> bool:
        """Whether a prompt can have a picture."""
        return self.records[0].screenshots > 0

    def list_moments(self, built: BuiltDataset, split: str) -> frozenset[str]:
        """Ids of the moments of a split that give a pair."""
        known = {row["episode_id"] for row in built.rows(split, columns=["episode_id"])}
        return frozenset(
            task_id for folder in self.folders for task_id in self._pair_once(folder) if task_id in known
        )

    def list_pairs(self, built: BuiltDataset, moments: Container[str]) -> Iterator[PairedMoment]:
        """The pairs of some moments, run after run, in the order that was lived."""
        for folder in self.folders:
            pairs = self._pair_once(folder)
            wanted = {task_id: pair for task_id, pair in pairs.items() if task_id in moments}
            for lived in replay_month(folder, dataset=built.path, only=wanted):
                yield PairedMoment(task=lived.task, pair=wanted[lived.task.input.task_id])

    def _pair_once(self, folder: Path) -> Mapping[str, AnswerPair]:
        """Moment id -> the pair of its answer; the splits of an export ask for the same run."""
        if folder not in self._paired:
            self._paired[folder] = self._pair_lines(folder)
        return self._paired[folder]

    def _pair_lines(self, folder: Path) -> dict[str, AnswerPair]:
        """Moment id -> the pair of its answer; a person's answers stand in the order of time.

        An answer that could not be read is neither an offer nor silence, and gives no pair.
        """
        lines = [line for line in read_predictions(folder) if not (line.failed or line.cut or line.problem)]
        refused: dict[str, str] = {}
        pairs = {}
        targets = read_targets(folder, [line.task_id for line in lines])
        for line in lines:
            target = targets[line.task_id]
            pair = pair_answers(
                offered=line.predicted_intent,
                wanted=target.intent,
                feedback=line.feedback,
                refused=refused.get(target.user_id, NOTHING),
            )
            if pair is not None and (self.missed or pair.kind != MISSED):
                pairs[line.task_id] = pair
            if line.feedback == "never":
                refused[target.user_id] = line.predicted_intent
        return pairs

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
    *,
    language: Language,
    max_pixels: int | None = None,
) -> Iterator[TrainingSample]:
    """Yield a sample per pair.

    Args:
        paired: Moments with their pairs.
        language: Language of the prompt.
        max_pixels: Maximum pixels of a screenshot; None for no limit.

    Raises:
        InputError: A screenshot has to be scaled and is no picture.
    """
    for one in paired:
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


def _check_words(path: Path, record: SuggestionRun, language: Language) -> None:
    """Refuse a run whose model was asked in other words than the prompts of the pairs have."""
    settings = record.agent.settings
    if (text := settings.get("prompt_text")) is not None:
        raise UsageError(
            f"the run asked its model with {text}, and pairs have our prompt: run `fingertip suggest "
            "--month` without --prompt-file",
            file=path,
        )
    if settings.get("language", language) != language:
        raise UsageError(
            f"the run asked its model in {settings['language']}, and the pairs would have prompts in "
            f"{language}: add --language {settings['language']}",
            file=path,
        )


def _list_shown(record: SuggestionRun) -> tuple[object, ...]:
    return record.screenshots, record.memory, record.protocol, record.without
