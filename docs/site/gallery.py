"""The gallery: one HTML page with the first pages of every app, in each language, light and dark.

python -m docs.site.gallery --out gallery [--app com.android.email]

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

from fingertip_pages.file_page import render_page, render_span
from fingertip_pages.message_catalogue import format_message, read_messages
from simulated_phone.apps import list_apps
from simulated_phone.command_line import run_command
from simulated_phone.goals.app_definition import App
from simulated_phone.language.language import languages
from simulated_phone.phone import Phone
from simulated_phone.phone_errors import PhoneNameError, PhoneSetupError
from simulated_phone.screens.drawing.picture_cache import Pictures
from simulated_phone.screens.pages import AppPage
from simulated_phone.screens.skin import designs

SIZE, DENSITY, SEED = (360, 800), 140, 3
WEBP_QUALITY = 78
SHOWN_IN_DESIGNS = ("com.android.launcher3", "com.android.settings", "com.simulated.liaotian")
"""Packages of the apps whose first page is shown in each design language."""

STYLE = """
/* layout of the gallery; colours and text are those of all pages */
main { max-width: 1040px; margin: 0 auto; padding: 0 var(--space-5) var(--space-7); }
h1 { margin: var(--space-5) 0 var(--space-2); }
h2 { margin: var(--space-6) 0 var(--space-3); padding-top: var(--space-4); border-top: 1px solid var(--line); }
nav { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-4); margin-top: var(--space-4); }
.pages { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: var(--space-4); margin-bottom: var(--space-4); }
.pages img { width: 100%; height: auto; display: block; border-radius: var(--radius-3); border: 1px solid var(--line); }
figcaption { font-size: var(--text-2); color: var(--soft); margin-top: var(--space-1); }
@media (max-width: 640px) { main { padding: 0 14px var(--space-6); } .pages { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
"""  # noqa: E501 - CSS
LANGUAGE_TAGS = {"zh": "zh-Hans"}
"""Language of a phone -> tag of its texts; the others are tags themselves."""


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
    known = [app.package for app in list_apps(languages()[0])]
    for package in packages:
        if package not in known:
            message = f"there is no app {package!r}; there are {', '.join(known)}"
            raise PhoneNameError(message, name=package, names=known)
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "index.html"
    page.write_text(_html(packages or known, with_designs=not packages), encoding="utf-8")
    return page


def _html(packages: Sequence[str], *, with_designs: bool) -> str:
    phones = [
        (language, dark, _phone(language, dark=dark)) for language in languages() for dark in (False, True)
    ]
    sections, links = [], []
    every = {language: {app.package: app for app in list_apps(language)} for language in languages()}
    for package in packages:
        names = " · ".join(
            f'<span lang="{_tag(language)}">{escape(apps[package].label)}</span>'
            for language, apps in every.items()
            if package in apps
        )
        links.append(f'<a href="#{escape(package)}">{names}</a>')
        shots = [
            list(_pages(phone, every[language][package], language, dark=dark))
            for language, dark, phone in phones
            if package in every[language]
        ]
        rows = zip(*shots, strict=True)
        sections.append(_section(package, names, rows))
    if with_designs:
        links.append(f'<a href="#designs">{_text("designs")}</a>')
        sections.append(_section("designs", _text("designs"), _designs()))
    apps = format_message(read_messages(), "gallery.apps", {})
    body = (
        f'<h1>{_text("title")}</h1><p class="soft">'
        f"{_text('about', n=len(packages), languages=len(languages()))}</p>"
        f'<nav aria-label="{apps}" data-t-aria-label="gallery.apps" '
        f"data-translated>{''.join(links)}</nav>{''.join(sections)}"
    )
    return render_page("gallery", "gallery.title", body, style=STYLE)


def _text(key: str, **values: object) -> str:
    return render_span(f"gallery.{key}", **values)


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


def _tag(language: str) -> str:
    return escape(LANGUAGE_TAGS.get(language, language))


def _section(name: str, title: str, rows: Iterator[Sequence[Shot]]) -> str:
    figures = "".join(f'<div class="pages">{"".join(map(_figure, row))}</div>' for row in rows)
    return f'<section id="{escape(name)}"><h2>{title}</h2>{figures}</section>'


def _figure(shot: Shot) -> str:
    data = b64encode(shot.picture).decode("ascii")
    words = escape(shot.caption)
    width, height = SIZE
    return (
        f'<figure lang="{_tag(shot.language)}">'
        f'<img width="{width}" height="{height}" loading="lazy" alt="{words}" '
        f'src="data:image/webp;base64,{data}"><figcaption>{words}</figcaption></figure>'
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
    run_command(command, "python -m docs.site.gallery")
