"""Postal addresses of China and of English-speaking countries."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fingertip_privacy.finds import FindKind
from fingertip_privacy.recognisers.recognised_span import RecognisedSpan, TextInput, before

_HAN = "[\u4e00-\u9fff]"
_REGION = (
    rf"(?:{_HAN}{{2,8}}?(?:特别行政区|自治区|自治州|省|地区|盟|市))?(?:{_HAN}{{1,6}}?(?:市|区|县|旗|新区|开发区))?"
    rf"(?:{_HAN}{{1,6}}?(?:区|县|镇|乡|街道|村|社区))?"
)
_ROAD = (
    rf"{_HAN}{{1,12}}?(?:大道|大街|胡同|公路|环路|[路街道巷弄里])"
    r"(?:[东南西北中一二三四五六七八九十]{1,2}段|[东南西北中])?"
)
_NUMBER = (
    r"(?:[甲乙丙丁]?[0-9]{1,5}|[A-Za-z]|[一二三四五六七八九十百]{1,4})(?:-[0-9]{1,4})?"
    r"(?:号楼|号院|号|弄|座|栋|幢|楼)"
)
_UNIT = (
    rf"(?:{_HAN}{{0,10}}?(?:[0-9]{{1,4}}|[A-Za-z]|[一二三四五六七八九十]{{1,3}})(?:-[0-9]{{1,4}})?"
    r"(?:号楼|栋|幢|座|单元|层|楼|室|户|号|房)|(?<=[栋幢座元楼])[0-9]{3,4}(?![0-9]))"
)
_CODED_ROOM = rf"(?:{_HAN}{{1,10}}?[0-9]{{1,3}}(?:-[0-9]{{1,4}}){{1,2}}(?![0-9-]))?"
_FULL = re.compile(rf"{_REGION}{_ROAD}{_NUMBER}{_UNIT}{{0,4}}{_CODED_ROOM}")
_ROOM = re.compile(
    rf"{_HAN}{{2,10}}?[0-9A-Za-z-]{{1,6}}(?:号楼|栋|幢|座|期)(?:{_UNIT}){{1,3}}|[0-9]{{1,3}}(?:号楼|栋|幢)[0-9]{{1,2}}单元[0-9]{{2,4}}室?"
)
_CODED = re.compile(r" ?[0-9]{6}(?![0-9])")
_REGION_MARK = re.compile(r"(?:特别行政区|自治区|自治州|省|盟|市|区|县|旗|镇|乡|街道|村)")
_CONTEXT = re.compile(r"地址|送到|寄到|收货|住址|住在|家在|我家|address|deliver|ship to")
_NAMED = re.compile(
    rf"(?:地址|住址|送到|寄到|住在|家在)(?:是|为|:| )*((?:{_HAN}|[0-9A-Za-z#\-()]| (?=[0-9A-Z#])){{6,60}})"
)
_LEAD = re.compile(
    r"^(?:请|麻烦)?(?:帮我)?(?:(?:收货|配送|送货|详细|家庭|公司)?(?:地址|住址)(?:是|为)?|送到|寄到|寄给|送至|住在|家在|导航到|打车去|打车到|前往|去|到|在)"
)
_SUFFIX = (
    "street|st|road|rd|avenue|ave|lane|ln|drive|dr|court|ct|boulevard|blvd|way|place|pl|square|sq|terrace|circle|cir|"
    "parkway|pkwy|highway|hwy|trail|trl|alley|row|close|crescent|loop|run|path|pass|point|pike|plaza|ridge|view|crossing|"
    "mills?|ports?|curves?|corners?|extensions?|islands?|parks?|springs?|summit|valleys?|vista|villages?|walks?|wells?|"
    "fords?|forges?|forks?|gardens?|gateway|glens?|greens?|groves?|harbors?|haven|heights|hills?|hollow|inlet|junctions?|"
    "keys?|knolls?|lakes?|landing|lights?|locks?|lodge|mall|manors?|meadows?|mews|mission|motorway|mountains?|neck|"
    "orchard|oval|overpass|passage|pines?|plains?|prairie|radial|ramp|ranch|rapids?|rest|river|roads|route|rue|shoals?|"
    "shores?|skyway|spurs?|stations?|stravenue|stream|streets|throughway|trace|track|tunnel|turnpike|underpass|unions?|"
    "viaduct|ville|brooks?|burgs?|bypass|camp|canyon|cape|causeway|centers?|cliffs?|clubs?|common|courts|coves?|creek|"
    "crest|crossroad|dale|dam|divide|drives|estates?|expressway|falls?|ferry|fields?|flats?|forest|fort|freeway|"
    "arcade|bayou|beach|bend|bluffs?|bottom|branch|bridge|squares|throughway|isle|squares|turnpike|trafficway|circles|cliff|highway"
)  # fmt: skip
"""Street suffixes of the United States Postal Service (Publication 28, appendix C1), and British ones."""
_ENGLISH = re.compile(
    r"(?<![0-9A-Za-z.,$])[0-9]{1,5}[A-Z]?"
    r"(?! (?:minute|mile|day|hour|week|month|year|step|star|best|top|percent)s? )"
    rf"(?: (?:[A-Z][A-Za-z'.-]{{0,20}}|[0-9]{{1,3}}(?:st|nd|rd|th))){{1,3}}? (?:{_SUFFIX})\.?(?![A-Za-z])"
    r"(?:,? (?:apt|apartment|suite|ste|unit|flat|floor|building|bldg|room|#)\.? ?[A-Za-z0-9-]{1,6})?"
    r"(?:, ?[A-Z][A-Za-z .'-]{1,30})?(?:, ?[A-Z]{2}(?: [0-9]{5}(?:-[0-9]{4})?)?)?",
    re.IGNORECASE,
)
_BOX = re.compile(
    r"(?<![A-Za-z])(?:P\.?O\.? Box|PSC|Unit|USNS|USS|USNV|USCGC) [A-Za-z0-9]{1,12}(?:,? Box [0-9]{1,6})?"
    r",? ?(?:[A-Z][A-Za-z ]{1,24}, ?)?(?:APO|FPO|DPO|[A-Z]{2})(?: [A-Z]{2})? [0-9]{5}"
)
_ZIP = re.compile(
    r"(?<![0-9A-Za-z])[0-9]{1,5} [A-Z][A-Za-z0-9 .'#-]{3,40}, [A-Z][A-Za-z .'-]{2,30}, "
    r"[A-Z]{2} [0-9]{5}(?:-[0-9]{4})?"
)


def find_addresses(given: TextInput) -> Iterator[RecognisedSpan]:
    """Yield addresses: a road with a number, with the regions before it and the building behind it."""
    text = given.text
    yield from _chinese(given, text)
    if any("A" <= sign <= "Z" for sign in text):
        for match in _ENGLISH.finditer(text):
            end = match.start() + len(match[0].rstrip(" ,"))
            confident = match[0].count(",") > 0 or bool(_CONTEXT.search(before(given, match.start())))
            yield _span(match.start(), end, 0.9 if confident else 0.65, "street with a number")
        for match in (*_BOX.finditer(text), *_ZIP.finditer(text)):
            yield _span(match.start(), match.end(), 0.93, "address with a postal code")


def _chinese(given: TextInput, text: str) -> Iterator[RecognisedSpan]:
    for match in _FULL.finditer(text):
        start = match.start() + _lead(match[0])
        code = _CODED.match(text, match.end())
        regions = len(_REGION_MARK.findall(text[start : match.end()]))
        named = _CONTEXT.search(before(given, start)) or _CONTEXT.search(match[0])
        confidence = 0.95 if regions >= 2 or named else 0.85 if regions else 0.7
        yield _span(start, code.end() if code else match.end(), confidence, "road with a number")
    for match in _ROOM.finditer(text):
        yield _span(match.start() + _lead(match[0]), match.end(), 0.8, "building with a room")
    for match in _NAMED.finditer(text):
        known = _REGION_MARK.search(match[1]) or any(sign.isdecimal() for sign in match[1])
        if known:
            yield _span(match.start(1), match.end(1), 0.6, "text after a word for addresses")


def _lead(text: str) -> int:
    """Length of words before an address that the pattern takes for a part of a region."""
    match = _LEAD.match(text)
    return match.end() if match else 0


def _span(start: int, end: int, confidence: float, rule: str) -> RecognisedSpan:
    return RecognisedSpan(kind=FindKind.ADDRESS, start=start, end=end, confidence=confidence, rule=rule)
