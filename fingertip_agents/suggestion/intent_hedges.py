"""Removal of hedges: the words by which a model says that it guesses, around the intent that it guesses.

"我无法确定，但可能是打开微信，看消息" and "I'm not sure, but the user probably wants to open WeChat" state an
intent. The words of the intent itself never change. A hedge is removed only where the grammar leaves no doubt
that an intent follows: after "the user wants to", or before a sentence that opens an app. A hedge alone stays
as it is, and is a refusal.
"""

from __future__ import annotations

import re
from itertools import islice

OPENING = re.compile(
    r"(?:请|帮我|我?想要?|我?要)?(?:打开|启动|进入|使用|通过|用(?![户餐])|去|在)|(?:open|launch|start|use|using)\b",
    re.IGNORECASE,
)
"""Beginning of a sentence in the requested form: opening or using an app."""

_OPENS = re.compile(r"[\"'“‘「]?(?:打开|启动|open\b|launch\b)", re.IGNORECASE)

_QUOTES = tuple("\"'“‘「『《<【[（(`*")
"""What an intent may begin with besides a letter or a digit."""

MOST_LAYERS = 6
"""Maximum number of hedges before one intent."""

_ZH_TIME = r"(?:此刻|此时|现在|当前|目前|这时|接下来|下一步|正)*"
_ZH_MODAL = (
    r"(?:(?:最|很|大|极|更|非常)?有?可能|也许|或许|大概率?|应该|应当|估计|似乎|多半|八成|猜测|推测|预计|好像"
    r"|看起来|看上去|看来)"
)
_ZH_WANT = (
    r"(?:想要|想(?![象法念起])|要(?!求)|打算|希望|需要|准备|计划|意图(?:是|为)?(?![不未尚模明])|试图|尝试|会|将会?"
    r"|是(?:想要?|要))"
)
_ZH_USER = r"(?:该|这位|此|手机)?(?:用户|主人|机主|使用者)"
_ZH_INTENT = r"(?:意图|目的|需求|目标|想法|下一步操作)"

_EN_USER = r"(?:(?:the|this|that|your)\s+)?(?:phone\s+)?(?:user|owner|person)"
_EN_ADVERBS = (
    r"(?:\s+(?:now|currently|probably|likely|most|very|possibly|perhaps|maybe|also|just|then|next"
    r"|presumably"
    r"|apparently|may|might|could|will|would|is|are|be|seems?|appears?|to))*"
)
_EN_WANT = (
    r"\s+(?:wants?|intends?|plans?|wish(?:es)?|like|going|about|trying|planning|looking|aims?|hopes?|needs?"
    r"|desires?|likely|preparing|attempting)\s+to\s+"
)
_EN_MAY = (
    r"\s+(?:may|might|could|will|would)(?:\s+(?:probably|likely|possibly|well|also|now|most))*"
    r"\s+(?!be\b|have\b)"
)

_UNABLE = re.compile(
    r"(?:(?:非常|很)?(?:抱歉|对不起|不好意思)[，,。！!\s]*)?(?:我|目前|暂时|现在|虽然|尽管|由于(?:信息|资料)(?:不足|有限)[，,])*"
    r"(?:无法|不能|没法|难以|很难|不(?:太|是很|十分|完全|能|敢)?(?=确定|清楚|肯定))"
    r"(?:完全|准确|百分之?百|直接|100%|精确|地)*(?:确定|判断|预测|得知|知道|推断|推测|肯定|清楚|确认)"
    r"(?:用户|主人|机主|他|她|的|当前|此刻|现在|具体|真实|确切|意图|想法|想|要|做|干|什么|接下来|需求|目的|答案|是)*"
    r"[，,。；;！!]\s*"
    r"|(?:(?:非常|很)?(?:抱歉|对不起|不好意思)[，,。！!\s]*)?(?:由于|因为|目前|现在|我|虽然|尽管)*"
    r"(?:没有足够的?(?:信息|资料|依据|上下文)|(?:信息|资料|线索|上下文)(?:还|太|过)?(?:不够|不足|有限|太少|过少|少))"
    r"(?:[，,]?(?:无法|不能|难以|很难)(?:准确|完全)?(?:确定|判断|预测|推断))?[，,。；;！!]\s*"
    r"|i\s+(?:do not|don['’]?t)\s+have\s+(?:enough|sufficient)\s[^,.;—\n]{0,60}[,.;—-]+\s*"
    r"|(?:(?:i['’]?m|i am)\s+(?:very |so )?sorry[,.!]?\s+(?:but\s+)?)?(?:"
    r"(?:(?:i['’]?m|i am)\s+)?not\s+"
    r"(?:(?:entirely|completely|totally|fully|really|quite|very|absolutely|100%)\s+)?"
    r"(?:sure|certain)(?:\s+(?:what|which|about|of)\s+(?:the\s+|this\s+|exactly\s+)*"
    r"(?:user|owner|person|intent|exact|they|he|she|next|it)\b[^,.;—]{0,60})?"
    r"|i\s+(?:cannot|can['’]?t|can not|could not|am unable to|am not able to)\s+"
    r"(?:be (?:sure|certain)|determine|tell|say|know|predict|confirm|identify|infer)\b[^,.;—]{0,60}"
    r"|(?:it['’]?s|it is)\s+(?:hard|difficult|impossible|not possible)\s+to\s+[^,.;—]{0,60}"
    r")\s*[,.;—-]+\s*",
    re.IGNORECASE,
)
"""A clause that states an inability; it never begins a person's own sentence in this form."""

