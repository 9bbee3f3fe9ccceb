"""Pictures of the README and the docs, and the record of the data that they were drawn from.

python -m docs.site.pictures [DEMO]

runs `fingertip demo` if its folder (default: build/demo) is not there, and draws docs/images/execution.png
from its page in English, execution.zh.png from the same page in Chinese, and phone.png from its people. The
record, docs/images/pictures.json, has the hash of each picture and what the demo's data follow from: a test
fails when the data of today are others, so that no page shows an old phone.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from docs.site.demo_picture import draw_page
from docs.site.phone_picture import draw_people
from docs.site.site_map import DOCS, ROOT

IMAGES = DOCS / "images"
RECORD = IMAGES / "pictures.json"
PAGES = {"execution.png": "en", "execution.zh.png": "zh"}
"""Picture of the demo's page of track 2 -> language of the page."""


def describe_inputs() -> dict[str, Any]:
    """Describe what the demo's data follow from: its options, and versions of the phone and its people."""
    from fingertip_cli.start.demo import command
    from simulated_phone.versions import write_suite_name

    defaults = {option.name: option.default for option in command.params}
    options = {name: defaults[name] for name in ("users", "episodes", "ways")}
    return {"demo": options | {"locales": list(defaults["locales"])}, "phone": write_suite_name()}


def hash_picture(name: str) -> str:
    """Hash a picture of the docs."""
    return hashlib.sha256((IMAGES / name).read_bytes()).hexdigest()


def draw_pictures(demo: Path) -> None:
    """Draw all pictures from the folder of a demo, and write their record."""
    made = {name: draw_page(demo / "execution.html", language) for name, language in PAGES.items()}
    made["phone.png"] = draw_people(demo / "people" / "raw")
    for name, picture in made.items():
        picture.save(IMAGES / name, optimize=True)
    data = json.loads((demo / "fingertip-20k" / "manifest.json").read_text(encoding="utf-8"))["data_sha256"]
    record = describe_inputs() | {
        "data": data,
        "pictures": {name: hash_picture(name) for name in sorted(made)},
    }
    RECORD.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def main(demo: Path) -> None:
    """Make the demo if it is not there, and draw the pictures."""
    if not (demo / "execution.html").is_file():
        call = [sys.executable, "-m", "fingertip_cli", "demo", "--out", str(demo)]
        subprocess.run(call, check=True, cwd=ROOT)  # noqa: S603 - our own command
    draw_pictures(demo)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "demo")
