"""Metadata of pictures: it leaves a build, and neither pixels nor the way up change."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image, PngImagePlugin

from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.build_plan import BuildConfig
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.picture_metadata import strip_metadata
from fingertip_dataset.pictures import open_screenshot
from fingertip_dataset.release.problems import ProblemKind
from fingertip_dataset.release.read_release import read_release
from fingertip_recorder import SampleOrder, write_sample
from tests.stored_pictures import has_metadata

WRITTEN = "13812345678"


def write_picture(format: str, orientation: int) -> bytes:
    image = Image.linear_gradient("L").convert("RGB").resize((48, 96))
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = WRITTEN, orientation
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Comment", WRITTEN)
    texts.add_itxt("XML:com.adobe.xmp", WRITTEN)
    stream = io.BytesIO()
    more = {"pnginfo": texts} if format == "PNG" else {"comment": WRITTEN.encode(), "quality": 90}
    image.save(stream, format, exif=exif, **more)
    return stream.getvalue()


@pytest.mark.parametrize("format", ["PNG", "JPEG"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_picture_keeps_its_pixels_and_its_way_up_alone(format: str, orientation: int) -> None:
    data = write_picture(format, orientation)
    plain = strip_metadata(data, orientation)
    assert WRITTEN.encode() not in plain
    assert has_metadata(plain) == (orientation != 1)
    assert open_screenshot(plain).tobytes() == open_screenshot(data).tobytes()
    # nothing is left out of it a second time
    assert strip_metadata(plain, orientation) == plain


def test_a_build_leaves_metadata_out_and_counts_it(tmp_path: Path) -> None:
    write_sample(
        SampleOrder(out=tmp_path / "people", users=2, episodes=2, seed=3, size=(180, 400), locales=("en",))
    )
    raw = tmp_path / "people" / "raw"
    step = next(step for episode in read_release(raw).episodes for step in episode.steps if step.screenshot)
    shown = raw / str(step.screenshot)
    picture, stream = Image.open(shown), io.BytesIO()
    exif = Image.Exif()
    exif[0x010E] = WRITTEN
    picture.save(stream, picture.format, exif=exif)
    shown.write_bytes(stream.getvalue())
    for keep in (False, True):
        out = tmp_path / f"data-{keep}"
        config = BuildConfig(keep_metadata=keep)
        manifest = build(raw, out, tables=tmp_path / "people" / "tables", config=config)
        assert manifest is not None
        assert manifest.problems == {ProblemKind.PICTURE_METADATA: 1}
        written = b"".join(
            image["bytes"]
            for split in BuiltDataset.open(out).manifest.splits
            for row in BuiltDataset.open(out).rows(split, config="default")
            for image in row["screenshots"]
            if image
        )
        assert (WRITTEN.encode() in written) == keep
