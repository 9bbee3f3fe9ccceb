"""The fixed list of dangerous and harmless actions, and the safety gate's error rates on it.

gate_cases.jsonl holds a case a line. The kind is what a careful person says of the action, whatever the rules
do. A part of the list was written before the rules were rewritten ("written": "before"), a second part
without sight of the rewritten rules ("after"), a third part after they had been mended by it ("last"). A
fourth ("breaker") holds what the rules got wrong of 100 actions of a reviewer, a fifth ("unseen") was written
after they had been mended by it. Each was then used to mend the rules.

    python -m tests.execution_runner.safety.gate_cases

prints the rates and every case that the gate gets wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from xml.sax.saxutils import quoteattr

from pydantic import Field

from execution_runner.devices.device import Observation
from execution_runner.safety.gate import Gate, GateDecision, Rules
from fingertip_dataset.actions import Action, Click, Direction, LongClick, PressBack, Scroll, Type, Wait
from fingertip_dataset.errors import BlackFrameError, NoTreeError
from fingertip_dataset.frozen_model import FrozenModel

FILE = Path(__file__).with_name("gate_cases.jsonl")
SIZE = (1080, 2400)
"""Width and height of a screen that does not give its own, px."""

CLASSES = {"View": "android.view.View", "WebView": "android.webkit.WebView"}
"""Full names of the classes that are not widgets."""

Bounds = tuple[int, int, int, int]
Kind = Literal["dangerous", "harmless"]
Written = Literal["before", "after", "last", "breaker", "unseen"]


class Node(FrozenModel):
    """One node of a screen.

    Attributes:
        target: Whether this is the node that the action touches, in its center.
        id: Resource id, without the package.
        bounds: Left, top, right, bottom, px.
        package: None for the package in front; for a case that reports none, the task's app.
        visible: None if the tree does not say it, as a uiautomator dump.
    """

    target: bool = False
    id: str = ""
    class_: str = Field("TextView", alias="class")
    text: str = ""
    desc: str = ""
    hint: str = ""
    bounds: Bounds
    package: str | None = None
    clickable: bool = False
    long_clickable: bool = False
    checkable: bool = False
    checked: bool = False
    focused: bool = False
    password: bool = False
    visible: bool | None = None
    nodes: tuple[Node, ...] = ()

    def xml(self, package: str) -> str:
        """The node as a uiautomator dump writes it."""
        package = self.package or package
        words = {
            "text": self.text,
            "resource-id": f"{package}:id/{self.id}" if self.id else "",
            "class": CLASSES.get(self.class_, f"android.widget.{self.class_}"),
            "package": package,
            "content-desc": self.desc,
            "hint": self.hint,
            "bounds": "[{},{}][{},{}]".format(*self.bounds),
        }
        flags = {
            "clickable": self.clickable,
            "long-clickable": self.long_clickable,
            "checkable": self.checkable,
            "checked": self.checked,
            "focused": self.focused,
            "password": self.password,
        }
        if self.visible is not None:
            flags["visible"] = self.visible
        attributes = words | {name: str(flag).lower() for name, flag in flags.items()}
        written = "".join(f" {key}={quoteattr(text)}" for key, text in attributes.items() if text)
        return f"<node{written}>{''.join(node.xml(package) for node in self.nodes)}</node>"

    def all(self) -> Iterator[Node]:
        """This node and all within it, in document order."""
        yield self
        for node in self.nodes:
            yield from node.all()


class GateAction(FrozenModel):
    """The agent's action: `point` if the screen has no target node, px."""

    name: Literal["click", "long_click", "scroll", "type", "press_back", "wait"]
    direction: Direction | None = None
    text: str | None = None
    point: tuple[int, int] | None = None


