// All that comes from a task is put into the page as text, never as markup.
import { $, askName, call, drawProgress, inTurn, lookAt, looked, show, sitting, words } from "./rater.js";

const TEXTS = {
  zh: {
    title: "推测意图", other: "English", otherLanguage: "en",
    who: "你是谁？", whoWhy: "名字会与你的每个回答一起保存，也决定你得到哪些题。", begin: "开始", name: "你的名字",
    takeover: "你的题已经答完。下面是别人还没有答的题，可以接着答，也可以关掉窗口。",
    rules: "模型得到的要求（对你也一样）", how: "用中文写一句话：用哪个应用，做成什么。没有把握也请写下最可能的一个。",
    back: "上一题", skip: "以后再答", save: "保存，下一题", done: "都答完了。", again: "再看看", finish: "结束",
    thanks: "谢谢。", kept: "所有回答都已保存，可以关闭这个窗口。", progress: "已回答",
    gone: "fingertip suggest 已经不在运行：没有保存的内容丢失了。", noName: "请写下名字。", noText: "请先写下一个意图。",
    count: (done, total) => `${done} / ${total} 题`, screen: (number) => `第 ${number} 张截图`,
    summary: (count, open) => `你回答了 ${count} 题。` + (open ? `还有 ${open} 个回答要由别人给出。` : ""),
  },
  en: {
    title: "Guess the intent", other: "中文", otherLanguage: "zh",
    who: "Who are you?", whoWhy: "Your name is kept with each of your answers. It also decides which tasks you get.",
    begin: "Begin", name: "Your name",
    takeover: "Your own tasks are done. These are still open with others: go on, or close the window.",
    rules: "What models are told to do (and you)",
    how: "One sentence in Chinese: which app, what to achieve. If unsure, the most likely.",
    back: "Task before", skip: "Later", save: "Save, next", done: "All is answered.", again: "Look again", finish: "Finish",
    thanks: "Thank you.", kept: "Everything is kept. This window can be closed.", progress: "Answered",
    gone: "fingertip suggest is not running any more: what was not saved is lost", noName: "A name is needed.",
    noText: "First write an intent.",
    count: (done, total) => `${done} of ${total}`, screen: (number) => `screenshot ${number}`,
    summary: (count, open) => `You answered ${count} tasks.` + (open ? ` Answers that others still owe: ${open}.` : ""),
  },
};

let language = null;
let state = null; // what the server says: the rater's tasks, the answered ones first, then the open ones in their order
let key = null; // of the task that is shown
let shown = null; // what is known of it, in both languages
const drafts = new Map(); // key -> what is written and not saved, and for how long it was looked at

const text = (name) => TEXTS[language][name];
const view = () => document.body.dataset.view;
const place = () => state.tasks.findIndex((task) => task.key === key);

async function begin() {
  state = await call(sitting.rater === null ? "session" : "join", sitting.rater === null ? undefined : {});
  setLanguage(language ?? state.language);
  sitting.rater = state.rater;
  if (state.rater !== null) return nextOpen();
  drawNames();
  show("ask");
  if (!$("name").hidden) $("name").focus();
}

// Who may answer was said at the start, or the page asks.
function drawNames() {
  const named = state.raters.length > 0;
  for (const id of ["name", "begin"]) $(id).hidden = named;
  $("names").replaceChildren(...state.raters.map((name) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.addEventListener("click", () => {
      $("name").value = name;
      inTurn(() => askName(begin));
    });
    return button;
  }));
}

function setLanguage(name) {
  language = name;
  document.documentElement.lang = name;
  for (const part of document.querySelectorAll("[data-text]")) part.textContent = text(part.dataset.text);
  $("language").textContent = text("other");
  $("language").lang = text("otherLanguage");
  $("name").setAttribute("aria-label", text("name"));
  $("text").placeholder = matchMedia("(max-width: 640px)").matches ? text("how") : "";
  $("progress").setAttribute("aria-label", text("progress"));
  for (const word of ["gone", "noName", "count"]) words[word] = text(word);
  if (state?.rater) drawProgress(state.tasks);
  if (view() === "task") drawTask();
  if (view() === "done") drawSummary();
}

