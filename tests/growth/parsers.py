"""Every parser that reads foreign text, each with pieces of which hostile inputs are made."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from lxml import etree

from android_shell.shell.parser import parse_line
from android_shell.shell.syntax import ShellSyntaxError
from execution_runner.scoring.success_labels import LabelRecord
from fingertip_agents.formats import (
    aguvis,
    appagent,
    appagent_call,
    autodroid,
    autoglm,
    cogagent,
    gelab,
    generalist,
    glm_v,
    holo,
    qwen3_5,
    qwen_vl,
    seed,
    ui_tars,
)
from fingertip_agents.known_models import find_models
from fingertip_agents.parsing import action_answer
from fingertip_agents.parsing.reading import choose_scored_text
from fingertip_agents.screens.coordinates import ModelFrame
from fingertip_agents.screens.scale import Scale
from fingertip_agents.suggestion.distribution_answer import MAX_LINE, read_distribution
from fingertip_agents.suggestion.intent_answer import read_intent
from fingertip_dataset.actions import Wait, canonical, parse_action
from fingertip_dataset.folded_text import make_skeleton
from fingertip_dataset.release.action_lines import read_action_lines
from fingertip_dataset.release.origins import read_licence
from fingertip_dataset.release.problems import printable
from fingertip_dataset.release.screens.screen_files import named_screen
from fingertip_dataset.release.spelling import normalize_text, normalize_time, normalize_user, plain_key
from fingertip_dataset.release.surveys import read_survey
from fingertip_dataset.release.tables.table_rows import read_rows
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_dataset.ui_tree.screen_description import describe_screen
from fingertip_leaderboard.bundle.file_names import check_name
from fingertip_leaderboard.bundle.lines import ATTEMPT_LINES, PREDICTION
from fingertip_leaderboard.bundle.refusal import Refusals
from fingertip_leaderboard.bundle.schema import Bundle, VerdictLine
from fingertip_leaderboard.bundle.secrets import find_secret
from fingertip_leaderboard.bundle.strict_json import read_records
from fingertip_leaderboard.verify.confusables import find_disguise
from fingertip_models.chat.chat_answer import whole
from fingertip_models.chat.chat_failures import Failure
from fingertip_models.chat.stream import Assembly
from fingertip_models.chat.tool_calls import convert_xml_calls
from fingertip_models.thinking import split_thinking
from simulated_phone.adb.wire import WireError, read_message
from simulated_phone.device_servers.appium.locators import MAX_XPATH, Locator, find_located
from simulated_phone.device_servers.appium.ui_selector import parse as parse_ui_selector
from simulated_phone.device_servers.appium.webdriver_errors import WebDriverError
from simulated_phone.device_servers.uiautomator2.uiautomator2_selector import (
    MAX_MATCHED,
    MAX_PATTERN,
    find,
    matching,
)
from tests.growth.measure import STEP, Parse, Parser
from tests.growth.release_parsers import release_parsers
from tests.vectors import read_vectors

MOST_ENDS = 64
"""Number of ends that an answer has to have for its calls to be at their limits."""

MOST_TRIED = action_answer.MAX_CALLS * MOST_ENDS
"""Maximum number of ends of calls that are tried in an answer."""

FRAME = ModelFrame(size=(1000, 1000), screen=(1080, 2400))
SCALE = Scale(device=(1080, 2400), shown=(540, 1200))

PIECES = read_vectors(__file__, "pieces")
JSON = tuple(PIECES["json"])
BLANK = (" ", "\t", "\n", "\r\n", "\u3000", "\u00a0", "\u200b")
FIELDS = tuple(PIECES["fields"])
WORDS = tuple(PIECES["words"])
CALLS = tuple(PIECES["calls"])
TOOL_CALLS = tuple(PIECES["tool calls"])
XML = tuple(PIECES["xml"])
SHELL = tuple(PIECES["shell"])
EVENTS = tuple(PIECES["events"])
PATTERN = tuple(PIECES["pattern"])
EXPONENTIAL = tuple(PIECES["exponential"])
"""Patterns that take exponential time, or a high power, where matching goes back and tries again."""

XPATH = ("//*", "/a", ".//*", "[", "]", "(", ")", "count(", "'", "@text", "=", "1", " and ", "|", "::")
UI_SELECTOR = ("new UiSelector()", '.text("', '")', "(", ")", ".childSelector(", "\\", '"', "1", ";", " ")
TABLE = (",", '"', '""', "\n", "\r\n", "a", "user_id", "1", "1,1\n", '"a"\n', " ", "\ufeff", "；")


def records(model: object, file: str) -> Parse:
    """Reads lines of a bundle."""
    return lambda text: list(read_records(model, text.encode("utf-8", "replace"), Refusals(), file))  # type: ignore[call-overload]


def of_file(folder: Path, name: str, read: Callable[[Path], object]) -> Parse:
    """Reads a file."""

    def parse(text: str) -> object:
        (folder / name).write_text(text, encoding="utf-8", errors="replace", newline="")
        return read(folder / name)

    return parse


def rows(path: Path) -> object:
    """The rows of an index table."""
    return list(read_rows(path, {"user": ("userid",), "a": ("a",)}, ())[1])


def screen(text: str) -> None:
    """Everything that is read of a tree: the description in both forms, what is covered, what a tap hits."""
    tree = parse_tree(text, screen=(1080, 2400))
    describe_screen(tree)
    describe_screen(tree, form="authors")
    tree.hit(5, 5)


LEAST = {
    "distribution": 2 * STEP * MAX_LINE,
    "actions": 2 * STEP * MOST_TRIED,
    "generalist": 2 * STEP * MOST_TRIED,
    # a call and its argument take up to 32 characters
    "ui-tars": STEP * MOST_ENDS * 32,
}
"""Answer -> size from which on what is tried within a line, or as the end of a call, is at its limit."""

LETTERS = tuple(letter * 32 for letter in "pctd/") + tuple(
    "".join(letter * 32 for letter in word) for word in ("p/", "t/", "pt//", "cp/t/", "ct//t/", "pcd///")
)
"""One letter in 32 counts: a node takes about that many characters more than its letter."""

NODES = {
    "p": '<node class="p" bounds="[0,0][1080,2400]">',
    "c": '<node clickable="true" bounds="[0,0][1080,2400]">',
    "t": '<node text="t" bounds="[3,3][50,50]">',
    "d": '<node content-desc="d" clickable="true" bounds="[1,1][900,2000]"><a/>',
}


def whole_tree(text: str) -> None:
    """A tree of valid XML: a letter of `NODES` opens a node, "/" closes one; at the end all are closed."""
    opened, parts = 0, ["<hierarchy>"]
    for letter in text[::32]:
        if letter in NODES:
            opened += 1
            parts.append(NODES[letter])
        elif opened:
            opened -= 1
            parts.append("</node>")
    screen("".join([*parts, "</node>" * opened, "</hierarchy>"]))


def named(text: str) -> None:
    """A file name of a bundle."""
    check_name(text, Refusals())


def displayed(text: str) -> None:
    """A name on the board."""
    find_disguise(text)
    make_skeleton(text)


def spelled(text: str) -> None:
    """Cells of the release's tables."""
    for read in (
        normalize_user,
        normalize_time,
        plain_key,
        normalize_text,
        read_licence,
        named_screen,
        printable,
    ):
        read(text)


