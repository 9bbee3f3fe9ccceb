// The frame of every annotation page: requests, the rater's name, views, languages, keyboard, progress, timing.
// A page calls `annotate` with its own texts, items and drawing; everything from a run is set as text, never markup.
export const $ = (id) => document.getElementById(id);

// the page's table of texts; texts that it lacks are those of all annotation pages
const TABLE = document.documentElement.dataset.texts;

let page = null; // what the page gave to `annotate`
let rater = null;
let last = Promise.resolve(); // the last queued work
let viewedMs = 0; // for which the item was in view, up to `since`
let since = null; // start of the current view; null while the window is hidden
let items = []; // in this rater's order, each {key, label}; label is falsy until it is labelled
let at = 0; // index of the item in view

export const currentItem = () => items[at];
export const itemIndex = () => at;
export const itemCount = (test) => items.filter(test).length;
export const view = () => document.body.dataset.view;
export function text(name, values) {
  const own = `${TABLE}.${name}`;
  return frame.text(frame.has(own) ? own : `annotation.${name}`, values);
}
export const currentLanguage = () => frame.language();

// Sets a text of data, with its language.
export function say(part, words) {
  part.textContent = words;
  part.lang = frame.languageOf(words);
}

// ---- requests
export async function call(place, body) {
  const query = rater === null ? "" : `?rater=${encodeURIComponent(rater)}`;
  const options = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  let answer;
  try {
    answer = await fetch(place + query, options);
  } catch {
    throw new Error(text("gone", { command: page.command ?? "fingertip review" }));
  }
  const content = await answer.json();
  if (!answer.ok) throw new Error(content.error);
  return content;
}

function showTrouble(error) {
  $("trouble").hidden = error === null;
  $("trouble").textContent = error === null ? "" : error.message;
}

// Runs work after the work before it: a fast rater's answers must not overtake each other.
export function queue(work) {
  last = last.then(work).then(() => showTrouble(null), showTrouble);
  return last;
}

// ---- views
export function show(name) {
  for (const id of ["ask", "task", "done", "over"]) $(id).hidden = id !== name;
  document.body.dataset.view = name;
}

export function setItems(found) {
  items = found;
}

export function drawProgress() {
  const done = itemCount((item) => item.label);
  $("progress").firstElementChild.style.width = `${items.length ? 100 * done / items.length : 0}%`;
  $("progress").setAttribute("aria-valuenow", done);
  $("progress").setAttribute("aria-valuemax", items.length);
  $("count").textContent = items.length ? text("count", { done, total: items.length }) : "";
}

function translate() {
  for (const part of document.querySelectorAll("[data-text]")) part.textContent = text(part.dataset.text);
  for (const part of document.querySelectorAll("[data-label]")) part.setAttribute("aria-label", text(part.dataset.label));
  $("name").setAttribute("aria-label", text("name"));
  $("progress").setAttribute("aria-label", text("progress"));
  document.title = `FingerTip 20K: ${text("title")}`;
  drawProgress();
  page.translate?.();
  if (view() === "task") page.draw?.();
  if (view() === "done") drawSummary();
}

function drawSummary() {
  $("summary").textContent = page.summary(items);
}

// ---- the rater
async function begin() {
  const state = await (rater === null ? call("session") : page.join?.() ?? call("session"));
  if (state.language && page.state === undefined && !frame.isStored()) frame.setLanguage(state.language);
  page.state = state;
  rater = state.rater;
  setItems(page.items(state));
  drawProgress();
  if (rater !== null) {
    await nextOpen();
    return;
  }
  drawNames(state.raters ?? []);
  show("ask");
  if (!$("name").hidden) $("name").focus();
}

// The command may have named the raters; else the page asks for a name.
function drawNames(names) {
  for (const id of ["name", "begin"]) $(id).hidden = names.length > 0;
  $("names").replaceChildren(...names.map((name) => {
    const button = document.createElement("button");
    button.type = "button";
    say(button, name);
    button.addEventListener("click", () => {
      $("name").value = name;
      queue(askName);
    });
    return button;
  }));
}

async function askName() {
  if (!$("name").value.trim()) throw new Error(text("noName"));
  rater = $("name").value;
  try {
    await begin();
  } catch (error) {
    rater = null;
    throw error;
  }
}

// ---- from item to item
export async function openItem(index) {
  await page.leave?.();
  const item = items[index];
  const content = page.load === undefined ? item : await page.load(item);
  at = index;
  startTimer((await page.open(item, content)) ?? 0);
  drawProgress();
  show("task");
  page.opened?.();
  window.scrollTo(0, 0);
}

