import {
  $, annotate, call, currentItem, currentLanguage, drawProgress, itemCount, itemIndex, markChoice, nextItem, nextOpen, onChoice, queue,
  say, text, view,
} from "./annotation.js";

const SVG = "http://www.w3.org/2000/svg";
const SMALLEST = 4; // px of the screen; a shorter drag is a click

let byKey = new Map(); // key -> item of the list
let kinds = [];
let find = null; // the server's fields of the find in view
let size = [1, 1]; // of the stored screenshot, px
let alike = false; // whether the next decision holds for all finds with the same text
let from = null; // where a drag began, px of the screenshot
let drawn = null; // the box that is drawn

const kindName = (kind) => text(`kind_${kind}`);

async function open(item, content) {
  find = content;
  alike = false;
  from = drawn = null;
  setDrawing(false);
  $("screen").hidden = !find.picture;
  if (find.picture) {
    $("screen").src = `screen/${item.key}/0`;
    // a broken picture is shown as one, and has no size
    await $("screen").decode().catch(() => undefined);
    size = [$("screen").naturalWidth || 1, $("screen").naturalHeight || 1];
  } else $("screen").removeAttribute("src");
  draw();
}

function draw() {
  $("kind").textContent = find.unfound ? text("unfound") : kindName(find.kind);
  $("question").textContent = text(find.unfound ? "anything" : "question");
  $("confirm").textContent = text(find.unfound ? "something" : "confirm");
  $("reject").textContent = text(find.unfound ? "nothing" : "reject");
  say($("found"), find.context ? "" : find.text);
  const [source, step, field] = find.where;
  const place = [source, ...(step === null ? [] : [text("step", { n: step + 1 })]), field].filter(Boolean).join(" · ");
  say($("where"), place);
  say($("rule"), find.why[currentLanguage()]);
  $("frame").hidden = $("draw").hidden = !find.picture;
  $("blank").hidden = find.picture;
  $("screen").alt = text("screen");
  $("frame").style.aspectRatio = `${size[0]} / ${size[1]}`;
  drawContext();
  drawBoxes();
  drawClose();
  drawOthers();
  $("back").disabled = itemIndex() === 0;
  drawChoice();
}

function drawChoice() {
  markChoice("decision", currentItem().label);
  $("alike").hidden = find.alike === 0;
  $("alike").firstElementChild.textContent = text("alike", { n: find.alike });
  $("alike").setAttribute("aria-pressed", String(alike));
}

function drawContext() {
  $("context").hidden = !find.context;
  if (!find.context) return;
  const marked = document.createElement("mark");
  marked.textContent = find.context[1];
  $("context").lang = frame.languageOf(find.context.join(""));
  $("context").replaceChildren(find.context[0], marked, find.context[2]);
  marked.scrollIntoView({ block: "nearest" });
}

function rectangle([left, top, right, bottom], name) {
  const part = document.createElementNS(SVG, "rect");
  const place = { x: left, y: top, width: right - left, height: bottom - top, class: name };
  for (const [key, value] of Object.entries(place)) part.setAttribute(key, value);
  return part;
}

const around = (box) => (box ? [rectangle(box, "halo"), rectangle(box, "current")] : []);

function drawBoxes() {
  $("boxes").setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
  const near = find.neighbours.filter((one) => one.box);
  $("boxes").replaceChildren(
    ...near.map((one) => rectangle(one.box, one.label === "reject" ? "near rejected" : "near")),
    ...find.added.map((one) => rectangle(one.box, "added")),
    ...around(find.box),
    ...(drawn ? [rectangle(drawn, "drawn")] : []),
  );
}

// the find, enlarged, with its surroundings
function drawClose() {
  $("close").toggleAttribute("hidden", !(find.picture && find.box));
  if (!find.picture || !find.box) return;
  const [left, top, right, bottom] = find.box;
  const pad = Math.max(12, (bottom - top) / 2);
  $("close").setAttribute("viewBox", `${left - pad} ${top - pad} ${right - left + 2 * pad} ${bottom - top + 2 * pad}`);
  $("close").setAttribute("aria-label", text("close", { kind: kindName(find.kind) }));
  const picture = document.createElementNS(SVG, "image");
  picture.setAttribute("href", $("screen").getAttribute("src"));
  picture.setAttribute("width", size[0]);
  picture.setAttribute("height", size[1]);
  $("close").replaceChildren(picture, ...around(find.box));
}

function element(name, content, attributes = {}) {
  const part = document.createElement(name);
  say(part, content);
  for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
  return part;
}

function drawOthers() {
  const line = (one, ...parts) => {
    const row = document.createElement("li");
    row.append(element("span", kindName(one.kind), { class: "soft" }), element("span", one.text, { class: "words" }), ...parts);
    return row;
  };
  const near = find.neighbours.map((one) => {
    const label = one.label === null ? "" : text(one.label);
    return line(one, element("span", label, { class: "soft" }));
  });
  const added = find.added.map((one) => {
    const button = element("button", text("remove"), { type: "button", "aria-label": `${text("remove")} ${kindName(one.kind)} ${one.text}` });
    button.addEventListener("click", () => queue(() => remove(one.key)));
    return line(one, element("span", text("added"), { class: "soft" }), button);
  });
  $("others").replaceChildren(...added, ...near);
  $("near").hidden = added.length + near.length === 0;
}

