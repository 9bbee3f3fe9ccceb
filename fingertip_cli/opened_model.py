"""The model that a command line names, opened behind the answers that it gave before."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.model_options import read_options
from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    from fingertip_models.model import Model

ANSWERS = "answers.jsonl"
"""What a model was asked and answered, in the folder of the command or that of --cache."""

SECONDS_BETWEEN = 5.0
"""At least, between two lines on retries."""


def asking_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds what is said of how a model is asked, beside `model_options`; `opened_model` reads them."""
    options = (
        click.option(
            "--concurrency",
            type=click.IntRange(1),
            default=8,
            show_default=True,
            help="Questions at once; 1 for seconds that no queue of the server is in.",
        ),
        click.option("--requests-per-minute", type=click.IntRange(1), help="At most, new attempts included."),
        click.option(
            "--cache",
            type=click.Path(path_type=Path, file_okay=False),
            help="Folder of answers that runs share; one server must not change its model behind it. "
            "Default: the folder of --out.",
        ),
        click.option("--no-cache", is_flag=True, help="Keep no answers but the run's lines."),
        click.option("--trust-remote-code", is_flag=True, help="Run code that a local checkpoint brings."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@contextmanager
def opened_model(model: Mapping[str, Any], out: Path) -> Iterator[Model | None]:
    """The model of the options, behind its answers, closed at the end; None where they name none.

    Args:
        model: The values of `model_options` and `asking_options`, and the backend.
        out: Where answers are kept without --cache; the folder may be made later.

    Raises:
        UsageError: The options do not fit together, or the folder of --cache cannot be made.
        MissingExtraError: The package that the backend needs is not installed.
        ModelError: A local model cannot be loaded.
    """
    from fingertip_models.model import open_model
    from fingertip_models.responses import Cached

    options = read_options(model)
    if options is None:
        yield None
        return
    _make_folder(model)
    found = open_model(
        options,
        backend=model["backend"],
        requests_per_minute=model["requests_per_minute"],
        trust_remote_code=model["trust_remote_code"],
        on_retry=_Retries().notify,
    )
    if not model["no_cache"]:
        found = Cached(found, (model["cache"] or out) / ANSWERS)
    try:
        yield found
    finally:
        found.close()


class _Retries:
    """Says on standard error, now and then, that a model is asked again.

    With many questions at once a server that is down fails many times a second.
    """

    def __init__(self) -> None:
        self._next = 0.0

    def notify(self, sentence: str) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + SECONDS_BETWEEN
            click.echo(sentence, err=True)


def _make_folder(model: Mapping[str, Any]) -> None:
    """That of --cache; the run's own is made with the run."""
    folder = model["cache"]
    if folder and model["no_cache"]:
        raise UsageError("expected --cache or --no-cache, got both")
    try:
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"expected a folder for answers, got {error.strerror}", file=folder) from error
