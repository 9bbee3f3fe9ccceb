"""Track 2: compare the scored actions with the raw outputs, which are parsed again where possible."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import get_args

from execution_runner.execution_log import Attempt
from execution_runner.execution_records import STEPS, ExecutionRun, StepRecord
from fingertip_agents.execution_agent import ScreenInput
from fingertip_agents.formats.open_app import is_way_to
from fingertip_agents.model_agent import Format
from fingertip_agents.parsing.reading import Reading, choose_scored_text
from fingertip_agents.registry import FORMATS, agent_traits, make_format
from fingertip_dataset.actions import canonical, format_action, parse_action
from fingertip_dataset.errors import ActionSyntaxError, FingerTipError, InputError
from fingertip_dataset.tasks.task import ExecutionInput, ExecutionTask
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_models.messages import Language
from fingertip_runs.device_kinds import DEVICE_KINDS
from fingertip_runs.run_record import AgentRecord

WAIT = "wait()"

MOST_SIZES = 10
"""Maximum number of screen sizes in a run; two are usual, portrait and landscape."""


def check_steps_read(read: ReadBundle, targets: Mapping[str, ExecutionTask], found: Refusals) -> None:
    """Refuse actions that contradict the outputs.

    Args:
        read: A bundle of track 2 with an attempt for every task.
        targets: Task id -> task.
        found: Collects the refusals.
    """
    agent = read.bundle.run.agent
    answer_form = agent_traits(agent.name, "execution").answer_form
    form = our_format(agent) if answer_form == "points" else None
    run = read.bundle.run
    simulated = isinstance(run, ExecutionRun) and DEVICE_KINDS[run.device].simulated
    replayed = simulated and our_format(agent) is not None  # parsed again on the replayed screens
    if agent.name in FORMATS and form is None and not replayed:
        found.remark(
            f"outputs of {agent.name} cannot be parsed again without its screens and this version's prompt"
        )
    task_input = next(iter(targets.values())).input
    reader = _StepReader(form, language_of(agent), task_input) if form else None
    for numbered in read.executions:
        attempt = numbered.record
        wrong = False
        for place, step in enumerate(attempt.steps, start=1):
            reason = _check_step(step, literal=answer_form == "action")
            if reason:
                wrong = True
                found.refuse(RefusalKind.WRONG_READING, f"{reason} at step {place}", STEPS, numbered.line)
            if step.queries and not (step.output or step.completion_tokens == 0):
                reason = f"a model was called at step {place}, but its output is missing"
                found.refuse(RefusalKind.MISSING_OUTPUT, reason, STEPS, numbered.line)
        if reader is not None and not wrong:
            _parse_attempt_again(reader, attempt, numbered.line, found)
    if reader is None and not replayed and not (isinstance(run, ExecutionRun) and run.attached):
        _remark_unparsed(read, found)


def _remark_unparsed(read: ReadBundle, found: Refusals) -> None:
    """Remark the scored texts that nothing was performed for, where no format here can confirm it."""
    steps = [step for one in read.executions for step in one.record.steps]
    unparsed = sum(step.problem is not None for step in steps)
    if unparsed:
        found.remark(
            f"{unparsed} of {len(steps)} scored texts are outputs that, by the submitter's word, could not "
            "be parsed: nothing was performed for them"
        )


def _check_step(step: StepRecord, *, literal: bool) -> str:
    """The problem of a step, or ""; `literal` means that the agent's output is the action itself."""
    try:
        spelled = format_action(parse_action(step.action))
    except ActionSyntaxError as error:
        return error.message
    if spelled != step.action:
        return f"the action must be spelled {spelled}, got {step.action}"
    # an output that cannot be parsed is scored as written, and a wait is performed
    unread = (
        step.problem is not None and step.action == WAIT and step.written == choose_scored_text(step.output)
    )
    if not unread and canonical(step.written) != step.action:
        return f"the action {step.action} was scored, but {step.written!r} was written"
    if step.written != step.action and step.written not in step.output:
        return f"{step.written!r:.200} is not in the output {step.output!r:.200}"
    if literal and canonical(step.output) != step.action:
        return f"the agent's output is {step.output!r}, got {step.action}"
    if literal and step.written not in (step.action, step.output):
        return f"the agent's output is {step.output!r}, but {step.written!r:.200} was scored"
    return ""


