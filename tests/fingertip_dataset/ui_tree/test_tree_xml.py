from __future__ import annotations

import resource
import sys
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.errors import AccessibilityTreeError
from fingertip_dataset.ui_tree.accessibility import MAX_NODES, parse_tree
from fingertip_dataset.ui_tree.screen_description import ScreenDescriber, describe_screen
from fingertip_dataset.ui_tree.tree_xml import MAX_BYTES, mend_characters, mend_text
from tests.examples import examples
from tests.fingertip_dataset.ui_tree.dumps import RELEASE


def refusal(read: Callable[[bytes | str], object], xml: bytes | str) -> str | None:
    """Why `read` refuses `xml`; None where it reads it. Any other exception goes through."""
    try:
        read(xml)
    except AccessibilityTreeError as error:
        return str(error)
    return None


def check(xml: bytes | str) -> bool:
    """Whether both readers read `xml`; they agree, also on why they do not."""
    why = refusal(parse_tree, xml)
    assert why == refusal(ScreenDescriber().describe, xml)
    if why is None:
        tree = parse_tree(xml)
        assert len(tree.elements) == len(tree.attributes)
        assert describe_screen(tree) == ScreenDescriber().describe(xml)
    else:
        assert "\n" not in why
    return why is None


@pytest.mark.parametrize(
    "xml",
    [
        RELEASE,
        "\ufeff" + RELEASE,
        RELEASE.encode(),
        b"\xef\xbb\xbf" + RELEASE.encode(),
        RELEASE.replace("UTF-8", "UTF-16").encode("utf-16"),
        RELEASE.replace("UTF-8", "GB18030").encode("gb18030"),
        RELEASE.replace("UTF-8", "GB18030"),  # text is text, whatever was declared
        RELEASE.replace("\n", "\r\n"),
    ],
)
def test_every_encoding_gives_the_same_elements(xml: bytes | str) -> None:
    assert parse_tree(xml).elements == parse_tree(RELEASE).elements


BILLION_LAUGHS = (
    '<!DOCTYPE x [<!ENTITY e0 "lol">'
    + "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    + ']><hierarchy><node text="&e11;"/></hierarchy>'
)
QUADRATIC = f'<!DOCTYPE x [<!ENTITY e "{"a" * 100_000}">]><node>{"&e;" * 10_000}</node>'


@pytest.mark.parametrize(
    ("xml", "why"),
    [
        (b"", "Document is empty"),
        (b" \n", "Start tag expected"),
        (bytes(range(256)) * 40, "expected a well-formed accessibility tree, got: "),
        (RELEASE.encode()[:900], "expected a well-formed accessibility tree, got: "),
        (b"<node", "Couldn't find end of Start Tag node"),
        (b"<node></hierarchy>", "Opening and ending tag mismatch"),
        (b"<node/><node/>", "Extra content at the end"),
        (b"<node a='1' a='2'/>", "Attribute a redefined"),
        (b"<node text='\xff'/>", "expected a well-formed accessibility tree, got: "),
        (b"<node text='&#8;&#8'/>", "expected a well-formed accessibility tree, got: "),
        (b"<node text='&nbsp;'/>", "Entity 'nbsp' not defined"),
        (b"<?xml version='1.0' encoding='x-none'?><node/>", "Unsupported encoding"),
        (BILLION_LAUGHS, "expected a tree without document type"),
        (QUADRATIC, "expected a tree without document type"),
        (b"<node>" * 100_000 + b"</node>" * 100_000, "Excessive depth in document"),
        (b"<node " + b" ".join(map(b"a%d='1'".__mod__, range(10**6))) + b"/>", "got: "),
        (b"<hierarchy>" + b"<node/>" * 100_000 + b"</hierarchy>", "expected at most 50000 nodes, got more"),
        (b"<node text='" + b"x" * 11_000_000 + b"'/>", "expected a well-formed accessibility tree, got: "),
        (b" " * (MAX_BYTES + 1), f"expected a tree of at most {MAX_BYTES} bytes"),
    ],
)
def test_invalid_trees_are_refused_with_little_work_in_one_line(xml: bytes | str, why: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(AccessibilityTreeError) as refused:
        parse_tree(xml)
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300
    assert calls(lambda: refusal(parse_tree, xml)) < 12 * MAX_NODES
    assert (
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000
    )  # KB; the two large ones take 160 MB


def calls(work: Callable[[], object]) -> int:
    """Number of function calls, of Python and of C, that the work takes: a measure that no load changes."""
    count = 0

    def counted(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def flat(nodes: int) -> str:
    """A tree of this many nodes, all but one of them children of the first."""
    rows = '<node text="a" class="b" bounds="[0,0][9,9]" clickable="true"/>' * (nodes - 1)
    return f'<hierarchy><node bounds="[0,0][9,9]">{rows}</node></hierarchy>'


def test_the_maximum_number_of_nodes_is_read_with_little_work() -> None:
    xml = flat(MAX_NODES)
    assert len(parse_tree(xml).attributes) == MAX_NODES
    described: list[str] = []
    assert calls(lambda: described.append(ScreenDescriber().describe(xml))) < 20 * MAX_NODES
    assert described[0].splitlines()[-1] == f"({MAX_NODES - 101} more left out)"
    assert refusal(parse_tree, xml.replace("</node>", "<node/></node>")) is not None


def test_an_external_entity_reads_no_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret", encoding="utf-8")
    for entity in (
        f"SYSTEM '{secret.as_uri()}'",
        f"PUBLIC 'a' '{secret.as_uri()}'",
        "SYSTEM 'http://127.0.0.1:9/'",
    ):
        for declared in (
            f"<!DOCTYPE x [<!ENTITY s {entity}>]>",
            f"<!DOCTYPE x [<!ENTITY % s {entity}> %s;]>",
        ):
            why = refusal(parse_tree, f"{declared}<node text='a'>&s;</node>")
            assert why == "expected a tree without document type, got <!DOCTYPE x>"


@given(st.binary(max_size=400) | st.text(st.characters(exclude_categories=()), max_size=200))
@settings(deadline=None, max_examples=examples(300))
def test_anything_is_a_tree_or_an_error_of_ours(xml: bytes | str) -> None:
    check(xml)


def test_a_damaged_real_tree_is_a_tree_or_an_error_of_ours(real_release: Path) -> None:
    trees = [file.read_bytes() for file in sorted(real_release.glob("raw/**/*.xml"))[::6]]

    @given(st.data())
    @settings(deadline=None, max_examples=examples(200))
    def every(data: st.DataObject) -> None:
        check(damaged(data, data.draw(st.sampled_from(trees))))

    every()


NOISE = [b"", *rb'< > & &#10; " <node> </node> - 999999'.split(), b"\x00", b"\xff", b"<!DOCTYPE a>"]


def damaged(data: st.DataObject, xml: bytes) -> bytes:
    """`xml` with up to three pieces cut out or replaced."""
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(xml)))
        length = data.draw(st.sampled_from([0, 1, 2, 30, len(xml)]))
        xml = xml[:start] + data.draw(st.sampled_from(NOISE)) + xml[start + length :]
    return xml


