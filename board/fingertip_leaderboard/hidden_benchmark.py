"""Hidden test: run an agent on a private simulated benchmark, and keep nothing of it but aggregate scores.

The stages are those of `fingertip_sim`: people, dataset, run, bundle, verification. Everything but the record
stays in a private folder. What an agent, a server or an error says during a stage may quote tasks, so it goes
into a file of that folder, never to the terminal or into the record.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar

from execution_runner.environments.open_environments import open_environments
from execution_runner.environments.simulated import SimulatedEnvironment
from execution_runner.execution_records import ReferenceKind
from execution_runner.execution_run import run_execution
from fingertip_agents.execution_agent import ExecutionAgent
from fingertip_agents.suggestion.suggestion_agent import SuggestionAgent
from fingertip_dataset.errors import FingerTipError, RunError, UsageError
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.source import source
from fingertip_dataset.times import now_text
from fingertip_dataset.track import Track
from fingertip_leaderboard.agent_process.isolated_agent import IsolatedAgent, check_isolation
from fingertip_leaderboard.bundle.make import make_bundle
from fingertip_leaderboard.bundle.schema import AgentCard, Embedding
from fingertip_leaderboard.bundle.secrets import find_secret
from fingertip_leaderboard.hidden_records import (
    BENCHMARK_VERSION,
    HiddenBenchmark,
    HiddenResult,
    HiddenRow,
    HiddenTestRecord,
    InstalledPackage,
    Measured,
    leave_learned_out,
    record_content,
)
from fingertip_leaderboard.hidden_secret import HiddenSecret
from fingertip_leaderboard.private_folder import (
    OUTPUT,
    TerminatedError,
    end_by_sigterm,
    private_folder,
    redirect_output_into,
)
from fingertip_leaderboard.task_lists import SPLIT_OF, list_tests
from fingertip_leaderboard.verified_records import Score, ShownSetting, Submission
from fingertip_leaderboard.verify_folder import verify_folder
from fingertip_metrics.embedders import get_embedder
from fingertip_models.prices import Prices
from fingertip_recorder.published_sample import NAME, Size
from fingertip_recorder.simulated_life import SampleOrder, write_sample
from fingertip_runs.run_folder import write_json
from suggestion_runner.suggestion_records import Hidden, HistoryLength
from suggestion_runner.suggestion_run import CONCURRENCY, run_suggestions

LEAST_USERS = 5
"""Minimum number of people, and so of tasks of a track: a mean over fewer tells single values."""

BENCHMARK, ERROR = "benchmark.json", "error.txt"
"""Files of the private folder: what it was made for, and the last error."""

_Agent = TypeVar("_Agent")

SHORTEST_PRIVATE = 4
"""Minimum length in characters of a task's text that is searched for in the record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledAgent:
    """An agent that is installed in a folder of its own and runs isolated; see `IsolatedAgent`.

    Attributes:
        name: Name of its entry point.
        folder: The folder.
        private: Files that it must not see, such as that of the secret; the private folder is added.
    """

    name: str
    folder: Path
    private: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionTest:
    """A run of track 1; the other fields are those of `run_suggestions`.

    Attributes:
        make_agent: Makes the agent in this process, or names one that runs isolated.
        installed: Package whose code the agent is; None for an agent of this package.
    """

    make_agent: Callable[[], SuggestionAgent] | InstalledAgent
    installed: InstalledPackage | None
    screenshots: int = 0
    history: HistoryLength = "20"
    without: tuple[Hidden, ...] = ()
    distribution: bool = False
    concurrency: int = CONCURRENCY
    embedder: Embedding = "lexical"
    track: Literal["suggestion"] = "suggestion"
    task_list: Literal["suggestion"] = "suggestion"


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentTest:
    """A run of the test moments; the other fields are those of `run_suggestions`.

    Attributes:
        make_agent: Makes the agent for the dataset in this process, or names one that runs isolated.
        installed: Package whose code the agent is; None for an agent of this package.
    """

    make_agent: Callable[[BuiltDataset], SuggestionAgent] | InstalledAgent
    installed: InstalledPackage | None
    screenshots: int = 0
    history: HistoryLength = "20"
    without: tuple[Hidden, ...] = ()
    concurrency: int = CONCURRENCY
    embedder: Embedding = "lexical"
    track: Literal["suggestion"] = "suggestion"
    task_list: Literal["moments"] = "moments"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionTest:
    """A run of track 2 on simulated phones.

    Attributes:
        make_agent: Makes the agent for the dataset in this process, or names one that runs isolated.
        installed: Package whose code the agent is; None for an agent of this package.
        reference: As of `run_execution`.
    """

    make_agent: Callable[[BuiltDataset], ExecutionAgent] | InstalledAgent
    installed: InstalledPackage | None
    reference: ReferenceKind = "same_user"
    track: Literal["execution"] = "execution"
    task_list: Literal["execution"] = "execution"


