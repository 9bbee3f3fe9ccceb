"""Recognition of refusals: sentences by which a model declines to predict, or asks for more information.

A sentence of a person is none: "I can't make it, refund the ticket" and "请提供发票" state what somebody
wants. A refusal names the user, an intent, a prediction, a screenshot or the model itself, or says no more.
"""

from __future__ import annotations

import re

_APOLOGY = re.compile(
    r"(?:非常|很)?抱歉|对不起|不好意思|(?:i['’]?m |i am )?(?:very |so )?sorry\b", re.IGNORECASE
)
_UNABLE = re.compile(
    r"无法|不能|没法|没有办法|帮不了|做不到|不知道|不(?:太)?确定|不清楚|难以|没有足够|(?:信息|资料)(?:不足|不够|有限)"
    r"|不(?:便|会|愿)?(?:回答|提供|透露|预测)"
    r"|cannot|can['’]?t\b|can not|unable|not able|won['’]t|don['’]t know|not (?:have )?enough|not sure",
    re.IGNORECASE,
)
_OPENS = re.compile(r"(?:请|帮我|我?想要?|我?要)?(?:打开|启动)|(?:open|launch)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[,，:：;；]\s*")

_NOW = r"(?:我|暂时|暂|目前|现在|当前|仍|还|尚|实在|根据现有(?:信息|资料)[，,]?)*"
_KNOWING = (
    r"(?:(?:accurately|reliably|really|simply|currently|definitively|confidently)\s+)?(?:determine"
    r"|predict|tell|say|know"
    r"|help|assist|answer|provide|identify|infer|confirm|comply|fulfil|respond|guess|make (?:a|any|this"
    r"|that) (?:prediction|guess)"
    r"|do that|be (?:sure|certain)|give (?:you )?(?:a|an|any)\b"
    r"|(?:see|view|access|read) (?:any|the|your|this|that|those)\s(?:\w+\s)?(?:screen|image"
    r"|picture)s?(?:hots?)?)"
)
_UNKNOWN = re.compile(
    rf"{_NOW}(?:没有|无|缺少|缺乏)(?:足够|充分|可用)的?(?:上下文|信息|资料|依据|数据)+(?:来|以|进行)?"
    r"(?:预测|判断|推测|确定|回答)?\W*\Z"
    r"|(?:缺少|缺乏|没有)(?:截图|上下文|信息)[，,]?(?:无法|不能|难以)|(?:信息|资料)不充分"
    r"|(?:用户|主人)(?:目前|当前|现在)?(?:暂无|没有|无)(?:任何|明确|明显|具体|的)*(?:意图|需求)\W*\Z"
    rf"|{_NOW}(?:不好说|猜不(?:到|出来?|着))\W*\Z"
    r"|(?:the )?(?:provided )?(?:information|context)(?: provided| given| available)? (?:is"
    r"|are) (?:insufficient|not enough)\b"
    r"|there (?:isn['’]?t|is not|aren['’]?t|are not) (?:enough|sufficient) (?:information|context|data)\b"
    r"|i (?:lack|have no) (?:sufficient |enough |the )?(?:information|context|idea)"
    r"\W*(?:\Z|to\b"
    r"|about\b|what\b)"
    r"|(?:no idea|not specified|it depends|unable to comply)\W*\Z|"
    rf"{_NOW}(?:无法|不能|没法|没有办法|难以|很难|不好)(?:准确|完全)?(?:地)?(?:确定|预测|推测|判断|得知|知道|提供|回答|给出|推断)"
    r"|(?:信息|资料|线索|上下文)(?:还|太|过)?(?:不足|不够|太少|过少|少)"
    rf"|{_NOW}(?:不(?:太|能|敢)?确定|(?:难以|很难)(?:确定|判断|预测))(?:用户|主人|机主|他|她|的|此刻|现在|当前|具体|意图|想|要|做|什么|接下来"
    rf"|\s)*\W*\Z"
    rf"|{_NOW}(?:不知道|不清楚|看不出|猜不出|不了解)(?:用户|主人|机主|他|她)(?:接下来|下一步|现在|此刻|的|具体|意图|目的|打算|想|要|会|做|干|些|什么|啥"
    rf"|是)*\W*\Z"
    rf"|(?:用户|主人)?的?意图(?:尚|暂|还)?(?:不明确?|不清楚|不清晰|未知|无法(?:确定|判断|预测))|{_NOW}(?:不清楚|不知道|不明确?)\W*\Z"
    r"|(?:暂无|暂时没有|无|没有|未(?:能)?(?:检测|发现|识别|预测)(?:到|出)?|未知|不明)(?:任何|明确|明显|清晰|清楚|特定|具体|可预测|可识别|用户|的)*"
    r"(?:意图|预测(?:结果)?|建议)\W*\Z"
    r"|(?:无|暂无|未知|不知道|没有|none|null|n/a|unknown|undetermined|undefined|unclear|nothing)\W*\Z"
    r"|(?:none|nothing|unknown|undetermined|unclear)\s+(?:intent|detected|found|identified|specific"
    r"|to predict|predicted)\W*\Z"
    r"|(?:there\s+(?:is|was)\s+)?no\s+(?:(?:clear|specific|obvious|particular|user|apparent|definite"
    r"|evident)\s+){0,3}"
    r"(?:intents?|intentions?|predictions?)(?:\s+(?:was|is|were|detected|found|identified|available"
    r"|can be|could be|predicted|determined|here)){0,3}\W*\Z"
    r"|no clear intent\b"
    rf"|(?:i|we)\s+(?:cannot|can['’]?t|can not|am (?:unable|not able) to|won['’]t"
    rf"|could ?n[o'’]t)\s+{_KNOWING}"
    r"|i (?:cannot|can['’]?t|can not|won['’]t)\W*\Z|i am (?:unable|not able)\b"
    r"|(?:i['’]?m |i am )?not (?:entirely |completely |really |quite )?(?:sure|certain)"
    r"(?: (?:what|which|about|of) (?:the )?(?:user|owner|person|intent|exact|they|he|she)\b.*)?\W*\Z"
    r"|it(?:['’]?s| is) (?:hard|difficult|impossible|not possible) to (?:determine|say|tell|predict|know)\b"
    r"|unable to (?:predict|determine|answer)"
    r"|(?:cannot|can['’]?t|unable to) (?:determine|predict|tell|say|infer)\b"
    r"|i (?:don['’]?t|do not) (?:have (?:enough|sufficient)\b|know(?: for sure)?\W*\Z"
    r"|know (?:what|which) (?:the )?(?:user|owner|person|they|he|she|app)\b)"
    r"|(?:the )?(?:user['’]s )?intent(?:ion)? (?:cannot be |can['’]t be |is (?:not clear|unclear|unknown))"
    r"|(?:not enough|insufficient) (?:information|data|context)",
    re.IGNORECASE,
)
"""No intent is known, or it cannot be predicted."""

