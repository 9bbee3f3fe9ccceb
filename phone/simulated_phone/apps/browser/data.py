"""The browser's data: sites with their pages, and the state of a fresh phone."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType

from simulated_phone.goals.app_definition import State
from simulated_phone.language.formats import day_of_month
from simulated_phone.language.language import messages

_ = messages(__name__)

PACKAGE, LABEL, ACCENT = "com.simulated.liulanqi", _("浏览器"), "#1d6fd8"
SEARCH, NAME, PHONE = _("搜索或输入网址"), _("填写姓名"), _("填写手机号")
NEWS, WIKI, OFFICE, STUDY, CITY = _("晨报新闻"), _("万物百科"), _("办事大厅"), _("学习资料"), _("同城活动")
SITES: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        NEWS: ("news.chenbao.example", "note", "#d9453c"),
        WIKI: ("baike.wanwu.example", "book", "#2f9e44"),
        OFFICE: ("banshi.city.example", "bank", "#3a5bc7"),
        STUDY: ("ziliao.xue.example", "download", "#8e5bd0"),
        CITY: ("tongcheng.city.example", "flag", "#e8730c"),
    }
)
"""Sites: their address, icon and colour."""
_NEWS = {
    _("要闻"): {
        _("城北新桥今日通车"): _("双向六车道的城北新桥上午正式通车，全长一千二百米，两侧设有骑行道。"),
        _("夜间图书馆延长开放"): _("市图书馆从本月起开放到晚上十点半，自习座位可以在网上预约。"),
        _("老城电车恢复运营"): _("停运二十年的老城电车重新上路，全程九站，票价两元。"),
    },
    _("科技"): {
        _("新型电池耐寒三十度"): _("研究人员展示了一种新电池，零下三十度时仍保有八成电量。"),
        _("无人船完成湖面清理"): _("五艘无人船三天收集水面垃圾四吨，全程自动避障。"),
        _("深海望远镜投入使用"): _("安装在三千米海底的望远镜首次捕捉到来自太空的粒子。"),
    },
    _("体育"): {
        _("女排逆转夺得冠军"): _("决赛第五局，主队在落后四分的情况下连得六分，逆转取胜。"),
        _("少年棋手晋级决赛"): _("十四岁的少年棋手中盘获胜，明天将与卫冕冠军争夺奖杯。"),
        _("全民健身日场馆免费"): _("全市三十二座体育场馆当天免费开放，需要提前预约。"),
    },
}
_WIKI = {
    _("大熊猫"): (_("体重"), _("120公斤"), _("大熊猫生活在西南山区的竹林中，一天要吃十几个小时的竹子。")),
    _("青藏高原"): (_("平均海拔"), _("4000米"), _("青藏高原被称为世界屋脊，是许多大河的发源地。")),
    _("赵州桥"): (_("建成年代"), _("公元605年"), _("赵州桥是一座石拱桥，单孔跨径三十七米，至今仍在原处。")),
    _("活字印刷"): (_("发明者"), _("毕昇"), _("活字印刷用一个个字模拼成版面，印完可以拆开再用。")),
    _("光速"): (_("数值"), _("每秒299792公里"), _("光在真空中传播的速度，是自然界中最快的速度。")),
    _("长江"): (_("长度"), _("6300公里"), _("长江自西向东流经十一个省级行政区，注入东海。")),
    _("月球"): (_("距离地球"), _("384400公里"), _("月球是地球唯一的天然卫星，总以同一面朝向地球。")),
    _("茶马古道"): (_("起点"), _("普洱"), _("茶马古道是马帮运茶换马的山路，连接西南与高原。")),
}
_FORMS = {
    _("图书馆座位预约"): _("每人每天一个座位，凭姓名入馆。"),
    _("羽毛球场预约"): _("市体育馆二层，每次两小时。"),
    _("社区志愿者报名"): _("周末清洁河岸，提供午餐。"),
    _("旧衣回收上门"): _("满五公斤上门，当天联系。"),
    _("健康讲座报名"): _("社区医院三楼报告厅，座位有限。"),
}
_FILES = {
    _("普通话考试大纲"): _("普通话考试大纲.pdf"),
    _("小学古诗七十首"): _("古诗七十首.pdf"),
    _("简历模板三套"): _("简历模板.docx"),
    _("家庭记账表格"): _("记账表格.xlsx"),
    _("行书字帖"): _("行书字帖.pdf"),
    _("垃圾分类手册"): _("分类手册.pdf"),
}
_EVENTS = {
    _("春季马拉松"): (date(2025, 4, 20), 8, _("人民公园南门")),
    _("旧书市集"): (date(2025, 4, 26), 10, _("文化路广场")),
    _("露天音乐会"): (date(2025, 5, 3), 19, _("运河公园草坪")),
    _("风筝节"): (date(2025, 4, 13), 9, _("湿地公园")),
    _("手工陶艺体验"): (date(2025, 5, 17), 14, _("青年路 88 号")),
    _("天文观测夜"): (date(2025, 5, 24), 20, _("青龙山山顶")),
}
FORM_DAYS = (_("周一"), _("周三"), _("周五"), _("周六"), _("周日"))


@dataclass(frozen=True, slots=True, kw_only=True)
class WebPage:
    """A page: its site and section, text, facts, the file that it offers, and whether it has a form."""

    title: str
    site: str
    text: str
    section: str = ""
    facts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    file: str = ""
    form: bool = False
    day: date | None = None
    hour: int = 0


_LIST = (
    *(
        WebPage(title=title, site=NEWS, section=section, text=text)
        for section, pages in _NEWS.items()
        for title, text in pages.items()
    ),
    *(
        WebPage(title=title, site=WIKI, text=text, facts={key: value})
        for title, (key, value, text) in _WIKI.items()
    ),
    *(WebPage(title=title, site=OFFICE, text=text, form=True) for title, text in _FORMS.items()),
    *(
        WebPage(title=title, site=STUDY, text=_("整理好的资料，可以免费下载。"), file=file)
        for title, file in _FILES.items()
    ),
    *(
        WebPage(
            title=title,
            site=CITY,
            text=_("免费参加，名额有限。"),
            facts={
                _("时间"): _("{day_of_month}{hour}点").format(day_of_month=day_of_month(_, day), hour=hour),
                _("地点"): place,
            },
            day=day,
            hour=hour,
        )
        for title, (day, hour, place) in _EVENTS.items()
    ),
)
WEB: Mapping[str, WebPage] = MappingProxyType({page.title: page for page in _LIST})
"""Pages by title."""


def pages_of(site: str) -> list[WebPage]:
    """The pages of a site."""
    return [page for page in WEB.values() if page.site == site]


def make_state(rng: random.Random) -> State:
    """Draw open tabs, bookmarks, visited pages and files that were downloaded."""
    titles = rng.sample(sorted(WEB), 12)
    return {
        "tabs": titles[:3],
        "current": 0,
        "bookmarks": titles[3:6],
        "history": titles[:9],
        "downloads": rng.sample(sorted(page.file for page in pages_of(STUDY)), 2),
        "forms": [],
    }
