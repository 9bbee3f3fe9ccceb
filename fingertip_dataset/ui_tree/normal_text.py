"""Normal forms of a screen's texts and resource ids, so that words are found however they are written."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from itertools import groupby

from fingertip_dataset.folded_text import MARKS, fold, latin_look_alikes

_PART = re.compile(r"[a-z]+|[0-9]+|(?:(?![a-z0-9_])\w)+")
_SPELT = re.compile(r"\b[a-z](?: [a-z]\b){2,}")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@lru_cache(maxsize=16384)
def normal(text: str) -> str:
    """Normalize a text: Latin words and numbers in lower case between spaces, other letters joined.

    Compatibility forms, invisible characters, marks, signs, look-alikes of Latin letters, and traditional
    Chinese letters are replaced, so that a disguised word is the word.

    >>> normal("轉\u200b帳 ・ Ｐаｙ\u00a0now"), normal("P A Y"), normal("PIN码")
    ('转账 pay now', 'pay', 'pin 码')
    """
    letters = unicodedata.normalize("NFKD", fold(text).text.casefold()).translate(_letters())
    parts = [(part, part[0] > "z") for part in _PART.findall(letters)]
    words = " ".join(
        "".join(part for part, _ in group) if other else " ".join(part for part, _ in group)
        for other, group in groupby(parts, key=lambda part: part[1])
    )
    return _SPELT.sub(lambda spelt: spelt[0].replace(" ", ""), words)


def plain(text: str) -> str:
    """Normalize a text to letters and digits without spaces.

    >>> plain("⽀\u200b 付"), plain("ＰＡＹ · 支-付")
    ('支付', 'pay支付')
    """
    return normal(text).replace(" ", "")


@lru_cache(maxsize=16384)
def id_words(view_id: str) -> str:
    """Words of a resource id in lower case, without its package.

    >>> id_words("com.shop:id/btnSubmit_order2")
    'btn submit order 2'
    """
    name = view_id.rpartition("/")[2]
    return normal(_HUMP.sub(" ", name).replace("_", " "))


@cache
def _letters() -> _Letters:
    lines = files("fingertip_dataset.ui_tree").joinpath("traditional.txt").read_text(encoding="utf-8")
    pairs = "".join(line for line in lines.splitlines() if not line.startswith("#"))
    simplified = dict(zip(pairs[::2], pairs[1::2], strict=True))
    # Taiwan writes both 賬 and 帳 where the mainland writes 账
    chinese = {ord(k): v for k, v in (simplified | {"帳": "账", "帐": "账"}).items()}
    return _Letters({**latin_look_alikes(), **chinese})


class _Letters(dict[int, str]):
    """Translation of single characters of a folded text; apostrophes and marks on a letter are left out."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        self[code] = "" if letter in "'’" or unicodedata.category(letter) in MARKS else letter
        return self[code]
