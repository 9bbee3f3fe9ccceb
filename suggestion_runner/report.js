const cards = [...document.querySelectorAll(".card")];
document.getElementById("filter").addEventListener("input", (event) => {
  const words = event.target.value.toLowerCase().split(/\s+/);
  for (const card of cards) card.hidden = !words.every((word) => card.textContent.toLowerCase().includes(word));
});
