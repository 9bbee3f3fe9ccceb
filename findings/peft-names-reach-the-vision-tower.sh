#!/usr/bin/env bash
# Packages: peft 0.21.2, transformers 5.23.0, torch 2.13.0 (PyPI), Python 3.11. Seen on 28 November 2026.
#
# Input: the model classes of Qwen2.5-VL and Qwen3-VL with two layers, and `LoraConfig(target_modules=...)` with the
# seven names of linear layers that recipes for text models give (q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj,
# down_proj), with "all-linear", and with the first four of the names.
#
# Behaviour:
# 1. The seven names reach the vision tower of Qwen2.5-VL, whose blocks have gate_proj, up_proj and down_proj, too;
#    its attention (qkv, proj) they miss. Of Qwen3-VL, whose blocks have linear_fc1 and linear_fc2, they reach
#    nothing. The same recipe trains eyes of one model and not of the next, and nothing is said.
# 2. "all-linear" reaches the vision tower and its merger in both.
# 3. The four names of attention reach the language part alone, in both.
#
# Output seen (layers of the vision tower that are adapted, of all that are):
#   Qwen2.5-VL seven 6 of 20: down_proj gate_proj up_proj
#   Qwen2.5-VL all-linear 12 of 26: 0 2 down_proj gate_proj proj qkv up_proj
#   Qwen2.5-VL four 0 of 8:
#   Qwen3-VL seven 0 of 14:
#   Qwen3-VL all-linear 14 of 28: linear_fc1 linear_fc2 proj qkv
#   Qwen3-VL four 0 of 8:
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check peft==0.21.2 transformers==5.23.0 torch==2.13.0
cat > "$work/seen.py" <<'PY'
from typing import Any

import torch
import transformers
from peft import LoraConfig, get_peft_model

SEVEN = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
TEXT = {"num_hidden_layers": 2, "hidden_size": 64, "intermediate_size": 64, "vocab_size": 200}
TEXT |= {"num_attention_heads": 4, "num_key_value_heads": 2}
VISION = {"depth": 2, "hidden_size": 32, "intermediate_size": 64, "num_heads": 2, "out_hidden_size": 64}
MORE: dict[str, dict[str, Any]] = {
    "Qwen2_5_VL": {"fullatt_block_indexes": [1]},
    "Qwen3VL": {"deepstack_visual_indexes": [0, 1]},
}


def show(name: str, noun: str, kind: str, targets: object) -> None:
    config = getattr(transformers, f"{noun}Config")(text_config=TEXT, vision_config=VISION | MORE[noun])
    with torch.device("meta"):
        model = getattr(transformers, f"{noun}ForConditionalGeneration")(config)
    adapted = get_peft_model(model, LoraConfig(r=4, target_modules=targets), low_cpu_mem_usage=True)
    layers = [name.partition(".lora_A")[0] for name, _ in adapted.named_parameters() if ".lora_A" in name]
    vision = [layer for layer in layers if ".visual." in layer]
    kinds = " ".join(sorted({layer.rpartition(".")[2] for layer in vision}))
    print(f"{name} {kind} {len(vision)} of {len(layers)}: {kinds}".rstrip())


for name, noun in (("Qwen2.5-VL", "Qwen2_5_VL"), ("Qwen3-VL", "Qwen3VL")):
    show(name, noun, "seven", SEVEN)
    show(name, noun, "all-linear", "all-linear")
    show(name, noun, "four", SEVEN[:4])
PY
cd "$work"
got=$(HF_HUB_OFFLINE=1 TRANSFORMERS_VERBOSITY=error "$work/venv/bin/python" -W ignore seen.py)
expected="Qwen2.5-VL seven 6 of 20: down_proj gate_proj up_proj
Qwen2.5-VL all-linear 12 of 26: 0 2 down_proj gate_proj proj qkv up_proj
Qwen2.5-VL four 0 of 8:
Qwen3-VL seven 0 of 14:
Qwen3-VL all-linear 14 of 28: linear_fc1 linear_fc2 proj qkv
Qwen3-VL four 0 of 8:"
echo "$got"
if [ "$got" != "$expected" ]; then
    echo "changed: expected"
    echo "$expected"
    exit 1
fi
