"""How much a history of inferred intents loses against the declared one, on simulated people.

The rule of `fingertip infer-intents` summarises every episode; the baselines of track 1 then predict the
intents of the test from inferred and from declared earlier intents of the same episodes. Differences are task
by task.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fingertip_agents import get_agent
from fingertip_dataset import BuiltDataset, build
from fingertip_metrics import Interval
from fingertip_metrics.embedders import get_embedder
from fingertip_metrics.judges import open_judge
from fingertip_recorder.simulated_life import SampleOrder, write_sample
from suggestion_runner import run_suggestions, score_run
from suggestion_runner.against import differences
from suggestion_runner.inferred.inference_run import earlier_episodes, infer_by_rule
from suggestion_runner.inferred.intent_agreement import IntentAgreement, intent_agreement
from suggestion_runner.scoring import SuggestionRunScores

AGENTS = ("habit", "frequent", "recent", "nearest")
SIZE = (270, 600)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A baseline with both histories.

    Attributes:
        agent: Its name.
        declared: Its scores with declared earlier intents.
        inferred: Its scores with inferred ones.
    """

    agent: str
    declared: SuggestionRunScores
    inferred: SuggestionRunScores


def measure(
    dataset: Path, out: Path, *, agents: Sequence[str] = AGENTS, split: str = "test_suggestion"
) -> tuple[IntentAgreement, tuple[Loss, ...]]:
    """Infers the earlier intents by rule, and runs the baselines with both histories.

    Args:
        dataset: Built dataset of simulated people.
        out: Folder of the file and the runs.
        agents: Names of the baselines.
        split: Split of the tasks.
    """
    file, embedder = out / "inferred.jsonl", get_embedder("lexical")
    infer_by_rule(dataset, file, earlier_episodes(BuiltDataset.open(dataset), split))
    found = []
    with open_judge("simulated", dataset=dataset) as judge:
        agreement = intent_agreement(dataset, file, embedder=embedder, judge=judge)
        for name in agents:
            both = []
            for inferred in (None, file):
                run = out / f"{name}-{'declared' if inferred is None else 'inferred'}"
                run_suggestions(dataset, get_agent(name), run, split=split, inferred=inferred)
                both.append(score_run(run, embedder=embedder, judge=judge))
            found.append(Loss(agent=name, declared=both[0], inferred=both[1]))
    return agreement, tuple(found)


def table(agreement: IntentAgreement, losses: Sequence[Loss]) -> Iterator[str]:
    """The agreement, and a Markdown table of the losses."""
    yield from agreement.lines()
    heads = [f"{score} {word}" for score in ("Sim_1", "SR_1 %") for word in ("declared", "inferred", "loss")]
    yield f"| agent | {' | '.join(heads)} |"
    yield "|---|---|---|---|---|---|---|"
    for loss in losses:
        found = differences(loss.inferred, loss.declared)
        sr1 = [run.sr1.sr1 if run.sr1 else 0.0 for run in (loss.declared, loss.inferred)]
        yield (
            f"| {loss.agent} | {loss.declared.result.sim1:.3f} | {loss.inferred.result.sim1:.3f} | "
            f"{_describe(found['sim1'])} | {100 * sr1[0]:.1f} | {100 * sr1[1]:.1f} | "
            f"{_describe(found['sr1'], factor=100)} |"
        )


def _describe(interval: Interval, *, factor: float = 1) -> str:
    digits = 3 if factor == 1 else 1
    mean = f"{factor * interval.mean:+.{digits}f}"
    if interval.low is None or interval.high is None:
        return mean
    return f"{mean} [{factor * interval.low:+.{digits}f}, {factor * interval.high:+.{digits}f}]"


def main() -> None:
    """Prints the agreement and the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=40)
    parser.add_argument("--episodes", type=int, default=40)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--locale", default="zh")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sample, dataset = Path(folder) / "sample", Path(folder) / "dataset"
        write_sample(
            SampleOrder(
                out=sample,
                users=options.users,
                episodes=options.episodes,
                seed=options.seed,
                size=SIZE,
                locales=tuple(options.locale.split(",")),
            )
        )
        build(sample / "raw", dataset, tables=sample / "tables", workers=1)
        tasks = len(list(BuiltDataset.open(dataset).rows("test_suggestion", columns=["episode_id"])))
        print(f"{options.users} simulated people ({options.locale}), {tasks} tasks")
        for line in table(*measure(dataset, Path(folder))):
            print(line)


if __name__ == "__main__":
    main()
