"""Options of scoring that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.options.dataset_language import dataset_language, reason_language
from fingertip_cli.options.old_spellings import renamed
from fingertip_dataset.errors import UsageError
from fingertip_runs.answer_caches import EMBEDDINGS, JUDGE_CACHE

if TYPE_CHECKING:
    from fingertip_metrics.embedders import Embedder
    from fingertip_metrics.judges import Judge
    from fingertip_models.messages import Language
    from fingertip_models.model import Backend
    from fingertip_runs.type_references import TypeName
    from suggestion_runner.judged_run import JudgeChecking
    from suggestion_runner.why.reason_judge import ReasonJudge

    Opened = AbstractContextManager[Judge | None]

ScoreCommand = Callable[..., None]

VERIFIABLE = ("official", "lexical")
"""Embedders of bundles."""

protocol = click.option(
    "--protocol",
    type=click.Choice(["release", "paper"]),
    default="release",
    show_default=True,
    help="Score as the authors' script does, or by the paper's formulas.",
)

answers = click.option(
    "--answers",
    type=click.Choice(["raw", "read"]),
    default="raw",
    show_default=True,
    help="Track 1: score the whole answer, or the intent that our parser extracts from it.",
)

spelling = click.option(
    "--spelling",
    type=click.Choice(["written", "canonical"]),
    default=None,
    help="Track 2: spelling of actions in Sim_2. Default: written by protocol release, canonical by paper.",
)


def _read_types(ctx: click.Context, option: click.Parameter, value: str | None) -> tuple[TypeName, ...]:
    from fingertip_runs.type_references import check_type_names

    return check_type_names([name.strip() for name in value.split(",")]) if value else ()


also_types = click.option(
    "--also-types",
    callback=_read_types,
    metavar="TYPES",
    help="Track 2: also print Sim_2 with other definitions of the user types, some of age,sex,behaviour,any; "
    "needs the run's dataset.",
)


tricks = click.option(
    "--tricks/--no-tricks",
    default=None,
    help="Also score chance and tricks on the runs' tasks: a constant, echoes of the history, finished() "
    "alone, half the person's way. By default on track 2, and on track 1 with --embedder lexical.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderOptions:
    """Options of the embedder of Sim_1.

    Attributes:
        name: official, lexical, the name of a package's model, of a SentenceTransformer, or on a server.
        base_url: URL of the embedder's server; None for one in this process.
        prefix: Text put before each text; None for that of the model, by its name.
    """

    name: str
    base_url: str | None = None
    prefix: str | None = None

    def open(self, folder: Path | None, *, advice: str | None = None) -> Embedder:
        """Load the embedder.

        Args:
            folder: Folder that keeps the vectors of a server; None to keep none.
            advice: As for `get_embedder`; None for its own.

        Raises:
            FingerTipError: An error of `get_embedder`.
        """
        from fingertip_metrics.embedders import OTHER_EMBEDDER, get_embedder

        return get_embedder(
            self.name,
            advice=advice or OTHER_EMBEDDER,
            base_url=self.base_url,
            prefix=self.prefix,
            cache=folder / EMBEDDINGS if folder and self.base_url else None,
        )


def embedder(default: str = "official") -> Callable[[ScoreCommand], ScoreCommand]:
    """Options of the embedder of Sim_1; the command receives them as `embedder: EmbedderOptions`."""
    options = (
        click.option(
            "--embedder",
            default=default,
            show_default=True,
            help="Sim_1: official (a download), lexical (offline, not the paper's), all-minilm-l6-v2 (of a "
            "package, English), or a SentenceTransformer, by name or path.",
        ),
        click.option(
            "--embedder-base-url",
            metavar="URL",
            help="URL of an OpenAI-compatible server with /embeddings, which has the model --embedder. Its "
            "vectors are kept in embeddings.jsonl, in the folder of the first run.",
        ),
        click.option(
            "--embedder-prefix",
            metavar="TEXT",
            help="Text put before each text that is embedded.  [default: 'query: ' for the E5 models, else "
            "none]",
        ),
    )

    def add_options(command: ScoreCommand) -> ScoreCommand:
        @wraps(command)
        def with_embedder_options(**given: Any) -> None:  # noqa: ANN401 - those of the command
            name = given.pop("embedder")
            fields = {field: given.pop(f"embedder_{field}") for field in ("base_url", "prefix")}
            command(embedder=EmbedderOptions(name=name, **fields), **given)

        for option in reversed(options):
            with_embedder_options = option(with_embedder_options)
        return with_embedder_options

    return add_options


def _check_verifiable(_ctx: click.Context, _option: click.Parameter, value: str) -> str:
    from fingertip_dataset.similar_names import did_you_mean

    if value not in VERIFIABLE:
        meant = did_you_mean(value, VERIFIABLE) or ": it stays in the scores.json of the run"
        raise UsageError(
            f"the Sim_1 of a bundle is by {' or '.join(VERIFIABLE)}, which every verifier can repeat, not by "
            f"{value!r}{meant}"
        )
    return value


def verifiable_embedder(default: str = "official") -> Callable[[Any], Any]:
    """`embedder` of a bundle: a verifier loads no model that a submission names."""
    return click.option(
        "--embedder",
        callback=_check_verifiable,
        metavar=f"[{'|'.join(VERIFIABLE)}]",
        default=default,
        show_default=True,
        help="Sim_1: official (a download) or lexical (offline, not the paper's), which every verifier has.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """Options of the judge that decides whether two intents are the same.

    Attributes:
        judge: lexical, human, or the name of a model; None for no judge.
        base_url: URL of the model's server.
        backend: Where the model runs.
        votes: Number of queries per pair.
        language: Language of the judge's prompt; None for that of the dataset.
        cache: File of the model's answers; None for judge.jsonl in the run's folder.
        labels: File of human labels; None for labels.jsonl in the run's folder.
        dataset: Folder of the built dataset of the intents; None for that of the run.
        no_preflight: Whether the model is queried without a preflight.
        check: Number of pairs of each kind with a known answer that a model is asked about; 0 for no check.
    """

    judge: str | None
    base_url: str | None
    backend: Backend
    votes: int
    language: Language | None
    cache: Path | None
    labels: Path | None
    dataset: Path | None
    no_preflight: bool
    check: int = 0

    def open_checking(self, dataset: Path) -> JudgeChecking | None:
        """Return how the judge of a run is checked; None for one that is no model, and without a check.

        About simulated people the rule that knows their wordings is the reference.

        Args:
            dataset: Folder of the built dataset of the run, which may be gone.
        """
        from fingertip_dataset.errors import FingerTipError
        from fingertip_metrics.judges import SimulatedJudge
        from fingertip_metrics.judges.judge_kinds import WITHOUT_MODEL
        from fingertip_metrics.judges.verdicts import JudgeInputs
        from suggestion_runner.judged_run import JudgeChecking

        if self.judge is None or self.judge in WITHOUT_MODEL or self.check == 0:
            return None
        reference = None
        # recorded people have no phone that knows what they want, and a dataset may have been moved
        with suppress(FingerTipError):
            reference = SimulatedJudge.open(JudgeInputs(dataset=self.dataset or dataset))
        return JudgeChecking(pairs=self.check, reference=reference)

    def open(
        self,
        run: Path | None,
        *,
        dataset: Path | None = None,
        on_progress: Callable[[int, int], None],
    ) -> Opened:
        """Return a context manager of the run's judge, which closes it; it gives None without --judge.

        Args:
            run: Folder that keeps the judge's answers and holds the labels; None to use only the options.
            dataset: Folder of the built dataset of the run, unless an option names one; None without it.
            on_progress: Callback with the number of pairs judged and in total; see `LlmJudge`.

        Raises:
            FingerTipError: An error of `open_judge`.
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
            language=self.language or dataset_language(),
            reasons=reason_language(),
            cache=self.cache or (run / JUDGE_CACHE if run else None),
            labels=self.labels or (run / LABELS if run else None),
            dataset=self.dataset or dataset,
            on_progress=on_progress,
            preflight=not self.no_preflight,
        )

    def check_server(self) -> None:
        """Ask the server of a judge that is a model a small question; a rule and people have none.

        Raises:
            UsageError: An option of a judge is given without one, or has a wrong value.
            PreflightError: The server does not answer, or does not have the model.
        """
        from fingertip_metrics.judges.judge_kinds import WITHOUT_MODEL
        from fingertip_metrics.judges.named import make_votes
        from fingertip_models.chat.chat_client import ChatClient

        if self.judge is None:
            self._check_alone()
        if self.judge is None or self.judge in WITHOUT_MODEL or self.backend != "openai" or self.no_preflight:
            return
        language = self.language or dataset_language()
        first, *_ = make_votes(self.judge, self.base_url, self.backend, self.votes, language)
        with ChatClient(first) as client:
            client.check()

    def open_reasons(
        self, run: Path, *, on_progress: Callable[[int, int], None]
    ) -> AbstractContextManager[ReasonJudge | None]:
        """Return a context manager of the model that says why answers failed; None for a judge without one.

        It is the judge's model on its server, asked by `open` before: a preflight would be a second one.

        Args:
            run: Folder of the run, which keeps the model's answers.
            on_progress: Callback with the number of answers so far and in total.

        Raises:
            FingerTipError: An error of `open_reason_judge`.
        """
        from fingertip_metrics.judges.judge_kinds import WITHOUT_MODEL
        from suggestion_runner.why.reason_judge import open_reason_judge

        if self.judge is None or self.judge in WITHOUT_MODEL:
            return nullcontext()
        return open_reason_judge(
            self.judge,
            base_url=self.base_url,
            backend=self.backend,
            votes=self.votes,
            language=self.language or dataset_language(),
            reasons=reason_language(),
            cache=self.cache or run / JUDGE_CACHE,
            on_progress=on_progress,
        )

    def refuse_track_2(self) -> None:
        """Refuse --judge for runs of track 2.

        Raises:
            UsageError: A judge is given.
        """
        if self.judge is not None:
            raise UsageError(
                f"--judge {self.judge} is for runs of track 1, and this is one of track 2: "
                "`fingertip review --judge MODEL` labels those"
            )

    def _check_alone(self) -> None:
        given = {
            "base-url": self.base_url,
            "cache": self.cache,
            "labels": self.labels,
            "dataset": self.dataset,
        }
        names = [name for name, value in given.items() if value is not None]
        names += ["votes"] if self.votes != 1 else []
        names += ["backend"] if self.backend != "openai" else []
        names += ["no-preflight"] if self.no_preflight else []
        if names:
            raise UsageError(f"--judge-{names[0]} needs --judge")


