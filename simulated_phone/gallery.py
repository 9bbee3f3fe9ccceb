"""The gallery: one HTML page with the first pages of every app, in each language, light and dark.

python -m simulated_phone.gallery --out gallery [--app com.android.email]

writes gallery/index.html, which needs no network. Pictures are drawn by the phone itself.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO
from pathlib import Path

import click

from simulated_phone.app_definition import App
from simulated_phone.apps import installed
from simulated_phone.command_line import run_command
from simulated_phone.language import languages
from simulated_phone.phone import Phone
from simulated_phone.phone_errors import PhoneSetupError, UnknownNameError
from simulated_phone.screens.pages import AppPage
from simulated_phone.screens.picture_cache import Pictures
from simulated_phone.screens.skin import designs

SIZE, DENSITY, SEED = (360, 800), 140, 3
WEBP_QUALITY = 78
SHOWN_IN_DESIGNS = ("com.android.launcher3", "com.android.settings", "com.simulated.liaotian")
"""Packages of the apps whose first page is shown in each design language."""

_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 1000px; padding: 0 16px 60px;
  color: #1d2129; background: #f6f7f9; }
h1 { margin: 28px 0 4px } h2 { margin: 36px 0 8px; padding-top: 8px; border-top: 1px solid #d8dce3 }
nav { display: flex; flex-wrap: wrap; gap: 4px 14px }
a { color: #1a56c4 }
.pages { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 14px; margin-bottom: 14px }
figure { margin: 0 }
img { width: 100%; height: auto; display: block; border-radius: 14px; border: 1px solid #d8dce3 }
figcaption { font-size: 13px; color: #4c5361; margin-top: 4px }
@media (max-width: 640px) { .pages { grid-template-columns: repeat(2, minmax(0, 1fr)) } }
@media (prefers-color-scheme: dark) {
  body { color: #e6e8ec; background: #16181c } figcaption { color: #a8aebb } a { color: #8ab4ff }
  h2, img { border-color: #33373f } }
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A drawn page.

    Args:
        caption: What it is.
        language: Language of the phone.
        picture: A WebP file.
    """

    caption: str
    language: str
    picture: bytes


def write_gallery(folder: Path, packages: Sequence[str] = ()) -> Path:
    """Draw the pages and write `index.html` in the folder, which is made if it does not exist.

    Args:
        folder: The folder.
        packages: The apps to show; all of them, and the design languages, if there are none.

    Raises:
        PhoneSetupError: There is no such app.
        OSError: The file cannot be written.
    """
    known = [app.package for app in installed(languages()[0])]
    for package in packages:
        if package not in known:
            message = f"there is no app {package!r}; there are {', '.join(known)}"
            raise UnknownNameError(message, name=package, names=known)
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "index.html"
    page.write_text(_html(packages or known, with_designs=not packages), encoding="utf-8")
    return page


def _html(packages: Sequence[str], *, with_designs: bool) -> str:
    phones = [
        (language, dark, _phone(language, dark=dark)) for language in languages() for dark in (False, True)
    ]
    sections, links = [], []
    every = {language: {app.package: app for app in installed(language)} for language in languages()}
    for package in packages:
        names = " · ".join(apps[package].label for apps in every.values() if package in apps)
        links.append(f'<a href="#{escape(package)}">{escape(names)}</a>')
        shots = [
            list(_pages(phone, every[language][package], language, dark=dark))
            for language, dark, phone in phones
            if package in every[language]
        ]
        rows = zip(*shots, strict=True)
        sections.append(_section(package, names, rows))
    if with_designs:
        links.append('<a href="#designs">Design languages</a>')
        sections.append(_section("designs", "Design languages", _designs()))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width"><title>The apps of the simulated phone</title>'
        f"<style>{_STYLE}</style></head><body><h1>The apps of the simulated phone</h1>"
        f"<p>{len(packages)} apps, with the first page of each and what its tabs open, in "
        f"{len(languages())} languages, light and dark. All content is made up.</p>"
        f"<nav>{''.join(links)}</nav>{''.join(sections)}</body></html>\n"
    )


def _phone(language: str, *, dark: bool = False, design: str = designs()[0]) -> Phone:
    # each page is drawn once
    return Phone(
        seed=SEED,
        size=SIZE,
        density=DENSITY,
        locale=language,
        dark=dark,
        design=design,
        pictures=Pictures(0),
    )


def _pages(phone: Phone, app: App, language: str, *, dark: bool) -> Iterator[Shot]:
    """The first page of an app, and those of its other tabs."""
    phone.start(app.package)
    words = f" · {language}{' · dark' if dark else ''}"
    yield _shot(phone, f"{app.label}{words}", language)
    surface = phone.shown().surface
    for tab in surface.tabs if isinstance(surface, AppPage) else ():
        if not tab.chosen:
            node = next(node for node in phone.screen().nodes() if node.tap == tab.tap)
            phone.tap(*node.box.centre)
            yield _shot(phone, f"{tab.text}{words}", language)


def _designs() -> Iterator[Sequence[Shot]]:
    """A row for each design language: pages in light mode, and the first of them in dark mode."""
    language = languages()[0]
    for design in designs():
        row = []
        for dark, packages in ((False, SHOWN_IN_DESIGNS), (True, SHOWN_IN_DESIGNS[-1:])):
            phone = _phone(language, dark=dark, design=design)
            for package in packages:
                phone.start(package)
                row.append(_shot(phone, f"{design}{' · dark' if dark else ''}", language))
        yield row


def _shot(phone: Phone, caption: str, language: str) -> Shot:
    stream = BytesIO()
    phone.screenshot().save(stream, "WEBP", quality=WEBP_QUALITY)
    return Shot(caption=caption, language=language, picture=stream.getvalue())


def _section(name: str, title: str, rows: Iterator[Sequence[Shot]]) -> str:
    figures = "".join(f'<div class="pages">{"".join(map(_figure, row))}</div>' for row in rows)
    return f'<section id="{escape(name)}"><h2>{escape(title)}</h2>{figures}</section>'


def _figure(shot: Shot) -> str:
    data = b64encode(shot.picture).decode("ascii")
    words = escape(shot.caption)
    width, height = SIZE
    return (
        f'<figure><img width="{width}" height="{height}" loading="lazy" alt="{words}" '
        f'src="data:image/webp;base64,{data}"><figcaption lang="{escape(shot.language)}">{words}</figcaption>'
        "</figure>"
    )


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder of the page, index.html.",
)
@click.option("--app", "packages", multiple=True, metavar="PACKAGE", help="Show this app only; repeatable.")
def command(out: Path, packages: tuple[str, ...]) -> None:
    """Write a page with pictures of all apps, in each language, light and dark."""
    try:
        page = write_gallery(out, packages)
    except OSError as error:
        raise PhoneSetupError(f"the gallery cannot be written in {out}: {error.strerror or error}") from None
    click.echo(f"the gallery is {page} ({page.stat().st_size / 1e6:.1f} MB)")


if __name__ == "__main__":
    run_command(command, "python -m simulated_phone.gallery")
