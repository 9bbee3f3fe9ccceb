"""Troubles on the way: every goal stays reachable for a person, and signing in works as on a phone."""

from __future__ import annotations

import random

import pytest

from phone.tests.simulated_phone.random_use import visible_texts
from simulated_phone import APPS, GesturePlayer, GoalInstance, Phone
from simulated_phone.machine.fault_overlays import NOTIFIED
from simulated_phone.machine.faults import ADVERTISEMENT, LOGIN, NOTIFICATION, ROTATION
from simulated_phone.people.life import TROUBLES
from simulated_phone.screens.nodes import Node

SIZE, DENSITY = (540, 1200), 210
SEED = 8
MAIL = "com.android.email"


def unlucky(fault: str, locale: str = "zh") -> Phone:
    return Phone(seed=SEED, size=SIZE, density=DENSITY, faults=[fault], locale=locale)


def find(phone: Phone, view_id: str) -> Node:
    return next(node for node in phone.screen().nodes() if node.view_id == view_id)


def tap(phone: Phone, view_id: str) -> None:
    phone.tap(*find(phone, view_id).box.centre)


@pytest.mark.parametrize("fault", [ADVERTISEMENT, ROTATION, *TROUBLES])
def test_a_goal_of_each_app_is_reached_under_each_trouble(fault: str) -> None:
    phone, failed = unlucky(fault), []
    for app in (app for app in APPS if app.goals):
        rng = random.Random(f"{fault} {app.package}")  # noqa: S311 - a test, not a secret
        goal = rng.choice(app.goals)
        strategy, case = rng.choice(goal.strategies), rng.choice(list(goal.cases(SEED)))
        phone.reset()
        for gesture in GesturePlayer(phone).gestures(strategy.steps(case)):
            gesture.perform(phone.finger)
        wanted = GoalInstance(package=app.package, goal=goal.name, arguments=case)
        # who has come to the end of the way has read the answer to a question
        if not phone.achieved(wanted, answered=True):
            failed.append((app.package, goal.name, strategy.name, case))
    assert failed == []


def test_an_app_asks_to_sign_in_until_that_is_done() -> None:
    phone = unlucky(LOGIN)
    phone.start(MAIL)
    assert "登录已过期，请重新登录" in visible_texts(phone)
    phone.press_key("KEYCODE_BACK")
    assert phone.foreground[0] != MAIL
    phone.start(MAIL)
    tap(phone, "password")
    assert "收件箱" in visible_texts(phone)
    phone.press_key("KEYCODE_HOME")
    phone.start(MAIL)
    assert "收件箱" in visible_texts(phone)
    # another app has its own account
    phone.start("com.simulated.liaotian")
    assert "登录已过期，请重新登录" in visible_texts(phone)


@pytest.mark.parametrize("typed", [True, False])
def test_the_code_of_a_message_signs_in(typed: bool) -> None:
    phone = unlucky(LOGIN, "en")
    phone.start(MAIL)
    tap(phone, "code")
    phone.type_text("12")
    tap(phone, "sign_in")
    assert {"Wrong code", "Sign in to Mail"} <= visible_texts(phone)
    phone.press_key("KEYCODE_BACK")
    tap(phone, "send_code")
    code = find(phone, "autofill").label().removeprefix("From Messages: ")
    assert len(code) == 6
    if typed:
        tap(phone, "code")
        for key in ("KEYCODE_DEL", "KEYCODE_DEL"):
            phone.press_key(key)
        phone.type_text(code)
        phone.press_key("KEYCODE_ENTER")
    else:
        tap(phone, "autofill")
        tap(phone, "sign_in")
    assert "Inbox" in visible_texts(phone)


def notified(phone: Phone) -> bool:
    return any(node.view_id == NOTIFIED for node in phone.screen().nodes())


@pytest.mark.parametrize(("across", "down"), [(0, -60), (200, 0), (-200, 0)])
def test_a_message_is_swiped_away(across: int, down: int) -> None:
    phone = unlucky(NOTIFICATION)
    phone.start(MAIL)
    x, y = find(phone, NOTIFIED).box.centre
    assert "com.android.systemui" in phone.tree("windows")
    phone.swipe(x, y, x, y + 100)
    assert notified(phone)
    phone.swipe(x, y, x + across, y + down)
    assert not notified(phone)
    assert phone.foreground[0] == MAIL


def test_a_message_goes_when_its_time_is_up_and_comes_with_the_next_app() -> None:
    phone = Phone(seed=SEED, size=SIZE, density=DENSITY, faults=["notification=5"])
    phone.start(MAIL)
    phone.wait(4.5)
    assert notified(phone)
    phone.wait(0.6)
    assert not notified(phone)
    phone.start("com.simulated.liaotian")
    assert notified(phone)
    phone.press_key("KEYCODE_APP_SWITCH")
    assert not notified(phone)


def test_a_tap_on_a_message_leads_astray() -> None:
    phone = unlucky(NOTIFICATION)
    phone.start(MAIL)
    search = next(node for node in phone.screen().nodes() if node.description == "文件夹")
    phone.tap(*search.box.centre)
    assert phone.foreground[0] == "com.android.mms"
    assert not notified(phone)
