"""Values leave every place of a release: whatever spells them, whatever encodes them, and names of files."""

from __future__ import annotations

import io
import json
import re
import unicodedata
from pathlib import Path

import pytest
from PIL import Image

from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.release.read_release import read_release
from fingertip_privacy.finds import FindKind, FindPlace, make_find, read_finds
from fingertip_privacy.redaction.redact import RedactionSettings, redact
from fingertip_privacy.redaction.value_spellings import core_of
from fingertip_privacy.scan.scan import scan
from fingertip_privacy.scan.scan_settings import ScanSettings
from privacy.tests.fingertip_privacy.planted_release import write_perfect_report

PHONE, MAIL, NAME, CARD = "13812345678", "zhang.wei88@gmail.com", "欧阳雨泽", "6222021234567890128"
FOLDER = "1001/20250304_144306"
SPELLINGS = (
    PHONE, "138 1234 5678", "138-1234-5678", "138.1234.5678", "138/1234/5678", "(138)12345678",
    "138  1234  5678", "138\u20141234\u20145678", "138\u200b1234\u200b5678", "138\n12345678",
    "１３８１２３４５６７８", "+8613812345678", "8613812345678", "008613812345678",
    MAIL, MAIL.upper(), "zhang.wei88 @ gmail.com", "zhang.wei88＠gmail.com", "ＺＨＡＮＧ.wei88@gmail.com",
    NAME, "欧阳 雨泽", "欧阳·雨泽", "歐陽雨澤", f"{NAME}{NAME}",
    CARD, "6222 0212 3456 7890 128",
)  # fmt: skip


def jpeg() -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (120, 200), "white").save(stream, "JPEG", comment=PHONE.encode())
    return stream.getvalue()


def tree(*texts: str) -> str:
    nodes = "".join(f'<node text="{text}" bounds="[0,0][9,9]"/>' for text in texts)
    return f'<hierarchy rotation="0">{nodes}</hierarchy>'


def write_release(raw: Path) -> None:
    screens = raw / FOLDER / "Screenshots"
    screens.mkdir(parents=True)
    moments = [1741070588433 + 1000 * n for n in range(4)]
    for moment in moments:
        (screens / f"{moment}.jpg").write_bytes(jpeg())
    (screens / f"{NAME}_{PHONE}_1741070599999.jpg").write_bytes(jpeg())
    trees = (
        tree(*SPELLINGS).replace("\n", "&#10;").encode(),
        f'<?xml version="1.0" encoding="gb18030"?>{tree(NAME, PHONE)}'.encode("gb18030"),
        f'<?xml version="1.0" encoding="utf-16"?>{tree(NAME, PHONE)}'.encode("utf-16"),
        (
            f"<hierarchy><!-- {PHONE} -->"
            f"<node text='a > b' resource-id='x:id/u_{PHONE}' hint='&#49;3812345678'>"
            f"{PHONE}<![CDATA[{NAME}]]></node><node text='{MAIL}"
        ).encode(),
    )
    for moment, data in zip(moments, trees, strict=True):
        (screens / f"tree_{moment}.xml").write_bytes(data)
    lines = (
        json.dumps({f"{moments[0]}.jpg": f"click(coordinates=(1, 2), content='{NAME}')"}),
        json.dumps({f"{moments[1]}.jpg": "type(text='138 1234 5678')", "more": {"to": [NAME, int(PHONE)]}}),
        f'{{"{moments[2]}.jpg": "click(content=\'\\u0031{PHONE[1:]}\')"',
        json.dumps({f"{NAME}_{PHONE}_1741070599999.jpg": "finished()"}, ensure_ascii=False),
    )
    (raw / FOLDER / "action.jsonl").write_text("\n".join(lines), "utf-8")
    survey = {
        "user_id": "1001", "time": "20250304_144306", "scenario": "家", "app": "com.tencent.mm",
        "intentDescription": f"给{NAME}打电话", PHONE: "a key", "number": int(PHONE),
        "goal": [{"size": NAME}],
    }  # fmt: skip
    (raw / FOLDER / "survey_result.json").write_text(json.dumps(survey), "utf-8")
    (raw / "release.toml").write_text('name = "Phones at home"\nplaces = ["家"]\n', "utf-8")
    other = raw / "1002" / "20250304_161132"
    (other / "Screenshots").mkdir(parents=True)
    (other / "Screenshots" / "1741075892654.jpg").write_bytes(jpeg())
    (other / "Screenshots" / "tree_1741075892654.xml").write_text(tree(f"x{PHONE}y", MAIL, CARD), "utf-8")
    (other / "action.jsonl").write_text('{"1741075892654.jpg": "finished()"}\n', "utf-8")
    fields = survey | {"user_id": "1002", "time": "20250304_161132", "intentDescription": "看日历"}
    kept = {name: text for name, text in fields.items() if name not in (PHONE, "number", "goal")}
    (other / "survey_result.json").write_text(json.dumps(kept), "utf-8")


