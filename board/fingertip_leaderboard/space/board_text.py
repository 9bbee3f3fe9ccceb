"""Texts of the board's page."""

from __future__ import annotations

HEAD = """\
# FingerTip 20K leaderboard
How proactive and how personal is a phone agent? No claimed score is shown: each is made again, and
**evidence** says what it rests on.
"""

HOW_TO_READ = """\
A bar is the 95 % interval over people: how far the mean would move with other people. ▲ 2 marks a row
that is significantly better than two others in its table: paired bootstrap over users on the tasks that
both have, corrected by Holm over all pairs of the table and that score, at 0.05. What cannot be compared
stands in another table: other data, another protocol, another embedder or judge, another kind of phone,
success by labels and success that was re-run.

**Evidence** is that of a row's weakest score, strongest first. *Run by the board*: the maintainers ran the
agent themselves. *Success by rule, re-run*: the recorded actions were carried out again, and a rule decided.
*Recomputed*: made again from the recorded outputs with this board's targets. *On the submitter's word*:
nobody else can make it again, as with labels of people, verdicts of a model, and the device of a real phone.
Seconds, tokens and their price are always on the submitter's word.

*Attached* agents drove the phone by themselves, over adb, uiautomator2 or Appium. They have tables of their
own: their steps are what the phone saw. Every input was repeated here on a fresh phone; which program and
which model sent it cannot be seen.

*When to speak* has moments: looks at the phone, at half of which the person wants nothing. Rows are ranked
by utility, right offers less false triggers by moment: silence throughout has 0, and an agent below 0 is
worse than none. Kinds and intents are the board's own, and a rule decides which offers are right. Brier is
the error of the stated confidence; 0.25 is that of a constant 0.5.

*Ask or know* has tasks of track 2 whose instruction leaves out the app, what exactly is wanted, or all but
the need, and a person who answers questions. Each level, and each kind of who answers, has a table of its
own, ranked by SR_2 and then by fewer questions. The simulated person's rule answered every question again
here; *unasked acts* are the tasks with something spent, sent or deleted without a yes that covers it.

**Marked** rows are near another one: nearly equal answers, equal seconds, or a name that looks alike. Both
are marked, and the maintainers decide; which one is earlier is known only from the history of submissions.
"""

SUBMIT = """\
### How to submit

1. Run your agent on a test split: `fingertip suggest DATASET --agent A --out RUN` for track 1, `fingertip
   execute DATASET --agent A --device SERIAL --out RUN` for track 2; `--split test_moments` for when to speak,
   `--instructions LEVEL --answered-by simulated` for ask or know.
2. `fingertip submit RUN --name NAME --contact ADDRESS` makes a bundle. First it shows what leaves your
   computer, and what people could see in it. True intents and the persons' own actions are never in a
   bundle.
3. `fingertip verify BUNDLE --dataset DATASET` runs the checks of this board: it looks for every task,
   parses the raw outputs again, and recomputes the scores. Refusals name the file, line and reason.
4. Send the bundle as a pull request to the submissions dataset.

Anybody who has the dataset can recompute every row of this board.
"""

NOT = """\
### What these numbers are not

- **Simulated phones are not phones.** Rows on `fingertip-sim` come from simulated people with known
  habits. They show that commands and measures work; they do not predict an agent's results with
  real people.
- **Recorded episodes are not a run.** On a recording an agent that leaves the recorded trajectory is
  stopped, and nothing is carried out, so there is no success rate.
- **Sim_1 is not understanding.** Two intents about different apps share most of their characters. SR_1
  asks a judge; another judge gives other scores, in another table.
- **Sim_2 above 1** means that an agent's actions are closer to the person's than to a stranger's. It does
  not mean that the task was done.
- **Every task counts.** SR_2 here is over all tasks: one that the phone, an error or the safety gate ended
  is not done. `fingertip score` prints it without those, too. Sim_2 of such a task
  is that of the actions made; without the last ones it can be higher than that of the whole attempt.
- **Finished is not success.** Success needs a rule on the phone's final state, a person, or a named
  judge. The board says which.
- **Published rows are the paper's own.** Nobody recomputed them here, so they have no rank. They share a
  table only with submissions of the same setting on the authors' own test; the others stand alone.
- **The step ratio** is over successes alone. Agents succeed on different tasks, so it does not rank them.
- **No mark does not mean equal.** With few tasks or few people a real difference can stay unseen.
"""

HEAD_ZH = """\
# FingerTip 20K 榜单
手机智能体有多主动、多懂人？这里不显示任何自报的分数：每个分数都重新算过，**依据**一栏说明它凭什么成立。
"""

