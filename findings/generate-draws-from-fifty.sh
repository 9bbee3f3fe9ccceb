#!/usr/bin/env bash
# Packages: transformers 5.23.0, torch 2.13.0 (PyPI), Python 3.11. Seen on 28 November 2026.
#
# Input: a Llama of random weights with 1,000 tokens, whose generation config says nothing of sampling, and
# `generate(do_sample=True, temperature=T)` for one new token, 4,000 times at once.
#
# Behaviour:
# 1. `GenerationConfig().top_k` is None, so one expects draws from all tokens.
# 2. `generate` draws from the 50 likeliest tokens all the same; a temperature changes their shares, not their
#    number. Other engines draw from all tokens, or from their own number, at the same temperature.
# 3. With top_k=0 it draws from all tokens.
#
# Output seen:
#   1 None
#   2 50 50
#   3 True
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check transformers==5.23.0 torch==2.13.0
cat > "$work/seen.py" <<'PY'
import torch
from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
config = LlamaConfig(
    vocab_size=1000,
    hidden_size=16,
    intermediate_size=32,
    num_hidden_layers=1,
    num_attention_heads=2,
    bos_token_id=1,
    eos_token_id=None,
    pad_token_id=0,
)
model = LlamaForCausalLM(config).eval()
prompt = torch.tensor([[1, 5, 7]])


def count_drawn(**settings: object) -> int:
    torch.manual_seed(0)
    drawn = model.generate(
        prompt,
        attention_mask=torch.ones_like(prompt),
        do_sample=True,
        max_new_tokens=1,
        num_return_sequences=4000,
        **settings,
    )
    return len(set(drawn[:, -1].tolist()))


print(1, GenerationConfig().top_k)
print(2, count_drawn(temperature=1.0), count_drawn(temperature=2.0))
print(3, count_drawn(temperature=1.0, top_k=0) > 900)
PY
cd "$work"
got=$(HF_HUB_OFFLINE=1 TRANSFORMERS_VERBOSITY=error "$work/venv/bin/python" seen.py)
expected="1 None
2 50 50
3 True"
echo "$got"
if [ "$got" != "$expected" ]; then
    echo "changed: expected"
    echo "$expected"
    exit 1
fi
