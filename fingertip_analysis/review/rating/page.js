import {
  $, annotate, call, currentItem, currentLanguage, drawProgress, itemIndex, nextItem, queue, secondsInView, text, view,
} from "./annotation.js";
import { drawMark } from "./marks.js";

const TEXTS = {
  zh: {
    title: "像不像本人的做法",
    whoWhy: "名字会与你的每个评分一起保存，也决定任务和做法的先后顺序。",
    ownTitle: (own) => (own ? "你自己的做法" : "本人的做法"), way: (letter) => `做法 ${letter}`,
    question: (own) => (own
      ? "下面的每种做法，有多像你自己的做法？请看它是否符合你特有的习惯和偏好；最后有没有做成不影响评分。"
      : "下面的每种做法，有多像这个人自己的做法？请看它是否符合此人特有的习惯和偏好；最后有没有做成不影响评分。"),
    low: "完全不像", high: (own) => (own ? "正是我的做法" : "正是此人的做法"), nothing: "什么也没做",
    step: (number, count) => `第 ${number} 步，共 ${count} 步：`, blank: "没有截图", close: "关闭", rate: "评分",
    back: "上一题", next: "下一题", skip: "以后再评", done: "都评完了。",
    kept: "所有评分都已保存，可以关闭这个窗口。", progress: "已评",
    summary: (count) => `你评了 ${count} 题。`,
    keys: "1–5 评分 · ← → 换一种做法 · S 看截图 · Enter 下一题 · B 上一题",
  },
  en: {
    title: "Done in this person's way?",
    whoWhy: "Your name is kept with each of your ratings. It also decides in which order tasks and ways come.",
    ownTitle: (own) => (own ? "Your own way" : "The person's own way"), way: (letter) => `Way ${letter}`,
    question: (own) => (own
      ? "How much is each of these ways done as you do it? Go by your own habits and preferences. "
      : "How much is each of these ways done as this person does it? Go by their own habits and preferences. ")
      + "Whether it came off in the end makes no difference.",
    low: "not at all", high: (own) => (own ? "just as I do it" : "just as they do it"), nothing: "did nothing",
    step: (number, count) => `Step ${number} of ${count}: `, blank: "No screen", close: "Close", rate: "Rate",
    back: "Task before", next: "Next task", skip: "Later", done: "All is rated.",
    progress: "Rated",
    count: (done, total) => `${done} of ${total} rated`, summary: (count) => `You rated ${count} tasks.`,
    keys: "1–5 rate · ← → other way · S screens · Enter next task · B task before",
  },
};

let own = false; // whether the rater is the task's user
let task = null; // the server's fields of the task in view
let current = 0; // index of the trajectory that a key rates
let step = 0; // of it, in the dialog

function open(_, content) {
  task = content;
  current = Math.max(0, task.ways.findIndex((way) => way.rating === null));
  draw();
}

function element(name, content, attributes = {}) {
  const part = document.createElement(name);
  if (typeof content === "string") part.textContent = content; else part.append(...content);
  for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
  return part;
}

function draw() {
  $("intent").textContent = task.intent;
  $("app").textContent = task.app;
  $("question").textContent = text("question")(own);
  $("own-title").textContent = text("ownTitle")(own);
  $("own-steps").replaceChildren(...task.own.map((words) => element("li", words[currentLanguage()])));
  $("ways").replaceChildren(...task.ways.map(drawWay));
  const whole = task.ways.every((way) => way.rating !== null);
  $("next").classList.toggle("main", whole);
  $("next").firstElementChild.textContent = text(whole ? "next" : "skip");
  $("back").disabled = itemIndex() === 0;
  currentItem().label = whole;
  drawProgress();
}

function drawWay(way, number) {
  const title = text("way")("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number] ?? String(number + 1));
  const steps = way.steps.map((one, place) => {
    const button = element("button", one.words[currentLanguage()], { type: "button" });
    button.addEventListener("click", () => openStep(number, place));
    return element("li", [button]);
  });
  const rates = [1, 2, 3, 4, 5].map((rating) => {
    const button = element("button", String(rating), {
      type: "button", "aria-pressed": String(way.rating === rating), "data-rating": rating,
      "aria-label": `${title}, ${text("rate")} ${rating}`,
    });
    button.addEventListener("click", () => queue(() => rate(number, rating)));
    return button;
  });
  const part = element("section", [
    element("h2", title),
    steps.length ? element("ol", steps, { class: "steps" }) : element("p", text("nothing"), { class: "soft" }),
    element("div", rates, { class: "choices five" }),
    element("p", [element("span", text("low")), element("span", text("high")(own))], { class: "ends soft" }),
  ], { class: "way card", "aria-label": title });
  part.addEventListener("click", () => { goTo(number); });
  if (number === current) part.setAttribute("aria-current", "true");
  return part;
}

function goTo(number) {
  current = Math.min(Math.max(number, 0), task.ways.length - 1);
  [...$("ways").children].forEach((part, place) => {
    if (place === current) part.setAttribute("aria-current", "true"); else part.removeAttribute("aria-current");
  });
}

async function rate(number, rating) {
  await call(`rating/${task.ways[number].key}`, { rating, seconds: secondsInView() });
  task.ways[number].rating = rating;
  const open = task.ways.findIndex((way) => way.rating === null);
  current = open < 0 ? number : open;
  draw();
  $("ways").children[current].scrollIntoView({ block: "nearest" });
}

function openStep(number, place) {
  const { steps } = task.ways[number];
  if (!steps.length) return;
  goTo(number);
  step = Math.min(Math.max(place, 0), steps.length - 1);
  const one = steps[step];
  $("screen").hidden = !one.screen;
  if (one.screen) $("screen").src = `screen/${task.ways[number].key}/${step}`;
  else $("screen").removeAttribute("src");
  $("frame").style.aspectRatio = `${one.size[0]} / ${one.size[1]}`;
  drawMark($("mark"), one, one.size);
  $("what").textContent = text("step")(step + 1, steps.length) + one.words[currentLanguage()] + (one.screen ? "" : ` (${text("blank")})`);
  $("step-back").disabled = step === 0;
  $("step-next").disabled = step === steps.length - 1;
  if (!$("stage").open) $("stage").showModal();
}

const closeStep = () => $("stage").close();
const toStep = (by) => () => openStep(current, step + by);

$("next").addEventListener("click", () => queue(nextItem));
$("close").addEventListener("click", closeStep);
$("step-back").addEventListener("click", toStep(-1));
$("step-next").addEventListener("click", toStep(1));
annotate({
  texts: TEXTS,
  language: navigator.language.startsWith("zh") ? "zh" : "en",
  items: (state) => {
    own = state.own;
    return state.tasks;
  },
  load: (one) => call(`task/${one.key}`),
  open,
  draw,
  summary: (tasks) => text("summary")(tasks.length),
  view: () => ($("stage").open ? "stage" : view()),
  // all wait for the ratings before them, as they depend on which trajectory is current then
  keys: {
    task: {
      ...Object.fromEntries([1, 2, 3, 4, 5].map((rating) => [rating, () => rate(current, rating)])),
      ArrowRight: () => goTo(current + 1), ArrowLeft: () => goTo(current - 1),
      s: () => openStep(current, 0), Enter: nextItem,
    },
  },
  immediateKeys: { stage: { ArrowRight: toStep(1), ArrowLeft: toStep(-1), s: closeStep } },
});
