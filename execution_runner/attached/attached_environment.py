"""The simulated phone as the environment of an attached agent, which drives it over adb by itself.

`run_task` is fed from the phone: an observation is the screen before an input, the decision is that input,
and the step does nothing more, because the phone has acted on it already.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, Literal, TypeVar

from execution_runner.attached.agent_command import AgentCommand, check_values, fill_values, list_values
from execution_runner.attached.input_steps import NO_FOCUS, UNKNOWN, InputStep, InputSteps, observe
from execution_runner.devices.adb_client import AdbClient
from execution_runner.devices.device import Observation
from execution_runner.devices.in_process_device import InProcessDevice
from execution_runner.environments.dialogue_session import MakeAnswerer, add_dialogue, make_reply_result
from execution_runner.environments.environment import AttemptEnd, RuleResult, StepResult
from execution_runner.environments.simulated import (
    StateEvaluation,
    apply_rule,
    ask,
    check_faults,
    set_up,
    simulation_of,
    start_simulated,
)
from execution_runner.execution_records import BY_COMMAND, StartRecord
from execution_runner.execution_view import EQUATION_2, ExecutionView
from fingertip_agents.execution_agent import Decision, PastStep, ScreenInput
from fingertip_agents.formats.prompt_wording import make_task_values
from fingertip_dataset.actions import Action, Finished
from fingertip_dataset.errors import DeviceError, ModelError, UsageError
from fingertip_dataset.tasks.task import ExecutionInput, ExecutionTask
from fingertip_models.messages import Language
from fingertip_runs.input_lines import InputsEndLine, write_lines
from simulated_phone import Phone, PhoneSetupError, SimulatedPhoneServer
from simulated_phone.dialogue.conversation import Conversation
from simulated_phone.logged_input import LoggedInput
from simulated_phone.people.simulation import Simulation
from simulated_phone.screens.rough_trees import TreeKind
from simulated_phone.watched_phone import PhoneInput, WatchedPhone

_Result = TypeVar("_Result")

CHECK_SECONDS = 5.0
"""Seconds without an input of the agent after which it is checked that the phone still answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentEnd:
    """The end of an attached agent's work.

    Attributes:
        code: Exit code of its command; 0 if a person ended the task.
    """

    code: int = 0


