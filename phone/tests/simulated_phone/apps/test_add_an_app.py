"""docs/developers/add-an-app.md: the blocks of the page make a working app."""

from __future__ import annotations

import importlib
import pkgutil
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

import simulated_phone.apps
from simulated_phone import App, GoalInstance, Phone
from simulated_phone.apps import APPS, find_apps
from simulated_phone.goals.app_definition import LAST_POSITION
from simulated_phone.people.gestures import GesturePlayer

ROOT = Path(__file__).parents[4]
LOCAL = 'lint.isort.known-first-party=["recipes"]'
PAGE = (ROOT / "docs" / "developers" / "add-an-app.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"^```python (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the page, each made of its blocks in order."""
    directory = tmp_path_factory.mktemp("page")
    files: dict[str, list[str]] = {}
    for name, block in _BLOCK.findall(PAGE):
        files.setdefault(name, []).append(block)
    assert sorted(files) == ["play.py", "recipes.py"]
    for name, blocks in files.items():
        (directory / name).write_text("\n\n".join(blocks), encoding="utf-8")
    return directory


@pytest.fixture(scope="module")
def app(folder: Path) -> Iterator[App]:
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module("recipes").RECIPES
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("recipes", None)


def test_the_pages_program_runs(folder: Path, app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    assert app.english == "Recipes"
    monkeypatch.chdir(folder)
    runpy.run_path("play.py")
    with Image.open(folder / "recipes.png") as picture:
        assert picture.size == (1080, 2400)


def test_apps_are_found_as_files_and_as_folders(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apps = tmp_path / "found_apps"
    (apps / "cooking").mkdir(parents=True)
    (apps / "__init__.py").touch()
    source = (folder / "recipes.py").read_text(encoding="utf-8")
    (apps / "recipes.py").write_text(source, encoding="utf-8")
    cooking = source.replace("com.example.recipes", "com.example.cooking")
    (apps / "cooking" / "__init__.py").write_text(cooking, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    found = find_apps(importlib.import_module("found_apps"))
    assert [app.package for app in found] == ["com.example.cooking", "com.example.recipes"]


def test_each_module_of_the_package_defines_one_app_with_its_own_position() -> None:
    assert len(list(pkgutil.iter_modules(simulated_phone.apps.__path__))) == len(APPS)
    assert len({app.package for app in APPS}) == len(APPS)
    positions = [app.position for app in APPS if app.position != LAST_POSITION]
    assert len(set(positions)) == len(positions)


def test_every_strategy_reaches_its_goal_on_a_phone_with_only_this_app(app: App) -> None:
    phone = Phone(seed=9, size=(540, 1200), density=210, apps=[app])
    for goal in app.goals:
        assert len(goal.strategies) >= 2
        for case in goal.cases(9):
            for strategy in goal.strategies:
                phone.reset()
                goal_instance = GoalInstance(package=app.package, goal=goal.name, arguments=case)
                assert not phone.achieved(goal_instance)
                GesturePlayer(phone).play(strategy.steps(case))
                assert phone.achieved(goal_instance), (strategy.name, case)
                assert any(fact.name in ("dish_saved", "thing_added") for fact in phone.facts)


def test_the_page_has_at_most_150_lines_of_code(folder: Path) -> None:
    lines = (folder / "recipes.py").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 150


@pytest.mark.soak
def test_the_code_of_the_page_passes_the_projects_checks(folder: Path) -> None:
    """Ruff and mypy, with the settings of the project."""
    tools = Path(sys.executable).parent
    config = str(ROOT / "pyproject.toml")
    ruff = ["check", "--config", config, "--config", LOCAL, "--ignore", "D,INP,S101", "."]
    # in the project's folder, whose cache knows the types of what the page's code imports
    mypy = ["--strict", "--config-file", config, str(folder / "recipes.py")]
    for program, place, words in (("ruff", folder, ruff), ("mypy", ROOT, mypy)):
        command = [str(tools / program), *words]
        result = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stdout + result.stderr
