"""Time of a step of the loop without the agent, relative to the bare adb calls of a step in parallel.

The simulated phone (1080x2400) responds in milliseconds, a real one in one to two seconds, so the overhead of
the loop itself (PNG, tree, log, screens synced to the disk) is most visible here.
"""

from __future__ import annotations

import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

from execution_runner.attempt import run_task
from execution_runner.devices.adb import AdbDevice
from execution_runner.devices.adb_client import find_adb
from execution_runner.devices.adb_server import run_private_adb_server
from execution_runner.environments.phone_session import PhoneSession
from execution_runner.execution_log import ExecutionLog
from execution_runner.execution_records import ExecutionRun
from fingertip_agents.execution_agent import Decision, PastStep, ScreenInput
from fingertip_dataset.actions import Click
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.tasks.step_limit import STEP_LIMIT_FACTOR
from fingertip_dataset.tasks.task import ExecutionInput, ExecutionTask, TaskTarget
from fingertip_dataset.times import BEIJING
from fingertip_runs.run_record import AgentRecord, DatasetRecord
from simulated_phone import Phone, SimulatedPhoneServer

BLOCKS, STEPS = 10, 25
"""Both variants alternate block by block, so that a busy machine slows both."""

DUMP_FILE = "/sdcard/step.xml"
X, Y = 540, 2390
"""Point of a tap without effect; the phone's clock advances, so every screen is rendered anew."""

TASK = ExecutionTask(
    input=ExecutionInput(
        task_id="1__20250310_083000",
        profile=UserProfile(),
        intent="",
        app="",
        time=datetime(2025, 3, 10, tzinfo=BEIJING),
        scenario="",
        reference=None,
    ),
    target=TaskTarget(
        task_id="1__20250310_083000",
        user_id="1",
        app="",
        intent="",
        intent_category=None,
        golden_actions=("wait()",) * (STEPS * 2 // 5),
    ),
)
"""Task whose step limit ends it after `STEPS` + 1 steps."""

RUN = ExecutionRun(
    agent=AgentRecord(name="tapper", settings={}),
    dataset=DatasetRecord(path="", data_sha256="", provenance="", split_method="", seed=0),
    split="test_execution",
    tasks=1,
    task_ids=(TASK.input.task_id,),
    sessions=(),
    device="simulated",
    reference="none",
    reference_method="",
    history="online",
    step_limit_factor=STEP_LIMIT_FACTOR,
    safety="off",
    dry_run=False,
    prices=None,
)


class Tapper:
    """Agent that always taps, and records the time of each query and answer."""

    name = "tapper"

    def __init__(self, new_screen: Callable[[], None]) -> None:
        self.settings: dict[str, object] = {}
        self.queried: list[float] = []
        self.answered: list[float] = []
        self._new_screen = new_screen

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        """Returns the tap."""
        self.queried.append(time.perf_counter())
        self._new_screen()
        self.answered.append(time.perf_counter())
        return Decision(output="tap", actions=(Click(x=X, y=Y),))


def bare_steps(
    adb: Callable[..., None], pool: ThreadPoolExecutor, new_screen: Callable[[], None]
) -> list[float]:
    """Seconds of each step: a tap, then screenshot, tree and focused window concurrently."""
    times = []
    for _ in range(STEPS):
        new_screen()
        begin = time.perf_counter()
        adb("shell", f"input tap {X} {Y}")
        calls = (
            pool.submit(adb, "exec-out", "screencap -p"),
            pool.submit(_dump, adb),
            pool.submit(adb, "shell", "dumpsys window"),
        )
        for call in calls:
            call.result()
        times.append(time.perf_counter() - begin)
    return times


def _dump(adb: Callable[..., None]) -> None:
    adb("shell", f"rm -f {DUMP_FILE} && uiautomator dump {DUMP_FILE}")
    adb("exec-out", f"cat {DUMP_FILE}")


def loop_steps(device: AdbDevice, log: ExecutionLog, new_screen: Callable[[], None]) -> list[float]:
    """Seconds from each answer of the agent to its next query."""
    agent = Tapper(new_screen)
    run_task(TASK, PhoneSession(device), agent, log, attempt=log.next_attempt(TASK.task_id), device="bench")
    return [queried - answered for answered, queried in zip(agent.answered, agent.queried[1:], strict=False)]


def main() -> None:
    """Prints the medians and their ratio."""
    with (
        tempfile.TemporaryDirectory() as folder,
        run_private_adb_server() as port,
        SimulatedPhoneServer(Phone()) as server,
        ExecutionLog(Path(folder) / "run", RUN) as log,
        ThreadPoolExecutor(3) as pool,
    ):
        device = AdbDevice.find(server.serial, server_port=port)
        command = [str(find_adb()), "-P", str(port), "-s", server.serial]

        def adb(*args: str) -> None:
            subprocess.run([*command, *args], check=True, capture_output=True, stdin=subprocess.DEVNULL)

        def new_screen() -> None:
            server.do(lambda phone: phone.wait(60))

        bare: list[float] = []
        loop: list[float] = []
        for _ in range(BLOCKS):
            bare += bare_steps(adb, pool, new_screen)
            loop += loop_steps(device, log, new_screen)
    rows = {"bare adb calls, in parallel": bare, "a step of the loop, without agent": loop}
    base = statistics.median(bare)
    print(f"{'1080x2400, the real adb':36} {'ms':>8} {'ratio':>7}")
    for name, times in rows.items():
        median = statistics.median(times)
        print(f"{name:36} {1000 * median:8.1f} {median / base:7.2f}")


if __name__ == "__main__":
    main()
