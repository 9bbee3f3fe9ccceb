"""Dates, numbers and money as a language writes them; each function takes its caller's `_` (`language.py`).

Numbers of other languages are those of CLDR, by Babel; Chinese ones need no library.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from functools import lru_cache

from simulated_phone.language.language import Translate

_CHINESE = "zh_CN"
"""The CLDR name of the language of the texts in the code; catalogues translate it, and the currency "CNY"."""


def weekday(_: Translate, day: int) -> str:
    """The name of a weekday, 0 is Monday.

    >>> weekday(str, 6)
    '星期日'
    """
    return (
        _("星期一"),
        _("星期二"),
        _("星期三"),
        _("星期四"),
        _("星期五"),
        _("星期六"),
        _("星期日"),
    )[day]


def short_weekday(_: Translate, day: int) -> str:
    """The short name of a weekday, 0 is Monday.

    >>> short_weekday(str, 6)
    '周日'
    """
    return (_("周一"), _("周二"), _("周三"), _("周四"), _("周五"), _("周六"), _("周日"))[day]


def weekday_letter(_: Translate, day: int) -> str:
    """The heading of a weekday's column in a calendar, 0 is Monday.

    >>> weekday_letter(str, 6)
    '日'
    """
    return (_("一"), _("二"), _("三"), _("四"), _("五"), _("六"), _("日"))[day]


def months(_: Translate) -> tuple[str, ...]:
    """The names of the months, January first.

    >>> months(str)[2]
    '3月'
    """
    return (
        *(_("1月"), _("2月"), _("3月"), _("4月"), _("5月"), _("6月")),
        *(_("7月"), _("8月"), _("9月"), _("10月"), _("11月"), _("12月")),
    )


def find_month(_: Translate, name: str) -> int | None:
    """The number of a month, 1-12, by its name; None for another word.

    >>> find_month(str, "3月")
    3
    """
    names = months(_)
    return names.index(name) + 1 if name in names else None


def day_of_month(_: Translate, day: date) -> str:
    """Month and day.

    >>> day_of_month(str, date(2025, 3, 9))
    '3月9日'
    """
    return _("{month}{day}日").format(month=months(_)[day.month - 1], day=day.day)


def month_of_year(_: Translate, day: date) -> str:
    """Month and year.

    >>> month_of_year(str, date(2025, 3, 9))
    '2025年3月'
    """
    return _("{year}年{month}").format(year=day.year, month=months(_)[day.month - 1])


def money(_: Translate, fen: int) -> str:
    """An amount, given in hundredths, without needless zeros.

    >>> money(str, 1250), money(str, 9900)
    ('¥12.5', '¥99')
    """
    locale = _("zh_CN")
    if locale == _CHINESE:
        return "¥" + f"{fen / 100:.2f}".rstrip("0").rstrip(".")
    return _babel_money(fen, _("CNY"), locale)


def number(_: Translate, value: int) -> str:
    """A number, with separators where the language has them.

    >>> number(str, 12500)
    '12500'
    """
    locale = _("zh_CN")
    return str(value) if locale == _CHINESE else _babel_number(value, locale, short=False)


def amount(_: Translate, fen: int) -> str:
    """An amount, given in hundredths, without a currency and always with two digits after the point.

    >>> amount(str, 1562960)
    '15629.60'
    """
    locale = _("zh_CN")
    return f"{fen / 100:.2f}" if locale == _CHINESE else _babel_amount(fen, locale)


def short_number(_: Translate, ten_thousands: int) -> str:
    """A large number, given in ten thousands, in few characters.

    >>> short_number(str, 306)
    '306万'
    """
    locale = _("zh_CN")
    if locale == _CHINESE:
        return f"{ten_thousands}万"
    return _babel_number(10_000 * ten_thousands, locale, short=True)


# Babel takes 20 to 50 us a number, and pages are laid out often
@lru_cache(maxsize=4096)
def _babel_money(fen: int, currency: str, locale: str) -> str:
    # only phones in other languages need it
    from babel.numbers import format_currency

    return str(format_currency(Decimal(fen) / 100, currency, locale=locale))


@lru_cache(maxsize=4096)
def _babel_number(value: int, locale: str, *, short: bool) -> str:
    from babel.numbers import format_compact_decimal, format_decimal

    if short:
        return str(format_compact_decimal(value, locale=locale, fraction_digits=1))
    return str(format_decimal(value, locale=locale))


@lru_cache(maxsize=4096)
def _babel_amount(fen: int, locale: str) -> str:
    from babel.numbers import format_decimal

    return str(format_decimal(Decimal(fen) / 100, format="#,##0.00", locale=locale))


def entries(text: str) -> list[str]:
    """The entries of a table in one text: between bars, or between spaces where there are no bars.

    >>> entries("晴天 稻香"), entries("Blank Space|Lover"), entries("New York|")
    (['晴天', '稻香'], ['Blank Space', 'Lover'], ['New York'])
    """
    return [entry for entry in text.split("|") if entry] if "|" in text else text.split()
