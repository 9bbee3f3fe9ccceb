"""The second model of `--history relevant`: it picks and sums up the earlier intents (A.6.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    from fingertip_models.model import Model
    from fingertip_models.options import ModelOptions
    from fingertip_models.prices import Prices

HISTORY_ANSWERS = "history_answers.jsonl"
"""What the history model was asked and answered, in the folder of the command or that of --cache."""

KEY = "OPENAI_API_KEY"


def history_model_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options of a history model, beside `model_options` and `asking_options`.

    The command gets them by their names; `opened_history_model` and `read_history_prices` read them.
    """
    options = (
        click.option(
            "--history-model", metavar="NAME",
            help="With --history relevant: another model that picks and sums up the earlier intents, "
            "as DeepSeek-V3 does in the paper.  [default: the model itself]",
        ),
        click.option("--history-model-base-url", metavar="URL", help="Of its server.  [default: --base-url]"),
        click.option(
            "--history-model-key-env", metavar="VARIABLE",
            help=f"Environment variable that holds its key.  [default: {KEY}]",
        ),
        click.option("--history-price-prompt", type=click.FloatRange(0), help="A million tokens read."),
        click.option(
            "--history-price-completion", type=click.FloatRange(0), help="A million tokens written."
        ),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def read_history_options(model: Mapping[str, Any]) -> ModelOptions | None:
    """The history model that the options name; None where they name none.

    Language, temperature, seed, output limit and timeout are those of the model.

    Raises:
        UsageError: An option of it without --history-model, or one that makes no sense.
    """
    from fingertip_models.options import ModelOptions

    if model["history_model"] is None:
        _check_alone(model)
        return None
    return ModelOptions(
        base_url=model["history_model_base_url"] or model["base_url"],
        model=model["history_model"],
        language=model["language"],
        temperature=model["temperature"],
        seed=model["seed"],
        max_tokens=model["max_tokens"],
        timeout_s=model["timeout"],
        api_key_env=model["history_model_key_env"] or KEY,
    )


def read_history_prices(model: Mapping[str, Any]) -> Prices | None:
    """The prices of the history model's tokens; None where the options name none.

    Raises:
        UsageError: One of the two alone.
    """
    from fingertip_models.prices import Prices

    prompt, completion = model["history_price_prompt"], model["history_price_completion"]
    if prompt is None and completion is None:
        return None
    if prompt is None or completion is None:
        raise UsageError("expected --history-price-prompt and --history-price-completion, got one of them")
    return Prices(prompt=prompt, completion=completion, currency=model["currency"])


@contextmanager
def opened_history_model(model: Mapping[str, Any], out: Path) -> Iterator[Model | None]:
    """The history model of the options, behind its own cache, closed at the end; None without one.

    Args:
        model: The values of `model_options`, `asking_options` and `history_model_options`.
        out: Where its answers are kept without --cache; the folder may be made later.

    Raises:
        UsageError: The options do not fit together.
        MissingExtraError: The extra `models` is not installed.
    """
    from fingertip_models.model import open_model
    from fingertip_models.responses import Cached

    options = read_history_options(model)
    if options is None:
        yield None
        return
    found = open_model(options, requests_per_minute=model["requests_per_minute"])
    if not model["no_cache"]:
        found = Cached(found, (model["cache"] or out) / HISTORY_ANSWERS)
    try:
        yield found
    finally:
        found.close()


def check_history_model(model: Mapping[str, Any], history: str) -> None:
    """Refuses options of a history model that nothing would use.

    Raises:
        UsageError: They are given without `--history relevant`, or beside batch files.
    """
    if model["history_model"] is None:
        _check_alone(model)
    elif history != "relevant":
        raise UsageError(f"--history-model needs --history relevant; got --history {history}")
    elif model["backend"] == "batch":
        raise UsageError("--history-model cannot be asked in batch files: leave out --backend batch")


def _check_alone(model: Mapping[str, Any]) -> None:
    names = ("model_base_url", "model_key_env", "price_prompt", "price_completion")
    for name in names:
        if model[f"history_{name}"] is not None:
            raise UsageError(f"--history-{name.replace('_', '-')} needs --history-model")
