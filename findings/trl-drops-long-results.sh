#!/usr/bin/env bash
# Packages: trl 1.16.0, transformers 5.23.0, torch 2.13.0 (PyPI), Python 3.11. Seen on 28 November 2026.
#
# Input: a GRPOTrainer with an environment of one tool, which returns 300 words of a token each; a Qwen3 of
# random weights, whose every turn is a call of the tool (the generation alone is replaced).
#
# Behaviour:
# 1. With max_completion_length=256 the tool is called, and the environment has changed. The result does not
#    fit, so it is taken out of the conversation again, and the attempt ends. Nothing is logged, and no count
#    of failures rises.
# 2. With 2,000 the results are in the conversation, and the model goes on.
# The default is 512. A screen as a picture has 200 to 2,500 tokens, so a model may never see a second one.
#
# Output seen (limit, calls of the tool an attempt, results in the conversation, tools/failure_frequency):
#   1 256 1 0 0.0
#   2 2000 3 3 0.0
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check trl==1.16.0 transformers==5.23.0 torch==2.13.0
cat > "$work/seen.py" <<'PY'
from pathlib import Path

import trl
from datasets import Dataset
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from trl import GRPOConfig, GRPOTrainer

MARKS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
CALL = '<tool_call>\n{"name": "look", "arguments": {}}\n</tool_call><|im_end|>'
calls = []


class Phone:
    def reset(self, **row: object) -> str:
        return "a phone"

    def look(self) -> str:
        """Look at the screen.

        Returns:
            The words on it.
        """
        calls.append(self)
        return "word " * 300

    def get_reward(self) -> float:
        return 1.0


letters = {letter: place for place, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
made = Tokenizer(models.BPE(vocab=letters, merges=[]))
made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
made.decoder = decoders.ByteLevel()
made.add_special_tokens([AddedToken(mark, special=True) for mark in MARKS])
made.add_tokens([AddedToken("word ", normalized=False)])
words = PreTrainedTokenizerFast(
    tokenizer_object=made, eos_token=MARKS[2], pad_token=MARKS[0], padding_side="left",
    chat_template=(Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja").read_text(encoding="utf-8"),
)
config = Qwen3Config(
    vocab_size=len(words), hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2,
    num_key_value_heads=2, head_dim=8, max_position_embeddings=4096,
)
rows = Dataset.from_list([{"prompt": [{"role": "user", "content": "look"}]}] * 2)
for number, limit in ((1, 256), (2, 2000)):
    calls.clear()
    args = GRPOConfig(
        "out", max_steps=1, per_device_train_batch_size=2, num_generations=2, max_completion_length=limit,
        max_tool_calling_iterations=3, use_cpu=True, bf16=False, report_to="none", save_strategy="no",
        disable_tqdm=True, logging_steps=1,
    )
    trainer = GRPOTrainer(
        Qwen3ForCausalLM(config), args=args, train_dataset=rows, processing_class=words,
        environment_factory=Phone,
    )
    trainer._generate_single_turn = lambda ids, *rest, **more: ([words(CALL)["input_ids"] for _ in ids], None)
    trainer.train()
    (line,) = [line for line in trainer.state.log_history if "reward" in line]
    results = sum(message["role"] == "tool" for message in trainer._logs["completion"][0])
    print("seen", number, limit, len(calls) // 2, results, line["tools/failure_frequency"])
PY
cd "$work"
got=$(HF_HUB_OFFLINE=1 TRL_EXPERIMENTAL_SILENCE=1 "$work/venv/bin/python" seen.py 2>/dev/null | sed -n 's/^seen //p')
expected="1 256 1 0 0.0
2 2000 3 3 0.0"
echo "$got"
if [ "$got" != "$expected" ]; then
    echo "changed: expected"
    echo "$expected"
    exit 1
fi
