#!/usr/bin/env bash
# Packages: gymnasium 1.4.0 and numpy 2.3.5 (PyPI), Python 3.11. Seen on 28 November 2026.
#
# Input: the space of the pixels of a screen of 540x1200, and the batch of 64 of them that a vector environment
# has as its observation space. All bounds are 0 and 255.
#
# Behaviour: a Box keeps four arrays of its whole shape (low, high, and whether each element is bounded), also
# where one number says it. The space of the batch takes four times the memory of the batch itself, 498 MB,
# before a pixel is drawn.
#
# Output seen (MB of the pixels, MB of the bounds):
#   1 2 8
#   64 124 498
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check gymnasium==1.4.0 numpy==2.3.5
cat > "$work/seen.py" <<'PY'
import numpy as np
from gymnasium.spaces import Box
from gymnasium.vector.utils import batch_space

one = Box(0, 255, (1200, 540, 3), np.uint8)
for count, space in ((1, one), (64, batch_space(one, 64))):
    bounds = (space.low, space.high, space.bounded_below, space.bounded_above)
    print(count, round(np.prod(space.shape) / 1e6), round(sum(bound.nbytes for bound in bounds) / 1e6))
PY
got=$("$work/venv/bin/python" "$work/seen.py")
expected="1 2 8
64 124 498"
echo "$got"
if [ "$got" != "$expected" ]; then
    echo "changed: expected"
    echo "$expected"
    exit 1
fi
