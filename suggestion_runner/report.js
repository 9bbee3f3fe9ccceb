"use strict";
// Keeps the tasks that fit all filters; everything of a run is text of the page already.
const cards = [...document.querySelectorAll(".card")];
const form = document.querySelector("form.filters");
const words = new Map(cards.map((card) => [card, card.dataset.words]));
function filter() {
  const wanted = Object.fromEntries(new FormData(form)), parts = wanted.text.toLowerCase().split(/\s+/).filter(Boolean);
  let left = 0;
  for (const card of cards) {
    const states = card.dataset.states.split(" ");
    const fits = (!wanted.user || card.dataset.user === wanted.user) && (!wanted.app || card.dataset.app === wanted.app)
      && (!wanted.state || states.includes(wanted.state)) && parts.every((part) => words.get(card).includes(part));
    card.hidden = !fits;
    left += fits;
  }
  form.querySelector("output").textContent = left === cards.length
    ? frame.text("report.shown", { n: left }) : frame.text("report.shown_of", { n: left, all: cards.length });
  document.querySelector(".nothing").hidden = left > 0;
}
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(filter));
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) { event.preventDefault(); form.elements.text.focus(); }
});
frame.onLanguage(filter);
