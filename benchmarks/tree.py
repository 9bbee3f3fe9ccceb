"""Time from the XML of an accessibility tree to the screen description, relative to `lxml.etree.fromstring`.

Every round starts with a new describer. Screens are in the order of their steps, as in a release. Their
contents have the frequencies of real trees: 27 % of the nodes are invisible, 36 % useful, and three of four
useful boxes were on an earlier screen. The goal is at most 1.5 times the bare parse of the same bytes.
`--trees DIR` measures the trees below a folder instead.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import quoteattr

from lxml import etree

from fingertip_dataset.ui_tree.accessibility import Box, parse_tree
from fingertip_dataset.ui_tree.screen_description import ScreenDescriber, describe_screen
from fingertip_dataset.ui_tree.tree_xml import TreeTarget, read_tree, tree_parser

SEED, SESSIONS, STEPS, ROUNDS = 20, 24, 8, 40
MOST_NODES = 700
MOVED = 0.1
"""Share of the boxes without children that move in the next step."""

BARE = "lxml.etree.fromstring"
WORDS = (
    "返回",
    "推荐",
    "搜索商品",
    "我的订单",
    "Settings",
    "2197万人使用",
    "使用QQ账号登录时，将获取您的账号信息和好友关系",
)
CLASSES = ("FrameLayout", "LinearLayout", "TextView", "ImageView", "Button", "RelativeLayout")
SCREEN = Box(left=0, top=0, right=1080, bottom=2340)
SIZES = ((1, 19), (20, 99), (100, MOST_NODES))


class Nothing(TreeTarget):
    """Target that ignores each node's attributes, to measure lxml alone."""

    def start(self, tag: str, attributes: Mapping[str, str], /) -> None:
        """Called by lxml."""


def draw_part(draw: random.Random, box: Box) -> Box:
    """A random part of a box: all of it, some of its rows, or some of its columns."""
    kind = draw.random()
    if kind < 0.35:
        return box
    if kind < 0.8:
        top = draw.randint(box.top, box.bottom)
        return Box(left=box.left, top=top, right=box.right, bottom=draw.randint(top, box.bottom))
    left = draw.randint(box.left, box.right)
    return Box(left=left, top=box.top, right=draw.randint(left, box.right), bottom=box.bottom)


def draw_layout(draw: random.Random, count: int) -> list[tuple[int, Box]]:
    """Depth and box of each node of a screen, in document order; children are within their parents."""
    nodes: list[tuple[int, Box]] = [(0, SCREEN)]
    around = [SCREEN]
    while len(nodes) < count:
        box = draw_part(draw, around[-1])
        nodes.append((len(around), box))
        around.append(box)
        closing = draw.choice((0, 0, 1, 1, 2, 3)) if box.height > 20 and len(around) < 25 else 4
        del around[max(1, len(around) - closing) :]
    return nodes


def next_layout(draw: random.Random, layout: Sequence[tuple[int, Box]]) -> list[tuple[int, Box]]:
    """Screen a step later: some boxes without children have moved within their parents."""
    around, nodes = {0: SCREEN}, []
    for at, (depth, box) in enumerate(layout):
        is_leaf = at + 1 == len(layout) or layout[at + 1][0] <= depth
        if depth and is_leaf and draw.random() < MOVED:
            box = draw_part(draw, around[depth - 1])
        around[depth] = box
        nodes.append((depth, box))
    return nodes


def draw_node(draw: random.Random, box: Box) -> str:
    """A start tag; a box without area is invisible."""
    text = draw.choice(WORDS) if draw.random() < 0.2 else ""
    description = draw.choice(WORDS) if not text and draw.random() < 0.1 else ""
    flags = {
        "clickable": draw.random() < 0.25,
        "enabled": draw.random() < 0.97,
        "visible": box.width > 0 and box.height > 0 and draw.random() > 0.26,
        "scrollable": draw.random() < 0.02,
        "editable": draw.random() < 0.01,
    }
    attributes = "".join(f' {name}="{str(value).lower()}"' for name, value in flags.items())
    return (
        f'<node text={quoteattr(text)} content_desc={quoteattr(description)} hint=""'
        f' view_id="com.example.shopping:id/{draw.choice(CLASSES)[:4]}{draw.randrange(50)}"'
        f' class="android.widget.{draw.choice(CLASSES)}" package="com.example.shopping"'
        f' bounds="[{box.left},{box.top}][{box.right},{box.bottom}]"{attributes}>'
    )


