"""Processors of tiny models: whole answers are calls, prompts stay as served, budgets are checked first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from fingertip_dataset.errors import UsageError
from fingertip_environments import PhoneTask, phone_tools, prompt_rows
from fingertip_environments.screen_pictures import ScreenPictures

pytestmark = pytest.mark.install  # transformers and TRL take seconds to load

Processors = Callable[[str], Any]


@pytest.fixture
def processors(tiny_models: Callable[[str], Path]) -> Processors:
    def open_processor(architecture: str) -> Any:  # noqa: ANN401 - transformers is imported late
        from transformers import AutoProcessor

        return AutoProcessor.from_pretrained(tiny_models(architecture), trust_remote_code=True)

    return open_processor


def fit(processor: Any) -> Any:  # noqa: ANN401 - transformers is imported late
    from fingertip_environments.answer_template import fit_processor

    fit_processor(processor)
    return processor


def parse(processor: Any, text: str) -> dict[str, Any]:  # noqa: ANN401 - transformers is imported late
    from trl.chat_template_utils import parse_response

    words = processor.tokenizer
    ids = words(text)["input_ids"]
    prompt = words("<|im_start|>assistant\n")["input_ids"]
    found: dict[str, Any] = parse_response(words, ids, prefix=prompt)
    return found


@pytest.mark.parametrize(
    "answer",
    [
        'Action: y\n<tool_call>\n{"name": "mobile_use", "arguments": {"action": "wait"}}\n</tool_call>',
        "Thought: 好\nAction: click(start_box='(1,2)')",
        "no action at all {",
    ],
)
def test_a_whole_answer_is_one_call(processors: Processors, answer: str) -> None:
    processor = fit(processors("qwen3_vl"))
    for end in ("", "<|im_end|>"):  # cut at the limit of tokens, or ended
        (call,) = parse(processor, answer + end)["tool_calls"]
        assert call["function"] == {"name": "act", "arguments": {"answer": answer}}


def test_an_empty_answer_is_no_call(processors: Processors) -> None:
    processor = fit(processors("qwen3_vl"))
    for answer in ("<|im_end|>", " \n<|im_end|>"):
        assert not parse(processor, answer).get("tool_calls")


def test_prompts_without_tools_are_rendered_as_before(processors: Processors) -> None:
    from trl.chat_template_utils import supports_tool_calling

    picture = {"type": "image", "image": Image.new("RGB", (64, 64))}
    answered = {"role": "assistant", "content": [{"type": "text", "text": "wait()"}]}
    messages = [
        {"role": "system", "content": [{"type": "text", "text": "你"}]},
        {"role": "user", "content": [{"type": "text", "text": "看"}, picture]},
        answered,
        {"role": "user", "content": [picture]},
    ]
    plain = processors("qwen2_5_vl")
    before = plain.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    assert not supports_tool_calling(plain)
    fitted = fit(fit(plain))
    assert supports_tool_calling(fitted)
    assert fitted.apply_chat_template(messages, tokenize=False, add_generation_prompt=True) == before
    call = {"type": "function", "function": {"name": "act", "arguments": {"answer": "wait()"}}}
    called = [
        *messages[:2],
        {"role": "assistant", "content": [], "tool_calls": [call]},
        {"role": "tool", "name": "act", "content": [picture]},
    ]
    assert fitted.apply_chat_template(called, tokenize=False, add_generation_prompt=True) == before


def test_a_template_that_changes_earlier_messages_is_refused(processors: Processors) -> None:
    processor = processors("qwen3_vl")
    processor.chat_template = "{{ messages | length }}" + processor.chat_template
    before = processor.chat_template
    with pytest.raises(UsageError, match="renders earlier messages in another way once later ones follow"):
        fit(processor)
    assert processor.chat_template == before
    processor.chat_template = None
    with pytest.raises(UsageError, match="the processor has no chat template"):
        fit(processor)
    with pytest.raises(UsageError, match="expected a processor of texts and pictures"):
        fit(processor.tokenizer)


def test_a_budget_that_does_not_fit_is_one_line_before_training(
    processors: Processors, tasks: tuple[PhoneTask, ...]
) -> None:
    screens = ScreenPictures(
        format="qwen3-vl", processor=processors("qwen3_vl"), most=3, max_completion_length=256
    )
    line = (
        r"^3 screens and the shortest answers take [\d,]+ tokens after the prompt, max_completion_length is "
        r"256: raise it, or lower most= \(a screen and its answer take \d+\) or max_pixels=$"
    )
    with pytest.raises(UsageError, match=line):
        phone_tools(tasks, screens=screens)
    wide = replace(screens, max_completion_length=4096)
    assert callable(phone_tools(tasks, screens=wide))
    with pytest.raises(UsageError, match=r"which has [\d,]+, and the model takes 512: lower most="):
        phone_tools(tasks, screens=replace(wide, context=512))
    assert len(prompt_rows(tasks, screens=wide)) == len(tasks)


def test_a_processor_that_scales_pictures_of_pixel_points_is_refused(
    processors: Processors, tasks: tuple[PhoneTask, ...]
) -> None:
    screens = ScreenPictures(
        format="qwen2.5-vl", processor=processors("qwen2_5_vl"), most=2, max_completion_length=4096
    )
    line = (
        r"scales a picture of 364x812 to 140x308 px, and points of qwen2.5-vl are px of the picture: give "
        r"max_pixels=43120, or a processor"
    )
    with pytest.raises(UsageError, match=line):
        phone_tools(tasks, screens=screens)
    assert callable(phone_tools(tasks, screens=replace(screens, max_pixels=43120)))


def test_the_model_writes_no_placeholder_of_a_picture(processors: Processors) -> None:
    processor = processors("qwen3_vl")
    screens = ScreenPictures(format="qwen3-vl", processor=processor, max_completion_length=9)
    pads = [
        processor.tokenizer.convert_tokens_to_ids(f"<|{name}|>")
        for name in ("image_pad", "video_pad", "vision_start", "vision_end")
    ]
    assert screens.make_generation_kwargs() == {"suppress_tokens": sorted(pads)}
    assert screens.make_generation_kwargs(vllm=True) == {"logit_bias": dict.fromkeys(sorted(pads), -100.0)}
