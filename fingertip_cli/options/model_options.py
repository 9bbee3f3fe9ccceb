"""The model of a command: options that commands share, how they are read, and opening the model."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.options.dataset_language import dataset_language
from fingertip_cli.options.old_spellings import renamed
from fingertip_cli.options.output_folder import make_folder
from fingertip_dataset.errors import UsageError
from fingertip_runs.answer_caches import ANSWERS

if TYPE_CHECKING:
    from fingertip_models.model import Model
    from fingertip_models.options import ModelOptions
    from fingertip_models.prices import Prices

Command = Callable[..., None]
Option = Callable[[Any], Any]
"""Decorator of `click.option`; click types it over any function or command."""

PRINTED = "fingertip.printed_notes"
"""Key of the notes that a command has printed, in the data of its context."""

PRICED = ("prompt", "completion")
"""Kinds of tokens that have a price."""

NO_TEMPERATURE = "none"
"""Value of --temperature for requests without one; click would take a None for a missing value."""

SECONDS_BETWEEN = 5.0
"""Minimum time in seconds between two lines about retries."""


language = click.option(
    "--language", type=click.Choice(["zh", "en"]), default=dataset_language,
    show_default="that of the people", help="Language of the prompts; answers are in the people's own.",
)  # fmt: skip

max_pixels = click.option(
    "--max-pixels",
    type=click.IntRange(1),
    help="Maximum pixels of a screenshot; larger ones are scaled down.",
)

trust_remote_code = click.option(
    "--trust-remote-code", is_flag=True, help="Run code that a local checkpoint contains."
)


concurrency = click.option(
    "--concurrency",
    type=click.IntRange(1),
    default=8,
    show_default=True,
    help="Requests at once; 1 to time answers without the server's queue.",
)

requests_per_minute = click.option(
    "--requests-per-minute", type=click.IntRange(1), help="Maximum request rate, retries included."
)

currency = click.option("--currency", default="USD", show_default=True, help="Currency of the prices.")

no_preflight = click.option(
    "--no-preflight",
    is_flag=True,
    help="Start without a small request that checks the server, the model's name and its pictures.",
)


class Temperature(click.FloatRange):
    """A temperature of 0 to 2, or "none"."""

    name = "temperature"

    def __init__(self) -> None:
        super().__init__(0, 2)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """A number, or `NO_TEMPERATURE`."""
        return NO_TEMPERATURE if value == NO_TEMPERATURE else super().convert(value, param, ctx)


def add_options(command: Command, options: tuple[Option, ...]) -> Command:
    """Add click options to a command; --help lists them in the order given."""
    for option in reversed(options):
        command = option(command)
    return command


def price_options(prefix: str = "", whose: str = "") -> tuple[Option, ...]:
    """Options for the token prices of a model, read by `read_prices` with the same prefix.

    Args:
        prefix: Beginning of the options' names, such as "history-".
        whose: End of their help texts, such as " of the history model".
    """
    return tuple(
        click.option(
            f"--{prefix}price-{kind}",
            type=click.FloatRange(0),
            help=f"Price of a million {kind} tokens{whose}.",
        )
        for kind in PRICED
    )


def model_options(command: Command) -> Command:
    """Add the options of a model, which `read_options` and `read_prices` read by their names."""
    options = (
        click.option(
            "--base-url", "base_urls", multiple=True,
            help="URL of an OpenAI-compatible server, usually ending in /v1. Repeat it for several servers "
            "with the same model.",
        ),
        click.option("--model", help="The model's name on the server."),
        language,
        click.option(
            "--temperature", type=Temperature(), default=0.0, show_default=True,
            help="Sampling temperature; none sends none, for models that refuse one.",
        ),
        click.option("--seed", type=int, help="Seed of every draw; also sent to servers that accept one."),
        click.option(
            "--max-tokens", type=click.IntRange(1), default=8192, show_default=True,
            help="Maximum tokens of an answer, reasoning included.",
        ),
        click.option(
            "--stream", is_flag=True, help="Read answers as a stream, for models that send them only so."
        ),
        click.option(
            "--no-system", is_flag=True,
            help="Merge the system message into the user message, for models without a system role.",
        ),
        click.option(
            "--extra-body", multiple=True, metavar="NAME=JSON",
            help="Field of each request beside ours, such as a provider's own; null leaves one of ours out. "
            "Repeatable.",
        ),
        click.option(
            "--key-env", default="OPENAI_API_KEY", show_default=True, metavar="NAME",
            help="Environment variable that has the key.",
        ),
        max_pixels,
        click.option(
            "--timeout", type=click.FloatRange(0, min_open=True), default=120.0, show_default=True,
            help="Seconds that one answer may take; of a stream, those until its next token.",
        ),
        *price_options(),
        currency,
        no_preflight,
    )  # fmt: skip
    return add_options(command, options)


def backend(*, batch: bool = False) -> Option:
    """Option --backend; with `batch` also requests in files for a provider's batch API."""
    where = "on a server, or as a checkpoint in this process."
    if batch:
        where = "on a server, as a checkpoint in this process, or through files for a provider's batch API."
    return click.option(
        "--backend",
        type=click.Choice(["openai", "local", "batch"] if batch else ["openai", "local"]),
        default="openai",
        show_default=True,
        help=f"Where the model runs: {where}",
    )