HOW_TO_READ_ZH = """\
横条是按用户的 95 % 区间：换一批人，均值会变动多少。▲ 2 表示这一行显著好于同表的另外两行：在双方都有的任务上按用户配对自助，
对该表该分数的所有比较做 Holm 校正，显著性水平 0.05。不能比较的结果不在同一张表：数据、协议、嵌入模型或评判、手机种类不同，
或者一方的成功靠标注、另一方的成功经过重放。

**依据**取一行中最弱的一项，从强到弱为：*由榜单运行*，维护者亲自运行了智能体；*按规则判定，已重放*，录下的动作重新执行，由规则判定；
*已重新计算*，用录下的输出和本榜的目标重新算出；*以提交者所述为准*，别人无法重做，例如真人标注、模型裁决、真实手机。
秒数、词元数和价格一律以提交者所述为准。

*接入的*智能体自己通过 adb、uiautomator2 或 Appium 操作手机，单独列表：它们的步骤是手机看到的。每个输入都在一部全新的手机上重放过；是哪个程序、哪个模型发出的，看不出来。

*什么时候该开口*用的是时刻：看手机的一眼，其中一半本人什么都不想做。按效用排名，即每个时刻的正确建议减去误触发：始终不出声为 0，
低于 0 的智能体不如没有。种类与意图取自榜单自己的数据，建议是否正确由规则判定。Brier 是所报置信度的误差；恒为 0.5 时是 0.25。

*该问还是该知道*用的是赛道二的任务：指令不说用哪个应用、不说具体要什么，或只说需要，另有一个人回答提问。每个级别、每种回答者各有一张表，
先按 SR_2、再按提问少排名。每个提问都由模拟人的规则在这里重新回答过；*未经询问的操作*是没有得到相应同意就花钱、发送或删除的任务占比。

**已标记**的行与另一行相近：回答几乎相同、用时相同，或名称看起来一样。两行都会标记，由维护者决定；谁先谁后只能看提交历史。
"""  # noqa: E501 - Chinese is not broken: a line break is a space on the page

SUBMIT_ZH = """\
### 如何提交

1. 在测试划分上运行你的智能体：赛道一用 `fingertip suggest DATASET --agent A --out RUN`，赛道二用 `fingertip
   execute DATASET --agent A --device SERIAL --out RUN`；什么时候该开口用 `--split test_moments`，
   该问还是该知道用 `--instructions LEVEL --answered-by simulated`。
2. `fingertip submit RUN --name NAME --contact ADDRESS` 生成提交包。它先显示会有什么离开你的电脑，别人能从中看到什么。
   真实意图和本人的动作从不在包里。
3. `fingertip verify BUNDLE --dataset DATASET` 运行本榜的检查：核对每个任务，重新解析原始输出，重新计算分数。
   拒绝时会指出文件、行和原因。
4. 把提交包作为合并请求发到提交数据集。

任何有数据集的人都能重新算出本榜的每一行。
"""  # noqa: E501 - Chinese is not broken: a line break is a space on the page

NOT_ZH = """\
### 这些数字不能说明什么

- **模拟手机不是手机。** `fingertip-sim` 上的结果来自习惯已知的模拟人。它们说明命令和度量能用，不能预测智能体面对真人的结果。
- **录制片段不是一次运行。** 在录制上，智能体一偏离录下的轨迹就被终止，什么也没有执行，所以没有成功率。
- **Sim_1 不是理解。** 两个关于不同应用的意图可以有大部分字相同。SR_1 由评判决定；换一个评判就是另一张表里的另一个分数。
- **Sim_2 大于 1** 说明智能体的动作更像本人而不是陌生人，不说明任务完成了。
- **每个任务都计入。** 这里的 SR_2 是对全部任务的：被手机、错误或安全闸终止的按未完成计。`fingertip score` 也会打印不含它们的值。
  这种任务的 Sim_2 是已做动作的；缺了最后几步，它可能比整次尝试的还高。
- **自称完成不是成功。** 成功要靠手机最终状态的规则、人或指名的评判。榜单会写明是哪一种。
- **论文数据是论文自己的。** 这里没有人重新算过，所以没有名次。只有设置相同、在作者自己的测试集上的提交才与它们同表；其余单列。
- **步数比**只算成功的任务。各智能体成功的任务不同，所以不按它排名。
- **没有标记不等于相同。** 任务或人太少时，真实的差异可能看不出来。
"""  # noqa: E501 - Chinese is not broken: a line break is a space on the page