BUT = re.compile(
    r"(?:但是?|不过|然而|所以|因此)[，,]?\s*|(?:but|however|yet|still|so|therefore)\b[, ]\s*", re.IGNORECASE
)
"""Beginning of what is said in spite of a doubt."""

_SOURCE = re.compile(
    r"(?:根据|基于|从|结合|鉴于|考虑到|综合|依据)[^。；;\n]{1,100}?[，,：:]\s*"
    rf"(?=我|可以|推测|猜测|判断|预测|{_ZH_USER}|{_ZH_MODAL})"
    r"|(?:根据|基于|从|结合)[^，,。；;\n]{0,30}(?:截图|屏幕|界面|画面|以上|上述|提供的|所给|历史记录)[^，,。；;\n]{0,30}[，,：:]\s*"
    r"|(?:based on|given|according to|judging (?:by|from)|from|considering|looking at)\s[^;:\n]{1,200}?,\s*"
    r"(?=i\s|i['’]d\s|it\s|they\s|he\s|she\s|my\s|(?:the\s|this\s)?(?:phone\s)?(?:user|owner|person)\b"
    r"|the\s+most\b"
    r"|most\s+likely|likely|probably)"
    r"|(?:based on|given|according to|judging (?:by|from))\s[^,;:\n]{0,100}"
    r"(?:screen|history|information|context)[^,;:\n]{0,60}[,:]\s*",
    re.IGNORECASE,
)
_VIEW = re.compile(
    r"(?:嗯+|呃+|唔+|额+|哦+|噢|综合(?:来看|考虑|判断)|总的来(?:说|看)|总体(?:而言|来看|来说)|综上(?:所述)?|总之|整体来看)"
    r"[，,、。…～~\s]+"
    r"|(?:如果|若|假如)?(?:一定|非|硬|必须|真|我)*要(?:我)?(?:猜测?|说|预测|选|给出(?:一个)?答案)(?:一个|一下)?(?:的话)?[，,：:]\s*"
    r"|(?:hmm+|hm|um+|uh|well|overall|in summary|to sum up|all in all|in short)[,.…]+\s*"
    r"|if\s+i\s+(?:had|have|were|must)\s*(?:to)?\s+(?:guess|choose|pick|predict)[,:]?\s*"
    r"|(?:最终)?(?:答案|预测(?:结果)?)(?:是|为)|(?:the\s+)?(?:final\s+)?(?:answer|prediction)\s+is\s+"
    r"|(?:我|可以|由此|因此|综上|只能)*(?:推测|猜测|猜|认为|觉得|判断|预测|推断)(?:出|是|为)?[，,：:]?\s*"
    r"|(?:i(?:['’]d|\s+would|\s+will|\s+can)?\s+(?:only\s+)?(?:think|believe|guess|suspect|assume"
    r"|predict|infer|say)"
    r"|it\s+(?:seems|appears|looks\s+like|is\s+(?:very\s+)?(?:likely|probable|possible))"
    r"|my\s+(?:best\s+)?(?:guess|prediction)\s+(?:is|would\s+be))(?:\s+that)?[,:]?\s+",
    re.IGNORECASE,
)
_LIKELY = re.compile(r"(?:最|较|很|更)?可能的?(?:下一步)?(?:意图|操作|需求|想法|行动)[：:]\s*")
_MODAL = re.compile(
    rf"(?:这|他|她)?{_ZH_MODAL}{_ZH_TIME}(?P<weak>(?:的?是|会|{_ZH_WANT})*)去?[，,：:]?\s*"
    r"|(?:(?:most|very|quite)\s+)?(?:perhaps|maybe|probably|possibly|likely|presumably)(?:\s+to)?[,:]?\s+",
    re.IGNORECASE,
)
_WANTS = re.compile(
    rf"{_ZH_USER}{_ZH_TIME}(?:{_ZH_MODAL}{_ZH_TIME})*{_ZH_WANT}{_ZH_WANT}*去?"
    rf"|{_ZH_USER}{_ZH_TIME}(?:{_ZH_MODAL}{_ZH_TIME})+(?:是|去|(?=打开|启动|进入|使用))"
    rf"|(?:{_ZH_USER}的?{_ZH_TIME}的?(?:{_ZH_MODAL}的?)*{_ZH_TIME}|{_ZH_MODAL}的?)的?{_ZH_INTENT}"
    rf"{_ZH_TIME}{_ZH_MODAL}*(?:是|为|在于){_ZH_WANT}*去?[，,：:]?\s*"
    rf"|{_EN_USER}{_EN_ADVERBS}{_EN_WANT}|{_EN_USER}{_EN_MAY}"
    r"|(?:(?:the|their|his|her|my)\s+)(?:(?:phone\s+)?(?:user|owner|person)(?:['’]?s)?\s+)?"
    r"(?:(?:most|likely|probable|current|next|predicted|immediate|possible|main)\s+)*"
    r"(?:intent|intention|goal|next\s+action|aim|purpose)\s+(?:(?:right\s+)?now\s+|here\s+)?"
    r"(?:is|was|would\s+be|may\s+be|might\s+be|could\s+be|seems\s+to\s+be)(?:\s+(?:most|very|likely"
    r"|probably|possibly))*"
    r"\s+to\s+",
    re.IGNORECASE,
)
"""Up to the verb of the intent: a person does not write about "the user"."""