def draw_screen(draw: random.Random, layout: Sequence[tuple[int, Box]]) -> bytes:
    """The XML of a screen, in the release's dialect."""
    lines = ["<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>", '<hierarchy rotation="0">']
    last = -1
    for depth, box in layout:
        lines += [f"{' ' * open_depth}</node>" for open_depth in range(last, depth - 1, -1)]
        lines.append(" " * depth + draw_node(draw, box))
        last = depth
    lines += [f"{' ' * open_depth}</node>" for open_depth in range(last, -1, -1)]
    return "\n".join([*lines, "</hierarchy>"]).encode()


def draw_screens() -> list[bytes]:
    """Screens of sessions of `STEPS` steps, with 1 to 700 nodes, growing by a constant factor per session."""
    draw = random.Random(SEED)  # noqa: S311 - sample screens, no secret
    screens = []
    for session in range(SESSIONS):
        layout = draw_layout(draw, round(MOST_NODES ** (session / (SESSIONS - 1))))
        for _ in range(STEPS):
            screens.append(draw_screen(draw, layout))
            layout = next_layout(draw, layout)
    return screens


def variants() -> dict[str, Callable[[bytes], object]]:
    """Name -> measured function, with new parsers and describers for each round."""
    parser = tree_parser(Nothing())
    return {
        BARE: etree.fromstring,
        "lxml, attributes as dicts, ignored": lambda xml: read_tree(xml, parser),
        "ScreenDescriber.describe": ScreenDescriber().describe,
        "parse_tree": parse_tree,
        "describe_screen(parse_tree(...))": lambda xml: describe_screen(parse_tree(xml)),
        "parse_tree(...).elements": lambda xml: parse_tree(xml).elements,
    }


def measure(trees: Sequence[bytes]) -> dict[str, tuple[float, float]]:
    """Variant -> (milliseconds of its best round, median of its ratios to the bare parse)."""
    seconds: dict[str, list[float]] = {name: [] for name in variants()}
    for _ in range(ROUNDS):
        for name, variant in variants().items():
            start = time.perf_counter()
            for xml in trees:
                variant(xml)
            seconds[name].append(time.perf_counter() - start)
    return {
        name: (
            1000 * min(taken),
            statistics.median(own / bare for own, bare in zip(taken, seconds[BARE], strict=True)),
        )
        for name, taken in seconds.items()
    }


def report(title: str, trees: Sequence[bytes]) -> None:
    """Prints the table of a set of trees, and the ratio for each tree size."""
    nodes = [len(parse_tree(xml).attributes) for xml in trees]
    size = sum(map(len, trees)) / 1e6
    print(f"{title}: {len(trees)} trees, {sum(nodes)} nodes ({min(nodes)} to {max(nodes)}), {size:.1f} MB")
    for name, (milliseconds, ratio) in measure(trees).items():
        print(f"  {name:<42}{milliseconds:8.1f} ms{ratio:7.2f} x")
    for least, most in SIZES:
        chosen = [xml for xml, count in zip(trees, nodes, strict=True) if least <= count <= most]
        if chosen:
            ratio = measure(chosen)["ScreenDescriber.describe"][1]
            print(f"  describe, {len(chosen):4} trees of {least:3} to {most:3} nodes{ratio:25.2f} x")


def main() -> None:
    """Prints times and ratios to the bare parse; the goal of `describe` is 1.5."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--trees", type=Path, metavar="DIR", help="measure the *.xml below this folder")
    folder = options.parse_args().trees
    if folder is None:
        report(f"generated, seed {SEED}", draw_screens())
    else:
        report(str(folder), [file.read_bytes() for file in sorted(folder.rglob("*.xml"))])


if __name__ == "__main__":
    main()
