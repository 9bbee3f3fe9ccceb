"""Recognition of sentences that say that nothing is wanted, or that it is better to say nothing."""

from __future__ import annotations

import re
import unicodedata

MOST = 200
"""Maximum number of characters of such a sentence."""

_HEDGE = re.compile(
    r"(?:(?:i (?:think|believe|guess|would say)|it (?:seems|appears|looks like)|most|very|quite|probably"
    r"|likely|perhaps|maybe|currently|right now|now|at (?:this|the) moment|at this time|based on .{1,80}?"
    r"|given .{1,80}?|in this case|so|therefore|well|okay|ok)(?:\s+that)?[,:]?\s+"
    r"|(?:我(?:认为|觉得|猜|想)|看来|看起来|可能|应该|大概|也许|或许|很可能|此刻|现在|目前|当前|暂时"
    r"|这时|此时|因此|所以|根据.{1,40}?[，,])[，,：:]?\s*)+",
    re.IGNORECASE,
)
_WHO = r"(?:(?:the\s+)?(?:phone's\s+)?(?:owner|user|person)|they|he|she|you)"
_NOW = (
    r"(?:\s*(?:right now|now|for now|just now|currently|here|yet|today|at all|to be done"
    r"|at (?:this|the)(?: present)? (?:moment|time|point)|at present|from (?:me|the (?:phone|assistant))"
    r"|with (?:the|their) phone))*"
)
_NOUN = (
    r"(?:intents?|intentions?|suggestions?|needs?|actions?|requests?|tasks?|wants?|offers?|goals?|wish(?:es)?"
    r"|desires?|proposals?|help|assistance|intervention|interruption|recommendations?)"
)
_KIND = (
    r"(?:(?:clear|specific|particular|current|immediate|obvious|real|active|apparent|explicit|strong|user"
    r"|owner|definite|evident|proactive|such|likely|pressing|urgent)\s+)*"
)
_BETTER = (
    r"(?:i\s+)?(?:(?:will|would|should|must|'ll|prefer to|choose to|better to|it is better to|it's better to"
    r"|it's best to|it is best to|better|best|have|do)\s+)*"
)
_ENGLISH = re.compile(
    rf"(?:there\s+(?:is|are|was|seems to be|appears to be)\s+|there's\s+)?(?:"
    rf"(?:none|null|nil|nothing|n/?a|not applicable|no|false|silence|silent|blank|empty|no one|pass|skip"
    rf"|no response|no answer needed){_NOW}"
    rf"|nothing(?:\s+(?:is|was|in particular|particular|specific|special|important|urgent|they|wanted|needed"
    rf"|want|need|wants|needs|worth|suggesting|offering|the owner|the user"
    rf"|to (?:be )?(?:suggest|offer|do|say|predict|propose|report|add|show)(?:ed)?))*{_NOW}"
    rf"|(?:no|not any|without(?: an?| any)?)\s+{_KIND}{_NOUN}(?:\s+(?:is|are|was|were|needed|required"
    rf"|necessary|detected|found|identified|wanted|available|made|given|can be|seen|inferred|apparent|evident"
    rf"|to (?:offer|make|suggest)))*{_NOW}"
    rf"|{_WHO}\s+(?:(?:probably|likely|currently|most likely|may|might|seems? to|appears? to|really|just)"
    rf"\s+)*(?:(?:(?:does|do|did|may|might|will|would)(?:\s+not|n't)|not)\s+(?:(?:seem|appear)\s+to\s+)?"
    rf"(?:(?:currently|really|actually|probably)\s+)*(?:want|need|intend|plan|require|wish|have)\b"
    rf"(?:\s+(?:to|do|get|have|be|use|any|anything|something|specific|particular|{_NOUN}|done|disturbed"
    rf"|the phone|for|my|about it|with it))*"
    rf"|(?:want|need|require|have|has)s?\s+(?:nothing|no\s+{_KIND}{_NOUN})(?:\s+(?:to (?:do|get done)|done))*"
    rf"|(?:is|are|was|were|be)\s+(?:just|only|merely|simply)\s+"
    rf"(?:glanc|check|look|unlock|read|peek|brows|pass).{{0,60}}"
    rf"|(?:is|are)\s+(?:busy|already done|done|in the middle of).{{0,60}}){_NOW}"
    rf"|{_BETTER}(?:(?:stay|remain|keep|be|am|i'm)\s+)?(?:silent|quiet){_NOW}"
    rf"|{_BETTER}(?:say|suggest|offer|do|have|propose)\s+nothing(?:\s+to (?:suggest|offer|say))?{_NOW}"
    rf"|{_BETTER}(?:not|don't|won't)\s+(?:to\s+)?(?:suggest|offer|disturb|interrupt|speak|bother|say)\b"
    rf"(?:\s+(?:anything|{_WHO}|them|him|her|any|help))*{_NOW}"
    rf"|leave\s+(?:{_WHO}|them|him|her)\s+(?:alone|be|in peace)"
    rf"|(?:this\s+is\s+)?(?:just|only|merely)\s+(?:a\s+)?(?:quick\s+)?(?:glance|look|peek).{{0,40}}"
    rf")",
    re.IGNORECASE,
)
_WHO_ZH = r"(?:(?:手机的?)?(?:主人|用户|机主)|他|她|您|你)"
_DOING = r"(?:用手机|使用手机|去|再)?(?:做|完成|办|干|要|用|看|处理)?"
_THING = r"(?:什么|任何|别的|其他|特别|具体|的|事情?|操作|东西|手机|建议|帮助|应用)*"
_STATE_ZH = (
    r"(?:任何|明确|明显|清晰|清楚|具体|特别|什么|特定|迫切|紧急|其他|别|需要|想|要|做|完成|办|提出|可|用手机"
    r"|主动|的|用户|主人)*"
)
_NOW_ZH = r"(?:此刻|现在|目前|当前|暂时|这时|此时|这会儿|了|的|吧|呢|而已)*"
_CHINESE = re.compile(
    rf"{_WHO_ZH}?{_NOW_ZH}(?:可能|应该|大概|也许|似乎|好像)?{_NOW_ZH}(?:"
    rf"(?:无|没有|暂无|空|否|没|不|无需|不需要|不用|没什么|没事|沉默|安静|静默|没什么事|没什么想做|空字符串|不说|略"
    rf"|无意)"
    rf"|(?:没有|无|暂无|没|并无|并没有|不存在|暂时没有|未发现|未检测到|看不出|没什么)(?:有)?{_STATE_ZH}"
    rf"(?:意图|需求|事情?|建议|需要|打算|动作|任务|操作|计划|想法|的)"
    rf"|(?:什么(?:事情?)?|任何事情?)?(?:都|也|并)?"
    rf"(?:不想|不需要|没想|不要|没打算|不打算|没有打算|无意|不会|不必){_DOING}{_THING}"
    rf"|(?:什么(?:事情?)?|任何事情?)都(?:不|没).{{0,8}}"
    rf"|(?:最好|应当|应该|建议|还是|我)?(?:先)?(?:不|无需|不必|不用|不要|不应|不宜|别|不该|不便|请勿|不会)"
    rf"(?:去|再|主动|该|应该)*(?:打扰|提出|提|建议|打断|推荐|提示|说|开口|干扰)"
    rf"(?:主人|用户|他|她|您|任何|什么|建议|话|出|的|事)*"
    rf"|(?:最好|应当|应该|还是)?保持(?:安静|沉默|静默)"
    rf"|(?:只是?|仅仅?是?|不过是?|就是?)(?:想|在)?(?:随便|随手|快速)?(?:看|瞥|瞄|扫|浏览|查看|解锁|读).{{0,12}}"
    rf"|(?:随便|随手)(?:看|瞥|瞄)(?:看|一看|一眼|一下)?(?:手机|屏幕|时间)?"
    rf"|(?:看|瞥|瞄|扫).{{0,6}}而已"
    rf"|(?:正在|正|在)忙.{{0,10}}"
    rf"){_NOW_ZH}"
)
_ENDS = " \t\n。.!！?？,，;；:：、\"'“”‘’「」`*_()（）[]【】<>《》-—~…"


def states_nothing(sentence: str) -> bool:
    """Whether a sentence says that nothing is wanted or will be suggested, and no more than that.

    >>> [states_nothing(one) for one in ("Nothing.", "无", "The owner doesn't want anything right now")]
    [True, True, True]
    >>> [states_nothing(one) for one in ("主人此刻什么都不想做。", "No Man's Sky, open it", "没有伞，买伞")]
    [True, False, False]
    """
    if len(sentence) > MOST:
        return False
    words = unicodedata.normalize("NFKC", sentence).replace("’", "'").strip(_ENDS)
    words = " ".join(words.split())
    bare = words[found.end() :] if (found := _HEDGE.match(words)) else words
    return any(
        bool(text) and bool(_ENGLISH.fullmatch(text) or _CHINESE.fullmatch(text)) for text in (words, bare)
    )