class AttachedSession:
    """An `EnvironmentSession` whose actions the phone has performed already.

    Args:
        server: The phone's server.
        phone: The phone.
        simulation: The task's set-up and goal.
        task_id: Id of the task.
        start: Where the attempt begins.
        conversation: What is asked and answered; None if nobody answers.

    Attributes:
        start: As given.
    """

    gaps: tuple[int, ...] = ()

    def __init__(
        self,
        server: SimulatedPhoneServer,
        phone: WatchedPhone,
        simulation: Simulation,
        task_id: str,
        start: StartRecord,
        conversation: Conversation | None = None,
    ) -> None:
        self.task_id, self.start, self._conversation = task_id, start, conversation
        self._server, self._phone, self._simulation = server, phone, simulation
        # reentrant: a signal's handler may end the session while it waits here
        self._waiting: SimpleQueue[InputStep | AgentEnd | KeyboardInterrupt] = SimpleQueue()
        self._steps = InputSteps(phone, self._waiting.put)
        self._here: Phone | None = None
        self._evaluate = StateEvaluation(simulation, self._do)
        self._rule, self._last_screen = RuleResult(), b""
        self._log: Sequence[LoggedInput] = ()
        self._log_end: InputsEndLine | None = None
        self._end: AgentEnd | None = None
        self._is_over = False
        self._step: InputStep | None = None
        self.command: AgentCommand | None = None

    def _do(self, work: Callable[[Phone], _Result]) -> _Result:
        """Run a function on the phone, from any thread."""
        return ask(self._server, work) if self._here is None else work(self._here)

    def watch(self) -> None:
        """Take the phone's inputs from now on.

        Raises:
            DatasetError: The goal does not fit the phone.
        """
        ask(self._server, self._watch)

    def _watch(self, phone: Phone) -> None:
        goal = self._simulation.goal_instance
        # a goal that does not fit the phone is an error now, and not one of the agent's commands
        apply_rule(phone, goal)
        self._phone.watch(self._take, goal)
        self._log = self._phone.start_log()
        if self._conversation is not None:
            self._conversation.begin(phone)
            phone.on_question = self._take_question

    def _take(self, given: PhoneInput) -> None:
        """Take an input that the phone is about to act on."""
        if self._is_over:
            self._stop_watching(self._phone)
            return
        self._evaluate.look(self._phone)
        if self._conversation is not None:
            self._conversation.judge(self._phone)
        self._steps.add(given)

    def _take_question(self, question: str) -> str | None:
        """Take a question that came over adb, and return the reply."""
        if self._conversation is None:
            return None
        self._conversation.judge(self._phone)
        reply = self._conversation.reply(question)
        self._steps.ask(question, reply)
        if reply.kind == "out_of_patience":
            # what an agent does from here on counts for nothing, but this question is still to be logged
            self._is_over, self._phone.on_question = True, None
        return reply.text

    def finish(self, code: int = 0) -> None:
        """End the agent's work; callable from any thread and from a signal's handler."""
        self._waiting.put(AgentEnd(code=code))

    def interrupt(self) -> None:
        """Leave the task open, as Ctrl-C does in the main thread; callable from a signal's handler."""
        self._waiting.put(KeyboardInterrupt())

    def before(self) -> tuple[PastStep, ...]:
        """Empty: nothing is done before the first screen."""
        return ()

    def observe(self) -> Observation:
        """Wait for the next step, and return the screen before it."""
        if self._end is None or not self._waiting.empty():
            found = self._next()
            if isinstance(found, AgentEnd):
                self._end = self._end or found
                ask(self._server, self._flush_last_steps)
                return self.observe()
            self._step = found
            return found.seen
        self._step = None
        return ask(self._server, observe)

    def _next(self) -> InputStep | AgentEnd:
        """Wait for the next step or the end of the agent's work, as long as the phone answers."""
        while True:
            with suppress(Empty):
                found = self._waiting.get(timeout=CHECK_SECONDS)
                if isinstance(found, KeyboardInterrupt):
                    raise found
                return found
            ask(self._server, lambda _: None)

    def _flush_last_steps(self, phone: Phone) -> None:
        self._evaluate.look(phone)
        self._phone.log_writes()
        self._phone.report_changes()
        self._steps.flush()
        self._stop_watching(phone, answer=phone.answer)

    def _stop_watching(self, phone: Phone, answer: str | None = None) -> None:
        """Take no more inputs, and judge the phone as it is now: what is done later counts for nothing."""
        self._phone.watch(None)
        phone.on_question = None
        if self._phone.log is None:
            return
        self._phone.log_writes()
        self._phone.log = None
        self._log_end = InputsEndLine(
            task_id=self.task_id,
            inputs=len(self._log),
            at_ms=self._phone.log_ms,
            state_sha256=phone.state_sha256(),
        )
        self._last_screen = phone.screenshot_png()
        # this is the phone's own thread, which would wait for itself
        self._here = phone
        try:
            self._rule = self._evaluate(answer)
            if self._conversation is not None:
                self._conversation.judge(phone)
                self._rule = add_dialogue(self._rule, self._conversation)
        finally:
            self._here = None

    @property
    def inputs(self) -> bytes:
        """Lines of the inputs that reached the phone; without their end after an error of the phone."""
        return write_lines(self.task_id, self._log, self._log_end)

    def decision(self) -> Decision:
        """The observed step as a decision; `finished()` at the end.

        Raises:
            ModelError: The agent's command failed.
        """
        if self._step is not None:
            return self._step.decision
        if self._end is not None and self._end.code:
            raise ModelError(f"the agent's command ended with exit code {self._end.code}")
        answer = ask(self._server, lambda phone: phone.answer)
        return Decision(output="", actions=(Finished(content=answer),), **UNKNOWN)

    def step(self, action: Action) -> StepResult:
        """Nothing: the phone has acted already. `finished()` ends the attempt."""
        if self._step is None:
            reason = BY_COMMAND if self._phone.reached_by_command else ""
            return StepResult(end=AttemptEnd(outcome="terminated", reason=reason))
        if self._step.reply is not None:
            return make_reply_result(self._step.reply)
        effective = self._step.effective
        return StepResult(performed=effective, note="" if effective else NO_FOCUS)

    def last_screen(self) -> bytes:
        """End the agent's command, and return a screenshot."""
        self.close()
        return self._last_screen

    def evaluate(self) -> RuleResult:
        """The result of the rule of success when the agent ended."""
        return self._rule

    def close(self) -> None:
        """End the agent's command, and take no more inputs."""
        if self.command is not None:
            self.command.stop()
        ask(self._server, self._stop_watching)


