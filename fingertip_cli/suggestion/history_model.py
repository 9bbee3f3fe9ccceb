"""The history model of `--history relevant`, which picks and sums up earlier intents (A.6.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.options.model_options import (
    PRICED,
    add_options,
    price_options,
    read_prices,
    read_temperature,
    split_urls,
)
from fingertip_dataset.errors import UsageError
from fingertip_runs.answer_caches import HISTORY_ANSWERS

if TYPE_CHECKING:
    from fingertip_models.model import Model
    from fingertip_models.options import ModelOptions
    from fingertip_models.prices import Prices

HISTORY = "history-"
"""Prefix of the names of the history model's price options."""

DEFAULT_KEY = "OPENAI_API_KEY"
"""Environment variable of the key without --history-model-key-env."""


def history_model_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a history model, next to `model_options` and `query_options`.

    `open_history_model` and `read_history_prices` read them by their names.
    """
    options = (
        click.option(
            "--history-model", metavar="NAME",
            help="With --history relevant: another model that picks and sums up the earlier intents, "
            "as DeepSeek-V3 does in the paper.  [default: the model itself]",
        ),
        click.option(
            "--history-model-base-url", metavar="URL",
            help="URL of the history model's server.  [default: --base-url]",
        ),
        click.option(
            "--history-model-key-env", metavar="VARIABLE",
            help=f"Environment variable with the history model's key.  [default: {DEFAULT_KEY}]",
        ),
        *price_options(HISTORY, " of the history model"),
    )  # fmt: skip
    return add_options(command, options)


def read_history_options(model: Mapping[str, Any]) -> ModelOptions | None:
    """Read the history model that the options name; None without --history-model.

    Language, temperature, seed, output limit and timeout are those of the main model.

    Raises:
        UsageError: Options of the history model are given without --history-model, or a value is invalid.
    """
    from fingertip_models.options import ModelOptions

    if model["history_model"] is None:
        _check_alone(model)
        return None
    own = model["history_model_base_url"]
    first, further = split_urls((own,) if own else model["base_urls"])
    return ModelOptions(
        base_url=first,
        further_urls=further,
        model=model["history_model"],
        language=model["language"],
        temperature=read_temperature(model),
        seed=model["seed"],
        max_tokens=model["max_tokens"],
        timeout_s=model["timeout"],
        api_key_env=model["history_model_key_env"] or DEFAULT_KEY,
    )


def read_history_prices(model: Mapping[str, Any]) -> Prices | None:
    """Read the prices of the history model's tokens; None without prices.

    Raises:
        UsageError: Only one of the two prices is given.
    """
    return read_prices(model, HISTORY)


@contextmanager
def open_history_model(model: Mapping[str, Any], out: Path) -> Iterator[Model | None]:
    """Open the history model behind its own answer cache, and close it; None without --history-model.

    Args:
        model: The values of `model_options`, `query_options` and `history_model_options`.
        out: Folder of the answer cache without --cache; it may be made later.

    Raises:
        UsageError: The options conflict.
        MissingExtraError: The extra `models` is not installed.
    """
    from fingertip_models.model import open_model
    from fingertip_models.responses import Cached

    options = read_history_options(model)
    if options is None:
        yield None
        return
    opened = open_model(
        options,
        requests_per_minute=model["requests_per_minute"],
        preflight=not model["no_preflight"],
    )
    if not model["no_cache"]:
        opened = Cached(opened, (model["cache"] or out) / HISTORY_ANSWERS)
    try:
        yield opened
    finally:
        opened.close()


def check_history_model(model: Mapping[str, Any], history: str) -> None:
    """Refuse options of a history model that nothing would use.

    Raises:
        UsageError: They are given without `--history relevant`, or with `--backend batch`.
    """
    if model["history_model"] is None:
        _check_alone(model)
    elif history != "relevant":
        raise UsageError(f"--history-model needs --history relevant; got --history {history}")
    elif model["backend"] == "batch":
        raise UsageError("--history-model does not work in batch files: leave out --backend batch")


def _check_alone(model: Mapping[str, Any]) -> None:
    for name in ("model-base-url", "model-key-env", *(f"price-{kind}" for kind in PRICED)):
        option = f"{HISTORY}{name}"
        if model[option.replace("-", "_")] is not None:
            raise UsageError(f"--{option} needs --history-model")
