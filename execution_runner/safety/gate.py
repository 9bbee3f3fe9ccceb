"""The safety gate before each action on a person's phone: allow, confirm or deny, with a reason.

It judges an action by the screen on which the agent decided. The phone may show another screen when the
action arrives; a gate on the computer's side cannot remove this risk.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

from execution_runner.devices.device import Observation
from execution_runner.safety.decision import GateDecision
from execution_runner.safety.judge import judge as judge_action
from fingertip_dataset.actions import Action, format_action
from fingertip_dataset.errors import BlackFrameError
from fingertip_dataset.release.problems import printable
from fingertip_runs.app_rules import Rules, Ruling

__all__ = ["Ask", "Gate", "GateDecision", "Rules", "Ruling", "ask_on_terminal", "judge"]

_TERMINAL = threading.Lock()

Ask = Callable[..., bool]
"""Asks a person for consent: called with the action, the decision, the observation, and with `intent=` if the
gate knows the task."""


class Gate:
    """Applies the rules, and asks a person for consent. Thread-safe.

    Args:
        rules: The rules.
        ask: Asks a person; None if nobody is present.
    """

    def __init__(self, rules: Rules, ask: Ask | None) -> None:
        self.rules = rules
        self._ask = ask

    def check(self, action: Action, observation: Observation, app: str, *, intent: str = "") -> GateDecision:
        """The final decision on an action: one that needs consent and does not get it is denied.

        Args:
            action: The agent's action.
            observation: The screen on which the agent decided.
            app: Package of the task's app; "" for none.
            intent: The task in words, for the person.
        """
        verdict = judge(self.rules, action, observation, app)
        if verdict.decision != "confirm":
            return verdict
        if self._ask is None:
            return GateDecision(decision="deny", reason=f"{verdict.reason}; nobody is there to agree")
        task = {"intent": intent} if intent else {}
        if not self._ask(action, verdict, observation, **task):
            return GateDecision(decision="deny", reason=f"{verdict.reason}; the person did not agree")
        return verdict


def judge(rules: Rules, action: Action, observation: Observation, app: str) -> GateDecision:
    """The strictest ruling on an action, before a person's consent.

    Args:
        rules: The rules.
        action: The agent's action; its own words for what it touches can only make the decision stricter.
        observation: The screen on which the agent decided.
        app: Package of the task's app, with or without an activity; "" for none.
    """
    black = any(isinstance(problem, BlackFrameError) for problem in observation.problems)
    return judge_action(rules, action, observation, app, black=black)


def ask_on_terminal(
    action: Action, verdict: GateDecision, observation: Observation, *, intent: str = ""
) -> bool:
    """Asks on the terminal, through standard error; False without a terminal or an answer.

    Args:
        action: The agent's action.
        verdict: The decision, whose reason is shown.
        observation: The screen; its foreground app is shown.
        intent: The task in words; "" if not known.
    """
    # input from a pipe is no person's consent
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    lines = [
        f"task    {printable(intent, 200)}" if intent else "",
        f"app     {printable(observation.package, 100) or 'not known'}",
        f"action  {printable(format_action(action), 200)}",
        f"reason  {verdict.reason}",
    ]
    # several phones may ask at the same time
    with _TERMINAL:
        print(*filter(None, lines), sep="\n", file=sys.stderr)  # noqa: T201 - a question to a person
        print("do it? [y/N] ", end="", file=sys.stderr, flush=True)  # noqa: T201 - see above
        return sys.stdin.readline().strip().casefold() in ("y", "yes")
