"""The environment of a simulated phone: over the real adb, reset for each task, success by rule."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from pydantic import JsonValue

from execution_runner.devices.device import Device
from execution_runner.environments.app_start import LaunchingDevice, begin_at_home, launch_app
from execution_runner.environments.environment import RuleResult, StepResult
from execution_runner.environments.phone_session import PhoneSession
from execution_runner.execution_records import StartRecord, StateRecord
from fingertip_dataset.actions import Action
from fingertip_dataset.errors import DatasetError, DeviceError, DeviceTimeoutError, UsageError
from fingertip_dataset.similar_names import did_you_mean
from fingertip_dataset.tasks.task import ExecutionTask
from simulated_phone import (
    Fact,
    GoalInstance,
    Phone,
    PhoneHungError,
    PhoneSetupError,
    Pictures,
)
from simulated_phone.answer_on_screen import AnswerOnScreen, answer_on_screen
from simulated_phone.goals.app_definition import find_goal
from simulated_phone.machine.faults import HUGE_TREE, LAGGING_TREE, MOVING_SCREEN, WIFI_OUTAGE, parse_fault
from simulated_phone.people.goal_ways import judge_state
from simulated_phone.people.simulation import Simulation
from simulated_phone.phone_errors import PhoneNameError, UnknownFaultError
from simulated_phone.screens.rough_trees import TreeKind
from simulated_phone.versions import check_suite

if TYPE_CHECKING:
    from execution_runner.devices.adb import AdbDevice
    from simulated_phone import SimulatedPhoneServer

_Result = TypeVar("_Result")

_AS_REAL = {MOVING_SCREEN, LAGGING_TREE, HUGE_TREE}
"""Faults with which a phone is observed as a person's is: for a limited time, and again if its tree lags."""

ALSO = "suggested goal"
"""Name of the fact that says whether one of a task's further goals is reached."""


class SimulatedEnvironment:
    """An `Environment` of a simulated phone, which is replaced if a task's screen has another size.

    Args:
        name: Name of the environment, in place of a serial.
        simulations: Task id -> setup of the phone for the person, as `Simulation.to_json` writes it.
        server_port: TCP port of the adb server.
        faults: Faults that are on in addition to those of the task; see `simulated_phone.machine.faults`.
        trees: Kind of the phone's accessibility trees, as of `Phone`.

    Attributes:
        also: Task id -> further goals; whether one is reached is noted among the facts of an attempt.

    Raises:
        UsageError: There is no such fault.
    """

    kind: Literal["simulated"] = "simulated"

    def __init__(
        self,
        name: str,
        simulations: Mapping[str, Mapping[str, Any]],
        *,
        server_port: int,
        faults: Collection[str] = (),
        trees: TreeKind = "clean",
    ) -> None:
        check_faults(faults)
        self.name = name
        self._simulations = simulations
        self._port = server_port
        self.faults = tuple(sorted(set(faults)))
        self.trees = trees
        self.also: Mapping[str, Sequence[GoalInstance]] = {}
        self._pictures = Pictures()
        self._server: SimulatedPhoneServer | None = None
        self._device: AdbDevice | None = None
        self._size = (0, 0)

    def begin(self, task: ExecutionTask) -> SimulatedSession:
        """Resets the phone to its state when the person began the episode, and launches its app over adb.

        Raises:
            AppStartError: The app does not come up.
            DeviceError: adb cannot reach it.
            DatasetError: The dataset lacks the phone's setup.
        """
        simulation = self.find_simulation(task)
        server, device = self._phone(simulation)
        also = self.also.get(task.input.task_id, ())
        return begin_simulated(simulation, device, partial(ask, server), faults=self.faults, also=also)

    def find_simulation(self, task: ExecutionTask) -> Simulation:
        """The setup of a task's phone; errors as of `simulation_of`."""
        return simulation_of(self._simulations, task.input.task_id)

    def restart(self) -> None:
        """Discards the phone and its connection."""
        server, self._server, self._device = self._server, None, None
        if server is not None:
            from execution_runner.devices.adb_client import AdbClient

            try:
                AdbClient(server.serial, server_port=self._port).disconnect()
            except DeviceError:
                pass  # adb has ended, and its connections with it
            finally:
                server.__exit__(None, None, None)

    def close(self) -> None:
        """Discards the phone and its connection."""
        self.restart()

    def _phone(self, simulation: Simulation) -> tuple[SimulatedPhoneServer, AdbDevice]:
        """A phone of the simulation's size: the current one, or a new one."""
        from execution_runner.devices.adb import OBSERVE_SECONDS, AdbDevice
        from execution_runner.devices.adb_client import RECONNECT_SECONDS, WIFI_RECONNECT_SECONDS
        from simulated_phone import SimulatedPhoneServer

        if self._server is None or self._size != simulation.size:
            self.restart()
            size = simulation.size
            try:
                phone = Phone(
                    size=size,
                    faults=self.faults,
                    trees=self.trees,
                    pictures=self._pictures,
                )
            except PhoneSetupError as error:
                raise DatasetError(str(error)) from None
            self._server, self._size = SimulatedPhoneServer(phone).__enter__(), size
        if self._device is None:
            names = {parse_fault(fault)[0] for fault in self.faults}
            self._device = AdbDevice.find(
                self._server.serial,
                server_port=self._port,
                # without such a fault a slow computer must not change what a run sees
                observe_s=OBSERVE_SECONDS if names & _AS_REAL else None,
                reconnect_s=WIFI_RECONNECT_SECONDS if WIFI_OUTAGE in names else RECONNECT_SECONDS,
            )
        return self._server, self._device


