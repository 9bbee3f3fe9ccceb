"""One term per concept: the field's. Terms that were replaced are gone, and a name has one meaning."""

from __future__ import annotations

import ast
from collections import defaultdict

from tests.test_architecture import PACKAGES, ROOT, SOURCES, syntax_tree

REPLACED = {
    *("Ground", "Scene", "Done", "Finding", "Behind", "Desk", "Telling", "Ways", "Habits", "Way", "Wish"),
    *(
        "Deed",
        "Seen",
        "Aim",
        "Sitting",
        "Word",
        "Lean",
        "Part",
        "Closed",
        "Turn",
        "Do",
        "Face",
        "Glass",
        "Look",
    ),
    *("Slot", "PhoneInHand", "Recipe", "open_grounds", "told", "asked", "_told", "finding", "give_back"),
}
"""Terms of earlier versions that no definition, argument, variable or import may bear.

Fields of records are not among them: they are file formats.
"""

REPLACED_MODULES = {
    *(
        "grounds",
        "ground",
        "opening",
        "behind",
        "sitting",
        "telling",
        "tally",
        "side_by_side",
        "own_form",
        "generic",
    ),
    *(
        "replay_way",
        "walked_again",
        "acted_again",
        "rebuilt",
        "recomputed",
        "head",
        "effort",
        "leaderboard.space",
    ),
    *("trees", "raw", "index", "recording", "ways", "habits", "turn", "look"),
}

OLD_ROOT_NAMES = {ROOT / "simulated_phone" / "__init__.py"}
"""Files that keep names of earlier versions as aliases."""

REPEATED_MODULES = {"app", "__init__", "__main__"}
"""Names that a host prescribes: a Space's `app.py`."""


def names_of(tree: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.Assign):
            found |= {
                name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)
            }
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names}
    return found


def test_no_definition_or_import_bears_a_replaced_term() -> None:
    replaced = {
        str(path): names_of(syntax_tree(path)) & REPLACED for path in SOURCES if path not in OLD_ROOT_NAMES
    }
    assert {path: names for path, names in replaced.items() if names} == {}


def test_no_module_bears_a_replaced_term() -> None:
    parts = {part for path in SOURCES for part in path.relative_to(ROOT).with_suffix("").parts}
    assert not parts & REPLACED_MODULES


def test_a_class_has_one_meaning() -> None:
    places = defaultdict(list)
    for path in SOURCES:
        for node in syntax_tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path.relative_to(ROOT)))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_a_module_has_one_meaning() -> None:
    """Except commands of the command line and of the phone's shell, and the phone's apps."""
    named_after = ("fingertip_cli", "simulated_phone/adb/commands", "simulated_phone/apps")
    places = defaultdict(list)
    for path in SOURCES:
        place = str(path.relative_to(ROOT))
        if path.stem not in REPEATED_MODULES and not place.startswith(named_after):
            places[path.stem].append(place)
    assert {name: where for name, where in places.items() if len(where) > 1} == {}
    assert len(PACKAGES) == len(set(PACKAGES))
