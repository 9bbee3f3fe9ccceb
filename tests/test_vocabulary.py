"""One term per concept: replaced terms are not used, and a class or module name has one meaning."""

from __future__ import annotations

import ast
import re
from collections import defaultdict

from tests.test_architecture import PACKAGES, ROOT, SOURCES, TESTS, syntax_tree

REPLACED = {
    # environments, steps and results
    "Ground", "open_grounds", "Scene", "Done", "Finding", "finding", "_finding", "Behind",
    "Desk", "desk", "give_back",
    # task views, annotation, model input and output
    "Telling", "telling", "told", "_told", "asked", "_asked", "said", "_said", "Sitting", "sitting", "Word",
    "Lean", "Part", "Closed",
    # simulated people
    "Ways", "Habits", "Way", "Wish", "wish", "Deed", "deed", "Seen", "Aim",
    # the simulated phone, and builds
    "Turn", "Do", "Face", "Glass", "Look", "PhoneInHand", "Recipe", "Slot",
}  # fmt: skip
"""Terms of earlier versions that no class, function, argument, variable or import may bear.

Fields of records are exempt, because they are file formats.
"""

REPLACED_MODULES = {
    "grounds", "ground", "opening", "behind", "sitting", "telling", "tally", "side_by_side", "own_form",
    "generic", "replay_way", "walked_again", "acted_again", "rebuilt", "recomputed", "head", "effort",
    "trees", "raw", "index", "recording", "ways", "habits", "turn", "look", "answers", "chat_talk",
    "chat_world",
}  # fmt: skip

TESTED = [
    *SOURCES,
    *TESTS,
    *sorted((ROOT / "benchmarks").rglob("*.py")),
]

OLD_ROOT_NAMES = {ROOT / "phone" / "simulated_phone" / "__init__.py"}
"""Files that keep names of earlier versions as aliases."""

REPEATED_MODULES = {"app", "__init__", "__main__"}
"""Module names required by a host, such as `app.py` of a Space."""


def names_of(tree: ast.AST) -> set[str]:
    """Names that a module defines, binds or imports, including locals and lambda arguments."""
    found = set()
    fields = {
        item.target
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for item in node.body
        if isinstance(item, ast.AnnAssign)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in fields:
            found.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name.rpartition(".")[2] for alias in node.names}
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
    return found


def test_no_definition_or_import_uses_a_replaced_term() -> None:
    term = re.compile(rf"\b({'|'.join(REPLACED)})\b")
    with_terms = [path for path in TESTED if term.search(path.read_text(encoding="utf-8"))]
    replaced = {
        str(path): names_of(syntax_tree(path)) & REPLACED for path in with_terms if path not in OLD_ROOT_NAMES
    }
    assert {path: names for path, names in replaced.items() if names} == {}


def test_no_module_uses_a_replaced_term() -> None:
    parts = {part for path in SOURCES for part in path.relative_to(ROOT).with_suffix("").parts}
    assert parts & REPLACED_MODULES == set()


def test_names_are_found_wherever_they_are_bound() -> None:
    code = """
import a.ground
class Record:
    told: str
def f(x, *, y): z = lambda w: [v for v in w]
for i, (j, k) in []: pass
with open("") as handle: pass
"""
    bound = {"ground", "Record", "f", "x", "y", "z", "w", "v", "i", "j", "k", "handle"}
    assert names_of(ast.parse(code)) == bound


def test_a_class_has_one_meaning() -> None:
    places = defaultdict(list)
    for path in SOURCES:
        for name in re.findall(r"^class ([^\W_]\w*)[(:]", path.read_text(encoding="utf-8"), re.MULTILINE):
            places[name].append(str(path.relative_to(ROOT)))
    assert len(places) > 300
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_a_module_has_one_meaning() -> None:
    """Exempt are commands of the command line and of the phone's shell, and the phone's apps."""
    named_after = re.compile("^fingertip_cli/|^phone/simulated_phone/apps/|/commands/")
    places = defaultdict(list)
    for path in SOURCES:
        place = str(path.relative_to(ROOT))
        if path.stem not in REPEATED_MODULES and not named_after.search(place):
            places[path.stem].append(place)
    assert {name: where for name, where in places.items() if len(where) > 1} == {}
    assert len(PACKAGES) == len(set(PACKAGES))
