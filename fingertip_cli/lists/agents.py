"""`fingertip agents`: the agents that can be tested, of both tracks."""

from __future__ import annotations

from dataclasses import asdict

import click

from fingertip_cli.options import shared_options
from fingertip_cli.printing.json_output import print_json
from fingertip_dataset.track import TRACK_NUMBER, Track


@click.command(
    epilog="""\
    fingertip agents
    fingertip agents --track execution
    fingertip suggest DATASET --agent habit --out runs/habit
    """
)
@click.option("--track", type=click.Choice(["suggestion", "execution"]), help="Only agents of this track.")
@shared_options.as_json()
def command(track: Track | None, as_json: bool) -> None:
    """List the agents that `suggest --agent` and `execute --agent` take, and what each needs.

    An installed package adds its own by entry points in the groups fingertip.agents, for track 1, and
    fingertip.execution_agents, for track 2: NAME = "module:Class".
    """
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
