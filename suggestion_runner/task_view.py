"""Task view: the parts of a task that an agent gets, and the form of its prediction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from fingertip_agents.suggestion.suggestion_agent import SuggestionAgent
from fingertip_dataset.errors import UnknownNameError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import (
    ALL_SPLITS,
    MOMENT_SPLITS,
    MONTH,
    TEST_MOMENTS,
    TEST_SUGGESTION,
    is_moments,
    split_name,
)
from fingertip_dataset.tasks.history import HistoryProtocol
from fingertip_dataset.tasks.task import MAX_SCREENSHOTS
from fingertip_dataset.tasks.task_list import check_users
from fingertip_models.prices import Prices
from fingertip_runs.benchmark_versions import BenchmarkVersions
from fingertip_runs.run_record import AgentRecord, DatasetRecord, Session
from suggestion_runner.inferred.inferred_file import read_inferred
from suggestion_runner.remembered import HISTORIES, describe_memory
from suggestion_runner.suggestion_records import (
    HUMAN,
    Hidden,
    HistoryLength,
    MonthSettings,
    Selection,
    SuggestionRun,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskView:
    """The task view of a run; the fields are arguments of `run_suggestions`.

    Raises:
        UsageError: A field is invalid.
    """

    split: str = TEST_SUGGESTION
    screenshots: int = 0
    history: HistoryLength = "20"
    protocol: HistoryProtocol | None = None
    without: Collection[Hidden] = ()
    distribution: bool = False
    limit: int | None = None
    sample: int | None = None
    seed: int = 0
    users: Collection[str] = ()
    inferred: Path | None = None
    memory: str | None = None
    memory_budget: int | None = None

    def __post_init__(self) -> None:
        if split_name(self.split) not in (*ALL_SPLITS, *MOMENT_SPLITS, MONTH):
            raise UnknownNameError("a split", self.split, (*ALL_SPLITS, *MOMENT_SPLITS))
        if not 0 <= self.screenshots <= MAX_SCREENSHOTS:
            raise UsageError(f"expected 0 to {MAX_SCREENSHOTS} screenshots, got {self.screenshots}")
        if self.history not in get_args(HistoryLength):
            raise UsageError(
                f"expected a history, one of {', '.join(get_args(HistoryLength))}, got {self.history!r}"
            )
        unknown = [part for part in self.without if part not in get_args(Hidden)]
        if unknown:
            raise UsageError(f"expected to hide {', '.join(get_args(Hidden))}, got {unknown[0]!r}")
        if self.inferred is not None and self.history == "none":
            raise UsageError("--history-intents inferred has no effect with --history none: leave one out")
        if self.of_moments:
            self._check_moments()
        self._check_memory()
        self._check_selection()

    @property
    def of_moments(self) -> bool:
        """Whether the tasks are moments, at which the person may want nothing."""
        return is_moments(self.split)

    def record(
        self,
        dataset: Path,
        built: BuiltDataset,
        agent: SuggestionAgent,
        prices: Prices | None = None,
        *,
        history_prices: Prices | None = None,
        month: MonthSettings | None = None,
    ) -> SuggestionRun:
        """Record of a run with this task view, with a session that starts now.

        Args:
            dataset: Path of the dataset.
            built: The dataset.
            agent: The agent.
            prices: Prices of the model's tokens.
            history_prices: Prices of the history model's tokens.
            month: Settings of a run through people's months, exactly where the split is `MONTH`.

        Raises:
            UsageError: The split has no episode, the dataset has no moments, the agent does not support the
                task view, or its prompt file shows what the view hides.
            ModelError: The agent's settings cannot be written as JSON.
        """
        split, manifest = split_name(self.split), built.manifest
        if (split == MONTH) != (month is not None):
            raise UsageError(f"the split {MONTH} is lived through in order: give --month (run_month)")
        if self.of_moments:
            counts = built.require_moments().splits
            episodes = sum(counts[part].moments for part in (counts if split == MONTH else (split,)))
        else:
            episodes = manifest.splits[split].episodes
        if not episodes:
            things = "moments" if self.of_moments else "episodes"
            raise UsageError(f"split {split} has no {things}", file=dataset)
        tasks, selection = self._make_selection(episodes, built)
        self._check_agent(agent)
        protocol = self.protocol or manifest.history
        inferred = None if self.inferred is None else read_inferred(self.inferred, built).history
        memory, history = None, self.history
        if self.memory is not None:
            memory = describe_memory(self.memory, self.memory_budget, getattr(agent, "model", None))
            history = HISTORIES.get(self.memory, "all")
        own = history == "20" and protocol == manifest.history and inferred is None
        return SuggestionRun(
            agent=AgentRecord.of(agent.name, agent.settings),
            dataset=DatasetRecord.of(built, dataset, moments=self.of_moments),
            split=split,
            tasks=tasks,
            screenshots=self.screenshots,
            history=history,
            protocol=protocol,
            history_source="previous_intents" if own else "dataset rows",
            without=tuple(part for part in get_args(Hidden) if part in self.without),
            distribution=self.distribution,
            prices=prices,
            selection=selection,
            history_prices=history_prices,
            inferred=inferred,
            memory=memory,
            sessions=(Session.now(),),
            versions=BenchmarkVersions.of(built),
            month=month,
        )

    def _check_moments(self) -> None:
        """Refuse what moments do not have."""
        if self.screenshots > 1:
            raise UsageError(
                f"a moment has one screen, that of the look at the phone: expected 0 or 1 screenshots, got "
                f"{self.screenshots}"
            )
        if self.distribution:
            raise UsageError(
                "moments have one answer, an intent or nothing: leave out --distribution (distribution=True)"
            )
        if self.inferred is not None:
            raise UsageError("inferred intents are of episodes, not of moments: leave out --inferred")

    def _check_memory(self) -> None:
        """Refuse a memory together with another choice of earlier intents, or with what it would show."""
        from fingertip_agents.memory.memory_registry import MEMORIES, check_memory_name

        if self.memory is None:
            if self.memory_budget is not None:
                raise UsageError("--memory-budget needs --memory: it limits what a memory recalls")
            return
        check_memory_name(self.memory)
        if self.memory_budget is not None and self.memory_budget < 0:
            raise UsageError(f"expected a memory budget of 0 or more characters, got {self.memory_budget}")
        if self.history != "20":
            raise UsageError(
                f"--memory {self.memory} and --history {self.history} both choose the earlier intents: leave "
                "one out"
            )
        if self.inferred is not None:
            raise UsageError("memories remember what users declared: leave out --memory or --inferred")
        shown = [part for part in self.without if part in ("time", "scenario")]
        if shown and not (self.memory in MEMORIES and MEMORIES[self.memory].plain):
            raise UsageError(
                f"the memory {self.memory} tells times and places, which --without {','.join(shown)} hides: "
                "leave one of the two out"
            )

    def _check_selection(self) -> None:
        if self.limit is not None and self.sample is not None:
            raise UsageError("--limit and --sample exclude each other: give one of them")
        for name, count in (("limit", self.limit), ("sample", self.sample)):
            if count is not None and count < 1:
                raise UsageError(f"expected a {name} of 1 or more tasks, got {count}")

    def _make_selection(self, episodes: int, built: BuiltDataset) -> tuple[int, Selection | None]:
        """Number of tasks and how they are selected; None for the whole split."""
        users, known = tuple(sorted(set(self.users))), episodes
        if users:
            check_users(built, (self.split,), users)
            rows = built.rows(split_name(self.split), columns=["user_id"])
            known = sum(row["user_id"] in users for row in rows)
        if self.sample is not None and self.sample > known:
            raise UsageError(f"the split has {known:,} tasks, too few for a sample of {self.sample:,}")
        count = min(self.limit or self.sample or known, known)
        if count >= episodes:
            return episodes, None
        if self.sample is not None:
            return count, Selection(kind="sample", of=episodes, seed=self.seed, users=users)
        return count, Selection(kind="first", of=episodes, users=users)

    def _check_agent(self, agent: SuggestionAgent) -> None:
        """Check that the agent's settings match the task view."""
        if self.history == "relevant" and not agent.settings.get("relevant"):
            raise UsageError(f"--history relevant needs --agent model; got {agent.name}")
        self._check_kind(agent)
        check_prompt(agent.settings, self.without, self.history)
        made_for = agent.settings.get("distribution", self.distribution)
        if bool(made_for) != self.distribution:
            has, wanted = ("without", "with") if self.distribution else ("with", "without")
            raise UsageError(
                f"the agent {agent.name} was set up {has} distributions, and the run is {wanted} them: give "
                "`distribution` the same value in both"
            )

    def _check_kind(self, agent: SuggestionAgent) -> None:
        """Check that the agent is one for moments if the tasks are, where it tells."""
        traits = getattr(agent, "traits", None)
        for_moments = agent.settings.get("moments", getattr(traits, "only_moments", None))
        # of another agent "moments" may be a number, as of `nearest`
        if for_moments is True and not self.of_moments:
            raise UsageError(
                f"the agent {agent.name} decides when to speak, at moments: give --split {TEST_MOMENTS}, got "
                f"{split_name(self.split)}"
            )
        if self.of_moments and agent.name == HUMAN:
            raise UsageError(
                "people answer with an intent on the page, not with silence and a confidence: --agent human "
                "takes no moments"
            )
        if self.of_moments and agent.name == "model" and not for_moments:
            raise UsageError(
                "the agent model was set up for intents alone: give moments=True to its setup as well"
            )


def check_prompt(settings: Mapping[str, object], without: Collection[Hidden], history: HistoryLength) -> None:
    """Refuse an agent whose prompt file has a placeholder of a part that its tasks hide.

    Args:
        settings: The agent's settings.
        without: Hidden parts of the tasks.
        history: Earlier intents of the tasks.

    Raises:
        UsageError: It has one.
    """
    fields = settings.get("prompt_fields")
    used = fields.get("placeholders") if isinstance(fields, Mapping) else None
    hidden = {f"--without {part}": _PLACEHOLDERS[part] for part in without}
    hidden |= {"--history none": _PLACEHOLDERS["intents"]} if history == "none" else {}
    for option, names in hidden.items():
        for name in names:
            if isinstance(used, Sequence) and name in used:
                raise UsageError(f"the prompt has {{{name}}}, which {option} hides: leave out one of the two")


_PLACEHOLDERS: Mapping[str, tuple[str, ...]] = {
    "profile": ("profile", "profile_sentence"),
    "time": ("time",),
    "scenario": ("place",),
    "intents": ("intents", "intent_texts"),
}
"""Part that a view can hide -> placeholders that show it alone."""