def batch_options(command: Command) -> Command:
    """Add the options of where a model runs, one of which is a provider's batch API."""
    options = (
        backend(batch=True),
        renamed(
            "--batch-results",
            "results",
            old=("--results",),
            type=click.Path(path_type=Path),
            multiple=True,
            help="Result or error file of the batch API; repeatable.",
        ),
    )
    return add_options(command, options)


def query_options(command: Command) -> Command:
    """Add the options of how a model is queried, next to `model_options`; `open_chosen_model` reads them."""
    options = (
        concurrency,
        requests_per_minute,
        click.option(
            "--cache",
            type=click.Path(path_type=Path, file_okay=False),
            help="Folder of answers that runs share; the server must keep the model of a name unchanged. "
            "Default: the folder of --out.",
        ),
        click.option("--no-cache", is_flag=True, help="Keep no answers except in the run's log."),
    )
    return add_options(local_options(command), options)


def local_options(command: Command) -> Command:
    """Add the options of a checkpoint in this process."""
    options = (
        click.option(
            "--adapter",
            type=click.Path(path_type=Path, file_okay=False),
            help="Folder of an adapter that `fingertip finetune` wrote, for --backend local.",
        ),
        click.option(
            "--local-batch",
            type=click.IntRange(1),
            default=1,
            show_default=True,
            help="Most requests that a local model answers together.",
        ),
        trust_remote_code,
    )
    return add_options(command, options)


def read_options(model: Mapping[str, Any]) -> ModelOptions | None:
    """Read the model that the options name; None without --model.

    Raises:
        UsageError: --base-url is given without --model, or an option's value is invalid.
    """
    from fingertip_models.options import ModelOptions

    if model["model"] is None:
        if model["base_urls"]:
            raise UsageError(f"--base-url {model['base_urls'][0]} needs --model")
        return None
    first, further = split_urls(model["base_urls"])
    return ModelOptions(
        base_url=first,
        further_urls=further,
        model=model["model"],
        language=model["language"],
        temperature=read_temperature(model),
        seed=model["seed"],
        max_tokens=model["max_tokens"],
        timeout_s=model["timeout"],
        max_pixels=model["max_pixels"],
        stream=model["stream"],
        system_role="merge" if model["no_system"] else "keep",
        extra_body=read_extra_body(model["extra_body"]),
        api_key_env=model["key_env"],
    )


def split_urls(urls: Sequence[str]) -> tuple[str | None, tuple[str, ...]]:
    """Split the values of --base-url into the first one, None without any, and further ones."""
    return (urls[0] if urls else None), tuple(urls[1:])


def read_temperature(model: Mapping[str, Any]) -> float | None:
    """The temperature of --temperature; None for "none"."""
    return None if model["temperature"] == NO_TEMPERATURE else model["temperature"]


def read_extra_body(lines: Sequence[str]) -> dict[str, object]:
    """Read the fields of --extra-body; a value that is no JSON is a text.

    Raises:
        UsageError: A line is not NAME=JSON, or a name is given twice.

    >>> read_extra_body(["stream_options=null", 'provider={"order": ["a"]}', "reasoning_effort=low"])
    {'stream_options': None, 'provider': {'order': ['a']}, 'reasoning_effort': 'low'}
    """
    fields: dict[str, object] = {}
    for line in lines:
        name, found, text = line.partition("=")
        name = name.strip()
        if not found or not name:
            raise UsageError(f"expected --extra-body NAME=JSON, got {line[:60]!r}")
        if name in fields:
            raise UsageError(f"--extra-body {name[:40]} is given twice")
        try:
            fields[name] = json.loads(text)
        except (ValueError, RecursionError):
            fields[name] = text
    return fields


