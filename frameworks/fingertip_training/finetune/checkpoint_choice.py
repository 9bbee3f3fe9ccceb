"""Choice of a checkpoint by the score of its answers on validation tasks, never by the validation loss.

The loss on validation samples rises long before the scores fall, so it would choose a checkpoint that has
learned too little.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

from fingertip_agents.prompts.prompt_files import PromptFiles
from fingertip_dataset.errors import RunError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import VALI, VALI_MOMENTS
from fingertip_dataset.track import Track
from fingertip_models.local import LocalModel
from fingertip_models.options import ModelOptions
from fingertip_training.export_record import ExportRecord
from fingertip_training.finetune.finetune_settings import FinetuneSettings
from fingertip_training.finetune.sft_training import Progress
from suggestion_runner.suggestion_records import Hidden, users_phrase

SCORED_BY: Mapping[Track, str] = {
    "suggestion": "Sim_1 of {tasks}",
    "execution": "mean share of agreement in action type, touched element and typed text on the recorded "
    "steps of {tasks}, teacher-forced",
}

MOMENTS_SCORED_BY = (
    "utility (share of right suggestions, less the share of moments without an intent at which "
    "something was suggested) at {tasks}"
)

SCORING = "checkpoints scored"
"""Name of the stage in which the checkpoints are scored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredCheckpoint:
    """A checkpoint and its scores.

    Attributes:
        step: Number of optimizer steps.
        scores: Track, or "moments" -> score, 0 to 1, at moments from -1; empty if it was not scored.
    """

    step: int
    scores: Mapping[str, float]

    @property
    def score(self) -> float:
        """Mean over the tracks."""
        return sum(self.scores.values()) / max(len(self.scores), 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointChoice:
    """The checkpoint that is kept.

    Attributes:
        folder: Its folder.
        step: Number of optimizer steps.
        by: How it was chosen, in words.
        checkpoints: All checkpoints with their scores.
    """

    folder: Path
    step: int
    by: str
    checkpoints: tuple[ScoredCheckpoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointScorer:
    """Scores checkpoints with the runs and scorers of `suggest`, `execute` and `score`.

    Attributes:
        dataset: The built dataset, for its validation split.
        export: Record of the samples: the tasks are shown as in training.
        base: Name of the base model.
        settings: The settings.
        work: Folder for the runs.
        trust_remote_code: Whether code that the checkpoint contains may be run.
        files: Texts in place of our prompts, by track.
    """

    dataset: Path
    export: ExportRecord
    base: str
    settings: FinetuneSettings
    work: Path
    trust_remote_code: bool = False
    files: Mapping[Track, PromptFiles] = field(default_factory=lambda: MappingProxyType({}))

    def choose(self, checkpoints: Sequence[Path], on_progress: Progress | None = None) -> CheckpointChoice:
        """Choose the checkpoint of the highest score, of equal ones the earlier.

        Args:
            checkpoints: Folders of the checkpoints, in order.
            on_progress: Called with (`SCORING`, done, all), first with 0 done, and between with the tasks of
                each checkpoint.

        Raises:
            ModelError: A checkpoint cannot be loaded or does not answer.
            RunError: A run of scoring cannot be written.
        """
        if len(checkpoints) == 1:
            return self._last(checkpoints, "the only checkpoint")
        if not self._tasks():
            whose = " of the users" if self._users() else ""
            return self._last(checkpoints, f"the last checkpoint: there is no validation episode{whose}")
        scored: list[ScoredCheckpoint] = []
        report = on_progress or (lambda *_: None)
        report(SCORING, 0, len(checkpoints))  # the first score takes as long as each of the others
        for checkpoint in checkpoints:
            scores = self._scores(checkpoint, report)
            scored.append(ScoredCheckpoint(step=_step(checkpoint), scores=scores))
            report(SCORING, len(scored), len(checkpoints))
        best = max(range(len(scored)), key=lambda at: (scored[at].score, -at))
        number = min(self.settings.choice_tasks, len(self._tasks()))
        whose = f" of {users_phrase(self._users())}" if self._users() else ""
        shown = f"{number} validation {'moments' if self._of_moments else 'tasks'}{whose}"
        known = [("moments", MOMENTS_SCORED_BY), *SCORED_BY.items()]
        scored_by = [text for name, text in known if name in scored[best].scores]
        by = ", and ".join(text.format(tasks=shown) for text in scored_by)
        return CheckpointChoice(
            folder=checkpoints[best],
            step=scored[best].step,
            by=f"highest {by}",
            checkpoints=tuple(scored),
        )

    @property
    def _of_moments(self) -> bool:
        return self.export.track == "moments"

    @property
    def _split(self) -> str:
        return VALI_MOMENTS if self._of_moments else VALI

    def _users(self) -> tuple[str, ...]:
        """Ids of the users that the samples are of; empty for all."""
        users = self.export.options.get("users")
        return tuple(map(str, users)) if isinstance(users, list) else ()

    def _tasks(self) -> list[str]:
        """Ids of the validation tasks of the users of the samples, as others say nothing of their model."""
        users = self._users()
        rows = BuiltDataset.open(self.dataset).rows(self._split, columns=["episode_id", "user_id"])
        return [row["episode_id"] for row in rows if not users or row["user_id"] in users]

    def _last(self, checkpoints: Sequence[Path], by: str) -> CheckpointChoice:
        every = tuple(ScoredCheckpoint(step=_step(folder), scores={}) for folder in checkpoints)
        return CheckpointChoice(folder=checkpoints[-1], step=every[-1].step, by=by, checkpoints=every)

    def _scores(self, checkpoint: Path, report: Progress) -> dict[str, float]:
        agents = self.export.agents
        name = f"step {_step(checkpoint)}"
        report(f"{name}, loading the checkpoint", 0, 0)
        model = self._model(checkpoint)
        try:
            scores = {}
            if "suggestion" in agents:
                run = self.work / checkpoint.name / "suggestion"
                self._suggest(model, run, partial(report, f"{name}, tasks answered"))
                if self._of_moments:
                    scores["moments"] = score_utility(run, self.dataset)
                else:
                    scores["suggestion"] = self._score_suggestions(run)
            if "execution" in agents:
                scores["execution"] = self._execute(
                    model,
                    self.work / checkpoint.name / "execution",
                    partial(report, f"{name}, tasks finished"),
                )
            return scores
        finally:
            model.close()

    def _model(self, checkpoint: Path) -> LocalModel:
        settings, options = self.settings, self.export.options
        pixels = options.get("max_pixels")
        return LocalModel(
            ModelOptions(
                model=str(checkpoint) if settings.full else self.base,
                language="en" if options.get("language") == "en" else "zh",
                max_tokens=settings.choice_max_tokens,
                max_pixels=pixels if isinstance(pixels, int) else None,
            ),
            trust_remote_code=self.trust_remote_code,
            adapter=None if settings.full else checkpoint,
            batch=settings.choice_batch,
        )

    def _suggest(self, model: LocalModel, run: Path, on_progress: Callable[[int, int], None]) -> None:
        from fingertip_agents.suggestion.model_suggester import ModelSuggester
        from suggestion_runner import run_suggestions

        run.parent.mkdir(parents=True, exist_ok=True)
        run_suggestions(
            self.dataset,
            ModelSuggester(model, files=self.files.get("suggestion"), moments=self._of_moments),
            run,
            split=self._split,
            **self._list_shown(),
            sample=min(self.settings.choice_tasks, len(self._tasks())),
            seed=self.settings.seed,
            users=self._users(),
            concurrency=2 * self.settings.choice_batch,
            # an early checkpoint may write nothing that can be read
            keep_going=True,
            on_progress=on_progress,
        )

    def _list_shown(self) -> dict[str, Any]:
        """Arguments of `run_suggestions` by which the tasks of track 1 are shown as in training."""
        options: Mapping[str, Any] = self.export.options
        if (pairs := self.export.pairs) is None:
            without = tuple(part for part in get_args(Hidden) if part in options["without"])
            names = ("screenshots", "history", "protocol")
            return {**{name: options[name] for name in names}, "without": without}
        shown = {"screenshots": pairs.screenshots, "protocol": pairs.protocol, "without": pairs.without}
        if (memory := pairs.memory) is None:
            return {**shown, "history": "none"}
        return {**shown, "memory": memory.name, "memory_budget": memory.budget}

    def _score_suggestions(self, run: Path) -> float:
        from fingertip_metrics import get_embedder
        from suggestion_runner import score_run

        scores = score_run(run, embedder=get_embedder(self.settings.choice_embedder))
        return scores.intervals["sim1"].mean

    def _execute(self, model: LocalModel, run: Path, on_progress: Callable[[int, int], None]) -> float:
        from execution_runner import open_environments, run_execution, score_run
        from execution_runner.execution_view import HIDDEN_PARTS, MORE_PARTS, ExecutionView
        from execution_runner.run_plan import plan_tasks
        from fingertip_agents.agent_settings import read_settings
        from fingertip_agents.registry import get_execution_agent
        from fingertip_agents.setup import AgentSetup

        options: Mapping[str, Any] = self.export.options
        files = self.files.get("execution", PromptFiles())
        setup = AgentSetup(
            opened=model,
            screen_description=options["screen_description"],
            settings=read_settings(options.get("agent_settings") or ()),
            prompt=files.user,
            system_prompt=files.system,
        )
        agent = get_execution_agent(self.export.agents["execution"].name, setup)
        built = BuiltDataset.open(self.dataset)
        run.parent.mkdir(parents=True, exist_ok=True)
        users = self._users()
        planned = plan_tasks(built, split=VALI).tasks if users else ()
        task_ids = [task.task_id for task in planned if task.target.user_id in users] or None
        with open_environments(("teacher-forced",), built, split=VALI) as environments:
            run_execution(
                self.dataset,
                agent,
                environments,
                run,
                split=VALI,
                reference=options["reference"],
                view=ExecutionView(
                    more=options.get("more", MORE_PARTS),
                    without=[part for part in HIDDEN_PARTS if part in options["without"]],
                ),
                limit=self.settings.choice_tasks,
                task_ids=task_ids,
                resume=True,
                # a model that has learned little answers with anything, and is scored all the same
                keep_going=True,
                on_progress=on_progress,
            )
        trace = score_run(run).trace
        parts = (trace.action_type, trace.click_hit, trace.text_match) if trace else ()
        means = [part.mean for part in parts if part is not None]
        return sum(means) / max(len(means), 1)


def score_utility(run: Path, dataset: Path) -> float:
    """Score a run of moments: hits less false triggers, a moment, -1 to 1; one that is always silent has 0.

    Args:
        run: Folder of the run.
        dataset: Its built dataset, whose simulations say what a suggestion states.

    Raises:
        RunError: The run is broken.
    """
    from fingertip_metrics import open_judge
    from suggestion_runner.moments.moment_scoring import score_moment_run

    with open_judge("simulated", dataset=dataset) as judge:
        scores = score_moment_run(run, judge=judge)
    return scores.result.scores["utility"] or 0.0


def read_prompt_files(export: ExportRecord) -> dict[Track, PromptFiles]:
    """Read the texts in place of our prompts that an export names, by track.

    Raises:
        UsageError: A file cannot be read.
        RunError: It has another text than that of the rows.
    """
    places = [export.options.get(name) for name in ("prompt_file", "system_prompt_file")]
    user, system = (place if isinstance(place, str) else None for place in places)
    found: dict[Track, PromptFiles] = {}
    for track in SCORED_BY:
        agent = export.agents.get(track)
        label = agent and agent.settings.get("prompt_text")
        if label is None or (files := PromptFiles.read(user, system, track)) is None:
            continue
        if files.label != label:
            raise RunError(
                f"the samples were made with the prompt {label}, and now it is {files.label}: bring the text "
                "back, by which checkpoints are scored, or give another --out"
            )
        found[track] = files
    return found


def _step(checkpoint: Path) -> int:
    return int(checkpoint.name.rpartition("-")[2])
