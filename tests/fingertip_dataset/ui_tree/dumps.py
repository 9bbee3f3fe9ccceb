"""Dumps of a screen in both dialects, and nodes of dumps."""

from __future__ import annotations

from pathlib import Path

TREES = Path(__file__).parent / "xml"
RELEASE = (TREES / "release.xml").read_text(encoding="utf-8")
UIAUTOMATOR = (TREES / "uiautomator.xml").read_text(encoding="utf-8")


def node(bounds: str | None = "[0,0][100,100]", inner: str = "", **attributes: str) -> str:
    if bounds is not None:
        attributes["bounds"] = bounds
    written = " ".join(f'{key}="{value}"' for key, value in attributes.items())
    return f"<node {written}>{inner}</node>"
