"""Replay of the inputs of an attached agent on a fresh phone of the same person: its steps and its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from execution_runner.attached.attached_environment import begin_watched
from execution_runner.attached.input_steps import InputStep, InputSteps, observe_tree
from execution_runner.environments.dialogue_session import add_dialogue
from execution_runner.environments.environment import RuleResult
from execution_runner.environments.simulated import StateEvaluation
from fingertip_runs.input_lines import InputsEndLine
from simulated_phone import Pictures
from simulated_phone.dialogue.conversation import Conversation
from simulated_phone.logged_input import LoggedInput
from simulated_phone.people.simulation import Simulation
from simulated_phone.repeated_inputs import RepeatError, repeat_inputs, wait_until
from simulated_phone.screens.rough_trees import TreeKind
from simulated_phone.watched_phone import PhoneInput, WatchedPhone


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedInputs:
    """The result of a replay.

    Attributes:
        steps: The steps that the inputs are.
        numbers: Number of the input of each step, from 1; for a text of the one that follows it.
        answer: The agent's answer to the task's question; None for none.
        rule: The rule's result on the phone at the end.
        by_command: Whether a command reached the goal, and no touch.
    """

    steps: tuple[InputStep, ...]
    numbers: tuple[int, ...]
    answer: str | None
    rule: RuleResult
    by_command: bool


def replay_inputs(
    simulation: Simulation,
    log: Sequence[LoggedInput],
    end: InputsEndLine | None,
    *,
    answers: bool,
    conversation: Conversation | None = None,
    trees: TreeKind = "clean",
    pictures: Pictures | None = None,
) -> ReplayedInputs:
    """Repeat the log of an attempt.

    Args:
        simulation: Setup of the phone, and the task's goal.
        log: The inputs.
        end: When the agent ended; None if the phone failed before.
        answers: Whether the agent ended by itself, so that its answer counts.
        conversation: What the person replies and agrees to; None if nobody answers.
        trees: Kind of the phone's accessibility trees.
        pictures: Drawn screens of other phones.

    Raises:
        RepeatError: The log is not one of this phone; the message names the input.
        FingerTipError: The phone cannot be set up.
    """
    phone = WatchedPhone(size=simulation.size, trees=trees, pictures=pictures)
    begin_watched(phone, simulation)
    evaluate = StateEvaluation(simulation, lambda work: work(phone))
    found: list[tuple[InputStep, int]] = []
    own = phone.start_log()
    steps = InputSteps(phone, lambda step: found.append((step, len(own) + 1)), look=observe_tree)

    def take(given: PhoneInput) -> None:
        evaluate.look(phone)
        if conversation is not None:
            conversation.judge(phone)
        steps.add(given)

    phone.watch(take, simulation.goal_instance)
    if conversation is not None:
        _answer_questions(phone, steps, conversation)
    number = repeat_inputs(phone, log)
    if end is not None:
        wait_until(phone, end.at_ms, number + 1)
        if end.state_sha256 != phone.state_sha256():
            raise RepeatError(number + 1, "the phone ends in another state than the replay")
    evaluate.look(phone)
    phone.report_changes()
    steps.flush()
    answer = phone.answer if answers else None
    rule = evaluate(answer)
    if conversation is not None:
        conversation.judge(phone)
        rule = add_dialogue(rule, conversation)
    return ReplayedInputs(
        steps=tuple(step for step, _ in found),
        numbers=tuple(number for _, number in found),
        answer=phone.answer,
        rule=rule,
        by_command=phone.reached_by_command,
    )


def _answer_questions(phone: WatchedPhone, steps: InputSteps, conversation: Conversation) -> None:
    """Let the person answer the questions that the phone is given from now on, as in the run."""

    def reply(question: str) -> str:
        conversation.judge(phone)
        given = conversation.reply(question)
        steps.ask(question, given)
        if given.kind == "out_of_patience":
            phone.on_question = None
        return given.text

    conversation.begin(phone)
    phone.on_question = reply
