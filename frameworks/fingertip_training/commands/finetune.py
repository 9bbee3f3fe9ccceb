"""`fingertip finetune`: fine-tunes a chat model on the training episodes of a dataset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.execution.execution_model import choose_execution_agent
from fingertip_cli.options import model_options, shared_options, training_options
from fingertip_cli.options.agent_options import prompt_file_options
from fingertip_cli.options.given_options import list_given_options
from fingertip_cli.printing.json_output import print_json
from fingertip_cli.printing.progress import progress
from fingertip_dataset.shell_line import write_call
from fingertip_dataset.track import Track
from fingertip_training.commands.export import choose_workers
from simulated_phone import phone_options

if TYPE_CHECKING:
    from fingertip_training import ExportOrder
    from fingertip_training.finetune.finetune_settings import ChosenSettings
    from fingertip_training.finetune.finetuning import FinetuneResult

PROMPT_OPTIONS: Mapping[Track, tuple[str, ...]] = {
    "suggestion": ("--screenshots", "--history", "--history-from", "--language", "--max-pixels"),
    "execution": ("--reference", "--screen-description", "--start", "--language", "--max-pixels"),
}
"""Track -> options of prompts that training has in common with the command that runs an agent."""


@click.command(
    epilog="""\
    fingertip finetune ./fingertip-20k --track suggestion --base MODEL --episodes 1000 --out adapter
    fingertip finetune ./fingertip-20k --track joint --base MODEL --setting epochs=2 --out adapter
    fingertip finetune ./fingertip-20k --track suggestion --base MODEL --prompt-file own.txt --out adapter
    fingertip finetune ./fingertip-20k --track moments --pairs runs/month --base MODEL --out adapter
    """
)
@click.argument("dataset", type=click.Path(path_type=Path))
@training_options.track
@shared_options.base_model(required=True)
@click.option(
    "--rank", metavar="N|full", help="LoRA rank, or full for all weights of the language part.  [default: 4]"
)
@shared_options.training_episodes
@training_options.pairs
@training_options.missed
@shared_options.only_users
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder of the adapter.")
@shared_options.training_settings
@shared_options.training_lines
@click.option(
    "--checkpoints",
    type=click.IntRange(1),
    metavar="N",
    help="Evenly spaced checkpoints, of which the best by score on validation tasks is kept.  [default: 3]",
)
@shared_options.exclude
@shared_options.format_agent
@shared_options.screenshots
@shared_options.history()
@shared_options.history_from(old="--protocol")
@shared_options.more
@shared_options.training_without
@phone_options.start
@shared_options.reference
@shared_options.screen_description
@prompt_file_options
@model_options.language
@model_options.max_pixels
@shared_options.training_seed
@model_options.trust_remote_code
@shared_options.as_json()
def command(dataset: Path, base: str, out: Path, as_json: bool, **options: Any) -> None:  # noqa: ANN401
    """Fine-tune a model on training episodes: an adapter by LoRA, or all weights of its language part.

    Samples are those of `fingertip export --format trl`, with the same options: --prompt-file replaces our
    prompt, and --start has to name where the dataset's episodes begin. The vision part of a model is never
    changed.
    With --pairs the model learns which of two answers to a moment is better (DPO); the base has to write such
    answers already, as one does that was trained with --track moments.
    Checkpoints are chosen by the score of their answers on validation tasks. The same call again goes on from
    the last checkpoint. On several GPUs: torchrun --nproc-per-node N -m fingertip_cli finetune ...
    """
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_models.checkpoint import SAMPLES, WORK
    from fingertip_training.finetune.base_model import check_base
    from fingertip_training.finetune.finetuning import FinetuneOrder, finetune
    from fingertip_training.finetune.processes import Processes
    from fingertip_training.sample_export import reuse_export

    settings = _settings(options)
    if options["agent"] is not None:
        options["agent"] = choose_execution_agent(options["agent"], {**options, "model": base})
    wanted = _order(options, settings.values.seed)
    if "execution" in wanted.tracks:
        BuiltDataset.open(dataset).require_start(options["start"])
    trusted = options["trust_remote_code"]
    check_base(base, with_pictures=wanted.with_pictures, trust_remote_code=trusted)
    processes = Processes.current()
    samples = out / WORK / SAMPLES
    with progress() as report:
        if processes.is_first:
            reuse_export(
                dataset,
                samples,
                wanted,
                workers=choose_workers(wanted),
                on_progress=lambda *done: report(*done),
            )
        processes.wait()
        order = FinetuneOrder(base=base, settings=settings, trust_remote_code=trusted)
        result = finetune(
            dataset, samples, out, order, on_progress=lambda stage, done, total: report(stage, done, total)
        )
    if result is None or not processes.is_first:
        return
    if as_json:
        print_json({**result.training, "finished_before": result.finished_before})
    else:
        _print_result(result)
        for call in list_next_calls(result, dataset, wanted, _list_given()):
            click.echo(f"next: {call}")


def _settings(options: Mapping[str, Any]) -> ChosenSettings:
    from fingertip_training.finetune.finetune_settings import read_rank, read_settings

    given = {name: options[name] for name in ("seed", "checkpoints") if options[name] is not None}
    if options["rank"] is not None:
        given["rank"] = read_rank(options["rank"])
    return read_settings(options["settings"], options["lines"], given, pairs=bool(options["pairs"]))


def _order(options: Mapping[str, Any], seed: int) -> ExportOrder:
    from fingertip_training import ExportOrder

    names = (
        "track", "agent", "episodes", "users", "max_pixels", "language", "screenshots", "history",
        "more", "without", "reference", "screen_description", "prompt_file", "system_prompt_file", "missed",
    )  # fmt: skip
    own = {name: options[name] for name in names} | {"protocol": options["history_from"]}
    own["pairs"] = options["pairs"] or None
    return ExportOrder(format="trl", exclude_unseen=options["exclude"] is not None, seed=seed, **own)


def _print_result(result: FinetuneResult) -> None:
    training = result.training
    if result.finished_before:
        click.echo(f"{result.folder}: finished before: nothing to do")
    samples = training["samples"]
    losses = training["losses"]
    of_moments = "moments" if training.get("moments") else "episodes"
    rows = "pairs" if training.get("pairs") else "samples"
    click.echo(
        f"{result.folder}: {samples['rows']:,} {rows} of {samples['episodes']:,} {of_moments} of "
        f"{samples['users']:,} users, {training['steps']:,} steps, "
        f"{training['trained_parameters']:,} of {training['parameters']:,} weights trained"
    )
    if losses:
        click.echo(f"  training loss  {losses[0][1]:.3f} to {losses[-1][1]:.3f}")
    for checkpoint in training["checkpoints"]:
        scores = ", ".join(f"{track} {score:.3f}" for track, score in checkpoint["scores"].items())
        click.echo(f"  step {checkpoint['step']:<9} {scores or 'not scored'}")
    click.echo(f"  kept           step {training['chosen']['step']}, {training['chosen']['by']}")
    for kind in samples["dropped"]:
        click.echo(f"  left out       {kind['count']:,} x {kind['kind']}")


def list_next_calls(
    result: FinetuneResult, dataset: Path, order: ExportOrder, prompt: Mapping[str, str]
) -> Iterator[str]:
    """Write the call of each trained track that runs the model, into a folder next to the model's.

    Args:
        result: The training.
        dataset: The dataset.
        order: Order of the samples.
        prompt: Options of the prompts that were given for the training -> their values.
    """
    from execution_runner.environments.replay import ReplayEnvironment
    from execution_runner.environments.simulated import SimulatedEnvironment
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_dataset.split_names import TEST_MOMENTS
    from fingertip_training.export_order import DEFAULT_AGENT

    base = result.training["base"]["name"]
    lora = result.training["method"] == "lora"
    weights = ("--model", base, "--adapter", result.folder) if lora else ("--model", result.folder)
    runs = result.folder.with_name(f"{result.folder.name}-runs")
    simulated = bool(BuiltDataset.open(dataset).simulations())
    device = SimulatedEnvironment.kind if simulated else ReplayEnvironment.kind
    calls: Mapping[Track, tuple[str, ...]] = {
        "suggestion": ("suggest", "--agent", "model"),
        "execution": ("execute", "--agent", order.agent or DEFAULT_AGENT, "--device", device),
    }
    for track in order.tracks:
        name, *agent = calls[track]
        if order.of_moments:
            agent += ["--split", TEST_MOMENTS, *_list_shown(result.training)]
        same = (
            word for option in PROMPT_OPTIONS[track] if option in prompt for word in (option, prompt[option])
        )
        model = ("--backend", "local", *weights, *same)
        yield write_call(
            name, dataset, *agent, *model, "--out", runs / (order.track if order.of_moments else track)
        )


def _list_shown(training: Mapping[str, Any]) -> Iterator[str]:
    """Options by which a run shows moments as the month runs of a training's pairs did."""
    pairs = training.get("pairs") or {}
    if pairs.get("screenshots"):
        yield from ("--screenshots", str(pairs["screenshots"]))
    if memory := pairs.get("memory"):
        yield from ("--memory", memory["name"])
        if memory["budget"] is not None:
            yield from ("--memory-budget", str(memory["budget"]))


def _list_given() -> dict[str, str]:
    """The given options of the call with their values, and the language that follows from chosen people."""
    values = click.get_current_context().params
    given = {spelled: str(values[name]) for name, spelled in list_given_options().items()}
    return {"--language": values["language"], **given} if values["users"] else given
