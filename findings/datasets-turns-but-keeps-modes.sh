#!/usr/bin/env bash
# Packages: datasets 5.2.0 with pillow 12.3.0 (PyPI), Python 3.11. Seen on 27 November 2026.
#
# Input: pictures of 6 x 2 pixels in a column of type Image: a JPEG with EXIF orientation 6, a CMYK JPEG, a grey
# PNG of 16 bits.
#
# Behaviour:
# 1. A row's picture is turned as its EXIF says, so its size is not that of the file: 2 x 6.
# 2. CMYK and 16-bit grey stay as they are: the modes are CMYK and I;16, and not all rows of a column have one mode.
# 3. `convert("RGB")` of the 16-bit picture clips at 255 in place of scaling: a mid grey becomes white.
#
# Output seen:
#   turned (2, 6) RGB
#   cmyk (6, 2) CMYK
#   deep (6, 2) I;16 (255, 255, 255)
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check datasets==5.2.0 pillow==12.3.0
cat > "$work/seen.py" <<'PY'
import datasets
from PIL import Image

datasets.disable_progress_bars()
exif = Image.Exif()
exif[0x0112] = 6
Image.new("RGB", (6, 2)).save("turned.jpg", exif=exif)
Image.new("CMYK", (6, 2)).save("cmyk.jpg")
Image.new("I;16", (6, 2), 0x8000).save("deep.png")
files = {"turned": "turned.jpg", "cmyk": "cmyk.jpg", "deep": "deep.png"}
table = datasets.Dataset.from_dict({"image": list(files.values())}).cast_column("image", datasets.Image())
for name, row in zip(files, table):
    picture = row["image"]
    colour = (picture.convert("RGB").getpixel((0, 0)),) if name == "deep" else ()
    print(name, picture.size, picture.mode, *colour)
PY
cd "$work"
got=$(HF_HUB_OFFLINE=1 HF_HOME="$work/home" "$work/venv/bin/python" seen.py)
expected="turned (2, 6) RGB
cmyk (6, 2) CMYK
deep (6, 2) I;16 (255, 255, 255)"
echo "$got"
if [ "$got" != "$expected" ]; then
    echo "changed: expected"
    echo "$expected"
    exit 1
fi
