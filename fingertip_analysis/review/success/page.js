import {
  $, annotate, call, currentItem, drawProgress, drawReason, itemCount, keepReason, markChoice, nextItem, onChoice,
  queue, say, secondsInView, text, currentLanguage, writtenReason,
} from "./annotation.js";
import { drawMark } from "./marks.js";

let attempt = null; // the server's fields of the attempt in view
let step = 0; // index of the screen in view; the last one is the end

const picture = (number) => `screen/${currentItem().key}/${number}`;

async function open(task, content) {
  attempt = content;
  step = 0;
  say($("intent"), attempt.intent);
  say($("app"), attempt.app);
  drawReason(task);
  drawSteps();
  drawStep();
  await drawLabel();
}

function opened() {
  $("side").scrollTop = 0;
  // the next screens are loaded before they are looked at
  for (let number = 1; number <= attempt.steps.length; number += 1) new Image().src = picture(number);
}

function drawSteps() {
  const buttons = [...attempt.steps.map((one) => one.words[currentLanguage()]), text("end")].map((words, number) => {
    const button = document.createElement("button");
    button.type = "button";
    const count = document.createElement("i");
    count.textContent = number < attempt.steps.length ? number + 1 : "";
    const caption = document.createElement("span");
    say(caption, words);
    button.append(count, caption);
    button.addEventListener("click", () => goTo(number));
    return button;
  });
  $("steps").replaceChildren(...buttons);
}

function goTo(number) {
  step = Math.min(Math.max(number, 0), attempt.steps.length);
  drawStep();
}

function drawStep() {
  const end = step === attempt.steps.length;
  const one = end ? null : attempt.steps[step];
  const size = one?.size ?? attempt.steps.at(-1)?.size ?? [9, 20];
  const recorded = end ? attempt.final : one.screen;
  $("screen").hidden = !recorded;
  $("blank").hidden = recorded;
  $("screen").alt = end ? text("endScreen") : text("stepScreen", { n: step + 1 });
  if (recorded) $("screen").src = picture(step); else $("screen").removeAttribute("src");
  $("frame").style.aspectRatio = `${size[0]} / ${size[1]}`;
  $("where").textContent = end ? text("atEnd") : text("atStep", { n: step + 1, all: attempt.steps.length });
  say($("what"), (end ? attempt.end : one.words)[currentLanguage()]);
  $("note").textContent = end ? "" : one.note[currentLanguage()];
  $("back-step").disabled = step === 0;
  $("next-step").disabled = end;
  drawMark($("mark"), one, size);
  [...$("steps").children].forEach((button, number) => {
    if (number === step) button.setAttribute("aria-current", "step"); else button.removeAttribute("aria-current");
  });
  const current = $("steps").children[step];
  const list = $("steps");
  list.scrollTo({
    top: current.offsetTop - list.offsetTop - list.clientHeight / 2 + current.offsetHeight / 2,
    left: current.offsetLeft - list.offsetLeft - list.clientWidth / 2 + current.offsetWidth / 2,
  });
}

async function drawLabel() {
  const { key, label } = currentItem();
  markChoice("success", label?.success);
  markChoice("rating", label?.rating);
  $("success").classList.toggle("labelled", Boolean(label));
  $("next").classList.toggle("waiting", !label);
  $("next").firstElementChild.textContent = text(label ? "next" : "skip");
  drawProgress();
  // the person's own trajectory is sent only to raters who have labelled the success without it
  const way = label ? (await call(`way/${key}`)).way : [];
  $("way").replaceChildren(...way.map((words) => {
    const line = document.createElement("li");
    say(line, words[currentLanguage()]);
    return line;
  }));
  $("rating").hidden = !label;
}

async function save(change) {
  const task = currentItem();
  if (!change.success && !task.label) {
    throw new Error(text("firstSuccess"));
  }
  const label = { success: null, rating: null, seconds: null, ...task.label, why: writtenReason(), ...change };
  if (change.success) label.seconds = secondsInView();
  await call(`label/${task.key}`, label);
  const first = !task.label;
  task.label = label;
  await drawLabel();
  if (first) $("rating").scrollIntoView({ block: "nearest" });
}

const leave = () => keepReason(() => save({}));
const count = (success) => itemCount((task) => task.label.success === success);
const toNextStep = () => goTo(step + 1);
const toPreviousStep = () => goTo(step - 1);

onChoice("success", (success) => save({ success }));
onChoice("rating", (rating) => save({ rating: Number(rating) }));
$("why").addEventListener("blur", () => queue(leave));
$("back-step").addEventListener("click", toPreviousStep);
$("next-step").addEventListener("click", toNextStep);
$("next").addEventListener("click", () => queue(nextItem));
$("help-button").addEventListener("click", () => {
  $("help-button").setAttribute("aria-expanded", String($("help").classList.toggle("open")));
});
annotate({
  items: (state) => state.tasks,
  load: (task) => call(`task/${task.key}`),
  open,
  opened,
  leave,
  draw: () => {
    drawSteps();
    drawStep();
    queue(drawLabel);
  },
  translate: () => {
    $("why").placeholder = text("why");
  },
  summary: (tasks) => text("summary", {
    n: tasks.length, yes: count("yes"), no: count("no"), unsure: count("unsure"),
  }),
  keys: {
    task: {
      y: () => save({ success: "yes" }), n: () => save({ success: "no" }), u: () => save({ success: "unsure" }),
      ...Object.fromEntries([1, 2, 3, 4, 5].map((rating) => [rating, () => save({ rating })])),
      Enter: nextItem,
    },
  },
  immediateKeys: {
    task: {
      ArrowRight: toNextStep, ArrowDown: toNextStep, ArrowLeft: toPreviousStep, ArrowUp: toPreviousStep,
      Home: () => goTo(0), End: () => goTo(attempt.steps.length), w: () => $("why").focus(),
    },
  },
});
