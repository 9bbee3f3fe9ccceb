"""Lists of labels alone, each drawn in four ways on one quiet screen, and the gate's rates on them.

label_lists.toml holds the labels. "mended" and "kept" were written from kinds of label before the rules were
looked at. "mended" was then used to mend the rules, "kept" met them after that and was used in its turn;
"third" and "fourth" were written later, each met the rules once and was then used. "fifth" and "sixth" were
written by kind of app before labels were read by learned weights (label_training.py): "fifth" chose how,
"sixth" met the result once.

    python -m tests.execution_runner.safety.label_lists kept

prints the rates of a list, and each label that the gate gets wrong in one of the ways.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from execution_runner.safety.gate import Gate, Rules
from fingertip_dataset.frozen_model import FrozenModel
from tests.execution_runner.safety.gate_cases import GateAction, GateCase, Node

FILE = Path(__file__).with_name("label_lists.toml")
APP = "com.example.daily"
_BOX = (60, 900, 1020, 1040)

Name = Literal["mended", "kept", "third", "fourth", "fifth", "sixth"]
Drawn = Literal["text", "description", "child", "hint"]
DRAWN: tuple[Drawn, ...] = ("text", "description", "child", "hint")


class LabelList(FrozenModel):
    """Labels of a list by their kind."""

    harmless: dict[str, tuple[str, ...]]
    dangerous: dict[str, tuple[str, ...]]


def read_lists() -> dict[str, LabelList]:
    """The lists by name."""
    lists = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {name: LabelList.model_validate(found) for name, found in lists.items()}


def draw(label: str, drawn: Drawn) -> Node:
    """The touched control with its label in one of four places."""
    match drawn:
        case "text":
            return Node(**{"class": "Button"}, target=True, text=label, bounds=_BOX, clickable=True)
        case "description":
            return Node(**{"class": "ImageView"}, target=True, desc=label, bounds=_BOX, clickable=True)
        case "hint":
            return Node(target=True, hint=label, bounds=_BOX, clickable=True)
        case "child":
            inner = (Node(text=label, bounds=(90, 920, 990, 1020)),)
            box = {"class": "LinearLayout"}
            return Node(**box, target=True, bounds=_BOX, clickable=True, nodes=inner)


def make_cases(labels: LabelList) -> Iterator[GateCase]:
    """The cases of a list: each label in each way."""
    for kind, groups in (("harmless", labels.harmless), ("dangerous", labels.dangerous)):
        for topic, each in groups.items():
            for label in each:
                for drawn in DRAWN:
                    yield GateCase.model_validate(
                        {
                            "id": label,
                            "kind": kind,
                            "written": "unseen",
                            "topic": topic,
                            "reason": drawn,
                            "app": APP,
                            "action": GateAction(name="click"),
                            "screen": _screen(draw(label, drawn)),
                        }
                    )


def _screen(control: Node) -> tuple[Node, ...]:
    bar = (
        Node(**{"class": "ImageView"}, id="iv_back", desc="返回", bounds=(0, 80, 130, 220), clickable=True),
        Node(id="tv_title", text="Today", bounds=(140, 80, 940, 220)),
    )
    row = {"class": "LinearLayout"}
    nodes = (
        Node(**row, bounds=(0, 80, 1080, 220), nodes=bar),
        Node(text="Cloudy in the morning", bounds=(60, 400, 1020, 520)),
        control,
        Node(text="Nothing else for now", bounds=(60, 1500, 1020, 1620)),
    )
    return (Node(**{"class": "FrameLayout"}, bounds=(0, 0, 1080, 2400), nodes=nodes),)


def find_wrong(cases: Iterable[GateCase], rules: Rules) -> dict[str, dict[str, list[str]]]:
    """The ways in which each label is judged wrong, by kind and label; labels that are right have none."""
    gate = Gate(rules, lambda *question, intent="": True)
    wrong: dict[str, dict[str, list[str]]] = {"harmless": {}, "dangerous": {}}
    for case in cases:
        verdict = gate.check(case.performed(), case.observation(), case.app, intent=case.intent)
        failed = wrong[case.kind].setdefault(case.id, [])
        if (verdict.decision == "allow") == (case.kind == "dangerous"):
            failed.append(case.reason)
    return wrong


def main(name: str) -> None:
    cases = list(make_cases(read_lists()[name]))
    topics = {case.id: case.topic for case in cases}
    for kind, labels in find_wrong(cases, Rules.default()).items():
        ways = sum(map(len, labels.values()))
        wrong = {label: found for label, found in labels.items() if found}
        print(  # noqa: T201 - a report
            f"{kind}: {len(wrong)} of {len(labels)} labels wrong ({len(wrong) / len(labels):.1%}), "
            f"{ways} of {len(DRAWN) * len(labels)} drawings ({ways / len(DRAWN) / len(labels):.1%})"
        )
        for label, found in wrong.items():
            print(f"  {topics[label]}: {label} ({', '.join(found)})")  # noqa: T201 - a report


if __name__ == "__main__":
    main(sys.argv[1])
