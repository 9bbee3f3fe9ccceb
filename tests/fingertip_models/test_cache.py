from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import InputError, UsageError
from fingertip_models.cache import AppendOnlyCache, cache_key
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


WRITER = """
import sys
from pathlib import Path
from fingertip_models.cache import AppendOnlyCache
with AppendOnlyCache(Path(sys.argv[1])) as cache:
    for number in range(int(sys.argv[2])):
        cache.put(f"{sys.argv[3]} {number}", {"text": "微信" * number})
"""


def test_a_stored_value_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "cache.jsonl"
    with AppendOnlyCache(file) as cache:
        assert cache.get("a") is None
        cache.put("a", {"text": "打开微信\u2028\ud83d", "tokens": None})
        cache.put("b", {})
        assert cache.get("a") == {"text": "打开微信\u2028\ud83d", "tokens": None}
        assert len(cache) == 2
    with AppendOnlyCache(file) as again:
        assert again.get("a") == {"text": "打开微信\u2028\ud83d", "tokens": None}
        assert again.get("b") == {}
        assert again.get("c") is None


def test_the_first_answer_stays(tmp_path: Path) -> None:
    file = tmp_path / "cache.jsonl"
    with AppendOnlyCache(file) as cache, AppendOnlyCache(file) as other:
        cache.put("a", {"text": "1"})
        other.put("a", {"text": "2"})
        assert other.get("a") == cache.get("a") == {"text": "1"}
    assert len(file.read_text().splitlines()) == 1


@pytest.mark.parametrize("cut", [1, 20, 45])
def test_a_line_that_was_cut_off_is_dropped(tmp_path: Path, cut: int) -> None:
    file = tmp_path / "cache.jsonl"
    with AppendOnlyCache(file) as cache:
        cache.put("a", {"text": "微信"})
        cache.put("b", {"text": "微博"})
    file.write_bytes(file.read_bytes()[:-cut])
    with AppendOnlyCache(file) as cache:
        assert cache.get("a") == {"text": "微信"}
        assert cache.get("b") is None
        cache.put("c", {"text": "美团"})
        assert cache.get("c") == {"text": "美团"}
    assert [json.loads(line)["key"] for line in file.read_text().splitlines()] == ["a", "c"]


def test_processes_and_threads_share_a_file(tmp_path: Path) -> None:
    file = tmp_path / "cache.jsonl"
    call = [sys.executable, "-c", WRITER, str(file), "40"]
    writers = [subprocess.Popen([*call, name]) for name in ("one", "two")]
    with AppendOnlyCache(file) as cache:

        def write(name: str) -> None:
            for number in range(40):
                cache.put(f"{name} {number}", {"text": "微博" * number})

        threads = [threading.Thread(target=write, args=(name,)) for name in ("three", "four")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [writer.wait(120) for writer in writers] == [0, 0]
        cache.put("last", {})
        assert len(cache) == 161
        assert cache.get("two 39") == {"text": "微信" * 39}


@pytest.mark.parametrize(("content", "output"), VECTORS["a_broken_file_is_refused"])
def test_a_broken_file_is_refused(tmp_path: Path, content: str, output: str) -> None:
    file = tmp_path / "cache.jsonl"
    file.write_text(content)
    with pytest.raises(InputError) as raised:
        AppendOnlyCache(file)
    assert output.format(file=file) in str(raised.value)
    assert "\x1b" not in str(raised.value)
    assert file.read_text() == content


def test_an_unwritable_path_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the cache file cannot be written: Is a directory"):
        AppendOnlyCache(tmp_path)
    with pytest.raises(UsageError, match="cannot be written: No such file or directory"):
        AppendOnlyCache(tmp_path / "no" / "cache.jsonl")


@given(st.dictionaries(st.text(), st.text() | st.integers() | st.none() | st.lists(st.text())))
def test_a_key_depends_on_everything(parts: dict[str, object]) -> None:
    assert cache_key(parts) == cache_key(dict(reversed(parts.items())))
    assert cache_key(parts) != cache_key({**parts, "more": 1.5})


def test_a_value_may_take_the_place_of_another(tmp_path: Path) -> None:
    file = tmp_path / "cache.jsonl"
    with AppendOnlyCache(file) as cache, AppendOnlyCache(file) as other:
        cache.put("a", {"text": ""})
        cache.put("a", {"text": "微信"}, replace=True)
        # what a process without the new answer puts does not take its place
        other.put("a", {"text": "late"})
        assert cache.get("a") == other.get("a") == {"text": "微信"}
    with AppendOnlyCache(file) as cache:
        assert cache.get("a") == {"text": "微信"}
        assert len(cache) == 1
