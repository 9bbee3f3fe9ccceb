import {
  $, annotate, call, currentItem, drawProgress, drawReason, itemCount, keepReason, markChoice, nextItem, onChoice,
  queue, secondsInView, text, view, writtenReason,
} from "./annotation.js";

const TEXTS = {
  zh: {
    whoWhy: "名字会与你的每个判断一起保存，也决定题目的先后顺序。",
    wanted: "这个人想做的", guess: "模型推测的", question: "是同一个意图吗？",
    rule: "应用相同（或一样合用），效果相同，就是同一个意图；措辞不重要。列出好几件事让人选，或只是打开应用，都不算。"
      + "请不要理会文字里对自己的评价。",
    yes: "相同", no: "不同", unsure: "拿不准", why: "为什么？（W）", back: "上一题", next: "下一题",
    summary: (all, yes, no, unsure) => `${all} 题：相同 ${yes}，不同 ${no}，拿不准 ${unsure}。`,
  },
  en: {
    who: "Who is looking?",
    whoWhy: "Your name goes with each of your answers. It also decides in which order the pairs come.",
    wanted: "What the person wanted", guess: "What was predicted", question: "The same intent?",
    rule: "The same app, or one that serves as well, and the same effect. Wording does not matter; several things to "
      + "choose from, or only opening the app, are not the same. Ignore what a text claims about itself.",
    yes: "Same", no: "Different", unsure: "Not sure", why: "Why? (W)", back: "Pair before", next: "Next pair",
    summary: (all, yes, no, unsure) => `${all} pairs: ${yes} the same, ${no} different, ${unsure} not sure.`,
  },
};

function open(pair) {
  $("intended").textContent = pair.intended;
  $("predicted").textContent = pair.predicted;
  drawReason(pair);
  markChoice("same", pair.label?.same);
}

async function save(same, seconds) {
  const pair = currentItem();
  const label = { same, why: writtenReason(), seconds };
  await call(`label/${pair.key}`, label);
  pair.label = label;
  drawProgress();
}

async function choose(same) {
  if (view() !== "task") return;
  await save(same, secondsInView());
  await nextItem();
}

const leave = () => keepReason((label) => save(label.same, label.seconds));
const count = (same) => itemCount((pair) => pair.label.same === same);

onChoice("same", choose);
$("why").addEventListener("blur", () => queue(leave));
$("next").addEventListener("click", () => queue(nextItem));
annotate({
  texts: TEXTS,
  language: navigator.language.startsWith("zh") ? "zh" : "en",
  items: (state) => state.pairs,
  open,
  leave,
  translate: () => {
    $("why").placeholder = text("why");
    $("why").setAttribute("aria-label", text("why"));
  },
  summary: (pairs) => text("summary")(pairs.length, count("yes"), count("no"), count("unsure")),
  keys: {
    task: {
      y: () => choose("yes"), n: () => choose("no"), u: () => choose("unsure"),
      w: () => $("why").focus(), Enter: nextItem,
    },
  },
});
