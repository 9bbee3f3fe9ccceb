"use strict";
const filter = document.getElementById("kind");
const shown = document.getElementById("shown");
if (filter) {
  filter.addEventListener("change", () => {
    let count = 0;
    for (const card of document.querySelectorAll(".episode")) {
      card.hidden = filter.value !== "" && !card.dataset.kinds.split("|").includes(filter.value);
      count += card.hidden ? 0 : 1;
    }
    shown.textContent = `${count} shown`;
  });
}
