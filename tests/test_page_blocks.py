"""Runs the blocks of code of the README and of every page that has no test of its own.

A page's `bash` blocks run in order in a folder of the page, then its `python` blocks, each as a program of
its own. What a page reads and does not make itself is put into its folder first (`WORLD`). Blocks of other
languages do not run; of every `fingertip` command in them the options are parsed.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

import click
import pytest

from fingertip_cli.main import cli
from tests.command_line import fingertip
from tests.fixtures.drawn_sample import sample_release
from tests.page_blocks import PAGES, ROOT, blocks, title, words_of_fingertip
from tests.phone_bench import adb_port  # noqa: F401 - a fixture
from tests.shared_datasets import built_sample, simulated_people

RUN = {"bash", "python"}
OWN_TESTS: Mapping[str, str] = {
    "docs/bring-an-agent.md": "tests/fingertip_agents/test_add_an_agent.py",
    "docs/developers/add-a-format.md": "tests/fingertip_agents/test_add_an_agent.py",
    "docs/developers/add-an-app.md": "phone/tests/simulated_phone/apps/test_add_an_app.py",
    "docs/reference/assist.md": "studies/tests/fingertip_studies/assist/test_assist.py",
    "docs/attach-your-agent.md": "tests/test_attach_page.py",
    "docs/board.md": "board/tests/fingertip_leaderboard/test_submit_page.py",
    "docs/collect-your-own.md": "tests/test_beyond_china.py",
    "docs/environments.md": "frameworks/tests/fingertip_environments/test_environments_page.py",
    "docs/inspect.md": "tests/fingertip_20k/test_inspect_tasks.py",
    "docs/sim2.md": "tests/docs/test_sim2_page.py",
    "docs/start.md": "tests/docs/test_start_page.py",
    "docs/submit.md": "board/tests/fingertip_leaderboard/test_submit_page.py",
    "docs/train.md": "tests/test_train_page.py",
    # their blocks are those of the English pages
    **{
        title(page): "tests/docs/test_chinese_pages.py"
        for page in PAGES
        if page.parent.name == "zh" and RUN & {block.language for block in blocks(page)}
    },
}
"""Page -> the test that runs its blocks."""

RUNNABLE = [
    page
    for page in PAGES
    if title(page) not in OWN_TESTS and RUN & {block.language for block in blocks(page)}
]

WORLD: Mapping[str, Callable[[pytest.TempPathFactory], Path]] = {
    "RAW": lambda factory: sample_release() / "raw",
    "TABLES": lambda factory: sample_release() / "tables",
    "fingertip-20k": built_sample,
    "fingertip-demo/people": lambda factory: simulated_people(factory) / "sample",
    "fingertip-demo/fingertip-20k": lambda factory: simulated_people(factory) / "dataset",
}
"""What pages read -> what stands in its place: a drawn sample, and two simulated people."""

SIMULATED = {"docs/benchmark-your-model.md", "docs/score.md"}
"""Pages whose dataset is that of simulated people, as they carry tasks out on their phones."""

RUN_FILES = """
import os, runpy, sys
# evaluate's pipelines, which no metric uses, import transformers and torch where installed: seconds
sys.modules["transformers"] = None
import datasets, evaluate
del sys.modules["transformers"]
for path in sys.argv[1:]:
    os.chdir(os.path.dirname(path))
    # two datasets of one name are two pages'
    datasets.config.HF_DATASETS_CACHE = os.path.join(os.path.dirname(path), "cache")
    try:
        runpy.run_path(path)
    except BaseException as error:
        raise SystemExit(f"{path}: {type(error).__name__}: {error}") from error
"""


AGAIN = ("docs/zh/", "docs/first-ten-minutes.md")
"""Beginnings of the paths of pages whose commands are the README's, or those of the English page."""

SHARED_FOLDERS = {"fingertip-20k", "experiments"}
"""Folders that several pages make: the dataset of the README, and the folder of all experiments."""


def made_by(page: Path, languages: Collection[str] = ("bash",)) -> set[str]:
    """Folders that the page's own commands make."""
    text = "\n".join(block.text for block in blocks(page) if block.language in languages)
    return {
        *re.findall(r"--out (?:\./)?(\S+)", text),
        *re.findall(r"^fingertip sample (\S+)", text, re.MULTILINE),
    }


