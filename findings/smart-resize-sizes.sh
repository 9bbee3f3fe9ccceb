#!/usr/bin/env bash
# Packages: transformers 5.23.0 and ui-tars 0.5.1 (PyPI), Python 3.11. Seen on 27 November 2026.
#
# Input: a screenshot of 1080x2400 px, and each package's `smart_resize` as it comes, without a checkpoint's file of
# settings. Agents divide a model's coordinates by this size, and servers resize by it.
#
# Behaviour: functions of one name give different sizes, as their limits of pixels differ, and one takes its
# arguments in another order.
# 1. ui-tars: at most 16384 x 28 x 28 px.  2. transformers, Qwen2-VL (also of Qwen2.5-VL): at most 1,003,520 px,
#    and its image processor without settings resizes so, too.  3. transformers, GLM-4V: the first argument is a
#    number of frames; height and width are the second and third; at most 9,633,792 px over all frames.
# A tap that one of them resized and another one converts is off by a factor of 1.6.
#
# Output seen (height, width):
#   1 (2408, 1092)
#   2 (1484, 672) [1484, 672]
#   3 (2408, 1092) ['num_frames', 'height', 'width'] 9633792
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check transformers==5.23.0 ui-tars==0.5.1 pillow numpy
cat > "$work/seen.py" <<'PY'
from inspect import signature

from PIL import Image
from transformers.models.glm4v.image_processing_pil_glm4v import smart_resize as glm
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import smart_resize as qwen
from ui_tars.action_parser import smart_resize as ui_tars

print(1, ui_tars(2400, 1080))
grid = Qwen2VLImageProcessorPil()(images=[Image.new("RGB", (1080, 2400))], return_tensors="np")["image_grid_thw"]
print(2, qwen(2400, 1080), (grid[0, 1:] * 14).tolist())
names = signature(glm).parameters
print(3, glm(2, 2400, 1080), list(names)[:3], names["max_pixels"].default)
PY
got=$(HF_HUB_OFFLINE=1 "$work/venv/bin/python" "$work/seen.py" 2>/dev/null)
expected="1 (2408, 1092)
2 (1484, 672) [1484, 672]
3 (2408, 1092) ['num_frames', 'height', 'width'] 9633792"
echo "$got"
if [ "$got" != "$expected" ]; then
    echo "changed: expected"
    echo "$expected"
    exit 1
fi