class AttachedEnvironment:
    """An `Environment` for an attached agent: a simulated phone in the state of each task.

    Args:
        name: Name of the phone in the log.
        simulations: Task id -> set-up of the phone.
        port: Local TCP port of the phone; 0 selects a free one.
        faults: Faults that are on in addition to those of the task.
        trees: Kind of the phone's accessibility trees, as of `Phone`.
        real_time: Whether the phone's clock follows the real one.
        command: Command that is started for each task and whose end is the task's; empty if a person starts
            the agent and calls `finish`. It may hold the names of `COMMAND_VALUES`.
        language: Language of the headings in these values.
        view: Parts of the task in these values; the agent sees the phone's screen by itself.
        answers: Makes who answers the agent's questions; None if nobody does.
        on_begin: Called when the phone is ready for a task, with the task and the phone's serial.

    Raises:
        UsageError: There is no such fault, or the command has a value that is unknown or that the view hides.
    """

    kind: Literal["simulated"] = "simulated"

    def __init__(
        self,
        name: str,
        simulations: Mapping[str, Mapping[str, Any]],
        *,
        port: int = 0,
        faults: Collection[str] = (),
        trees: TreeKind = "clean",
        real_time: bool = True,
        command: Sequence[str] = (),
        language: Language = "zh",
        view: ExecutionView = EQUATION_2,
        answers: MakeAnswerer | None = None,
        on_begin: Callable[[ExecutionTask, str], None] = lambda task, serial: None,
    ) -> None:
        check_faults(faults)
        check_values(command)
        view.check_names(list_values(command), "the agent's command")
        self.name = name
        self.view = view
        self.faults = tuple(sorted(set(faults)))
        self.trees = trees
        self._answers = answers
        self._simulations, self._port, self._real_time = simulations, port, real_time
        self._command, self._language, self._on_begin = tuple(command), language, on_begin
        self._phone: WatchedPhone | None = None
        self._server: SimulatedPhoneServer | None = None
        self.session: AttachedSession | None = None

    def begin(self, task: ExecutionTask) -> AttachedSession:
        """Put the phone in the task's state, launch the task's app, and start the command, if there is one.

        Raises:
            AppStartError: The app does not come up.
            DeviceError: adb cannot reach the phone, or its lock asks for a secret.
            DatasetError: The dataset lacks the phone's setup.
            UsageError: The port is taken, or the command cannot be started.
        """
        simulation = simulation_of(self._simulations, task.task_id)
        server, phone = self._start_phone(simulation)
        # before the phone is watched: the launch is no step of the agent
        start = ask(server, lambda _: begin_watched(phone, simulation, self.faults))
        conversation = Conversation(self._answers(task, simulation), simulation) if self._answers else None
        self.session = AttachedSession(server, phone, simulation, task.task_id, start, conversation)
        self.session.watch()
        self._on_begin(task, server.serial)
        if self._command:
            self.session.command = self._start_command(task, server.serial, self.session)
        return self.session

    def _start_phone(self, simulation: Simulation) -> tuple[SimulatedPhoneServer, WatchedPhone]:
        """A new phone of the simulation's size, on a port of its own unless one is given.

        What is left of the agent of another task finds no phone on its serial.
        """
        self.close()
        size = simulation.size
        try:
            self._phone = WatchedPhone(size=size, faults=self.faults, trees=self.trees)
            server = SimulatedPhoneServer(self._phone, port=self._port, real_time=self._real_time)
            self._server = server.__enter__()
        except PhoneSetupError as error:
            raise UsageError(str(error)) from None
        return self._server, self._phone

    def _start_command(self, task: ExecutionTask, serial: str, session: AttachedSession) -> AgentCommand:
        AdbClient.find(serial)
        shown_input = self.view.show_task(task.input)
        values = {"serial": serial, "task_id": task.task_id, **make_task_values(shown_input, self._language)}
        return AgentCommand(fill_values(self._command, values), {"ANDROID_SERIAL": serial}, session.finish)

    def finish(self) -> None:
        """End the task at hand, as done by the agent."""
        if self.session is not None:
            self.session.finish()

    def interrupt(self) -> None:
        """Leave the task at hand open."""
        if self.session is not None:
            self.session.interrupt()

    def _end_session(self) -> None:
        session, self.session = self.session, None
        if session is not None:
            session.close()

    def restart(self) -> None:
        """End the agent's command and switch the phone off."""
        self.close()

    def close(self) -> None:
        """End the agent's command and switch the phone off."""
        server, self._server, self._phone = self._server, None, None
        if server is None:
            return
        try:
            # a phone that hangs takes no more inputs anyway
            with suppress(DeviceError):
                self._end_session()
            if self._command:
                with suppress(DeviceError):
                    AdbClient(server.serial).disconnect()
        finally:
            server.__exit__(None, None, None)


def begin_watched(phone: Phone, simulation: Simulation, faults: Collection[str] = ()) -> StartRecord:
    """Put a phone in a task's state, awake and with the task's app open; nothing is logged or reported yet.

    Raises:
        AppStartError: The app does not come up.
        DeviceLockedError: The phone's lock asks for a PIN.
        DatasetError: The setup does not fit the phone.
    """
    set_up(phone, simulation, faults)
    device = InProcessDevice(phone)
    if not phone.screen_on or phone.locked:
        device.wake()
    return start_simulated(simulation, device)


class AttachedAgent:
    """An `ExecutionAgent` whose decisions are what the phone saw of the attached one.

    Args:
        name: Name of the agent, for tables.
        environments: The phones that it drives, each with a task of its own.
        real_time: Whether the phone's clock follows the real one.
    """

    def __init__(
        self, name: str, environments: Sequence[AttachedEnvironment], *, real_time: bool = True
    ) -> None:
        self.name = name
        self.settings = {"clock": "real" if real_time else "still"}
        self._environments = tuple(environments)

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        """The step that the session observed."""
        sessions = [one.session for one in self._environments]
        for session in sessions:
            if session is not None and session.task_id == task_input.task_id:
                return session.decision()
        raise ModelError("the phone is off", episode_id=task_input.task_id)
