"""Plots: their content, glyphs for Chinese text, and unchanged settings of the caller."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import pytest
from PIL import Image

from fingertip_analysis.statistics import plots
from fingertip_analysis.statistics.plots import (
    Bar,
    Caption,
    Estimate,
    plot_bars,
    plot_columns,
    plot_estimates,
    plot_table,
)

CAPTION = Caption(title="标题", note="n = 3", axis="episodes")


def ink(path: Path) -> int:
    """Number of pixels that are not white."""
    with Image.open(path) as image:
        return sum(image.convert("L").histogram()[:250])


def test_matplotlib_settings_of_the_caller_are_unchanged(tmp_path: Path) -> None:
    before = dict(matplotlib.rcParams)
    plot_bars([Bar(label="音乐", value=3)], CAPTION, tmp_path / "a.png")
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [("音乐", "导航", True), ("闹", "钟", True), ("\ue000", "\ue001", False)],
)
def test_chinese_characters_have_glyphs(one: str, other: str, differ: bool, tmp_path: Path) -> None:
    pictures = []
    for label in (one, other):
        plot_columns([Bar(label="a", value=1)], CAPTION, tmp_path / "a.png", label=label)
        pictures.append((tmp_path / "a.png").read_bytes())
    # characters missing from the font are all drawn as the same box
    assert (pictures[0] != pictures[1]) is differ


@pytest.mark.parametrize(
    "label", ["$x^$", "$\\frac{$", "a\nb\x00c\ud83d", "\U0001f600", "", "字" * 5000, "%s{}\\"]
)
def test_any_label_can_be_drawn(label: str, tmp_path: Path) -> None:
    plot_bars([Bar(label=label, value=1)], CAPTION, tmp_path / "a.png")
    plot_columns([Bar(label=label, value=1)], CAPTION, tmp_path / "b.png", label="x")
    with Image.open(tmp_path / "a.png") as image:
        assert image.width == round(8.5 * plots.DPI)


def test_long_labels_keep_both_ends() -> None:
    app = "com.android.chrome/com.google.android.apps.chrome.Main"
    assert plots.shorten(app, 20) == "com.androi…rome.Main"
    assert len(plots.shorten(app, 21)) == 21
    assert plots.shorten("a  b\n c") == "a b c"


@pytest.mark.parametrize("kind", ["bars", "columns", "table", "estimates"])
def test_an_empty_plot_states_that_there_is_nothing_to_draw(kind: str, tmp_path: Path) -> None:
    empty, other = tmp_path / "a.png", tmp_path / "b.png"
    for path, caption in (
        (empty, CAPTION),
        (other, Caption(title="标题", note="n = 3", empty="no episodes whatsoever")),
    ):
        if kind == "bars":
            plot_bars([], caption, path)
        elif kind == "columns":
            plot_columns([], caption, path, label="x")
        elif kind == "table":
            plot_table(["a"], [], caption, path)
        else:
            plot_estimates([], caption, path, groups=["a"])
    assert 0 < ink(empty) < ink(other)


def test_every_bar_is_drawn(tmp_path: Path) -> None:
    bars = [Bar(label=str(number), value=5, muted=number == 2) for number in range(3)]
    plot_bars(bars, CAPTION, tmp_path / "a.png")
    plot_columns(bars, CAPTION, tmp_path / "b.png", label="x")
    for name in ("a.png", "b.png"):
        with Image.open(tmp_path / name) as image:
            colours = {colour: count for count, colour in image.convert("RGB").getcolors(1 << 20) or []}
        blue, grey = colours[(0x2F, 0x66, 0x90)], colours[(0xB8, 0xBE, 0xC4)]
        assert blue == pytest.approx(2 * grey, rel=0.1)


def test_a_group_without_an_estimate_keeps_its_place(tmp_path: Path) -> None:
    one = [Estimate(group="a", series="s", mean=0.5, low=0.4, high=0.6)]
    plot_estimates(one, CAPTION, tmp_path / "a.png", groups=["a", "b"])
    plot_estimates(one, CAPTION, tmp_path / "b.png", groups=["b", "a"])
    with Image.open(tmp_path / "a.png") as left, Image.open(tmp_path / "b.png") as right:
        assert left.tobytes() != right.tobytes()


def test_a_mean_without_an_interval_is_drawn_without_one(tmp_path: Path) -> None:
    for name, low, high in (("a.png", None, None), ("b.png", 0.4, 0.6), ("c.png", 0.5, 0.5 - 1e-17)):
        one = [Estimate(group="a", series="s", mean=0.5, low=low, high=high)]
        plot_estimates(one, CAPTION, tmp_path / name, groups=["a"])
    assert (tmp_path / "a.png").read_bytes() != (tmp_path / "b.png").read_bytes()


def test_the_same_input_gives_the_same_picture(tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        plot_table(["a", "b"], [["x", "1"], ["all", "2"]], CAPTION, tmp_path / name)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
