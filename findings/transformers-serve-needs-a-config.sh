#!/usr/bin/env bash
# Packages: transformers[serving] 5.23.0, torch 2.13.0 (PyPI), Python 3.11. Seen on 28 November 2026.
#
# Input: `transformers serve` with a Llama of random weights, whose generation config says nothing of sampling, and
# requests to /v1/chat/completions with temperature 1.5 and five seeds each.
#
# Behaviour:
# 1. The fields `temperature` and `seed` are taken with status 200 and have no effect: all five answers are the
#    same. Several votes or tries would count one answer five times.
# 2. With the field `generation_config`, a text that holds {"do_sample": true, "top_k": 0}, the same requests
#    differ from seed to seed.
#
# Output seen:
#   1 one answer of five
#   2 five answers of five
set -euo pipefail
work=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check 'transformers[serving]==5.23.0' torch==2.13.0
cat > "$work/make.py" <<'PY'
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

words = ["<unk>", "<s>", "</s>", *(f"w{number}" for number in range(997))]
tokenizer = Tokenizer(WordLevel({word: at for at, word in enumerate(words)}, unk_token="<unk>"))
tokenizer.pre_tokenizer = Whitespace()
fast = PreTrainedTokenizerFast(
    tokenizer_object=tokenizer, unk_token="<unk>", bos_token="<s>", eos_token="</s>", pad_token="</s>"
)
fast.chat_template = "{% for message in messages %}{{ message['content'] }} {% endfor %}"
fast.save_pretrained("model")
torch.manual_seed(0)
sizes = dict(hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2)
LlamaForCausalLM(LlamaConfig(vocab_size=1000, bos_token_id=1, eos_token_id=2, pad_token_id=2, **sizes)).save_pretrained("model")
PY
cat > "$work/seen.py" <<'PY'
import json
import sys
import time
import urllib.request

url = f"http://127.0.0.1:{sys.argv[1]}/v1"


def ask(seed: int, **fields: object) -> str:
    body = {
        "model": "model",
        "messages": [{"role": "user", "content": "w1 w2 w3"}],
        "max_tokens": 8,
        "temperature": 1.5,
        "seed": seed,
        **fields,
    }
    request = urllib.request.Request(
        f"{url}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]


for _ in range(120):
    try:
        urllib.request.urlopen(f"{url}/models").close()
        break
    except OSError:
        time.sleep(1)
names = {1: "one", 5: "five"}
plain = {ask(seed) for seed in range(5)}
print(1, names.get(len(plain), len(plain)), "answer of five")
drawn = {ask(seed, generation_config=json.dumps({"do_sample": True, "top_k": 0})) for seed in range(5)}
print(2, names.get(len(drawn), len(drawn)), "answers of five")
PY
cd "$work"
export HF_HUB_OFFLINE=1 HF_HOME="$work/home"
"$work/venv/bin/python" make.py 2>/dev/null
port=$("$work/venv/bin/python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$work/venv/bin/transformers" serve model --host 127.0.0.1 --port "$port" --device cpu > serve.log 2>&1 &
server=$!
got=$("$work/venv/bin/python" seen.py "$port")
expected="1 one answer of five
2 five answers of five"
echo "$got"
if [ "$got" != "$expected" ]; then
    echo "changed: expected"
    echo "$expected"
    exit 1
fi