AnyTest = SuggestionTest | MomentTest | ExecutionTest


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenTest:
    """A hidden test of one agent.

    Attributes:
        card: The maintainer's description of the agent.
        tests: Runs, at most one per track and one of moments.
        size: Size of the benchmark.
        prices: Prices of the model's tokens.
        workers: Number of processes, and of concurrent phones.
        notify: Called with one line before each stage and now and then during a run. No line tells tasks.
    """

    card: AgentCard
    tests: Sequence[AnyTest]
    size: Size
    prices: Prices | None = None
    workers: int = 1
    notify: Callable[[str], None] = lambda line: None


def run_hidden_test(secret: HiddenSecret, test: HiddenTest, *, work: Path | None = None) -> HiddenTestRecord:
    """Make the private benchmark, run the agent on it, and return the aggregate scores.

    During the call this process's standard output and error go into a file of the private folder.

    Args:
        secret: The secret; it is written nowhere.
        test: The agent and its runs.
        work: Private folder that is kept, for several agents and for stopped runs; None for a temporary one
            that is removed. It holds the tasks, and never the secret.

    Raises:
        UsageError: An argument is invalid, or `work` is not private or of another benchmark.
        RunError: A stage failed; the message names the stage and quotes nothing.
    """
    if test.size.users < LEAST_USERS:
        raise UsageError(
            f"expected at least {LEAST_USERS} users, got {test.size.users}: a mean over "
            "fewer tells values of single tasks"
        )
    with end_by_sigterm(), private_folder(work) as folder:
        return _Stages(secret, test, folder, kept=work is not None).record()


