"""Model card and loss picture of a fine-tuned model."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fingertip_dataset.markdown_table import markdown_table
from fingertip_dataset.release.provenance import RECORDED
from fingertip_dataset.split_names import TEST_MOMENTS

LOSS_PICTURE = "loss.png"
"""Name of the picture of the training loss."""


def draw_losses(losses: Sequence[tuple[int, float]], file: Path) -> bool:
    """Draw the training loss over the steps; False if matplotlib is not installed."""
    # as for the figures of a dataset: without a home that can be written it caches elsewhere
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(6, 3.5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.plot([step for step, _ in losses], [loss for _, loss in losses], color="#2b6cb0")
    axes.set_xlabel("optimizer step")
    axes.set_ylabel("training loss, nats a token")
    axes.grid(visible=True, alpha=0.3)
    figure.savefig(file, dpi=120, format="png")
    return True


def model_card(training: Mapping[str, Any], *, with_picture: bool, base_on_hub: bool) -> str:
    """Return the text of README.md, with the Hub's metadata.

    Args:
        training: Content of training.json.
        with_picture: Whether the loss was drawn.
        base_on_hub: Whether the base is a name on the Hub, which the metadata may state.
    """
    return f"{_metadata(training, base_on_hub)}\n{_text(training, with_picture)}"


def _metadata(training: Mapping[str, Any], base_on_hub: bool) -> str:
    from huggingface_hub import ModelCardData

    adapter = training["method"] == "lora"
    tags = ["fingertip-20k", "trl", "dpo" if training.get("pairs") else "sft", *(["lora"] if adapter else [])]
    if training["dataset"]["provenance"] != RECORDED:
        tags.append(training["dataset"]["provenance"])
    vision = training["base"]["vision"]
    data = ModelCardData(
        base_model=training["base"]["name"] if base_on_hub else None,
        library_name="peft" if adapter else "transformers",
        pipeline_tag="image-text-to-text" if vision else "text-generation",
        language="zh" if training["samples"]["language"] == "zh" else "en",
        tags=tags,
    )
    return f"---\n{data.to_yaml()}\n---\n"


def _text(training: Mapping[str, Any], with_picture: bool) -> str:
    base, data, samples = training["base"], training["dataset"], training["samples"]
    method = "A LoRA adapter" if training["method"] == "lora" else "All weights of the language part"
    lines = [
        f"# {base['name']} fine-tuned on {', '.join(training['trained_on'])}",
        "",
        f"{method} of `{base['name']}`, trained on episodes of FingerTip 20K "
        f"({data['provenance']}). The vision part is unchanged.",
        "",
        *_use(training),
        "## Data",
        "",
        f"- {samples['rows']:,} {_name_rows(training)} of {samples['users']:,} users; "
        f"track: {', '.join(training['trained_on'])}",
        *_describe_pairs(training),
        f"- dataset sha256: `{data['data_sha256']}`",
        f"- rows sha256: `{samples['sha256']}`",
        *(f"- prompt of {track}: `{version}`" for track, version in training["prompts"].items()),
        *(f"- its text for {track}: `{label}`" for track, label in training["prompt_texts"].items()),
        *(f"- left out: {part['count']:,} x {part['kind']}" for part in samples["dropped"]),
        "",
        "## Training",
        "",
        f"{training['steps']:,} steps, {training['trained_parameters']:,} of {training['parameters']:,} "
        f"weights, seed {training['settings']['seed']['value']}, {training['processes']} process(es).",
        "",
        *([f"![Training loss]({LOSS_PICTURE})", ""] if with_picture else _loss_line(training["losses"])),
        *_checkpoints(training),
        "| setting | value | origin |",
        "|---|---|---|",
        *(f"| {name} | {part['value']} | {part['origin']} |" for name, part in training["settings"].items()),
        "",
        "Versions: " + ", ".join(f"{name} {version}" for name, version in training["versions"].items()) + ".",
        "",
    ]
    return "\n".join(lines)


def _name_rows(training: Mapping[str, Any]) -> str:
    number = f"{training['samples']['episodes']:,}"
    if training.get("pairs"):
        return f"preference pairs of {number} training moments"
    return f"samples of {number} training {'moments' if training.get('moments') else 'episodes'}"


def _describe_pairs(training: Mapping[str, Any]) -> list[str]:
    """Lines on what the pairs are made of."""
    if not (pairs := training.get("pairs")):
        return []
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in pairs["kinds"].items())
    runs = [
        f"- suggestions of the agent {run['agent']['name']} in people's months, predictions sha256 "
        f"`{run['predictions_sha256']}`"
        for run in pairs["runs"]
    ]
    return [f"- pairs: {kinds}", *runs]


def _use(training: Mapping[str, Any]) -> list[str]:
    model = training["base"]["name"] if training["method"] == "lora" else "THIS_FOLDER"
    adapter = " --adapter THIS_FOLDER" if training["method"] == "lora" else ""
    split = f" --split {TEST_MOMENTS}" if training.get("moments") else ""
    return [
        "```sh",
        f"fingertip suggest DATASET{split} --agent model --backend local --model {model}{adapter} --out RUN",
        "```",
        "",
    ]


def _loss_line(losses: Sequence[Sequence[float]]) -> list[str]:
    if not losses:
        return []
    first, last = losses[0], losses[-1]
    return [
        f"Training loss: {first[1]:.3f} at step {first[0]}, {last[1]:.3f} at step {last[0]} "
        "(no picture: matplotlib is not installed).",
        "",
    ]


def _checkpoints(training: Mapping[str, Any]) -> list[str]:
    chosen = training["chosen"]
    lines = [f"Kept: step {chosen['step']}, {chosen['by']}.", ""]
    scored = [part for part in training["checkpoints"] if part["scores"]]
    if scored:
        tracks = list(scored[0]["scores"])
        rows = [
            (str(part["step"]), *(format(part["scores"][track], ".3f") for track in tracks))
            for part in scored
        ]
        lines += [markdown_table(("step", *tracks), rows), ""]
    return lines