async function open(next) {
  keepDraft();
  shown = await call(`task/${next}`);
  key = next;
  const { label } = state.tasks[place()];
  const draft = drafts.get(key);
  $("text").value = draft?.text ?? label?.text ?? "";
  drawTask();
  drawProgress(state.tasks);
  show("task");
  window.scrollTo(0, 0);
  lookAt(draft?.seconds ?? label?.seconds ?? 0);
  // a finger would get its keyboard before the task is read
  if (matchMedia("(pointer: fine)").matches) $("text").focus({ preventScroll: true });
}

function drawTask() {
  $("known").replaceChildren(...sections(shown.known[language]));
  $("question").textContent = shown.question[language];
  $("rules").textContent = state.rules[language];
  $("back").disabled = place() <= 0;
  $("takeover").hidden = state.own || Boolean(state.tasks[place()].label);
  if ($("screens").dataset.key === key) return;
  $("screens").dataset.key = key;
  $("screens").replaceChildren(...Array.from({ length: shown.screens }, (_, number) => {
    const image = document.createElement("img");
    image.src = `screen/${key}/${number}`;
    image.alt = text("screen")(number + 1);
    return image;
  }));
}

// The text is that of the prompt: a line with # in front is a heading, and no data can begin a line with one.
function sections(told) {
  const found = [];
  for (const line of told.split("\n")) {
    if (line.startsWith("# ") || found.length === 0) {
      found.push(document.createElement("section"));
      found.at(-1).className = "card";
    }
    const part = document.createElement(line.startsWith("# ") ? "h2" : "p");
    part.textContent = line.replace(/^# /, "");
    found.at(-1).append(part);
    if (/^\d+\. /.test(line)) found.at(-1).classList.add("wide");
  }
  return found;
}

function keepDraft() {
  if (view() !== "task") return;
  const written = $("text").value;
  const { label } = state.tasks[place()];
  if (written.trim() === (label?.text ?? "") && label) drafts.delete(key);
  else drafts.set(key, { text: written, seconds: looked() });
}

function nextOpen(from = 0) {
  const open_ = (task) => !task.label;
  const next = state.tasks.slice(from).find(open_) ?? state.tasks.find(open_);
  if (next) return open(next.key);
  keepDraft();
  drawProgress(state.tasks);
  drawSummary();
  show("done");
  return undefined;
}

function drawSummary() {
  $("summary").textContent = text("summary")(state.tasks.filter((task) => task.label).length, state.open);
}

async function save() {
  if (view() !== "task") return;
  if (!$("text").value.trim()) throw new Error(text("noText"));
  state = await call(`answer/${key}`, { text: $("text").value, seconds: looked(), language });
  drafts.delete(key);
  document.body.dataset.view = "saved";
  await nextOpen();
}

function before() {
  if (view() === "done") return open(state.tasks.at(-1).key);
  const at = place();
  return view() === "task" && at > 0 ? open(state.tasks[at - 1].key) : undefined;
}

function later() {
  if (view() === "task") return nextOpen(place() + 1);
  return undefined;
}

// The server ends with the last rater who can say so; until then others may be on its page.
async function finish() {
  if (view() !== "done") return;
  await call(state.open ? "leave" : "finish", {});
  show("over");
}

document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.repeat) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    inTurn(save);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === $("name")) {
    if (event.key === "Enter") inTurn(() => askName(begin));
    return;
  }
  if (event.target === $("text")) {
    if (event.key === "Escape") $("text").blur();
    return;
  }
  if (event.target instanceof HTMLButtonElement && event.key === "Enter") return;
  if (event.key.toLowerCase() === "b") inTurn(before);
  else if (event.key === "Enter" && view() === "done") inTurn(finish);
  else if (event.key === "Enter" && view() === "task") $("text").focus();
  else return;
  event.preventDefault();
});

$("answer").addEventListener("submit", (event) => {
  event.preventDefault();
  inTurn(save);
});
$("language").addEventListener("click", () => inTurn(async () => setLanguage(text("otherLanguage"))));
$("begin").addEventListener("click", () => inTurn(() => askName(begin)));
$("back").addEventListener("click", () => inTurn(before));
$("skip").addEventListener("click", () => inTurn(later));
$("again").addEventListener("click", () => inTurn(before));
$("finish").addEventListener("click", () => inTurn(finish));
inTurn(begin);
