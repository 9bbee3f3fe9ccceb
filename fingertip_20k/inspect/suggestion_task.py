"""Track 1 as a task of Inspect: the prompts of `fingertip suggest`, the scores of `fingertip score`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.scorer import Scorer
from inspect_ai.solver import generate

from fingertip_20k.inspect.call_errors import raise_one_line_errors
from fingertip_20k.inspect.inspect_model import InspectModel, chat_messages, choose_language, parse_text_list
from fingertip_20k.inspect.moment_scorers import moment_values
from fingertip_20k.inspect.suggestion_scorers import SHOWN, suggestion_effort, suggestion_sim1, suggestion_sr1
from fingertip_20k.inspect.user_metrics import USER
from fingertip_agents.suggestion.model_suggester import ModelSuggester
from fingertip_agents.suggestion.suggestion_prompt import make_suggestion_messages
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import TEST_SUGGESTION
from fingertip_metrics.embedders import get_embedder
from fingertip_metrics.embedders.unknown_tokens import check_unknown, measure_unknown
from fingertip_metrics.judges import open_judge
from fingertip_metrics.sim1_score import sim1
from fingertip_models.options import ModelOptions
from fingertip_runs.benchmark_versions import HARNESS
from fingertip_runs.score_summary import model_caveats
from suggestion_runner.answer_text import ANSWER_TEXTS, DEFAULT
from suggestion_runner.caveats import hidden_terms, setting_caveats
from suggestion_runner.suggestion_records import SuggestionRun
from suggestion_runner.suggestion_tasks import open_tasks
from suggestion_runner.task_view import TaskView

SECONDS = "seconds are as Inspect measures them, retries included: `fingertip suggest` leaves those out"


@task
@raise_one_line_errors
def suggestion(
    dataset: str = "fingertip-20k",
    split: str = TEST_SUGGESTION,
    screenshots: int = 0,
    history: str = "20",
    history_from: str | None = None,
    without: str = "",
    distribution: bool = False,
    language: str | None = None,
    max_pixels: int | None = None,
    no_system: bool = False,
    sample: int | None = None,
    seed: int = 0,
    users: str = "",
    embedder: str = "official",
    protocol: str = "release",
    answers: str = DEFAULT,
    judge: str | None = None,
    judge_base_url: str | None = None,
) -> Task:
    """Proactive task suggestion: what does this person want now?

    The arguments have the names and meanings of the options of `fingertip suggest` and `fingertip score`.
    With `split=test_moments` the question is whether the person wants anything at all, and the scores are
    those of moments, on which embedder, protocol and answers have no effect.

    Args:
        dataset: A folder that `fingertip build` wrote.
        split: Name of the split.
        screenshots: Number of first screens that a task shows, 0 to 3.
        history: Earlier intents that a task shows: 20, all or none.
        history_from: Episodes that earlier intents may come from, online or strict; by default the dataset's.
        without: Parts that each task hides, separated by commas: profile, time, scenario.
        distribution: Whether to ask for several intents with probabilities.
        language: Language of the prompts, zh or en; by default the dataset's.
        max_pixels: Maximum pixels of a screenshot.
        no_system: Whether the system message is merged into the user message.
        sample: Number of tasks, drawn at random from the split; all by default.
        seed: Seed of the sample.
        users: Ids of the users whose tasks are run, separated by commas; all by default.
        embedder: official, lexical, or a SentenceTransformer by name or path.
        protocol: Scoring protocol, release or paper.
        answers: Scored text, raw or read.
        judge: Judge of SR_1: lexical, simulated or the name of a model; without one there is no SR_1, and of
            moments it is simulated.
        judge_base_url: URL of the judge's server.
    """
    if str(history) == "relevant":
        raise UsageError(
            "history relevant is two queries a task: `fingertip suggest` has it, this task has not"
        )
    if answers not in ANSWER_TEXTS:
        raise UsageError(f"expected answers {' or '.join(ANSWER_TEXTS)}, got {answers!r}")
    options = ModelOptions(
        model=str(get_model()), language=choose_language(dataset, language), max_pixels=max_pixels,
        system_role="merge" if no_system else "keep",
    )  # fmt: skip
    view = TaskView(
        split=split, screenshots=screenshots, history=cast(Any, str(history)),
        protocol=cast(Any, history_from), without=cast(Any, parse_text_list(without, "without")),
        distribution=distribution, sample=sample, seed=seed, users=parse_text_list(users, "users"),
    )  # fmt: skip
    scoring = AnswerScoring(
        embedder=embedder, protocol=protocol, answers=answers, judge=judge, judge_base_url=judge_base_url
    )
    return _make_suggestion_task(Path(dataset).absolute(), view, options, scoring)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerScoring:
    """How answers are scored; the fields are arguments of `suggestion`."""

    embedder: str
    protocol: str
    answers: str
    judge: str | None
    judge_base_url: str | None

    def scorers(self, dataset: Path, *, distribution: bool, moments: bool) -> list[Scorer]:
        """The scorers of the task."""
        if moments:
            judge = self.judge or "simulated"
            values = moment_values(judge=judge, judge_base_url=self.judge_base_url, dataset=str(dataset))
            return [values, suggestion_effort(moments=True)]
        text: dict[str, Any] = {"answers": self.answers, "distribution": distribution}
        found = [suggestion_sim1(embedder=self.embedder, protocol=self.protocol, **text)]
        if self.judge:
            by: dict[str, Any] = {"judge": self.judge, "judge_base_url": self.judge_base_url}
            found.append(suggestion_sr1(**by, dataset=str(dataset), **text))
        return [*found, suggestion_effort(distribution=distribution)]

    def caveats(self, dataset: Path, intents: Sequence[str]) -> list[str | None]:
        """Why scores of this embedder and judge are not comparable with the paper's; None for no reason.

        Raises:
            UsageError: The embedder cannot read the people's intents.
        """
        model = get_embedder(self.embedder)
        check_unknown(measure_unknown(model, (), intents), model.name)
        found = [sim1(["a"], ["a"], embedder=model, protocol=self.protocol).why_not_comparable]
        if self.judge:
            with open_judge(self.judge, base_url=self.judge_base_url, dataset=dataset) as judge:
                found.append(judge.why_not_comparable)
        return found


def _make_suggestion_task(
    dataset: Path, view: TaskView, options: ModelOptions, scoring: AnswerScoring
) -> Task:
    built = BuiltDataset.open(dataset)
    model, moments = InspectModel(get_model(), options), view.of_moments
    agent = ModelSuggester(model, distribution=view.distribution, moments=moments)
    record = view.record(dataset, built, agent)
    samples = list(_make_samples(built, record, options))
    # known before the first answer
    caveats = [
        *([] if moments else scoring.caveats(dataset, [str(sample.target) for sample in samples])),
        *setting_caveats(record, record.tasks),
        *model_caveats(record.agent.settings, hidden_terms(record)),
        SECONDS,
    ]
    return Task(
        dataset=MemoryDataset(samples, name=f"fingertip_20k {record.split}"),
        solver=generate(),
        scorer=scoring.scorers(dataset, distribution=view.distribution, moments=moments),
        # the paper's temperature; --temperature and --max-tokens of Inspect override them
        config=GenerateConfig(temperature=options.temperature, max_tokens=options.max_tokens),
        # a task without an answer counts as not done
        score_on_error=True,
        version=HARNESS,
        headline_metric="moment_values" if moments else "suggestion_sim1",
        metadata={
            "versions": record.versions.model_dump(mode="json") if record.versions else None,
            "not_comparable": [caveat for caveat in caveats if caveat],
            "run": record.model_dump(mode="json"),
        },
    )


def _make_samples(built: BuiltDataset, record: SuggestionRun, options: ModelOptions) -> Iterator[Sample]:
    for one in open_tasks(built, record, ()):
        messages = make_suggestion_messages(
            one.input,
            options.language,
            distribution=record.distribution,
            max_pixels=options.max_pixels,
            moments=record.of_moments,
        )
        yield Sample(
            id=one.input.task_id,
            input=chat_messages(options, messages),
            target=one.target.intent,
            metadata={
                USER: one.target.user_id,
                "app": one.target.app,
                "category": one.target.intent_category,
                **({"kind": one.target.kind} if one.target.kind else {}),
                SHOWN: {
                    "intents": len(one.input.previous_intents),
                    "screenshots": len(one.input.screenshots),
                },
            },
        )
