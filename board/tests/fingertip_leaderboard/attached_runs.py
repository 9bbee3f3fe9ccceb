"""Honest runs of attached agents without adb: their inputs reach the phone where those of adb arrive."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from execution_runner.attached.attached_environment import AttachedAgent, AttachedEnvironment
from execution_runner.attached.attached_run import run_attached
from execution_runner.devices.in_process_device import InProcessDevice
from execution_runner.devices.perform import perform
from execution_runner.run_plan import plan_tasks
from fingertip_dataset.actions import Finished, parse_action
from fingertip_dataset.errors import NoFocusError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import ExecutionTask
from simulated_phone import Phone

Drive = Callable[[Phone, ExecutionTask], None]
"""Sends the inputs of a task to the phone."""


def drive_like_the_person(phone: Phone, task: ExecutionTask) -> None:
    """Perform the person's own actions with pauses in between, and answer the task's question."""
    for number, written in enumerate(task.target.golden_actions):
        action = parse_action(written)
        phone.wait(0.75 + number / 8)
        if isinstance(action, Finished):
            if action.content is not None:
                phone.take_answer(action.content)
            continue
        try:
            perform(InProcessDevice(phone), action, pause=phone.wait)
        except NoFocusError:
            continue


def run_attached_agent(data: Path, run: Path, drive: Drive = drive_like_the_person) -> None:
    """Make a run of an attached agent on every task of a dataset of simulated people."""
    built = BuiltDataset.open(data)
    targets = {planned.task_id: planned for planned in plan_tasks(built).tasks}

    def begin(task: ExecutionTask, _serial: str) -> None:
        session = environment.session
        assert session is not None
        session._do(lambda phone: drive(phone, targets[task.task_id]))
        session.finish()

    environment = AttachedEnvironment("simulated", built.simulations(), real_time=False, on_begin=begin)
    try:
        run_attached(data, [environment], AttachedAgent("mine", [environment], real_time=False), run)
    finally:
        environment.close()