// ---- decisions
async function decide(decision) {
  if (view() !== "task") return;
  const { decided } = await call(`label/${currentItem().key}`, { decision, alike });
  for (const key of decided) byKey.get(key).label = decision;
  drawProgress();
  await nextOpen(itemIndex() + 1);
}

function toggleAlike() {
  if (view() !== "task" || find.alike === 0) return;
  alike = !alike;
  drawChoice();
}

async function remove(key) {
  await call(`remove/${key}`, {});
  find.added = find.added.filter((one) => one.key !== key);
  draw();
}

// ---- a new box: by a drag of the mouse, and by touch after the button
function setDrawing(on) {
  $("frame").classList.toggle("drawing", on);
  $("draw").setAttribute("aria-pressed", String(on));
  $("draw-keys").hidden = !on;
  if (!on) $("frame").removeAttribute("tabindex");
}

function toggleDrawing() {
  const on = !$("frame").classList.contains("drawing");
  if (!on) {
    dropDrawn();
    return;
  }
  setDrawing(true);
  $("frame").tabIndex = 0;
  $("frame").focus();
}

// ---- the same by keyboard: a box in the middle, which arrow keys move, or resize with Shift
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function boxKey(event) {
  const step = STEPS[event.key], [width, height] = size, unit = Math.max(1, Math.round(width / 60));
  if (!$("frame").classList.contains("drawing") || !(step || event.key === "Enter" || event.key === "Escape")) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.key === "Escape") {
    dropDrawn();
  } else if (event.key === "Enter") {
    if (drawn) askKind();
  } else {
    const box = drawn ?? [0.4 * width, 0.45 * height, 0.6 * width, 0.55 * height].map(Math.round);
    const [left, top, right, bottom] = box.map((at, side) => at + (side < 2 && event.shiftKey ? 0 : unit * step[side % 2]));
    // a box stays on the screen, and has a size
    if (left >= 0 && top >= 0 && right <= width && bottom <= height && right > left && bottom > top) drawn = [left, top, right, bottom];
    drawBoxes();
  }
}

function askKind() {
  $("add-text").value = "";
  $("add-kind").value = find.kind;
  $("add").showModal();
  $("add-kind").focus();
}

function pointOf(event) {
  const frame = $("frame").getBoundingClientRect();
  const share = (at, start, length) => Math.min(Math.max((at - start) / length, 0), 1);
  return [
    Math.round(share(event.clientX, frame.left, frame.width) * size[0]),
    Math.round(share(event.clientY, frame.top, frame.height) * size[1]),
  ];
}

function startDrag(event) {
  if (!find.picture || event.button !== 0) return;
  if (event.pointerType !== "mouse" && !$("frame").classList.contains("drawing")) return;
  event.preventDefault();
  $("frame").setPointerCapture(event.pointerId);
  from = pointOf(event);
}

function drag(event) {
  if (from === null) return;
  const to = pointOf(event);
  drawn = [0, 1].map((axis) => Math.min(from[axis], to[axis])).concat([0, 1].map((axis) => Math.max(from[axis], to[axis])));
  drawBoxes();
}

function endDrag(event) {
  if (from === null) return;
  drag(event);
  from = null;
  const scale = $("frame").clientWidth / size[0];
  if (Math.min(drawn[2] - drawn[0], drawn[3] - drawn[1]) * scale < SMALLEST) {
    dropDrawn();
    return;
  }
  askKind();
}

function dropDrawn() {
  // the frame that a box was made on by keyboard can have the focus no longer
  if (document.activeElement === $("frame")) $("draw").focus();
  from = drawn = null;
  setDrawing(false);
  drawBoxes();
}

async function saveBox() {
  const box = { kind: $("add-kind").value, box: drawn, text: $("add-text").value.trim() };
  const added = await call(`box/${currentItem().key}`, box);
  find.added = [...find.added.filter((one) => one.key !== added.key), added];
  dropDrawn();
  $("add").close();
  draw();
}

function drawKinds() {
  const chosen = $("add-kind").value;
  $("add-kind").replaceChildren(...kinds.map((kind) => element("option", kindName(kind), { value: kind })));
  if (chosen) $("add-kind").value = chosen;
}

$("frame").addEventListener("keydown", boxKey);
$("frame").addEventListener("pointerdown", startDrag);
$("frame").addEventListener("pointermove", drag);
$("frame").addEventListener("pointerup", endDrag);
$("frame").addEventListener("pointercancel", dropDrawn);
$("draw").addEventListener("click", toggleDrawing);
$("alike").addEventListener("click", toggleAlike);
$("next").addEventListener("click", () => queue(nextItem));
$("cancel").addEventListener("click", () => $("add").close());
$("add").addEventListener("close", dropDrawn);
$("add-form").addEventListener("submit", (event) => {
  event.preventDefault();
  queue(saveBox);
});
onChoice("decision", decide);
annotate({
  command: "fingertip privacy review",
  items: (state) => {
    kinds = state.kinds;
    drawKinds();
    byKey = new Map(state.finds.map((item) => [item.key, item]));
    return state.finds;
  },
  load: (item) => call(`task/${item.key}`),
  open,
  draw,
  translate: drawKinds,
  summary: (finds) => {
    const yes = itemCount((one) => one.label === "confirm");
    return text("summary", { all: finds.length, yes, no: finds.length - yes });
  },
  view: () => ($("add").open ? "add" : view()),
  // all wait for the decision before them; the dialog has the keys of its form
  keys: {
    task: { y: () => decide("confirm"), n: () => decide("reject"), s: toggleAlike, a: toggleDrawing, Enter: nextItem },
  },
});
