"""Phrases of our prompts of track 2 in each language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fingertip_models.messages import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptPhrases:
    """The phrases in one language; `profile` has one per field of `UserProfile`, in its order."""

    person: str
    profile: tuple[str, str, str, str, str, str]
    moment: str
    time: str
    place: str
    weekdays: tuple[str, str, str, str, str, str, str]
    parts: tuple[str, str, str, str, str, str, str]
    task: str
    similar: str
    wanted: str
    actions: str
    front: str
    past: str
    no_past: str
    unread: str
    unknown: str
    answer: str
    colon: str
    more: str
    user: str
    is_: str
    comma: str
    stop: str
    memory: str
    asking: str
    spoken: str


PHRASES: Mapping[Language, PromptPhrases] = {
    "zh": PromptPhrases(
        person="手机主人",
        profile=("性别", "年龄", "职业", "住址", "婚姻状况", "手机品牌"),
        moment="此刻",
        time="时间",
        place="地点",
        weekdays=("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"),
        parts=("凌晨", "早晨", "上午", "中午", "下午", "傍晚", "晚上"),
        task="要完成的任务",
        similar="这位用户以前怎样完成类似的任务",
        wanted="当时的任务",
        actions="当时的动作，每行一个",
        front="前台应用",
        past="到目前为止的动作",
        no_past="还没有任何动作。",
        unread="以下输出无法识别，只执行了 wait()",
        unknown="未知",
        answer="最后一步给出回答",
        colon="：",
        more="还有 {} 个字符",
        user="用户的",
        is_="是",
        comma="，",
        stop="。",
        memory="手机对主人的记忆",
        asking="拿不准时先问主人，花钱、发送、删除之前也要先问",
        spoken="你问：{}；主人答：{}",
    ),
    "en": PromptPhrases(
        person="Owner of the phone",
        profile=("sex", "age", "occupation", "address", "marital status", "phone brand"),
        moment="Now",
        time="time",
        place="place",
        weekdays=("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
        parts=("night", "early morning", "morning", "midday", "afternoon", "early evening", "evening"),
        task="Task to carry out",
        similar="How this user did a similar task before",
        wanted="the task then",
        actions="the actions then, one a line",
        front="app in front",
        past="Actions so far",
        no_past="None yet.",
        unread="this output could not be read, and only wait() was performed",
        unknown="unknown",
        answer="the last step gives the answer",
        colon=": ",
        more="{} more characters",
        user="The user's ",
        is_=" is ",
        comma=", ",
        stop=".",
        memory="What the phone remembers of the owner",
        asking="Ask the owner if you are not sure, and before you spend, send or delete anything",
        spoken="you asked: {}; the owner: {}",
    ),
}

ACTION_SPACE: Mapping[Language, str] = {
    "zh": """\
click(coordinates=(x, y), content='元素的文字或描述')：点击
long_click(coordinates=(x, y), content='元素的文字或描述')：长按半秒
type(text='文字')：在当前有焦点的输入框中输入
scroll(coordinates=(x, y), direction='down')：从这一点开始滑动，direction 为 up、down、left 或 right，\
指想看到的内容在哪一边：down 显示下面的内容，手指向上滑
press_back()：返回键
press_home()：主屏幕键
press_recent()：最近任务键
wait()：等待两秒
finished()：任务已经完成""",
    "en": """\
click(coordinates=(x, y), content='text or description of the element'): a tap
long_click(coordinates=(x, y), content='text or description of the element'): a press of half a second
type(text='words'): type into the field that has the focus
scroll(coordinates=(x, y), direction='down'): a swipe that begins at this point; direction is up, down, left \
or right, the side of the content to reveal: for down the finger moves up
press_back(): the back key
press_home(): the home key
press_recent(): the key that shows the recent apps
wait(): wait for two seconds
finished(): the task is done""",
}
