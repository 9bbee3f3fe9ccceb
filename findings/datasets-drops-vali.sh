#!/usr/bin/env bash
# Package: datasets 5.2.0 (PyPI), Python 3.11. Seen on 27 November 2026.
#
# Input: a folder of data files without a README.md whose YAML states the splits. `datasets` finds splits by
# keywords in file names (train, training, validation, valid, dev, val, test, testing, eval, evaluation).
#
# Behaviour:
# 1. train.jsonl + vali.jsonl: `load_dataset(FOLDER)` returns the split train alone. vali.jsonl is dropped
#    without an error or a warning.
# 2. test_suggestion-*.parquet + test_execution-*.parquet: both become one split "test".
# 3. The same folders with `configs: data_files:` in the YAML of a README.md: every split, by its name.
#
# Output seen:
#   1 {'train': 1}
#   2 {'train': 1, 'test': 2}
#   3 {'train': 1, 'vali': 1} {'train': 1, 'vali': 1, 'test_suggestion': 1, 'test_execution': 1}
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check datasets==5.2.0
cat > "$work/seen.py" <<'PY'
import json
from pathlib import Path

import datasets
import pyarrow as pa
import pyarrow.parquet as pq

datasets.disable_progress_bars()


def sizes(folder: str) -> dict[str, int]:
    return {name: len(split) for name, split in datasets.load_dataset(f"./{folder}").items()}


def state(folder: str, files: dict[str, str]) -> None:
    splits = "".join(f"  - split: {split}\n    path: {path}\n" for split, path in files.items())
    text = f"---\nconfigs:\n- config_name: default\n  data_files:\n{splits}---\n"
    Path(folder, "README.md").write_text(text)


Path("lines").mkdir()
for split in ("train", "vali"):
    Path("lines", f"{split}.jsonl").write_text(json.dumps({"split": split}) + "\n")
Path("shards").mkdir()
names = ("train", "vali", "test_suggestion", "test_execution")
for split in names:
    pq.write_table(pa.table({"split": [split]}), f"shards/{split}-00000-of-00001.parquet")
print(1, sizes("lines"))
print(2, sizes("shards"))
state("lines", {split: f"{split}.jsonl" for split in ("train", "vali")})
state("shards", {split: f"{split}-*.parquet" for split in names})
print(3, sizes("lines"), sizes("shards"))
PY
cd "$work"
got=$(HF_HUB_OFFLINE=1 HF_HOME="$work/home" "$work/venv/bin/python" seen.py)
expected="1 {'train': 1}
2 {'train': 1, 'test': 2}
3 {'train': 1, 'vali': 1} {'train': 1, 'vali': 1, 'test_suggestion': 1, 'test_execution': 1}"
echo "$got"
if [ "$got" != "$expected" ]; then
    echo "changed: expected"
    echo "$expected"
    exit 1
fi
