"""A phone that the tests of all apps share."""

from __future__ import annotations

from functools import cache

import pytest

from simulated_phone import Phone


@cache
def shared_phone() -> Phone:
    return Phone(seed=4, size=(540, 1200), density=210)


@pytest.fixture
def phone() -> Phone:
    """A fresh phone of seed 4."""
    phone = shared_phone()
    for name in phone.faults:
        phone.set_fault(name, False)
    phone.reset(4)
    return phone