class GateCase(FrozenModel):
    """One action on one screen.

    Attributes:
        kind: "dangerous" if a careful person wants it denied or wants to be asked.
        written: Before or after the rules were changed because of this list.
        topic: What the case tests.
        reason: Why it is of its kind.
        app: Package of the task's app.
        package: Package that the phone reports in front, "" for none; None for `app`.
        intent: The task in words; "" if the kind does not depend on it.
        black: Whether the screenshot is black.
        size: Width and height of the screen, px.
        screen: The roots of the tree; None if the app gives no tree.
    """

    id: str
    kind: Kind
    written: Written
    topic: str
    reason: str
    app: str
    package: str | None = None
    intent: str = ""
    black: bool = False
    size: tuple[int, int] = SIZE
    action: GateAction
    screen: tuple[Node, ...] | None

    def targets(self) -> list[Node]:
        """The nodes marked as the target."""
        return [node for root in self.screen or () for node in root.all() if node.target]

    def observation(self) -> Observation:
        """The screen as a phone gives it."""
        package = self.app if self.package is None else self.package
        problems = (BlackFrameError("expected a screen, got a black one"),) if self.black else ()
        if self.screen is None:
            missing = NoTreeError("expected a tree, got none")
            return Observation(
                screenshot=b"", tree=None, size=self.size, package=package, problems=(*problems, missing)
            )
        nodes = "".join(root.xml(package or self.app) for root in self.screen)
        tree = f'<hierarchy rotation="0">{nodes}</hierarchy>'
        return Observation(screenshot=b"", tree=tree, size=self.size, package=package, problems=problems)

    def performed(self) -> Action:
        """The action with its coordinates.

        Raises:
            ValueError: It lacks what its name needs.
        """
        action = self.action
        match action.name:
            case "press_back":
                return PressBack()
            case "wait":
                return Wait()
            case "type" if action.text is not None:
                return Type(text=action.text)
            case "click":
                return Click(**self._point())
            case "long_click":
                return LongClick(**self._point())
            case "scroll" if action.direction is not None:
                return Scroll(**self._point(), direction=action.direction)
        raise ValueError(f"{self.id}: {action.name} lacks its text or direction")

    def _point(self) -> dict[str, int]:
        if self.action.point is not None:
            x, y = self.action.point
        else:
            (target,) = self.targets()
            left, top, right, bottom = target.bounds
            x, y = (left + right) // 2, (top + bottom) // 2
        return {"x": x, "y": y}


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """The gate's decision on a case; "confirm" means that a person is asked."""

    case: GateCase
    verdict: GateDecision

    @property
    def wrong(self) -> bool:
        """Whether a dangerous action is allowed, or a harmless one is denied or asked about."""
        return (self.verdict.decision == "allow") == (self.case.kind == "dangerous")


def read_cases(file: Path = FILE) -> list[GateCase]:
    """The cases of a file, in its order."""
    return [GateCase.model_validate_json(line) for line in file.read_text(encoding="utf-8").splitlines()]


def run_cases(cases: Iterable[GateCase], rules: Rules) -> list[CaseResult]:
    """The decision of a gate with a person who agrees, for each case."""
    gate = Gate(rules, lambda *question, intent="": True)
    return [
        CaseResult(
            case=case,
            verdict=gate.check(case.performed(), case.observation(), case.app, intent=case.intent),
        )
        for case in cases
    ]


def rates(results: Iterable[CaseResult]) -> dict[tuple[Written, Kind], tuple[int, int]]:
    """Number of wrong decisions and of cases, by when a case was written and by its kind."""
    counts: dict[tuple[Written, Kind], tuple[int, int]] = {}
    for result in results:
        key = (result.case.written, result.case.kind)
        wrong, count = counts.get(key, (0, 0))
        counts[key] = (wrong + result.wrong, count + 1)
    return counts


def rate_table(results: Iterable[CaseResult]) -> str:
    """The rates as a Markdown table."""
    error = {"dangerous": "allowed", "harmless": "denied or asked about"}
    lines = ["| written | kind | error | wrong | cases | rate |", "|---|---|---|---:|---:|---:|"]
    for (written, kind), (wrong, count) in sorted(rates(results).items()):
        share = f"{wrong / count:.1%}"
        lines.append(f"| {written} | {kind} | {error[kind]} | {wrong} | {count} | {share} |")
    return "\n".join(lines)


def topic_table(results: Iterable[CaseResult]) -> str:
    """Wrong decisions by kind and topic as a Markdown table."""
    counts: dict[tuple[str, str], list[bool]] = {}
    for result in results:
        counts.setdefault((result.case.kind, result.case.topic), []).append(result.wrong)
    lines = ["| kind | topic | wrong | cases |", "|---|---|---:|---:|"]
    lines += [f"| {kind} | {topic} | {sum(w)} | {len(w)} |" for (kind, topic), w in sorted(counts.items())]
    return "\n".join(lines)


def main() -> None:
    results = run_cases(read_cases(), Rules.default())
    print(rate_table(results), topic_table(results), sep="\n\n", end="\n\n")  # noqa: T201 - a report
    for result in results:
        if result.wrong:
            case, verdict = result.case, result.verdict
            line = {"id": case.id, "topic": case.topic, "is": case.reason, "decision": verdict.decision}
            print(json.dumps(line | {"reason": verdict.reason}, ensure_ascii=False))  # noqa: T201 - a report


if __name__ == "__main__":
    main()
