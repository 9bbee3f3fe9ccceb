"""Slow, independent lower bound of the gate on ElementTree: what must at least be asked about or denied.

It knows the packages, missing screens, password fields, and labels that are a rule's word and nothing else.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from execution_runner.devices.device import Observation
from fingertip_dataset.actions import Action, Type
from fingertip_dataset.errors import BlackFrameError
from fingertip_runs import app_rules as rules

TEXT = Path(rules.__file__).with_suffix(".toml").read_text(encoding="utf-8")
RULES: dict[str, Any] = tomllib.loads(TEXT)
PACKAGES, LABELS = RULES["packages"], RULES["labels"]
WIDTH, HEIGHT = 200, 400
LEVELS = ("allow", "confirm", "deny")


def bare(text: str) -> str:
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).lower())
    return "".join(c for c in text if unicodedata.category(c)[0] in "LN" and c not in "\u115f\u1160")


def chinese(kind: str) -> list[str]:
    """The rule's Chinese words that act alone, whatever stands around them."""
    return [word for word in LABELS[kind] if re.fullmatch("[\u4e00-\u9fff]+", word) and word not in NEUTRAL]


NEUTRAL = {*LABELS["generic"], *LABELS["leaving"]}
WORDS = {word: 2 for word in chinese("denied")}
WORDS |= {word: 1 for kind in ("money", "confirmed") for word in chinese(kind) if word not in WORDS}


def fits(package: str, kind: str) -> bool:
    return any(fnmatchcase(package, pattern) for pattern in PACKAGES[kind])


class Oracle:
    """The least strict decision that may be made on an action on one screen."""

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

    def at_least(self, action: Action) -> str:
        """The least strict decision: "allow", "confirm" or "deny"."""
        name = action.name
        if name in ("click", "long_click", "scroll", "type"):
            self.package(self.seen.package)
        if name in ("click", "long_click", "scroll"):
            self.touch(action)
        elif isinstance(action, Type) and self.secret():
            self.worst = 2
        elif isinstance(action, Type) and "\n" in action.text and self.root is None:
            self.worst = max(self.worst, 1)
        if name in ("click", "long_click", "type") and (
            self.root is None or any(isinstance(p, BlackFrameError) for p in self.seen.problems)
        ):
            self.worst = max(self.worst, 1)
        if name == "scroll" and self.worst == 1:
            return "allow"
        return LEVELS[self.worst]

    def package(self, package: str) -> None:
        if fits(package, "confirmed"):
            self.worst = max(self.worst, 1)
        elif package != self.app or not package:
            friendly = any(fits(package, kind) for kind in ("launchers", "keyboards", "navigation"))
            self.worst = max(self.worst, 2 if fits(package, "denied") else 0 if friendly else 1)

    def touch(self, action: Any) -> None:  # noqa: ANN401
        x = min(max(round(action.x), 0), WIDTH - 1)
        y = min(max(round(action.y), 0), HEIGHT - 1)
        under = []
        for node in self.nodes:
            box = re.fullmatch(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]", node.get("bounds", ""))
            if box and int(box[1]) <= x < int(box[3]) and int(box[2]) <= y < int(box[4]):
                under.append(node)
        able = [node for node in under if self.reacts(node)]
        inner = [node for node in able if not any(node in self.above(other) for other in able)]
        for node in {*under[-1:], *inner}:
            if node.get("package"):
                self.package(node.get("package"))
        if action.name == "scroll":
            return
        if self.root is not None and not under:
            self.worst = max(self.worst, 1)
        if fits(self.seen.package, "launchers"):
            return  # names of apps
        for node in inner:
            for text in self.own(node):
                word = re.sub("^立即|[0-9]+$", "", bare(text))
                self.worst = max(self.worst, WORDS.get(word, 0))

    def secret(self) -> bool:
        """Whether the one focused field has the mark of a password."""
        fields = [n for n in self.nodes if n.get("class", "").endswith("EditText")]
        focused = [n for n in fields if n.get("focused") == "true"]
        return len(focused) == 1 and focused[0].get("password") == "true"
