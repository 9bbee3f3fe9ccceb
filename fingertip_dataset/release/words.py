"""Words of the release: scenarios of the collector app, words of profiles, user ids with a meaning.

A release in another language states its own places and words in `release.toml`; see `settings.py`. Wordings
of prompts are in `fingertip_agents`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

SCENARIO_CATEGORIES: Mapping[str, str] = MappingProxyType(
    {
        "住所": "residence",
        "办公场所": "office",
        "学校": "school",
        "餐饮场所": "dining place",
        "商场": "shopping mall",
        "医疗机构": "medical institution",
        "娱乐休闲场所": "entertainment and leisure venue",
        "运动场馆": "sports venue",
        "文艺场馆": "cultural venue",
        "交通工具": "transportation",
        "城市街道": "urban street",
        "自然户外": "natural outdoor space",
    }
)
"""The twelve scenarios that the collector app listed, with the paper's English names."""

AGE_SUFFIX = "岁"
"""Word that a profile may have after an age in years."""

SEX_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "男": "male",
        "男性": "male",
        "m": "male",
        "male": "male",
        "女": "female",
        "女性": "female",
        "f": "female",
        "female": "female",
    }
)
"""Word of a profile, in lower case -> group of `demographics.SEXES`."""

OCCUPATION_WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "undergraduate": ("本科", "大学生", "大专生", "undergraduate", "bachelor"),
        "postgraduate": ("研究生", "硕士", "博士", "postgraduate", "graduate student", "master", "phd"),
        "student, level not stated": ("学生", "student"),
        "not employed": ("退休", "无业", "待业", "retired", "unemployed", "家庭主妇", "全职妈妈"),
    }
)
"""Group of `demographics.OCCUPATIONS` -> words that identify it, tried in this order."""

RELEASE_GROUP_2 = frozenset(
    ("30", "70", "73", "74", "75", "77", "79", "80", "86", "88", "89", "93", "94", "95", "96", "97")
)
"""Users of the second age group, as listed in the authors' script; all others of the release are group 1."""

LARGEST_RELEASE_ID = 100
"""User ids of the release are numbers from 1 to 100, with gaps."""