vision_judge = click.option(
    "--judge",
    metavar="MODEL",
    help="Vision model that judges by screens whether what was wanted is done, in place of people.",
)


def vision_judge_options(command: ScoreCommand) -> ScoreCommand:
    """Add the options of the server of a judge that sees pictures, next to the command's own --judge."""
    options = (
        _judge_base_url("--base-url"),
        _judge_no_preflight("--no-preflight"),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _judge_base_url(*old: str) -> Callable[[Any], Any]:
    text = "URL of the judge's OpenAI-compatible server."
    return renamed("--judge-base-url", old=old, metavar="URL", help=text)


def _judge_no_preflight(*old: str) -> Callable[[Any], Any]:
    text = "Query the judge without a small request first that checks its server and its name."
    return renamed("--judge-no-preflight", old=old, is_flag=True, help=text)


def judge(command: ScoreCommand) -> ScoreCommand:
    """Add the options of a judge to a command, which receives them as `judging: JudgeOptions`."""
    return _add_judge(command, JUDGE, JUDGE_FIELDS)


def checked_judge(command: ScoreCommand) -> ScoreCommand:
    """Add the options of a judge, and whether a model is checked."""
    return _add_judge(command, (*JUDGE, JUDGE_CHECK), (*JUDGE_FIELDS, "check"))


def _add_judge(
    command: ScoreCommand, options: Sequence[Callable[[Any], Any]], names: Sequence[str]
) -> ScoreCommand:
    @wraps(command)
    def with_judge_options(**given: Any) -> None:  # noqa: ANN401 - those of the command
        fields = {name: given.pop(f"judge_{name}") for name in names}
        command(judging=JudgeOptions(judge=given.pop("judge"), **fields), **given)

    for option in reversed(options):
        with_judge_options = option(with_judge_options)
    return with_judge_options


JUDGE_FIELDS = (
    "base_url", "backend", "votes", "language", "cache", "labels", "dataset", "no_preflight",
)  # fmt: skip
JUDGE = (
    click.option(
        "--judge",
        metavar="JUDGE",
        help="Judge that decides whether two intents are the same (SR_1 of track 1): lexical (a rule, "
        "offline), human (labels), simulated (a rule for simulated people: the same goal and case; "
        "simulated-goal: the goal alone), or a model by its name.",
    ),
    _judge_base_url(),
    click.option(
        "--judge-backend",
        type=click.Choice(["openai", "local"]),
        default="openai",
        show_default=True,
        help="Where the judge runs: on a server, or as a checkpoint in this process.",
    ),
    click.option(
        "--judge-votes",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="Number of queries per pair; the majority decides.",
    ),
    click.option(
        "--judge-language",
        type=click.Choice(["zh", "en"]),
        show_default="that of the dataset",
        help="Language of the judge's prompt.",
    ),
    click.option(
        "--judge-cache",
        type=click.Path(path_type=Path, dir_okay=False),
        help="File of the judge's answers, which are reused.  "
        "[default: judge.jsonl in the run's folder, or beside a CSV file]",
    ),
    click.option(
        "--judge-labels",
        type=click.Path(path_type=Path, dir_okay=False),
        help="With --judge human: JSON Lines file of the labels.  [default: labels.jsonl in the same place]",
    ),
    click.option(
        "--judge-dataset",
        type=click.Path(path_type=Path, file_okay=False),
        help="With --judge simulated: folder of the built dataset.  [default: the dataset of the run]",
    ),
    _judge_no_preflight(),
)
JUDGE_CHECK = click.option(
    "--judge-check",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    metavar="N",
    help="Ask a model judge also about N equal and N unlike pairs of intents, compare it with the rule for "
    "simulated people, and warn of one at chance; 0 leaves this out.",
)