// The first item without a label from `from` on, or from the start; the end if all are labelled.
export async function nextOpen(from = 0) {
  const later = items.findIndex((item, index) => index >= from && !item.label);
  const open = later >= 0 ? later : items.findIndex((item) => !item.label);
  if (open >= 0) {
    await openItem(open);
    return;
  }
  await page.leave?.();
  drawProgress();
  drawSummary();
  show("done");
}

export async function nextItem() {
  if (at + 1 < items.length) await openItem(at + 1);
  else await nextOpen();
}

export async function previousItem() {
  if (view() === "done") await openItem(items.length - 1);
  else if (view() === "task" && at > 0) await openItem(at - 1);
}

async function finish() {
  if (view() !== "done") return;
  await call(page.finishPlace?.() ?? "finish", {});
  show("over");
}

// ---- a reason in words, which is stored with the label: #why
export const writtenReason = () => $("why").value.trim();

// A reason without a label waits on the page for the label.
export async function keepReason(save) {
  if (view() !== "task") return;
  const item = currentItem();
  item.why = writtenReason();
  if (item.label && item.label.why !== item.why) await save(item.label);
}

export function drawReason(item) {
  $("why").value = item.why ?? item.label?.why ?? "";
}

// ---- choices: buttons with data-NAME=VALUE
export function markChoice(name, value) {
  for (const button of document.querySelectorAll(`[data-${name}]`)) {
    button.setAttribute("aria-pressed", String(button.dataset[name] === String(value)));
  }
}

export function onChoice(name, choose) {
  for (const button of document.querySelectorAll(`[data-${name}]`)) {
    button.addEventListener("click", () => queue(() => choose(button.dataset[name])));
  }
}

// ---- seconds in view; a hidden window does not count
function startTimer(seconds) {
  viewedMs = 1000 * seconds;
  since = document.hidden ? null : performance.now();
}

export const secondsInView = () => Math.round(viewedMs + (since === null ? 0 : performance.now() - since)) / 1000;

document.addEventListener("visibilitychange", () => {
  if (document.hidden && since !== null) {
    viewedMs += performance.now() - since;
    since = null;
  } else if (!document.hidden) since = performance.now();
});

// ---- keyboard
const COMMON_KEYS = { task: { b: previousItem }, done: { Enter: finish, b: previousItem } };

function inField(event) {
  if (event.target === $("name")) {
    if (event.key === "Enter") queue(askName);
    return true;
  }
  if (!(event.target instanceof HTMLTextAreaElement)) return false;
  // a one-line field is left with Enter, too; in others Enter is a line break
  if (event.key === "Escape" || event.key === "Enter" && event.target.rows === 1) {
    event.preventDefault();
    event.target.blur();
  }
  return true;
}

function onKey(event) {
  if (event.isComposing || event.repeat && !event.key.startsWith("Arrow")) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && page.submit) {
    event.preventDefault();
    queue(page.submit);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || inField(event)) return;
  if (event.target instanceof HTMLButtonElement && event.key === "Enter") return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const place = page.view?.() ?? view();
  const queued = page.keys[place]?.[key] ?? COMMON_KEYS[place]?.[key];
  const immediate = page.immediateKeys?.[place]?.[key];
  if (!queued && !immediate) return;
  event.preventDefault();
  if (immediate) immediate(); else queue(queued);
}

// ---- the start
// page: {
//   language   to begin with; else that of the server's state, else the browser's
//   command    that serves the page; else `fingertip review`
//   items      (state) -> the rater's items
//   load       async (item) -> what the server says of it; left out if the items are whole
//   open       async (item, content) -> draws it; returns the seconds for which it was in view before
//   opened     () -> after the item is in view
//   draw       () -> draws the item in view again, in another language
//   translate  () -> sets texts that are no element's content
//   leave      async () -> before the item leaves the view
//   summary    (items) -> the sentence at the end
//   keys       view -> key -> queued work;  immediateKeys: work at once
//   view       () -> the view that keys belong to, for a page with a dialog
//   submit     async () -> on Ctrl+Enter
//   join       async () -> state, once the rater is known;  finishPlace: () -> address of the end
// }
export function annotate(own) {
  page = own;
  frame.onLanguage(translate);
  document.addEventListener("keydown", onKey);
  // a clicked button must not keep the Enter key
  document.addEventListener("click", (event) => {
    if (event.detail > 0 && event.target.closest("button")) document.activeElement.blur();
  });
  const buttons = { begin: askName, back: previousItem, again: previousItem, finish };
  for (const [id, work] of Object.entries(buttons)) $(id)?.addEventListener("click", () => queue(work));
  queue(async () => {
    await frame.fontReady;
    frame.start(page.language);
    await begin();
  });
}