WORDS = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Z"]), max_size=12)


@given(st.lists(st.tuples(st.integers(0, 3), WORDS, WORDS, st.booleans()), min_size=1, max_size=12))
@settings(deadline=None, max_examples=examples(200))
def test_what_is_written_as_xml_is_read(rows: list[tuple[int, str, str, bool]]) -> None:
    xml, opened = "<hierarchy>", 0
    for closing, text, hint, editable in rows:
        closed = min(closing, opened)
        opened += 1 - closed
        reply = f"text={quoteattr(text)} hint={quoteattr(hint)} editable={quoteattr(str(editable).lower())}"
        xml += f"{'</node>' * closed}<node {reply}>"
    tree = parse_tree(f"{xml}{'</node>' * opened}</hierarchy>")
    read = [(element.text, element.hint, element.editable) for element in tree.elements]
    assert read == [row[1:] for row in rows]


LOST = "\ufffd"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("&#55357;&#56832;", "😀"),
        ("&#xD83D;&#xde00;", "😀"),
        ("&#xd83d;&#056832;", "😀"),
        ("\ud83d\ude00", "😀"),
        ("&#128512;&#x1F600;😀", "😀😀😀"),
        ("a&#55357;b&#56832;", f"a{LOST}b{LOST}"),
        ("&#56832;&#55357;", LOST * 2),
        ("&#55357;&#55357;&#56832;", f"{LOST}😀"),
        ("\ud83d\ud83d\ude00\udfff", f"{LOST}😀{LOST}"),
        ("&#0;&#8;&#x1f;&#0011;", LOST * 4),
        ("\x00\x01\x0b\x1f", LOST * 4),
        ("\ufffe\uffff&#xFFFE;&#65535;", LOST * 4),
        ("&#1114112;&#x110000;&#99999999999999999999;", LOST * 3),
        (
            "&#9;&#10;&#13;&#32;\x7f\x85&#55295;&#57344;&#65533;&#1114111;",
            "\t\n\r \x7f\x85\ud7ff\ue000\ufffd\U0010ffff",
        ),
    ],
)
def test_characters_that_xml_refuses_are_mended_alone(written: str, read: str) -> None:
    xml = f"<hierarchy><node text='{written}'/><node text='晴'/></hierarchy>"
    for form in (xml, xml.encode("utf-8", "surrogatepass"), mend_text(xml), f"<?xml version='1.0'?>{xml}"):
        assert [element.text for element in parse_tree(form).elements] == [read, "晴"]
        assert check(form)


@given(st.integers(0, 0x110100), st.sampled_from(["&#{};", "&#{:05};", "&#x{:x};", "&#x0{:X};"]))
@settings(deadline=None, max_examples=examples(300))
def test_references_are_mended_exactly_if_no_character_has_their_number(number: int, form: str) -> None:
    proper = (
        number in (9, 10, 13)
        or 0x20 <= number <= 0xD7FF
        or 0xE000 <= number <= 0xFFFD
        or 0x10000 <= number <= 0x10FFFF
    )
    written = form.format(number).encode()
    assert mend_characters(written) == (written if proper else LOST.encode())


@given(
    st.integers(0x10000, 0x10FFFF),
    st.sampled_from(["&#{};", "&#x{:X};"]),
    st.sampled_from(["&#{};", "&#x{:x};"]),
)
@settings(deadline=None, max_examples=examples(100))
def test_two_halves_are_one_character(number: int, first: str, second: str) -> None:
    high, low = divmod(number - 0x10000, 0x400)
    written = first.format(0xD800 + high) + second.format(0xDC00 + low)
    assert mend_text(written) == chr(number)
    assert mend_text(chr(0xD800 + high) + chr(0xDC00 + low)) == chr(number)


def test_megabytes_of_refused_characters_take_little_work() -> None:
    for unit in (b"&#8;", b"&#55357;&#56832;", b"\x01"):
        xml = b"<node text='" + unit * (2**20 // len(unit)) + b"'/>"
        assert calls(lambda xml=xml: parse_tree(xml)) < 12 * MAX_NODES  # type: ignore[misc]
