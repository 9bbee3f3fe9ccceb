"""Screens on a page are upright, however they are stored."""

from __future__ import annotations

from base64 import b64decode
from io import BytesIO

import pytest
from PIL import Image

from fingertip_analysis.report.page_screens import WIDTH, PageScreens
from tests.stored_pictures import StoredPicture


def test_a_lying_screenshot_is_upright_on_the_page() -> None:
    for format in ("JPEG", "PNG"):
        lying, screens = StoredPicture(format=format, orientation=8, size=(90, 160)), PageScreens()
        (shown,) = screens.add([lying.write()])
        assert shown is not None
        # points of actions are drawn in this frame
        assert shown.size == (90, 160)
        with Image.open(BytesIO(b64decode(screens.content[0]))) as small:
            assert small.width == WIDTH < small.height
            assert small.convert("RGB").getpixel((4, 4)) == pytest.approx(lying.corner, abs=16)
