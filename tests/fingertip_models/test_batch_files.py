"""A provider's batch files: what is written, and what is read of whatever comes back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import InputError, RunError
from fingertip_models.batch_files import BatchModel, Waiting, request_files
from fingertip_models.messages import Message
from fingertip_models.options import ModelOptions

OPTIONS = ModelOptions(model="m", base_url="http://127.0.0.1:1/v1")
NAMES = [f"30__202503{day:02}_090000" for day in range(1, 8)]


def question(name: str) -> tuple[Message, ...]:
    return (Message(role="user", text=f"{name} 想做什么？"),)


@pytest.fixture
def model(tmp_path: Path) -> Iterator[BatchModel]:
    made = BatchModel(OPTIONS, tmp_path / "batch")
    yield made
    made.close()


def waiting(model: BatchModel, names: list[str]) -> Iterator[tuple[str, Waiting]]:
    for name in names:
        try:
            model.ask(question(name))
        except Waiting as query:
            yield name, query


def requests(model: BatchModel) -> list[dict[str, Any]]:
    files = request_files(model.folder)
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def result(request: dict[str, Any], text: str = "", **change: object) -> dict[str, object]:
    body = {
        "model": "m-2025",
        "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": text or "好"}}],
        "usage": {"prompt_tokens": 70, "completion_tokens": 2},
    }
    response = {"status_code": 200, "request_id": "r", "body": body}
    return {
        "id": "b",
        "custom_id": request["custom_id"],
        "response": response,
        "error": None,
    } | change


def write(file: Path, lines: list[object]) -> Path:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    file.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return file


def test_requests_have_the_format_of_the_batch_api(model: BatchModel) -> None:
    (file,) = model.write(waiting(model, NAMES[:1]))
    assert file.name == "requests-001.jsonl"
    (line,) = requests(model)
    custom_id = line.pop("custom_id")
    assert custom_id.startswith(f"{NAMES[0]}-")
    assert len(custom_id) <= 64
    assert line == {
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {
            "model": "m",
            "messages": [{"role": "user", "content": f"{NAMES[0]} 想做什么？"}],
            "temperature": 0.0,
            "max_tokens": 8192,
        },
    }


def test_files_respect_both_limits(model: BatchModel) -> None:
    files = model.write(waiting(model, NAMES), most_lines=3)
    assert [len(file.read_text("utf-8").splitlines()) for file in files] == [3, 3, 1]
    line = len(files[0].read_bytes().splitlines(keepends=True)[0])
    files = model.write(waiting(model, NAMES), most_mb=2.5 * line / 1_000_000)
    assert [len(file.read_text("utf-8").splitlines()) for file in files] == [2, 2, 2, 1]
    # one that is larger than any file may be is not left out
    files = model.write(waiting(model, NAMES[:2]), most_mb=0.000001)
    assert [len(file.read_text("utf-8").splitlines()) for file in files] == [1, 1]
    assert request_files(model.folder) == files


def test_answers_in_any_order_match_their_requests(model: BatchModel, tmp_path: Path) -> None:
    model.write(waiting(model, NAMES))
    lines = [result(request, f"答{request['custom_id']}") for request in requests(model)]
    lines = [*lines[3:], *reversed(lines[:3])]
    read = model.read(write(tmp_path / "results.jsonl", list(lines)))
    assert (read.answers, read.repeated, read.problems) == (7, 0, ())
    assert list(waiting(model, NAMES)) == []
    for name in NAMES:
        answer = model.ask(question(name))
        assert answer.text.startswith(f"答{name}-")
        assert (answer.seconds, answer.prompt_tokens, answer.model) == (0, 70, "m-2025")
        assert not answer.cached
    assert model.write(waiting(model, NAMES)) == ()
    again = BatchModel(OPTIONS, model.folder)
    assert again.ask(question(NAMES[0])).text.startswith("答")
    again.close()


def test_lines_without_an_answer_are_named_and_stay_open(model: BatchModel, tmp_path: Path) -> None:
    model.write(waiting(model, NAMES))
    query = requests(model)
    refused = {"status_code": 429, "body": {"error": {"message": "slow\ndown"}}}
    empty = {"status_code": 200, "body": {"choices": []}}
    expired = {"code": "batch_expired", "message": "too late"}
    lines = [
        result(query[0]),
        result(query[1], response=refused),
        result(query[2], response=None, error=expired),
        '{"custom_id": "30__2025',
        result(query[3], response=empty),
        "[]",
        result({"custom_id": "\x1b[2J" + "x" * 200}),
        result({"custom_id": query[4]["custom_id"][:-1] + "x"}),
        result(query[0], "anders"),
    ]
    read = model.read(write(tmp_path / "results.jsonl", list(lines)))
    assert (read.answers, read.repeated) == (1, 1)
    ids = [request["custom_id"] for request in query]
    assert read.problems[:6] == (
        f"line 2: the batch failed for {ids[1]}: slow down",
        f"line 3: the batch failed for {ids[2]}: too late",
        'line 4: expected JSON, got {"custom_id": "30__2025',
        f"line 5: the batch failed for {ids[3]}: " + '{"choices": []}',
        "line 6: the line has no custom_id, so its request is unknown: give the file as the "
        "batch API returned it",
        read.problems[5],
    )
    assert read.problems[5].startswith("line 7: expected the custom_id of a request of this run, got ")
    assert "\x1b" not in "".join(read.problems)
    assert len(read.problems) == 7
    assert model.ask(question(NAMES[0])).text == "好"
    model.write(waiting(model, NAMES))
    assert [request["custom_id"] for request in requests(model)] == ids[1:]


def test_an_answer_to_another_prompt_is_refused(model: BatchModel, tmp_path: Path) -> None:
    """The same task and model at another temperature."""
    other = BatchModel(ModelOptions(model="m", temperature=0.5), tmp_path / "other")
    other.write(waiting(other, NAMES))
    lines = [result(request) for request in requests(other)]
    other.close()
    model.write(waiting(model, NAMES))
    read = model.read(write(tmp_path / "results.jsonl", list(lines)))
    assert (read.answers, len(read.problems)) == (0, 7)
    assert len(list(waiting(model, NAMES))) == 7


def test_an_unreadable_file_is_refused(model: BatchModel, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the results cannot be read: No such file"):
        model.read(tmp_path / "nowhere.jsonl")
    with pytest.raises(
        InputError, match="the file of results is empty: download it again from the batch API"
    ):
        model.read(write(tmp_path / "empty.jsonl", [""]))


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "batch").write_text("mine", encoding="utf-8")
    model = BatchModel(OPTIONS, tmp_path / "batch")
    query = ("1", Waiting("0" * 64, {}))
    with pytest.raises(RunError, match="requests could not be written, File exists"):
        model.write(iter([query]))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(
    junk=st.dictionaries(
        st.sampled_from(["custom_id", "response", "error"]),
        JSON | st.fixed_dictionaries({"status_code": JSON, "body": JSON | st.just({"choices": [{}]})}),
    )
)
def test_any_line_can_be_read(tmp_path_factory: pytest.TempPathFactory, junk: object) -> None:
    folder = tmp_path_factory.mktemp("junk")
    model = BatchModel(OPTIONS, folder / "batch")
    model.write(waiting(model, NAMES[:1]))
    (request,) = requests(model)
    read = model.read(write(folder / "results.jsonl", [junk, result(request)]))
    model.close()
    assert (read.answers, len(read.problems)) == (1, 1)