_HE_WANTS = re.compile(
    rf"(?:他|她){_ZH_TIME}(?:{_ZH_MODAL}{_ZH_TIME})*{_ZH_WANT}{_ZH_WANT}*去?"
    rf"|(?:they|he|she|he/she)(?:{_EN_ADVERBS}{_EN_WANT}|{_EN_MAY})",
    re.IGNORECASE,
)
_SOMEBODY_OPENS = re.compile(
    rf"(?:他|她|您|你|TA|对方){_ZH_TIME}(?:{_ZH_MODAL}{_ZH_TIME})*{_ZH_WANT}{_ZH_WANT}*去?(?=打开|启动|open\b"
    rf"|launch\b)"
    rf"|(?:you|they|he|she|he/she){_EN_ADVERBS}\s+(?:want|wants|intend|intends|plan|plans|need|needs"
    rf"|going|like|about)\s+to\s+"
    r"(?=打开|启动|open\b|launch\b)",
    re.IGNORECASE,
)
"""Somebody who is not named opens an app: a person does not write about the one who holds the phone."""

_SITUATION = re.compile(
    rf"(?:现在|此时|此刻|当前|目前|今天|时间|周[一二三四五六日天]|星期|工作日|周末|早上|上午|中午|下午|傍晚|晚上|深夜|凌晨|{_ZH_USER}"
    r"|\d{1,2}[:：点]|it['’]?s\s|it\s+is\s|at\s+\d|on\s+(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|this\s+morning)"
    rf"[^。；;\n]{{0,80}}?[，,。.]\s*(?:(?:所以|因此|于是|so|therefore)[，,]?\s*)?"
    rf"(?={_ZH_USER}{_ZH_TIME}(?:{_ZH_MODAL})*{_ZH_WANT}|(?:the|this)\s+(?:user|owner|person)\s)",
    re.IGNORECASE,
)
_SITUATION_OF_USER = re.compile(
    rf"(?=[^。；;\n]{{0,80}}{_ZH_USER}(?:现在|此刻|正|刚)*(?:在|处于|位于|刚|已|起床|下班|上班|到))[^。；;\n]{{4,80}}?[，,](?:所以"
    rf"|因此)?(?:{_ZH_TIME}{_ZH_MODAL})*{_ZH_TIME}(?:想要?|要|打算|会|准备)去?"
    r"(?=打开|启动|open\b|launch\b)",
    re.IGNORECASE,
)
"""Time and place before the intent; the second names the user in them."""

