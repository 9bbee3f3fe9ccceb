"use strict";
// The theme and the language of a page: two buttons, remembered in the browser, else as the system says.
const frame = (() => {
  const root = document.documentElement;
  const LANGUAGES = ["en", "zh"], TAGS = { en: "en", zh: "zh-Hans" };
  const listeners = [], themeListeners = [];
  let messages = null;
  let language = "en";

  function stored(name) {
    try { return localStorage.getItem(`fingertip-${name}`); } catch { return null; } // a file may have no storage
  }
  function store(name, value) {
    try { localStorage.setItem(`fingertip-${name}`, value); } catch { /* for this page only */ }
  }

  // ---- texts: [data-t] is a key, or [key, values], or the text in each language; [data-t-NAME] is that of the attribute NAME
  function read() {
    messages ??= JSON.parse(document.getElementById("messages").textContent);
    return messages;
  }
  function text(key, values = {}) {
    const found = read()[key];
    if (found === undefined) return key;
    const form = language === "en" && found.one !== undefined && String(values.n) === "1" ? found.one : found[language];
    return form.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
  }
  function keyed(value) {
    if (value.startsWith("{")) return JSON.parse(value)[language];
    const [key, values] = value.startsWith("[") ? JSON.parse(value) : [value, {}];
    return text(key, values);
  }
  function translate(part) {
    for (const { name, value } of [...part.attributes]) {
      if (!name.startsWith("data-t") || name === "data-translated" || name.startsWith("data-text")) continue;
      const of = name.slice(7);
      // the title of a window begins with the brand in both languages
      const words = (of ? "" : part.dataset.brand ?? "") + keyed(value);
      // parts that say it already are left alone: an observer of the page would never come to rest
      if (!of && part.textContent !== words) part.textContent = words;
      else if (of && part.getAttribute(of) !== words) part.setAttribute(of, words);
    }
  }
  const translateAll = () => document.querySelectorAll("[data-translated], [data-t]").forEach(translate);
  // Sets a text that follows the language from now on.
  function setText(part, key, values = {}) {
    part.dataset.t = JSON.stringify([key, values]);
    part.textContent = text(key, values);
    return part;
  }

  function setLanguage(name) {
    language = LANGUAGES.includes(name) ? name : "en";
    root.lang = TAGS[language];
    translateAll();
    const button = document.getElementById("language");
    if (button) {
      const other = language === "en" ? "zh" : "en";
      button.textContent = other === "zh" ? "中文" : "English";
      button.lang = TAGS[other];
      button.hidden = false;
    }
    drawTheme();
    for (const listener of listeners) listener(language);
  }
  function chooseLanguage(name) {
    store("language", name);
    setLanguage(name);
  }

  // ---- the theme
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  function drawTheme() {
    const button = document.getElementById("theme");
    if (!button) return;
    setText(button, isDark() ? "frame.light" : "frame.dark");
    button.hidden = false;
    for (const listener of themeListeners) listener(isDark());
  }
  function setTheme(name) {
    root.dataset.theme = name;
    store("theme", name);
    drawTheme();
  }
  const theme = stored("theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  system.addEventListener("change", drawTheme);

  // The language of data: Chinese if it has a Chinese character.
  const languageOf = (words) => (/[\u3400-\u9fff\uf900-\ufaff]/.test(words) ? "zh-Hans" : "en");

  // Chromium may keep the boxes that it drew for a text while its font was loading, so pages that draw their texts
  // by script wait for the font, but not for long.
  const fontReady = Promise.race([
    document.fonts?.load('15px "FingerTip Chinese"', "中").catch(() => undefined),
    new Promise((done) => { setTimeout(done, 1500); }),
  ]);

  // ---- lanes and closed parts are whole on paper
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const part of opened) part.open = true;
  });
  addEventListener("afterprint", () => {
    for (const part of opened) part.open = false;
  });

  function start(preferred) {
    document.getElementById("language")?.addEventListener("click", () => chooseLanguage(language === "en" ? "zh" : "en"));
    document.getElementById("theme")?.addEventListener("click", () => setTheme(isDark() ? "light" : "dark"));
    setLanguage(stored("language") ?? preferred ?? (navigator.language.startsWith("zh") ? "zh" : "en"));
  }
  // an annotation page starts by itself, because its server may know the rater's language
  if (document.readyState === "loading" && !document.currentScript?.hasAttribute("data-waits")) addEventListener("DOMContentLoaded", () => start());

  return { start, fontReady, isDark, translateAll, text, has: (key) => key in read(), setText, setTheme, chooseLanguage, setLanguage, languageOf, language: () => language, tag: () => TAGS[language],
    onTheme: (listener) => themeListeners.push(listener), onLanguage: (listener) => listeners.push(listener), isStored: () => stored("language") !== null };
})();
