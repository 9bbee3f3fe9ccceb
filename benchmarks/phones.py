"""How much faster several simulated phones carry out the tasks of a run than one phone, the baseline.

Twice: with an agent that answers at once, so that the computer's cores are the limit, and with one that takes
as long as a model does, so that the phones wait for it side by side.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from execution_runner.environments.open_environments import open_environments
from execution_runner.execution_run import run_execution
from fingertip_agents.execution_agent import Decision, ExecutionAgent, PastStep, ScreenInput
from fingertip_agents.imitate import Imitate
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_recorder.simulated_life import SampleOrder, write_sample

SPLIT, LIMIT = "train", 12
MODEL_SECONDS = 1.0


class Slow:
    """Agent that decides like another one, after the time that a model takes.

    Args:
        agent: The other agent.
        seconds: Time of a decision.
    """

    def __init__(self, agent: ExecutionAgent, seconds: float) -> None:
        self.name = agent.name
        self.settings = agent.settings
        self._agent = agent
        self._seconds = seconds

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        """The other agent's decision."""
        time.sleep(self._seconds)
        return self._agent.act(task_input, screen, past)


def seconds_of(dataset: Path, agent: ExecutionAgent, phones: int, out: Path) -> tuple[float, int]:
    """Seconds of a run on some phones, and its number of steps; the phones' start is not counted."""
    built = BuiltDataset.open(dataset)
    with open_environments([f"simulated:{phones}"], built, split=SPLIT) as environments:
        run_execution(dataset, agent, environments, out / "warm", split=SPLIT, limit=1)
        began = time.perf_counter()
        run_execution(dataset, agent, environments, out / "run", split=SPLIT, limit=LIMIT)
        seconds = time.perf_counter() - began
    lines = (out / "run" / "steps.jsonl").read_text(encoding="utf-8").splitlines()
    return seconds, len(lines) - LIMIT


def main() -> None:
    """Prints a line for each number of phones up to the cores, and eight with the slow agent."""
    cores = os.cpu_count() or 1
    counts = [2, cores, *(2**power for power in range(cores.bit_length()))]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sample = folder / "sample"
        write_sample(SampleOrder(out=sample, users=3, episodes=9, seed=5, size=(360, 800)))
        build(sample / "raw", folder / "dataset", tables=sample / "tables", workers=1)
        for title, agent, numbers in (
            ("an agent that answers at once", Imitate(), counts),
            (f"an agent that takes {MODEL_SECONDS:g} s", Slow(Imitate(), MODEL_SECONDS), [*counts, 8]),
        ):
            print(f"{title}, {LIMIT} tasks")
            baseline = 0.0
            for phones in sorted(set(numbers)):
                out = folder / f"{agent.__class__.__name__}-{phones}"
                seconds, steps = seconds_of(folder / "dataset", agent, phones, out)
                baseline = baseline or seconds
                print(
                    f"  {phones} phones: {seconds:6.1f} s, {steps / seconds:5.1f} steps a second, "
                    f"{baseline / seconds:.2f} x one phone"
                )


if __name__ == "__main__":
    main()