_DOUBT = re.compile(
    r"无法|不能|没法|难|不足|有限|不(?:太|是很|十分|完全|能)?(?:确定|清楚|肯定|知道)|没有|虽然|尽管|如果|要猜|根据|基于|结合|从"
    r"|\bnot?\b|n['’]t\b|\bcannot\b|\bunable\b|\bunsure\b|\buncertain\b|\bhard\b|\bdifficult\b|\bwithout\b"
    r"|\balthough\b|\bwhile\b|\bif\b|\bbased\b|\bgiven\b|\bjudging\b|\bconsidering\b",
    re.IGNORECASE,
)
"""In a clause before "but the user probably wants to"."""

_UNSURE = re.compile(
    r"(?:我|抱歉|对不起|虽然|尽管|由于|仅|信息|资料|目前|很难|难以|无法|不).{0,40}(?:确定|判断|预测|推断|给出|清楚|肯定|知道|不足|有限)"
    r"|(?:i|it|while|although|hard|not|unsure|without|cannot)\b.{0,60}(?:sure|certain|determine|tell"
    r"|say|know|information)",
    re.IGNORECASE,
)
"""Beginning of a sentence that states a doubt, before "but maybe"."""

_CLAUSE = re.compile(r"[，,。；;！!.]\s*")
_ASKS_MORE = re.compile(
    r"(?:还|请|你|您|我|需要)*(?:需要更多|没有|提供|补充|给出|更多|信息|资料|尽力|尝试(?:预测|推测))"
    r"|(?:i\b|more\b|please\b|provide\b|there\b|we\b|if\b|need\b|not\b)",
    re.IGNORECASE,
)
"""Beginning of words after an inability that ask for more instead of stating an intent."""

_HABIT = (
    r"(?:用户|主人|机主|习惯|通常|经常|往往|总是|每天|每周|平时|一向|常常?(?!用|见|识|州)|历史|记录|截图|屏幕|现在是|此时|此刻|这个时(?:间|段|候)"
    r"|是(?:早上|上午|中午|下午|傍晚|晚上|工作日|周末)\W*\Z)"
)
_EN_HABIT = (
    r"(?:(?:the|this) (?:user|owner|person|time|screen)|(?:he|she|they) (?:usually|often|always"
    r"|typically|do|does|did|has|have)\b"
    r"|(?:it['’]s|it is|this is|that is) (?:now |usually |typically )?(?:the )?(?:(?:early |late "
    r"|a )?(?:morning|noon|afternoon|evening|night|weekday|weekend)|\d|time)"
    r"|of (?:the|their|his|her) (?:history|time|habit|routine|screen))"
)
_BREAK = r"(?:(?<!\s)|(?=[，,；;。.]))"
"""Where what follows a pause may begin: not within a run of blanks, which a search would begin at each."""

_REASON_CLAUSE = re.compile(
    rf"[，,；;]\s*(?:这是)?(?:因为|由于|原因是|理由是)[^。\n（(]{{0,60}}?{_HABIT}.*\Z"
    rf"|{_BREAK}[，,；;]?\s+(?:because|since)\s+{_EN_HABIT}.*\Z|[，,；;]\s*(?:because|since|as)\s+{_EN_HABIT}.*\Z",
    re.IGNORECASE | re.DOTALL,
)
"""A reason behind an intent that speaks of a person's habits or of the moment, in the same line."""

_SAYS = re.compile(
    r"说|告诉|回复|通知|解释|写|记下|\b(?:say|saying|tell|reply|write|explain|note|that)\b|[:：]",
    re.IGNORECASE,
)
"""Words in front of what somebody says, which may have a reason of its own."""