def simulation_of(simulations: Mapping[str, Mapping[str, Any]], task_id: str) -> Simulation:
    """The setup of a task's phone, from those of a dataset.

    Raises:
        DatasetError: The dataset lacks it, it is invalid, or the task is of another suite.
    """
    try:
        simulation = Simulation.from_json(simulations[task_id])
        check_suite(simulation.versions)
    except PhoneSetupError as error:
        raise DatasetError(str(error), episode_id=task_id) from None
    except (LookupError, TypeError, ValueError) as error:
        raise DatasetError(
            f"the setup of the simulated phone cannot be read: {error!r}", episode_id=task_id
        ) from None
    return simulation


def ask(server: SimulatedPhoneServer, work: Callable[[Phone], _Result]) -> _Result:
    """Runs a function on a served phone, and returns its result.

    Raises:
        DeviceTimeoutError: The phone hangs.
    """
    try:
        return server.do(work)
    except PhoneHungError as error:
        raise DeviceTimeoutError(str(error)) from None


class WakeableDevice(Device, Protocol):
    """A `Device` that can be woken."""

    def wake(self) -> None:
        """Turns the display on and dismisses a lock screen that needs no secret."""


class PhoneAccess(Protocol):
    """Runs a function on a simulated phone, in the thread that owns the phone."""

    def __call__(self, work: Callable[[Phone], _Result]) -> _Result:
        """The function's result."""


def begin_simulated(
    simulation: Simulation,
    device: WakeableDevice,
    do: PhoneAccess,
    *,
    faults: Collection[str] = (),
    also: Sequence[GoalInstance] = (),
    states: bool = True,
) -> SimulatedSession:
    """Resets a simulated phone for a task, wakes it if it starts dark or locked, and launches the task's app.

    Args:
        simulation: Setup of the phone, and the task's goal.
        device: The phone as actions reach it: over adb, or in this process.
        do: Access to the phone itself.
        faults: Faults that are on in addition to those of the setup.
        also: Further goals: whether one of them is reached is noted among the facts, as `ALSO`.
        states: Whether the phone's state is recorded: its hash after each action, and what the attempt did
            to it.

    Raises:
        AppStartError: The app does not come up.
        DeviceError: The phone cannot be reached, or its lock asks for a secret.
        DatasetError: The setup does not fit the phone. `evaluate` raises it where the goal does not.
    """
    do(partial(set_up, simulation=simulation, faults=faults))
    evaluation = StateEvaluation(simulation, do, also, states=states)
    # the faults screen_off and pin_lock start the phone dark or locked
    if do(lambda phone: not phone.screen_on or phone.locked):
        device.wake()
    start = start_simulated(simulation, device)
    do(Phone.wait_for_page)
    return SimulatedSession(device, do, evaluation, start)


