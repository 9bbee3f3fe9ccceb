"""The documentation site: built, complete, without a dead link and without another host."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import click
import pytest
from lxml import html
from playwright.sync_api import Browser

from docs.site.build import CHINESE, ENGLISH, GENERATED, navigation
from docs.site.site_map import ROOT, notebook_files, page_files
from fingertip_cli.main import cli
from tests.docs.site.shown_blocks import check_built_page
from tests.shared_datasets import shared_folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it; the build ends with 1 at a dead link or anchor."""

    def make(folder: Path) -> None:
        call = [sys.executable, "-m", "docs.site", str(folder)]
        done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, timeout=500)
        assert done.returncode == 0, done.stdout + done.stderr

    return shared_folder(tmp_path_factory, "docs-site", make) / "site"


def test_every_page_is_in_the_navigation() -> None:
    """A new page of docs/ is added to `nav` in mkdocs.yml."""
    english = [place for place in page_files().values() if not place.startswith("zh/")]
    wanted = {*english, *notebook_files().values(), *(f"{folder}/*" for folder in GENERATED)}
    listed = navigation(ENGLISH)
    assert sorted(listed) == sorted(set(listed))
    assert wanted - set(listed) == set(), "not in nav of mkdocs.yml"
    assert set(listed) - wanted == set(), "in nav of mkdocs.yml, and no page"
    chinese = [place.removeprefix("zh/") for place in page_files().values() if place.startswith("zh/")]
    assert sorted(page for page in navigation(CHINESE) if page.endswith(".md")) == sorted(chinese)
    assert navigation(CHINESE)[0] == "index.md"


def pages_of(site: Path) -> dict[Path, html.HtmlElement]:
    return {path: html.parse(str(path)).getroot() for path in sorted(site.rglob("*.html"))}


@pytest.mark.install
def test_the_built_pages_have_the_headings_and_the_code_of_their_sources(site: Path) -> None:
    faults = {
        path: found
        for path, place in page_files().items()
        if (found := check_built_page((ROOT / path).read_text("utf-8"), (site / place).with_suffix(".html")))
    }
    assert faults == {}


@pytest.mark.install
def test_links_and_anchors_lead_somewhere_and_nothing_comes_from_another_host(site: Path) -> None:
    pages = pages_of(site)
    assert len(pages) > 80
    anchors = {path: {*page.xpath("//@id"), *page.xpath("//a/@name")} for path, page in pages.items()}
    wrong, fetched = [], []
    for path, page in pages.items():
        if path.name == "404.html":  # its links are from the root of a server
            continue
        sources = page.xpath("//script/@src | //link[@rel='stylesheet']/@href | //img/@src")
        fetched += [link for link in sources if urlsplit(link).netloc]
        for link in {*page.xpath("//a/@href"), *page.xpath("//img/@src"), *page.xpath("//script/@src")}:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            # a folder would be listed: the site is read from files, too
            if not target.is_file() or (parts.fragment and target in anchors
                                        and unquote(parts.fragment) not in anchors[target]):  # fmt: skip
                wrong.append(f"{path.relative_to(site)}: {link}")
    assert wrong == []
    assert fetched == []


def commands(group: click.Group, context: click.Context) -> list[tuple[str, click.Command, click.Context]]:
    """Path, command and context of every command below a group."""
    found = []
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, parent=context, info_name=name)
        found.append((inner.command_path, command, inner))
        found += commands(command, inner) if isinstance(command, click.Group) else []
    return found


@pytest.mark.install
def test_every_option_of_every_command_is_on_its_page(site: Path) -> None:
    context = click.Context(cli, info_name="fingertip")
    missing, count = [], 0
    for path, command, inner in commands(cli, context):
        page = html.parse(str(site / "reference" / "cli" / f"{path.split()[1]}.html"))
        text = page.getroot().text_content()
        for option in command.get_params(inner):
            if isinstance(option, click.Option) and not option.hidden:
                count += 1
                missing += [f"{path} {name}" for name in option.opts if name not in text]
    assert missing == []
    assert count > 300


@pytest.mark.install
def test_every_public_name_is_on_the_page_of_its_package(site: Path) -> None:
    import fingertip_dataset
    import fingertip_metrics

    for package in (fingertip_dataset, fingertip_metrics):
        page = html.parse(str(site / "reference" / "api" / f"{package.__name__}.html")).getroot()
        heads = {head.text_content().rstrip("¶") for head in page.xpath("//h2")}
        assert set(package.__all__) == heads


@pytest.mark.install
def test_the_formats_show_the_fields_of_the_files(site: Path) -> None:
    from execution_runner.execution_records import StepRecord
    from fingertip_dataset.parquet.features import COLUMNS
    from fingertip_privacy import Find

    for page, names in (
        ("dataset", COLUMNS),
        ("run", StepRecord.model_fields),
        ("privacy", Find.model_fields),
    ):
        root = html.parse(str(site / "reference" / "formats" / f"{page}.html")).getroot()
        cells = {cell.text_content() for cell in root.xpath("//td[1]")}
        assert set(names) <= cells
    # the meaning of a field is its class's docstring
    assert "What was found, as it stands there" in root.text_content()


@pytest.mark.soak
def test_the_site_works_from_a_file_in_both_languages(site: Path, browser: Browser) -> None:
    """In chromium without a server: search finds a function, the Chinese page is Chinese, 390 px suffice."""
    page = browser.new_page(viewport={"width": 390, "height": 844})
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto((site / "zh" / "index.html").as_uri())
    assert page.evaluate("document.documentElement.lang") == "zh"
    assert re.search("[一-鿿]", page.locator("h1").inner_text())
    # before fonts that may have no Chinese character: chromium showed short texts as boxes
    assert page.evaluate("getComputedStyle(document.body).fontFamily").startswith('"FingerTip Chinese"')
    for name in ("index.html", "reference/cli/suggest.html", "reference/formats/run.html", "baselines.html"):
        page.goto((site / name).as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
    page.set_viewport_size({"width": 1280, "height": 800})
    page.locator(".md-search__button").click()
    page.get_by_role("combobox", name="Search").fill("bootstrap_mean")
    page.get_by_role("option", name=re.compile("^bootstrap_mean")).first.wait_for()
    page.close()
    assert [url for url in requested if not url.startswith(("file:", "data:", "blob:"))] == []
