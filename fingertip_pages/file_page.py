"""A page in one file without a template: the gallery's frame, and texts of the catalogue in it."""

from __future__ import annotations

import base64
import hashlib
from html import escape

from fingertip_pages.message_catalogue import marked, message, messages_json, read_messages
from fingertip_pages.page_files import SCRIPT, base_style, page_file
from fingertip_pages.page_font import font_face


def text_span(key: str, **values: object) -> str:
    """A text in English, with what the switch needs for the other language."""
    words = escape(message(read_messages(), key, values))
    return f'<span data-t="{escape(marked(key, values))}">{words}</span>'


def file_page(table: str, title: str, body: str, *, style: str) -> str:
    """The HTML of a page that loads nothing.

    Args:
        table: Table of the catalogue with its texts.
        title: Key of its title.
        body: Its content, as markup.
        style: Its own CSS: layout, no colour.
    """
    script = page_file(SCRIPT)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; "
        f"script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; font-src data:"
    )
    messages = messages_json(read_messages(), ("frame", table))
    words = message(read_messages(), title, {})
    switches = message(read_messages(), "frame.switches", {})
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(words)}</title>"
        f"<style>{font_face(body + messages + script)}{base_style()}{style}</style>"
        f'<script>{script}</script></head><body><a class="skip" href="#content">{text_span("frame.skip")}</a>'
        '<div class="bar"><p class="brand">FingerTip 20K</p>'
        f'<div class="switches" role="group" aria-label="{switches}" data-t-aria-label="frame.switches" '
        'data-translated><button id="language" type="button" hidden></button>'
        '<button id="theme" type="button" hidden></button></div></div>'
        f'<main id="content">{body}</main>'
        f'<script type="application/json" id="messages">{messages}</script></body></html>\n'
    )