def start_simulated(simulation: Simulation, device: LaunchingDevice) -> StartRecord:
    """Launches the app of an episode that begins in it, on a phone that is set up and awake.

    Raises:
        AppStartError: The app does not come up.
        DeviceError: The phone cannot be reached.
    """
    setup = simulation.setup
    if setup.front:
        return launch_app(device, setup.front)
    return begin_at_home("the task needs several apps" if setup.several_apps else "")


def set_up(phone: Phone, simulation: Simulation, faults: Collection[str] = ()) -> None:
    """Resets a phone to the state before a person's episode: at home, dark or locked, its app not launched.

    Raises:
        DatasetError: The setup does not fit the phone, or the task is of another suite.
    """
    try:
        check_suite(simulation.versions)
    except PhoneSetupError as error:
        raise DatasetError(str(error)) from None
    with _name_setup_errors():
        simulation.setup.apply(phone, launch=False)
        if simulation.setup.front not in ("", *phone.apps):
            # an unknown app is the dataset's fault, and no app that does not come up
            find_goal(phone.apps, simulation.goal_instance)
    for fault in faults:
        phone.set_fault(fault, True)


def check_faults(faults: Collection[str]) -> None:
    """Refuses a fault that simulated phones do not have.

    Raises:
        UsageError: There is no such fault; the message names all. Or its seconds do not fit.
    """
    for fault in faults:
        try:
            parse_fault(fault)
        except UnknownFaultError as error:
            raise UsageError(f"{error}{did_you_mean(error.name, error.names)}") from None
        except ValueError as error:
            raise UsageError(str(error)) from None


class SimulatedSession(PhoneSession):
    """A `PhoneSession` on a simulated phone, whose success a rule decides.

    Args:
        device: The phone as actions reach it.
        do: Access to the phone itself.
        evaluation: The rule of the task.
        start: Where the attempt begins.
    """

    def __init__(
        self,
        device: Device,
        do: PhoneAccess,
        evaluation: StateEvaluation,
        start: StartRecord | None = None,
    ) -> None:
        super().__init__(
            device,
            pause=lambda seconds: do(lambda phone: phone.wait(seconds)),
            # as `settle` does on a phone whose clock is the real one
            settle=lambda: do(Phone.wait_for_page),
            start=start,
        )
        self._do, self._evaluation = do, evaluation

    @property
    def do(self) -> PhoneAccess:
        """Access to the phone itself."""
        return self._do

    @property
    def answer_seen(self) -> bool | None:
        """Whether a screen before one of the actions showed the answer; None if none is asked."""
        return self._evaluation.answer_seen

    def check_goal(self) -> None:
        """Refuse a goal that does not fit the phone, which otherwise `evaluate` does.

        Raises:
            DatasetError: It does not.
        """
        self._evaluation.check_goal()

    def step(self, action: Action) -> StepResult:
        """Carry out one action as `PhoneSession.step` does; the result has the hash of the phone's state."""
        if self._evaluation.asks:
            self._do(self._evaluation.look)
        done = super().step(action)
        if not (self._evaluation.states and done.performed):
            return done
        return replace(done, state_sha256=self._do(lambda phone: phone.state_sha256()))

    def evaluate(self) -> RuleResult:
        """Apply the rule of success."""
        return self._evaluation(self._answer)


