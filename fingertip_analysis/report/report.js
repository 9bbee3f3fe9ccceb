"use strict";
// Everything that comes from data goes into the page as text, never as markup.
const SVG = "http://www.w3.org/2000/svg";
const NAMES = JSON.parse(document.getElementById("names").textContent);
const KEYS = { press_back: "back", press_home: "home", press_recent: "recent", wait: "wait", finished: "finished" };
const WORDS = { click: "tap", long_click: "hold", scroll: "scroll", type: "type", ask: "ask" };
const WAYS = new Set(["up", "down", "left", "right"]);
const text = (key, values) => frame.text(`execution.${key}`, values);
// what data says, with its language
const said = (tag, words, fields = {}) => node(tag, { ...fields, lang: frame.languageOf(words) }, words);

function node(tag, fields = {}, ...children) {
  const made = fields.xmlns ? document.createElementNS(fields.xmlns, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(fields)) if (name !== "xmlns") made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}
const shape = (tag, fields) => node(tag, { ...fields, xmlns: SVG });

function overlay(step) {
  const [width, height] = step.size;
  const picture = node("svg", { xmlns: SVG, viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  const [x, y] = step.at, r = Math.min(width, height) * 0.075;
  if (step.to) {
    const [tx, ty] = step.to, way = Math.hypot(tx - x, ty - y) || 1, ux = (tx - x) / way, uy = (ty - y) / way;
    const point = (along, across) => `${tx - along * ux * r - across * uy * r},${ty - along * uy * r + across * ux * r}`;
    const line = { x1: x, y1: y, x2: tx - ux * r, y2: ty - uy * r };
    picture.append(
      shape("line", { ...line, class: "halo", "stroke-width": r * 0.75, "stroke-linecap": "round" }),
      shape("line", { ...line, class: "path", "stroke-width": r * 0.4 }),
      shape("polygon", { points: `${point(0, 0)} ${point(1.7, 0.95)} ${point(1.7, -0.95)}`, class: "head" }),
      shape("circle", { cx: x, cy: y, r: r * 0.5, class: "core" }));
    return picture;
  }
  picture.append(
    shape("circle", { cx: x, cy: y, r: r * 1.12, class: "halo", "stroke-width": r * 0.3 }),
    shape("circle", { cx: x, cy: y, r, class: "ring", "stroke-width": r * 0.26 }),
    shape("circle", { cx: x, cy: y, r: r * 0.24, class: "core" }));
  if (step.name === "long_click")
    picture.append(shape("circle", { cx: x, cy: y, r: r * 1.55, class: "hold", "stroke-width": r * 0.18, "stroke-dasharray": `${r * 0.5} ${r * 0.3}` }));
  return picture;
}

// Screens come last in the file, so a task may be drawn before its screens are there.
const waiting = [];
function showScreen(image, number) {
  const screens = document.getElementById("screens"), size = Number(screens?.dataset.perPart);
  const part = screens?.content.children[Math.floor(number / size)];
  // the part that is being read may lack its end
  if (part && (part.nextElementSibling || document.readyState !== "loading"))
    image.src = `data:image/jpeg;base64,${screens.dataset.start}${part.textContent.split(" ")[number % size]}`;
  else waiting.push([image, number]);
  return image;
}
addEventListener("DOMContentLoaded", () => { for (const [image, number] of waiting) showScreen(image, number); });

function shot(step) {
  const [width, height] = step.size[0] && step.size[1] ? step.size : [9, 20];
  const made = node("span", { class: "shot", style: `aspect-ratio: ${width} / ${height}` });
  const stored = step.screen !== null && step.screen !== undefined;
  if (stored) made.append(showScreen(node("img", { alt: "" }), step.screen));
  else made.append(node("span", { class: "none" }, frame.text("report.no_screen")));
  if (step.at && step.size[0]) made.append(overlay(step));
  const chip = step.name === "type" ? `⌨ ${step.text}` : KEYS[step.name] && text(KEYS[step.name]);
  if (chip) made.append(said("span", chip, { class: "chip" }));
  return made;
}

// a question has no picture of its own: what was said stands between the screens
function talk(step) {
  const made = node("span", { class: "talk" }, said("span", step.text, { class: "asked" }), said("span", step.reply, { class: `replied ${step.kind}` }));
  made.append(node("span", { class: "kind" }, frame.text(`reply.${step.kind}`), step.needless ? ` · ${text("needless")}` : null));
  return made;
}

function flag(step) {
  if (step.problem) return [text("unparsable"), "odd"];
  if (step.verdict === "deny") return [text("denied"), "bad"];
  if (step.off) return [text("off"), "bad"];
  return step.verdict === "confirm" ? [text("confirmed"), "odd"] : null;
}

function title(step) {
  if (step.end) return text("end");
  if (step.problem) return step.output || "";
  const word = KEYS[step.name] ? text(KEYS[step.name]).slice(2) : WORDS[step.name] && text(WORDS[step.name]);
  const what = step.name === "scroll" && WAYS.has(step.text) ? text(step.text) : step.text;
  return word ? `${word}${what ? ` ${what}` : ""}` : step.raw || text("nothing");
}

function stepButton(steps, at, whose) {
  const step = steps[at], marked = flag(step);
  const caption = node("span", { class: "caption" }, step.end ? null : node("b", {}, `${at + 1} `));
  if (marked) caption.append(node("span", { class: `flag ${marked[1]}` }, `${marked[0]} `));
  caption.append(said("span", title(step)));
  const label = `${text("step_label", { whose, n: at + 1 })}: ${title(step)}`;
  const button = node("button", { type: "button", class: `step ${marked ? marked[1] : ""}`, "aria-label": label }, step.reply ? talk(step) : shot(step), caption);
  button.addEventListener("click", () => open(steps, at, whose));
  button.addEventListener("keydown", (event) => {
    const side = { ArrowRight: "nextElementSibling", ArrowLeft: "previousElementSibling" }[event.key];
    const other = side && button.parentElement[side];
    if (other) { event.preventDefault(); other.firstElementChild.focus(); }
  });
  return node("li", {}, button);
}

function lane(steps, heading, whose) {
  const list = node("ol", { class: "steps" });
  steps.forEach((_, at) => list.append(stepButton(steps, at, whose)));
  return node("div", { class: "lane" }, heading, list);
}

function stepsOf(way) {
  const size = way.steps.length ? way.steps[way.steps.length - 1].size : [9, 20];
  return way.last === null ? way.steps : [...way.steps, { end: true, screen: way.last, size }];
}

function draw(task) {
  const lanes = task.querySelector(".lanes"), data = JSON.parse(task.querySelector("script").textContent);
  const count = (steps) => node("small", {}, text("steps", { n: steps.filter((step) => step.raw && !step.reply).length }));
  lanes.replaceChildren(lane(data.golden, node("h4", { class: "gold" }, `★ ${text("person")}`, count(data.golden)), text("person")));
  for (const way of data.ways) {
    const name = NAMES[way.run], head = node("h4", {}, node("span", { class: `dot c${way.run % 6}` }), said("span", name), count(way.steps));
    const drawn = lane(stepsOf(way), head, name);
    drawn.dataset.run = way.run;
    lanes.append(drawn);
  }
  task.classList.add("drawn");
  showLanes(task);
}

function showLanes(task) {
  const shown = new Set([...task.querySelectorAll(".attempt:not([hidden])")].map((attempt) => attempt.dataset.run));
  for (const drawn of task.querySelectorAll(".lane[data-run]")) drawn.hidden = !shown.has(drawn.dataset.run);
}

const near = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) { near.unobserve(entry.target); draw(entry.target); }
}, { rootMargin: "400px" });
const tasks = [...document.querySelectorAll(".task")];
tasks.forEach((task) => near.observe(task));
const drawAgain = (which) => tasks.filter(which).forEach((task) => { near.unobserve(task); draw(task); });
// on paper every task has its lanes, wherever the reader was
addEventListener("beforeprint", () => drawAgain((task) => !task.hidden && !task.classList.contains("drawn")));

