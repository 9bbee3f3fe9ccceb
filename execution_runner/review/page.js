// All that comes from a run is put into the page as text, never as markup.
import { $, askName, call, drawProgress, finish, inTurn, lookAt, looked, show, sitting } from "./rater.js";
import { drawMark } from "./marks.js";

let tasks = []; // in this rater's order: {key, label}
let at = 0; // index of the task that is shown
let shown = null; // what the server says of it
let step = 0; // index of its screen; the last one is the end

async function begin() {
  const told = await call("sitting");
  sitting.rater = told.rater;
  tasks = told.tasks;
  drawProgress(tasks);
  if (sitting.rater === null) {
    show("ask");
    $("name").focus();
    return;
  }
  const open = tasks.findIndex((task) => !task.label);
  if (open < 0) finished(); else await openTask(open);
}

async function openTask(index) {
  const found = await call(`task/${tasks[index].key}`);
  at = index;
  shown = found;
  step = 0;
  lookAt();
  $("intent").textContent = shown.intent;
  $("app").textContent = shown.app;
  $("why").value = tasks[at].why ?? tasks[at].label?.why ?? "";
  drawSteps();
  drawStep();
  await drawLabel();
  show("task");
  window.scrollTo(0, 0);
  $("side").scrollTop = 0;
  for (let number = 1; number <= shown.steps.length; number += 1) new Image().src = picture(number);
}

const picture = (number) => `screen/${tasks[at].key}/${number}`;

function drawSteps() {
  const buttons = [...shown.steps.map((one) => one.words), "The end"].map((words, number) => {
    const button = document.createElement("button");
    button.type = "button";
    const count = document.createElement("i");
    count.textContent = number < shown.steps.length ? number + 1 : "";
    const text = document.createElement("span");
    text.textContent = words;
    button.append(count, text);
    button.addEventListener("click", () => goTo(number));
    return button;
  });
  $("steps").replaceChildren(...buttons);
}

function goTo(number) {
  step = Math.min(Math.max(number, 0), shown.steps.length);
  drawStep();
}

function drawStep() {
  const end = step === shown.steps.length;
  const one = end ? null : shown.steps[step];
  const size = one?.size ?? shown.steps.at(-1)?.size ?? [9, 20];
  const there = end ? shown.final : one.screen;
  $("screen").hidden = !there;
  $("blank").hidden = there;
  $("screen").alt = end ? "the screen at the end" : `screen of step ${step + 1}`;
  if (there) $("screen").src = picture(step); else $("screen").removeAttribute("src");
  $("frame").style.aspectRatio = `${size[0]} / ${size[1]}`;
  $("where").textContent = end ? "The end." : `Step ${step + 1} of ${shown.steps.length}`;
  $("what").textContent = end ? shown.end : one.words;
  $("note").textContent = end ? "" : one.note;
  $("back-step").disabled = step === 0;
  $("next-step").disabled = end;
  drawMark($("mark"), one, size);
  [...$("steps").children].forEach((button, number) => {
    if (number === step) button.setAttribute("aria-current", "step"); else button.removeAttribute("aria-current");
  });
  const here = $("steps").children[step];
  const list = $("steps");
  list.scrollTo({
    top: here.offsetTop - list.offsetTop - list.clientHeight / 2 + here.offsetHeight / 2,
    left: here.offsetLeft - list.offsetLeft - list.clientWidth / 2 + here.offsetWidth / 2,
  });
}

async function drawLabel() {
  const { key, label } = tasks[at];
  for (const button of document.querySelectorAll("[data-success]")) {
    button.setAttribute("aria-pressed", String(button.dataset.success === label?.success));
  }
  for (const button of document.querySelectorAll("[data-rating]")) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.rating) === label?.rating));
  }
  $("success").classList.toggle("said", Boolean(label));
  $("next").classList.toggle("waiting", !label);
  $("next").firstElementChild.textContent = label ? "Next task" : "Skip for now";
  drawProgress(tasks);
  // the person's own way is told only to those who have judged the success without it
  const way = label ? (await call(`way/${key}`)).way : [];
  $("way").replaceChildren(...way.map((words) => {
    const item = document.createElement("li");
    item.textContent = words;
    return item;
  }));
  $("rating").hidden = !label;
}

