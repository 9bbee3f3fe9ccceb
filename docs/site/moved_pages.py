"""Old addresses of pages of the site: each leads to where the page stands now."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

MOVED: Mapping[str, str] = MappingProxyType(
    {
        "add-a-device.html": "developers/add-a-device.html",
        "add-a-judge.html": "developers/add-a-judge.html",
        "add-a-language.html": "developers/add-a-language.html",
        "add-a-metric.html": "developers/add-a-metric.html",
        "add-an-agent.html": "bring-an-agent.html",
        "add-an-app.html": "developers/add-an-app.html",
        "assist.html": "reference/assist.html",
        "completion.html": "reference/command-line.html#completion-in-your-shell",
        "config.html": "reference/command-line.html#options-in-a-file",
        "glossary.html": "reference/glossary.html",
        "harmonyos.html": "real-phones.html#harmonyos-next",
        "human-baseline.html": "reference/human-baseline.html",
        "infer-intents.html": "reference/infer-intents.html",
        "json.html": "reference/json.html",
        "people.html": "reference/people.html",
        "phone.html": "reference/phone.html",
        "prompts.html": "reference/prompts.html",
        "protocols.html": "scoring.html#protocols-release-or-paper",
        "publish.html": "board.html#publish-a-dataset-a-metric-or-a-board",
        "side-by-side.html": "simulated-phone.html#beside-other-online-benchmarks",
        "versioning.html": "developers/versioning.html",
    }
)
"""Old address -> new one, within the site."""

_PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Moved</title>
<meta http-equiv="refresh" content="0; url={link}">
<script>location.replace({place} + (location.hash || {anchor}))</script>
<p>This page has moved: <a href="{link}">{link}</a></p>
</html>
"""


def write_redirects(site: Path) -> None:
    """Write a page at each old address that leads on, with the anchor that the reader asked for.

    Args:
        site: Folder of the built site.
    """
    for old, new in MOVED.items():
        place, _, anchor = new.partition("#")
        page = _PAGE.format(
            link=html.escape(new), place=json.dumps(place), anchor=json.dumps(f"#{anchor}" if anchor else "")
        )
        (site / old).write_text(page, encoding="utf-8")
