"""`fingertip infer-intents`: intents inferred from what people did, as a history for `fingertip suggest`."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.options import scoring_options, shared_options
from fingertip_cli.options.given_options import refuse_model_options
from fingertip_cli.options.model_options import (
    batch_options,
    model_options,
    open_chosen_model,
    query_options,
    read_options,
    read_prices,
)
from fingertip_cli.printing.json_output import print_json
from fingertip_cli.printing.next_call import repeat_call
from fingertip_cli.printing.progress import progress
from fingertip_dataset.errors import UsageError
from fingertip_dataset.split_names import TEST_SUGGESTION

if TYPE_CHECKING:
    from fingertip_dataset.tasks.history import HistoryProtocol
    from fingertip_models.prices import Prices
    from suggestion_runner.inferred.inference_run import Inferred
    from suggestion_runner.inferred.intent_agreement import IntentAgreement


@click.command(
    epilog="""\
    fingertip infer-intents ./fingertip-20k --out inferred.jsonl
    fingertip infer-intents ./fingertip-20k --model gpt-4.1 --out by-model.jsonl --json
    """
)
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="File of the intents, JSON Lines; the same call resumes it.",
)
@shared_options.split(TEST_SUGGESTION)
@shared_options.history()
@shared_options.history_from(old="--protocol")
@scoring_options.embedder("lexical")
@scoring_options.judge
@model_options
@batch_options
@query_options
@shared_options.as_json()
def command(
    dataset: Path,
    out: Path,
    split: str,
    history: str,
    history_from: HistoryProtocol | None,
    embedder: scoring_options.EmbedderOptions,
    judging: scoring_options.JudgeOptions,
    as_json: bool,
    **model: Any,  # noqa: ANN401 - as the options of a model have them
) -> None:
    """Infer an intent from the actions and screens of each earlier episode, without what its user declared.

    Without --model a rule makes it, offline: the app, the last typed text and the last labels touched. With
    --model a model gets the app, the actions with the touched labels, and the first and last screenshot; an
    answer that is not what was asked for gives no intent, and is counted.

    Inferred are the intents that tasks of --split show as earlier ones; with --split all those of every
    episode. `fingertip suggest --history-intents inferred --inferred FILE` shows them in place of the
    declared ones. At the end their agreement with the declared intents is printed, by --embedder and --judge.
    """
    from suggestion_runner.inferred.inference_run import earlier_episodes

    if history == "none":
        raise UsageError("--history none shows no earlier intent: there is nothing to infer")
    prices = read_prices(model)
    if model["model"] is None:
        refuse_model_options("rule", model_options, batch_options, query_options, used=("concurrency",))
    if model["results"] and model["backend"] != "batch":
        raise UsageError(f"--batch-results needs --backend batch, got {model['backend']}")
    episodes = earlier_episodes(_open_dataset(dataset), split, history=history, protocol=history_from)
    if not episodes:
        raise UsageError(f"no task of split {split} has an earlier episode", file=dataset)
    # before any query: an embedder that is not installed or known must not cost a model's answers
    embedder.open(None)
    inferred = _infer(dataset, out, episodes, model)
    agreement = None
    if inferred.outcomes["answered"]:
        agreement = _agreement(dataset, out, embedder, judging)
    if as_json:
        _print_json(inferred, agreement, prices)
    else:
        _print_inferred(inferred, prices)
        for line in agreement.lines() if agreement else ():
            click.echo(line)


def _open_dataset(dataset: Path) -> Any:  # noqa: ANN401 - a BuiltDataset, imported here
    from fingertip_dataset.parquet.built import BuiltDataset

    return BuiltDataset.open(dataset)


def _infer(dataset: Path, out: Path, episodes: tuple[str, ...], model: Mapping[str, Any]) -> Inferred:
    from suggestion_runner.inferred.inference_run import infer_by_model, infer_by_rule
    from suggestion_runner.inferred.inferred_file import ANSWERS

    folder = out.with_name(out.name + ANSWERS)
    with progress() as report:

        def on_progress(done: int, total: int) -> None:
            report("intents inferred", done, total)

        if model["model"] is None:
            return infer_by_rule(dataset, out, episodes, on_progress=on_progress)
        if model["backend"] == "batch":
            return _infer_by_batch(dataset, out, episodes, model, folder)
        with _answer_folder(folder), open_chosen_model(model, folder, pictures=True) as opened:
            if opened is None:
                raise UsageError("--model is missing: give the name of the model on its server")
            return infer_by_model(
                dataset,
                out,
                episodes,
                opened,
                concurrency=model["concurrency"],
                on_progress=on_progress,
                on_stop=lambda left: click.echo(
                    f"stopping: waiting for {left} answers in progress, Ctrl-C abandons them", err=True
                ),
            )


def _answer_folder(folder: Path) -> AbstractContextManager[None]:
    """Make the folder of answers for a block of work; it is removed at its end if nothing was kept."""
    from fingertip_cli.options.output_folder import keep_if_used

    return keep_if_used(folder)


def _infer_by_batch(
    dataset: Path, out: Path, episodes: tuple[str, ...], model: Mapping[str, Any], folder: Path
) -> Inferred:
    from fingertip_models.batch_files import BatchModel
    from suggestion_runner.inferred.inference_run import infer_by_batch

    options = read_options(model)
    if options is None:
        raise UsageError("--backend batch needs --model NAME")
    for name in ("cache", "no_cache", "requests_per_minute"):
        if model[name]:
            raise UsageError(f"--{name.replace('_', '-')} has no effect with --backend batch: leave it out")
    opened = BatchModel(options, folder)
    try:
        return infer_by_batch(dataset, out, episodes, opened, results=model["results"])
    finally:
        opened.close()


def _agreement(
    dataset: Path, out: Path, embedder: scoring_options.EmbedderOptions, judging: scoring_options.JudgeOptions
) -> IntentAgreement:
    from suggestion_runner.inferred.inferred_file import ANSWERS
    from suggestion_runner.inferred.intent_agreement import intent_agreement

    folder = out.with_name(out.name + ANSWERS)
    with (
        _answer_folder(folder),
        progress() as report,
        judging.open(
            folder, dataset=dataset, on_progress=lambda done, total: report("judged", done, total)
        ) as judge,
    ):
        return intent_agreement(dataset, out, embedder=embedder.open(folder), judge=judge)


def _print_inferred(inferred: Inferred, prices: Prices | None) -> None:
    before = f", {inferred.before:,} before" if inferred.before else ""
    with_intent = inferred.outcomes["answered"]
    click.echo(f"{inferred.file}: {with_intent:,} of {inferred.episodes:,} episodes have an intent{before}")
    for name, count in sorted(inferred.outcomes.items()):
        if name != "answered":
            again = ": the same call queries them again" if name == "failed" else ": no intent"
            click.echo(f"  {count:,} {name}{again}")
    cost = inferred.usage.cost(prices)
    if prices is not None and cost is not None:
        click.echo(f"  cost {cost:.4f} {prices.currency}")
    for result in inferred.results:
        click.echo(f"  {result.answers:,} answers read, {len(result.problems):,} others")
        for problem in result.problems:
            click.echo(f"    {problem}")
    if inferred.waiting:
        click.echo(f"  {len(inferred.waiting):,} wait for the batch API:")
        for request in inferred.requests:
            click.echo(f"    {request}")
        click.echo("Upload these files to the provider's batch API for /v1/chat/completions. Then read each")
        click.echo(f"file that it returns: {repeat_call('--batch-results', 'FILE')}")


def _print_json(inferred: Inferred, agreement: IntentAgreement | None, prices: Prices | None) -> None:
    from dataclasses import asdict

    judged = None
    if agreement is not None and agreement.sr1 is not None and agreement.sr1_result is not None:
        judged = {**asdict(agreement.sr1), "judge": agreement.sr1_result.judge}
    found = None if agreement is None else {
        "n": agreement.n,
        "sim1": asdict(agreement.sim1),
        "embedder": agreement.sim1_result.embedder,
        "sr1": judged,
        "method": agreement.inferred.source.method,
    }  # fmt: skip
    content = {
        "file": str(inferred.file),
        "episodes": inferred.episodes,
        "before": inferred.before,
        "outcomes": dict(inferred.outcomes),
        "waiting": list(inferred.waiting),
        "requests": [str(file) for file in inferred.requests],
        "usage": asdict(inferred.usage),
        "cost": inferred.usage.cost(prices),
        "agreement": found,
    }
    print_json(content)
