"""Writes tiny checkpoints of random weights: Qwen2.5-VL, Qwen3-VL, a SentenceTransformer.

The architectures are the real ones; those of Qwen have 0.2 to 0.4 million parameters. Their processor is part
of the checkpoint, because the stock one requires torchvision for videos: serve it with `--trust-remote-code`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SPECIAL = (
    "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>",
    "<|video_pad|>",
)  # fmt: skip

VOCABULARY = 1500
"""Number of tokens of a tokenizer that is made for texts."""

TEMPLATE = """\
{%- for message in messages -%}
{{ '<|im_start|>' + message.role + '\n' }}
{%- if message.content is string -%}
{{ message.content }}
{%- else -%}
{%- for part in message.content -%}
{{ '<|vision_start|><|image_pad|><|vision_end|>' if part.type == 'image' else part.text }}
{%- endfor -%}
{%- endif -%}
{{ '<|im_end|>\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{ '<|im_start|>assistant\n' }}
{%- endif -%}
"""

PROCESSOR = '''\
"""A processor of pictures and texts, without videos."""

from transformers import BASE


class Processor(BASE):
    def __init__(self, image_processor=None, tokenizer=None, chat_template=None, **_):
        for kind in ("image", "video", "vision_start", "vision_end"):
            token = f"<|{kind}_pad|>" if kind in ("image", "video") else f"<|{kind}|>"
            setattr(self, f"{kind}_token", token)
            setattr(self, f"{kind}_token_id", tokenizer.convert_tokens_to_ids(token))
        super(BASE, self).__init__(image_processor, tokenizer, chat_template=chat_template)
'''


def tokenizer(texts: Sequence[str] = ()) -> Any:  # noqa: ANN401 - transformers is imported late
    """A tokenizer with the special tokens, and one token per byte; with texts also for what they repeat.

    The prompts of track 2 have up to 8,000 bytes, most of them the same in all.
    """
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    letters = {letter: number for number, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    made = Tokenizer(models.BPE(vocab=letters, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not texts)
    if texts:
        trainer = trainers.BpeTrainer(
            vocab_size=VOCABULARY, initial_alphabet=sorted(letters), show_progress=False
        )
        made.train_from_iterator(texts, trainer)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([AddedToken(token, special=True) for token in SPECIAL])
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        eos_token="<|im_end|>",  # noqa: S106 - no secret
        pad_token="<|endoftext|>",  # noqa: S106
        chat_template=TEMPLATE,
        padding_side="left",
        model_max_length=32768,
    )


def configured(architecture: str, words: Any) -> Any:  # noqa: ANN401
    """The model, built from its configuration."""
    import torch
    import transformers

    third = architecture == "qwen3_vl"
    layers = 3 if third else 2
    text = {
        "vocab_size": len(words), "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": layers,
        "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16, "max_position_embeddings": 32768,
        "bos_token_id": words.pad_token_id, "eos_token_id": words.eos_token_id,
        "pad_token_id": words.pad_token_id,
        "rope_parameters": {
            "rope_type": "default", "rope_theta": 1e6, "mrope_section": [3, 3, 2] if third else [2, 3, 3],
            **({"mrope_interleaved": True} if third else {}),
        },
    }  # fmt: skip
    vision = {
        "depth": layers, "hidden_size": 32, "intermediate_size": 64, "num_heads": 2, "out_hidden_size": 64,
        "patch_size": 16 if third else 14,
        **({"deepstack_visual_indexes": [0, 1, 2], "num_position_embeddings": 256} if third
           else {"fullatt_block_indexes": [1], "window_size": 112}),
    }  # fmt: skip
    tokens = {
        f"{name}_token_id": words.convert_tokens_to_ids(token)
        for name, token in (
            ("image", "<|image_pad|>"), ("video", "<|video_pad|>"),
            ("vision_start", "<|vision_start|>"), ("vision_end", "<|vision_end|>"),
        )
    }  # fmt: skip
    noun = "Qwen3VL" if third else "Qwen2_5_VL"
    config = getattr(transformers, f"{noun}Config")(
        text_config=text, vision_config=vision, tie_word_embeddings=False, **tokens
    )
    torch.manual_seed(0)
    model = getattr(transformers, f"{noun}ForConditionalGeneration")(config)
    model.generation_config.eos_token_id = words.eos_token_id
    model.generation_config.pad_token_id = words.pad_token_id
    model.generation_config.do_sample = False
    return model


def write_model(architecture: str, folder: Path, texts: Sequence[str] = ()) -> None:
    """Writes the model, tokenizer and processor; with few tokens for texts like the given ones."""
    try:
        from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil
    except ImportError:  # so it is named in earlier versions
        from transformers.models.qwen2_vl.image_processing_qwen2_vl import (
            Qwen2VLImageProcessor as Qwen2VLImageProcessorPil,
        )

    words, patch = tokenizer(texts), 16 if architecture == "qwen3_vl" else 14
    # at most 64 tokens per picture, so a screenshot of any size takes milliseconds
    side = (2 * patch) ** 2
    pictures = Qwen2VLImageProcessorPil(
        patch_size=patch, merge_size=2, temporal_patch_size=2, min_pixels=4 * side, max_pixels=64 * side
    )
    configured(architecture, words).save_pretrained(folder)
    words.save_pretrained(folder)
    pictures.save_pretrained(folder)
    base = "Qwen3VLProcessor" if architecture == "qwen3_vl" else "Qwen2_5_VLProcessor"
    (folder / "processing_tiny.py").write_text(PROCESSOR.replace("BASE", base), encoding="utf-8")
    named = {"processor_class": "Processor", "auto_map": {"AutoProcessor": "processing_tiny.Processor"}}
    for name in ("processor_config.json", "preprocessor_config.json"):
        file = folder / name
        kept = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        file.write_text(json.dumps({**kept, **named}), encoding="utf-8")


def texts_of(export: Path) -> list[str]:
    """Texts of the prompts and answers of an export in TRL's form."""
    lines = (export / "train.jsonl").read_text(encoding="utf-8").splitlines()
    contents = [
        message["content"]
        for row in map(json.loads, lines)
        for message in (*row["prompt"], *row["completion"])
    ]
    # a message whose picture comes last is a list of parts
    parts = [[{"text": one}] if isinstance(one, str) else one for one in contents]
    return [part["text"] for content in parts for part in content if part.get("text")]


def write_sentence_model(folder: Path) -> Path:
    """A SentenceTransformer of random weights in the official model's architecture: plumbing, not scores."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.base.modules import Transformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    bert = str(folder / "bert")
    characters = [*map(chr, range(0x20, 0x7F)), *dict.fromkeys("打开微信给妈发消息设闹钟点咖啡外卖用")]
    words = {word: at for at, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *characters])}
    special = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token=special["unk_token"]))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    fast: Any = PreTrainedTokenizerFast
    fast(tokenizer_object=tokenizer, model_max_length=64, **special).save_pretrained(bert)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    BertModel(config).save_pretrained(bert)
    model = SentenceTransformer(modules=[Transformer(bert), Pooling(32), Normalize()], device="cpu")
    model.save_pretrained(str(folder / "model"))
    return folder / "model"


def write_text_model(folder: Path, texts: Sequence[str] = ()) -> None:
    """Writes a Qwen3 of random weights for text, with its tokenizer, which has few tokens for the texts."""
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    words = tokenizer(texts)
    config = Qwen3Config(
        vocab_size=len(words), hidden_size=64, intermediate_size=128, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, head_dim=16, max_position_embeddings=32768,
        bos_token_id=words.pad_token_id, eos_token_id=words.eos_token_id, pad_token_id=words.pad_token_id,
        tie_word_embeddings=False,
    )  # fmt: skip
    torch.manual_seed(0)
    model = Qwen3ForCausalLM(config)
    model.generation_config.do_sample = False
    model.save_pretrained(folder)
    words.save_pretrained(folder)