def test_pages_make_folders_of_their_own() -> None:
    """Who follows two pages in one folder gets no run or data of the other page in the way."""
    makers: dict[str, set[str]] = {}
    for page in PAGES:
        if not title(page).startswith(AGAIN):
            for name in made_by(page, {block.language for block in blocks(page)}):
                makers.setdefault(name, set()).add(title(page))
    assert {name: pages for name, pages in makers.items() if len(pages) > 1}.keys() == SHARED_FOLDERS


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A folder for each page, with what the page reads."""
    made = {}
    for page in RUNNABLE:
        folder = made[title(page)] = tmp_path_factory.mktemp("page")
        text = "\n".join(block.text for block in blocks(page) if block.language in RUN)
        for name, source in WORLD.items():
            if re.search(rf"(?:(?<![\w/-])|(?<=[\s\"]\./)){name}(?![\w-])", text) and name not in made_by(
                page
            ):
                (folder / name).parent.mkdir(exist_ok=True)
                if name == "fingertip-20k" and title(page) in SIMULATED:
                    source = WORLD["fingertip-demo/fingertip-20k"]
                (folder / name).symlink_to(source(tmp_path_factory))
    return made


def environment(folder: Path, port: int) -> dict[str, str]:
    own = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(folder.parent / "hf"), "ANDROID_ADB_SERVER_PORT": str(port)}
    return os.environ | own


@pytest.mark.install
@pytest.mark.parametrize("page", RUNNABLE, ids=title)
def test_the_blocks_of_a_page_run(
    page: Path,
    folders: dict[str, Path],
    adb_port: int,  # noqa: F811 - the fixture
) -> None:
    """The commands one after another, then the Python files in one process."""
    folder = folders[title(page)]
    for block in blocks(page):
        for line in block.commands if block.language == "bash" else ():
            program, *arguments = shlex.split(line, comments=True)
            assert program == "fingertip", line
            answer = fingertip(*arguments, cwd=folder, env=environment(folder, adb_port), timeout=500)
            assert answer.returncode == ("# exits 1" in line), f"{line}\n{answer.stderr}"
    paths = write_python(page, folder)
    if paths:
        done = subprocess.run(
            [sys.executable, "-c", RUN_FILES, *paths],
            cwd=folder,
            env=environment(folder, adb_port) | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=500,
        )
        assert done.returncode == 0, done.stderr


def write_python(page: Path, folder: Path) -> list[Path]:
    """Write the Python blocks of a page as files; return those that are programs."""
    paths = []
    for number, block in enumerate(blocks(page)):
        if block.language == "python":
            path = folder / (block.file or f"block-{number}.py")
            path.parent.mkdir(exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
            # a file in a folder is a part of something, which another block loads
            paths += [path] if "/" not in block.file else []
    return paths


def test_a_page_with_a_test_of_its_own_has_blocks_and_the_test_names_it() -> None:
    for page, test in OWN_TESTS.items():
        assert RUN & {block.language for block in blocks(ROOT / page)}, page
        assert Path(page).name in (ROOT / test).read_text(encoding="utf-8"), test


COMMANDS = [
    (page, line)
    for page in PAGES
    for block in blocks(page)
    # a block that shows an error shows a wrong call
    if block.language in ("", "bash", "sh", "console") and "\nfingertip: " not in block.text
    for line in block.commands
    if words_of_fingertip(line)
]


def test_every_command_on_a_page_is_one_of_ours_with_its_options() -> None:
    """Placeholders in capitals stand for any value, so values are not checked."""
    wrong = []
    for page, line in COMMANDS:
        command: click.Command = cli
        context = click.Context(cli, info_name="fingertip")
        words = words_of_fingertip(line)
        while isinstance(command, click.Group) and words and not words[0].startswith("-"):
            found = command.get_command(context, words[0])
            if found is None:
                wrong.append(f"{title(page)}: {line}")
                break
            command, words = found, words[1:]
            context = click.Context(command, parent=context, info_name=command.name)
        known = {
            name for option in command.get_params(context) for name in (*option.opts, *option.secondary_opts)
        }
        # what follows `--` is another program's
        own = words[: words.index("--")] if "--" in words else words
        used = {word.partition("=")[0] for word in own if re.match(r"--?[a-z]", word)}
        if used - known:
            wrong.append(f"{title(page)}: {' '.join(sorted(used - known))} in {line}")
    assert wrong == []
    assert len(COMMANDS) > 60
