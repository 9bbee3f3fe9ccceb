"""Values go from trees, actions, surveys and tables, and everything else keeps its bytes."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from xml.sax.saxutils import quoteattr

from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.actions import Click, Type, format_action, parse_action
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_privacy.finds import FindKind
from fingertip_privacy.redaction.pseudonyms import Pseudonyms, TextReplacer
from fingertip_privacy.redaction.redacted_tables import redact_table, row_owners
from fingertip_privacy.redaction.redacted_texts import (
    redact_action,
    redact_action_lines,
    redact_survey,
    redact_tree,
)
from fingertip_privacy.redaction.value_spellings import SecretValue

NAME, PHONE, CODE = "欧阳晓明", "13912345678", "4711"


def replacer(*values: tuple[FindKind, str]) -> TextReplacer:
    given = values or ((FindKind.NAME, NAME), (FindKind.PHONE, PHONE), (FindKind.CODE, CODE))
    pseudonyms = Pseudonyms(b"0123456789abcdef", "1", [SecretValue.of(kind, text) for kind, text in given])
    return TextReplacer(pseudonyms, pseudonyms.values)


ONE = replacer()
PIECES = st.lists(
    st.one_of(
        st.sampled_from((NAME, PHONE, CODE, "&lt;", "'", '"', "<", ")")), st.text("abc 好,=(&;", max_size=4)
    ),
    max_size=5,
).map("".join)


@given(PIECES, PIECES)
@settings(max_examples=80, deadline=None)
def test_a_tree_says_the_replaced_texts_and_nothing_else_changes(text: str, description: str) -> None:
    def node(one: str, other: str) -> str:
        return (
            f"<hierarchy><node bounds='[0,0][{CODE},9]' text={quoteattr(one)} "
            f'content_desc={quoteattr(other)} class="{NAME}"/></hierarchy>'
        )

    kinds: Counter[FindKind] = Counter()
    xml = node(text, description)
    new = redact_tree(xml, ONE, kinds)
    (element,) = parse_tree(new).elements
    assert element.text == ONE.replace(parse_tree(xml).elements[0].text)[0]
    assert element.description == ONE.replace(parse_tree(xml).elements[0].description)[0]
    assert element.box == parse_tree(xml).elements[0].box
    assert element.class_name == NAME
    if not kinds:
        assert new == xml


@given(PIECES, st.integers(0, 5000))
@settings(max_examples=80, deadline=None)
def test_an_action_keeps_its_kind_and_place(text: str, x: int) -> None:
    for action in (Click(x=x, y=int(CODE), content=text), Type(text=text)):
        raw = format_action(action)
        new = parse_action(redact_action(raw, ONE, Counter()))
        assert type(new) is type(action)
        assert (getattr(new, "x", None), getattr(new, "y", None)) == (
            getattr(action, "x", None),
            getattr(action, "y", None),
        )
        assert (getattr(new, "content", None) or getattr(new, "text", "")) == ONE.replace(text)[0]
        if not ONE.holds(text):
            assert redact_action(raw, ONE, Counter()) == raw


def test_lines_without_a_value_keep_their_bytes_and_broken_ones_are_searched_whole() -> None:
    plain = b'{"1741498279844.jpg":"click(coordinates=(4711,  2))"}\r\n'
    broken = f"no JSON {PHONE}\n".encode() + b"\xff\xfe\n"
    mine = json.dumps({"1.jpg": f"type(text='给{NAME}')"}, ensure_ascii=False).encode()
    kinds: Counter[FindKind] = Counter()
    first, second, third, last = redact_action_lines(plain + broken + mine, ONE, kinds).splitlines(True)
    assert (first, third) == (plain, b"\xff\xfe\n")
    assert PHONE.encode() not in second
    assert NAME.encode() not in last
    assert json.loads(last)["1.jpg"].startswith("type(text='给")
    assert kinds == {FindKind.PHONE: 1, FindKind.NAME: 1}


def test_a_survey_keeps_its_technical_fields() -> None:
    fields = {
        "user_id": CODE,
        "app": NAME,
        "intentDescription": f"给{NAME}打电话",
        "simulation": {"to": [PHONE]},
    }
    new = redact_survey(json.dumps(fields).encode(), ONE, Counter())
    assert (new["user_id"], new["app"]) == (CODE, NAME)
    assert NAME not in new["intentDescription"]
    assert new["simulation"]["to"] != [PHONE]
    assert redact_survey(b"[1]", ONE, Counter()) is None


def test_each_row_of_a_table_is_its_persons(tmp_path: Path) -> None:
    file = tmp_path / "total.csv"
    text = (
        "\ufeffuser_id,time,scenario,app,intentDescription\r\n"
        f"1,20250310_081530,住所,a,给{NAME}\r\n\r\n"
        f'2,20250310_081531,"住,所",a,给{NAME}\r\n'
        f",x,住所,a,{NAME}\r\n"
    )
    file.write_text(text, "utf-8", newline="")
    none = TextReplacer(ONE.pseudonyms, ())
    data, kinds = redact_table(file, lambda user, episode: ONE if user == "1" else none)
    header, first, second = data.decode().splitlines()
    assert header == text.splitlines()[0]
    assert NAME not in first
    assert second == f'2,20250310_081531,"住,所",a,给{NAME}'
    assert kinds == {FindKind.NAME: 1}
    assert row_owners(tmp_path)["total.csv", 4] == ("2", "2__20250310_081531")
