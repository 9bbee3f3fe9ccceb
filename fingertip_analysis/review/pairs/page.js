import {
  $, annotate, call, currentItem, drawProgress, drawReason, itemCount, keepReason, markChoice, nextItem, onChoice,
  queue, secondsInView, view, writtenReason,
} from "./annotation.js";

function open(pair) {
  $("intended").textContent = pair.intended;
  $("predicted").textContent = pair.predicted;
  drawReason(pair);
  markChoice("same", pair.label?.same);
}

async function save(same, seconds) {
  const pair = currentItem();
  const label = { same, why: writtenReason(), seconds };
  await call(`label/${pair.key}`, label);
  pair.label = label;
  drawProgress();
}

async function choose(same) {
  if (view() !== "task") return;
  await save(same, secondsInView());
  await nextItem();
}

const leave = () => keepReason((label) => save(label.same, label.seconds));
const count = (same) => itemCount((pair) => pair.label.same === same);

onChoice("same", choose);
$("why").addEventListener("blur", () => queue(leave));
$("next").addEventListener("click", () => queue(nextItem));
annotate({
  texts: {
    en: {
      who: "Who is looking?",
      whoWhy: "Your name goes with each of your answers. It also decides in which order the pairs come.",
    },
  },
  items: (state) => state.pairs,
  open,
  leave,
  summary: (pairs) =>
    `${pairs.length} pairs: ${count("yes")} the same, ${count("no")} different, ${count("unsure")} not sure.`,
  keys: {
    task: {
      y: () => choose("yes"), n: () => choose("no"), u: () => choose("unsure"),
      w: () => $("why").focus(), Enter: nextItem,
    },
  },
});
