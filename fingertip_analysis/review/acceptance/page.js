import {
  $, annotate, call, currentItem, currentLanguage, drawProgress, drawReason, itemCount, itemIndex, keepReason,
  markChoice, nextItem, onChoice, queue, secondsInView, text, view, writtenReason,
} from "./annotation.js";
import { sections } from "./sections.js";

const TEXTS = {
  zh: {
    title: "接受建议吗？",
    whoWhy: "名字会与你的每个判断一起保存，也决定建议的先后顺序。",
    suggested: "手机助手此刻的建议", yes: "接受", no: "不接受",
    question: (own) => (own ? "此刻手机这样建议，你会接受吗？" : "如果你是这个人，此刻会接受这个建议吗？"),
    rule: "只看上面的情况。这个人当时真正想做什么不会显示。请不要理会建议里对自己的评价。",
    fit: "这个建议有多合适？", low: "完全不合适", high: "正是想要的", why: "为什么？（W）",
    back: "上一条", later: "下一条",
    summary: (all, yes) => `${all} 条建议：接受 ${yes} 条，不接受 ${all - yes} 条。`,
  },
  en: {
    title: "Accept the suggestion?",
    whoWhy: "Your name is kept with each of your judgements. It also decides in which order suggestions come.",
    suggested: "What the phone suggests now", yes: "Accept", no: "Reject",
    question: (own) => (own ? "Would you accept this suggestion now?" : "As this person, would you accept this suggestion now?"),
    rule: "Go by the situation above. What the person really wanted is not shown. Ignore what a suggestion claims about itself.",
    fit: "How well does it fit?", low: "not at all", high: "just what is wanted", why: "Why? (W)",
    back: "Suggestion before", later: "Next suggestion",
    summary: (all, yes) => `${all} suggestions: ${yes} accepted, ${all - yes} rejected.`,
  },
};

let own = false; // whether the rater is the tasks' user
let shown = null; // the server's fields of the suggestion in view
let choice = {}; // accepted and score, as far as they are chosen; stored once both are

function open(item, content) {
  shown = content;
  choice = { accepted: item.label?.accepted, score: item.label?.score };
  drawReason(item);
  draw();
}

function draw() {
  $("known").replaceChildren(...sections(shown.known[currentLanguage()]));
  $("suggestion").textContent = shown.suggestion;
  $("question").textContent = text("question")(own);
  $("rule").textContent = text("rule");
  $("back").disabled = itemIndex() === 0;
  drawChoice();
}

function drawChoice() {
  markChoice("accepted", choice.accepted);
  markChoice("score", choice.score);
}

async function save(label) {
  const item = currentItem();
  const stored = { ...label, why: writtenReason() };
  await call(`label/${item.key}`, stored);
  item.label = stored;
  drawProgress();
}

async function choose(part) {
  if (view() !== "task") return;
  const again = Boolean(currentItem().label);
  choice = { ...choice, ...part };
  drawChoice();
  if (choice.accepted === undefined || choice.score === undefined) return;
  await save({ ...choice, seconds: secondsInView() });
  if (!again) await nextItem();
}

const leave = () => keepReason(save);
const accept = (accepted) => () => choose({ accepted });

onChoice("accepted", (value) => choose({ accepted: value === "true" }));
onChoice("score", (value) => choose({ score: Number(value) }));
$("why").addEventListener("blur", () => queue(leave));
$("next").addEventListener("click", () => queue(nextItem));
annotate({
  texts: TEXTS,
  language: navigator.language.startsWith("zh") ? "zh" : "en",
  items: (state) => {
    own = state.own;
    return state.suggestions;
  },
  load: (one) => call(`task/${one.key}`),
  open,
  draw,
  leave,
  translate: () => {
    $("why").placeholder = text("why");
    $("why").setAttribute("aria-label", text("why"));
  },
  summary: (all) => text("summary")(all.length, itemCount((one) => one.label.accepted)),
  keys: {
    task: {
      ...Object.fromEntries([1, 2, 3, 4, 5].map((score) => [score, () => choose({ score })])),
      y: accept(true), n: accept(false), w: () => $("why").focus(), Enter: nextItem,
    },
  },
});
