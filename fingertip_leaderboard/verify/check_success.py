"""Check success on a simulated phone: replay each attempt's actions, then evaluate the rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from execution_runner.devices.perform import perform
from execution_runner.execution_log import Attempt
from execution_runner.execution_records import STEPS, ExecutionRun
from fingertip_dataset.actions import parse_action
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.bundle.bundle_files import BUNDLE
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_recorder.in_process_device import InProcessDevice
from fingertip_runs.device_kinds import DEVICE_KINDS
from simulated_phone import GoalInstance, Phone, PhoneSetupError, Pictures
from simulated_phone.people.simulation import Simulation
from simulated_phone.screens.theme import usual_density


def check_success(read: ReadBundle, run: ExecutionRun, built: BuiltDataset, found: Refusals) -> None:
    """Refuse success values that contradict the rule after the same actions.

    Runs with injected faults are not replayed, because a bundle does not record the faults' effects.

    Args:
        read: A bundle of track 2 with an attempt for every task.
        run: Its run.
        built: The verifier's dataset.
        found: Collects the refusals.
    """
    if not DEVICE_KINDS[run.device].success_by_rule:
        return
    simulations = built.simulations()
    if not simulations:
        reason = "a simulated phone needs a dataset of simulated people"
        found.refuse(RefusalKind.CONTRADICTION, reason, BUNDLE)
        return
    if run.faults:
        found.remark(f"faults {', '.join(run.faults)} were on: success by rule is not recomputed")
        return
    pictures = Pictures()
    for one in read.executions:
        if one.record.end.success is None:
            continue
        phone, goal = _phone(simulations.get(one.record.end.task_id), pictures)
        if phone is None or goal is None:
            found.remark(f"task {one.record.end.task_id} is not replayed: its phone starts dark or locked")
            continue
        ours = _achieved(phone, goal, one.record)
        if ours != one.record.end.success:
            reason = f"the same actions give success {ours}, got {one.record.end.success}"
            found.refuse(RefusalKind.WRONG_SUCCESS, reason, STEPS, one.line)


def _phone(record: Mapping[str, Any] | None, pictures: Pictures) -> tuple[Phone | None, GoalInstance | None]:
    """A phone in the task's initial state, and its goal; None if the phone first has to be woken."""
    if record is None:
        return None, None
    simulation = Simulation.from_json(record)
    size = simulation.size
    phone = Phone(seed=simulation.setup.seed, size=size, density=usual_density(size[0]), pictures=pictures)
    simulation.setup.apply(phone)
    return (None, None) if phone.locked or not phone.screen_on else (phone, simulation.goal_instance)


def _achieved(phone: Phone, goal: GoalInstance, attempt: Attempt) -> bool:
    """Whether these actions reach the goal; False if one of them cannot be performed."""
    device = InProcessDevice(phone)
    try:
        for step in attempt.steps:
            if step.performed:
                perform(device, parse_action(step.action), pause=phone.wait)
    except (PhoneSetupError, ValueError):
        return False
    return phone.achieved(goal)
