"use strict";
// The filters of a report. Shows the items that fit the form, and says how many they are; what filters select by is
// text of the page already. A field with a name such as "user" compares its choice with data-user, in which "|" divides
// several values; the field "text" has words of which each must be in data-words. `fits` decides about the rest.
function filterItems(selector, { fits = () => true, shown = "report.shown", shownOf = "report.shown_of" } = {}) {
  const items = [...document.querySelectorAll(selector)];
  const form = document.querySelector("form.filters"), nothing = document.querySelector(".nothing");
  if (!form) return;
  const chosen = (item, [name, value]) => !value || item.dataset[name] === undefined || item.dataset[name].split("|").includes(value);
  function filter() {
    const { text = "", ...wanted } = Object.fromEntries(new FormData(form)), words = text.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const item of items) {
      const others = fits(item, wanted); // always asked: it may show or hide parts of the item
      item.hidden = !(others && Object.entries(wanted).every((field) => chosen(item, field)) && words.every((word) => item.dataset.words.includes(word)));
      left += item.hidden ? 0 : 1;
    }
    form.querySelector("output").textContent = left === items.length ? frame.text(shown, { n: left }) : frame.text(shownOf, { n: left, all: items.length });
    if (nothing) nothing.hidden = left > 0;
  }
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  document.addEventListener("keydown", (event) => {
    const busy = document.querySelector("dialog[open]") || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "/" && form.elements.text && !busy) { event.preventDefault(); form.elements.text.focus(); }
  });
  frame.onLanguage(filter);
}
