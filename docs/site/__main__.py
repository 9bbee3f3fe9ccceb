"""Command line: `python -m docs.site [FOLDER]` builds the site in FOLDER/site, by default build/site."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from docs.site.build import build_site
from docs.site.site_map import ROOT

if __name__ == "__main__":
    try:
        built = build_site(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build")
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)  # zensical has printed the page and the line
    sys.stdout.write(f"open {built / 'index.html'}\n")