_BEHIND = re.compile(
    rf"{_BREAK}[，,；;。]?\s*(?:但是?|不过|只是)?我?(?:也|还)?(?:无法|不能|不(?:太|是很|十分|完全|能)?)(?:完全)?(?:确定|肯定)[。.！!]?\s*\Z"
    rf"|{_BREAK}[,;.]?\s*(?:but|though|although)\s+i(?:['’]?m|\s+am)\s+not\s+(?:(?:entirely|completely|100%"
    r"|fully)\s+)?(?:sure|certain)[.!]?\s*\Z"
    r"|(?<!\s)\s*[（(](?:推测|猜测|仅供参考|可能|不确定|[^（）()]{0,8}(?:置信度|概率|可能性|confidence|probability)[^（）()]{0,20}"
    r"|(?:因为|理由|原因|基于|根据|依据|由于"
    r"|because|reason|based on|according to|given|since)[^（）()]{0,200}"
    r"|(?:just\s+)?(?:my\s+)?(?:best\s+)?guess|not\s+sure"
    r"|likely|probably)"
    r"[）)](?P<stop>[。.！!]?)\s*\Z",
    re.IGNORECASE,
)
"""A hedge or a reason behind an intent."""


def remove_hedge(sentence: str) -> str:
    """Remove the hedges before and behind the intent of a sentence; the sentence itself if there is none.

    >>> remove_hedge("我无法确定，但可能是打开微信，看消息")
    '打开微信，看消息'
    >>> remove_hedge("I'm not sure, but the user probably wants to open WeChat to read messages")
    'open WeChat to read messages'
    >>> remove_hedge("我无法确定"), remove_hedge("可能下雨吗"), remove_hedge("用户协议在哪里看")
    ('我无法确定', '可能下雨吗', '用户协议在哪里看')
    """
    begun = _remove_reason(_remove_before(sentence))
    behind = _BEHIND.search(begun)
    if behind is None or not _has_letters(begun[: behind.start()]):
        return begun
    return begun[: behind.start()] + (behind["stop"] or "")


def _remove_reason(sentence: str) -> str:
    """The sentence without a reason behind it, if it opens an app and the rest is whole."""
    reason = _REASON_CLAUSE.search(sentence)
    if reason is None or not _OPENS.match(sentence) or _SAYS.search(sentence, 0, reason.start()):
        return sentence
    return sentence[: reason.start()]


def _remove_before(sentence: str) -> str:
    """The sentence without the hedges before its intent."""
    if somebody := _SOMEBODY_OPENS.match(sentence) or _SITUATION_OF_USER.match(sentence):
        return sentence[somebody.end() :]
    if situation := _SITUATION.match(sentence):
        wanted = _remove_steps(sentence[situation.end() :], doubted=False)
        if wanted is not None:
            return wanted
    rest = _remove_steps(sentence, doubted=False)
    if rest is not None or OPENING.match(sentence):
        return sentence if rest is None else rest
    for clause in islice(_CLAUSE.finditer(sentence), MOST_LAYERS):
        if _DOUBT.search(sentence, 0, clause.end()):
            doubted = bool(_UNSURE.match(sentence, 0, clause.end()))
            rest = _remove_steps(sentence[clause.end() :], doubted=doubted)
            if rest is not None:
                return rest
    return sentence


def _remove_steps(text: str, *, doubted: bool) -> str | None:
    """The intent behind the hedges that a text begins with, maybe behind a doubt; None without any."""
    rest, sure, but = text, False, False
    for _ in range(MOST_LAYERS):
        if wants := _WANTS.match(rest) or (_HE_WANTS.match(rest) if rest != text else None):
            rest, sure = rest[wants.end() :], True
            break
        if unable := _UNABLE.match(rest):
            rest, doubted, but = rest[unable.end() :], True, True
        elif step := _LIKELY.match(rest):
            rest = rest[step.end() :]
        elif (modal := _MODAL.match(rest)) and modal.end():
            rest, sure = rest[modal.end() :], sure or (doubted and but and bool(modal["weak"]))
        elif step := BUT.match(rest):
            rest, but = rest[step.end() :], True
        elif step := _SOURCE.match(rest) or _VIEW.match(rest):
            rest = rest[step.end() :]
        else:
            break
    opens = rest != text and OPENING.match(rest)
    begins = rest[:1].isalnum() or rest[:1] in _QUOTES
    return rest if (sure or opens) and begins and not _ASKS_MORE.match(rest) else None


def _has_letters(text: str) -> bool:
    return any(char.isalnum() for char in text)
