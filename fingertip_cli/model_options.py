"""What a command line says of a model: the options that commands share, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    from fingertip_models.options import ModelOptions
    from fingertip_models.prices import Prices


def model_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options; the command gets them all by their names, for `read_options` and `read_prices`."""
    options = (
        click.option("--base-url", help="Of an OpenAI-compatible server, usually ending in /v1."),
        click.option("--model", help="Its name there; the key comes from the environment: OPENAI_API_KEY."),
        click.option(
            "--language", type=click.Choice(["zh", "en"]), default="zh", show_default=True, help="Of prompts."
        ),
        click.option("--temperature", type=click.FloatRange(0, 2), default=0.0, show_default=True),
        click.option("--seed", type=int, help="Sent to servers that take one; of the draw of figure-5."),
        click.option(
            "--max-tokens", type=click.IntRange(1), default=8192, show_default=True,
            help="Longest answer, reasoning included.",
        ),
        click.option(
            "--stream", is_flag=True, help="Take answers as a stream, for models that give no others."
        ),
        click.option(
            "--no-system", is_flag=True, help="Put the system message into the user's, for models without."
        ),
        click.option("--max-pixels", type=click.IntRange(1), help="Largest screenshot to send."),
        click.option(
            "--timeout", type=click.FloatRange(0, min_open=True), default=120.0, show_default=True,
            help="Seconds for one answer.",
        ),
        click.option("--price-prompt", type=click.FloatRange(0), help="Of a million tokens read."),
        click.option("--price-completion", type=click.FloatRange(0), help="Of a million tokens written."),
        click.option("--currency", default="USD", show_default=True, help="Of the prices."),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def read_options(model: Mapping[str, Any]) -> ModelOptions | None:
    """The model that the options name; None where they name none.

    Raises:
        UsageError: A base URL without a model, or one of the options makes no sense.
    """
    from fingertip_models.options import ModelOptions

    if model["model"] is None:
        if model["base_url"] is not None:
            raise UsageError(f"expected --model beside --base-url {model['base_url']}, got none")
        return None
    return ModelOptions(
        base_url=model["base_url"],
        model=model["model"],
        language=model["language"],
        temperature=model["temperature"],
        seed=model["seed"],
        max_tokens=model["max_tokens"],
        timeout_s=model["timeout"],
        max_pixels=model["max_pixels"],
        stream=model["stream"],
        system_role="merge" if model["no_system"] else "keep",
    )


def read_prices(model: Mapping[str, Any]) -> Prices | None:
    """The prices that the options name; None where they name none.

    Raises:
        UsageError: One of the two alone.
    """
    from fingertip_models.prices import Prices

    prompt, completion = model["price_prompt"], model["price_completion"]
    if prompt is None and completion is None:
        return None
    if prompt is None or completion is None:
        raise UsageError("expected --price-prompt and --price-completion, got one of them")
    return Prices(prompt=prompt, completion=completion, currency=model["currency"])
