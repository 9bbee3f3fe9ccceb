// All that comes from a run is put into the page as text, never as markup.
import { $, askName, call, drawProgress, finish, inTurn, lookAt, looked, show, sitting } from "./rater.js";

let pairs = []; // in this rater's order: {key, predicted, intended, label}
let at = 0; // index of the pair that is shown

async function begin() {
  const told = await call("sitting");
  sitting.rater = told.rater;
  pairs = told.pairs;
  drawProgress(pairs);
  if (sitting.rater === null) {
    show("ask");
    $("name").focus();
  } else nextOpen();
}

function open(index) {
  at = index;
  lookAt();
  const { predicted, intended, label, why } = pairs[at];
  $("intended").textContent = intended;
  $("predicted").textContent = predicted;
  $("why").value = why ?? label?.why ?? "";
  for (const button of document.querySelectorAll("[data-same]")) {
    button.setAttribute("aria-pressed", String(button.dataset.same === label?.same));
  }
  drawProgress(pairs);
  show("pair");
  window.scrollTo(0, 0);
}

function nextOpen() {
  const found = pairs.findIndex((pair) => !pair.label);
  if (found >= 0) return open(found);
  const count = (same) => pairs.filter((pair) => pair.label.same === same).length;
  $("summary").textContent =
    `${pairs.length} pairs: ${count("yes")} the same, ${count("no")} different, ${count("unsure")} not sure.`;
  drawProgress(pairs);
  show("done");
}

async function save(same, seconds) {
  const pair = pairs[at];
  const label = { same, why: $("why").value.trim(), seconds };
  await call(`label/${pair.key}`, label);
  pair.label = label;
  drawProgress(pairs);
}

async function say(same) {
  if (document.body.dataset.view !== "pair") return;
  await save(same, looked());
  next();
}

function next() {
  if (at + 1 < pairs.length) open(at + 1);
  else nextOpen();
}

// A reason without an answer waits for it on the page.
async function keepWhy() {
  if (document.body.dataset.view !== "pair") return;
  const { label } = pairs[at];
  pairs[at].why = $("why").value.trim();
  if (label && label.why !== pairs[at].why) await save(label.same, label.seconds);
}

async function goOn() {
  await keepWhy();
  next();
}

async function before() {
  await keepWhy();
  if (document.body.dataset.view === "done") open(pairs.length - 1);
  else if (at > 0) open(at - 1);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
  const view = document.body.dataset.view;
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
  const same = { y: "yes", n: "no", u: "unsure" }[key];
  if (same) inTurn(() => say(same));
  else if (key === "b") inTurn(before);
  else if (key === "Enter") inTurn(() => (document.body.dataset.view === "done" ? finish() : goOn()));
  else if (key === "w" && view === "pair") $("why").focus();
  else return;
  event.preventDefault();
});

for (const button of document.querySelectorAll("[data-same]")) {
  button.addEventListener("click", () => inTurn(() => say(button.dataset.same)));
}
$("why").addEventListener("blur", () => inTurn(keepWhy));
$("begin").addEventListener("click", () => inTurn(() => askName(begin)));
$("back").addEventListener("click", () => inTurn(before));
$("next").addEventListener("click", () => inTurn(goOn));
$("again").addEventListener("click", () => inTurn(before));
$("finish").addEventListener("click", () => inTurn(finish));
inTurn(begin);
