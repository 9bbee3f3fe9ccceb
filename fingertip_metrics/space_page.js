"use strict";
(() => {
// The two switches on a page of gradio, whose own parts have no marks: their texts are known by their English.
const LABELS = new Map();
for (const [key, forms] of Object.entries(JSON.parse(document.getElementById("messages").textContent))) {
  if (key.startsWith("space_labels.")) LABELS.set(forms.en, key);
}
const known = new WeakMap(); // text node -> its key and the words that it was given
const bar = document.createElement("div");
bar.className = "space-bar";
bar.innerHTML = '<div class="switches" role="group"><button id="language" type="button" hidden></button>'
  + '<button id="theme" type="button" hidden></button></div>';

function translateLabels() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, last = known.get(node);
    const key = LABELS.get(node.data.trim()) ?? (last && last.words === node.data ? last.key : undefined);
    if (key === undefined || node.parentElement.closest("[data-t], [data-own], script, style")) continue;
    const words = frame.text(key);
    known.set(node, { key, words });
    if (node.data !== words) node.data = words;
    if (node.parentElement.lang !== frame.tag()) node.parentElement.lang = frame.tag();
  }
}
function translate() {
  for (const part of document.querySelectorAll(".only-zh:not([lang])")) part.lang = "zh-Hans";
  frame.translateAll();
  translateLabels();
  bar.firstElementChild.setAttribute("aria-label", frame.text("frame.switches"));
}
function follow(dark) {
  document.body.classList.toggle("dark", dark);
}
function begin() {
  document.body.prepend(bar);
  frame.onTheme(follow);
  frame.onLanguage(translate);
  frame.fontReady.then(() => frame.start());
  // gradio draws later, and again; it also sets the theme of the system
  new MutationObserver(translate).observe(document.body, { childList: true, subtree: true });
  new MutationObserver(() => {
    if (document.body.classList.contains("dark") !== frame.isDark()) follow(frame.isDark());
  }).observe(document.body, { attributes: true, attributeFilter: ["class"] });
  new MutationObserver(() => {
    if (document.documentElement.lang !== frame.tag()) document.documentElement.lang = frame.tag();
  }).observe(document.documentElement, { attributes: true, attributeFilter: ["lang"] });
}
// gradio adds its head in the browser, when the page is read already
if (document.readyState === "loading") addEventListener("DOMContentLoaded", begin); else begin();
})();
