import {
  $, annotate, call, currentItem, currentLanguage, drawProgress, drawReason, itemCount, itemIndex, keepReason,
  markChoice, nextItem, onChoice, queue, say, secondsInView, text, view, writtenReason,
} from "./annotation.js";
import { sections } from "./sections.js";

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
  say($("suggestion"), shown.suggestion);
  $("question").textContent = text(own ? "questionMine" : "question");
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
  summary: (all) => {
    const yes = itemCount((one) => one.label.accepted);
    return text("summary", { all: all.length, yes, no: all.length - yes });
  },
  keys: {
    task: {
      ...Object.fromEntries([1, 2, 3, 4, 5].map((score) => [score, () => choose({ score })])),
      y: accept(true), n: accept(false), w: () => $("why").focus(), Enter: nextItem,
    },
  },
});
