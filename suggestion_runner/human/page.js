import {
  $, annotate, call, currentItem, currentLanguage, itemIndex, nextOpen, queue, secondsInView, setItems, text, view,
} from "./annotation.js";
import { sections } from "./sections.js";

let state = null; // the server's: the rater's tasks, the answered ones first, then the open ones in their order
let task = null; // what is known of the task in view, in both languages
const drafts = new Map(); // key -> what is written and not saved, and for how long it was in view

function readState(found) {
  state = found;
  return state.tasks ?? [];
}

function open({ key, label }, content) {
  task = content;
  const draft = drafts.get(key);
  $("text").value = draft?.text ?? label?.text ?? "";
  draw(key);
  return draft?.seconds ?? label?.seconds ?? 0;
}

function opened() {
  // on a touch screen the focus would open the keyboard over the task
  if (matchMedia("(pointer: fine)").matches) $("text").focus({ preventScroll: true });
}

function draw(key = currentItem().key) {
  $("known").replaceChildren(...sections(task.known[currentLanguage()]));
  $("question").textContent = task.question[currentLanguage()];
  $("rules").textContent = task.rules[currentLanguage()];
  $("back").disabled = itemIndex() === 0;
  $("takeover").hidden = state.own || Boolean(currentItem().label);
  if ($("screens").dataset.key === key) return;
  $("screens").dataset.key = key;
  $("screens").replaceChildren(...Array.from({ length: task.screens }, (_, number) => {
    const image = document.createElement("img");
    image.src = `screen/${key}/${number}`;
    image.alt = text("screen", { n: number + 1 });
    return image;
  }));
}

function keepDraft() {
  if (view() !== "task") return;
  const written = $("text").value;
  const { key, label } = currentItem();
  if (label && written.trim() === label.text) drafts.delete(key);
  else drafts.set(key, { text: written, seconds: secondsInView() });
}

async function save() {
  if (view() !== "task") return;
  if (!$("text").value.trim()) throw new Error(text("noText"));
  const { key } = currentItem();
  const answer = { text: $("text").value, seconds: secondsInView(), language: currentLanguage() };
  const found = await call(`answer/${key}`, answer);
  drafts.delete(key);
  document.body.dataset.view = "saved"; // what is in the field is no draft any more
  setItems(readState(found));
  await nextOpen();
}

const skip = () => (view() === "task" ? nextOpen(itemIndex() + 1) : undefined);

$("answer").addEventListener("submit", (event) => {
  event.preventDefault();
  queue(save);
});
$("skip").addEventListener("click", () => queue(skip));
annotate({
  language: "zh",
  command: "fingertip suggest",
  join: () => call("join", {}),
  items: readState,
  load: (one) => call(`task/${one.key}`),
  open,
  opened,
  draw,
  translate: () => {
    $("text").placeholder = matchMedia("(max-width: 640px)").matches ? text("how") : "";
  },
  leave: keepDraft,
  summary: (tasks) => text("summary", { n: tasks.filter((one) => one.label).length })
    + (state.open ? text("owed", { n: state.open }) : ""),
  submit: save,
  keys: { task: { Enter: () => $("text").focus() } },
  // the server ends with the last rater; until then others may be on their pages
  finishPlace: () => (state.open ? "leave" : "finish"),
});
