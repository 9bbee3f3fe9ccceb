// Where a finger was on a screen: a ring for a tap, two for a long press, an arrow for a swipe.
function drawn(name, attributes) {
  const part = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
  return part;
}

// `one` is what the server says of a step: its name, and `at` and `to` in px of a screen of that size; or null.
export function drawMark(mark, one, size) {
  mark.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
  mark.setAttribute("preserveAspectRatio", "none");
  mark.dataset.action = one?.name ?? "";
  mark.replaceChildren();
  if (!one?.at) return;
  const [x, y] = one.at;
  const unit = size[0] / 100;
  if (one.to) {
    const [endX, endY] = one.to;
    const way = Math.atan2(endY - y, endX - x);
    const barb = (turn) => `${endX - 6 * unit * Math.cos(way + turn)} ${endY - 6 * unit * Math.sin(way + turn)}`;
    const d = `M ${x} ${y} L ${endX} ${endY} M ${barb(0.6)} L ${endX} ${endY} L ${barb(-0.6)}`;
    mark.append(drawn("path", { class: "halo", d, "stroke-width": 2.6 * unit }));
    mark.append(drawn("path", { class: "line", d, "stroke-width": 1.4 * unit }));
  } else {
    const rings = one.name === "long_click" ? [5, 8] : [5];
    for (const radius of rings) {
      mark.append(drawn("circle", { class: "halo", cx: x, cy: y, r: radius * unit, "stroke-width": 1.8 * unit }));
      mark.append(drawn("circle", { class: "ring", cx: x, cy: y, r: radius * unit, "stroke-width": 0.8 * unit }));
    }
  }
  mark.append(drawn("circle", { class: "dot", cx: x, cy: y, r: 1.1 * unit, "stroke-width": 0.4 * unit }));
}
