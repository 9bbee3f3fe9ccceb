"""Building the site: the pages in one folder, then zensical over them, once for each language."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import yaml
import zensical

from docs.site.api_pages import api_pages
from docs.site.builder_markdown import adapt_markdown
from docs.site.cli_pages import cli_pages
from docs.site.format_pages import format_pages
from docs.site.moved_pages import write_redirects
from docs.site.notebook_pages import notebook_page
from docs.site.site_map import DOCS, ROOT, notebook_files, page_files, with_links
from fingertip_pages.page_font import make_font_face

SITE = DOCS / "site"
ENGLISH, CHINESE = SITE / "mkdocs.yml", SITE / "mkdocs.zh.yml"
GENERATED = {"reference/cli": cli_pages, "reference/formats": format_pages, "reference/api": api_pages}
"""Folder of pages -> what makes them; `FOLDER/*` in the navigation stands for all of them."""

FONT = "assets/stylesheets/chinese.css"
"""The Chinese font with the characters of the site, a style sheet."""


def build_site(folder: Path) -> Path:
    """Build the site in `folder/site`, from pages that are put into `folder/pages`.

    Returns:
        The folder of the site.

    Raises:
        CalledProcessError: A link or an anchor leads nowhere, or the configuration is wrong.
    """
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    english, chinese, theme = folder / "pages", folder / "pages-zh", folder / "theme"
    for old in (english, chinese, theme, folder / "site", folder / ".cache"):
        shutil.rmtree(old, ignore_errors=True)
    shutil.copytree(SITE / "theme", theme)
    stage(english)
    _stage_chinese(english, chinese)
    for file in (ENGLISH, CHINESE):
        made = folder / file.name
        settings = _with_pages(configuration(file), english)
        made.write_text(yaml.safe_dump(settings, allow_unicode=True, sort_keys=False), encoding="utf-8")
        call = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", str(made)]
        subprocess.run(call, check=True, cwd=folder)  # noqa: S603 - our own configuration
    write_redirects(folder / "site")
    return folder / "site"


def stage(pages: Path) -> None:
    """Put every page, picture and file of the English site into a folder, links included."""
    # the site's builder and the notebooks stand among the pages
    shutil.copytree(DOCS, pages, ignore=shutil.ignore_patterns("*.md", "*.ipynb", SITE.name))
    shutil.copytree(SITE / "theme" / "assets", pages / "assets")

    def copied(path: str) -> str:
        # as text, so that a browser shows it
        place = f"source/{path}.txt"
        target = pages / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, target)
        return place

    for path, place in page_files().items():
        text = (ROOT / path).read_text(encoding="utf-8")
        _write(pages / place, with_links(text, path, place, copied))
    for path, place in notebook_files().items():
        linked = partial(with_links, page=path, place=place, copied=copied)
        _write(pages / place, notebook_page(ROOT / path, pages / "notebooks" / "images", linked))
    for place, make in GENERATED.items():
        for name, text in make().items():
            _write(pages / place / name, text)
    # Chinese shows where no Chinese font is installed; the theme's own texts are in its templates
    texts = "".join(path.read_text(encoding="utf-8") for path in pages.rglob("*.md"))
    theme = Path(zensical.__file__).parent / "templates" / "partials" / "languages" / "zh.html"
    _write(
        pages / FONT, make_font_face(texts + theme.read_text(encoding="utf-8") + CHINESE.read_text("utf-8"))
    )


def _stage_chinese(english: Path, chinese: Path) -> None:
    """Move the Chinese pages into a folder of their own, with the pictures."""
    shutil.move(english / "zh", chinese)
    for name in ("images", "assets"):
        shutil.copytree(english / name, chinese / name)
    for page in chinese.glob("*.md"):
        page.write_text(page.read_text("utf-8").replace("](../images/", "](images/"), encoding="utf-8")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(adapt_markdown(text) if path.suffix == ".md" else text, encoding="utf-8")


def configuration(file: Path) -> dict[str, Any]:
    """The settings of a site; those of another language replace the English ones that they name."""
    settings: dict[str, Any] = yaml.safe_load(ENGLISH.read_text(encoding="utf-8"))
    if file != ENGLISH:
        own = yaml.safe_load(file.read_text(encoding="utf-8"))
        settings |= own | {"theme": settings["theme"] | own["theme"]}
    return settings


def _with_pages(settings: Any, pages: Path) -> Any:  # noqa: ANN401 - YAML
    """Settings with every page of `FOLDER/*` in the navigation."""
    if isinstance(settings, Mapping):
        return {name: _with_pages(value, pages) for name, value in settings.items()}
    if isinstance(settings, list):
        return [item for value in settings for item in _items(value, pages)]
    return settings


def _items(value: Any, pages: Path) -> list[Any]:  # noqa: ANN401 - YAML
    if not (isinstance(value, str) and value.endswith("/*")):
        return [_with_pages(value, pages)]
    found = sorted((pages / value[:-2]).glob("*.md"), key=lambda path: (path.name != "index.md", path.name))
    return [path.relative_to(pages).as_posix() for path in found]


def navigation(file: Path = ENGLISH) -> list[str]:
    """The pages in the navigation, in order, with `FOLDER/*` as it stands."""
    return _leaves(configuration(file)["nav"])


def _leaves(part: object) -> list[str]:
    if isinstance(part, Mapping):
        return [leaf for value in part.values() for leaf in _leaves(value)]
    return [leaf for item in part for leaf in _leaves(item)] if isinstance(part, list) else [str(part)]