def read_prices(model: Mapping[str, Any], prefix: str = "") -> Prices | None:
    """Read the prices that the options of `price_options(prefix)` name; None without prices.

    Raises:
        UsageError: Only one of the two prices is given.
    """
    from fingertip_models.prices import Prices

    prompt, completion = (model[f"{prefix}price-{kind}".replace("-", "_")] for kind in PRICED)
    if prompt is None and completion is None:
        return None
    if prompt is None or completion is None:
        raise UsageError(f"--{prefix}price-prompt and --{prefix}price-completion go together: give both")
    return Prices(prompt=prompt, completion=completion, currency=model["currency"])


@contextmanager
def open_chosen_model(
    model: Mapping[str, Any], out: Path, *, pictures: bool = False
) -> Iterator[Model | None]:
    """Open the model of the options behind its answer cache, and close it; None without --model.

    Args:
        model: The values of `model_options` and `query_options`, and the backend.
        out: Folder of the answer cache without --cache; it may be made later.
        pictures: Whether prompts will have pictures, which a local model may not take.

    Raises:
        UsageError: The options conflict, there is no such local model or it takes no pictures, or the folder
            of --cache cannot be made.
        MissingExtraError: The package that the backend needs is not installed.
        ModelError: A local model cannot be loaded.
    """
    from fingertip_models.model import open_model
    from fingertip_models.responses import Cached

    options = read_options(model)
    check_adapter(model)
    if options is None:
        yield None
        return
    _make_cache_folder(model)
    opened = open_model(
        options,
        backend=model["backend"],
        requests_per_minute=model["requests_per_minute"],
        trust_remote_code=model["trust_remote_code"],
        on_retry=_RetryNotes().notify,
        on_note=print_once(),
        preflight=not model["no_preflight"],
        adapter=model["adapter"],
        batch=model["local_batch"],
        pictures=pictures,
    )
    if not model["no_cache"]:
        opened = Cached(opened, (model["cache"] or out) / ANSWERS)
    try:
        yield opened
    finally:
        opened.close()


def print_once() -> Callable[[str], None]:
    """Return a function that prints notes on stderr, each one once in a command.

    A command that opens a model for each of its tracks or tries would repeat them. The function may be called
    in any thread, this one only in that of the command.
    """
    context = click.get_current_context(silent=True)
    printed: set[str] = set() if context is None else context.meta.setdefault(PRINTED, set())

    def print_note(note: str) -> None:
        if note not in printed:
            printed.add(note)
            click.echo(note, err=True)

    return print_note


@contextmanager
def open_local_model(model: Mapping[str, Any], *, pictures: bool = False) -> Iterator[Model | None]:
    """Open the model of the options without a cache if it runs in this process, and close it; else None.

    Args:
        model: The values of `model_options` and `local_options`, and the backend.
        pictures: Whether prompts will have pictures, which the model may not take.

    Raises:
        UsageError: The options conflict, there is no such model, or it takes no pictures.
        MissingExtraError: A package that a local model needs is not installed.
        ModelError: The model or its adapter cannot be loaded.
    """
    from fingertip_models.model import open_model

    check_adapter(model)
    options = read_options(model) if model["backend"] == "local" else None
    if options is None:
        yield None
        return
    opened = open_model(
        options,
        backend="local",
        trust_remote_code=model["trust_remote_code"],
        on_note=print_once(),
        adapter=model["adapter"],
        batch=model["local_batch"],
        pictures=pictures,
    )
    try:
        yield opened
    finally:
        opened.close()


def check_adapter(model: Mapping[str, Any]) -> None:
    """Refuse an adapter without the local model that it belongs to.

    Raises:
        UsageError: --adapter without --backend local, or without --model.
    """
    if model["adapter"] is None:
        return
    if model["backend"] != "local":
        raise UsageError(
            "--adapter needs --backend local: a server loads adapters itself, and --model is then the name "
            "that it gives the adapter"
        )
    if model["model"] is None:
        raise UsageError("--adapter needs --model, the base that the adapter was trained on")


class _RetryNotes:
    """Prints retries on standard error, at most one line every `SECONDS_BETWEEN` seconds.

    With many requests at once a server that is down causes many retries a second.
    """

    def __init__(self) -> None:
        self._next = 0.0

    def notify(self, sentence: str) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + SECONDS_BETWEEN
            click.echo(sentence, err=True)


def _make_cache_folder(model: Mapping[str, Any]) -> None:
    """Make the folder of --cache; the run's own folder is made with the run."""
    folder = model["cache"]
    if folder and model["no_cache"]:
        raise UsageError("--cache and --no-cache cannot be used together")
    if folder:
        make_folder(folder, "the folder for answers")
