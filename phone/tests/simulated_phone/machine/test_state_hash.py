"""The hash of a phone's state: the same in every process, and another one after every change of state."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest

from phone.tests.simulated_phone.random_use import random_actions, small
from simulated_phone import Phone
from simulated_phone.machine.faults import FAULTS

FRESH = "97926763a01c9d29c983ceab8534264f5b402463b6a1d9c616705378d4d1fe9b"

USE = """
import random
from phone.tests.simulated_phone.random_use import random_actions, small
phone = small(seed=7)
for _ in random_actions(phone, random.Random(7), 15):
    print(phone.state_sha256())
"""


def hashes_in_a_process(hash_seed: str) -> list[str]:
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-c", USE]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_equal_use_gives_equal_hashes_in_other_processes() -> None:
    phone = small(seed=7)
    here = [phone.state_sha256() for _ in random_actions(phone, random.Random(7), 15)]  # noqa: S311
    assert len(set(here)) > 10
    assert hashes_in_a_process("4242") == here


def test_the_hash_of_a_fresh_phone_is_the_same_on_every_platform_and_python() -> None:
    """A fixed value: CI runs it on each supported version. It changes with the content of the phone."""
    assert small(seed=7).state_sha256() == FRESH


@pytest.mark.parametrize("seed", range(2))
def test_looking_does_not_change_the_state(seed: int) -> None:
    phone = small(seed)
    for _ in random_actions(phone, random.Random(seed), 25):  # noqa: S311
        before = phone.state_sha256()
        phone.tree()
        phone.screen()
        assert phone.foreground
        assert phone.state_sha256() == before


def test_every_part_of_the_state_counts() -> None:
    fresh = small(seed=1).state_sha256()
    changed = {"size": Phone(seed=1, size=(270, 600), density=105), "seed": small(seed=2)}
    for name in ("time", "facts", "setting", *FAULTS):
        changed[name] = small(seed=1)
    changed["time"].wait(0.001)
    changed["facts"].log_fact("android", "opened", {"package": "x"})
    changed["setting"].settings["global"]["wifi_on"] = "0"
    for name in FAULTS:
        changed[name].set_fault(name, True)
    hashes = {name: phone.state_sha256() for name, phone in changed.items()}
    assert fresh not in hashes.values()
    assert len(set(hashes.values())) == len(hashes)


def test_use_of_a_phone_leaves_other_phones_of_its_seed_fresh() -> None:
    """They share the world that their seed draws; each has its own copy."""
    phone = small(seed=7)
    fresh = phone.state_sha256()
    for _ in random_actions(phone, random.Random(7), 40):  # noqa: S311 - use, not a secret
        pass
    for package in phone.apps:
        phone.clear_app(package)
    for state in phone.data["apps"].values():
        state.clear()
    assert small(seed=7).state_sha256() == fresh
    phone.reset(8)
    phone.reset(7)
    assert phone.state_sha256() == fresh
