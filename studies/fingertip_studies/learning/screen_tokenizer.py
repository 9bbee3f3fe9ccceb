"""Tokenizer of the small model of track 2: a prompt of the agent `autodroid` in some hundred tokens.

Instructions that are the same in all prompts are one token each, and so are the fixed parts of an answer. An
element of the screen is its id and its words; words that are often seen are one token, and an id is the same
token in the list and in the answer. What no step of the simulated people depends on is dropped before the
text is split: the profile but for the age, letter keys, the status bar, and the navigation bar but for "go
back". What the model answers is never changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from fingertip_studies.learning.tiny_tokenizer import END, PAD, ROLES, UNKNOWN, wrapped

LEARNED_FROM = 1500
"""Chats of which pieces are learned; characters are those of all."""
IDS = 100
"""Numbers from 0 that are a token each."""
SEEN = 200
"""How often each number stands in the text on which pieces are learned, so that it becomes a token."""
FINISHED = '{"Steps": "", "Analyses": "", "Finished": "Yes", "Next step": "None", "id": -1, "action": "tap", '
FINISHED += '"input_text": "N/A"}'
BEGIN = '{"Steps": "", "Analyses": "", "Finished": "No", "Next step": "", "id": '
TAP, INPUT, CLOSE = ', "action": "tap", "input_text": "N/A"}', ', "action": "input", "input_text": "', '"}'
FIXED = (FINISHED, BEGIN, TAP, INPUT, CLOSE)
"""Fixed parts of an answer."""

SHARE_OF_PROMPTS = 20
"""A line of words that is in more than one of so many prompts becomes a token."""
_BUTTON = r"<button id=\d+>"
REPLACED = (
    (r"性别：[^；\n]*；(?=年龄)|；职业：[^\n]*", ""),
    # letter keys, the status bar and the navigation bar
    (rf"{_BUTTON}([0-9a-z,.]|大写|收起键盘|空格)</button>\n", ""),
    (r"<p id=\d+>(\d\d:\d\d|(电量 )?\d+%|[^<\n]*已连接)</p>\n", ""),
    (rf"{_BUTTON}返回</button>\n(?={_BUTTON}主屏幕)|{_BUTTON}(主屏幕|最近任务)</button>\n", ""),
    # states that a phone's tree has and a recorded tree has not
    (r"<checkbox id=\d+ checked=\w+></checkbox>\n| checked=\w+(?=>)", ""),
    # of the label of a touch the first word; the name of a picture is that of the words beside it
    (r"(?<=content='[^' ]{1,40}) [^'\n]*(?='\))", ""),
    (r"(?<=>)([^ <>\n]+)图片 (?=\1)", ""),
    (r"图片(?=[ '<])", ""),
    # the beginning of a text tells what it is
    (r"(?<=id=\d+>[^<\n]{16})[^<\n]+", ""),
    # marks become tokens, or the ends of pieces (tab)
    (r"com\.simulated\.", ""),
    (r"long_click\(content='", "\tlong_click\t"),
    (r"(?<!_)click\((content=')?", "\t"),
    (r"type\(text='", "\ttype\t"),
    (r"scroll\(direction='", "\tscroll "),
    (r"\(\)|'?\)(?=\n)|'\)$", ""),
    (r"<(button|p|div|checkbox) id=", "\t"),
    (r"<input id=", "\tinput\t"),
    (r"(?<=\d) class='scroller'>|(?<=\d) hint='|(?<=[\dse])>|'>", "\t"),
    (r" (?=[^<\n]*</)|</\w+>\n?", "\t"),
    (r"(?<=\n\d\.|\n\d\d\.) ", ""),
    (r"\n(?!\d)", "\t"),
)
"""Expressions and what they become, in order."""
_ROLE = re.compile("|".join(map(re.escape, (*ROLES, END))))
_INSTRUCTION = re.compile(r"# .+|.+[。：]")
_SEEN_TEXT = re.compile(r"^<\w+ id=.*$|^\d+\. .*$|^性别.*$", re.MULTILINE)
PIECES = r"\t+|\n\d+\.|[^\t\n，。！？：；、·“”\" ]+|."
"""Pieces within which tokens are made; tabs are then dropped."""


def make_screen_tokenizer(chats: Sequence[str], system: str, size: int) -> PreTrainedTokenizerFast:
    """Train a tokenizer.

    Args:
        chats: Prompts with answers, as the chat template writes them.
        system: The system message, which is the same in all of them.
        size: Number of tokens.
    """
    lines = Counter(
        line for chat in chats for line in set(_ROLE.sub("\n", chat.replace(system, "")).split("\n"))
    )
    shared = (line for line, n in lines.items() if n > len(chats) / SHARE_OF_PROMPTS)
    constant = [system, *(line for line in shared if _INSTRUCTION.fullmatch(line))]
    tokenizer = Tokenizer(models.BPE(unk_token=UNKNOWN))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Replace(Regex(found), new) for found, new in REPLACED]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PIECES), "isolated"),
            pre_tokenizers.Split(Regex(r"\t+"), "removed"),
        ]
    )
    tokenizer.decoder = decoders.Fuse()
    trainer = trainers.BpeTrainer(
        vocab_size=size - len(constant) - len(FIXED),
        special_tokens=[PAD, END, UNKNOWN, *ROLES],
        initial_alphabet=sorted(set().union(*chats)),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_learn_text(chats[:LEARNED_FROM]), trainer)
    tokenizer.add_tokens([AddedToken(text, normalized=False) for text in (*FIXED, *constant)])
    return wrapped(tokenizer)


def _learn_text(chats: Sequence[str]) -> Iterator[str]:
    """Words on screens and in actions: an intent is split into pieces that stand there, too."""
    for chat in chats:
        for line in _SEEN_TEXT.findall(chat):
            yield f"\n{line}\n"
    yield from (f"\n{number}.\t{number}\t" for number in range(IDS) for _ in range(SEEN))
