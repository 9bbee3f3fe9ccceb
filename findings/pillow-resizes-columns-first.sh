#!/usr/bin/env bash
# Package: pillow 12.3.0 (PyPI), Python 3.11. Seen on 28 November 2026.
#
# Input: a picture of 90x190 px with black and white noise, grey, made smaller to 49x107 px by
# `Image.resize` with a filter.
#
# Behaviour: the filter runs over columns, then over rows, and between the two the values are rounded to 8 bits
# and cut at 0 and 255. A bicubic filter overshoots at edges, so what is cut depends on the order:
# 1. rows first (`resize((90, 107))`, then `resize((49, 107))`) gives another picture.
# 2. the same is seen by turning: resizing the transposed picture and transposing it back is not resizing it.
# 3. a bilinear filter never overshoots: there the order changes values by one at most.
# Libraries that go over rows first (fast_image_resize, and cykooz-resizer on it) therefore differ from Pillow in
# the same way, and agree with its two calls, rows first, but for values off by one.
#
# Output seen:
#   bicubic rows first: up to 18, off by more than one: 53 %
#   bicubic transposed: up to 18
#   bilinear rows first: up to 1
#   cykooz-resizer beside rows first: up to 1
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check pillow==12.3.0 numpy==2.4.6 cykooz-resizer==4.0.1
cat > "$work/seen.py" <<'PY'
import cykooz_resizer
import numpy as np
from PIL import Image

BICUBIC, BILINEAR = Image.Resampling.BICUBIC, Image.Resampling.BILINEAR
SIZE = (49, 107)
values = np.random.default_rng(7).integers(0, 2, (190, 90), dtype=np.uint8) * 255
picture = Image.fromarray(values)


def compare(one: Image.Image, other: Image.Image) -> np.ndarray:
    return np.abs(np.asarray(one).astype(int) - np.asarray(other))


def rows_first(filter: Image.Resampling) -> Image.Image:
    return picture.resize((picture.width, SIZE[1]), filter).resize(SIZE, filter)


apart = compare(picture.resize(SIZE, BICUBIC), rows_first(BICUBIC))
print(f"bicubic rows first: up to {apart.max()}, off by more than one: {(apart > 1).mean():.0%}".replace("%", " %"))
turned = picture.transpose(Image.Transpose.TRANSPOSE).resize(SIZE[::-1], BICUBIC)
back = turned.transpose(Image.Transpose.TRANSPOSE)
print(f"bicubic transposed: up to {compare(picture.resize(SIZE, BICUBIC), back).max()}")
print(f"bilinear rows first: up to {compare(picture.resize(SIZE, BILINEAR), rows_first(BILINEAR)).max()}")
cubic = cykooz_resizer.ResizeAlg.convolution(cykooz_resizer.FilterType.catmull_rom)
fast = Image.new("L", SIZE)
cykooz_resizer.Resizer().resize_pil(picture, fast, cykooz_resizer.ResizeOptions(resize_alg=cubic))
print(f"cykooz-resizer beside rows first: up to {compare(fast, rows_first(BICUBIC)).max()}")
PY
got=$("$work/venv/bin/python" "$work/seen.py")
expected="bicubic rows first: up to 18, off by more than one: 53 %
bicubic transposed: up to 18
bilinear rows first: up to 1
cykooz-resizer beside rows first: up to 1"
echo "$got"
if [ "$got" != "$expected" ]; then
    echo "changed: expected"
    echo "$expected"
    exit 1
fi