async function say(change) {
  const task = tasks[at];
  if (!change.success && !task.label) {
    throw new Error("First say whether it is done: Y, N or U.");
  }
  const label = { success: null, rating: null, seconds: null, ...task.label, why: $("why").value.trim(), ...change };
  if (change.success) label.seconds = looked();
  await call(`label/${task.key}`, label);
  const first = !task.label;
  task.label = label;
  await drawLabel();
  if (first) $("rating").scrollIntoView({ block: "nearest" });
}

// A reason without an answer waits for it on the page.
async function keepWhy() {
  if (document.body.dataset.view !== "task") return;
  const { label } = tasks[at];
  tasks[at].why = $("why").value.trim();
  if (label && label.why !== tasks[at].why) await say({});
}

async function nextTask() {
  await keepWhy();
  if (at + 1 < tasks.length) return openTask(at + 1);
  const open = tasks.findIndex((task) => !task.label);
  return open < 0 ? finished() : openTask(open);
}

async function taskBefore() {
  await keepWhy();
  if (document.body.dataset.view === "done") return openTask(tasks.length - 1);
  return at > 0 ? openTask(at - 1) : undefined;
}

function finished() {
  const count = (success) => tasks.filter((task) => task.label.success === success).length;
  $("summary").textContent =
    `${tasks.length} tasks: ${count("yes")} done, ${count("no")} not done, ${count("unsure")} not sure.`;
  show("done");
}

function pressed(key) {
  const view = document.body.dataset.view;
  if (view === "done") {
    if (key === "Enter") inTurn(finish);
    if (key === "b") inTurn(taskBefore);
  }
  if (view !== "task") return;
  const success = { y: "yes", n: "no", u: "unsure" }[key];
  if (success) inTurn(() => say({ success }));
  else if (/^[1-5]$/.test(key)) inTurn(() => say({ rating: Number(key) }));
  else if (key === "ArrowRight" || key === "ArrowDown") goTo(step + 1);
  else if (key === "ArrowLeft" || key === "ArrowUp") goTo(step - 1);
  else if (key === "Home") goTo(0);
  else if (key === "End") goTo(shown.steps.length);
  else if (key === "Enter") inTurn(nextTask);
  else if (key === "b") inTurn(taskBefore);
  else if (key === "w") $("why").focus();
}

const KEYS = /^([ynuwb1-5]|Arrow(Left|Right|Up|Down)|Home|End|Enter)$/;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat && event.key === "Enter") return;
  if (event.target === $("name")) {
    if (event.key === "Enter") inTurn(() => askName(begin));
    return;
  }
  if (event.target === $("why")) {
    if (event.key === "Escape" || event.key === "Enter") {
      event.preventDefault();
      $("why").blur();
    }
    return;
  }
  if (event.target instanceof HTMLButtonElement && event.key === "Enter") return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!KEYS.test(key)) return;
  event.preventDefault();
  pressed(key);
});

for (const button of document.querySelectorAll("[data-success]")) {
  button.addEventListener("click", () => inTurn(() => say({ success: button.dataset.success })));
}
for (const button of document.querySelectorAll("[data-rating]")) {
  button.addEventListener("click", () => inTurn(() => say({ rating: Number(button.dataset.rating) })));
}
$("why").addEventListener("blur", () => inTurn(keepWhy));
$("begin").addEventListener("click", () => inTurn(() => askName(begin)));
$("back-step").addEventListener("click", () => goTo(step - 1));
$("next-step").addEventListener("click", () => goTo(step + 1));
$("next").addEventListener("click", () => inTurn(nextTask));
$("back").addEventListener("click", () => inTurn(taskBefore));
$("look-again").addEventListener("click", () => inTurn(taskBefore));
$("finish").addEventListener("click", () => inTurn(finish));
$("help-button").addEventListener("click", () => {
  $("help-button").setAttribute("aria-expanded", String($("help").classList.toggle("open")));
});
inTurn(begin);
