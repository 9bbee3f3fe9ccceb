"""A note when a fine-tuned local model is sent another prompt than the one that it has learned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from fingertip_agents.execution_agent import ExecutionAgent
    from fingertip_agents.suggestion.suggestion_agent import SuggestionAgent
    from fingertip_dataset.track import Track


def note_learned_prompt(
    model: Mapping[str, Any],
    agent: SuggestionAgent | ExecutionAgent,
    track: Track,
    more: Sequence[str] | None = None,
) -> None:
    """Print a line on standard error if the run's prompt differs from the learned one; it goes on.

    Args:
        model: The values of `model_options` and `local_options`, and the backend.
        agent: The agent of the run.
        track: Its track.
        more: Track 2: parts beyond equation (2) that the run shows; None for track 1.

    Raises:
        UsageError: The training.json beside the weights cannot be read.
    """
    from fingertip_dataset.release.problems import printable
    from fingertip_models.checkpoint import read_training

    if model["backend"] != "local" or model["model"] is None:
        return
    folder = model["adapter"] or Path(model["model"])
    differences = "; ".join(_differences(read_training(folder), agent, track, more))
    if differences:
        click.echo(
            f"note: {printable(str(folder), 200)} has not learned the prompt that it is sent: "
            f"{printable(differences, 400)}",
            err=True,
        )


def _differences(
    training: Mapping[str, Any],
    agent: SuggestionAgent | ExecutionAgent,
    track: Track,
    more: Sequence[str] | None,
) -> Iterator[str]:
    """Yield what differs: the prompt with its version, its parts, a text in place of ours, the language."""
    prompts, samples, settings = training.get("prompts"), training.get("samples"), agent.settings
    if not isinstance(prompts, dict) or not isinstance(samples, dict):
        return  # of another program, which does not say
    sent = f"{agent.name} {settings.get('prompt')}"
    if track not in prompts:
        learned = ", ".join(f"{prompt} ({known})" for known, prompt in prompts.items())
        yield f"learned {learned}, sent {sent} ({track})"
    elif prompts[track] != sent:
        yield f"learned {prompts[track]}, sent {sent}"
    options, texts = samples.get("options"), training.get("prompt_texts")
    own = isinstance(options, dict) and (options.get("prompt_file") or options.get("system_prompt_file"))
    if isinstance(texts, dict) or not own:
        learned_text = texts.get(track) if isinstance(texts, dict) else None
        if learned_text != (sent_text := settings.get("prompt_text")):
            yield f"learned {learned_text or 'our text'}, sent {sent_text or 'our text'}"
    if more is not None and isinstance(options, dict) and list(options.get("more", more)) != list(more):
        shown = (", ".join(parts) or "the terms of equation (2) alone" for parts in (options["more"], more))
        yield "learned with {}, sent with {}".format(*shown)
    if samples.get("language") != settings.get("language"):
        yield f"learned {samples.get('language')}, sent {settings.get('language')}"
