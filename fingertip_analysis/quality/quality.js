"use strict";
const filter = document.getElementById("kind");
const shown = document.getElementById("shown");
function draw() {
  let count = 0;
  for (const card of document.querySelectorAll(".episode")) {
    card.hidden = filter.value !== "" && !card.dataset.kinds.split("|").includes(filter.value);
    count += card.hidden ? 0 : 1;
  }
  shown.textContent = frame.text("quality.shown", { n: count });
}
if (filter) {
  filter.addEventListener("change", draw);
  frame.onLanguage(draw);
}