def streamed(text: str) -> None:
    """A streamed answer, in pieces of 1,000 bytes."""
    content, answer = text.encode("utf-8", "replace"), Assembly()
    for start in range(0, len(content), 1_000):
        with suppress(Failure):
            answer.feed(content[start : start + 1_000])
    with suppress(Failure):
        answer.body()


def shell(text: str) -> None:
    """A line of the phone's shell."""
    with suppress(ShellSyntaxError):
        parse_line(text)


def selected(text: str) -> None:
    """A selector with a step to a child or a sibling for each 256 letters, on a screen with 12 elements."""
    tree = "<hierarchy>" + '<node class="a"><node class="a"/></node>' * 6 + "</hierarchy>"
    steps = ["child" if letter == "c" else "sibling" for letter in text[::256]]
    find(tree, {"childOrSibling": steps, "childOrSiblingSelector": [{"className": "a"}] * len(steps)})


def pattern(text: str) -> None:
    """A pattern of a selector, cut at its limit, on a screen with 12 texts."""
    tree = "<hierarchy>" + '<node text="aaaaaaaaaaaaab点点点"/>' * 12 + "</hierarchy>"
    with suppress(ValueError):
        find(tree, {"textMatches": text[:MAX_PATTERN]})


def matched(text: str) -> None:
    """A text of the screen on which patterns of a selector are matched."""
    for each in EXPONENTIAL:
        matching([text[:MAX_MATCHED]], each)


