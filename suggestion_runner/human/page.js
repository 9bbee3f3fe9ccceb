import {
  $, annotate, call, currentItem, currentLanguage, itemIndex, nextOpen, queue, secondsInView, setItems, text, view,
} from "./annotation.js";
import { sections } from "./sections.js";

const TEXTS = {
  zh: {
    title: "推测意图",
    whoWhy: "名字会与你的每个回答一起保存，也决定你得到哪些题。",
    takeover: "你的题已经答完。下面是别人还没有答的题，可以接着答，也可以关掉窗口。",
    rules: "模型得到的要求（对你也一样）", how: "用中文写一句话：用哪个应用，做成什么。没有把握也请写下最可能的一个。",
    back: "上一题", skip: "以后再答", save: "保存，下一题", done: "都答完了。",
    kept: "所有回答都已保存，可以关闭这个窗口。", progress: "已回答",
    noText: "请先写下一个意图。",
    screen: (number) => `第 ${number} 张截图`,
    summary: (count, open) => `你回答了 ${count} 题。` + (open ? `还有 ${open} 个回答要由别人给出。` : ""),
  },
  en: {
    title: "Guess the intent",
    whoWhy: "Your name is kept with each of your answers. It also decides which tasks you get.",
    takeover: "Your own tasks are done. These are still open with others: go on, or close the window.",
    rules: "What models are told to do (and you)",
    how: "One sentence in Chinese: which app, what to achieve. If unsure, the most likely.",
    back: "Task before", skip: "Later", save: "Save, next", done: "All is answered.",
    progress: "Answered", noText: "First write an intent.",
    count: (done, total) => `${done} of ${total}`, screen: (number) => `screenshot ${number}`,
    summary: (count, open) => `You answered ${count} tasks.` + (open ? ` Answers that others still owe: ${open}.` : ""),
  },
};

let state = null; // the server's: the rater's tasks, the answered ones first, then the open ones in their order
let task = null; // what is known of the task in view, in both languages
const drafts = new Map(); // key -> what is written and not saved, and for how long it was in view

function readState(found) {
  state = found;
  return state.tasks ?? [];
}

function open({ key, label }, content) {
  task = content;
  const draft = drafts.get(key);
  $("text").value = draft?.text ?? label?.text ?? "";
  draw(key);
  return draft?.seconds ?? label?.seconds ?? 0;
}

function opened() {
  // on a touch screen the focus would open the keyboard over the task
  if (matchMedia("(pointer: fine)").matches) $("text").focus({ preventScroll: true });
}

function draw(key = currentItem().key) {
  $("known").replaceChildren(...sections(task.known[currentLanguage()]));
  $("question").textContent = task.question[currentLanguage()];
  $("rules").textContent = state.rules[currentLanguage()];
  $("back").disabled = itemIndex() === 0;
  $("takeover").hidden = state.own || Boolean(currentItem().label);
  if ($("screens").dataset.key === key) return;
  $("screens").dataset.key = key;
  $("screens").replaceChildren(...Array.from({ length: task.screens }, (_, number) => {
    const image = document.createElement("img");
    image.src = `screen/${key}/${number}`;
    image.alt = text("screen")(number + 1);
    return image;
  }));
}

function keepDraft() {
  if (view() !== "task") return;
  const written = $("text").value;
  const { key, label } = currentItem();
  if (label && written.trim() === label.text) drafts.delete(key);
  else drafts.set(key, { text: written, seconds: secondsInView() });
}

async function save() {
  if (view() !== "task") return;
  if (!$("text").value.trim()) throw new Error(text("noText"));
  const { key } = currentItem();
  const answer = { text: $("text").value, seconds: secondsInView(), language: currentLanguage() };
  const found = await call(`answer/${key}`, answer);
  drafts.delete(key);
  document.body.dataset.view = "saved"; // what is in the field is no draft any more
  setItems(readState(found));
  await nextOpen();
}

const skip = () => (view() === "task" ? nextOpen(itemIndex() + 1) : undefined);

$("answer").addEventListener("submit", (event) => {
  event.preventDefault();
  queue(save);
});
$("skip").addEventListener("click", () => queue(skip));
annotate({
  texts: TEXTS,
  command: "fingertip suggest",
  join: () => call("join", {}),
  items: readState,
  load: (one) => call(`task/${one.key}`),
  open,
  opened,
  draw,
  translate: () => {
    $("text").placeholder = matchMedia("(max-width: 640px)").matches ? text("how") : "";
  },
  leave: keepDraft,
  summary: (tasks) => text("summary")(tasks.filter((one) => one.label).length, state.open),
  submit: save,
  keys: { task: { Enter: () => $("text").focus() } },
  // the server ends with the last rater; until then others may be on their pages
  finishPlace: () => (state.open ? "leave" : "finish"),
});
