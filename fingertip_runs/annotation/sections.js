// The known facts of a task as cards: #known, whose style is in annotation.css.
// The text is the prompt's: a line that begins with # is a heading, and no line of data begins with one.
export function sections(known) {
  const found = [];
  for (const line of known.split("\n")) {
    if (line.startsWith("# ") || found.length === 0) {
      found.push(document.createElement("section"));
      found.at(-1).className = "card";
    }
    const part = document.createElement(line.startsWith("# ") ? "h2" : "p");
    part.textContent = line.replace(/^# /, "");
    part.lang = frame.languageOf(line);
    found.at(-1).append(part);
    if (/^\d+\. /.test(line)) found.at(-1).classList.add("wide");
  }
  return found;
}
