"""Thinking and control tokens in the spellings of open models, around an answer and within its values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_models.thinking import split_thinking

PAIRS = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<THINK>", "</THINK>"),
    ("< THINK >", "</ THINK >"),
    ("<TINK>", "</TINK>"),
    ("<thinkt>", "</thinkt>"),
    ("<seed:think>", "</seed:think>"),
    ("<longcat_think>", "</longcat_think>"),
    ("<grounding_think>", "</grounding_think>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<plan>", "</plan>"),
    ("<chain_of_thought>", "</chain_of_thought>"),
    ("<antThinking>", "</antThinking>"),
    ("<think_never_used_51bce0c785ca2f68>", "</think_never_used_51bce0c785ca2f68>"),
    ("<思考>", "</思考>"),
    ("&lt;think&gt;", "&lt;/think&gt;"),
    ("<|think_start|>", "<|think_end|>"),
    ("<|im_start|>think\n", "<|im_end|>\n<|im_start|>answer\n"),
    ("◁think▷", "◁/think▷"),
    ("[THINK]", "[/THINK]"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<|channel>thought\n", "<channel|>"),
    ("<unused94>thought\n", "<unused95>"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    ("analysis", "assistantfinal"),
]
"""Beginning and end of thinking."""

ENDS = [
    "<|im_end|>",
    "<|endoftext|>",
    "</s>",
    "<end_of_turn>",
    "<|eot_id|>",
    "<|return|>",
    "<|user|>",
    "[EOS]",
]

ANSWERS = [
    "打开微信，看消息",
    "Action: click(start_box='(100,200)')",
    '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "wait"}}\n</tool_call>',
    "type(content='I say <think> and </think>, it's <|im_end|> </s>')",
    '{"action":"type","text":"</think>"}',
    "action:TYPE\tvalue:你好",
]
DRAFTS = [
    "",
    "想",
    "First <tool_call>{}</tool_call>? No.",
    "I'd wait(): it's \"loading\"\n\nclick(start_box='(1,2)')",
]


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize(("begin", "end"), PAIRS)
def test_thinking_before_an_answer_is_taken_out(begin: str, end: str, answer: str) -> None:
    for draft in DRAFTS[1:]:
        split = split_thinking(f"{begin}{draft}{end}\n{answer}")
        assert (split.thought, split.text, split.unfinished) == (draft, answer, False)


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize(("begin", "end"), PAIRS[:-2])
def test_a_template_may_have_begun_it_or_it_stands_behind(begin: str, end: str, answer: str) -> None:
    for draft in DRAFTS[1:]:
        assert split_thinking(f"{draft}{end}\n\n{answer}").text == answer
        assert split_thinking(f"{answer}\n{begin}{draft}{end}").text == answer
        assert split_thinking(f"{answer}\n{begin}{draft}").text == answer
        assert split_thinking(f"{begin}{draft}{end}{answer}\n{begin}{draft}{end}").text == answer


@pytest.mark.parametrize(("begin", "end"), PAIRS[:-1])
def test_thinking_without_an_end_is_no_answer(begin: str, end: str) -> None:
    for draft in DRAFTS:
        split = split_thinking(f"\n{begin}{draft}")
        assert (split.thought, split.text, split.unfinished) == (draft, "", True)


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("end", ENDS)
def test_what_follows_the_end_of_a_turn_is_left_out(end: str, answer: str) -> None:
    assert split_thinking(f"{answer}{end}").text == answer
    split = split_thinking(f"{answer}{end}\n<|im_start|>user\nwait()")
    assert (split.text, split.cut_off) == (answer, "<|im_start|>user\nwait()")
    assert split_thinking(f"{answer}{end}Thought: go on\nwait()").text == answer


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("start", ["<|im_start|>assistant\n", "<|assistant|>", "<|CHATBOT_TOKEN|>", "<s>"])
def test_the_beginning_of_a_turn_and_a_box_are_no_text(start: str, answer: str) -> None:
    assert split_thinking(f"{start}{answer}").text == answer
    assert split_thinking(f"<think>想</think>{start}{answer}</s>").text == answer
    assert split_thinking(f"<|begin_of_box|>{answer}<|end_of_box|>").text == answer


@pytest.mark.parametrize(
    "text",
    [
        "the tag <think> begins a thought, click(start_box='(1,2)')",
        "搜索 <|im_end|> 是什么",
        "给他发“</s>”",
    ],
)
def test_a_tag_or_token_within_a_line_is_a_word(text: str) -> None:
    assert split_thinking(text).text == text


@given(st.text(), st.text())
def test_other_text_stays(thought: str, text: str) -> None:
    thought, text = (one.replace("<", "").replace("[", "").replace("◁", "") for one in (thought, text))
    split = split_thinking(f"<think>{thought}</think>{text}")
    assert (split.thought, split.text) == (thought.strip(), text.strip())
    assert split_thinking(text).text == text
