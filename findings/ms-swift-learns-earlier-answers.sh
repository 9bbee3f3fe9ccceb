#!/usr/bin/env bash
# Packages: ms-swift 4.6.0, transformers 5.19.0, torch 2.13.0 (PyPI), Python 3.11. Seen on 28 November 2026.
#
# Input: a conversation in `messages`, whose last message is the answer, with the template qwen2_5, as `swift sft`
# encodes it for training.
#
# Behaviour:
# 1. Every answer is learned, not the last one alone: in samples that repeat a conversation step by step, the first
#    answer of ten is learned ten times.
# 2. `"loss": false` in a message masks its answer, and so does `--loss_scale last_round`.
# 3. Two answers that follow one another become one: their texts are joined without a separator, so the prompt is
#    another one than the model's own chat template writes. Two messages of the user are joined, too.
#
# Output seen:
#   1 'first<|im_end|>\nlast<|im_end|>\n'
#   2 'last<|im_end|>\n' 'last<|im_end|>\n'
#   3 '<|im_start|>user\ngo<|im_end|>\n<|im_start|>assistant\nfirstsecond<|im_end|>\n'
#   3 '<|im_start|>user\ngonow<|im_end|>\n<|im_start|>assistant\n'
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check ms-swift==4.6.0 transformers==5.19.0 torch==2.13.0
cat > "$work/seen.py" <<'PY'
from typing import Any

from swift.model import get_processor
from swift.template import get_template
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2Config

# a token for each byte
letters = {letter: at for at, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
words = Tokenizer(models.BPE(vocab=letters, merges=[]))
words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
words.decoder = decoders.ByteLevel()
words.add_special_tokens([AddedToken(f"<|{name}|>", special=True) for name in ("endoftext", "im_start", "im_end")])
PreTrainedTokenizerFast(
    tokenizer_object=words, eos_token="<|im_end|>", pad_token="<|endoftext|>"
).save_pretrained("model")
Qwen2Config(architectures=["Qwen2ForCausalLM"]).save_pretrained("model")


def encode(*messages: dict[str, Any], **settings: Any) -> tuple[str, str]:
    """Text of a conversation, and of its labels."""
    processor = get_processor("model", model_type="qwen2")
    template = get_template(processor, template_type="qwen2_5", default_system="", **settings)
    template.set_mode("train")
    encoded = template.encode({"messages": list(messages)})
    labels = [label for label in encoded["labels"] if label >= 0]
    return processor.decode(encoded["input_ids"]), processor.decode(labels)


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def answer(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": text, **more}


begin, end = user("go"), (user("on"), answer("last"))
print(1, repr(encode(begin, answer("first"), *end)[1]))
masked = encode(begin, answer("first", loss=False), *end)[1]
print(2, repr(masked), repr(encode(begin, answer("first"), *end, loss_scale="last_round")[1]))
print(3, repr(encode(begin, answer("first"), answer("second"), *end)[0].partition("<|im_start|>user\non")[0]))
print(3, repr(encode(begin, user("now"), answer("last"))[0].partition("last")[0]))
PY
cd "$work"
export HF_HUB_OFFLINE=1 USE_HF=1 HF_HOME="$work/home" MODELSCOPE_CACHE="$work/home" LOG_LEVEL=ERROR
got=$("$work/venv/bin/python" -W ignore seen.py)
expected="1 'first<|im_end|>\\nlast<|im_end|>\\n'
2 'last<|im_end|>\\n' 'last<|im_end|>\\n'
3 '<|im_start|>user\\ngo<|im_end|>\\n<|im_start|>assistant\\nfirstsecond<|im_end|>\\n'
3 '<|im_start|>user\\ngonow<|im_end|>\\n<|im_start|>assistant\\n'"
echo "$got"
if [ "$got" != "$expected" ]; then
    echo "changed: expected"
    echo "$expected"
    exit 1
fi
