"""The look and the texts of all pages: one palette, both languages, no key without a text."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import get_args

import pytest

from execution_runner.execution_records import AttemptOutcome
from fingertip_analysis.report.execution_tables import END_COLUMNS
from fingertip_analysis.why.reasons import REASONS, TITLES
from fingertip_metrics.difficulty import DIFFICULTIES
from fingertip_metrics.judges.verdicts import State
from fingertip_metrics.space_look import CATALOGUE as METRICS
from fingertip_pages.message_catalogue import CATALOGUE, LANGUAGES, SENTENCES, read_messages
from fingertip_privacy.finds import FindKind
from fingertip_runs.device_kinds import DEVICE_KINDS
from fingertip_studies.quality.flaw_kinds import KINDS
from suggestion_runner.scoring import GROUPINGS

ROOT = Path(__file__).parents[1]
TOKENS = "fingertip_pages/tokens.css"
LITERAL_COLOUR = re.compile(
    r"#[0-9a-f]{3,8}\b(?!-)|\b(?:rgb|rgba|hsl|hsla|hwb|lab|lch|oklab|oklch|color)\(|light-dark\("
    r"|:[^;{]*\b(?:black|white|red|green|blue|gr[ae]y|silver|orange|yellow|purple|navy|teal)\b",
    re.IGNORECASE,
)
PLACEHOLDER = re.compile(r"\{(\w+)(?::[ntp])?\}")


def page_files(*kinds: str) -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\0")  # fmt: skip
    return [
        ROOT / name for name in listed if name.endswith(kinds) and not name.startswith(("docs", "tests/"))
    ]


def test_only_the_tokens_name_a_colour() -> None:
    styles = [path for path in page_files(".css") if path != ROOT / TOKENS]
    assert len(styles) > 8
    wrong = {}
    for path in styles:
        text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        rules = re.findall(r"\{[^{}]*\}", text)
        wrong[path.name] = [found[0] for rule in rules for found in LITERAL_COLOUR.finditer(rule)]
    assert {name: found for name, found in wrong.items() if found} == {}


def test_templates_have_no_style_of_their_own() -> None:
    """But for positions, which are data."""
    for path in page_files(".html.j2"):
        text = path.read_text(encoding="utf-8")
        assert re.findall(r"<style>(?!\{\{)", text) == [], path
        for style in re.findall(r'style="([^"]*)"', text):
            assert re.fullmatch(r"((left|top|bottom|width|flex): ?\{\{[^}]*\}\}%?;?)+", style), (path, style)


def test_every_variable_is_a_token() -> None:
    tokens = set(re.findall(r"(--[\w-]+):", (ROOT / TOKENS).read_text(encoding="utf-8")))
    for path in page_files(".css"):
        text = path.read_text(encoding="utf-8")
        own = set(re.findall(r"(--[\w-]+):", text))
        assert set(re.findall(r"var\((--[\w-]+)", text)) - tokens - own == set(), path


@pytest.mark.parametrize("catalogue", [CATALOGUE, METRICS, SENTENCES])
def test_each_text_is_in_both_languages_with_the_same_values(catalogue: Path) -> None:
    for key, forms in read_messages(catalogue).items():
        assert {*LANGUAGES} <= set(forms) <= {*LANGUAGES, "one"}, key
        assert all(form.strip() for form in forms.values()), key
        values = {language: sorted(PLACEHOLDER.findall(forms[language])) for language in LANGUAGES}
        assert values["en"] == values["zh"], key
        assert len(set(values["en"])) == len(values["en"]) or catalogue != SENTENCES, key
        assert set(PLACEHOLDER.findall(forms.get("one", ""))) <= set(values["en"]), key
        if catalogue != SENTENCES and re.search("[A-Za-z]", PLACEHOLDER.sub("", forms["en"])):
            assert re.search("[\u4e00-\u9fff]", forms["zh"]), key


def test_the_catalogues_share_no_table() -> None:
    tables = [{key.partition(".")[0] for key in read_messages(file)} for file in (CATALOGUE, METRICS)]
    assert tables[0] & tables[1] == {"space_labels"}, "read by the pages of gradio, each its own"


def test_every_name_that_a_page_may_show_has_a_text() -> None:
    wanted = {
        "outcome": get_args(AttemptOutcome),
        "reason": REASONS,
        "state": get_args(State),
        "grouping": GROUPINGS,
        "difficulty": DIFFICULTIES,
        "flaw": [*KINDS, *(f"{kind}_meaning" for kind in KINDS)],
        "execution": [
            *DEVICE_KINDS,
            *END_COLUMNS,
            *(name for kind in DEVICE_KINDS.values() for name in kind.trace_columns),
        ],
        "privacy_review": [f"kind_{kind}" for kind in FindKind],
    }  # fmt: skip
    messages = read_messages()
    missing = [f"{table}.{name}" for table, names in wanted.items() for name in names]
    assert [key for key in missing if key not in messages] == []


def test_texts_that_are_also_printed_are_the_same() -> None:
    messages = read_messages()
    assert {name: messages[f"reason.{name}"]["en"] for name in REASONS} == dict(TITLES)
    assert {str(kind): messages[f"flaw.{kind}_meaning"]["en"] for kind in KINDS} == {
        str(kind): traits.meaning for kind, traits in KINDS.items()
    }


def test_every_key_in_a_script_or_template_has_a_text() -> None:
    messages = read_messages()
    for path in page_files(".js", ".html.j2"):
        text = path.read_text(encoding="utf-8")
        keys = set(re.findall(r'frame\.(?:text|setText)\((?:\w+, )?"(\w+\.\w+)"', text))
        keys |= set(re.findall(r'\{\{ *(?:t|tt|tin)\("([\w.]+)"[,)]', text))
        keys |= set(re.findall(r'\{\{ *ta\("[\w-]+", "([\w.]+)"[,)]', text))
        table = re.search(r"block texts %\}(\w+)", text)
        if path.name == "page.js":
            table = re.search(
                r"block texts %\}(\w+)", path.with_name("page.html.j2").read_text(encoding="utf-8")
            )
        if table:
            names = re.findall(r'\btext\("(\w+)"|data-(?:text|label)="(\w+)"', text)
            for name in {a or b for a, b in names}:
                keys.add(f"{table[1]}.{name}" if f"{table[1]}.{name}" in messages else f"annotation.{name}")
        assert {key for key in keys if key not in messages and not key.endswith(".")} == set(), path
