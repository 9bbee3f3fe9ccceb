#!/usr/bin/env bash
# Packages: fuzzywuzzy 0.18.0, alone and with Levenshtein 0.27.3; rapidfuzz 3.14.5 (PyPI). Seen on 27 November 2026.
#
# Input: two sequences of phone actions, written in a row as benchmarks of phone agents compare them: the second
# person's way has the same steps with other coordinates.
#
# Behaviour: `fuzz.ratio` of fuzzywuzzy is a different number when the optional package Levenshtein is installed. Alone
# it uses difflib, which from 200 characters on ignores characters that are frequent; with Levenshtein it
# counts insertions and deletions, as rapidfuzz does. Two steps: all agree; thirty: 23 against 95. The warning
# at import speaks of speed alone.
#
# Output seen (2, 12 and 30 steps):
#   alone 97 92 23
#   with 97 95 95
#   rapidfuzz 97 95 95
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/seen.py" <<'PY'
import sys

steps = ["click(coordinates=({}, {}), content='设置')", "type(text='七点')", "scroll(coordinates=({}, {}), direction='down')"]


def write(count: int, shift: int) -> str:
    return "，".join(steps[n % 3].format(100 + 37 * n + shift, 200 + 61 * n + shift) for n in range(count))


name = sys.argv[1]
if name == "rapidfuzz":
    from rapidfuzz import fuzz
else:
    from fuzzywuzzy import fuzz
print(name, *(round(fuzz.ratio(write(count, 0), write(count, 5))) for count in (2, 12, 30)))
PY
for name in alone with rapidfuzz; do
    python3 -m venv "$work/$name"
    case $name in
        alone) set -- fuzzywuzzy==0.18.0 ;;
        with) set -- fuzzywuzzy==0.18.0 Levenshtein==0.27.3 ;;
        rapidfuzz) set -- rapidfuzz==3.14.5 ;;
    esac
    "$work/$name/bin/pip" install --quiet --disable-pip-version-check "$@" 2>/dev/null
done
got=$(for name in alone with rapidfuzz; do "$work/$name/bin/python" -W ignore "$work/seen.py" "$name"; done)
expected="alone 97 92 23
with 97 95 95
rapidfuzz 97 95 95"
echo "$got"
if [ "$got" != "$expected" ]; then
    echo "changed: expected"
    echo "$expected"
    exit 1
fi
