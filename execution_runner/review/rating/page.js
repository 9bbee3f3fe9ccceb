// All that comes from a run is put into the page as text, never as markup.
import { $, askName, call, drawProgress, finish, inTurn, lookAt, looked, show, sitting, words } from "./rater.js";
import { drawMark } from "./marks.js";

const TEXTS = {
  zh: {
    title: "像不像本人的做法", other: "English", otherLanguage: "en",
    who: "你是谁？", whoWhy: "名字会与你的每个评分一起保存，也决定任务和做法的先后顺序。", begin: "开始", name: "你的名字",
    ownTitle: (own) => (own ? "你自己的做法" : "本人的做法"), way: (letter) => `做法 ${letter}`,
    question: (own) => (own
      ? "下面的每种做法，有多像你自己的做法？请看它是否符合你特有的习惯和偏好；最后有没有做成不影响评分。"
      : "下面的每种做法，有多像这个人自己的做法？请看它是否符合此人特有的习惯和偏好；最后有没有做成不影响评分。"),
    low: "完全不像", high: (own) => (own ? "正是我的做法" : "正是此人的做法"), nothing: "什么也没做",
    step: (number, count) => `第 ${number} 步，共 ${count} 步：`, blank: "没有截图", close: "关闭", rate: "评分",
    back: "上一题", next: "下一题", skip: "以后再评", done: "都评完了。", again: "再看看", finish: "结束",
    thanks: "谢谢。", kept: "所有评分都已保存，可以关闭这个窗口。", progress: "已评",
    gone: "fingertip review 已经不在运行：没有保存的内容丢失了。", noName: "请写下名字。",
    count: (done, total) => `${done} / ${total} 题`, summary: (count) => `你评了 ${count} 题。`,
    keys: "1–5 评分 · ← → 换一种做法 · S 看截图 · Enter 下一题 · B 上一题",
  },
  en: {
    title: "Done in this person's way?", other: "中文", otherLanguage: "zh",
    who: "Who are you?", begin: "Begin", name: "Your name",
    whoWhy: "Your name is kept with each of your ratings. It also decides in which order tasks and ways come.",
    ownTitle: (own) => (own ? "Your own way" : "The person's own way"), way: (letter) => `Way ${letter}`,
    question: (own) => (own
      ? "How much is each of these ways done as you do it? Go by your own habits and preferences. "
      : "How much is each of these ways done as this person does it? Go by their own habits and preferences. ")
      + "Whether it came off in the end makes no difference.",
    low: "not at all", high: (own) => (own ? "just as I do it" : "just as they do it"), nothing: "did nothing",
    step: (number, count) => `Step ${number} of ${count}: `, blank: "No screen", close: "Close", rate: "Rate",
    back: "Task before", next: "Next task", skip: "Later", done: "All is rated.", again: "Look again", finish: "Finish",
    thanks: "Thank you.", kept: "Everything is kept. This window can be closed.", progress: "Rated",
    gone: "fingertip review is not running any more: what was not saved is lost", noName: "A name is needed.",
    count: (done, total) => `${done} of ${total} rated`, summary: (count) => `You rated ${count} tasks.`,
    keys: "1–5 rate · ← → other way · S screens · Enter next task · B task before",
  },
};

let language = navigator.language.startsWith("zh") ? "zh" : "en";
let own = false; // whether the rater is the task's user
let tasks = []; // in this rater's order: {key, label}; label says whether all its ways are rated
let at = 0; // index of the task that is shown
let shown = null; // what the server says of it
let current = 0; // index of the way that a key rates
let step = 0; // of it, in the dialog

const text = (name) => TEXTS[language][name];
const view = () => document.body.dataset.view;

async function begin() {
  const told = await call("sitting");
  own = told.own;
  sitting.rater = told.rater;
  tasks = told.tasks;
  setLanguage(language);
  if (told.rater === null) {
    show("ask");
    $("name").focus();
  } else await nextOpen();
}

async function nextOpen() {
  const open = tasks.findIndex((task) => !task.label);
  if (open >= 0) return openTask(open);
  $("summary").textContent = text("summary")(tasks.length);
  show("done");
}

async function openTask(index) {
  shown = await call(`task/${tasks[index].key}`);
  at = index;
  current = Math.max(0, shown.ways.findIndex((way) => way.rating === null));
  lookAt();
  draw();
  show("task");
  window.scrollTo(0, 0);
}

function setLanguage(wanted) {
  language = wanted;
  document.documentElement.lang = language;
  for (const place of document.querySelectorAll("[data-text]")) place.textContent = text(place.dataset.text);
  $("language").textContent = text("other");
  $("name").setAttribute("aria-label", text("name"));
  $("progress").setAttribute("aria-label", text("progress"));
  Object.assign(words, { gone: text("gone"), noName: text("noName"), count: text("count") });
  if (shown) draw();
  if (view() === "done") $("summary").textContent = text("summary")(tasks.length);
  drawProgress(tasks);
}

function made(name, content, attributes = {}) {
  const part = document.createElement(name);
  if (typeof content === "string") part.textContent = content; else part.append(...content);
  for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
  return part;
}