_MODEL = re.compile(
    r"(?:作为|我(?:只|仅)?是)(?:一个|一款|一名|一种)?.{0,12}(?:AI|人工智能|模型|助手).{0,16}(?:无法|不能|没有办法|没法|不会|做不到|不具备)"
    r"|(?:as|(?:i['’]?m|i am))\s+(?:just\s+|only\s+)?an?\s+(?:ai|artificial"
    r"|(?:large\s+)?language\s+model|llm|assistant|model)\b"
    r".{0,60}(?:cannot|can['’]?t|can not|unable|not able|don['’]?t|do not|won['’]t)",
    re.IGNORECASE,
)
"""What a model says of itself."""

_PRIVATE = re.compile(
    r"(?:(?:该|这个|这|此|您的|你的|本)?(?:请求|问题|内容|信息|操作|要求)?(?:可能)?(?:涉及|侵犯|关系到|违反).{0,16}"
    r"|(?:出于|为了(?:保护)?|基于).{0,8}(?:隐私|安全).{0,12})(?:无法|不能|不便|不会|没法|拒绝)"
    r"|(?:the|this|that|your) (?:request|question|query|prompt)\b.{0,60}(?:cannot|can['’]?t|unable"
    r"|won['’]t|not able|decline)",
    re.IGNORECASE,
)
"""A refusal for its content."""