class StateEvaluation:
    """Notes the state of a phone that is set up; a call applies the rule and compares the state with it.

    Args:
        simulation: The phone's setup, and the task's goal.
        do: Access to the phone.
        also: Further goals, as of `begin_simulated`.
        states: Whether the state is noted and compared.

    Attributes:
        states: As given.
    """

    def __init__(
        self,
        simulation: Simulation,
        do: PhoneAccess,
        also: Sequence[GoalInstance] = (),
        *,
        states: bool = True,
    ) -> None:
        self._simulation, self._do, self._also, self.states = simulation, do, also, states
        self._start = do(lambda phone: phone.state_copy()) if states else None
        # by the state at the start: what happens on the phone later does not change what was asked
        self._answer: AnswerOnScreen | DatasetError | None
        try:
            self._answer = do(partial(find_answer, goal=simulation.goal_instance))
        except DatasetError as error:
            self._answer = error
        self._rights = [do(partial(right_answer, goal=one)) for one in also]

    @property
    def asks(self) -> bool:
        """Whether the goal asks a question."""
        return isinstance(self._answer, AnswerOnScreen)

    @property
    def answer_seen(self) -> bool | None:
        """As of `SimulatedSession.answer_seen`."""
        return self._answer.seen if isinstance(self._answer, AnswerOnScreen) else None

    def check_goal(self) -> None:
        """As of `SimulatedSession.check_goal`."""
        if isinstance(self._answer, DatasetError):
            raise self._answer

    def look(self, phone: Phone) -> None:
        """Note whether the screen shows the answer; to be called in the thread that owns the phone."""
        if isinstance(self._answer, AnswerOnScreen):
            self._answer.look(phone)

    def __call__(self, answer: str | None) -> RuleResult:
        """Apply the rule.

        Args:
            answer: The answer of the agent; None without one.

        Raises:
            DatasetError: The goal does not fit the phone.
        """
        self.check_goal()
        shown, goal = self._answer, self._simulation.goal_instance
        answered = isinstance(shown, AnswerOnScreen) and self._do(
            lambda phone: phone.is_right(goal, answer, shown.right)
        )
        rule = self._do(lambda phone: apply_rule(phone, goal, answered=answered))
        if self._also:
            noted = self._do(lambda phone: _note_also_reached(phone, self._also, self._rights, answer))
            rule = replace(rule, facts=(*rule.facts, noted))
        if self._start is None:
            return rule
        end = self._do(lambda phone: phone.state_copy())
        with _name_setup_errors():
            outcome = judge_state(
                self._simulation, self._start, end, success=rule.success is True, answered=answered
            )
        if outcome is None:
            return rule
        return replace(rule, state=StateRecord(**asdict(outcome), answer_seen=self.answer_seen))


def find_answer(phone: Phone, goal: GoalInstance) -> AnswerOnScreen | None:
    """The answer to a goal's question on a phone that is set up, as screens show it; None if it asks none.

    Raises:
        DatasetError: The goal does not fit the phone.
    """
    with _name_setup_errors():
        return answer_on_screen(phone, goal)


def right_answer(phone: Phone, goal: GoalInstance) -> str:
    """The right answer to a goal's question on a phone that is set up; "" if it asks none.

    Raises:
        DatasetError: The goal does not fit the phone.
    """
    with _name_setup_errors():
        return phone.right_answer(goal)


def apply_rule(phone: Phone, goal: GoalInstance, *, answered: bool = False) -> RuleResult:
    """Applies a goal's rule to the state of a phone.

    Args:
        phone: The phone.
        goal: The goal.
        answered: Whether the goal's question, if it asks one, was answered rightly.

    Raises:
        DatasetError: The goal does not fit the phone.
    """
    with _name_setup_errors():
        return RuleResult(
            success=phone.achieved(goal, answered=answered), facts=tuple(map(_fact, phone.facts))
        )


def _note_also_reached(
    phone: Phone, goals: Sequence[GoalInstance], rights: Sequence[str], answer: str | None
) -> dict[str, JsonValue]:
    """The fact that one of further goals is reached, or none."""
    with _name_setup_errors():
        reached = any(
            phone.achieved(goal, answered=bool(right) and phone.is_right(goal, answer, right))
            for goal, right in zip(goals, rights, strict=True)
        )
    return {
        "app": goals[0].package,
        "name": ALSO,
        "arguments": {"reached": reached},
        "time": phone.now.isoformat(),
    }


_CHANGED = "simulations.jsonl was changed, or is of another version of the simulated phone"


@contextmanager
def _name_setup_errors() -> Iterator[None]:
    """Name the dataset as the cause: what a setup or a goal names is looked up in the data of the apps."""
    try:
        yield
    except PhoneNameError as error:
        raise DatasetError(f"{error}; {_CHANGED}") from None
    except (StopIteration, LookupError, TypeError, ValueError, AttributeError) as error:
        raise DatasetError(
            f"the setup of the simulated phone does not fit its apps: {error!r}; {_CHANGED}"
        ) from error


def _fact(fact: Fact) -> dict[str, JsonValue]:
    return {
        "app": fact.app,
        "name": fact.name,
        "arguments": dict(fact.arguments),
        "time": fact.time.isoformat(),
    }