// one step, large, with the agent's output
const dialog = document.querySelector("dialog");
let shown = null;
function open(steps, at, whose) {
  shown = { steps, at, whose };
  const step = steps[at], facts = node("dl");
  const addFact = (name, content, tag = "dd") => { if (content) facts.append(node("dt", {}, text(name)), tag === "dd" ? said("dd", content) : node("dd", {}, said("pre", content, { tabindex: "0" }))); };
  addFact("action", step.raw, "pre");
  addFact("replied", step.reply && `${step.reply} (${frame.text(`reply.${step.kind}`)}${step.needless ? ` · ${text("needless")}` : ""})`);
  addFact("output", step.output, "pre");
  addFact("problem", step.problem);
  addFact("notes", step.notes, "pre");
  addFact("thought", step.thought, "pre");
  addFact("golden", step.golden, "pre");
  addFact("gate", step.verdict && `${step.verdict}: ${step.reason || ""}`);
  addFact("time", step.seconds);
  const before = dialog.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const buttons = [["earlier", -1], ["later", 1]].map(([label, by]) => {
    const button = node("button", { type: "button", "data-key": label }, text(label));
    button.disabled = !steps[at + by];
    button.addEventListener("click", () => open(steps, at + by, whose));
    return button;
  });
  const close = node("button", { type: "button" }, text("close"));
  close.addEventListener("click", () => dialog.close());
  const head = step.end ? text("end_head", { whose }) : text("step_head", { whose, n: at + 1, all: steps.filter((one) => !one.end).length });
  const inside = node("div", { class: "inside" }, step.reply ? talk(step) : shot(step),
    node("div", {}, node("p", { class: "eyebrow" }, head), said("h3", title(step)), facts, node("nav", {}, ...buttons, close)));
  dialog.replaceChildren(inside);
  if (!dialog.open) dialog.showModal();
  // the content is new: the focus stays on the button that was pressed, or goes to one that can be
  const next = buttons.find((button) => button.dataset.key === (before ?? "later"));
  (next && !next.disabled ? next : close).focus();
}
dialog.addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by && shown.steps[shown.at + by]) { event.preventDefault(); open(shown.steps, shown.at + by, shown.whose); }
});
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });

// a reason of a failed attempt opens its step
for (const link of document.querySelectorAll("a.why")) link.addEventListener("click", (event) => {
  const data = JSON.parse(link.closest(".task").querySelector("script").textContent);
  const way = data.ways.find((one) => String(one.run) === link.dataset.run);
  const steps = way ? stepsOf(way) : [], at = Number(link.dataset.step) - 1;
  if (steps[at]) { event.preventDefault(); open(steps, at, NAMES[way.run]); }
});

filterItems(".task", { fits: (task, wanted) => {
  let some = false;
  for (const attempt of task.querySelectorAll(".attempt")) {
    attempt.hidden = !["run", "outcome", "success"].every((name) => !wanted[name] || attempt.dataset[name] === wanted[name]);
    some = some || !attempt.hidden;
  }
  showLanes(task);
  return some;
} });
frame.onLanguage(() => drawAgain((task) => task.classList.contains("drawn")));
