"""A notebook as a page: its text, its code, and the outputs that are stored in it."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from docs.site.markdown_text import fenced


def notebook_page(notebook: Path, images: Path, linked: Callable[[str], str]) -> str:
    """A notebook as Markdown.

    Args:
        notebook: The .ipynb file.
        images: Folder for its pictures, beside the page.
        linked: Makes the links of a text those of the site.
    """
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    parts: list[str] = []
    for number, cell in enumerate(cells):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(linked(source))
            continue
        parts.append(fenced(source, "python"))
        for output in cell["outputs"]:
            parts += _output(output, images, f"{notebook.stem}-{number}")
    return "\n\n".join(parts) + "\n"


def _output(output: dict[str, Any], images: Path, name: str) -> list[str]:
    if output["output_type"] == "stream":
        return [fenced("".join(output["text"]), "text")]
    data = output.get("data", {})
    for kind, ending in (("image/png", "png"), ("image/jpeg", "jpg")):
        if kind in data:
            images.mkdir(parents=True, exist_ok=True)
            (images / f"{name}.{ending}").write_bytes(base64.b64decode("".join(data[kind])))
            return [f"![The picture that this cell shows]({images.name}/{name}.{ending})"]
    return [fenced("".join(data["text/plain"]), "text")] if "text/plain" in data else []