def our_format(agent: AgentRecord) -> Format | None:
    """The output format of a run's agent; None if this version does not have it, or has another one."""
    settings = agent.settings
    if agent.name not in FORMATS:
        return None  # an agent of an installed package, whose format is unknown here
    given = {name: value for name, value in settings.items() if value is not None}
    try:
        form = make_format(agent.name, **given)
    except (FingerTipError, TypeError, ValueError):
        return None
    claimed = {key: settings.get(key) for key in form.settings}
    # another version of the prompt may parse outputs in another way
    same = settings.get("prompt") == form.version and settings.get("language") in get_args(Language)
    return form if same and claimed == dict(form.settings) else None


def language_of(agent: AgentRecord) -> Language:
    """Language of a run's prompts."""
    return "en" if agent.settings.get("language") == "en" else "zh"


class _StepReader:
    """Parses outputs with a format; parsing depends only on the screen's size, so blank screens are used.

    Args:
        form: Format whose answers contain points.
        language: Language of the run's prompts.
        task_input: Input of any task.
    """

    def __init__(self, form: Format, language: Language, task_input: ExecutionInput) -> None:
        self._form = form
        self._language = language
        self._task_input = task_input
        self._by_size: dict[tuple[int, int], Callable[[str], Reading]] = {}

    def read(self, output: str, size: tuple[int, int]) -> Reading:
        """Parse an output for a screen of that size, px.

        Raises:
            FingerTipError: The format does not support that size, or the run has too many sizes.
        """
        if size not in self._by_size:
            if len(self._by_size) >= MOST_SIZES:
                raise InputError(f"screens of more than {MOST_SIZES} sizes")
            screen = ScreenInput(screenshot=blank_png(size), tree=None, size=size, package="")
            self._by_size[size] = self._form.prepare(self._task_input, screen, (), self._language).read
        return self._by_size[size](output)


def _parse_attempt_again(reader: _StepReader, attempt: Attempt, number: int, found: Refusals) -> None:
    """Compare every decision of an attempt with its output."""
    place = 0
    while place < len(attempt.steps):
        step = attempt.steps[place]
        try:
            reading = reader.read(step.output, step.size)
        except FingerTipError as error:
            reason = f"{error.message} at step {place + 1}"
            found.refuse(RefusalKind.WRONG_READING, reason, STEPS, number)
            return
        place += _compare_decision(reading, attempt.steps[place:], place, number, found)


def _compare_decision(
    reading: Reading, steps: Sequence[StepRecord], place: int, number: int, found: Refusals
) -> int:
    """Number of steps of a decision, which is refused if its actions are not those of the output."""
    spelled = [format_action(action) for action in reading.actions] or [WAIT]
    same = 1
    while same < min(len(spelled), len(steps)) and _is_same_decision(steps[0], steps[same]):
        same += 1
    got = [step.action for step in steps[:same]]
    cut_short = same < min(len(spelled), len(steps)) and steps[same - 1].on_trace is not False
    if reading.opens and is_way_to(reading.opens, parse_action(got[0])):
        spelled[0] = got[0]  # which step it is depends on the screen
    if cut_short or got != spelled[:same] or (not reading.actions) != (steps[0].problem is not None):
        expected = ", ".join(spelled) if reading.actions else "nothing that can be parsed"
        reason = f"the output says {expected}, got {', '.join(got)} at step {place + 1}"
        found.refuse(RefusalKind.WRONG_READING, reason, STEPS, number)
    for step, text in zip(steps, reading.raw[:same], strict=False):
        if step.written not in (step.action, text):
            reason = f"the output says {text!r:.200}, but {step.written!r:.200} was scored"
            found.refuse(RefusalKind.WRONG_READING, f"{reason} at step {place + 1}", STEPS, number)
    return same


def _is_same_decision(first: StepRecord, later: StepRecord) -> bool:
    """Whether a step is a further action of the same decision."""
    return later.output == first.output and later.queries == 0 and later.agent_s == 0


@lru_cache(maxsize=MOST_SIZES)
def blank_png(size: tuple[int, int]) -> bytes:
    """A white PNG of that size, px."""
    from PIL import Image

    stream = io.BytesIO()
    Image.new("RGB", size, "white").save(stream, "png")
    return stream.getvalue()
