"""`fingertip agents`: the agents that can be tested, of both tracks, and the one that a model needs."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from fingertip_cli.options import shared_options
from fingertip_cli.printing.json_output import print_json
from fingertip_dataset.errors import UsageError
from fingertip_dataset.track import TRACK_NUMBER, Track

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fingertip_agents.known_models import KnownModel


@click.command(
    epilog="""\
    fingertip agents
    fingertip agents --track execution
    fingertip agents --model Qwen/Qwen3-VL-8B-Instruct
    """
)
@click.option("--track", type=click.Choice(["suggestion", "execution"]), help="Only agents of this track.")
@click.option(
    "--model",
    metavar="NAME",
    help="Instead of the list: the agent of track 2 that this model needs, with its server line, its picture "
    "and its context.",
)
@shared_options.as_json()
def command(track: Track | None, model: str | None, as_json: bool) -> None:
    """List the agents that `suggest --agent` and `execute --agent` take, and what each needs.

    An installed package adds its own by entry points in the groups fingertip.agents, for track 1, and
    fingertip.execution_agents, for track 2: NAME = "module:Class". A class of the group fingertip.formats
    is a prompt and output format around a model. With --model the table of known models tells which format
    a model needs; `execute --agent auto` takes it.
    """
    if model is not None:
        _print_model(model, track, as_json=as_json)
        return
    from fingertip_agents.listed_agents import list_agents

    agents = [agent for agent in list_agents() if track in (None, agent.track)]
    if as_json:
        print_json({"agents": [asdict(agent) for agent in agents]})
        return
    from fingertip_cli.printing.plain_table import print_plain

    rows = [
        (
            agent.name,
            str(TRACK_NUMBER[agent.track]),
            " ".join(filter(None, (agent.summary, f"[{agent.package}]" if agent.package else ""))),
            agent.needs or "the dataset only",
        )
        for agent in agents
    ]
    print_plain(("agent", "track", "what it does", "needs"), rows)


def _print_model(name: str, track: Track | None, *, as_json: bool) -> None:
    """Print what is known of a model: every row that its name fits.

    Raises:
        UsageError: The name is unknown.
    """
    from fingertip_agents.known_models import describe_unknown, find_models
    from fingertip_dataset.release.problems import printable

    if track == "suggestion":
        raise UsageError("--model is for track 2: on track 1 every model answers to the agent model")
    models = find_models(name)
    if not models:
        raise UsageError(describe_unknown(name))
    if as_json:
        rows = [{**asdict(model), "server": model.write_server(name)} for model in models]
        print_json({"model": name, "models": rows})
        return
    if len(models) > 1:
        click.echo(f"{printable(name, 80)} fits {len(models)} known models")
    for number, model in enumerate(models):
        if number or len(models) > 1:
            click.echo()
        for line in _list_lines(printable(name, 200) if len(models) == 1 else model.examples[0], model):
            click.echo(line)


def _list_lines(name: str, model: KnownModel) -> Iterator[str]:
    yield name
    limit = f"; recommended: --max-pixels {model.max_pixels}" if model.max_pixels else ""
    of_screen = "; sizes of a screen of 1080x2400" if re.match(r"\d+x\d", model.picture) else ""
    parts = {
        "agent": model.format or "none here",
        "coordinates": model.coordinates,
        "server": model.write_server(name),
        "needs": model.needs,
        "picture": f"{model.picture}{of_screen}{limit}",
        "context": f"{model.context:,} tokens" if model.context else "not stated",
        "note": model.note,
        "source": model.source,
    }
    for head, text in parts.items():
        if text:
            yield f"  {head:<12} {text}"
