"""How a run is scored: the options that every command which scores has."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    from fingertip_metrics.judges import Judge
    from fingertip_models.messages import Language
    from fingertip_models.model import Backend

    Opened = AbstractContextManager[Judge | None]

ScoreCommand = Callable[..., None]

protocol = click.option(
    "--protocol",
    type=click.Choice(["release", "paper"]),
    default="release",
    show_default=True,
    help="As the authors' script scores, or as the paper's formulas say.",
)

answers = click.option(
    "--answers",
    type=click.Choice(["raw", "read"]),
    default="raw",
    show_default=True,
    help="Track 1: scores the answer as it was given, or the intent that our reader takes out of it.",
)

spelling = click.option(
    "--spelling",
    type=click.Choice(["written", "canonical"]),
    default=None,
    help="Track 2: how Sim_2 compares actions. Default: as written by protocol release, canonical by paper.",
)

embedder = click.option(
    "--embedder",
    default="official",
    show_default=True,
    help="official, lexical (offline, not the paper's), or a SentenceTransformer by name or path.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """Who says whether a predicted intent is the person's own, as the command line has it.

    Attributes:
        judge: lexical, human, or the name of a model; None for nobody.
        base_url: Of the model's server.
        backend: Where the model runs.
        votes: Questions a pair.
        language: Of the judge's prompt.
        cache: File of the model's answers; None for judge.jsonl in the run's folder.
        labels: File of the persons' labels; None for labels.jsonl there.
    """

    judge: str | None
    base_url: str | None
    backend: Backend
    votes: int
    language: Language
    cache: Path | None
    labels: Path | None

    def open(self, run: Path | None, *, partial: bool, on_progress: Callable[[int, int], None]) -> Opened:
        """The judge of a run, closed at the end; None where none was named.

        Args:
            run: Its folder keeps the answers and holds the labels; None where neither is so.
            partial: As in `LlmJudge`.
            on_progress: Likewise.

        Raises:
            FingerTipError: As `open_judge`.
        """
        from fingertip_metrics.judges import open_judge
        from fingertip_metrics.judges.pair_labels import LABELS

        if self.judge is None:
            self._check_alone()
            return nullcontext()
        return open_judge(
            self.judge,
            base_url=self.base_url,
            backend=self.backend,
            votes=self.votes,
            language=self.language,
            cache=self.cache or (run / JUDGE_CACHE if run else None),
            labels=self.labels or (run / LABELS if run else None),
            partial=partial,
            on_progress=on_progress,
        )

    def refuse_track_2(self) -> None:
        """See to it that no judge of intents is named for runs of track 2.

        Raises:
            UsageError: One is.
        """
        if self.judge is not None:
            raise UsageError(
                f"expected --judge for runs of track 1, got --judge {self.judge} for track 2: "
                "`fingertip review --judge MODEL` labels those"
            )

    def _check_alone(self) -> None:
        given = {"base-url": self.base_url, "cache": self.cache, "labels": self.labels}
        names = [name for name, value in given.items() if value is not None]
        names += ["votes"] if self.votes != 1 else []
        names += ["backend"] if self.backend != "openai" else []
        if names:
            raise UsageError(f"expected --judge beside --judge-{names[0]}, got none")


def judge(command: ScoreCommand) -> ScoreCommand:
    """The options of `JudgeOptions`, which come together as `judging`."""

    @wraps(command)
    def gathered(**options: Any) -> None:  # noqa: ANN401 - those of the command
        fields = {name: options.pop(f"judge_{name}") for name in JUDGE_FIELDS}
        command(judging=JudgeOptions(judge=options.pop("judge"), **fields), **options)

    for option in reversed(JUDGE):
        gathered = option(gathered)
    return gathered


JUDGE_CACHE = "judge.jsonl"
JUDGE_FIELDS = ("base_url", "backend", "votes", "language", "cache", "labels")
JUDGE = (
    click.option(
        "--judge",
        metavar="JUDGE",
        help="Says whether two intents are the same (SR_1 of track 1): lexical (a rule, offline), human "
        "(labels), or a model by its name.",
    ),
    click.option("--judge-base-url", metavar="URL", help="Of the judge's OpenAI-compatible server."),
    click.option(
        "--judge-backend",
        type=click.Choice(["openai", "local"]),
        default="openai",
        show_default=True,
        help="Where the judge runs: behind a server, or as a checkpoint in this process.",
    ),
    click.option(
        "--judge-votes",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="Questions a pair; more than half of them decide.",
    ),
    click.option(
        "--judge-language",
        type=click.Choice(["zh", "en"]),
        default="zh",
        show_default=True,
        help="Of the judge's prompt.",
    ),
    click.option(
        "--judge-cache",
        type=click.Path(path_type=Path, dir_okay=False),
        help="Keeps the judge's answers: none is asked for twice.  "
        "[default: judge.jsonl in the run's folder, or beside a CSV file]",
    ),
    click.option(
        "--judge-labels",
        type=click.Path(path_type=Path, dir_okay=False),
        help="Of --judge human: a line of JSON a label.  [default: labels.jsonl there]",
    ),
)
