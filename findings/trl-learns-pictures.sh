#!/usr/bin/env bash
# Packages: trl 1.16.0, transformers 5.23.0, torch 2.13.0 (PyPI), Python 3.11. Seen on 28 November 2026.
#
# Input: one sample with a picture, as `prompt` and `completion` and as `messages`, both forms that TRL documents for
# vision models, with the processor of Qwen2-VL over a small vocabulary and the chat template that TRL ships for
# Qwen2.5-VL.
#
# Behaviour of `DataCollatorForVisionLanguageModeling`, the default of `SFTTrainer` for a vision model:
# 1. prompt and completion: the labels are the answer and its end.
# 2. messages: every token has a label, those that stand for patches of the picture too. In a sample with a picture of
#    a screen these are most of the loss; the model is trained to predict them, and the loss still falls.
# 3. messages with `assistant_only_loss` and TRL's training template: the answer and its end, none of the picture.
# 4. messages with `assistant_only_loss` in the collator and the model's own template, which has no generation
#    markers: no label at all. `SFTTrainer` puts in its training template, a trainer of one's own does not.
#
# Output seen (tokens, those of the picture, labels, labels on the picture):
#   prompt-completion 85 16 6 0
#   messages 85 16 85 16
#   assistant_only_loss 85 16 6 0
#   no markers 85 16 0 0
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check trl==1.16.0 transformers==5.23.0 torch==2.13.0 pillow
cat > "$work/seen.py" <<'PY'
from pathlib import Path
from typing import Any

import trl
from PIL import Image
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2VLProcessor
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil
from trl.chat_template_utils import get_training_chat_template
from trl.trainer.sft_trainer import DataCollatorForVisionLanguageModeling

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>"]
LETTERS = {letter: at for at, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}


class Processor(Qwen2VLProcessor):
    """Without videos, whose processor needs torchvision."""

    def __init__(self, image_processor: Any, tokenizer: Any, chat_template: str) -> None:
        self.image_token, self.image_token_id = "<|image_pad|>", tokenizer.convert_tokens_to_ids("<|image_pad|>")
        self.video_token, self.video_token_id = "<|video_pad|>", -1
        super(Qwen2VLProcessor, self).__init__(image_processor, tokenizer, chat_template=chat_template)


# a token for each byte
words = Tokenizer(models.BPE(vocab=LETTERS, merges=[]))
words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
words.decoder = decoders.ByteLevel()
words.add_special_tokens([AddedToken(token, special=True) for token in SPECIAL])
tokenizer = PreTrainedTokenizerFast(
    tokenizer_object=words, eos_token="<|im_end|>", pad_token="<|endoftext|>"
)
template = (Path(trl.__file__).parent / "chat_templates" / "qwen2_5_vl.jinja").read_text(encoding="utf-8")
processor = Processor(Qwen2VLImageProcessorPil(min_pixels=12544, max_pixels=12544), tokenizer, template)

picture = Image.new("RGB", (112, 112))
prompt = [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "What"}]}]
completion = [{"role": "assistant", "content": [{"type": "text", "text": "Word"}]}]


def show(name: str, sample: dict[str, Any], **settings: Any) -> None:
    batch = DataCollatorForVisionLanguageModeling(processor, **settings)([{"images": [picture], **sample}])
    image, tokens, labels = processor.image_token_id, batch["input_ids"], batch["labels"]
    counts = tokens.numel(), (tokens == image).sum(), (labels >= 0).sum(), (labels == image).sum()
    print(name, *map(int, counts))


messages = {"messages": prompt + completion}
show("prompt-completion", {"prompt": prompt, "completion": completion}, completion_only_loss=True)
show("messages", messages)
training = get_training_chat_template(processor)
show("assistant_only_loss", messages, assistant_only_loss=True, chat_template=training)
show("no markers", messages, assistant_only_loss=True)
PY
cd "$work"
got=$(HF_HUB_OFFLINE=1 TRANSFORMERS_VERBOSITY=error "$work/venv/bin/python" -W ignore seen.py)
expected="prompt-completion 85 16 6 0
messages 85 16 85 16
assistant_only_loss 85 16 6 0
no markers 85 16 0 0"
echo "$got"
if [ "$got" != "$expected" ]; then
    echo "changed: expected"
    echo "$expected"
    exit 1
fi
