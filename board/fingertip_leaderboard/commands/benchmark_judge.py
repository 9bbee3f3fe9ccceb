"""The judge of `fingertip benchmark`: its check before anything long, its opening, and its cost so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fingertip_cli.options.model_options import Command, add_options, price_options, read_prices
from fingertip_dataset.errors import UsageError
from fingertip_dataset.track import Track

if TYPE_CHECKING:
    from fingertip_cli.options.scoring_options import JudgeOptions
    from fingertip_cli.printing.progress import Report
    from fingertip_metrics.judges.verdicts import Judge
    from fingertip_models.prices import Prices
    from suggestion_runner.judged_run import JudgeChecking

JUDGE = "judge-"
"""Prefix of the names of the judge's price options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkJudge:
    """Judge of the runs of track 1.

    Attributes:
        options: Its options.
        prices: Prices of its tokens; None without.
        dataset: Folder of the built dataset.
        report: Callback of the progress.
    """

    options: JudgeOptions
    prices: Prices | None
    dataset: Path
    report: Report

    @contextmanager
    def open(self, run: Path) -> Iterator[Judge | None]:
        """Open the judge for a run, in whose folder its answers are kept, and close it.

        Raises:
            FingerTipError: An error of `open_judge`.
        """
        opened: Judge | None = None

        def show(done: int, total: int) -> None:
            self.report("track 1, pairs judged", done, total, self._describe_cost(opened))

        with self.options.open(run, dataset=self.dataset, on_progress=show) as judge:
            opened = judge
            yield judge

    def open_checking(self) -> JudgeChecking | None:
        """Return how a judge that is a model is checked; None for a rule, and without a check."""
        return self.options.open_checking(self.dataset)

    def _describe_cost(self, judge: Judge | None) -> str:
        from fingertip_metrics.judges.llm import LlmJudge

        if self.prices is None or not isinstance(judge, LlmJudge):
            return ""
        return f"{self.prices.cost(*judge.tokens):.4f} {self.prices.currency}"


def judge_prices(command: Command) -> Command:
    """Add the options of the prices of the judge's tokens."""
    return add_options(command, price_options(JUDGE, " of the judge"))


def read_judge_prices(options: Mapping[str, Any]) -> Prices | None:
    """Read the prices of the judge's tokens; None without prices.

    Raises:
        UsageError: Only one of the two prices is given, or there is no judge.
    """
    prices = read_prices(options, JUDGE)
    if prices is not None and options["judging"].judge is None:
        raise UsageError("--judge-price-prompt needs --judge")
    return prices


def check_judge_server(options: JudgeOptions, agents: Mapping[Track, str]) -> None:
    """Ask the server of a judge that is a model a small question before anything long is done.

    Args:
        options: Options of the judge.
        agents: Track -> name of its agent.

    Raises:
        UsageError: The judge would have nothing to judge, or an option of it is wrong.
        PreflightError: Its server does not answer, or does not have it.
    """
    if options.judge is not None and "suggestion" not in agents:
        raise UsageError(f"--judge {options.judge} is for track 1, which is not run: leave it out")
    options.check_server()
