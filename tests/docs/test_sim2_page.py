"""docs/sim2.md: each number of its examples is computed again, by letters that are counted here."""

from __future__ import annotations

import contextlib
import io
import json
import re
import runpy
from pathlib import Path

import pytest

from fingertip_metrics import sim2
from fingertip_metrics.similarity import text_similarity
from tests.page_blocks import ROOT, blocks

PAGE = ROOT / "docs" / "sim2.md"
TEXT = PAGE.read_text(encoding="utf-8")


def count_common(a: str, b: str) -> int:
    """Letters that two texts have in common in the same order, by the textbook's table."""
    row = [0] * (len(b) + 1)
    for one in a:
        above = row
        row = [0]
        for place, other in enumerate(b):
            row.append(above[place] + 1 if one == other else max(above[place + 1], row[place]))
    return row[-1]


def find_rows(head: str) -> list[list[str]]:
    """Cells of the table of the page that begins with this head, without backticks."""
    table = re.search(rf"^ *\| {re.escape(head)}.*\n *\|-.*\n((?: *\|.*\n)+)", TEXT, re.MULTILINE)
    assert table, head
    return [
        [cell.strip().strip("`") for cell in line.strip().strip("|").split("|")]
        for line in table[1].splitlines()
    ]


def run_block(number: int, folder: Path, *arguments: str) -> str:
    """Output of the page's Python block with this number, run as a file in the folder."""
    file = folder / "block.py"
    file.write_text(
        [block for block in blocks(PAGE) if block.language == "python"][number].text, encoding="utf-8"
    )
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", [str(file), *arguments])
        runpy.run_path(str(file))
    return printed.getvalue()


def test_the_example_by_hand_has_the_numbers_of_a_count_by_hand() -> None:
    texts = {whose: text for whose, text, _ in find_rows("whose ")}
    assert {whose: str(len(text)) for whose, text in texts.items()} == {
        whose: letters for whose, _, letters in find_rows("whose ")
    }
    similar = {}
    for pair, common, formula in find_rows("pair | in common"):
        a, b = (texts[whose] for whose in pair.split(", "))
        count = count_common(a, b)
        assert common.startswith(f"{count}: ")
        assert sum(map(len, re.findall(r"`([^`]*)(?:`|$)", common))) == count
        similar[pair] = round(100 * 2 * count / (len(a) + len(b))) / 100
        assert formula.endswith(f"= 2 × {count} / ({len(a)} + {len(b)}) = {similar[pair]:.2f}")
    quotient = similar["person, agent"] / similar["other, agent"]
    assert f"Sim_2 = 0.74 / 0.70 = {quotient:.3f}" in TEXT
    assert f"a mere {100 * (quotient - 1):.0f} %" in TEXT
    sequences = [
        [text.rstrip("，").split("，")] for text in (texts["agent"], texts["person"], texts["other"])
    ]
    score = sim2(*sequences)
    assert (score.s_i, score.s_ii) == tuple(similar.values())
    assert score.sim2 == pytest.approx(quotient)
    assert f"{score.action_similarity:.2f} and {score.action_similarity_other:.2f}" in TEXT


def test_the_similarities_of_two_actions_are_those_of_the_metric() -> None:
    rows = find_rows("one action")
    assert len(rows) == 5
    for one, another, printed in rows:
        count = count_common(one, another)
        assert f"{round(100 * 2 * count / (len(one) + len(another))) / 100:.2f}" == printed
        assert f"{text_similarity(one, another):.2f}" == printed


def test_the_first_block_prints_what_its_comments_say(tmp_path: Path) -> None:
    block = next(block for block in blocks(PAGE) if block.language == "python")
    assert run_block(0, tmp_path).splitlines() == re.findall(r"# (.*)", block.text)


def test_the_second_block_prints_a_floor_and_a_ceiling_of_any_run(tmp_path: Path) -> None:
    target = {
        "golden_actions": ["press_recent()", "press_home()", "finished()"],
        "other_type_actions": ["press_back()", "wait()", "finished()"],
    }
    lines = [json.dumps({"user_id": user, **target}) for user in ("5", "30")]
    (tmp_path / "targets.jsonl").write_text("\n".join(lines), encoding="utf-8")
    printed = run_block(1, tmp_path, str(tmp_path))
    found = re.findall(r"^(\w.*): (\S+) \[", printed, re.MULTILINE)
    means = {name: float(mean) for name, mean in found}
    # copying the person is the ceiling, copying the other one the floor
    assert max(means, key=means.__getitem__) == "the person's actions"
    assert min(means, key=means.__getitem__) == "the other's actions"
    assert printed.count("[same for all users]") == len(means) == len(find_rows('what the "agent" does')) - 1