def xpath(text: str) -> None:
    """An XPath that Appium's driver sends, cut at its limit, on a screen with 12 elements."""
    root = etree.fromstring("<hierarchy>" + '<a class="a"><a class="a" text="a"/></a>' * 6 + "</hierarchy>")
    with suppress(WebDriverError):
        find_located(root, Locator(strategy="xpath", value=text[:MAX_XPATH]), "a")


def ui_selector(text: str) -> None:
    """A UiSelector that Appium's driver sends."""
    with suppress(WebDriverError):
        parse_ui_selector(text)


def wire(text: str) -> None:
    """Messages of the adb protocol, each with the next part of a text as its content."""
    content = text.encode("utf-8", "replace")
    header = struct.pack("<4s5I", b"WRTE", 1, 1, 200, 0, int.from_bytes(b"WRTE", "little") ^ 0xFFFFFFFF)

    async def read() -> None:
        reader = asyncio.StreamReader()
        for start in range(0, len(content), 200):
            reader.feed_data(header + content[start : start + 200])
        reader.feed_eof()
        with suppress(WireError, asyncio.IncompleteReadError):
            while True:
                await read_message(reader)

    asyncio.run(read())


def parsers(folder: Path) -> Mapping[str, Parser]:
    """All parsers by name.

    Args:
        folder: Empty folder for the files that some read.
    """
    answers: Mapping[str, Callable[[str], object]] = {
        "actions": action_answer.read,
        "aguvis": lambda text: aguvis.Aguvis().read(text, frame=FRAME),
        "aguvis, step": aguvis.Aguvis()._step_text,
        "appagent": lambda text: appagent.read_answer(text, point=lambda _: Wait()),
        "appagent, sections": appagent_call.read_sections,
        "autodroid": lambda text: autodroid.read_answer(text, entries=()),
        "cogagent": lambda text: cogagent.CogAgent().read(text, frame=FRAME),
        "cogagent, step": cogagent.shorten_answer,
        "generalist": lambda text: generalist.read_answer(text, scale=SCALE),
        "qwen-vl": lambda text: qwen_vl.Qwen25VL().read(text, frame=FRAME),
        "qwen-vl, step": qwen_vl.Qwen3VL()._step_text,
        "ui-tars": lambda text: ui_tars.UITars15().read(text, frame=FRAME),
        "unparsed": choose_scored_text,
        "intent": read_intent,
        "distribution": read_distribution,
        "reasoning": lambda text: split_thinking(whole(text)),
    }
    found = {
        f"answer of {name}": Parser(
            parse=parse,
            pieces=CALLS + BLANK + JSON,
            before=("Thought: a\nAction: ",),
            least=LEAST.get(name, 0),
        )
        for name, parse in answers.items()
    }
    fields: Mapping[str, Callable[[str], object]] = {
        "autoglm": lambda text: autoglm.AutoGLMPhone().read(text, frame=FRAME),
        "autoglm, step": autoglm.AutoGLMPhone()._step_text,
        "gelab": lambda text: gelab.GELabZero().read(text, frame=FRAME),
        "gelab, step": gelab.GELabZero()._step_text,
        "glm-v": lambda text: glm_v.GLMV().read(text, frame=FRAME),
    }
    found |= {
        f"answer of {name}": Parser(parse=parse, pieces=FIELDS + BLANK, before=("Action: ",))
        for name, parse in fields.items()
    }
    functions: Mapping[str, Callable[[str], object]] = {
        "holo": lambda text: holo.Holo2().read(text, frame=FRAME),
        "holo, step": holo.Holo2()._step_text,
        "qwen3.5": lambda text: qwen3_5.Qwen35().read(text, frame=FRAME),
        "seed": lambda text: seed.DoubaoUITars().read(text, frame=FRAME),
        "ui-tars-2": lambda text: seed.UITars2().read(text, frame=FRAME),
        "ui-tars-2, step": seed.UITars2()._step_text,
    }
    found |= {
        f"answer of {name}": Parser(
            parse=parse,
            pieces=(*TOOL_CALLS, *JSON, *BLANK, "<answer>", "<computer_env>\n"),
            before=("", "<seed:tool_call><function=type><parameter=content>", '{"thought": "", "action": '),
        )
        for name, parse in functions.items()
    }
    end = ("\n",)
    head = ('{"version": 1, ', '{"kind": "step", "a": ', "[" * 50 + '"')
    found |= {
        "bundle.json": Parser(parse=records(Bundle, "bundle.json"), pieces=JSON, before=head, after=end),
        "predictions": Parser(
            parse=records(PREDICTION, "predictions.jsonl"), pieces=JSON, before=head, after=end
        ),
        "steps": Parser(parse=records(ATTEMPT_LINES, "steps.jsonl"), pieces=JSON, before=head, after=end),
        "verdicts": Parser(parse=records(VerdictLine, "verdicts.jsonl"), pieces=JSON, before=head, after=end),
        "labels": Parser(parse=records(LabelRecord, "labels.jsonl"), pieces=JSON, before=head, after=end),
        "secrets": Parser(
            parse=find_secret, pieces=WORDS + BLANK + JSON, before=("-----BEGIN ", "http://a:")
        ),
        "file names": Parser(parse=named, pieces=WORDS, before=("screens/",)),
        "displayed names": Parser(parse=displayed, pieces=WORDS + BLANK),
        "action lines": Parser(
            parse=of_file(folder, "actions.txt", lambda path: read_action_lines(str(path), "a", "e")),
            pieces=CALLS + BLANK,
        ),
        "name of a model": Parser(parse=find_models, pieces=("-q4", "-fp8", "/", "--", "model", ".", "-1")),
        "tool calls": Parser(
            parse=convert_xml_calls,
            pieces=TOOL_CALLS + BLANK,
            before=(
                "<function=f>",
                "<function=f><parameter=a>",
                "<tool_call>f<arg_key>a</arg_key><arg_value>",
            ),
        ),
        "one action": Parser(parse=parse_action, pieces=CALLS + BLANK),
        "canonical action": Parser(parse=canonical, pieces=CALLS + BLANK),
        "survey": Parser(parse=of_file(folder, "a.json", lambda path: read_survey(str(path))), pieces=JSON),
        "index table": Parser(parse=of_file(folder, "a.csv", rows), pieces=TABLE, before=("user_id,a\n",)),
        "cells": Parser(parse=spelled, pieces=WORDS + BLANK + TABLE),
        "tree": Parser(parse=screen, pieces=XML, before=("<hierarchy>", '<node bounds="[0,0][1080,2400]">')),
        "whole tree": Parser(parse=whole_tree, pieces=LETTERS),
        "selector": Parser(parse=selected, pieces=("c", "s", "cs", "ccs")),
        "selector, pattern": Parser(parse=pattern, pieces=PATTERN),
        "selector, matched text": Parser(parse=matched, pieces=("a", "b", "点", "ab", " ")),
        "XPath": Parser(parse=xpath, pieces=XPATH, before=("//*", "//*[")),
        "UiSelector": Parser(parse=ui_selector, pieces=UI_SELECTOR, before=("new UiSelector()",)),
        "stream": Parser(parse=streamed, pieces=EVENTS),
        "shell line": Parser(parse=shell, pieces=SHELL),
        "wire": Parser(parse=wire, pieces=WORDS),
    }
    return found | release_parsers(folder)
