"""CPU time of whatever reads screens, in the build that is on PYTHONPATH; `benchmarks.screens` calls it.

python -P benchmarks/screen_work.py FOLDER [--pillow]

Prints milliseconds a screen as a JSON object, over JPEG files of the folder, the fastest of a few rounds.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

ROUNDS, SCREENS = 5, 12
WHOLE_ROUNDS, WHOLE_SCREENS = 2, 3
MODEL_SIZE = (588, 1288)
"""Picture of qwen2.5-vl at 0.8 megapixels for a screen of 1080x2280, px."""

BOX = (60, 100, 700, 160)
Work = Callable[[bytes], object]


def list_work() -> dict[str, Work]:
    """Name -> the call that is measured; those of the models come last."""
    from fingertip_agents.screens.coordinates import fit_picture
    from fingertip_privacy.inspection.inspector import _shrink_picture
    from fingertip_runs.thumbnails import scale_picture
    from fingertip_studies.quality.screen_state import read_screen

    return {
        "a model's picture": lambda data: fit_picture(data, MODEL_SIZE),
        "privacy scan: its pixels": _scan_pixels(),
        "privacy redact: its pixels": _paint_pixels(),
        "privacy inspect: its picture": _shrink_picture,
        "report: its picture": lambda data: scale_picture(data, 240, quality=50),
        "quality: its picture": lambda data: read_screen(data, None),
        "privacy redact: a box, whole": _redact_box(),
        "privacy scan: all kinds, whole": _scan_whole(),
    }


def _scan(settings: Any) -> Work:  # noqa: ANN401 - a type of the build
    from fingertip_privacy.scan.scan_inputs import ScreenContent
    from fingertip_privacy.scan.screen_readings import _read_screen

    screen = ScreenContent(
        step=0, file="screen.jpg", screenshot=None, has_screenshot=True, texts=(), has_tree=False
    )
    return lambda data: _read_screen(screen, data, settings)


def _scan_pixels() -> Work:
    """Pixels for faces and codes as a scan makes them, without the models that look at them."""
    from fingertip_privacy.finds import FindKind
    from fingertip_privacy.scan import face_boxes, qr_codes  # noqa: F401 - loaded before it is measured
    from fingertip_privacy.scan.scan_settings import ScanSettings

    scan = _scan(ScanSettings(kinds=(FindKind.FACE, FindKind.QR_CODE), ocr="none"))
    import zxingcpp

    blank = np.zeros((1, 2, 1, 1), np.float32)
    session = SimpleNamespace(run=lambda *_: (blank, blank, blank, blank))

    def work(data: bytes) -> None:
        found = face_boxes._open_session, zxingcpp.read_barcodes
        face_boxes._open_session, zxingcpp.read_barcodes = lambda: session, lambda *_, **__: []
        try:
            scan(data)
        finally:
            face_boxes._open_session, zxingcpp.read_barcodes = found

    return work


def _scan_whole() -> Work:
    from fingertip_privacy.scan.scan_settings import ScanSettings

    return _scan(ScanSettings())


def _paint_pixels() -> Work:
    """Pixels of a redaction: a box is looked at and painted; blocks of the JPEG stay."""
    from fingertip_privacy.redaction import painted_pictures
    from fingertip_privacy.redaction.painted_pictures import Patch, patch_picture

    def work(data: bytes) -> None:
        found = painted_pictures._replace_blocks
        painted_pictures._replace_blocks = lambda data, picture, painted, boxes: data
        try:
            patch_picture(data, [Patch(BOX, if_shown=True)])
        finally:
            painted_pictures._replace_blocks = found

    return work


def _redact_box() -> Work:
    from fingertip_privacy.redaction.painted_pictures import Patch, patch_picture

    return lambda data: patch_picture(data, [Patch(BOX, "赵晓晨")])


def forget_screens() -> None:
    """Empty the memories of screens, so that each round reads them anew; models stay loaded."""
    from fingertip_agents.screens import coordinates
    from fingertip_privacy.redaction import painted_pictures
    from fingertip_privacy.scan import screen_readings
    from fingertip_studies.quality import screen_state

    for module in (coordinates, painted_pictures, screen_readings, screen_state):
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def measure(work: Work, screens: Sequence[bytes], rounds: int) -> float:
    """CPU time a screen in the fastest round, ms; a first call loads what it needs."""
    work(screens[0])
    times = []
    for _ in range(rounds):
        forget_screens()
        began = time.process_time()
        for screen in screens:
            work(screen)
        times.append((time.process_time() - began) / len(screens) * 1000)
    return min(times)


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pillow", action="store_true", help="as without the package cykooz-resizer")
    options = parser.parse_args()
    if options.pillow:
        sys.modules["cykooz_resizer"] = None  # type: ignore[assignment]
    files = sorted(options.folder.glob("*.jpg"))[:SCREENS]
    screens = [file.read_bytes() for file in files]
    times = {}
    for name, work in list_work().items():
        # a model takes a hundred times as long
        whole = name.endswith("whole")
        few = (screens[:WHOLE_SCREENS], WHOLE_ROUNDS) if whole else (screens, ROUNDS)
        times[name] = measure(work, *few)
    print(json.dumps(times))


if __name__ == "__main__":
    main()
