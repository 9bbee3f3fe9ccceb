"""Tokenizer of the small model: BPE over the prompts of `fingertip suggest`, with few tokens a line.

Instructions that are the same in all prompts are one token each. Of the time of an earlier intent the day of
the week and the hour are kept: dates, minutes and seconds are dropped before the text is split.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from fingertip_models.messages import Message

PAD, END, UNKNOWN = "<|pad|>", "<|end|>", "<|unk|>"
ROLES = ("<|system|>", "<|user|>", "<|assistant|>")
CHAT_TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}"
    "{% if message['role'] == 'assistant' %}<|end|>{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
NOW, LINE_END = "# 此刻\n时间：", '"\n'
"""What stands before the time of now, and what ends the line of an earlier intent."""
LINE_TEMPLATE = (
    "{% set line = namespace(begun='') %}"
    "{% for message in messages %}<|{{ message['role'] }}|>"
    "{% if message['role'] == 'user' and '# 此刻\n时间：' in message['content'] %}"
    "{% set now = message['content'].split('# 此刻\n时间：')[1].split('\n') %}"
    "{% set line.begun = '\"\n' + now[0].split(' ')[:3]|join(' ') + '；' + now[1].split('：')[1] + '；\"' %}"
    "{% endif %}"
    "{% if message['role'] == 'assistant' %}{{ line.begun }}{% endif %}{{ message['content'] }}"
    "{% if message['role'] == 'assistant' %}<|end|>{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{{ line.begun }}{% endif %}"
)
"""Chat template that begins the answer as a line of the history, with the time and place of now."""
NUMBER = r"(?<=\n)\d+\. "
"""Number of a line."""
DATE, MINUTES = r"\d{4}-\d\d-\d\d ", r":\d\d:\d\d "
PIECES = "|".join(
    (
        r"\d\d(?=星期)|星期[一二三四五六日]；?",
        r'"\n\d+\. |\n\d+\. |"\n|\n',
        r'[^\n；，。"\d星]+；"?|"|\d{1,2}|[^\n；，。"\d星]+[，。]?|.',
    )
)
"""Pieces within which tokens are made: an hour, a day, the end of a line with the next number, a phrase."""
SHARE_OF_PROMPTS = 4
"""A line that is in more than one of so many prompts becomes a token."""


def make_tokenizer(
    chats: Sequence[str], system: str, size: int, *, lines: bool = False
) -> PreTrainedTokenizerFast:
    """Train a tokenizer.

    Args:
        chats: Prompts with answers, as the chat template writes them.
        system: The system message, which is the same in all of them.
        size: Number of tokens.
        lines: Whether the chat template begins the answer as a line of the history; numbers of lines are
            dropped then.
    """
    counts = Counter(line for chat in chats for line in set(chat.replace(system, "").split("\n")[1:]))
    constant = [
        system,
        *(line for line, n in counts.items() if n > len(chats) / SHARE_OF_PROMPTS and line[3:]),
    ]
    tokenizer = Tokenizer(models.BPE(unk_token=UNKNOWN))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Replace(Regex(dropped), "") for dropped in (DATE, MINUTES, *([NUMBER] if lines else []))]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(PIECES), "isolated")
    tokenizer.decoder = decoders.Fuse()
    trainer = trainers.BpeTrainer(
        vocab_size=size - len(constant), special_tokens=[PAD, END, UNKNOWN, *ROLES], show_progress=False
    )
    tokenizer.train_from_iterator((_remove(chat, constant) for chat in chats), trainer)
    tokenizer.add_tokens([AddedToken(text, normalized=False) for text in constant])
    fast = wrapped(tokenizer)
    if lines:
        fast.chat_template = LINE_TEMPLATE
    return fast


def wrapped(tokenizer: Tokenizer) -> PreTrainedTokenizerFast:
    """The tokenizer as transformers has it, with the chat template of the small models."""
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=PAD,
        eos_token=END,
        unk_token=UNKNOWN,
        padding_side="left",
        additional_special_tokens=list(ROLES),
    )
    fast.chat_template = CHAT_TEMPLATE
    return fast


def chat_prompt(messages: Sequence[Message]) -> str:
    """A prompt in the form of the small model's chat template."""
    return "".join(f"<|{message.role}|>{message.text}" for message in messages) + "<|assistant|>"


def line_prompt(messages: Sequence[Message]) -> str:
    """A prompt in the form of `LINE_TEMPLATE`; it has to show time and place."""
    chat = chat_prompt(messages)
    time, place, *_ = chat.partition(NOW)[2].split("\n")
    return f'{chat}{LINE_END}{" ".join(time.split(" ")[:3])}；{place.partition("：")[2]}；"'


def _remove(chat: str, constant: Sequence[str]) -> str:
    for text in constant:
        chat = chat.replace(text, "")
    return chat
