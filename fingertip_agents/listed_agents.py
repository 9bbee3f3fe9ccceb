"""The agents that can be tested, for lists: name, track, summary, needs, and the package of others'."""

from __future__ import annotations

from dataclasses import dataclass

from fingertip_agents.registry import (
    AUTO,
    HUMAN,
    agent_traits,
    find_package,
    list_names,
)
from fingertip_agents.traits import A_MODEL
from fingertip_dataset.track import Track


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedAgent:
    """Agent of a list.

    Attributes:
        name: Name for `--agent`.
        track: Its track.
        summary: One-sentence description; "" if a package's agent declares none.
        needs: What it needs besides the dataset; "" for nothing.
        package: Name and version of the installed package that it comes from; None for ours.
    """

    name: str
    track: Track
    summary: str
    needs: str
    package: str | None


PEOPLE = ListedAgent(
    name=HUMAN, track="suggestion", summary="People answer on a local page.", needs="people", package=None
)
"""The agent of track 1 that is no object: `fingertip suggest` opens a page."""


BY_MODEL = ListedAgent(
    name=AUTO,
    track="execution",
    summary="The format of the model, by the table of `fingertip agents --model NAME`.",
    needs=A_MODEL,
    package=None,
)
"""The name of track 2 that stands for one of the formats."""


def list_agents() -> tuple[ListedAgent, ...]:
    """All agents of both tracks: ours in the order of tables, then those of installed packages.

    >>> [agent.name for agent in list_agents() if agent.track == "suggestion"][:2]
    ['habit', 'recent']
    """
    suggesters, executors = list_names()
    return (
        *(_describe_agent(name, "suggestion") for name in suggesters),
        PEOPLE,
        *(_describe_agent(name, "execution") for name in executors),
        BY_MODEL,
    )


def _describe_agent(name: str, track: Track) -> ListedAgent:
    traits, package = agent_traits(name, track), find_package(name, track)
    return ListedAgent(
        name=name,
        track=track,
        summary=traits.summary,
        needs=traits.needs,
        package=" ".join(package) if package else None,
    )