function draw() {
  $("intent").textContent = shown.intent;
  $("app").textContent = shown.app;
  $("question").textContent = text("question")(own);
  $("own-title").textContent = text("ownTitle")(own);
  $("own-steps").replaceChildren(...shown.own.map((said) => made("li", said[language])));
  $("ways").replaceChildren(...shown.ways.map(drawWay));
  const whole = shown.ways.every((way) => way.rating !== null);
  $("next").classList.toggle("main", whole);
  $("next").firstElementChild.textContent = text(whole ? "next" : "skip");
  $("back").disabled = at === 0;
  tasks[at].label = whole;
  drawProgress(tasks);
}

function drawWay(way, number) {
  const title = text("way")("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number] ?? String(number + 1));
  const steps = way.steps.map((one, place) => {
    const button = made("button", one.words[language], { type: "button" });
    button.addEventListener("click", () => openStep(number, place));
    return made("li", [button]);
  });
  const rates = [1, 2, 3, 4, 5].map((rating) => {
    const button = made("button", String(rating), {
      type: "button", "aria-pressed": String(way.rating === rating), "data-rating": rating,
      "aria-label": `${title}, ${text("rate")} ${rating}`,
    });
    button.addEventListener("click", () => inTurn(() => rate(number, rating)));
    return button;
  });
  const part = made("section", [
    made("h2", title),
    steps.length ? made("ol", steps, { class: "steps" }) : made("p", text("nothing"), { class: "soft" }),
    made("div", rates, { class: "choices five" }),
    made("p", [made("span", text("low")), made("span", text("high")(own))], { class: "ends soft" }),
  ], { class: "way card", "aria-label": title });
  part.addEventListener("click", () => { goTo(number); });
  if (number === current) part.setAttribute("aria-current", "true");
  return part;
}

function goTo(number) {
  current = Math.min(Math.max(number, 0), shown.ways.length - 1);
  [...$("ways").children].forEach((part, place) => {
    if (place === current) part.setAttribute("aria-current", "true"); else part.removeAttribute("aria-current");
  });
}

async function rate(number, rating) {
  await call(`rating/${shown.ways[number].key}`, { rating, seconds: looked() });
  shown.ways[number].rating = rating;
  const open = shown.ways.findIndex((way) => way.rating === null);
  current = open < 0 ? number : open;
  draw();
  $("ways").children[current].scrollIntoView({ block: "nearest" });
}

async function nextTask() {
  if (at + 1 < tasks.length) await openTask(at + 1);
  else await nextOpen();
}

async function taskBefore() {
  if (view() === "done") await openTask(tasks.length - 1);
  else if (at > 0) await openTask(at - 1);
}

function openStep(number, place) {
  const { steps } = shown.ways[number];
  if (!steps.length) return;
  goTo(number);
  step = Math.min(Math.max(place, 0), steps.length - 1);
  const one = steps[step];
  $("screen").hidden = !one.screen;
  if (one.screen) $("screen").src = `screen/${shown.ways[number].key}/${step}`;
  else $("screen").removeAttribute("src");
  $("frame").style.aspectRatio = `${one.size[0]} / ${one.size[1]}`;
  drawMark($("mark"), one, one.size);
  $("what").textContent = text("step")(step + 1, steps.length) + one.words[language] + (one.screen ? "" : ` (${text("blank")})`);
  $("step-back").disabled = step === 0;
  $("step-next").disabled = step === steps.length - 1;
  if (!$("stage").open) $("stage").showModal();
}

// What depends on the way that is current waits for its turn, as ratings do: a quick rater mixes nothing up.
function pressed(key) {
  if ($("stage").open) {
    if (key === "ArrowRight") openStep(current, step + 1);
    else if (key === "ArrowLeft") openStep(current, step - 1);
    else if (key === "s") $("stage").close();
  } else if (view() === "done") {
    if (key === "Enter") inTurn(finish);
    else if (key === "b") inTurn(taskBefore);
  } else if (view() === "task") {
    if (/^[1-5]$/.test(key)) inTurn(() => rate(current, Number(key)));
    else if (key === "ArrowRight") inTurn(() => goTo(current + 1));
    else if (key === "ArrowLeft") inTurn(() => goTo(current - 1));
    else if (key === "s") inTurn(() => openStep(current, 0));
    else if (key === "Enter") inTurn(nextTask);
    else if (key === "b") inTurn(taskBefore);
  }
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat && event.key === "Enter") return;
  if (event.target === $("name")) {
    if (event.key === "Enter") inTurn(() => askName(begin));
    return;
  }
  if (event.target instanceof HTMLButtonElement && event.key === "Enter") return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!/^([sb1-5]|Arrow(Left|Right)|Enter)$/.test(key)) return;
  event.preventDefault();
  pressed(key);
});

$("begin").addEventListener("click", () => inTurn(() => askName(begin)));
$("language").addEventListener("click", () => setLanguage(text("otherLanguage")));
$("next").addEventListener("click", () => inTurn(nextTask));
$("back").addEventListener("click", () => inTurn(taskBefore));
$("again").addEventListener("click", () => inTurn(taskBefore));
$("finish").addEventListener("click", () => inTurn(finish));
$("close").addEventListener("click", () => $("stage").close());
$("step-back").addEventListener("click", () => openStep(current, step - 1));
$("step-next").addEventListener("click", () => openStep(current, step + 1));
setLanguage(language);
inTurn(begin);
