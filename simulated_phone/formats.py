"""Dates and money as a language writes them; each function takes the `_` of its caller (`language.py`)."""

from __future__ import annotations

from datetime import date

from simulated_phone.language import Translate


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


def month_number(_: Translate, name: str) -> int | None:
    """The number of a month, 1-12, by its name; None for another word.

    >>> month_number(str, "3月")
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
    return _("¥{amount}").format(amount=f"{fen / 100:.2f}".rstrip("0").rstrip("."))


def entries(text: str) -> list[str]:
    """The entries of a table in one text: between bars, or between spaces where there are no bars.

    >>> entries("晴天 稻香"), entries("Blank Space|Lover"), entries("New York|")
    (['晴天', '稻香'], ['Blank Space', 'Lover'], ['New York'])
    """
    return [entry for entry in text.split("|") if entry] if "|" in text else text.split()
