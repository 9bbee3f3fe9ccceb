"""Several phones of one run: every task once, the same result as on one phone, although phones are lost."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from execution_runner.devices.adb_client import find_adb
from execution_runner.devices.adb_server import run_private_adb_server
from execution_runner.environments.open_environments import open_environments
from execution_runner.environments.simulated import SimulatedEnvironment
from execution_runner.execution_log import read_attempts
from execution_runner.execution_run import run_execution
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_runs.device_kinds import MOST_DEVICES, expand_devices
from tests.execution_runner.players import Player, golden_ways, result

SPLIT = "train"
PHONES, LOST = (8, 2) if "FINGERTIP_SOAK" in os.environ else (2, 1)


class LosableServer:
    """An adb server that can be replaced by a port that answers nothing: its phones are lost for good."""

    def __init__(self, port: int, deaf: socket.socket) -> None:
        self.port = port
        self._deaf = deaf
        self._gone = threading.Event()
        self._lock = threading.Lock()

    def lose(self) -> None:
        """Returns when the server is gone."""
        with self._lock:
            while not self._gone.is_set():
                call = [str(find_adb()), "-P", str(self.port), "kill-server"]
                subprocess.run(call, capture_output=True, check=False)
                # a phone's next command may have started the server again
                with suppress(OSError):
                    self._deaf.bind(("127.0.0.1", self.port))
                    self._deaf.listen()
                    threading.Thread(target=self._refuse, daemon=True).start()
                    self._gone.set()

    def _refuse(self) -> None:
        with suppress(OSError):
            while True:
                self._deaf.accept()[0].close()


@contextmanager
def losable_server() -> Iterator[LosableServer]:
    with run_private_adb_server() as port, socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        yield LosableServer(port, deaf)
        with suppress(OSError):
            deaf.shutdown(socket.SHUT_RDWR)


def test_phones_of_which_some_are_lost_give_the_result_of_one(
    simulated_dataset: Path, adb_port: int, tmp_path: Path
) -> None:
    ways = dict(sorted(golden_ways(simulated_dataset, SPLIT).items())[: PHONES + 1])
    options = {"split": SPLIT, "task_ids": [*ways]}
    built = BuiltDataset.open(simulated_dataset)
    with open_environments(["simulated"], built, split=SPLIT, server_port=adb_port) as one:
        run_execution(simulated_dataset, Player(ways), one, tmp_path / "one", **options)
    with ExitStack() as stack:
        server = stack.enter_context(losable_server())
        simulations = built.simulations()
        phones = [
            SimulatedEnvironment(
                f"phone-{number}", simulations, server_port=server.port if number < LOST else adb_port
            )
            for number in range(PHONES)
        ]
        for phone in phones:
            stack.callback(phone.close)
        # every phone has begun a task when some of them are lost
        all_have_one = threading.Barrier(PHONES, action=server.lose, timeout=300)
        agent = Player(ways, on_call=lambda number: all_have_one.wait() if number <= PHONES else None)
        outcome = run_execution(simulated_dataset, agent, phones, tmp_path / "several", **options)
    assert outcome.outcomes == {"terminated": len(ways)}
    assert sorted(outcome.lost) == [f"phone-{number}" for number in range(LOST)]
    attempts = read_attempts(tmp_path / "several")
    assert sorted(attempt.end.task_id for attempt in attempts) == sorted(ways)
    assert {attempt.end.device for attempt in attempts} <= {phone.name for phone in phones[LOST:]}
    assert result(attempts, tmp_path / "several") == result(read_attempts(tmp_path / "one"), tmp_path / "one")


def test_a_number_stands_for_as_many_devices() -> None:
    assert expand_devices(["simulated:8"]) == ("simulated",) * 8
    assert expand_devices(["teacher-forced:2", "R58M"]) == ("teacher-forced", "teacher-forced", "R58M")
    assert expand_devices(["10.0.0.7:5555", "uiautomator2:R58M"]) == ("10.0.0.7:5555", "uiautomator2:R58M")


@pytest.mark.parametrize("spec", ["simulated:0", "simulated:", "simulated:x", f"replay:{MOST_DEVICES + 1}"])
def test_a_number_of_devices_has_limits(spec: str) -> None:
    with pytest.raises(UsageError, match=f"with 1 to {MOST_DEVICES} devices, got '{spec}'"):
        expand_devices([spec])
