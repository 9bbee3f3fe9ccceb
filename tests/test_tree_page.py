"""docs/developers/trees.md: its figures of rough trees are like the real ones, measured as it says."""

from __future__ import annotations

import re

import pytest

from docs.site.tree_figures import FIGURES, agent_figures, figures_of, observed, pages, summary
from docs.site.tree_page import FACTOR, PAGE, agents_table, recorded_real
from fingertip_dataset.ui_tree.accessibility import parse_tree

PAGE_TEXT = PAGE.read_text(encoding="utf-8")


def test_the_page_shows_rough_trees_like_real_ones() -> None:
    block = PAGE_TEXT.partition("<!-- simulated -->")[2].partition("<!-- /simulated -->")[0]
    rows = dict(re.findall(r"^\| ([^|]+) \|.* \| ([\d.]+ / [\d.]+) \|$", block, re.MULTILINE))
    assert rows.keys() == {*FIGURES.values()}
    for words, ratios in rows.items():
        for ratio in map(float, ratios.split(" / ")):
            assert 1 / FACTOR <= ratio <= FACTOR, words


def test_figures_of_a_small_tree() -> None:
    tree = parse_tree(
        '<hierarchy><node bounds="[0,0][100,100]"><node bounds="[0,0][100,100]">'
        '<node text="a" clickable="true" bounds="[0,0][50,50]"/><node bounds="[10,10][40,40]"/>'
        '<node bounds="[100,0][50,50]" visible="false"/></node></node></hierarchy>'
    )
    figures = figures_of(tree)
    characters = figures.pop("characters")
    assert figures == pytest.approx(
        {
            "nodes": 5,
            "depth": 3,
            "text": 0.2,
            "clickable": 0.2,
            "bad": 0.2,
            "wrappers": 0.2,
            "silent": 0.4,
            "overlapped": 1.0,
        }
    )
    assert characters == sum(map(len, re.findall('"([^"]*)"', " ".join(map(str, RAW)))))


RAW = (
    '"[0,0][100,100]" "[0,0][100,100]"',
    '"a" "true" "[0,0][50,50]" "[10,10][40,40]"',
    '"[100,0][50,50]" "false"',
)


@pytest.mark.soak
def test_a_few_people_have_such_trees_and_agents_reach_what_they_touched() -> None:
    screens = observed(2, 5)
    real = recorded_real(PAGE_TEXT)
    clean, rough = (
        summary(parse_tree(seen.release[kind]) for seen in pages(screens)) for kind in ("clean", "rough")
    )
    for name in ("depth", "text", "bad", "wrappers"):
        # a small sample is near the real median, and nearer than clean trees are
        assert abs(rough[name][0] - real[name][0]) < abs(clean[name][0] - real[name][0]), name
    listed = [agent_figures(seen, "rough").listed for seen in screens]
    touched = [here for here in listed if here is not None]
    assert touched
    assert all(touched)
    assert "| touched elements that are in AutoDroid's list at a true touch point | 100.0 % | 100.0 % |" in (
        agents_table(screens)
    )
