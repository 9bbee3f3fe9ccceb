"""Forms of replacement values: the same kind, the same length, and a form that programs accept as valid.

Where a range of values is known to be unassigned, values are drawn from it, so that no replacement belongs
to somebody: mobile numbers begin with 154, subscriber numbers of landlines with 1, resident IDs name no
district, and mailboxes begin with a digit that their providers refuse, or lie below the domain "example".
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from fingertip_privacy.finds import FindKind

T = TypeVar("T")

DIGITS = "0123456789"
CONSONANTS, VOWELS = "bcdfghjklmnprstvwz", "aeiou"
SURNAMES = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏窦章苏潘葛范彭"
COMPOUND_SURNAMES = ("欧阳", "上官", "司马", "诸葛", "东方", "夏侯", "皇甫", "尉迟", "公孙", "令狐")
GIVEN = (
    "安博晨达恩凡光浩吉嘉健景俊凯可乐林明宁诺鹏奇清仁森尚书天维希"
    "欣修雅言一逸雨远云泽哲知志子琪珊婷雯萱瑶怡颖芷"
)
TITLES = (
    "老师",
    "医生",
    "护士",
    "阿姨",
    "叔叔",
    "大爷",
    "师傅",
    "经理",
    "主任",
    "先生",
    "女士",
    "同学",
    "总",
    "哥",
    "姐",
)
"""Words behind a surname; they stay, because they say what the person is to the user and not who it is."""
PREFIXES = "小老阿大"
ADDRESS_WORDS = frozenset(
    "省市区县州旗乡镇村屯路街道巷弄胡同里号楼栋幢座单元层室房门小区园苑城东南西北中大厦广场院組组团期"
)
"""Characters of an address that say what a part of it is."""
PLACE_CHARACTERS = "和平安宁青山绿水明月清风长春永兴新华光荣友谊建设文化幸福朝阳翠竹梅兰桂松柏云海"
PROVINCES = "京津冀晋蒙辽吉黑沪苏浙皖闽赣鲁豫鄂湘粤桂琼渝川贵云藏陕甘青宁新"
PROVINCE_CODES = (*range(11, 16), *range(21, 24), *range(31, 38), *range(41, 47), *range(50, 55))
PLATE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
PROVIDERS = frozenset(("qq.com", "163.com", "126.com", "sina.com", "foxmail.com", "yeah.net", "139.com"))
"""Mail providers that refuse mailboxes with a 0 at the front."""
UNASSIGNED_MOBILE = "154"
"""First digits of mobile numbers in mainland China that no operator has."""
SCRIPTS: tuple[tuple[str, str, str], ...] = (
    ("\u3041", "\u3096", "あいうえおかきくけこさしすせそたちつてとなにぬねの"),
    ("\u30a1", "\u30fa", "アイウエオカキクケコサシスセソタチツテトナニヌネノ"),
    ("\uac00", "\ud7a3", "가나다라마바사아자차카타하고노도로모보소오조수우주"),
    ("\u0430", "\u044f", "абвгдежзиклмнопрстуя"),
    ("\u0410", "\u042f", "АБВГДЕЖЗИКЛМНОПРСТУЯ"),
    ("\u0621", "\u064a", "بتجحدرزسشصطعفقكلمنهوي"),
)
"""First and last character of a script, and the characters that replace any of it."""

_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_ID_CHECKS = "10X98765432"


class Draws:
    """A sequence of draws that a key, a person and a value determine.

    Args:
        key: Secret key.
        parts: What the draws are for, such as the person's id, the value, and the number of the attempt.
    """

    def __init__(self, key: bytes, *parts: str) -> None:
        # each part with its length, so that no two lists of parts are one text
        text = "".join(f"{len(part)}:{part}" for part in parts)
        self._seed = hmac.new(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
        self._count = 0

    def below(self, limit: int) -> int:
        """The next whole number from 0 to `limit` - 1."""
        self._count += 1
        block = hashlib.sha256(self._seed + self._count.to_bytes(8, "big")).digest()
        return int.from_bytes(block[:16], "big") % limit

    def one(self, choices: Sequence[T]) -> T:
        """The next of these choices."""
        return choices[self.below(len(choices))]

    def digits(self, count: int) -> str:
        """That many digits."""
        return "".join(self.one(DIGITS) for _ in range(count))


def replacement(kind: FindKind, core: str, draws: Draws) -> str:
    """Draw a value of the same kind and length.

    Args:
        kind: Kind of the value.
        core: The value without separators; characters such as `*` of a masked number stay.
        draws: The draws, which decide everything.

    >>> len(replacement(FindKind.NAME, "王晓明", Draws(b"key")))
    3
    """
    form = _FORMS.get(kind, by_class)
    drawn = form(core, draws)
    if len(drawn) != len(core):
        drawn = by_class(core, draws)
    # what is masked stays masked
    return "".join(old if old == "*" else new for old, new in zip(core, drawn, strict=True))


def by_class(core: str, draws: Draws) -> str:
    """Replace each digit, letter and Chinese character by another of its class; other characters stay."""
    drawn = []
    for at, old in enumerate(core):
        # the first digit keeps the number's length when it is read as a number
        drawn.append(draws.one("123456789") if not at and old in "123456789" else _character(old, draws))
    return "".join(drawn)


def _character(old: str, draws: Draws, chinese: str = GIVEN) -> str:
    if old.isascii():
        if old.isdigit():
            return draws.one(DIGITS)
        if not old.isalpha():
            return old
        new = draws.one(VOWELS if old.lower() in VOWELS else CONSONANTS)
        return new.upper() if old.isupper() else new
    if "\u3400" <= old <= "\u9fff" or "\U00020000" <= old <= "\U0003134f":
        return draws.one(chinese)
    return next((draws.one(choices) for low, high, choices in SCRIPTS if low <= old <= high), old)


def is_chinese(text: str) -> bool:
    """Whether all characters are Chinese."""
    return bool(text) and all("\u3400" <= character <= "\u9fff" for character in text)


def _name(core: str, draws: Draws) -> str:
    if not is_chinese(core):
        return "".join(_character(old, draws) for old in core)
    title = next((title for title in TITLES if core.endswith(title) and len(core) > len(title)), "")
    stem = core.removesuffix(title)
    if not title and len(stem) == 2 and stem[0] in PREFIXES:
        return stem[0] + draws.one(SURNAMES)
    surname = draws.one(COMPOUND_SURNAMES) if len(stem) > 3 else draws.one(SURNAMES)
    given = "".join(draws.one(GIVEN) for _ in range(len(stem) - len(surname)))
    return f"{surname}{given}{title}"


def _address(core: str, draws: Draws) -> str:
    return "".join(old if old in ADDRESS_WORDS else _character(old, draws, PLACE_CHARACTERS) for old in core)


def _phone(core: str, draws: Draws) -> str:
    if re.fullmatch(r"1[3-9][0-9*]{9}", core):
        return UNASSIGNED_MOBILE + draws.digits(8)
    landline = re.fullmatch(r"(010|02[0-9]|0[3-9][0-9]{2})([2-9*][0-9*]{6,7})", core)
    if landline:
        return f"{landline[1]}1{draws.digits(len(landline[2]) - 1)}"
    if re.fullmatch(r"[2-9][0-9]{6,7}", core):
        return f"1{draws.digits(len(core) - 1)}"
    return by_class(core, draws)


def check_character(first: str) -> str:
    """Check character of a resident ID (GB 11643-1999), from its first 17 digits.

    >>> check_character("11010519491231002")
    'X'
    """
    return _ID_CHECKS[sum(int(digit) * weight for digit, weight in zip(first, _ID_WEIGHTS, strict=True)) % 11]


def _resident_id(core: str, draws: Draws) -> str:
    if len(core) not in (15, 18):
        return by_class(core, draws)
    # 00 as prefecture and district: the province itself, which issues no ID
    area = f"{draws.one(PROVINCE_CODES)}0000"
    day = f"{1 + draws.below(12):02d}{1 + draws.below(28):02d}"
    if len(core) == 15:
        return f"{area}{40 + draws.below(60):02d}{day}{draws.digits(3)}"
    first = f"{area}{1945 + draws.below(60)}{day}{draws.digits(3)}"
    return first + check_character(first)


def luhn_digit(first: str) -> str:
    """The digit that completes a card number by the Luhn formula.

    >>> luhn_digit("7992739871")
    '3'
    """
    total = 0
    for place, digit in enumerate(reversed(first)):
        doubled = int(digit) * (2 if place % 2 == 0 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return str(-total % 10)


def _bank_card(core: str, draws: Draws) -> str:
    if not core.isdecimal() or len(core) < 2:
        return by_class(core, draws)
    # the first digit says what kind of card it is
    first = core[0] + draws.digits(len(core) - 2)
    return first + luhn_digit(first)


def _plate(core: str, draws: Draws) -> str:
    drawn = []
    for at, old in enumerate(core):
        if at == 0 and old in PROVINCES:
            drawn.append(draws.one(PROVINCES))
        elif old.isascii() and old.isalpha():
            drawn.append(draws.one(PLATE_LETTERS))
        elif old.isascii() and old.isdigit():
            drawn.append(draws.one(DIGITS))
        else:
            # such as 警 or 学, which say what kind of plate it is
            drawn.append(old)
    return "".join(drawn)


def _email(core: str, draws: Draws) -> str:
    box, at, domain = core.rpartition("@")
    if not at or not box:
        return by_class(core, draws)
    if domain.lower() in PROVIDERS:
        return f"0{''.join(_character(old, draws) for old in box[1:])}@{domain}"
    new_box = "".join(_character(old, draws) for old in box)
    reserved = ".example"
    if len(domain) > len(reserved):
        letters = "".join(draws.one(CONSONANTS) for _ in range(len(domain) - len(reserved)))
        return f"{new_box}@{letters}{reserved}"
    host, dot, top = domain.rpartition(".")
    return f"{new_box}@{''.join(_character(old, draws) for old in host)}{dot}{top}"


_FORMS: Mapping[FindKind, Callable[[str, Draws], str]] = {
    FindKind.NAME: _name,
    FindKind.ADDRESS: _address,
    FindKind.PHONE: _phone,
    FindKind.RESIDENT_ID: _resident_id,
    FindKind.BANK_CARD: _bank_card,
    FindKind.PLATE: _plate,
    FindKind.EMAIL: _email,
}
