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

**Marked** rows are near another one: nearly equal answers, equal seconds, or a name that looks alike. Both
are marked, and the maintainers decide; which one is earlier is known only from the history of submissions.
"""

SUBMIT = """\
### How to submit

1. Run your agent on a test split: `fingertip suggest DATASET --agent A --out RUN` for track 1, `fingertip
   execute DATASET --agent A --device SERIAL --out RUN` for track 2.
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
