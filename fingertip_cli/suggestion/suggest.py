"""`fingertip suggest`: track 1, runs an agent that predicts the intents of a split."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.options import shared_options
from fingertip_cli.options.agent_options import prompt_file_options, read_prompt_files
from fingertip_cli.options.given_options import PRICE_OPTIONS, refuse_model_options
from fingertip_cli.options.learned_prompt import note_learned_prompt
from fingertip_cli.options.memory_options import check_memory, memory_options
from fingertip_cli.options.model_options import (
    batch_options,
    model_options,
    open_chosen_model,
    query_options,
    read_options,
    read_prices,
)
from fingertip_cli.printing.failed_tasks import report_failures
from fingertip_cli.printing.json_output import print_json
from fingertip_cli.printing.next_call import print_next_score, repeat_call
from fingertip_cli.printing.outcome_json import suggestion_object
from fingertip_cli.printing.progress import progress
from fingertip_cli.printing.unreadable import report_suggestions, warn_of_unreadable
from fingertip_cli.repeated_tries import (
    carry_out_tries,
    note_equal_tries,
    print_tries,
    refuse_repeats,
    repeats,
)
from fingertip_cli.suggestion.history_model import (
    check_history_model,
    history_model_options,
    open_history_model,
    read_history_prices,
)
from fingertip_cli.suggestion.suggest_human import AGENT as HUMAN
from fingertip_cli.suggestion.suggest_human import answer_on_page, check_options, human_options
from fingertip_cli.suggestion.suggest_month import choose_split, live_months, month_options
from fingertip_dataset.errors import UsageError
from fingertip_dataset.split_names import TEST_SUGGESTION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fingertip_agents.suggestion.suggestion_agent import SuggestionAgent
    from fingertip_dataset.tasks.history import HistoryProtocol
    from fingertip_models.model import Model
    from fingertip_models.prices import Prices
    from suggestion_runner.run_batch import BatchOutcome
    from suggestion_runner.run_outcome import Bill, RunOutcome
    from suggestion_runner.suggestion_records import Hidden, HistoryLength
    from suggestion_runner.task_view import TaskView


@click.command(
    epilog="""\
    fingertip suggest ./fingertip-20k --agent habit --out runs/habit
    fingertip suggest ./fingertip-20k --agent model --model gpt-4.1 --screenshots 1 --out runs/gpt
    fingertip suggest --config run.toml --limit 20
    """
)
@click.argument("dataset", type=click.Path(path_type=Path))
@shared_options.agent()
@shared_options.split(TEST_SUGGESTION)
@shared_options.screenshots
@shared_options.history(relevant=True)
@shared_options.history_from(old="--protocol")
@click.option(
    "--history-intents",
    type=click.Choice(["declared", "inferred"]),
    default="declared",
    show_default=True,
    help="Whose words earlier intents are: the users', or inferred from what they did, by --inferred.",
)
@click.option(
    "--inferred",
    type=click.Path(path_type=Path, dir_okay=False),
    help="With --history-intents inferred: file that `fingertip infer-intents` wrote.",
)
@memory_options
@month_options
@shared_options.without
@shared_options.limit
@shared_options.sample
@shared_options.only_users
@repeats
@shared_options.distribution
@shared_options.keep_going
@prompt_file_options
@model_options
@history_model_options
@batch_options
@query_options
@human_options
@shared_options.run_folder
@shared_options.as_json()
def command(
    dataset: Path,
    agent: str,
    split: str,
    screenshots: int,
    history: HistoryLength,
    history_from: HistoryProtocol | None,
    history_intents: str,
    inferred: Path | None,
    memory: str | None,
    memory_budget: int | None,
    without: tuple[Hidden, ...],
    distribution: bool,
    limit: int | None,
    sample: int | None,
    users: tuple[str, ...] | None,
    repeats: int,
    out: Path,
    as_json: bool,
    **model: Any,  # noqa: ANN401 - as the options of a model have them
) -> None:
    """Run an agent on every task of a split and write each answer into the run's folder.

    The same call again continues a stopped run. Earlier intents are those stored with each episode of the
    dataset; with --history all or relevant, or a --history-from other than the dataset's, they are recomputed
    from its episodes, without the intents of the index tables that have no episode.

    With --backend batch the requests are written to OUT/batch; the same call with --batch-results reads the
    batch API's files and writes the requests that are still open.

    With --repeats K every task has K tries, each in a run of its own with the seed of the first plus its
    number less one; `fingertip score OUT` averages them and prints pass@k and pass^k.

    With --history-intents inferred the same earlier episodes are shown with the intents of --inferred; those
    without one are left out. `fingertip score RUN --against DECLARED_RUN` gives the loss.

    With --memory a memory chooses what is shown of the person's past; it is saved in OUT/memory.
    With --month an agent goes through each person's month of moments in order, and the person answers what it
    suggests: they accept it, say "not now" or "never", or ignore it once they have rejected enough that day.

    --prompt-file puts a text of yours, such as the authors' own prompt, in place of ours.
    With --agent human a local page shows people the content of the prompt, and they answer.
    Exit code 1 if every task of the call failed, or no answer to its first 10 tasks gave an intent.
    """
    from suggestion_runner.task_view import TaskView

    split = choose_split(split, agent, model)
    check_options(agent, model)
    check_memory(memory, agent, model["backend"])
    if (inferred is None) != (history_intents == "declared"):
        raise UsageError("--history-intents inferred and --inferred FILE go together: give both")
    view = TaskView(
        split=split, screenshots=screenshots, history=history, protocol=history_from, without=without,
        distribution=distribution, limit=limit, sample=sample, seed=model["seed"] or 0, users=users or (),
        inferred=inferred, memory=memory, memory_budget=memory_budget,
    )  # fmt: skip
    texts = _read_texts(agent, model["prompt_file"], model["system_prompt_file"])
    if repeats > 1:
        _check_repeatable(agent, model["backend"])
    if agent == HUMAN:
        answer_on_page(dataset, out, view, model, as_json=as_json)
        return
    prices = read_prices(model)
    _check_agent(agent, model["model"])
    check_history_model(model, history)
    _check_model(agent, sample)
    if model["backend"] == "batch":
        _suggest_by_batch(dataset, agent, out, view, prices, model, texts, as_json=as_json)
        return
    if model["results"]:
        raise UsageError(f"--batch-results needs --backend batch, got {model['backend']}")
    given = texts | {"dataset": dataset}
    if repeats > 1:
        _suggest_repeatedly(dataset, agent, out, view, prices, model, given, repeats, as_json=as_json)
        return
    outcome = _suggest_once(dataset, agent, out, view, prices, model, given)
    if as_json:
        print_json(suggestion_object(outcome))
    _print_outcome(outcome, model["currency"], model["max_tokens"])
    _print_next_step(outcome)
    _report_failures(outcome)


def _suggest_once(
    dataset: Path,
    agent: str,
    out: Path,
    view: TaskView,
    prices: Prices | None,
    model: Mapping[str, Any],
    given: Mapping[str, Any],
) -> RunOutcome:
    """Open the model and run the agent; `given` are further fields of its setup."""
    with (
        open_chosen_model(model, out, pictures=view.screenshots > 0) as opened,
        open_history_model(model, out) as history_model,
    ):
        chosen_agent = _agent(agent, view, opened, history_model, {**given, "seed": model["seed"]})
        note_learned_prompt(model, chosen_agent, "suggestion")
        if model["month"]:
            return live_months(dataset, chosen_agent, out, view, prices, model)
        return _run(dataset, chosen_agent, out, view, prices, model)


def _suggest_repeatedly(
    dataset: Path,
    agent: str,
    out: Path,
    view: TaskView,
    prices: Prices | None,
    model: Mapping[str, Any],
    given: Mapping[str, Any],
    repeats: int,
    *,
    as_json: bool,
) -> None:
    """Run every try of a repeated run; all have the tasks of the view, whose sample has the first seed."""
    note_equal_tries(agent, "suggestion", model)

    def carry_out(folder: Path, seed: int) -> RunOutcome:
        outcome = _suggest_once(dataset, agent, folder, view, prices, {**model, "seed": seed}, given)
        _print_outcome(outcome, model["currency"], model["max_tokens"])
        _report_failures(outcome)
        return outcome

    outcomes = carry_out_tries(out, "suggestion", repeats, model["seed"], carry_out)
    print_tries(out, [*map(suggestion_object, outcomes)] if as_json else None)


def _check_repeatable(agent: str, backend: str) -> None:
    """Refuse --repeats for people, and for batch files."""
    if agent == HUMAN:
        raise refuse_repeats("--agent human", "people answer once; --overlap has several people answer")
    if backend == "batch":
        raise refuse_repeats(
            "--backend batch", "make a run of batch files for each seed, each with its --out"
        )


def _check_agent(agent: str, model: str | None) -> None:
    """Refuse a model for an agent without one, or for a name that is no agent of track 1."""
    from fingertip_agents.registry import check_suggestion_name

    if model and agent != "model":
        check_suggestion_name(agent)
        raise UsageError(f"--model {model} needs --agent model, got --agent {agent}")


def _check_model(agent: str, sample: int | None) -> None:
    """Refuse model options for an agent that uses no model."""
    from fingertip_agents.registry import AGENTS, agent_names, agent_traits

    if agent == "model" or agent not in agent_names():
        return  # the registry refuses a wrong name and lists all names
    drawn = ("seed",) if sample or agent_traits(agent, "suggestion").seeded else ()
    used = {"concurrency", *drawn, *(() if agent in AGENTS else PRICE_OPTIONS)}
    groups = (model_options, history_model_options, batch_options, query_options)
    refuse_model_options(agent, *groups, used=used)


def _read_texts(agent: str, prompt_file: str | None, system_prompt_file: str | None) -> dict[str, Any]:
    """Texts in place of our prompt, as fields of the agent's setup.

    Raises:
        UsageError: A file cannot be read, or the agent has no prompt.
    """
    given = {"--prompt-file": prompt_file, "--system-prompt-file": system_prompt_file}
    named = [option for option, place in given.items() if place is not None]
    if named and agent != "model":
        raise UsageError(f"the agent {agent} takes no {', '.join(named)}: only the agent model has a prompt")
    return dict(read_prompt_files(prompt_file, system_prompt_file, "suggestion"))


def _agent(
    name: str,
    view: TaskView,
    opened: Model | None,
    history_model: Model | None = None,
    given: Mapping[str, Any] | None = None,
) -> SuggestionAgent:
    """Construct the agent; `given` are further fields of its setup."""
    from fingertip_agents import get_agent
    from fingertip_agents.setup import AgentSetup

    setup = AgentSetup(
        opened=opened,
        distribution=view.distribution,
        moments=view.of_moments,
        relevant=view.history == "relevant",
        history_model=history_model,
        **(given or {}),
    )
    return get_agent(name, setup)


def _run(
    dataset: Path,
    agent: SuggestionAgent,
    out: Path,
    view: TaskView,
    prices: Prices | None,
    model: Mapping[str, Any],
) -> RunOutcome:
    from dataclasses import asdict

    from suggestion_runner import run_suggestions

    with progress() as report:
        return run_suggestions(
            dataset,
            agent,
            out,
            **asdict(view),
            concurrency=model["concurrency"],
            prices=prices,
            history_prices=read_history_prices(model),
            keep_going=model["keep_going"],
            **report_suggestions(report, "tasks answered", model["currency"]),
        )


def _history_model_usage(outcome: RunOutcome, currency: str) -> str:
    """Describe the calls and the cost of the history model."""
    parts = [f"{outcome.history_calls:,} calls"]
    parts += [f"{outcome.history_cached:,} from a cache"] if outcome.history_cached else []
    bill = outcome.history_bill
    if bill.prices is not None:
        parts.append(f"cost {_cost_text(bill, currency)}")
    if bill.uncounted:
        parts.append(f"without {bill.uncounted:,} calls of unknown token counts")
    return ", ".join(parts)


def _cost_text(bill: Bill, currency: str) -> str:
    before = f", {bill.paid_before:.4f} {currency} of it paid before" if bill.paid_before else ""
    return f"{bill.cost:.4f} {currency}{before}"


def _print_outcome(outcome: RunOutcome, currency: str, max_tokens: int) -> None:
    """Print the outcome counts and the cost."""
    from suggestion_runner.moments.never_spoke import explain_silence
    from suggestion_runner.prediction_log import read_predictions, read_run

    if outcome.dropped is not None:
        click.echo(
            f"line {outcome.dropped} of predictions.jsonl was cut off: dropped, its task queried again"
        )
    out, total = outcome.folder, f"{outcome.tasks:,}"
    if not outcome.queried:
        click.echo(f"{out}: finished before, {total} of {total} tasks: nothing to do")
        _warn_of_cuts(outcome, max_tokens)
        return
    before = f", {outcome.answered_before:,} answered before" if outcome.answered_before else ""
    cut = f", {outcome.cut:,} cut off before their end" if outcome.cut else ""
    click.echo(
        f"{out}: {outcome.queried:,} of {total} tasks queried{before}, {outcome.unanswered:,} unanswered{cut}"
    )
    facts = {name: f"{count:,}" for name, count in sorted(outcome.outcomes.items())}
    if outcome.cached:
        facts["from a cache"] = f"{outcome.cached:,}"
    bill = outcome.bill
    if bill.prices is not None:
        unknown = f", without {bill.uncounted:,} tasks of unknown token counts" if bill.uncounted else ""
        facts["cost"] = _cost_text(bill, currency) + unknown
    if outcome.history_calls or outcome.history_bill.prices is not None:
        facts["history model"] = _history_model_usage(outcome, currency)
    width = max(map(len, facts), default=0)
    for name, fact in facts.items():
        click.echo(f"  {name:<{width}}  {fact}")
    if noted := outcome.answers.describe_notes():
        click.echo(f"{noted}; the lines of predictions.jsonl have them")
    warn_of_unreadable(outcome.answers)
    _warn_of_cuts(outcome, max_tokens)
    if why := explain_silence(read_run(outcome.folder), read_predictions(outcome.folder)):
        click.echo(f"warning: {why}", err=True)


def _print_next_step(outcome: RunOutcome) -> None:
    """Name the command that scores the answers, unless there are none."""
    if not outcome.all_failed:
        print_next_score(outcome.folder, suggestion=True)


def _report_failures(outcome: RunOutcome) -> None:
    """Warn of the tasks that have no answer, and advise whether to call again; all of a call are an error."""
    again = "no call queries them again"
    if outcome.queried_again:
        count, times = outcome.queried_again, outcome.most_tries
        again = f"the same call queries {count:,} of them again, {times} times in all"
    report_failures(outcome.failed, all_failed=outcome.all_failed, advice=again)


def _warn_of_cuts(outcome: RunOutcome, max_tokens: int) -> None:
    """Warn how many answers the token limit cut, and advise a higher limit or a larger context."""
    from suggestion_runner.context_limits import context_signs, cut_before_limit
    from suggestion_runner.cut_answers import advise_on_cuts
    from suggestion_runner.prediction_log import read_predictions, read_run

    lines, settings = read_predictions(outcome.folder), read_run(outcome.folder).agent.settings
    for sign in context_signs(lines, settings):
        click.echo(f"warning: {sign}", err=True)
    if outcome.cut == cut_before_limit(lines, settings):
        return
    answers = (
        f"{outcome.cut:,} of the run's answers were" if outcome.cut > 1 else "1 of the run's answers was"
    )
    click.echo(
        f"warning: {answers} cut at the limit of {max_tokens:,} tokens, reasoning included, and count as no "
        f"answer: {advise_on_cuts(lines, max_tokens)}",
        err=True,
    )


def _suggest_by_batch(
    dataset: Path,
    agent: str,
    out: Path,
    view: TaskView,
    prices: Prices | None,
    model: Mapping[str, Any],
    texts: Mapping[str, Any],
    *,
    as_json: bool,
) -> None:
    from fingertip_models.batch_files import BatchModel
    from suggestion_runner.run_batch import BATCH, run_batch

    options = read_options(model)
    if options is None:
        raise UsageError("--backend batch needs --model NAME")
    for name in ("cache", "no_cache", "requests_per_minute"):
        if model[name]:
            raise UsageError(f"--{name.replace('_', '-')} has no effect with --backend batch: leave it out")
    opened = BatchModel(options, out / BATCH)
    try:
        with progress() as report:
            outcome = run_batch(
                dataset,
                _agent(agent, view, opened, None, texts),
                opened,
                out,
                view=view,
                results=model["results"],
                prices=prices,
                on_progress=lambda done, total: report("tasks prepared", done, total),
            )
    finally:
        opened.close()
    if as_json:
        print_json(suggestion_object(outcome.run, outcome))
    _print_batch_outcome(outcome, model["results"], model["currency"], model["max_tokens"])
    if outcome.run.queried or not outcome.waiting:
        _report_failures(outcome.run)


def _print_batch_outcome(
    outcome: BatchOutcome, files: Sequence[Path], currency: str, max_tokens: int
) -> None:
    """Print the answers read from each file, the open tasks, and the next step."""
    for file, result in zip(files, outcome.results, strict=True):
        repeated = f", {result.repeated:,} known before" if result.repeated else ""
        click.echo(f"{file}: {result.answers:,} answers{repeated}, {len(result.problems):,} others")
        for problem in result.problems:
            click.echo(f"  {problem}")
    if outcome.run.queried or not outcome.waiting:
        _print_outcome(outcome.run, currency, max_tokens)
    if not outcome.waiting:
        _print_next_step(outcome.run)
        return
    click.echo(f"{outcome.run.folder}: {len(outcome.waiting):,} of {outcome.run.tasks:,} tasks wait")
    if files:
        for task in outcome.waiting:
            click.echo(f"  {task}")
    for request in outcome.requests:
        click.echo(f"  {request}")
    click.echo(
        "Upload these files to the provider's batch API for /v1/chat/completions. Then read each file that"
    )
    click.echo(f"it returns: {repeat_call('--batch-results', 'FILE')}")
