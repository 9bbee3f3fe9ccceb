"""An episode is held outside of its release until it was inspected."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.checking import check_release
from fingertip_dataset.times import parse_time
from fingertip_recorder import EpisodeWriter
from fingertip_recorder.held_episode import keep_inspected


def write(raw: Path) -> Path:
    with EpisodeWriter(
        raw,
        user_id="7",
        moment=parse_time("20250310_083000"),
        scenario="住所",
        app="com.a",
        intent="定个闹钟",
        provenance="simulated",
    ) as writer:
        return writer.finish(
            Image.new("RGB", (80, 160)), '<hierarchy><node bounds="[0,0][80,160]"/></hierarchy>'
        )


@pytest.mark.parametrize("changed", [False, True])
def test_what_the_inspection_returns_is_kept(tmp_path: Path, changed: bool) -> None:
    out, seen = tmp_path / "raw", []

    def inspect(held: Path) -> Path:
        seen.append(held)
        assert not out.exists()
        assert held.parent.stat().st_mode & 0o077 == 0
        if not changed:
            return held
        shutil.copytree(held, held.with_name("copy"))
        file = held.with_name("copy") / "7" / "20250310_083000" / "action.jsonl"
        file.write_text(file.read_text("utf-8").replace("finished", "finish"), "utf-8")
        return held.with_name("copy")

    folder = keep_inspected(out, write, inspect)
    assert folder == out / "7" / "20250310_083000"
    assert ("finish()" in (folder / "action.jsonl").read_text("utf-8")) == changed
    assert check_release(out).problems == ()
    assert [path.name for path in out.iterdir()] == ["7"]
    assert not seen[0].parent.exists()
    with pytest.raises(UsageError, match="the episode already exists"):
        keep_inspected(out, write, inspect)


def raising(held: Path) -> Path:
    raise KeyboardInterrupt


@pytest.mark.parametrize("inspect", [lambda held: None, raising])
def test_a_dropped_episode_leaves_nothing(tmp_path: Path, inspect: Callable[[Path], Path | None]) -> None:
    try:
        assert keep_inspected(tmp_path / "raw", write, inspect) is None
    except KeyboardInterrupt:
        assert inspect is raising
    assert list(tmp_path.iterdir()) == []
