"""Opening a judge by name: a rule, human, or a model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from fingertip_dataset.errors import FingerTipError, UsageError
from fingertip_dataset.parquet.manifest import MANIFEST, Manifest
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.release.settings import PUBLISHED, ReleaseSettings
from fingertip_dataset.similar_names import did_you_mean
from fingertip_metrics.judges.judge_kinds import WITHOUT_MODEL
from fingertip_metrics.judges.llm import CONCURRENCY, LlmJudge
from fingertip_metrics.judges.verdicts import Judge, JudgeInputs
from fingertip_models.cache import AppendOnlyCache
from fingertip_models.messages import Language
from fingertip_models.model import Backend, Model, open_model
from fingertip_models.options import ModelOptions

VOTE_TEMPERATURE = 0.7
"""Temperature of each of several votes, seeded 1, 2, ...; a single vote is greedy."""

MAX_TOKENS = 4096
"""Output limit, tokens; it leaves room for the reasoning of a thinking model."""

MOST_VOTES = 99


@accept_path_texts
@contextmanager
def open_judge(
    judge: str | Judge | None,
    *,
    base_url: str | None = None,
    backend: Backend = "openai",
    votes: int = 1,
    language: Language | None = None,
    reasons: str | None = None,
    cache: Path | None = None,
    labels: Path | None = None,
    dataset: Path | None = None,
    concurrency: int = CONCURRENCY,
    on_progress: Callable[[int, int], None] | None = None,
    preflight: bool = False,
) -> Iterator[Judge]:
    """Open a judge by name, and close it at the end; a given judge object is passed on and stays open.

    Args:
        judge: "lexical", "human", "simulated" or "simulated-goal", the model's name on its server, or a judge
            object.
        base_url: URL of the model's server; None as in `ModelOptions`.
        backend: Where the model runs: "openai" behind a server, "local" in this process with one vote.
        votes: Queries per pair; more than one are sampled at a temperature of 0.7.
        language: Language of the model's prompt; None for that of the dataset, Chinese without one.
        reasons: As in `LlmJudge`; None for the dataset's language.
        cache: Cache file of the model's answers.
        labels: File of the raters' labels, for "human".
        dataset: Folder of the built dataset of the intents; "simulated" and "simulated-goal" need it.
        concurrency: Number of concurrent queries to the model.
        on_progress: As in `LlmJudge`.
        preflight: Whether the first query waits for a preflight of the server; see `ChatClient`.

    Raises:
        UsageError: No judge, a misspelt one, model options for another judge, or a wrong number of votes.
        InputError: The labels or the cache cannot be read.
        DatasetError: The dataset cannot be read.

    >>> with open_judge("lexical") as judge:
    ...     print(judge.name)
    lexical (similarity of 0.85 or more)
    """
    if judge is None or judge == "":
        raise UsageError(f"expected a judge: {', '.join(WITHOUT_MODEL)} or the name of a model, got none")
    if not isinstance(judge, str) or judge in WITHOUT_MODEL:
        if base_url is not None or votes != 1 or backend != "openai":
            name = judge if isinstance(judge, str) else judge.name
            raise UsageError(
                f"a base URL, a backend and votes apply to a model judge only; got one for judge {name}"
            )
        inputs = JudgeInputs(labels=labels, dataset=dataset)
        yield WITHOUT_MODEL[judge](inputs) if isinstance(judge, str) else judge
        return
    if base_url is None and backend == "openai" and (meant := did_you_mean(judge, WITHOUT_MODEL)):
        raise UsageError(f"there is no judge {judge!r}{meant} A model of that name needs its base URL")
    settings = _find_settings(dataset)
    language = language or settings.prompt_language
    options = make_votes(judge, base_url, backend, votes, language)
    with ExitStack() as stack:
        kept = stack.enter_context(AppendOnlyCache(cache)) if cache else None
        yield LlmJudge(
            stack.enter_context(open_voters(options, backend, preflight=preflight)),
            language=language,
            reasons=settings.reason_language if reasons is None else reasons,
            cache=kept,
            concurrency=concurrency,
            on_progress=on_progress,
        )


def _find_settings(dataset: Path | None) -> ReleaseSettings:
    """Settings of a dataset; those of the published release without one that can be read."""
    if dataset is not None:
        with suppress(FingerTipError):
            return Manifest.read(dataset / MANIFEST).settings
    return PUBLISHED


@contextmanager
def open_voters(
    options: Sequence[ModelOptions], backend: Backend, *, preflight: bool
) -> Iterator[list[Model]]:
    """Open the model of each vote, and close all at the end.

    Args:
        options: Options of the votes, as from `make_votes`.
        backend: What runs the model.
        preflight: Whether a preflight is made: one, as the votes have one endpoint.
    """
    with ExitStack() as stack:
        yield [
            stack.enter_context(closing(open_model(one, backend=backend, preflight=preflight and not number)))
            for number, one in enumerate(options)
        ]


def make_votes(
    judge: str, base_url: str | None, backend: Backend, votes: int, language: Language
) -> list[ModelOptions]:
    """Options of the model of each vote.

    Raises:
        UsageError: A wrong number of votes.
    """
    most = MOST_VOTES if backend == "openai" else 1
    if not 1 <= votes <= most:
        whose = f"1 to {most} votes of a model" if most > 1 else "one vote of a local model"
        raise UsageError(f"expected {whose}, got {votes}")
    seeds = range(1, votes + 1) if votes > 1 else (None,)
    return [
        ModelOptions(
            base_url=base_url,
            model=judge,
            language=language,
            temperature=0.0 if seed is None else VOTE_TEMPERATURE,
            seed=seed,
            max_tokens=MAX_TOKENS,
        )
        for seed in seeds
    ]