_FACTS_ZH = (
    r"(?:(?:上下文|背景|历史)?(?:信息|资料|记录(?=\W*\Z))|上下文|背景|细节|描述|线索|(?:屏幕|手机|界面)?截图)"
)
_MORE_ZH = r"(?:更多|更详细|更具体|更清晰|相关|详细|具体|足够|完整|额外|补充|一些|当前|用户|您|你|手机|的)"
_FACTS_EN = r"(?:information|info|context|details?|screenshots?|clarification)"
_MORE_EN = (
    r"(?:\s+(?:me|us|with|the|a|an|some|any|more|additional|further|specific|enough|sufficient|relevant"
    r"|current|other"
    r"|screen|phone['’]?s?|user['’]?s?|your|background|clear|clearer|bit|little|of))*"
)
_ASKS = re.compile(
    rf"{_NOW}(?:还|仍|也)?(?:需要|缺少|缺乏)(?:您|你|用户)?(?:提供|补充|知道|了解)?(?:更多|更详细|更具体|足够|相关|额外){_MORE_ZH}*{_FACTS_ZH}"
    r"(?:[，,。]?(?:以便|才能|来|以|从而|方便|请|才可).{0,60})?\W*\Z"
    r"|(?:(?:麻烦|请|您|你|能否|能不能|可否|可以|是否可以|能)+)(?:先|再)?(?:提供|补充|给出|上传|描述|说明|告诉我)(?:一下|给我|一些)?"
    rf"{_MORE_ZH}*{_FACTS_ZH}(?:吗|呢|吧)?(?:[，,。]?(?:以便|才能|来|我|以|从而|方便).{{0,60}})?\W*\Z"
    rf"|(?:i(?:['’]d|\s+would|\s+will|\s+still|\s+do)*\s+(?:need|require)|please\s+(?:provide|share"
    rf"|give|upload|attach|supply)"
    rf"|(?:could|can|would|will)\s+you\s+(?:please\s+)?(?:provide|share|give|upload|attach"
    rf"|supply))(?={_MORE_EN}\s+{_FACTS_EN})"
    rf"(?!\s+details?\b){_MORE_EN}\s+{_FACTS_EN}"
    r"(?:\s+(?:to|so|for\s+(?:me|this|a)|in order|about\s+(?:the\s+)?(?:user|screen|situation|context"
    r"|what|their|time)|regarding|from\s+the\s+user)\b.*)?\W*\Z"
    rf"|(?:more|additional|further)\s+{_FACTS_EN}\s+(?:is|are|would be|needed|required|please)\b.*",
    re.IGNORECASE,
)
"""A request for more information."""

_SEES_NOTHING = re.compile(
    r"我?(?:看不到|没有看到|未看到|没看到|没有收到|未收到|无法(?:看到|查看|访问|识别))(?:任何|您|你|用户|上传|相关|提供|手机|屏幕|的)*"
    r"(?:截图|图片|图像|画面)(?:\W*\Z|[，,。；]\s*(?:请|无法|能否|麻烦|所以|因此).*)"
    r"|i (?:don['’]?t|do not|cannot|can['’]?t) (?:see|have|view|have access to)(?: (?:any|the|an?|your"
    r"|access|to))*\s+(?:screen\s*shots?|images?)\b"
    r"|no (?:screenshots?|images?) (?:was|were|is|are|provided|available|attached)\b"
    r"|(?:请问)?(?:您|你)?(?:有|需要|想要)什么(?:我)?(?:可以|能)?(?:帮|帮助|帮忙)(?:您|你|到您)?的?(?:吗|呢)?\W*\Z"
    r"|(?:请问)?有什么(?:我)?(?:可以|能)(?:够)?(?:帮|为).{0,6}\W*\Z"
    r"|(?:请问)?(?:您|你)(?:想|希望)(?:要)?(?:让)?我(?:帮您|帮你)?做(?:些|点)?什么\W*\Z"
    r"|what would you like me to do\W*\Z"
    r"|(?:how|what) (?:can|may|could) i (?:help|assist|do for)(?: you)?(?: with)?(?: today)?\W*\Z",
    re.IGNORECASE,
)
"""A missing screenshot, or an offer instead of an answer."""


def begins_refusal(sentence: str) -> bool:
    """Whether a sentence begins as a refusal.

    >>> [begins_refusal(one) for one in ("需要更多信息。", "请提供发票", "I can't say.")]
    [True, False, True]
    """
    return any(kind.match(sentence) for kind in (_UNKNOWN, _MODEL, _PRIVATE, _ASKS, _SEES_NOTHING))


def is_refusal(sentence: str) -> bool:
    """Whether a sentence declines to answer and gives no intent."""
    # an apology may come before an intent
    if any(_OPENS.match(clause) for clause in _CLAUSE.split(sentence)):
        return False
    apology = _APOLOGY.match(sentence)
    if apology is None:
        return begins_refusal(sentence)
    rest = sentence[apology.end() :]
    return not any(map(str.isalnum, rest)) or bool(_UNABLE.search(rest))
