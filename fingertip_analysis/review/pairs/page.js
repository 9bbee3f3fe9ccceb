import {
  $, annotate, call, currentItem, drawProgress, drawReason, itemCount, keepReason, markChoice, nextItem, onChoice,
  queue, say, secondsInView, text, view, writtenReason,
} from "./annotation.js";

function open(pair) {
  say($("intended"), pair.intended);
  say($("predicted"), pair.predicted);
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
  items: (state) => state.pairs,
  open,
  leave,
  translate: () => {
    $("why").placeholder = text("why");
    $("why").setAttribute("aria-label", text("why"));
  },
  summary: (pairs) => text("summary", {
    all: pairs.length, yes: count("yes"), no: count("no"), unsure: count("unsure"),
  }),
  keys: {
    task: {
      y: () => choose("yes"), n: () => choose("no"), u: () => choose("unsure"),
      w: () => $("why").focus(), Enter: nextItem,
    },
  },
});
