"""Package roots: their public names, their import cost, and that documents import only them."""

from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from execution_runner import execution_records
from fingertip_dataset.lazy_names import read_type_imports
from simulated_phone.dialogue import dialogue_kinds
from tests.test_architecture import PACKAGES, PLACES, ROOT, folder

FRONT_DOOR = "fingertip_20k"
ROOTS = [package for package in PACKAGES if package not in ("fingertip_cli", "android_shell")]
LAZY_ROOTS = [package for package in ROOTS if package != FRONT_DOOR]
PAGES = [ROOT / "README.md", ROOT / "dataset_card.md", *sorted((ROOT / "docs").rglob("*.md"))]
_PYTHON_BLOCK = re.compile(r"^```py(?:thon)?(?: [^\n]*)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PYTHON_COMMAND = re.compile(r"python -c (['\"])(.*?)\1", re.DOTALL)


EARLIER_NAMES = {
    package: names
    for package, *names in map(
        str.split, (ROOT / "tests" / "public_names.txt").read_text("utf-8").splitlines()
    )
}
"""Package -> every name that its root has exported in any version."""

MOVED_UP = {
    "execution_runner": {
        *("Demonstration", "EpisodeWriter", "ReplayReport", "replay_release"),
        *("breakdown_table", "notes", "score_tables", "write_report"),
    }
}
"""Names whose modules are now in a package above, which the root cannot import; the changelog lists them."""


def loaded_by(code: str) -> set[str]:
    """Names of all modules loaded in a fresh interpreter after `code`."""
    head, last = (
        "import json, sys\nbefore = set(sys.modules)",
        "print(json.dumps([*set(sys.modules) - before]))",
    )
    program = f"{head}\n{code}\n{last}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def type_checked_imports(package: str) -> set[str]:
    """Names that a package's root imports for type checkers."""
    return set(read_type_imports((folder(package) / "__init__.py").read_text(encoding="utf-8")))


def listing_order(name: str) -> tuple[bool, bool, str]:
    """Constants, then classes, then functions, each by name: the order that ruff keeps (RUF022)."""
    return not name.isupper(), not name[0].isupper(), name


@pytest.mark.parametrize("package", LAZY_ROOTS)
def test_all_lists_every_public_name_once_in_order(package: str) -> None:
    module = importlib.import_module(package)
    assert module.__all__ == sorted(set(module.__all__), key=listing_order)
    assert set(module.__all__) == type_checked_imports(package)
    assert set(module.__all__) <= set(dir(module))
    for name in module.__all__:
        assert getattr(module, name) is not None


@pytest.mark.parametrize("package", LAZY_ROOTS)
def test_no_public_name_is_hidden_by_a_submodule(package: str) -> None:
    """Importing a submodule binds its name in the package, and replaces a function of the same name."""
    submodules = {path.stem for path in folder(package).iterdir()}
    places = read_type_imports((folder(package) / "__init__.py").read_text(encoding="utf-8"))
    elsewhere = {name for name, (module, _) in places.items() if module not in (package, f"{package}.{name}")}
    assert elsewhere & submodules == set()


def test_the_front_door_gives_every_name_of_the_documents() -> None:
    """Names of wings are lazy strings only, and for a type checker of any type."""
    door = importlib.import_module(FRONT_DOOR)
    assert door.__all__ == sorted(set(door.__all__), key=listing_order)
    assert type_checked_imports(FRONT_DOOR) == set(door.__all__) - set(door._WINGS)
    assert {*door._WINGS.values()} == {*PLACES} - {"android_shell", "simulated_phone"}
    for name in door.__all__:
        assert getattr(door, name) is not None
    assert set(door.__all__) <= set(dir(door))


def test_the_front_door_loads_nothing_before_use() -> None:
    loaded = loaded_by(f"import {FRONT_DOOR}")
    assert {name.split(".")[0] for name in loaded} - sys.stdlib_module_names == {
        FRONT_DOOR,
        "fingertip_dataset",
    }


WITHOUT = """
import sys
from importlib.abc import MetaPathFinder

class Missing(MetaPathFinder):
    def find_spec(self, name, *_):
        if name == sys.argv[1]:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
import fingertip_20k
getattr(fingertip_20k, sys.argv[2])
"""


@pytest.mark.parametrize(
    ("needs", "name", "extra"),
    [("gymnasium", "PhoneEnv", "gymnasium"), ("inspect_ai", "execution", "inspect")],
)
def test_a_name_that_needs_a_package_names_its_extra(needs: str, name: str, extra: str) -> None:
    call = [sys.executable, "-c", WITHOUT, needs, name]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].endswith(f"pip install 'fingertip-20k[{extra}]'")


def test_an_unknown_name_is_an_attribute_error() -> None:
    for package in ROOTS:
        with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
            _ = importlib.import_module(package).nothing


@pytest.mark.parametrize("package", EARLIER_NAMES)
def test_a_root_has_every_name_of_earlier_versions(package: str) -> None:
    module = importlib.import_module(package)
    moved = MOVED_UP.get(package, set())
    assert {name for name in EARLIER_NAMES[package] if not hasattr(module, name)} == moved
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert [name for name in moved if f"`{name}`" not in changelog] == []


def test_importing_all_roots_loads_nothing_but_the_roots() -> None:
    loaded = loaded_by(f"import {', '.join(ROOTS)}")
    third_party = {name.split(".")[0] for name in loaded} - sys.stdlib_module_names - set(ROOTS)
    assert third_party == set()
    assert {name for name in loaded if name.split(".")[0] in ROOTS} == {
        *ROOTS,
        "fingertip_dataset.lazy_names",
    }


def test_the_scorer_loads_no_module_of_the_simulated_phone() -> None:
    loaded = loaded_by("from execution_runner import score_run")
    assert "execution_runner.scoring.run_scores" in loaded
    assert {name for name in loaded if name.startswith("simulated_phone")} == set()


def test_records_have_the_kinds_of_the_dialogues_of_the_phone() -> None:
    """They stand twice, as the scorer loads nothing of the phone."""
    pairs = [("InstructionLevel", "Level"), ("AnsweredBy", "AnsweredBy"), ("SpokenKind", "ReplyKind")]
    for ours, theirs in [*pairs, ("RiskKind", "Risk")]:
        assert getattr(execution_records, ours) == getattr(dialogue_kinds, theirs)


def code_of(page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8")
    blocks = [str(block) for block in _PYTHON_BLOCK.findall(text)]
    return blocks + [str(command) for _, command in _PYTHON_COMMAND.findall(text)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_documents_import_only_package_roots(page: Path) -> None:
    for block in code_of(page):
        for node in ast.walk(ast.parse(block)):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert [name for name in modules if name.split(".")[0] in PACKAGES and "." in name] == []
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in PACKAGES:
                root = importlib.import_module(node.module or "")
                assert node.module in ROOTS
                assert {alias.name for alias in node.names} <= set(root.__all__)


def test_some_documents_have_code() -> None:
    assert len([page for page in PAGES if code_of(page)]) >= 5