@pytest.fixture(scope="module")
def redacted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release in which each value was found once, in the intent of its first person."""
    folder = tmp_path_factory.mktemp("hidden")
    raw, out = folder / "raw", folder / "redacted"
    write_release(raw)
    finds = [
        make_find(
            kind=kind, user="1001", episode="1001__20250304_144306", step=None, place=FindPlace.INTENT,
            file=f"{FOLDER}/survey_result.json", field="intentDescription", start=0, end=len(text), box=None,
            text=text, confidence=1.0, why="test",
        )
        for kind, text in (
            (FindKind.PHONE, PHONE), (FindKind.EMAIL, MAIL), (FindKind.NAME, NAME),
            (FindKind.BANK_CARD, CARD),
        )
    ]  # fmt: skip
    write_perfect_report(folder / "report", raw, finds, None)
    assert redact(raw, out, folder / "report", RedactionSettings()) is not None
    return out


def plain(data: bytes) -> str:
    """Everything that a file may say, without what may stand within a value."""
    encodings = ("utf-8", "utf-16", "gb18030")
    texts = [data.decode(encoding, "ignore") for encoding in encodings]
    escaped = [
        re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text) for text in texts[:1]
    ]
    entities = [re.sub(r"&#([0-9]+);", lambda found: chr(int(found[1])), text) for text in texts]
    whole = " ".join((*texts, *escaped, *entities))
    return core_of(unicodedata.normalize("NFKC", whole), number=True)


def test_no_file_and_no_name_of_one_has_a_value(redacted: Path) -> None:
    values = {core_of(value, number=True) for value in (PHONE, MAIL, NAME, CARD)}
    assert all(value in plain("".join(SPELLINGS).encode()) for value in values)
    for path in redacted.rglob("*"):
        texts = plain(path.name.encode()) + (plain(path.read_bytes()) if path.is_file() else "")
        assert not {value for value in values if value in texts}, path


def test_its_screens_are_still_those_of_its_steps(redacted: Path) -> None:
    release = read_release(redacted)
    assert release.settings.name == "Phones at home"
    episode = next(one for one in release.episodes if one.intent.user_id == "1001")
    last = episode.steps[-1].screenshot
    assert last.endswith("_1741070599999.jpg")
    assert NAME not in last
    assert (redacted / last).is_file()


def test_a_value_has_one_pseudonym_in_all_of_its_spellings(redacted: Path) -> None:
    folder = redacted / FOLDER
    shown = (folder / "Screenshots" / "tree_1741070588433.xml").read_text("utf-8")
    survey = json.loads((folder / "survey_result.json").read_text("utf-8"))
    name = survey["intentDescription"].removeprefix("给").removesuffix("打电话")
    assert survey["goal"] == [{"size": name}]
    assert f'text="{name[:2]}·{name[2:]}"' in shown
    phone = str(survey["number"])
    assert f"{phone[:3]}.{phone[3:7]}.{phone[7:]}" in shown
    assert f"+86{phone}" in shown
    assert shown.count("@") + shown.count("＠") == sum("@" in one or "＠" in one for one in SPELLINGS)


def test_a_scan_reads_broken_trees_texts_between_tags_and_numbers(tmp_path: Path) -> None:
    raw = tmp_path / "raw"
    write_release(raw)
    settings = ScanSettings(kinds=(FindKind.PHONE, FindKind.EMAIL, FindKind.NAME), ocr="none")
    assert scan(raw, tmp_path / "report", settings) is not None
    finds = read_finds(tmp_path / "report")
    found = {(find.file.rpartition("/")[2], find.field, find.text) for find in finds}
    assert ("survey_result.json", "number", PHONE) in found
    broken = {field: text for file, field, text in found if file == "tree_1741070591433.xml"}
    assert broken.pop("attribute 3@hint") == PHONE
    assert broken.pop("attribute 2@resource-id") == PHONE
    assert broken == {"text 1": PHONE, "text 2": PHONE, "text 3": NAME, "text 4": MAIL}
    encoded = {text for file, _, text in found if file == "tree_1741070590433.xml"}
    assert PHONE in encoded


def test_what_a_later_release_adds_is_scanned_and_redacted_in_a_dataset(tmp_path: Path) -> None:
    raw, out, copy = tmp_path / "raw", tmp_path / "dataset", tmp_path / "redacted"
    write_release(raw)
    profiles = f"user_id,sex,age,occupation,address,family,phone_brand,mail\n1001,男,30,x,y,z,w,{MAIL}\n"
    (raw / "user_profile.csv").write_text(profiles, "utf-8")
    (raw / "calls.csv").write_text(f"user_id,to\n1001,{PHONE}\n1001,{NAME}\n,{CARD}\n", "utf-8")
    build(raw, out)
    kinds = (FindKind.PHONE, FindKind.EMAIL, FindKind.NAME)
    report = scan(out, tmp_path / "report", ScanSettings(kinds=kinds, ocr="none"))
    # both are rows of both tests
    assert report is not None
    assert report.episodes == 2
    finds = read_finds(tmp_path / "report")
    places = {(find.file, find.field.partition("@")[2]) for find in finds if "@" in find.field}
    assert ("tables/calls.csv", "to") in places
    assert {"mail", "number"} <= {field for _, field in places}
    assert redact(out, copy, tmp_path / "report", RedactionSettings()) is not None
    built = BuiltDataset.open(copy)
    built.verify()
    texts = [json.dumps(row["extra"], ensure_ascii=False) for row in built.rows("test_suggestion")]
    texts += [(copy / name).read_text("utf-8") for name in ("tables/calls.csv", "manifest.json", "README.md")]
    values = {core_of(value, number=True) for value in (PHONE, MAIL, NAME, CARD)}
    assert not {value for value in values for text in texts if value in plain(text.encode())}
    assert (copy / "tables" / "calls.csv").read_text("utf-8").startswith("user_id,to\n1001,")


PLACES = (
    'view_id="com.shop:id/u_{}"', 'resource-id="x:id/{}"', 'package="com.shop.u{}"', 'class="a.V_{}"',
    'NAF="{}"', 'index="{}"', 'password="{}"', 'id="{}"', 'u_{}="true"', 'hint="{}"', 'drawing-order="{}"',
)  # fmt: skip


def test_a_number_is_found_and_replaced_wherever_a_program_may_write_it(tmp_path: Path) -> None:
    raw = tmp_path / "raw"
    numbers = iter(f"138{n:08d}" for n in range(12_345_678, 12_345_999))
    used = []

    def next_number() -> str:
        used.append(next(numbers))
        return used[-1]

    screens = raw / FOLDER / "Screenshots"
    screens.mkdir(parents=True)
    (screens / "1741070588433.jpg").write_bytes(jpeg())
    (screens / f"u{next_number()}_1741070588999.jpg").write_bytes(jpeg())
    nodes = "".join(f'<node {place.format(next_number())} bounds="[0,0][9,9]"/>' for place in PLACES)
    root = f'<hierarchy rotation="{next_number()}" seen="{next_number()}"><window name="{next_number()}">'
    xml = f"<?xml version='1.0'?>{root}<u{next_number()}>{nodes}</u{used[-1]}></window></hierarchy>"
    (screens / "tree_1741070588433.xml").write_text(xml, "utf-8")
    survey = {
        "user_id": "1001", "time": "20250304_144306", "scenario": "家", "app": f"com.u{next_number()}",
        "intentDescription": "看日历", "licence": next_number(), "origin": {next_number(): "x"},
        "intentclass": [next_number()],
    }  # fmt: skip
    (raw / FOLDER / "survey_result.json").write_text(json.dumps(survey), "utf-8")
    (raw / FOLDER / "action.jsonl").write_text('{"1741070588433.jpg": "finished()"}\n', "utf-8")
    profiles = "user_id,sex,age,occupation,address,family,phone_brand\n1001,男,30,x,y,z,w\n"
    (raw / "user_profile.csv").write_text(profiles, "utf-8")
    (raw / f"calls_{next_number()}.csv").write_text(
        f"user_id,time,intentClass,app,u{next_number()}\n"
        f"1001,20250304_144306,{next_number()},{next_number()},{next_number()},{next_number()}\n",
        "utf-8",
    )
    assert scan(raw, tmp_path / "report", ScanSettings(kinds=(FindKind.PHONE,), ocr="none")) is not None
    found = {core_of(find.text, number=True) for find in read_finds(tmp_path / "report")}
    assert set(used) <= found
    assert redact(raw, tmp_path / "out", tmp_path / "report", RedactionSettings()) is not None
    for path in (tmp_path / "out").rglob("*"):
        texts = plain(path.name.encode()) + (plain(path.read_bytes()) if path.is_file() else "")
        assert not [number for number in used if number in texts], path
    assert read_release(tmp_path / "out").episodes[0].intent.user_id == "1001"
