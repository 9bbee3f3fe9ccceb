"""A slow, independent implementation of rules.toml on ElementTree, with which the gate is compared."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from execution_runner.devices.device import Observation
from execution_runner.safety import rules
from fingertip_dataset.actions import Action, Type
from fingertip_dataset.errors import BlackFrameError

TEXT = Path(rules.__file__).with_suffix(".toml").read_text(encoding="utf-8")
RULES: dict[str, Any] = tomllib.loads(TEXT)
PACKAGES, LABELS = RULES["packages"], RULES["labels"]
WIDTH, HEIGHT = 200, 400


def bare(text: str) -> str:
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).lower())
    return "".join(c for c in text if unicodedata.category(c)[0] in "LN" and c not in "\u115f\u1160")


def fits(package: str, kind: str) -> bool:
    return any(fnmatchcase(package, pattern) for pattern in PACKAGES[kind])


class Oracle:
    """The oracle's decision on an action on one screen."""

    def __init__(self, seen: Observation, app: str) -> None:
        self.seen, self.app, self.worst = seen, app, 0
        try:
            self.root = ElementTree.fromstring(seen.tree or "")  # noqa: S314 - made here
        except ElementTree.ParseError:
            self.root = None
        if seen.tree is not None and "DOCTYPE" in seen.tree:
            self.root = None
        nodes = [] if self.root is None else list(self.root.iter("node"))
        if not any(self.own(node) for node in nodes):
            self.root, nodes = None, []
        self.nodes = [node for node in nodes if node.get("visible") != "false"]
        self.up: dict[Any, Any] = {inner: outer for outer in nodes for inner in outer}

    def own(self, node: Any) -> list[str]:  # noqa: ANN401
        reply = node.get("content_desc") or node.get("content-desc")
        return [text for text in (node.get("text"), reply, node.get("hint")) if text]

    def above(self, node: Any) -> list[Any]:  # noqa: ANN401
        return [self.up[node], *self.above(self.up[node])] if node in self.up else []

    def reacts(self, node: Any) -> bool:  # noqa: ANN401
        return "true" in (node.get("clickable"), node.get("long_clickable") or node.get("long-clickable"))

    def decide(self, action: Action) -> str:
        name = action.name
        if name in ("click", "long_click", "scroll"):
            self.package(self.seen.package)
            self.touch(action, claims=name != "scroll")
        elif isinstance(action, Type):
            self.package(self.seen.package)
            for node in self.nodes:
                if node.get("focused") == "true" and node.get("package"):
                    self.package(node.get("package"))
            self.worst = 2 if self.secret() else self.worst
            if "\n" in action.text:
                self.worst = max(self.worst, 1)
        if name in ("click", "long_click", "type") and (
            self.root is None or any(isinstance(p, BlackFrameError) for p in self.seen.problems)
        ):
            self.worst = max(self.worst, 1)
        if name == "scroll" and self.worst == 1:
            return "allow"
        return ("allow", "confirm", "deny")[self.worst]

    def package(self, package: str) -> None:
        if fits(package, "confirmed"):
            self.worst = max(self.worst, 1)
        elif package != self.app or not package:
            friendly = any(fits(package, kind) for kind in ("launchers", "keyboards", "navigation"))
            self.worst = max(self.worst, 2 if fits(package, "denied") else 0 if friendly else 1)

    def touch(self, action: Any, claims: bool) -> None:  # noqa: ANN401
        x = min(max(round(action.x), 0), WIDTH - 1)
        y = min(max(round(action.y), 0), HEIGHT - 1)
        under = []
        for node in self.nodes:
            box = re.fullmatch(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]", node.get("bounds", ""))
            if box and int(box[1]) <= x < int(box[3]) and int(box[2]) <= y < int(box[4]):
                under.append(node)
        able = [node for node in under if self.reacts(node)]
        able = [node for node in able if not any(node in self.above(other) for other in able)] or under[-1:]
        groups = [self.group(node, under) for node in able]
        groups.append([n for n in under if not any(n in self.above(other) for other in able)])
        for node in {*under[-1:], *able}:
            if node.get("package"):
                self.package(node.get("package"))
        reply = [[text for node in group for text in self.own(node)] for group in groups]
        if self.root is not None and not under:
            self.worst = max(self.worst, 1)
        for texts in reply:
            self.words(texts)
        keys = any(fits(node.get("package", ""), "keyboards") for node in under)
        if under and self.secret() and (keys or any(len(bare(t)) == 1 for texts in reply for t in texts)):
            self.worst = 2
        if claims and action.content:
            word = self.read(action.content)
            if any(w in word for w in LABELS["denied"]):
                self.worst = max(self.worst, 1)
            if any(w in word for w in LABELS["confirmed"]) and not any(reply):
                self.worst = max(self.worst, 1)

    def group(self, outer: Any, under: list[Any]) -> list[Any]:  # noqa: ANN401
        inside = []
        for node in self.nodes:
            above = self.above(node)
            if outer in above and self.own(node):
                between = [node, *above[: above.index(outer)]]
                if not any(self.reacts(other) for other in between):
                    inside.append(node)
        if len(inside) > (LABELS["parts"] if self.reacts(outer) else 1):
            inside = [node for node in inside if node in under]
        return [outer, *inside]

    def read(self, text: str) -> str:
        reply = bare(text)
        return reply.replace("支付宝", " ") if fits(self.seen.package, "launchers") else reply

    def words(self, texts: list[str]) -> None:
        reply = [self.read(text) for text in texts]
        short = [text for text in reply if len(text) <= LABELS["short"]]
        for text in reply:
            if any(word in text for word in LABELS["denied"]):
                self.worst = max(self.worst, 2 if text in short else 1)
        for text in (*short, "".join(short)):
            if any(word in text for word in LABELS["denied"]):
                self.worst = 2
            if any(word in text for word in LABELS["confirmed"]):
                self.worst = max(self.worst, 1)

    def secret(self) -> bool:
        typed = [
            n for n in self.nodes if n.get("class", "").endswith("EditText") or n.get("password") == "true"
        ]
        focused = [n for n in typed if n.get("focused") == "true"]
        return any(self.hidden(node) for node in focused or typed)

    def hidden(self, node: Any) -> bool:  # noqa: ANN401
        output = [*self.own(node), node.get("view_id") or node.get("resource-id", "")]
        words = RULES["typing"]["password_words"]
        return node.get("password") == "true" or any(word in bare(text) for text in output for word in words)
