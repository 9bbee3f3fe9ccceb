"""The clock of a phone as its commands tell it."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from fingertip_recorder.phone_clock import read_phone_clock
from simulated_phone.people.life import PhoneSetup
from tests.phone_bench import Bench


def test_the_clock_is_that_of_the_phone_and_goes_on(bench: Callable[..., Bench]) -> None:
    rig = bench()
    moment = datetime(2025, 7, 1, 16, tzinfo=UTC)
    rig.server.do(PhoneSetup(seed=0, moment=moment, zone="America/New_York").apply)
    clock = read_phone_clock(rig.device.client)
    shown = rig.server.do(lambda phone: phone.now)
    now = clock.now()
    assert abs(now - shown) < timedelta(seconds=5)
    assert now.utcoffset() == timedelta(hours=-4)
    assert clock.at(time.monotonic() + 3600) - now >= timedelta(hours=1)
