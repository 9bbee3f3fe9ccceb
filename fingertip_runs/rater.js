// What the pages on which people label have in common: the talk with the server, who says it, which view is shown,
// and for how long an item was in view.
export const $ = (id) => document.getElementById(id);
export const sitting = { rater: null };
// a page in another language, or of another command, puts its own here
export const words = {
  gone: "fingertip review is not running any more: what was not saved is lost",
  noName: "A name is needed.",
  count: (done, total) => `${done} of ${total} labelled`,
};
let last = Promise.resolve(); // what is being saved
let seen = 0; // ms for which the item was in view, up to `since`
let since = null; // when looking began; null while the window is hidden

export async function call(place, body) {
  const query = sitting.rater === null ? "" : `?rater=${encodeURIComponent(sitting.rater)}`;
  const given = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  let answer;
  try {
    answer = await fetch(place + query, given);
  } catch {
    throw new Error(words.gone);
  }
  const content = await answer.json();
  if (!answer.ok) throw new Error(content.error);
  return content;
}

function tell(error) {
  $("trouble").hidden = error === null;
  $("trouble").textContent = error === null ? "" : error.message;
}

// One after the other: a quick rater is no reason to mix up two answers.
export function inTurn(work) {
  last = last.then(work).then(() => tell(null), tell);
  return last;
}

// The view on which labels are given is named by the page: <body data-work>.
export function show(view) {
  for (const name of ["ask", document.body.dataset.work, "done", "over"]) $(name).hidden = name !== view;
  document.body.dataset.view = view;
}

export function drawProgress(items) {
  const done = items.filter((item) => item.label).length;
  $("progress").firstElementChild.style.width = `${items.length ? 100 * done / items.length : 0}%`;
  $("progress").setAttribute("aria-valuenow", done);
  $("progress").setAttribute("aria-valuemax", items.length);
  $("count").textContent = items.length ? words.count(done, items.length) : "";
}

export async function askName(begin) {
  if (!$("name").value.trim()) throw new Error(words.noName);
  sitting.rater = $("name").value;
  try {
    await begin();
  } catch (error) {
    sitting.rater = null;
    throw error;
  }
}

export async function finish() {
  if (document.body.dataset.view !== "done") return;
  await call("finish", {});
  show("over");
}

// An item comes into view, after so many seconds in view before.
export function lookAt(seconds = 0) {
  seen = 1000 * seconds;
  since = document.hidden ? null : performance.now();
}

// Seconds for which the item was in view; a hidden window does not count.
export const looked = () => Math.round(seen + (since === null ? 0 : performance.now() - since)) / 1000;

document.addEventListener("visibilitychange", () => {
  if (document.hidden && since !== null) {
    seen += performance.now() - since;
    since = null;
  } else if (!document.hidden) since = performance.now();
});

// a button that was clicked does not keep the Enter key for itself
document.addEventListener("click", (event) => {
  if (event.detail > 0 && event.target.closest("button")) document.activeElement.blur();
});
