"""docs/reference/open-models.md: its tables follow from what was counted, and its lines fit the card."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from docs.site import benchmark_model_page
from docs.site.benchmark_measures import BLOCK, TokenCount, count_parameters, read_measures
from docs.site.benchmark_model_page import (
    CARD_GIB,
    CONTEXT,
    GIB,
    LISTS,
    MOST_SLOTS,
    PAGE,
    REST_GIB,
    USED_SHARE,
    count_pictures,
    estimate_seconds,
    find_version,
    plan_server,
    write_benchmark,
    write_server,
)
from docs.site.benchmark_models import BYTES, BenchmarkedModel, read_models
from docs.site.page_lists import with_lists
from fingertip_agents.known_models import choose_format
from fingertip_agents.registry import make_format
from fingertip_agents.screens.coordinates import smart_resize
from fingertip_agents.suggestion.suggestion_prompt import VERSION
from fingertip_cli.main import cli
from fingertip_models.messages import Message
from tests.command_line import fingertip
from tests.page_blocks import ROOT, blocks, words_of_fingertip
from tests.shared_datasets import simulated_people
from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

SHORT = ROOT / "docs" / "benchmark-your-model.md"
MODELS = read_models()
PARAMETERS = read_measures()["parameters"]
each_model = pytest.mark.parametrize("model", MODELS.values(), ids=lambda model: model.short)


def png(colour: str, size: tuple[int, int] = (56, 56)) -> bytes:
    file = BytesIO()
    Image.new("RGB", size, colour).save(file, "PNG")
    return file.getvalue()


def test_the_page_shows_what_was_counted() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_lists(page, LISTS), "run: python -m docs.site.benchmark_model_page"


def test_the_prompts_that_were_counted_are_those_that_are_sent() -> None:
    formats = {model.known.format for model in MODELS.values()}
    sent = {"track 1": VERSION} | {name: make_format(name).version for name in formats}
    assert read_measures()["prompts"] == sent, "run: python -m docs.site.benchmark_measures"


def test_ten_models_are_shown() -> None:
    assert len(MODELS) == 10
    assert all(model.known.server is not None for model in MODELS.values())


@each_model
def test_a_server_line_has_the_words_of_the_known_one_and_limits_that_fit(model: BenchmarkedModel) -> None:
    words = shlex.split(write_server(model))
    plan = plan_server(model)
    own = dict(zip(words[-6::2], words[-5::2], strict=True))
    assert own["--max-model-len"] == str(CONTEXT)
    assert own["--max-num-seqs"] == str(plan.slots)
    limit = json.loads(own["--limit-mm-per-prompt"])
    assert limit == {"image": {"count": count_pictures(model), "width": 360, "height": 800}, "video": 0}
    known = shlex.split(model.known.write_server(model.name))
    assert set(words[:-6]) <= set(known)
    assert words[:3] == ["vllm", "serve", model.name]
    assert plan.longest < CONTEXT <= min(model.config.positions, model.known.context or CONTEXT)
    # vLLM does not start with a context that its whole cache cannot hold
    assert plan.cached_tokens > CONTEXT
    assert "0.11" not in find_version(model)


@each_model
def test_the_slots_of_a_model_fill_the_card(model: BenchmarkedModel) -> None:
    plan = plan_server(model)
    room = (CARD_GIB * USED_SHARE - REST_GIB) * GIB - plan.weight_bytes
    a_slot = plan.longest * model.config.token_bytes + model.config.slot_bytes
    assert plan.slots * a_slot <= room
    assert plan.slots == MOST_SLOTS or (plan.slots + 1) * a_slot > room
    assert plan.slots >= 2


def test_a_card_of_16_gb_has_room_as_the_page_says() -> None:
    """4B in 16 bits; the others with 8 bits for the layers and 16 for embeddings and pictures."""
    for model in MODELS.values():
        sizes = PARAMETERS[model.config.name]
        room = (16 * USED_SHARE - REST_GIB) * GIB
        halved = sizes["layers"] + BYTES * (sizes["embeddings"] + sizes["vision"])
        a_slot = plan_server(model).longest * model.config.token_bytes + model.config.slot_bytes
        assert room - halved > a_slot
        assert (plan_server(model, card_gib=16).slots > 0) == ("4B" in model.short)
        assert plan_server(model, card_gib=8).slots == 0


def test_sizes_in_the_text_of_the_page() -> None:
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    limited = {factor: smart_resize((1080, 2400), factor=factor, max_pixels=1003520) for factor in (28, 32)}
    assert limited[28] == (672, 1484)
    assert "makes pictures 672x1484" in page
    tokens = [width * height // factor**2 for factor, (width, height) in limited.items()]
    assert f"{tokens[0]:,} tokens of 28 px or {tokens[1]} of 32 px" in page
    slot = MODELS["Qwen/Qwen3.5-4B"].config.slot_bytes
    assert f"takes {slot / 2**20:.1f} MiB more" in page


@given(st.integers(1, 4000), st.integers(1, 4000))
def test_a_picture_has_whole_tokens_within_the_limits(width: int, height: int) -> None:
    config = MODELS["Qwen/Qwen3-VL-8B-Instruct"].config
    if max(width, height) > 200 * min(width, height):
        return
    tokens = config.count_picture_tokens((width, height))
    least, most = config.pixels
    assert least <= tokens * config.side**2 <= most


def encode(text: str) -> list[int]:
    return list(text.encode())


def test_tokens_are_counted_with_pictures_and_with_what_earlier_prompts_began_with() -> None:
    config = replace(MODELS["Qwen/Qwen2.5-VL-7B-Instruct"].config, pixels=(28 * 28, 10**6))
    counted = TokenCount(encode, config)
    system = Message(role="system", text="s" * 100)

    def ask(text: str, *pictures: bytes) -> int:
        before = counted.sums()
        counted.add([system, Message(role="user", text=text, images=pictures)], "four")
        return counted.sums().shared - before.shared

    head = encode(f"<|im_start|>system\n{system.text}<|im_end|>\n<|im_start|>user\n")
    assert ask("one") == 0
    assert ask("two") == len(head) // BLOCK * BLOCK
    assert ask("one", png("red")) == len(head) // BLOCK * BLOCK
    sums = counted.sums()
    assert (sums.queries, sums.answer, sums.picture) == (3, 15, 2 * 2 + len("<|vision_start|><|vision_end|>"))
    # a picture is reused only where it is the same one
    again, other = ask("three", png("red")), ask("three", png("blue"))
    assert again > other == len(head + encode("<|vision_start|>")) // BLOCK * BLOCK


def test_time_grows_with_thoughts_and_without_a_prefix_cache() -> None:
    sums = read_measures()["tokens"]["Qwen/Qwen3.5-4B"]["track 2"]["all"]
    least = estimate_seconds(sums, prefill=1000, decode=100)
    assert estimate_seconds(sums, prefill=1000, decode=100, reuse=False) == pytest.approx(
        least + sums["shared"] / 1000
    )
    assert estimate_seconds(sums, prefill=1000, decode=100, thought=50) == pytest.approx(
        least + sums["queries"] / 2
    )
    assert benchmark_model_page.example().count(" min") == 8


def test_the_options_of_every_command_exist() -> None:
    """`fingertip` is not run here, and vLLM never: it has no GPU."""
    pages = blocks(SHORT) + blocks(PAGE)
    ours = [words for block in pages for words in map(words_of_fingertip, block.commands) if words]
    assert len(ours) == len(MODELS) + 5
    for words in ours:
        with click.Context(cli) as context:
            command = cli.get_command(context, words[0])
        assert command is not None
        command.make_parser(click.Context(command)).parse_args(words[1:])


@each_model
def test_the_name_of_a_line_is_that_of_its_server_and_has_the_format(model: BenchmarkedModel) -> None:
    words = words_of_fingertip(write_benchmark(model))
    served = words[words.index("--model") + 1]
    assert served in shlex.split(write_server(model))
    assert choose_format(served)[0] == model.known.format
    assert words[words.index("--concurrency") + 1] == str(plan_server(model).slots)


@pytest.mark.install
def test_the_five_minutes_lead_to_verified_bundles(
    openai_server: OpenAIServer, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """With other people, and a scripted model that gives up at once."""
    (tmp_path / "fingertip-sim").symlink_to(simulated_people(tmp_path_factory) / "dataset")
    name = "Qwen/Qwen3-VL-8B-Instruct"
    call = {"name": "mobile_use", "arguments": {"action": "terminate", "status": "failure"}}
    openai_server.models = Reply(body={"object": "list", "data": [{"id": name}]})

    def reply(query: ReceivedRequest) -> Reply:
        acts = "mobile_use" in json.dumps(query.body["messages"])
        return openai_server.says(f"<tool_call>{json.dumps(call)}</tool_call>" if acts else "打开微信")

    openai_server.replies, openai_server.small_replies = reply, lambda query: openai_server.says("OK")
    lines = [line for block in blocks(SHORT) if block.language == "" for line in block.commands]
    assert lines[0] == write_server(MODELS[name])
    shown = []
    for words in filter(None, map(words_of_fingertip, lines)):
        given = [openai_server.base_url if "127.0.0.1" in word else word for word in words]
        done = fingertip(*given, *(["fingertip-sim"] if words[0] == "benchmark" else []), cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        shown.append(done.stdout)
    assert [path.name for path in sorted((tmp_path / "qwen3-vl-8b" / "bundles").iterdir())] == [
        "execution",
        "suggestion",
    ]
    assert not (tmp_path / "look" / "bundles").exists()
    assert "execution" in shown[-1]


@pytest.mark.install
@pytest.mark.parametrize("name", PARAMETERS)
def test_parameters_are_those_of_the_class_of_transformers(name: str) -> None:
    (config, *_) = [model.config for model in MODELS.values() if model.config.name == name]
    assert count_parameters(config) == PARAMETERS[name]


@pytest.mark.install
@pytest.mark.parametrize("size", [(360, 800), (1080, 2400), (40, 90), (4000, 9000)])
def test_pictures_are_resized_as_by_transformers(size: tuple[int, int]) -> None:
    from transformers.models.glm4v.image_processing_pil_glm4v import smart_resize as resize_as_glm
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import smart_resize as resize_as_qwen

    width, height = size
    for model in MODELS.values():
        side = model.config.side
        if model.config.kind == "glm4v":
            # two frames: a picture is repeated
            limits = {"min_pixels": 12544, "max_pixels": 9633792}
            down, across = resize_as_glm(2, height, width, factor=side, **limits)
        else:
            fewest, most = model.config.pixels
            down, across = resize_as_qwen(height, width, factor=side, min_pixels=fewest, max_pixels=most)
        assert model.config.count_picture_tokens(size) == down * across // side**2
