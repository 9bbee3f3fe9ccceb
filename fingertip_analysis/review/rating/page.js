import {
  $, annotate, call, currentItem, currentLanguage, drawProgress, itemIndex, nextItem, queue, say, secondsInView,
  text, view,
} from "./annotation.js";
import { drawMark } from "./marks.js";

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
  say($("intent"), task.intent);
  say($("app"), task.app);
  $("question").textContent = text(own ? "questionMine" : "question");
  $("own-title").textContent = text(own ? "ownTitleMine" : "ownTitle");
  $("own-steps").replaceChildren(...task.own.map((words) => element("li", words[currentLanguage()], { lang: frame.languageOf(words[currentLanguage()]) })));
  $("ways").replaceChildren(...task.ways.map(drawWay));
  const whole = task.ways.every((way) => way.rating !== null);
  $("next").classList.toggle("main", whole);
  $("next").firstElementChild.textContent = text(whole ? "next" : "skip");
  $("back").disabled = itemIndex() === 0;
  currentItem().label = whole;
  drawProgress();
}

function drawWay(way, number) {
  const title = text("way", { letter: "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number] ?? String(number + 1) });
  const steps = way.steps.map((one, place) => {
    const button = element("button", one.words[currentLanguage()], { type: "button", lang: frame.languageOf(one.words[currentLanguage()]) });
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
    element("p", [element("span", text("low")), element("span", text(own ? "highMine" : "high"))], { class: "ends soft" }),
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
  $("what").textContent = text("step", { n: step + 1, all: steps.length }) + one.words[currentLanguage()] + (one.screen ? "" : ` (${text("blank")})`);
  $("step-back").disabled = step === 0;
  $("step-next").disabled = step === steps.length - 1;
  if (!$("stage").open) $("stage").showModal();
  // a button that cannot be pressed any more cannot keep the focus
  if (!$("stage").contains(document.activeElement) || document.activeElement.disabled) $("close").focus();
}

const closeStep = () => $("stage").close();
const toStep = (by) => () => openStep(current, step + by);

$("next").addEventListener("click", () => queue(nextItem));
$("close").addEventListener("click", closeStep);
$("step-back").addEventListener("click", toStep(-1));
$("step-next").addEventListener("click", toStep(1));
annotate({
  items: (state) => {
    own = state.own;
    return state.tasks;
  },
  load: (one) => call(`task/${one.key}`),
  open,
  draw,
  summary: (tasks) => text("summary", { n: tasks.length }),
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