class _Stages:
    """The stages of one hidden test in its private folder."""

    def __init__(self, secret: HiddenSecret, test: HiddenTest, folder: Path, *, kept: bool) -> None:
        self._secret, self._test, self._folder, self._kept = secret, test, folder, kept

    def record(self) -> HiddenTestRecord:
        for test in self._test.tests:
            if isinstance(test.make_agent, InstalledAgent):
                check_isolation(test.make_agent.folder, self._private(test.make_agent))
        dataset = self._folder / NAME
        if not self._has_benchmark():
            self._make(dataset)
        built = BuiltDataset.open(dataset)
        rows, seconds = [], {}
        for test in self._test.tests:
            row, taken = self._run_track(test, built)
            rows.append(row)
            seconds[row.task_list] = taken
        result = HiddenResult(
            benchmark=self._benchmark(built), card=self._test.card, rows=tuple(rows), source=source()
        )
        measured = Measured(made=now_text(), seconds=seconds)
        content = record_content(result, measured)
        _check_public(content.decode(), self._secret, built)
        return HiddenTestRecord(
            result=result,
            measured=measured,
            sha256=hashlib.sha256(content).hexdigest(),
            mac=self._secret.mac("record", content),
        )

    def _benchmark(self, built: BuiltDataset) -> HiddenBenchmark:
        size = self._test.size
        return HiddenBenchmark(
            version=BENCHMARK_VERSION,
            users=size.users,
            episodes=size.episodes,
            screen=size.screen,
            commitment=self._secret.commitment,
            tasks_mac=self._secret.mac("tasks", built.manifest.data_sha256.encode()),
        )

    def _purpose(self) -> str:
        size = self._test.size
        return f"version {BENCHMARK_VERSION}, {size.users} users, {size.episodes} episodes, {size.screen}"

    def _has_benchmark(self) -> bool:
        """Whether the folder holds this benchmark, whole.

        Raises:
            UsageError: It holds another one.
        """
        try:
            found = json.loads((self._folder / BENCHMARK).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return False
        except (OSError, ValueError):
            found = None
        if found != self._stamp():
            raise UsageError(
                "the folder is of another secret, size or code: give another --work", file=self._folder
            )
        return True

    def _stamp(self) -> dict[str, object]:
        code = source().model_dump(mode="json")
        return {"mac": self._secret.mac("folder", self._purpose().encode()), "source": code}

    def _make(self, dataset: Path) -> None:
        """Simulate the people and build the dataset."""
        size, people = self._test.size, self._folder / "people"
        seed = self._secret.seed(self._purpose())
        order = SampleOrder(out=people, users=size.users, episodes=size.episodes, seed=seed, size=size.screen)
        self._test.notify(f"{size.users} simulated people, {size.episodes} episodes each, from the secret")
        with self._stage("people"):
            shutil.rmtree(people, ignore_errors=True)
            write_sample(order, workers=self._test.workers)
        self._test.notify("the private dataset")
        with self._stage("dataset"):
            shutil.rmtree(dataset, ignore_errors=True)
            build(people / "raw", dataset, tables=people / "tables", workers=1)
            shutil.rmtree(people)
            write_json(self._folder / BENCHMARK, self._stamp())

    def _run_track(self, test: AnyTest, built: BuiltDataset) -> tuple[HiddenRow, float]:
        """Run, bundle and verify one track; return its row and the agent's seconds per task."""
        where = "moments" if isinstance(test, MomentTest) else f"track {test.track}"
        self._test.notify(f"{self._test.card.name} on {where}")
        with self._stage(f"{test.task_list} run"):
            run = self._run(test, built)
        self._test.notify("verification")
        with self._stage(f"{test.task_list} verification"):
            submission = self._verify(test, run, built)
            return _make_row(submission, test, built, self._test.prices), submission.seconds or 0.0

    def _run(self, test: AnyTest, built: BuiltDataset) -> Path:
        run = self._folder / "runs" / f"{test.task_list}-{_make_key(self._test.card, test)}"
        progress = _make_progress(self._test.notify)
        if not isinstance(test, ExecutionTest):
            with self._agent(test.track, _bind_dataset(test, built)) as suggester:
                run_suggestions(
                    built.path,
                    suggester,
                    run,
                    split=_find_split(test),
                    screenshots=test.screenshots,
                    history=test.history,
                    without=test.without,
                    distribution=isinstance(test, SuggestionTest) and test.distribution,
                    concurrency=test.concurrency,
                    prices=self._test.prices,
                    keep_going=True,
                    on_progress=progress,
                )
            return run
        make = test.make_agent
        environments = open_environments([SimulatedEnvironment.kind] * self._test.workers, built)
        own = make if isinstance(make, InstalledAgent) else partial(make, built)
        with self._agent(test.track, own) as agent, environments as phones:
            run_execution(
                built.path,
                agent,
                phones,
                run,
                reference=test.reference,
                resume=True,
                prices=self._test.prices,
                keep_going=True,
                on_progress=progress,
            )
        return run

    @contextmanager
    def _agent(
        self, track: Track, make: Callable[[], _Agent] | InstalledAgent
    ) -> Iterator[_Agent | IsolatedAgent]:
        """The agent, in this process or isolated."""
        if isinstance(make, InstalledAgent):
            with IsolatedAgent(track, make.name, make.folder, private=self._private(make)) as isolated:
                yield isolated
        else:
            yield make()

    def _private(self, agent: InstalledAgent) -> tuple[Path, ...]:
        return (self._folder, *agent.private)

    def _verify(self, test: AnyTest, run: Path, built: BuiltDataset) -> Submission:
        bundles = self._folder / "bundles" / run.name
        shutil.rmtree(bundles, ignore_errors=True)
        embedder = (
            (test.embedder, get_embedder(test.embedder)) if not isinstance(test, ExecutionTest) else None
        )
        make_bundle(run, bundles, self._test.card, embedder=embedder)
        results = verify_folder(bundles, [built.path])
        if results.refused:
            reasons = [reason for one in results.refused for reason in one.reasons]
            lines = "\n".join(f"{one.file} line {one.line}: {one.reason} [{one.kind}]" for one in reasons)
            kinds = ", ".join(sorted({one.kind for one in reasons}))
            raise _RefusedRunError(kinds, lines)
        return results.submissions[0]

    @contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        """A stage: its output goes into a file, and an error tells its kind, but not its message."""
        try:
            with redirect_output_into(self._folder / OUTPUT):
                yield
        except _RefusedRunError as error:
            where = self._keep_error(error.reasons)
            raise RunError(f"the verifier refused the run: {error.kinds} (stage {name}): {where}") from None
        except (KeyboardInterrupt, TerminatedError):
            raise
        except BaseException as error:  # an agent's exit may quote tasks, too
            where = self._keep_error(traceback.format_exc())
            # classes of an agent have names of its own
            kind = type(error).__name__ if isinstance(error, FingerTipError) else "an unexpected error"
            raise RunError(f"the stage {name} ended with {kind}, which may quote tasks: {where}") from None

    def _keep_error(self, text: str) -> str:
        """Write what may quote tasks into the private folder, and say where it is."""
        if not self._kept:
            return "run it again with --work FOLDER to keep what it said"
        (self._folder / ERROR).write_text(text, encoding="utf-8", errors="replace")
        return f"see {self._folder / ERROR}"


class _RefusedRunError(Exception):
    """The verifier refused the run.

    Args:
        kinds: Kinds of the refusals, which tell nothing about tasks.
        reasons: A line for each refusal, which may quote tasks.
    """

    def __init__(self, kinds: str, reasons: str) -> None:
        super().__init__(kinds)
        self.kinds = kinds
        self.reasons = reasons


def _bind_dataset(
    test: SuggestionTest | MomentTest, built: BuiltDataset
) -> Callable[[], SuggestionAgent] | InstalledAgent:
    if isinstance(test, MomentTest):
        make = test.make_agent
        return make if isinstance(make, InstalledAgent) else partial(make, built)
    return test.make_agent


def _find_split(test: AnyTest) -> str:
    return SPLIT_OF["moments" if isinstance(test, MomentTest) else test.track]


def _make_row(
    it: Submission,
    test: AnyTest,
    built: BuiltDataset,
    prices: Prices | None,
) -> HiddenRow:
    """The aggregate part of a verified submission; no value per task or per group."""
    conditions = it.conditions[0]
    ids = [row["episode_id"] for row in built.rows(_find_split(test), columns=("episode_id",))]
    return HiddenRow(
        track=test.track,
        measure=conditions.measure,
        protocol=conditions.protocol,
        history=conditions.history,
        decided_by=conditions.decided_by,
        told=conditions.told or ShownSetting(),
        agent=it.agent,
        installed=test.installed,
        settings=leave_learned_out(it.settings),
        tasks=len(ids),
        users=len({name.partition("__")[0] for name in ids}),
        scores={name: _round_score(score) for name, score in it.scores.items()},
        counts=it.counts,
        tokens=None if it.tokens is None else round(it.tokens),
        cost=None if it.cost is None else round(it.cost * len(ids), HiddenRow.DIGITS),
        prices=prices,
        caveats=it.caveats,
        remarks=it.remarks,
    )


def _round_score(score: Score) -> Score:
    """A score with few digits, because all digits of a mean tell more about its terms; none of few users."""
    if score.users < LEAST_USERS:
        return score.model_copy(update={"mean": None, "low": None, "high": None, "best": None})
    ends = {
        name: None if value is None else round(value, HiddenRow.DIGITS)
        for name in ("mean", "low", "high", "best")
        for value in (getattr(score, name),)
    }
    return score.model_copy(update=ends)


def _make_key(card: AgentCard, test: AnyTest) -> str:
    """End of the name of an agent's run folder: other options are another run."""
    options = {
        field.name: str(getattr(test, field.name)) for field in fields(test) if field.name != "make_agent"
    }
    return hashlib.sha256(f"{card.model_dump_json()} {options}".encode()).hexdigest()[:12]


def _make_progress(notify: Callable[[str], None]) -> Callable[[int, int], None]:
    """A callback of a run that notifies about ten times."""
    last = 0

    def progress(done: int, total: int) -> None:
        nonlocal last
        if done and done * 10 // total > last * 10 // total:
            notify(f"  {done} of {total} tasks")
        last = done

    return progress


def _check_public(record: str, secret: HiddenSecret, built: BuiltDataset) -> None:
    """Refuse a record with text of a task or with a secret, whoever put it there.

    Raises:
        RunError: There is one; the message does not quote it.
    """
    key = os.environ.get("OPENAI_API_KEY", "")
    private = {secret.content.hex(), built.manifest.data_sha256, str(built.path.parent), key}
    for split in dict.fromkeys(list_tests(built).values()):
        for row in built.rows(split, columns=("episode_id", "intent", "previous_intents")):
            private |= {row["episode_id"], row["intent"] or ""}
            private |= {earlier["intent"] for earlier in row["previous_intents"]}
    texts = (text for text in private if len(text) >= SHORTEST_PRIVATE)
    if any(json.dumps(text, ensure_ascii=False)[1:-1] in record for text in texts):
        raise RunError(
            "the record would quote a task or the secret, in the agent's name or settings: not written"
        )
    kind = find_secret(record)
    if kind is not None:
        raise RunError(f"the record would hold what looks like {kind}, in the agent's settings: not written")
