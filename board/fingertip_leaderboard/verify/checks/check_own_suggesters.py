"""Remark runs of track 1 whose intents are those of one of our agents without a model, under another name.

The agents answer again on the same tasks. An honest agent may agree with one of ours, so that it is no reason
to refuse a bundle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fingertip_agents.registry import agent_traits, baseline_names, get_agent
from fingertip_agents.setup import AgentSetup
from fingertip_agents.suggestion.suggestion_agent import SuggestionAgent
from fingertip_dataset.errors import FingerTipError
from fingertip_dataset.tasks.task import SuggestionTask
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import Refusals
from fingertip_leaderboard.verify.checks.equal_agent import list_seeds_of_run, remark_equal
from fingertip_leaderboard.verify.kept_rules import KeptRules
from fingertip_leaderboard.verify.near_texts import holds_text
from suggestion_runner.suggestion_records import SuggestionRun

ENOUGH = 4
"""Minimum number of tasks for a remark."""


def remark_own_suggester(
    read: ReadBundle, tasks: Mapping[str, SuggestionTask], rules: KeptRules, found: Refusals
) -> None:
    """Add a remark if most intents are those that one of our agents without a model gives.

    Args:
        read: A bundle of track 1 with a line for every task, of another agent than these.
        tasks: Task id -> task as the run showed it.
        rules: Rules of the verifier's dataset.
        found: Gets the remark.
    """
    run = read.bundle.run
    answers = {
        one.record.task_id: one.record.predicted_intent
        for one in read.suggestions
        if one.record.predicted_intent.strip()
    }
    if not isinstance(run, SuggestionRun) or len(read.suggestions) < ENOUGH:
        return
    if run.of_moments:
        _remark_own_speaker(read, run, tasks, rules, found)
        return
    counts: dict[str, int] = {}
    for name, agent in _list_suggesters(run):
        same = sum(_suggests(agent, tasks[task_id], answer) for task_id, answer in answers.items())
        counts[name] = max(same, counts.get(name, 0))
    best = max(counts, key=counts.__getitem__)
    remark_equal(best, counts[best], len(read.suggestions), found)


def _remark_own_speaker(
    read: ReadBundle,
    run: SuggestionRun,
    tasks: Mapping[str, SuggestionTask],
    rules: KeptRules,
    found: Refusals,
) -> None:
    """Add a remark if a run of moments is silent throughout, or most of its offers are those of our agent.

    Of all moments an agent that is seldom wrong to be silent has most in common with any other such agent. So
    only those count at which it or our agent speaks.
    """
    offers = {one.record.task_id: one.record.offer for one in read.suggestions}
    if not any(offers.values()):
        remark_equal("never", len(offers), len(offers), found)
        return
    best, best_of, best_share = "", (0, 0), 0.0
    for name, agent in _list_speakers(run, rules):
        same = spoken = 0
        for task_id, offer in offers.items():
            ours = _suggest(agent, tasks[task_id])
            spoken += bool(ours or offer)
            same += bool(ours and offer) and holds_text(offer, ours)
        if spoken >= ENOUGH and same / spoken > best_share:
            best, best_of, best_share = name, (same, spoken), same / spoken
    if best:
        remark_equal(best, *best_of, found, what="moments at which either speaks")


def _list_speakers(run: SuggestionRun, rules: KeptRules) -> Iterator[tuple[str, SuggestionAgent]]:
    """List our agents that speak at moments; `never` does not."""
    speakers = rules.list_speakers()
    yield from speakers.items()
    for name, agent in _list_suggesters(run):
        if name not in speakers:
            yield name, agent


def _list_suggesters(run: SuggestionRun) -> Iterator[tuple[str, SuggestionAgent]]:
    for name in baseline_names("suggestion"):
        for seed in list_seeds_of_run(run) if agent_traits(name, "suggestion").seeded else (None,):
            yield name, get_agent(name, AgentSetup(seed=seed))


def _suggests(agent: SuggestionAgent, task: SuggestionTask, answer: str) -> bool:
    return holds_text(answer, _suggest(agent, task))


def _suggest(agent: SuggestionAgent, task: SuggestionTask) -> str:
    """The intent that an agent suggests; "" for none."""
    try:
        return agent.suggest(task.input).text
    except FingerTipError:
        return ""
